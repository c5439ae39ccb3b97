//! Skins become skeletons with joints of their own.

use std::collections::{HashMap, HashSet};

use findings::Subject;
use glam::DMat4;
use scene::loss::*;
use scene::sample::Pose;
use scene::{Channel, Id, Scene, Skin, Transform, undone};
use wire::F32;

use super::super::super::layout::{NONE, Skeleton, SkeletonJoint};
use super::super::{as_numbers, number, rows, string};
use super::plan::{Fate, Plan};
use super::{Lower, arrange};

/// Joints and skeletons of the document, and what nodes and skins of the scene became.
#[derive(Default)]
pub(super) struct Skeletons {
    pub(super) joints: Vec<SkeletonJoint>,
    pub(super) skeletons: Vec<Skeleton>,
    /// By skin.
    pub(super) found: Vec<Option<u32>>,
    /// The joints that a node became.
    pub(super) of_node: HashMap<usize, Vec<u32>>,
    /// Nodes that are copies of others: a skeleton that several nodes bind has joints below each of them.
    copies: HashSet<usize>,
}

impl Skeletons {
    /// Whether the keys of a node are those of another one.
    pub(super) fn is_copy(&self, node: usize) -> bool {
        self.copies.contains(&node)
    }
}

/// A skeleton whose joints have no numbers yet: children are places in its own list.
#[derive(Clone, Debug, PartialEq)]
struct Draft {
    nodes: Vec<usize>,
    joints: Vec<SkeletonJoint>,
    children: Vec<Vec<usize>>,
    listed: Vec<usize>,
    parent: Option<usize>,
}

pub(super) fn lower(lower: &mut Lower<'_, '_, '_>, plan: &Plan) -> Skeletons {
    let scene = lower.scene;
    let mut out = Skeletons::default();
    let bound: HashSet<Id<Skin>> = scene.nodes.iter().filter_map(|node| node.skin).collect();
    let mut drafts: Vec<(u32, usize, Draft)> = Vec::new();
    // By the numbers that skeletons had.
    let mut known: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut numbered: Vec<(usize, (usize, usize))> = Vec::new();
    let mut copied: Vec<(usize, usize)> = Vec::new();
    for (id, skin) in scene.skins.entries() {
        let label = skin.subject(id);
        if !plan.rigs[id.index()].sound {
            lower.cx.lose(&LOSS_002, &label, 1, "skin", "its joints are not there");
            out.found.push(None);
            continue;
        }
        if skin.joints.is_empty() && !lower.own {
            lower.cx.lose(&LOSS_002, &label, 1, "skeleton without joints", "it moves nothing");
            out.found.push(None);
            continue;
        }
        let draft = draft(lower, plan, (id, skin), bound.contains(&id), &label);
        let was = number(&skin.extras, "das2.skeleton").filter(|_| lower.own);
        let mut alike = was.and_then(|was| known.get(&was)).into_iter().flatten().map(|at| &drafts[*at]);
        if let Some((_, skeleton, original)) = alike.find(|(.., other)| is_copy(scene, &draft, other)) {
            out.found.push(u32::try_from(*skeleton).ok());
            copied.extend(draft.nodes.iter().copied().zip(original.nodes.iter().copied()));
            continue;
        }
        let at = drafts.len();
        for (i, node) in draft.nodes.iter().enumerate() {
            let wanted = scene.nodes.get(Id::new(*node)).and_then(|node| number(&node.extras, "das2.joint"));
            numbered.push((wanted.map_or(numbered.len(), |n| n as usize), (at, i)));
        }
        out.found.push(u32::try_from(at).ok());
        let skeleton = Skeleton { name: string(&skin.name), ..Skeleton::new() };
        out.skeletons.push(skeleton);
        known.entry(was.unwrap_or(NONE)).or_default().push(at);
        drafts.push((was.unwrap_or(NONE), at, draft));
    }
    let free = free(lower, plan);
    for (i, node) in free.nodes.iter().enumerate() {
        let wanted = number(&scene.nodes[Id::new(*node)].extras, "das2.joint");
        numbered.push((wanted.map_or(numbered.len(), |n| n as usize), (drafts.len(), i)));
    }
    drafts.push((NONE, usize::MAX, free));
    let keys: Vec<(usize, usize)> = numbered.iter().map(|(_, key)| *key).collect();
    if lower.own {
        share(scene, &mut drafts, &mut numbered, &mut copied);
    }
    let (order, numbers) = arrange(numbered);
    let ids: HashMap<(usize, usize), u32> = keys.into_iter().zip(numbers).collect();
    for (at, i) in order {
        let draft = &drafts[at].2;
        let children = draft.children[i].iter().map(|child| ids[&(at, *child)]).collect::<Vec<u32>>();
        out.joints.push(SkeletonJoint { children: children.into(), ..draft.joints[i].clone() });
    }
    for (at, (_, _, draft)) in drafts.iter().enumerate() {
        let mut met = HashSet::new();
        // A joint that is named again has no keys of its own.
        for (i, node) in draft.nodes.iter().enumerate().filter(|(_, node)| met.insert(**node)) {
            out.of_node.entry(*node).or_default().push(ids[&(at, i)]);
        }
        if let Some(skeleton) = out.skeletons.get_mut(at) {
            skeleton.joints = draft.listed.iter().map(|i| ids[&(at, *i)]).collect::<Vec<u32>>().into();
            skeleton.parent = draft.parent.map_or(NONE, |i| ids[&(at, i)]);
        }
    }
    out.copies = copied.into_iter().filter(|(copy, of)| copy != of).map(|(copy, _)| copy).collect();
    out
}

/// Makes joints of one number one joint, as skeletons of a file may share them, if they are the same and move alike.
fn share(
    scene: &Scene,
    drafts: &mut [(u32, usize, Draft)],
    numbered: &mut [(usize, (usize, usize))],
    copied: &mut Vec<(usize, usize)>,
) {
    let wanted: HashMap<(usize, usize), usize> = numbered.iter().map(|(number, key)| (*key, *number)).collect();
    let mut first: HashMap<usize, (usize, usize)> = HashMap::new();
    let mut movements: Option<HashMap<usize, Vec<(usize, Channel)>>> = None;
    for (number, key) in numbered {
        let known = *first.entry(*number).or_insert(*key);
        if known == *key {
            continue;
        }
        let of = |(at, i): (usize, usize)| {
            let draft: &Draft = &drafts[at].2;
            let mut below: Vec<usize> = draft.children[i].iter().map(|child| wanted[&(at, *child)]).collect();
            below.sort_unstable();
            let listed = draft.listed.contains(&i);
            (draft.nodes[i], draft.joints[i].clone(), below, listed)
        };
        let ((a, mut old, below, listed), (b, new, also_below, also_listed)) = (of(known), of(*key));
        // Only joints of the list say where they are bound.
        if !listed && also_listed {
            old.inverse_bind_pos = new.inverse_bind_pos;
        }
        let bound = SkeletonJoint { inverse_bind_pos: old.inverse_bind_pos, ..new.clone() };
        let same = below == also_below && old == if also_listed { new } else { bound };
        let movements = movements.get_or_insert_with(|| movements_of(scene));
        if same && movements.get(&a) == movements.get(&b) {
            drafts[known.0].2.joints[known.1] = old;
            copied.push((b, a));
            *key = known;
        }
    }
}

/// What moves each node, by animation.
fn movements_of(scene: &Scene) -> HashMap<usize, Vec<(usize, Channel)>> {
    let mut out: HashMap<usize, Vec<(usize, Channel)>> = HashMap::new();
    for (i, animation) in scene.animations.iter().enumerate() {
        for channel in &animation.channels {
            let Some(node) = channel.node else { continue };
            out.entry(node.index()).or_default().push((i, Channel { node: None, ..channel.clone() }));
        }
    }
    out
}

/// The joints of a skin: those of its list in order, then what lies between and below them.
fn draft(
    lower: &mut Lower<'_, '_, '_>,
    plan: &Plan,
    (id, skin): (Id<Skin>, &Skin),
    bound: bool,
    label: &Subject,
) -> Draft {
    let rig = &plan.rigs[id.index()];
    let mut nodes: Vec<usize> = Vec::new();
    let mut at: HashMap<usize, usize> = HashMap::new();
    let mut listed = Vec::with_capacity(skin.joints.len());
    // A joint that is bound otherwise when it is named again is a joint below itself then.
    let mut again = Vec::new();
    let mut binds = Vec::new();
    for (i, joint) in skin.joints.iter().enumerate() {
        let bind = skin.inverse_bind.get(i).copied();
        let position = nodes.len();
        let first = *at.entry(joint.index()).or_insert(position);
        if first != position && binds[first] == bind {
            listed.push(first);
            continue;
        }
        if first != position {
            again.push((position, joint.index()));
        }
        nodes.push(joint.index());
        binds.push(bind);
        listed.push(position);
    }
    let further = rig.between.iter().map(|node| (*node, true)).chain(rig.below.iter().map(|node| (*node, false)));
    for (node, between) in further {
        at.insert(node, nodes.len());
        // The list of a file that was read is kept.
        let is_listed = between && !lower.own;
        if is_listed {
            listed.push(nodes.len());
        }
        nodes.push(node);
        binds.push(is_listed.then(|| bind_like_first(skin, &plan.rest, node)).flatten());
    }
    let mut uneven = Uneven::default();
    let mut joints = Vec::with_capacity(nodes.len());
    for (i, &node) in nodes.iter().enumerate() {
        let repeated = at[&node] != i;
        let mut joint = if repeated { SkeletonJoint::new() } else { joint(lower, node, &mut uneven) };
        if let Some(bind) = binds[i] {
            joint.inverse_bind_pos = rows(&bind);
        }
        joints.push(joint);
    }
    // What no node binds moves nothing, and its joints are nodes as well.
    if lower.own || bound {
        uneven.lose(lower, label, "joints");
    }
    let below = |node: usize| plan.children[node].iter().filter_map(|child| at.get(child).copied());
    let mut children: Vec<Vec<usize>> = nodes.iter().map(|node| below(*node).collect()).collect();
    for (position, node) in again {
        children[position].clear();
        children[at[&node]].push(position);
    }
    let root = skin.root.and_then(|root| at.get(&root.index()).copied()).filter(|root| listed.contains(root));
    let below: HashSet<usize> = children.iter().flatten().copied().collect();
    let tops = || (0..nodes.len()).filter(|i| !below.contains(i));
    let parent = match root {
        None if lower.own => None,
        None => tops().next().filter(|_| tops().count() == 1),
        found => found,
    };
    Draft { nodes, joints, children, listed, parent }
}

/// A matrix for a node that becomes a joint of a skin: no vertex follows it, and at rest it has the shape where the first
/// joint has it, so that whoever asks all joints for its place hears one answer.
fn bind_like_first(skin: &Skin, rest: &Pose, node: usize) -> Option<[f32; 16]> {
    let first = rest.world(*skin.joints.first()?)?;
    let bind = skin.inverse_bind.first().map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m.map(f64::from)));
    let own = undone(&rest.world(Id::new(node))?)? * first * bind;
    own.is_finite().then(|| own.to_cols_array().map(|v| v as f32))
}

/// Joints that no skeleton names.
fn free(lower: &mut Lower<'_, '_, '_>, plan: &Plan) -> Draft {
    let mut draft =
        Draft { nodes: Vec::new(), joints: Vec::new(), children: Vec::new(), listed: Vec::new(), parent: None };
    for (id, node) in lower.scene.nodes.entries() {
        if !super::super::is_marked(&node.extras, "das2.joints") || plan.fates[id.index()] != Fate::Gone {
            continue;
        }
        let mut open: Vec<usize> = plan.children[id.index()].iter().rev().copied().collect();
        while let Some(node) = open.pop() {
            draft.nodes.push(node);
            open.extend(plan.children[node].iter().rev());
        }
    }
    let at: HashMap<usize, usize> = draft.nodes.iter().enumerate().map(|(i, node)| (*node, i)).collect();
    for node in draft.nodes.clone() {
        let made = joint(lower, node, &mut Uneven::default());
        draft.joints.push(made);
        draft.children.push(plan.children[node].iter().filter_map(|child| at.get(child).copied()).collect());
    }
    draft
}

fn joint(lower: &mut Lower<'_, '_, '_>, node: usize, uneven: &mut Uneven) -> SkeletonJoint {
    let Some(node) = lower.scene.nodes.get(Id::new(node)) else { return SkeletonJoint::new() };
    let (nearest, exact) = node.transform.nearest_trs();
    let Transform::Trs { translation, rotation, scale } = nearest else { return SkeletonJoint::new() };
    if !exact {
        uneven.shear(&node.transform, &nearest);
    }
    SkeletonJoint {
        name: string(&node.name),
        translation: translation.map(F32),
        rotation: stored_rotation(node, rotation),
        scale: F32(uneven.even(&scale)),
        ..SkeletonJoint::new()
    }
}

/// The rotation of a node as the file had it: zeros turn nothing.
pub(super) fn stored_rotation(node: &scene::Node, rotation: [f32; 4]) -> [F32; 4] {
    let zeros = as_numbers(node.extras.get("das2.rotation")).filter(|_| rotation == [0., 0., 0., 1.]);
    let zeros: Option<[i64; 4]> = zeros.and_then(|zeros| zeros.try_into().ok());
    match zeros {
        Some(zeros) => zeros.map(|bits| F32(f32::from_bits(u32::try_from(bits).unwrap_or(0)))),
        None => rotation.map(F32),
    }
}

/// Scales that differ along the axes, where das2 has one number.
#[derive(Default)]
pub(super) struct Uneven {
    count: u64,
    most: f64,
    mirrored: u64,
    most_mirrored: f64,
    sheared: u64,
    most_sheared: f64,
}

impl Uneven {
    /// The one number that keeps the size, and which side is out.
    pub(super) fn even(&mut self, scale: &[f32]) -> f32 {
        let &[x, y, z] = scale else { return scale.first().copied().unwrap_or(1.) };
        if x.to_bits() == y.to_bits() && y.to_bits() == z.to_bits() {
            return x;
        }
        let sizes = [x, y, z].map(|v| f64::from(v.abs()));
        let mean = sizes.iter().sum::<f64>() / 3.;
        let off = sizes.iter().fold(0_f64, |most, size| most.max((size - mean).abs()));
        if off > 0. {
            self.count += 1;
            self.most = self.most.max(off / mean);
        }
        let turned_over = [x, y, z].iter().filter(|v| **v < 0.).count();
        if turned_over % 3 != 0 {
            self.mirrored += 1;
            // The axis that points the other way now is off by its size twice.
            self.most_mirrored = self.most_mirrored.max((off + 2. * mean) / mean);
        }
        (if turned_over % 2 == 1 { -mean } else { mean }) as f32
    }

    /// Counts a matrix that is not the translation, rotation and scale nearest to it.
    fn shear(&mut self, matrix: &Transform, nearest: &Transform) {
        let largest = |m: DMat4| m.to_cols_array().iter().fold(0_f64, |most, v| most.max(v.abs()));
        let off = largest(matrix.matrix() - nearest.matrix()) / largest(matrix.matrix());
        self.sheared += 1;
        self.most_sheared = self.most_sheared.max(off);
    }

    pub(super) fn lose(self, lower: &mut Lower<'_, '_, '_>, place: &Subject, what: &str) {
        let (losses, why) = (&mut lower.cx.losses, "das2 has one number for all axes");
        if self.count > 0 {
            losses.add_measured(&LOSS_062, self.most, place, self.count, format!("scales of {what}"), why);
        }
        if self.mirrored > 0 {
            let what = format!("scales of {what} that mirror along one or two axes");
            losses.add_measured(&LOSS_062, self.most_mirrored, place, self.mirrored, what, why);
        }
        if self.sheared > 0 {
            let why = "das2 has no matrix for joints";
            losses.add_measured(&LOSS_031, self.most_sheared, place, self.sheared, "sheared joint", why);
        }
    }
}

/// Whether two skins are one skeleton that two nodes bind: the same joints that move alike.
fn is_copy(scene: &Scene, a: &Draft, b: &Draft) -> bool {
    let shape = |draft: &Draft| (draft.joints.clone(), draft.children.clone(), draft.listed.clone(), draft.parent);
    if shape(a) != shape(b) {
        return false;
    }
    let places = |draft: &Draft| -> HashMap<usize, usize> {
        draft.nodes.iter().enumerate().map(|(i, node)| (*node, i)).collect()
    };
    let (a, b) = (places(a), places(b));
    scene.animations.iter().all(|animation| {
        let of = |places: &HashMap<usize, usize>| -> Vec<(usize, Channel)> {
            let place = |channel: &Channel| places.get(&channel.node?.index()).copied();
            let found = animation
                .channels
                .iter()
                .filter_map(|channel| Some((place(channel)?, Channel { node: None, ..channel.clone() })));
            found.collect()
        };
        of(&a) == of(&b)
    })
}
