//! Skeletons: a skin for every node that binds one, and its joints as nodes below that node.

use std::collections::{HashMap, HashSet};

use findings::Result;
use scene::loss::LOSS_002;
use scene::{Forest, Id, Node, Skin};

use super::super::super::form::Kind;
use super::super::super::layout::NONE;
use super::super::{SKELETON, columns, name};
use super::{Lift, NOT_A_TREE, nodes};

/// The nodes that joints became.
type Made = HashMap<usize, Id<Node>>;

/// The joints of the file as trees.
struct Trees {
    children: Vec<Vec<usize>>,
    parents: Vec<Option<usize>>,
}

pub(super) fn lift(lift: &mut Lift<'_, '_, '_>) -> Result<()> {
    let trees = trees(lift);
    let mut bound: Vec<Vec<Id<Node>>> = vec![Vec::new(); lift.parts.skeletons.len()];
    for (i, node) in lift.parts.nodes.iter().enumerate() {
        match bound.get_mut(node.skeleton_id as usize) {
            Some(bound) => bound.push(lift.holders[i]),
            None => {
                let broken = usize::from(node.skeleton_id != NONE);
                lift.broken(&format!("{}[{i}]", Kind::NODE.list()), broken, "link to a skeleton");
            }
        }
    }
    let mut reached = vec![false; trees.children.len()];
    for (i, nodes) in bound.into_iter().enumerate() {
        let stored = lift.parts.skeletons[i];
        let place = format!("{}[{i}]", Kind::SKELETON.list());
        let joints: Vec<usize> = stored.joints.iter().map(|id| id as usize).filter(|id| *id < reached.len()).collect();
        lift.broken(&place, stored.joints.len() - joints.len(), "links to joints");
        if joints.is_empty() {
            // Nothing would hold the vertices.
            lift.cx.lose(&LOSS_002, &place, 1, "skeleton without joints", "it moves nothing");
            continue;
        }
        let nodes = if nodes.is_empty() { vec![nodes::add_unplaced(&mut lift.scene, Node::default())] } else { nodes };
        for node in nodes {
            let made = skin(lift, &trees, &joints, node, &mut reached)?;
            let root = made.1.get(&(stored.parent as usize)).copied();
            lift.broken(&place, usize::from(root.is_none() && stored.parent != NONE), "link to the root joint");
            let skin = &mut lift.scene.skins[made.0];
            (skin.name, skin.root) = (name(&stored.name), root);
            SKELETON.set(&mut skin.extras, i as i64);
        }
    }
    // What no skeleton names is one of its own.
    let rest: Vec<usize> = (0..reached.len()).filter(|i| !reached[*i] && trees.parents[*i].is_none()).collect();
    if !rest.is_empty() {
        let node = nodes::add_unplaced(&mut lift.scene, Node::default());
        skin(lift, &trees, &below(&trees, &rest), node, &mut reached)?;
    }
    Ok(())
}

fn trees(lift: &mut Lift<'_, '_, '_>) -> Trees {
    let links = lift.parts.joints.iter().map(|joint| joint.children.iter().map(|child| child as usize));
    let Forest { parents, children, cut } = Forest::from_links(links);
    for (i, cut) in cut.into_iter().enumerate() {
        lift.cut(&format!("{}[{i}]", Kind::SKELETON_JOINT.list()), cut, "links to children", NOT_A_TREE);
    }
    Trees { children, parents }
}

/// Joints and everything below them, each before what is below it.
fn below(trees: &Trees, tops: &[usize]) -> Vec<usize> {
    let mut open: Vec<usize> = tops.iter().rev().copied().collect();
    let mut all = Vec::new();
    while let Some(joint) = open.pop() {
        all.push(joint);
        open.extend(trees.children[joint].iter().rev());
    }
    all
}

/// Adds a skin of these joints below `node`, and answers it and the nodes that became of them and those around them.
fn skin(
    lift: &mut Lift<'_, '_, '_>,
    trees: &Trees,
    list: &[usize],
    node: Id<Node>,
    reached: &mut [bool],
) -> Result<(Id<Skin>, Made)> {
    let mut tops = Vec::new();
    let mut met = HashSet::new();
    for &joint in list {
        let mut top = joint;
        while let Some(above) = trees.parents[top].filter(|_| !met.contains(&top)) {
            met.insert(top);
            top = above;
        }
        if met.insert(top) {
            tops.push(top);
        }
    }
    // Those of the list first, in its order: so they are numbered.
    let tree = below(trees, &tops);
    let mut all = Vec::with_capacity(tree.len());
    let mut taken = HashSet::new();
    for joint in list.iter().chain(&tree) {
        reached[*joint] = true;
        if taken.insert(*joint) {
            all.push(*joint);
        }
    }
    let made = add(lift, trees, &all, node)?;
    let skin = lift.scene.skins.add(Skin {
        joints: list.iter().map(|joint| made[joint]).collect(),
        inverse_bind: list.iter().map(|joint| columns(&lift.parts.joints[*joint].inverse_bind_pos)).collect(),
        ..Skin::default()
    });
    lift.scene.nodes[node].skin = Some(skin);
    Ok((skin, made))
}

/// Adds a node for each of these joints below `node`, and answers which.
fn add(lift: &mut Lift<'_, '_, '_>, trees: &Trees, all: &[usize], node: Id<Node>) -> Result<Made> {
    lift.take(all.len())?;
    let mut made = HashMap::with_capacity(all.len());
    for &joint in all {
        let stored = lift.parts.joints[joint];
        let transform = nodes::trs(stored.translation, stored.rotation, stored.scale);
        let id = lift.scene.nodes.add(Node { name: name(&stored.name), transform, ..Node::default() });
        lift.joints[joint].push(id);
        made.insert(joint, id);
    }
    for &joint in all {
        let id = made[&joint];
        let below = trees.children[joint].iter().filter_map(|child| made.get(child));
        lift.scene.nodes[id].children.extend(below);
        if trees.parents[joint].is_none() {
            lift.scene.nodes[node].children.push(id);
        }
    }
    Ok(made)
}
