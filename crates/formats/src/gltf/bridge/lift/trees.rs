//! Nodes that stand in two places.

use findings::Place;

use crate::gltf::schema::Root;

/// Calls `report` for every link that contradicts strict trees; what reads on leaves those links out.
pub(in crate::gltf) fn second_places(root: &Root, mut report: impl FnMut(Place, String)) {
    let nodes = &root.nodes;
    let mut parent: Vec<Option<usize>> = vec![None; nodes.len()];
    // The topmost known ancestor of each node, with shortcuts laid on the way.
    let mut top: Vec<usize> = (0..nodes.len()).collect();
    for (i, node) in nodes.iter().enumerate() {
        for (k, &child) in node.children.iter().enumerate().filter(|(_, child)| **child < nodes.len()) {
            let place = || Place::path("nodes").nth(i).field("children").nth(k);
            if let Some(other) = parent[child] {
                report(place(), format!("node {child} is a child of node {other} already"));
            } else if topmost(&mut top, i) == child {
                report(place(), format!("node {child} is its own ancestor"));
            } else {
                parent[child] = Some(i);
                top[child] = topmost(&mut top, i);
            }
        }
    }
    let mut listed = vec![usize::MAX; nodes.len()];
    for (i, scene) in root.scenes.iter().enumerate() {
        for (k, &node) in scene.nodes.iter().enumerate().filter(|(_, node)| **node < nodes.len()) {
            let place = || Place::path("scenes").nth(i).field("nodes").nth(k);
            if let Some(above) = parent[node] {
                report(place(), format!("node {node} is a child of node {above}"));
            } else if std::mem::replace(&mut listed[node], i) == i {
                report(place(), format!("node {node} is a root of this scene already"));
            }
        }
    }
}

/// The topmost ancestor of a node.
fn topmost(top: &mut [usize], mut node: usize) -> usize {
    while top[node] != node {
        top[node] = top[top[node]];
        node = top[node];
    }
    node
}
