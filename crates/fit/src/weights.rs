//! Joints and weights of the meshes that a skin bends, for targets that demand a whole of them.

use findings::{Losses, Subject};
use ops::{Influences, skin_sets};
use scene::loss::*;
use scene::{Numbers, Primitive, Scene, Semantic};

use super::Target;

/// Joints that a 16-bit number can name.
const MOST_JOINTS: usize = 1 << 16;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let numbers = target.numbers(scene);
    if numbers == Numbers::Checked {
        super::each_primitive(scene, |primitive, place| leave_out_lone_sets(primitive, target, place, losses));
    }
    if numbers != Numbers::Valid || target.can.skins.is_lost() {
        return;
    }
    let joints = joints_of_meshes(scene);
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let Some(joints) = joints[index] else { continue };
        let label = mesh.subject(index);
        let single = mesh.primitives.len() == 1;
        for (part, primitive) in mesh.primitives.iter_mut().enumerate() {
            let place = if single { label.clone() } else { label.part(part) };
            mend(primitive, joints, target, &place, losses);
        }
    }
}

/// How many joints there are for each mesh that a skin bends: as many as the smallest of its skins has.
fn joints_of_meshes(scene: &Scene) -> Vec<Option<usize>> {
    let mut joints: Vec<Option<usize>> = vec![None; scene.meshes.len()];
    for node in scene.nodes.iter() {
        let skin = node.skin.and_then(|id| scene.skins.get(id)).filter(|skin| !skin.joints.is_empty());
        let (Some(skin), Some(id)) = (skin, node.mesh) else { continue };
        let lods = scene.meshes.get(id).into_iter().flat_map(|mesh| &mesh.lods).map(|lod| lod.mesh);
        for id in lods.chain([id]) {
            if let Some(known) = joints.get_mut(id.index()) {
                let count = skin.joints.len().min(MOST_JOINTS);
                *known = Some(known.map_or(count, |known| known.min(count)));
            }
        }
    }
    joints
}

fn mend(primitive: &mut Primitive, joints: usize, target: &Target, place: &Subject, losses: &mut Losses) {
    leave_out_lone_sets(primitive, target, place, losses);
    let sets = skin_sets(primitive);
    if sets.is_empty() {
        return;
    }
    let mut influences = Influences::of(primitive, &sets);
    let changes = influences.normalize(joints);
    for (count, size, what) in [
        (changes.unbound, 1., "vertices without weights bound to the first joint"),
        (changes.wild, changes.most_left_out, "weights of joints that are not there left out"),
        (changes.negative, changes.most_left_out, "weights below zero left out"),
        (changes.rescaled, changes.most, "weights made to sum to 1"),
    ] {
        if count > 0 {
            let why = format!("{} demands weights that sum to 1", target.name);
            losses.add_measured(&LOSS_050, size, place, count, what, why);
        }
    }
    if changes.any() || !influences.regular {
        influences.put(primitive);
    }
}

/// Joints without weights, and weights without joints, say nothing.
fn leave_out_lone_sets(primitive: &mut Primitive, target: &Target, place: &Subject, losses: &mut Losses) {
    let sets = skin_sets(primitive);
    let is_lone = |semantic: &Semantic| match semantic {
        Semantic::Joints(set) | Semantic::Weights(set) => !sets.contains(set),
        _ => false,
    };
    primitive.attributes.retain(|attribute| {
        let lone = is_lone(&attribute.semantic);
        if lone {
            let why = format!("{} demands joints and weights in pairs", target.name);
            losses.add(&LOSS_017, place, 1, &attribute.semantic, why);
        }
        !lone
    });
}
