//! Skeletal and morph blocks.

use std::collections::HashMap;

use findings::{Place, rule};
use wire::Text;

use super::super::layout::{Bone, Document, Skeletal};
use super::{bodies, for_engine, quoted};

/// How far from 1 the weights of a vertex may add up.
const SUM_TOLERANCE: f32 = 0.01;

rule! {
    /// ## What it finds
    /// A mesh with a skeletal or morph block.
    ///
    /// ## Why it matters
    /// The document has such blocks; the engine ignores the flags, takes the blocks for the next mesh and fails.
    ///
    /// ## Example
    /// `has_skeletal_animation` is 1.
    ///
    /// ## Fix
    /// Remove animations before exporting for the engine.
    DGL3_029 "DGL3-029" "animation-block", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = for_engine(cx);
        for (body, place) in bodies(doc) {
            let flags = [
                ("has_skeletal_animation", body.has_skeletal_animation),
                ("has_morph_target_animation", body.has_morph_target_animation),
            ];
            for (field, _) in flags.into_iter().filter(|(_, flag)| flag.is_set()) {
                cx.report_as(severity, place.field(field), "the engine cannot read what follows");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A bone whose parent does not exist or is itself below it, and a weight or frame of a bone that does not exist.
    ///
    /// ## Why it matters
    /// Nothing says where such a bone is. A bone of weight 0 may be any.
    ///
    /// ## Example
    /// `parent_bone_index` is 3, and there are two bones.
    ///
    /// ## Fix
    /// Export the skeleton again.
    DGL3_030 "DGL3-030" "bone-unknown", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc) {
            let Some(skeletal) = &body.skeletal else { continue };
            let place = place.field("skeletal");
            let known = |bone: i32| usize::try_from(bone).is_ok_and(|bone| bone < skeletal.bones.len());
            for (i, fault) in broken_bones(skeletal) {
                cx.report(place.field("bones").nth(i).field("parent_bone_index"), fault);
            }
            skeletal.weights.each(|vertex, bones, weights| {
                if let Some((bone, _)) = bones.iter().zip(weights).find(|(bone, weight)| !known(**bone) && **weight != 0.) {
                    let place = place.field("weights").nth(vertex).field("bone_indices");
                    cx.report(place, format!("there is no bone {bone}"));
                }
            });
            for (k, animation) in skeletal.animations.iter().enumerate() {
                let place = place.field("animations").nth(k);
                for (f, frame) in animation.frames.iter().enumerate() {
                    for (t, moved) in frame.transformations.iter().enumerate().filter(|(_, moved)| !known(moved.bone_index)) {
                        let place = place.field("frames").nth(f).field("transformations").nth(t).field("bone_index");
                        cx.report(place, format!("there is no bone {}", moved.bone_index));
                    }
                }
            }
        }
    }
}

/// Bones whose chain of parents does not end, and why.
pub(in super::super) fn broken_bones(skeletal: &Skeletal) -> Vec<(usize, String)> {
    let bones: Vec<Bone> = skeletal.bones.iter().collect();
    // 0 not visited, 1 on the way, 2 ends at a root, 3 does not.
    let mut state = vec![0_u8; bones.len()];
    let mut out = Vec::new();
    for start in 0..bones.len() {
        let (mut way, mut at) = (Vec::new(), start);
        let end = loop {
            match state[at] {
                0 => {}
                1 => {
                    out.push((at, "it is its own ancestor".to_owned()));
                    break 3;
                }
                done => break done,
            }
            state[at] = 1;
            way.push(at);
            match bones[at].parent_bone_index {
                -1 => break 2,
                parent => match usize::try_from(parent).ok().filter(|parent| *parent < bones.len()) {
                    Some(parent) => at = parent,
                    None => {
                        out.push((at, format!("there is no bone {parent}; there are {}", bones.len())));
                        break 3;
                    }
                },
            }
        };
        way.into_iter().for_each(|bone| state[bone] = end);
    }
    out
}

rule! {
    /// ## What it finds
    /// A vertex whose weights are negative or do not add up to 1, and a skeleton that moves no vertex.
    ///
    /// ## Why it matters
    /// The vertex drifts toward the origin or away from it.
    ///
    /// ## Example
    /// Weights of 0.5 and 0.3.
    ///
    /// ## Fix
    /// Normalise the weights before the export.
    DGL3_031 "DGL3-031" "weights-not-normalised", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (body, place) in bodies(doc) {
            let Some(skeletal) = &body.skeletal else { continue };
            let place = place.field("skeletal");
            if skeletal.weights.per_vertex() == 0 {
                cx.report(place.field("bone_weights_per_vertex"), "no bone moves any vertex");
            }
            skeletal.weights.each(|vertex, _, weights| {
                let sum: f32 = weights.iter().sum();
                let negative = weights.iter().find(|weight| **weight < 0.);
                let place = || place.field("weights").nth(vertex).field("bone_weights");
                if let Some(weight) = negative {
                    cx.report(place(), format!("a weight is negative: {weight}"));
                } else if sum.is_nan() || (sum - 1.).abs() > SUM_TOLERANCE {
                    cx.report(place(), format!("weights add up to {sum:.3}, expected 1"));
                }
            });
        }
    }
}

/// A block's place, its frames per second, and names and frames of its animations.
type Block<'a> = (Place, i32, Vec<(&'a Text, usize)>);

/// All skeletal and morph blocks.
fn blocks(doc: &Document) -> Vec<Block<'_>> {
    let mut out = Vec::new();
    for (body, place) in bodies(doc) {
        if let Some(block) = &body.skeletal {
            let animations = block.animations.iter().map(|a| (&a.animation_name, a.frames.len()));
            out.push((place.field("skeletal"), block.frames_per_second, animations.collect()));
        }
        if let Some(block) = &body.morph {
            let animations = block.animations.iter().map(|a| (&a.animation_name, a.frames.0.len()));
            out.push((place.field("morph"), block.frames_per_second, animations.collect()));
        }
    }
    out
}

rule! {
    /// ## What it finds
    /// Animations of 0 or fewer frames per second.
    ///
    /// ## Why it matters
    /// Nothing says how fast they are; pentad takes one frame per second.
    ///
    /// ## Example
    /// `frames_per_second` is 0.
    ///
    /// ## Fix
    /// Write the true rate, for instance 30.
    DGL3_032 "DGL3-032" "frame-rate", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (place, rate, animations) in blocks(doc) {
            if rate <= 0 && !animations.is_empty() {
                cx.report(place.field("frames_per_second"), format!("it is {rate}, expected more than 0"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Two animations of one mesh with one name.
    ///
    /// ## Why it matters
    /// The document demands that each name stands once; a program that looks for one finds the first or the last.
    ///
    /// ## Example
    /// `walk` twice.
    ///
    /// ## Fix
    /// Rename one of them.
    DGL3_033 "DGL3-033" "animation-name", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (place, _, animations) in blocks(doc) {
            let mut seen = HashMap::new();
            for (i, (name, _)) in animations.into_iter().enumerate() {
                if let Some(first) = seen.insert(name.bytes(), i) {
                    let message = format!("{} is the name of animations[{first}], too", quoted(name.bytes()));
                    cx.report(place.field("animations").nth(i).field("animation_name"), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// An animation without frames.
    ///
    /// ## Why it matters
    /// Nothing moves; perhaps an export went wrong.
    ///
    /// ## Example
    /// `num_frames` is 0.
    ///
    /// ## Fix
    /// Remove the animation, or export it again.
    DGL3_034 "DGL3-034" "animation-empty", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (place, _, animations) in blocks(doc) {
            for (i, _) in animations.iter().enumerate().filter(|(_, (_, frames))| *frames == 0) {
                cx.report(place.field("animations").nth(i).field("num_frames"), "the animation has no frames");
            }
        }
    }
}
