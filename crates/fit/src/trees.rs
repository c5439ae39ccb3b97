//! Trees: every target has a node in one place.

use findings::Losses;
use scene::loss::*;
use scene::{Forest, Id, Node, Scene};

use super::Target;

/// Leaves out links that make a node stand in two places, and says so.
pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let why = || format!("in {} a node has one parent and is not its own ancestor", target.name);
    let forest = Forest::of(scene);
    for (index, node) in scene.nodes.iter_mut().enumerate().filter(|(index, _)| forest.cut[*index] > 0) {
        let place = node.subject(index);
        losses.add(&LOSS_008, place, forest.cut[index] as u64, "link to a child", why());
        node.children = forest.children[index].iter().map(|&child| Id::new(child)).collect();
    }
    let is_top = |node: &Id<Node>| forest.parent(*node).is_none();
    // By node, the last scene that shows it, and the last that lists it.
    let (mut shown, mut listed) = (vec![None; scene.nodes.len()], vec![None; scene.nodes.len()]);
    for (index, root) in scene.scenes.iter_mut().enumerate() {
        let here = Some(index);
        for top in root.nodes.iter().filter(|node| is_top(node)).map(|top| top.index()) {
            if shown.get(top).is_some_and(|shown| *shown != here) {
                forest.tree(top).into_iter().for_each(|node| shown[node] = here);
            }
        }
        let before = root.nodes.len();
        // What stands below nothing that this scene shows is a root all the same.
        let stands = |node: &Id<Node>| is_top(node) || shown.get(node.index()).is_none_or(|shown| *shown != here);
        root.nodes.retain(|node| {
            let again = listed.get_mut(node.index()).is_some_and(|listed| std::mem::replace(listed, here) == here);
            stands(node) && !again
        });
        let lost = (before - root.nodes.len()) as u64;
        if lost > 0 {
            losses.add(&LOSS_008, root.subject(index), lost, "root that has a parent", why());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::tests::{fit, flat};
    use scene::{Capabilities, Hold};

    #[test]
    fn second_places_are_left_out_and_listed() {
        let mut scene = Scene::new();
        let ids: Vec<Id<Node>> = (0..3).map(|_| scene.nodes.add(Node::default())).collect();
        // Node 2 has two parents, node 1 is its own ancestor, and roots are named twice or have a parent.
        scene.nodes[ids[0]].children = vec![ids[1], ids[2]];
        scene.nodes[ids[1]].children = vec![ids[2], ids[0]];
        scene.scenes[0].nodes = vec![ids[2], ids[0], ids[0]];
        let can = Capabilities { hierarchy: Hold::Yes, ..flat(Hold::Yes, Hold::Yes) };
        let mut losses = Losses::default();
        let fitted = fit(&scene, &can, &mut losses);
        assert_eq!(fitted.scenes[0].nodes, [ids[0]]);
        let children: Vec<_> = fitted.nodes.iter().map(|node| node.children.clone()).collect();
        assert_eq!(children, [vec![ids[1], ids[2]], vec![], vec![]]);
        let told: Vec<String> = losses.iter().map(ToString::to_string).collect();
        let expected = ["LOSS-008 node 1: link to a child (x2)", "LOSS-008 scene 0: root that has a parent (x2)"];
        assert_eq!(told, expected);
    }
}
