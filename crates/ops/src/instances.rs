//! Instances of a mesh as nodes.

use std::collections::HashMap;

use scene::extras::COPY;
use scene::{Channel, Id, Node, Placement, Scene, Track};

/// Gives every instance that the `wanted` nodes show a node below them, whose weights are theirs and move alike.
/// Answers which nodes had how many.
pub fn expand_instances(scene: &mut Scene, wanted: impl Fn(Id<Node>, &Node) -> bool) -> Vec<(Id<Node>, u64)> {
    let mut expanded: Vec<(Id<Node>, u64)> = Vec::new();
    for id in scene.nodes.ids() {
        if wanted(id, &scene.nodes[id]) {
            expanded.push((id, expand(scene, id)));
        }
    }
    let counts: HashMap<Id<Node>, u64> = expanded.iter().copied().collect();
    for animation in scene.animations.iter_mut() {
        let mut more = Vec::new();
        for channel in animation.channels.iter_mut().filter(|channel| channel.track == Track::Weights) {
            let Some((node, &count)) = channel.node.and_then(|node| counts.get_key_value(&node)) else { continue };
            let children = &scene.nodes[*node].children;
            let [first, others @ ..] = &children[children.len() - count as usize..] else { continue };
            channel.node = Some(*first);
            more.extend(others.iter().map(|copy| Channel { node: Some(*copy), ..channel.clone() }));
        }
        animation.channels.extend(more);
    }
    expanded
}

/// Makes the instances of one node its last children; answers how many there are.
fn expand(scene: &mut Scene, id: Id<Node>) -> u64 {
    let node = &mut scene.nodes[id];
    let (mesh, instances) = (node.mesh.take(), node.instances.take().unwrap_or_default());
    let mut copy =
        Node { name: node.name.clone(), weights: std::mem::take(&mut node.weights), mesh, ..Node::default() };
    copy.extras.set(COPY, 1);
    let material = node.material.take();
    let count = instances.placements.len() as u64;
    for Placement { transform, material: own } in instances.placements {
        let copy = scene.nodes.add(Node { transform, material: own.or(material), ..copy.clone() });
        scene.nodes[id].children.push(copy);
    }
    count
}
