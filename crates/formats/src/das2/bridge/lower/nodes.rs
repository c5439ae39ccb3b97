//! Nodes and scenes.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use findings::{Level, Subject, SubjectKind};
use scene::loss::*;
use scene::sample::Pose;
use scene::{Id, SceneRoot, Transform};
use wire::F32;

use super::super::super::layout::{self, Matrix, NONE, Node};
use super::super::{rows, string};
use super::Lower;
use super::meshes::Meshes;
use super::plan::{NodeMapping, Plan};
use super::skins::{Skeletons, Uneven};

/// Nodes and scenes of the document, and what nodes of the scene became.
pub(super) struct Nodes {
    pub(super) nodes: Vec<Node>,
    pub(super) scenes: Vec<layout::Scene>,
    /// What moves with each node.
    pub(super) moves: Vec<Option<u32>>,
    /// What shows the mesh of each node.
    pub(super) shows: Vec<Option<u32>>,
}

/// A skinned mesh that must stand elsewhere.
struct Moved {
    node: usize,
    to: Option<usize>,
    /// Whether nothing is left of the node where it was.
    whole: bool,
}

pub(super) fn lower(lower: &mut Lower<'_, '_, '_>, plan: &Plan, meshes: &Meshes, skeletons: &Skeletons) -> Nodes {
    let scene = lower.scene;
    let count = scene.nodes.len();
    let all: Vec<usize> = (0..count).filter(|i| plan.mapping[*i] == NodeMapping::Node).collect();
    let moved: Vec<Moved> = all.iter().filter_map(|i| elsewhere(lower, plan, *i)).collect();
    let mut whole = vec![false; count];
    let mut leaves = vec![false; count];
    for moved in &moved {
        whole[moved.node] = moved.whole;
        leaves[moved.node] = true;
    }
    let mut out = Nodes { nodes: Vec::new(), scenes: Vec::new(), moves: vec![None; count], shows: vec![None; count] };
    // What holds the children of each node.
    let mut holders = vec![None; count];
    for &i in &all {
        out.moves[i] = u32::try_from(out.nodes.len()).ok();
        out.nodes.push(Node { name: string(&scene.nodes[Id::new(i)].name), ..Node::new() });
    }
    for &i in &all {
        let at = out.moves[i];
        let extra = if whole[i] { None } else { transform(lower, plan, i, node_of(&mut out.nodes, at)) };
        let holder = match extra {
            Some(custom) => {
                let inner = add(&mut out.nodes, Node { custom_transform: custom, ..Node::new() });
                push_child(node_of(&mut out.nodes, at), inner);
                inner
            }
            None => at,
        };
        holders[i] = holder;
        out.shows[i] = holder;
    }
    for &i in &all {
        let stays =
            plan.children[i].iter().filter(|child| plan.mapping[**child] == NodeMapping::Node && !whole[**child]);
        let children: Vec<u32> = stays.filter_map(|child| out.moves[*child]).collect();
        children.into_iter().for_each(|child| push_child(node_of(&mut out.nodes, holders[i]), Some(child)));
        if !leaves[i] {
            show(lower, meshes, skeletons, i, node_of(&mut out.nodes, holders[i]));
        }
    }
    let mut roots: Vec<(usize, u32)> = Vec::new();
    for moved in &moved {
        let number = if moved.whole {
            out.moves[moved.node]
        } else {
            let name = string(&scene.nodes[Id::new(moved.node)].name);
            add(&mut out.nodes, Node { name, ..Node::new() })
        };
        show(lower, meshes, skeletons, moved.node, node_of(&mut out.nodes, number));
        out.shows[moved.node] = number;
        match moved.to {
            Some(to) => {
                push_child(node_of(&mut out.nodes, holders[to]), number);
            }
            None => roots.extend(number.map(|number| (top(plan, moved.node), number))),
        }
    }
    lower_scenes(lower, plan, &whole, &roots, &mut out);
    lose_weights(lower, &plan.rest);
    out
}

fn node_of(nodes: &mut [Node], at: Option<u32>) -> Option<&mut Node> {
    nodes.get_mut(at? as usize)
}

fn add(nodes: &mut Vec<Node>, node: Node) -> Option<u32> {
    nodes.push(node);
    u32::try_from(nodes.len() - 1).ok()
}

fn push_child(parent: Option<&mut Node>, child: Option<u32>) {
    if let (Some(parent), Some(child)) = (parent, child) {
        parent.children.to_mut().push(child);
    }
}

fn top(plan: &Plan, node: usize) -> usize {
    std::iter::successors(Some(node), |node| plan.parents[*node]).last().unwrap_or(node)
}

/// Where the mesh of a node must stand, if its joints stand below another node.
fn elsewhere(lower: &Lower<'_, '_, '_>, plan: &Plan, i: usize) -> Option<Moved> {
    let node = &lower.scene.nodes[Id::new(i)];
    let rig = plan.rigs.get(node.skin?.index()).filter(|rig| rig.sound && node.mesh.is_some())?;
    let skin = lower.scene.skins.get(node.skin?)?;
    if rig.parent == Some(i) || skin.joints.is_empty() {
        return None;
    }
    let empty = plan.children[i].iter().all(|child| plan.mapping[*child] != NodeMapping::Node);
    let whole = empty && !plan.moved[i] && !plan.hosts[i];
    // It stands there already.
    if whole && rig.parent == plan.parents[i] && node.transform.is_identity() {
        return None;
    }
    Some(Moved { node: i, to: rig.parent, whole })
}

/// Whether the mesh of a node stands elsewhere.
pub(super) fn is_moved(lower: &Lower<'_, '_, '_>, plan: &Plan, id: Id<scene::Node>) -> bool {
    elsewhere(lower, plan, id.index()).is_some()
}

/// Whether a mesh stands elsewhere, where it is mirrored and was not, or the other way round.
pub(super) fn is_turned(lower: &Lower<'_, '_, '_>, plan: &Plan, id: Id<scene::Node>) -> bool {
    let mirrors = |id: Option<Id<scene::Node>>| {
        id.and_then(|id| plan.rest.world(id)).is_some_and(|place| place.determinant() < 0.)
    };
    let moved = elsewhere(lower, plan, id.index());
    moved.is_some_and(|moved| mirrors(moved.to.map(Id::new)) != mirrors(Some(id)))
}

/// Gives a node of the document what a node of the scene shows.
fn show(lower: &Lower<'_, '_, '_>, meshes: &Meshes, skeletons: &Skeletons, i: usize, into: Option<&mut Node>) {
    let shown = &lower.scene.nodes[Id::new(i)];
    if let Some(into) = into {
        into.mesh_group_id = meshes.group(shown);
        // Where there is nothing that it could move, a skeleton has no place.
        if shown.mesh.is_none() {
            return;
        }
        let skeleton = shown.skin.and_then(|skin| skeletons.found.get(skin.index()).copied().flatten());
        into.skeleton_id = skeleton.unwrap_or(NONE);
    }
}

/// Gives a node its transform; answers the matrix of a node below it, if it needs one: a custom matrix is all there is
/// for a stretch along one axis, and beside a translation, rotation or scale it is asking for trouble.
fn transform(lower: &mut Lower<'_, '_, '_>, plan: &Plan, i: usize, into: Option<&mut Node>) -> Option<Matrix> {
    let (into, node) = (into?, &lower.scene.nodes[Id::new(i)]);
    let place = node.subject(i);
    if let Transform::Matrix(columns) = &node.transform
        && !plan.moved[i]
    {
        into.custom_transform = rows(columns);
        return None;
    }
    let (translation, mut rotation, scale) = scene::sample::parts(&node.transform);
    let even = scale.iter().all(|v| v.to_bits() == scale[0].to_bits());
    let plain = even && scale[0] > 0.;
    if !(plan.moved[i] || plain) {
        let matrix = node.transform.matrix().to_cols_array().map(|v| v as f32);
        into.custom_transform = rows(&matrix);
        return None;
    }
    make_unit(lower, &mut rotation, &place);
    into.translation = translation.map(F32);
    into.rotation = rotation.map(F32);
    into.scale = F32(scale[0]);
    if even {
        return None;
    }
    if plan.scaled[i] {
        let mut uneven = Uneven::default();
        into.scale = F32(uneven.even(&scale));
        uneven.lose(lower, &place, "a node that an animation scales");
        return None;
    }
    into.scale = F32(1.);
    let why = "das2 has one number for all axes, and an animation moves it";
    lower.cx.losses.add_at(Level::Changed, &LOSS_008, place, 1, "node made two, one below the other", why);
    let [x, y, z] = scale;
    Some(rows(&[x, 0., 0., 0., 0., y, 0., 0., 0., 0., z, 0., 0., 0., 0., 1.]))
}

/// How far from 1 the length of a rotation may be.
const UNIT_TOLERANCE: f64 = 1e-3;

fn make_unit(lower: &mut Lower<'_, '_, '_>, rotation: &mut [f32; 4], place: &Subject) {
    let length = rotation.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
    if (length - 1.).abs() <= UNIT_TOLERANCE {
        return;
    }
    let why = "das2 demands unit length";
    lower.cx.losses.add_measured(&LOSS_031, (length - 1.).abs(), place, 1, "rotation made unit", why);
    *rotation = if length > 0. && length.is_finite() {
        rotation.map(|v| (f64::from(v) / length) as f32)
    } else {
        [0., 0., 0., 1.]
    };
}

fn lower_scenes(lower: &mut Lower<'_, '_, '_>, plan: &Plan, whole: &[bool], moved: &[(usize, u32)], out: &mut Nodes) {
    let mut below: HashMap<usize, Vec<u32>> = HashMap::new();
    moved.iter().for_each(|(top, number)| below.entry(*top).or_default().push(*number));
    for (index, root) in lower.scene.scenes.iter().enumerate() {
        let SceneRoot { name, nodes, .. } = root;
        let mut ids = Vec::with_capacity(nodes.len());
        let mut lost = 0;
        for node in nodes.iter().map(|id| id.index()) {
            match plan.mapping.get(node) {
                Some(NodeMapping::Node) if plan.parents[node].is_none() => {
                    if !whole[node] {
                        ids.extend(out.moves[node]);
                    }
                    ids.extend(below.get(&node).into_iter().flatten());
                }
                Some(NodeMapping::Joint | NodeMapping::Merged) => {}
                _ => lost += 1,
            }
        }
        if lost > 0 {
            let place = Subject::new(SubjectKind::Scene, index, name);
            let why = "in das2 a node has one parent and is not its own ancestor";
            lower.cx.lose(&LOSS_008, &place, lost, "root that has a parent", why);
        }
        let name = string(name);
        out.scenes.push(layout::Scene { name, root_nodes: ids.into(), ..layout::Scene::new() });
    }
    if out.scenes.is_empty() {
        out.scenes.push(layout::Scene::new());
    }
}

const WEIGHTS: &str = "weights of morph targets";
const WHY_WEIGHTS: &str = "das2 stores them in animations only";

fn lose_weights(lower: &mut Lower<'_, '_, '_>, rest: &Pose) {
    let scene = lower.scene;
    let mut defaults: BTreeMap<usize, f64> = BTreeMap::new();
    let size = OnceCell::new();
    let off = |id: Id<scene::Node>| rest.morphed_by(scene, id) / size.get_or_init(|| rest.diagonal(scene));
    for (id, node) in scene.nodes.entries() {
        let Some(mesh) = node.mesh.filter(|mesh| scene.meshes.get(*mesh).is_some()) else { continue };
        if node.weights.iter().any(|weight| *weight != 0.) {
            let place = node.subject(id);
            let count = node.weights.len() as u64;
            lower.cx.losses.add_measured(&LOSS_044, off(id), &place, count, WEIGHTS, WHY_WEIGHTS);
        } else if node.weights.is_empty() && scene.meshes[mesh].morphs.iter().any(|morph| morph.default != 0.) {
            let known = defaults.entry(mesh.index()).or_default();
            *known = known.max(off(id));
        }
    }
    for (mesh, said) in scene.meshes.entries() {
        let count = said.morphs.iter().filter(|morph| morph.default != 0.).count() as u64;
        let what = "default weights of morph targets";
        if count > 0 {
            let place = said.subject(mesh);
            // What no node shows has no size.
            let off = defaults.get(&mesh.index()).copied().unwrap_or(f64::INFINITY);
            lower.cx.losses.add_measured(&LOSS_044, off, &place, count, what, WHY_WEIGHTS);
        }
    }
}
