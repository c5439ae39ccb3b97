//! Skins become skeletons with joints of their own.

use std::collections::{HashMap, HashSet};

use findings::Subject;
use glam::DMat4;
use scene::loss::*;
use scene::sample::Pose;
use scene::{Channel, Id, Scene, Skin, Transform, undone};
use wire::F32;

use super::super::super::layout::{NONE, Skeleton, SkeletonJoint};
use super::super::{SKELETON, number, rows, string};
use super::Lower;
use super::plan::Plan;

/// Joints and skeletons of the document, and what nodes and skins of the scene became.
#[derive(Default)]
pub(super) struct Skeletons {
    pub(super) joints: Vec<SkeletonJoint>,
    pub(super) skeletons: Vec<Skeleton>,
    /// By skin.
    pub(super) found: Vec<Option<u32>>,
    /// The joints that a node became.
    pub(super) of_node: HashMap<usize, Vec<u32>>,
    /// Nodes that stand for joints of others: a skeleton that several nodes bind has joints below each of them.
    stand_ins: HashSet<usize>,
}

impl Skeletons {
    /// Whether the keys of a node are those of another one.
    pub(super) fn is_copy(&self, node: usize) -> bool {
        self.stand_ins.contains(&node)
    }

    /// Adds a skeleton and its joints, numbered as they come.
    fn add(&mut self, draft: &Draft, skeleton: Skeleton) {
        let first = self.joints.len();
        let id = |i: usize| u32::try_from(first + i).unwrap_or(u32::MAX);
        for (joint, children) in draft.joints.iter().zip(&draft.children) {
            let children: Vec<u32> = children.iter().copied().map(id).collect();
            self.joints.push(SkeletonJoint { children: children.into(), ..joint.clone() });
        }
        let mut met = HashSet::new();
        // A joint that is named again has no keys of its own.
        for (i, node) in draft.nodes.iter().enumerate().filter(|(_, node)| met.insert(**node)) {
            self.of_node.entry(*node).or_default().push(id(i));
        }
        self.skeletons.push(Skeleton {
            joints: draft.listed.iter().copied().map(id).collect::<Vec<u32>>().into(),
            parent: draft.parent.map_or(NONE, id),
            ..skeleton
        });
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
    // What skins became, and by the ids that skeletons had, those that several nodes may bind.
    let mut drafts: Vec<Draft> = Vec::new();
    let mut known: HashMap<u32, Vec<usize>> = HashMap::new();
    for (id, skin) in scene.skins.entries() {
        let label = skin.subject(id);
        let sound = plan.rigs[id.index()].sound;
        if !sound || skin.joints.is_empty() {
            let (what, why) = if sound {
                ("skeleton without joints", "it moves nothing")
            } else {
                ("skin", "its joints are not there")
            };
            lower.cx.lose(&LOSS_002, &label, 1, what, why);
            out.found.push(None);
            continue;
        }
        let draft = draft(lower, plan, (id, skin), bound.contains(&id), &label);
        let was = number(&skin.extras, &SKELETON);
        let mut alike = was.and_then(|was| known.get(&was)).into_iter().flatten();
        if let Some(&original) = alike.find(|at| is_copy(scene, &draft, &drafts[**at])) {
            out.found.push(u32::try_from(original).ok());
            let pairs = draft.nodes.iter().zip(&drafts[original].nodes);
            out.stand_ins.extend(pairs.filter(|(copy, of)| copy != of).map(|(copy, _)| *copy));
            continue;
        }
        out.found.push(u32::try_from(drafts.len()).ok());
        was.into_iter().for_each(|was| known.entry(was).or_default().push(drafts.len()));
        let name = string(&skin.name);
        out.add(&draft, Skeleton { name, ..Skeleton::new() });
        drafts.push(draft);
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
        if between {
            listed.push(nodes.len());
        }
        nodes.push(node);
        binds.push(between.then(|| bind_like_first(skin, &plan.rest, node)).flatten());
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
    if bound {
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
        None => tops().next().filter(|_| tops().count() == 1),
        found => found,
    };
    Draft { nodes, joints, children, listed, parent }
}

/// A matrix for a node that becomes a joint of a skin: no vertex follows it, and at rest it has the mesh where the first
/// joint has it, so that all joints agree about where that stands.
fn bind_like_first(skin: &Skin, rest: &Pose, node: usize) -> Option<[f32; 16]> {
    let first = rest.world(*skin.joints.first()?)?;
    let bind = skin.inverse_bind.first().map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m.map(f64::from)));
    let own = undone(&rest.world(Id::new(node))?)? * first * bind;
    own.is_finite().then(|| own.to_cols_array().map(|v| v as f32))
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
        rotation: rotation.map(F32),
        scale: F32(uneven.even(&scale)),
        ..SkeletonJoint::new()
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
    let said = |draft: &Draft| (draft.joints.clone(), draft.children.clone(), draft.listed.clone(), draft.parent);
    if said(a) != said(b) {
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
