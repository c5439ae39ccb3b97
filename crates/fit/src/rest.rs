//! Meshes as they stand at rest, for targets without skins or morph targets.

use findings::Losses;
use ops::{BakePose, bake_pose};
use scene::Scene;
use scene::loss::*;

use super::Target;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let skins = target.can.skins.is_lost() && !scene.skins.is_empty();
    for (index, skin) in scene.skins.iter().enumerate().filter(|_| skins) {
        losses.add(&LOSS_002, skin.subject(index), 1, "skin", target.why_still("skins"));
    }
    let mut morphs = false;
    for (index, mesh) in scene.meshes.iter().enumerate().filter(|_| target.can.morph_targets.is_lost()) {
        let count = mesh.primitives.iter().map(|part| part.targets.len()).max().unwrap_or(0).max(mesh.morphs.len());
        if count > 0 {
            morphs = true;
            let place = mesh.subject(index);
            losses.add(&LOSS_003, place, count as u64, "morph targets", target.why_still("morph targets"));
        }
    }
    if skins || morphs {
        bake_pose(scene, &BakePose { skins, morphs });
    }
    if skins {
        ops::drop_skins(scene);
    }
    if target.can.morph_targets.is_lost() {
        ops::drop_morph_targets(scene);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::tests::{fit, flat};
    use glam::DMat4;
    use scene::{
        Attribute, Hold, Mesh, MorphRange, MorphTarget, Node, Primitive, Semantic, Skin, Stream, Topology, Transform,
    };

    /// A point at (0, 2, 0) that hangs on a joint, which is bound at (0, 1, 0).
    fn hanging(joint: Transform, own: Transform) -> Scene {
        let mut scene = Scene::new();
        let primitive = Primitive::new(Topology::Points)
            .with(Semantic::Position, Stream::from_f32(3, vec![0., 2., 0.]))
            .with(Semantic::Normal, Stream::from_f32(3, vec![0., 1., 0.]))
            .with(Semantic::Joints(0), Stream::from_u32(1, vec![0]))
            .with(Semantic::Weights(0), Stream::from_f32(1, vec![1.]));
        let mesh = Some(scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() }));
        let joint = scene.add_root(Node { transform: joint, ..Node::default() });
        let mut inverse_bind = vec![DMat4::IDENTITY.to_cols_array().map(|v| v as f32)];
        inverse_bind[0][13] = -1.;
        let skin = Some(scene.skins.add(Skin { joints: vec![joint], inverse_bind, ..Skin::default() }));
        scene.add_root(Node { mesh, skin, transform: own, ..Node::default() });
        scene
    }

    fn moved(translation: [f32; 3], rotation: [f32; 4], scale: [f32; 3]) -> Transform {
        Transform::Trs { translation, rotation, scale }
    }

    /// What a target without skins, morph targets and transforms shows.
    fn shown(scene: &Scene, semantic: &Semantic) -> Vec<Vec<f32>> {
        let can = flat(Hold::No, Hold::No);
        let fitted = fit(scene, &can, &mut Losses::default());
        let nodes = fitted.nodes.iter().filter_map(|node| node.mesh);
        nodes.map(|mesh| fitted.meshes[mesh].primitives[0].get(semantic).unwrap().to_f32()).collect()
    }

    const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

    #[test]
    fn what_a_skin_bends_stands_where_its_joints_have_it() {
        // A quarter turn about z at (0, 1, 0): one above the joint becomes one to the left of it.
        let turned = moved([0., 1., 0.], [0., 0., HALF, HALF], [1.; 3]);
        // The node's own place means nothing, even if it has no size.
        for own in [
            Transform::default(),
            moved([5., 0., 0.], [0., 0., 0., 1.], [2.; 3]),
            moved([0.; 3], [0., 0., 0., 1.], [0.; 3]),
        ] {
            let scene = hanging(turned, own);
            let [at] = &shown(&scene, &Semantic::Position)[..] else { panic!("one point") };
            assert!(at.iter().zip([-1., 1., 0.]).all(|(a, b)| (a - b).abs() < 1e-6), "{own:?}: {at:?}");
            let [normal] = &shown(&scene, &Semantic::Normal)[..] else { panic!("one point") };
            assert!(normal.iter().zip([-1., 0., 0.]).all(|(a, b)| (a - b).abs() < 1e-6), "{own:?}: {normal:?}");
        }
    }

    #[test]
    fn what_hangs_hidden_stays_hidden_where_its_joints_have_it() {
        let turned = moved([0., 1., 0.], [0., 0., HALF, HALF], [1.; 3]);
        let mut scene = hanging(turned, moved([0.; 3], [0., 0., 0., 1.], [0.; 3]));
        let skinned = scene.scenes[0].nodes.pop().unwrap();
        scene.add_root(Node { children: vec![skinned], visible: false, ..Node::default() });
        let can = scene::Capabilities { visibility: Hold::Yes, ..flat(Hold::Yes, Hold::No) };
        let fitted = fit(&scene, &can, &mut Losses::default());
        assert!(fitted.nodes.iter().filter(|node| node.mesh.is_some()).all(|node| !node.visible));
    }

    #[test]
    fn what_is_bound_where_it_rests_is_left_as_it_is_stored() {
        let scene = hanging(moved([0., 1., 0.], [0., 0., 0., 1.], [1.; 3]), Transform::default());
        assert_eq!(shown(&scene, &Semantic::Position), [[0., 2., 0.]]);
    }

    #[test]
    fn default_weights_are_in_force() {
        let mut scene = Scene::new();
        let delta = Attribute { semantic: Semantic::Position, stream: Stream::from_f32(3, vec![0., 0., 0.5]) };
        let mut primitive =
            Primitive::new(Topology::Points).with(Semantic::Position, Stream::from_f32(3, vec![1., 0., 0.]));
        primitive.targets.push(MorphTarget { attributes: vec![delta] });
        let morphs = vec![MorphRange { name: "a".into(), default: 0.5, min: 0., max: 1. }];
        let mesh = Some(scene.meshes.add(Mesh { primitives: vec![primitive], morphs, ..Mesh::default() }));
        scene.add_root(Node { mesh, ..Node::default() });
        scene.add_root(Node { mesh, weights: vec![-1.], ..Node::default() });
        assert_eq!(shown(&scene, &Semantic::Position), [[1., 0., 0.25], [1., 0., -0.5]]);
    }
}
