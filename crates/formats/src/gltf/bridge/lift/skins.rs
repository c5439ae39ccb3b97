//! Skins.

use findings::{Place, Result};
use scene::{Id, Node, Skin};

use super::{Input, accessors};
use crate::gltf::rules::GLTF_022;
use crate::gltf::schema;

const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

pub(super) fn lift(input: &mut Input<'_, '_, '_>) -> Result<()> {
    for (index, skin) in input.root.skins.iter().enumerate() {
        let lifted = lift_skin(input, skin, &format!("skins[{index}]"))?;
        input.scene.skins.add(lifted);
    }
    // Without its joints a skin would pull every vertex to nowhere.
    let empty: Vec<bool> = input.scene.skins.iter().map(|skin| skin.joints.is_empty()).collect();
    for node in input.scene.nodes.iter_mut() {
        node.skin = node.skin.filter(|skin| !empty[skin.index()]);
    }
    Ok(())
}

fn lift_skin(input: &mut Input<'_, '_, '_>, skin: &schema::Skin, path: &str) -> Result<Skin> {
    let mut carried = input.carried(skin.extras.as_ref());
    let name = carried.name(skin.name.as_deref());
    let nodes = std::mem::take(&mut input.made.nodes);
    let each = |(i, joint): (usize, &usize)| {
        let joint = input.made.joints.get(joint).copied().unwrap_or(*joint);
        input.refer(&nodes, joint, &format!("{path}.joints[{i}]"))
    };
    let joints: Vec<Option<Id<Node>>> = skin.joints.iter().enumerate().map(each).collect();
    let root = skin.skeleton.and_then(|node| input.refer(&nodes, node, &format!("{path}.skeleton")));
    input.made.nodes = nodes;
    let joints: Vec<Id<Node>> = joints.into_iter().collect::<Option<_>>().unwrap_or_default();
    let mut inverse_bind = Vec::new();
    if let Some(accessor) = skin.inverse_bind_matrices.filter(|_| !joints.is_empty()) {
        let path = format!("{path}.inverseBindMatrices");
        let numbers = accessors::floats(input, accessor, 16..=16, &path)?.unwrap_or_default();
        inverse_bind = numbers.as_chunks::<16>().0.to_vec();
        if inverse_bind.len() < joints.len() {
            let message = format!("there are {} matrices for {} joints", inverse_bind.len(), joints.len());
            input.find(&GLTF_022, Place::path(path), message);
        }
        inverse_bind.resize(joints.len(), IDENTITY);
    }
    let extras = carried.finish(input, path, &skin.extensions, &[]);
    Ok(Skin { name, joints, inverse_bind, root, extras })
}
