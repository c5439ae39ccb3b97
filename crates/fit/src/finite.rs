//! Numbers that are infinite or none, of everything but vertices: a target that demands finite ones gets those that change
//! nothing.

use findings::{Losses, Subject};
use ops::finite;
use scene::Scene;
use scene::loss::*;

use super::Target;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    if !target.demands_finite(scene) {
        return;
    }
    let why = format!("{} demands finite numbers", target.name);
    let mut lose = |subject: Subject, what: &str, count: usize| {
        if count > 0 {
            losses.add(&LOSS_021, subject, count as u64, what, why.clone());
        }
    };
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        let placements = node.instances.iter_mut().flat_map(|instances| &mut instances.placements);
        let placed = placements.map(|placement| finite::transform(&mut placement.transform)).sum();
        lose(node.subject(index), "transform", finite::transform(&mut node.transform));
        lose(node.subject(index), "transforms of instances", placed);
        lose(node.subject(index), "weights of morph targets", finite::mend(&mut node.weights, 0.));
    }
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let count = finite::morph_weights(mesh);
        lose(mesh.subject(index), "weights of morph targets", count);
    }
    for (index, skin) in scene.skins.iter_mut().enumerate() {
        let count = finite::inverse_binds(skin);
        lose(skin.subject(index), "inverse bind matrices", count);
    }
    for (index, material) in scene.materials.iter_mut().enumerate().filter(|_| !target.can.materials.is_lost()) {
        let count = finite::material(material);
        lose(material.subject(index), "factors", count);
    }
    for (index, light) in scene.lights.iter_mut().enumerate() {
        let count = finite::light(light);
        lose(light.subject(index), "colour, strength or angles", count);
    }
    for (index, voxels) in scene.voxels.iter_mut().enumerate() {
        let count = voxels.voxels.iter_mut().map(|voxel| finite::mend(&mut voxel.position, 0.)).sum();
        lose(voxels.subject(index), "places of cubes", count);
    }
    for (index, animation) in scene.animations.iter_mut().enumerate() {
        let subject = animation.subject(index);
        lose(subject.clone(), "frame rate", finite::drop_odd(&mut animation.frame_rate));
        for channel in &mut animation.channels {
            let what = format!("keys of a {} track", channel.track.word());
            lose(subject.clone(), &what, finite::channel(channel));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::tests::{fit, flat};
    use scene::{
        Animation, Capabilities, Channel, Hold, Interpolation, Material, Node, Numbers, Origin, Pbr, Shading, Skin,
        Track, Transform,
    };

    const UNTURNED: [f32; 4] = [0., 0., 0., 1.];
    const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

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
        let fitted = fit(scene, &can, &mut losses);
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
        let node = &fitted.nodes[scene::Id::new(0)];
        let stands = Transform::Trs { translation: [0., 1., 2.], rotation: UNTURNED, scale: [2., 1., 2.] };
        assert_eq!(node.transform, stands);
        let material = &fitted.materials[scene::Id::new(0)];
        assert_eq!((material.color(), material.emissive), ([0.5, 1., 0., 1.], [0.; 3]));
        let channels = &fitted.animations[scene::Id::new(0)].channels;
        assert_eq!(channels[0].values, [0., 0., 1., 0., 0., 0., 0., 1.]);
        assert_eq!(channels[1].values, [2., 2., 1., 3., 3., 3.]);
        assert_eq!((channels[2].values[1], &channels[2].values[12..15]), (0., &[2., 2., 0.][..]));
        assert_eq!(fitted.skins[scene::Id::new(0)].inverse_bind[1], IDENTITY);
    }

    #[test]
    fn what_a_file_of_the_target_itself_says_stays() {
        let mut scene = odd();
        assert_eq!(fitted(&scene, Numbers::Any).1, [""; 0]);
        scene.origin = Some(Origin { format: "target".into(), dialect: "spec".into() });
        let (own, told) = fitted(&scene, Numbers::Checked);
        assert_eq!(told, [""; 0]);
        assert_eq!(own.nodes[scene::Id::new(0)].transform, scene.nodes[scene::Id::new(0)].transform);
    }
}
