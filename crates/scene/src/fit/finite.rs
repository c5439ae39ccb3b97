//! Numbers that are infinite or none, of everything but vertices: a target that demands finite ones gets those that change
//! nothing.

use findings::Losses;

use super::Target;
use crate::loss::*;
use crate::{
    AlphaMode, Animation, Channel, Interpolation, Light, LightKind, Material, Mesh, Pbr, Phong, Scene, Shading, Skin,
    Slot, Track, Transform,
};

pub(super) fn fit(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    if !target.demands_finite(scene) {
        return;
    }
    let why = format!("{} demands finite numbers", target.name);
    let mut lose = |kind: &str, index: usize, name: &crate::Name, what: &str, count: usize| {
        if count > 0 {
            losses.add(&LOSS_021, Scene::label(kind, index, name), count as u64, what, why.clone());
        }
    };
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        let copies = node.instances.iter_mut().flat_map(|instances| &mut instances.placements);
        let copies = copies.map(|copy| place(&mut copy.transform)).sum();
        lose("node", index, &node.name, "transform", place(&mut node.transform));
        lose("node", index, &node.name, "transforms of copies", copies);
        lose("node", index, &node.name, "weights of morph targets", mend(&mut node.weights, 0.));
    }
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let count = ranges(mesh);
        lose("mesh", index, &mesh.name, "weights of morph targets", count);
    }
    for (index, skin) in scene.skins.iter_mut().enumerate() {
        let count = binds(skin);
        lose("skin", index, &skin.name, "inverse bind matrices", count);
    }
    for (index, material) in scene.materials.iter_mut().enumerate().filter(|_| !target.can.materials.is_lost()) {
        let count = factors(material);
        lose("material", index, &material.name, "factors", count);
    }
    for (index, light) in scene.lights.iter_mut().enumerate() {
        let count = shine(light);
        lose("light", index, &light.name, "colour, strength or angles", count);
    }
    for (index, voxels) in scene.voxels.iter_mut().enumerate() {
        let count = voxels.voxels.iter_mut().map(|voxel| mend(&mut voxel.position, 0.)).sum();
        lose("voxel object", index, &voxels.name, "places of cubes", count);
    }
    for (index, animation) in scene.animations.iter_mut().enumerate() {
        let Animation { name, channels, frame_rate, .. } = animation;
        lose("animation", index, name, "frame rate", drop_odd(frame_rate));
        for channel in channels {
            let what = format!("keys of a {} track", channel.track.word());
            lose("animation", index, name, &what, keys(channel));
        }
    }
}

/// Replaces what is not finite; answers how many numbers that were.
fn mend(numbers: &mut [f32], instead: f32) -> usize {
    let odd = numbers.iter_mut().filter(|v| !v.is_finite());
    odd.map(|v| *v = instead).count()
}

/// The same for several numbers, each of which has its own that stands in.
fn mend_by<const N: usize>(numbers: &mut [f32; N], instead: [f32; N]) -> usize {
    let odd = numbers.iter_mut().zip(instead).filter(|(v, _)| !v.is_finite());
    odd.map(|(v, instead)| *v = instead).count()
}

fn drop_odd(number: &mut Option<f32>) -> usize {
    usize::from(number.take_if(|v| !v.is_finite()).is_some())
}

/// Numbers that mean nothing one by one: all or none.
fn mend_whole<const N: usize>(numbers: &mut [f32; N], instead: [f32; N]) -> usize {
    let odd = numbers.iter().any(|v| !v.is_finite());
    if odd {
        *numbers = instead;
    }
    usize::from(odd)
}

const UNTURNED: [f32; 4] = [0., 0., 0., 1.];
const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

fn place(transform: &mut Transform) -> usize {
    let odd = match transform {
        Transform::Trs { translation, rotation, scale } => {
            mend(translation, 0.) + mend_whole(rotation, UNTURNED) + mend(scale, 1.)
        }
        Transform::Matrix(columns) => mend_whole(columns, IDENTITY),
    };
    odd.min(1)
}

fn ranges(mesh: &mut Mesh) -> usize {
    let mut odd = 0;
    for morph in &mut mesh.morphs {
        let mut numbers = [morph.default, morph.min, morph.max];
        odd += mend_by(&mut numbers, [0., 0., 1.]);
        [morph.default, morph.min, morph.max] = numbers;
    }
    odd
}

fn binds(skin: &mut Skin) -> usize {
    skin.inverse_bind.iter_mut().map(|matrix| mend_whole(matrix, IDENTITY)).sum()
}

fn factors(material: &mut Material) -> usize {
    let one = std::slice::from_mut;
    let mut odd = match &mut material.shading {
        Shading::Pbr(pbr) => {
            let plain = Pbr::default();
            mend(&mut pbr.base_color, 1.)
                + mend(one(&mut pbr.metallic), plain.metallic)
                + mend(one(&mut pbr.roughness), plain.roughness)
                + mend(one(&mut pbr.specular), plain.specular)
                + mend(&mut pbr.specular_color, 1.)
        }
        Shading::Phong(phong) => {
            let plain = Phong::default();
            mend(&mut phong.diffuse, 1.)
                + mend_by(&mut phong.specular, plain.specular)
                + mend_by(&mut phong.ambient, plain.ambient)
                + mend(one(&mut phong.shininess), plain.shininess)
        }
        Shading::Unlit { color } => mend(color, 1.),
    };
    odd += mend(&mut material.emissive, 0.) + mend(one(&mut material.emissive_strength), 1.);
    if let AlphaMode::Mask(threshold) = &mut material.alpha_mode {
        odd += mend(one(threshold), 0.5);
    }
    for Slot { strength, transform, .. } in &mut material.slots {
        odd += mend(one(strength), 1.);
        let is_odd = transform.is_some_and(|t| {
            let all = [t.offset[0], t.offset[1], t.rotation, t.scale[0], t.scale[1]];
            all.iter().any(|v| !v.is_finite())
        });
        if is_odd {
            *transform = None;
            odd += 1;
        }
    }
    odd
}

fn shine(light: &mut Light) -> usize {
    let mut odd = mend(&mut light.color, 0.) + mend(std::slice::from_mut(&mut light.intensity), 0.);
    odd += drop_odd(&mut light.range);
    if let LightKind::Spot { inner, outer } = &mut light.kind {
        let mut angles = [*inner, *outer];
        odd += mend_by(&mut angles, [0., std::f32::consts::FRAC_PI_4]);
        [*inner, *outer] = angles;
    }
    odd
}

/// Times are another step's business.
fn keys(channel: &mut Channel) -> usize {
    let mut odd = 0;
    if let Interpolation::Bezier { first, second } = &channel.interpolation
        && first.iter().chain(second).any(|v| !v.is_finite())
    {
        channel.interpolation = Interpolation::Linear;
        odd += 1;
    }
    let (width, cubic) = (channel.width().max(1), channel.interpolation == Interpolation::Cubic);
    for (i, row) in channel.values.chunks_mut(width).enumerate() {
        let tangent = cubic && i % 3 != 1;
        odd += match (&channel.track, <&mut [f32; 4]>::try_from(&mut *row)) {
            _ if tangent => mend(row, 0.),
            (Track::Rotation, Ok(turn)) => mend_whole(turn, UNTURNED),
            (Track::Scale, _) => mend(row, 1.),
            _ => mend(row, 0.),
        }
        .min(1);
    }
    odd
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::fit;
    use crate::fit::hierarchy::tests::flat;
    use crate::{Capabilities, Hold, Node, Numbers, Origin};

    fn odd() -> Scene {
        let mut scene = Scene::new();
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        let transform =
            Transform::Trs { translation: [nan, 1., 2.], rotation: [inf, 0., 0., 1.], scale: [2., inf, 2.] };
        let node = scene.add_root(Node { name: "post".into(), transform, ..Node::default() });
        let shading = Shading::Pbr(Pbr { base_color: [0.5, nan, 0., 1.], ..Pbr::default() });
        scene.materials.add(Material { name: "paint".into(), shading, emissive: [inf, 0., 0.], ..Material::default() });
        let channel = |track, values: &[f32], interpolation| Channel {
            node: Some(node),
            track,
            times: vec![0., 1.],
            values: values.to_vec(),
            interpolation,
            relative: false,
        };
        let turn = channel(Track::Rotation, &[0., 0., 1., 0., 0., nan, 0., 1.], Interpolation::Linear);
        let size = channel(Track::Scale, &[2., 2., inf, 3., 3., 3.], Interpolation::Step);
        let mut way = [[0.; 3], [1.; 3], [0.; 3], [0.; 3], [2.; 3], [0.; 3]];
        (way[0][1], way[4][2]) = (nan, nan);
        let way = channel(Track::Translation, way.as_flattened(), Interpolation::Cubic);
        scene.animations.add(Animation {
            name: "sway".into(),
            channels: vec![turn, size, way],
            ..Animation::default()
        });
        let mut bind = IDENTITY;
        bind[12] = inf;
        scene.skins.add(Skin { inverse_bind: vec![IDENTITY, bind], joints: vec![node, node], ..Skin::default() });
        scene
    }

    fn fitted(scene: &Scene, numbers: Numbers) -> (Scene, Vec<String>) {
        let can = Capabilities { numbers, hierarchy: Hold::Yes, materials: Hold::Yes, ..flat(Hold::Yes, Hold::Yes) };
        let mut losses = Losses::default();
        let fitted = fit(scene, &can, "target", "Target", &mut losses);
        let told = losses.iter().filter(|loss| loss.code == "LOSS-021").map(ToString::to_string).collect();
        (fitted, told)
    }

    #[test]
    fn every_number_is_finite_then_and_every_object_is_named() {
        let (fitted, told) = fitted(&odd(), Numbers::Checked);
        let expected = [
            r#"LOSS-021 node "post": transform"#,
            r#"LOSS-021 skin 0: inverse bind matrices"#,
            r#"LOSS-021 material "paint": factors (x2)"#,
            r#"LOSS-021 animation "sway": keys of a rotation track"#,
            r#"LOSS-021 animation "sway": keys of a scale track"#,
            r#"LOSS-021 animation "sway": keys of a translation track (x2)"#,
        ];
        assert_eq!(told, expected);
        let node = &fitted.nodes[crate::Id::new(0)];
        let stands = Transform::Trs { translation: [0., 1., 2.], rotation: UNTURNED, scale: [2., 1., 2.] };
        assert_eq!(node.transform, stands);
        let material = &fitted.materials[crate::Id::new(0)];
        assert_eq!((material.color(), material.emissive), ([0.5, 1., 0., 1.], [0.; 3]));
        let channels = &fitted.animations[crate::Id::new(0)].channels;
        assert_eq!(channels[0].values, [0., 0., 1., 0., 0., 0., 0., 1.]);
        assert_eq!(channels[1].values, [2., 2., 1., 3., 3., 3.]);
        assert_eq!((channels[2].values[1], &channels[2].values[12..15]), (0., &[2., 2., 0.][..]));
        assert_eq!(fitted.skins[crate::Id::new(0)].inverse_bind[1], IDENTITY);
    }

    #[test]
    fn what_a_file_of_the_target_itself_says_stays() {
        let mut scene = odd();
        assert_eq!(fitted(&scene, Numbers::Any).1, [""; 0]);
        scene.origin = Some(Origin { format: "target".into(), dialect: "spec".into() });
        let (own, told) = fitted(&scene, Numbers::Checked);
        assert_eq!(told, [""; 0]);
        assert_eq!(own.nodes[crate::Id::new(0)].transform, scene.nodes[crate::Id::new(0)].transform);
    }
}
