//! Coarser versions: `MSFT_lod` names nodes that stand in for a node when it is far away. The scene has coarser meshes, so
//! such nodes are taken away if they are nothing but a mesh in the same place; else the extension stays what it is.

use std::collections::HashMap;

use scene::{Id, Lod, Mesh, Value};

use super::Input;
use super::added::role;
use super::carried::{Carried, float, value};
use super::geometry::Shown;
use crate::gltf::extensions::{INSTANCING, LEVELS};
use crate::gltf::schema::{self, Json};

/// Where a node keeps the shares of the screen at which its versions change.
const COVERAGE: &str = "MSFT_screencoverage";

/// Which nodes are understood as levels of others.
pub(super) struct Levels {
    /// Nodes that are coarser versions of others, and nothing else.
    pub(super) folded: Vec<bool>,
    /// The coarser nodes of each node whose versions are understood.
    of: HashMap<usize, Vec<usize>>,
}

impl Levels {
    pub(super) fn is_understood(&self, node: usize) -> bool {
        self.of.contains_key(&node)
    }
}

/// The coarser meshes that all nodes of a mesh name; nothing if they do not agree.
type Agreed = Option<Vec<Option<Id<Mesh>>>>;

/// The nodes that `MSFT_lod` of a node names.
pub(in crate::gltf) fn ids(node: &schema::Node) -> Option<Vec<usize>> {
    let ids = node.extensions.get(LEVELS)?.get("ids")?.as_array()?;
    ids.iter().map(|id| usize::try_from(id.as_u64()?).ok()).collect()
}

fn shown(input: &Input<'_, '_, '_>, node: usize) -> Option<Shown> {
    input.meshes.get(input.root.nodes.get(node)?.mesh?).copied()
}

pub(super) fn find(input: &Input<'_, '_, '_>) -> Levels {
    let nodes = &input.root.nodes;
    let mut levels = Levels { folded: vec![false; nodes.len()], of: HashMap::new() };
    let named: HashMap<usize, Vec<usize>> =
        nodes.iter().enumerate().filter_map(|(i, node)| Some((i, ids(node)?))).collect();
    if named.is_empty() {
        return levels;
    }
    let uses = uses(input, named.values().flatten());
    // Versions belong to the mesh, so every node of a mesh must agree about them.
    let mut by_mesh: HashMap<Id<Mesh>, Agreed> = HashMap::new();
    let meshes_of = |ids: &Vec<usize>| ids.iter().map(|&id| shown(input, id).map(|s| s.mesh)).collect::<Vec<_>>();
    // Nodes with further copies of another one's mesh have no say.
    for i in (0..nodes.len()).filter(|&i| !matches!(role(input, &nodes[i]), Some("instances" | "instance"))) {
        let Some(Shown { mesh, .. }) = shown(input, i) else { continue };
        let own = named.get(&i).map(meshes_of).unwrap_or_default();
        let known = by_mesh.entry(mesh).or_insert_with(|| Some(own.clone()));
        if known.as_ref() != Some(&own) {
            *known = None;
        }
    }
    for (&node, ids) in &named {
        let Some(fine) = shown(input, node) else { continue };
        let agreed = by_mesh.get(&fine.mesh).is_some_and(Option::is_some);
        let simple = |&id: &usize| {
            let same = shown(input, id).is_some_and(|coarse| coarse.material == fine.material);
            id != node && uses.get(id) == Some(&1) && same && is_plain(input, &nodes[id], &nodes[node])
        };
        if agreed && !ids.is_empty() && ids.iter().all(simple) {
            ids.iter().for_each(|&id| levels.folded[id] = true);
            levels.of.insert(node, ids.clone());
        }
    }
    levels
}

/// How often every node is named by anything.
fn uses<'a>(input: &'a Input<'_, '_, '_>, levels: impl Iterator<Item = &'a usize>) -> Vec<u32> {
    let root = input.root;
    let mut uses = vec![0_u32; root.nodes.len()];
    let children = root.nodes.iter().flat_map(|node| &node.children);
    let roots = root.scenes.iter().flat_map(|scene| &scene.nodes);
    let joints = root.skins.iter().flat_map(|skin| skin.joints.iter().chain(&skin.skeleton));
    let moved = root.animations.iter().flat_map(|animation| &animation.channels).flat_map(|c| &c.target.node);
    for &node in children.chain(roots).chain(joints).chain(moved).chain(levels) {
        if let Some(uses) = uses.get_mut(node) {
            *uses += 1;
        }
    }
    uses
}

/// Whether a node is a mesh in the place of another node, and nothing else.
fn is_plain(input: &Input<'_, '_, '_>, coarse: &schema::Node, fine: &schema::Node) -> bool {
    let copies = fine.extensions.iter().filter(|(name, _)| *name == INSTANCING);
    let bare = schema::Node {
        mesh: coarse.mesh,
        skin: fine.skin,
        matrix: fine.matrix,
        translation: fine.translation,
        rotation: fine.rotation,
        scale: fine.scale,
        extensions: copies.map(|(name, json)| (name.clone(), json.clone())).collect(),
        extras: coarse.extras.clone().filter(|_| role(input, coarse) == Some("lod")),
        ..schema::Node::default()
    };
    let alone = schema::Node { extensions: Default::default(), ..bare.clone() };
    *coarse == bare || *coarse == alone
}

/// Gives the mesh of a node its coarser versions; answers what the file says about the last one vanishing.
pub(super) fn lift(
    input: &mut Input<'_, '_, '_>,
    index: usize,
    levels: &Levels,
    carried: &mut Carried,
) -> Option<Value> {
    let ids = levels.of.get(&index)?;
    let mesh = shown(input, index)?.mesh;
    let list = |json: &Json| json.as_array()?.iter().map(Json::as_f64).collect::<Option<Vec<f64>>>();
    let stated = carried.taken_foreign(COVERAGE, list).unwrap_or_default();
    let kept = carried.taken("coverage", |json| {
        let share = |json: &Json| if json.is_null() { Some(None) } else { float(json).map(Some) };
        let shares: Option<Vec<Option<f32>>> = json.as_array()?.iter().map(share).collect();
        shares.filter(|shares| shares.len() == ids.len())
    });
    let coverage = |i: usize| match &kept {
        Some(kept) => kept[i],
        None => stated.get(i).map(|&share| share as f32),
    };
    let meshes = ids.iter().filter_map(|&id| Some(shown(input, id)?.mesh));
    let lods: Vec<Lod> = meshes.enumerate().map(|(i, mesh)| Lod { mesh, coverage: coverage(i) }).collect();
    input.scene.meshes[mesh].lods = lods;
    let rest: Vec<f64> = stated.into_iter().skip(ids.len()).collect();
    (!rest.is_empty() && rest != [0.]).then(|| value(&Json::from(rest)))
}
