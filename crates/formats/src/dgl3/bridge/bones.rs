//! Bones and frames, as both directions see them.

use scene::Name;

use crate::dgl3::layout::MorphAnimation;

/// Translation, rotation and scale.
pub(super) type Trs = ([f32; 3], [f32; 4], [f32; 3]);

/// Where bones rest relative to the mesh: the sum of the places along their chain.
pub(super) fn rest_places(parents: &[i32], places: &[[f32; 3]]) -> Vec<[f64; 3]> {
    let mut sums: Vec<Option<[f64; 3]>> = vec![None; places.len()];
    for start in 0..places.len() {
        let (mut way, mut at) = (Vec::new(), Some(start));
        while let Some(bone) = at.filter(|&bone| bone < places.len() && sums[bone].is_none()) {
            // A chain is never longer than there are bones; the bones were found to hang together.
            if way.len() > places.len() {
                break;
            }
            way.push(bone);
            at = usize::try_from(parents[bone]).ok();
        }
        let mut sum = at.and_then(|bone| sums.get(bone).copied().flatten()).unwrap_or_default();
        for bone in way.into_iter().rev() {
            for axis in 0..3 {
                sum[axis] += f64::from(places[bone][axis]);
            }
            sums[bone] = Some(sum);
        }
    }
    sums.into_iter().map(Option::unwrap_or_default).collect()
}

/// The inverse of the place of a bone that rests there.
pub(super) fn inverse_bind([x, y, z]: [f64; 3]) -> [f32; 16] {
    let [x, y, z] = [-x, -y, -z].map(|v| v as f32);
    [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., x, y, z, 1.]
}

/// When a frame is shown; without a rate, one per second.
pub(super) fn time(frame: usize, rate: i32) -> f32 {
    frame as f32 / rate.max(1) as f32
}

/// What a reader calls the morph target of a frame.
pub(super) fn frame_name(animation: &MorphAnimation, frame: usize) -> Name {
    format!("{} {frame}", animation.animation_name).into()
}
