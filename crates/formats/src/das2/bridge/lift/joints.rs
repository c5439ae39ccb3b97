//! Skeletons: a skin for every node that binds one, and its joints as nodes below that node.

use std::collections::{HashMap, HashSet};

use findings::Result;
use scene::loss::LOSS_002;
use scene::{Forest, Id, Node, Skin, Value};

use super::super::super::form::Kind;
use super::super::super::layout::NONE;
use super::super::{columns, name};
use super::{Lift, NOT_A_TREE, nodes};

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
            Some(bound) => bound.push(lift.seats[i]),
            None => {
                let broken = usize::from(node.skeleton_id != NONE);
                lift.broken(&format!("{}[{i}]", Kind::NODE.list()), broken, "link to a skeleton");
            }
        }
    }
    let mut reached = vec![false; trees.children.len()];
    // What a writer would number them.
    let mut next = 0;
    for (i, nodes) in bound.into_iter().enumerate() {
        let nodes = if nodes.is_empty() { vec![nodes::add_unplaced(&mut lift.scene, Node::default())] } else { nodes };
        let first = next;
        for node in nodes {
            next = first;
            skeleton(lift, &trees, i, node, &mut reached, &mut next)?;
        }
    }
    let rest: Vec<usize> = (0..reached.len()).filter(|i| !reached[*i] && trees.parents[*i].is_none()).collect();
    if !rest.is_empty() {
        let node = nodes::add_unplaced(&mut lift.scene, Node::default());
        let all = below(&trees, &rest);
        lift.scene.nodes[node].extras.set("das2.joints", Value::Bool(true));
        add(lift, &trees, &all, node, &mut next)?;
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

fn skeleton(
    lift: &mut Lift<'_, '_, '_>,
    trees: &Trees,
    i: usize,
    node: Id<Node>,
    reached: &mut [bool],
    next: &mut usize,
) -> Result<()> {
    let stored = lift.parts.skeletons[i];
    let place = format!("{}[{i}]", Kind::SKELETON.list());
    let list: Vec<usize> = stored.joints.iter().map(|id| id as usize).filter(|id| *id < reached.len()).collect();
    lift.broken(&place, stored.joints.len() - list.len(), "links to joints");
    let mut tops = Vec::new();
    let mut met = HashSet::new();
    for &joint in &list {
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
    let made = add(lift, trees, &all, node, next)?;
    let root = made.get(&(stored.parent as usize)).copied();
    lift.broken(&place, usize::from(root.is_none() && stored.parent != NONE), "link to the root joint");
    let mut skin = Skin {
        name: name(&stored.name),
        joints: list.iter().map(|joint| made[joint]).collect(),
        inverse_bind: list.iter().map(|joint| columns(&lift.parts.joints[*joint].inverse_bind_pos)).collect(),
        root,
        ..Skin::default()
    };
    skin.extras.set("das2.skeleton", i as i64);
    let skin = lift.scene.skins.add(skin);
    if list.is_empty() {
        // Nothing would hold the vertices.
        lift.cx.lose(&LOSS_002, &place, 1, "skeleton without joints", "it moves nothing");
    } else {
        lift.scene.nodes[node].skin = Some(skin);
    }
    Ok(())
}

/// Adds a node for each of these joints below `node`, and answers which; `next` is what a writer would number the first.
fn add(
    lift: &mut Lift<'_, '_, '_>,
    trees: &Trees,
    all: &[usize],
    node: Id<Node>,
    next: &mut usize,
) -> Result<HashMap<usize, Id<Node>>> {
    lift.take(all.len())?;
    let mut made = HashMap::with_capacity(all.len());
    for &joint in all {
        let stored = lift.parts.joints[joint];
        let mut lifted = Node { name: name(&stored.name), ..Node::default() };
        lifted.transform = nodes::trs(stored.translation, stored.rotation, stored.scale, &mut lifted);
        if joint != *next {
            lifted.extras.set("das2.joint", joint as i64);
        }
        *next += 1;
        let id = lift.scene.nodes.add(lifted);
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
