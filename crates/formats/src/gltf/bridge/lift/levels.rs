//! Coarser versions: `MSFT_lod` names nodes that stand in for a node when it is far away. The scene has coarser meshes, so
//! such nodes are taken away if they are nothing but a mesh in the same place; else the extension stays what it is.

use std::collections::HashMap;

use scene::{Lod, Value};

use super::Input;
use super::carried::{Carried, value};
use crate::gltf::extensions::LEVELS;
use crate::gltf::schema::{self, Json};

/// Where a node keeps the shares of the screen at which its versions change.
pub(super) const COVERAGE: &str = "MSFT_screencoverage";

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

/// The nodes that `MSFT_lod` of a node names.
pub(in crate::gltf) fn ids(node: &schema::Node) -> Option<Vec<usize>> {
    let ids = node.extensions.get(LEVELS)?.get("ids")?.as_array()?;
    ids.iter().map(|id| usize::try_from(id.as_u64()?).ok()).collect()
}

pub(super) fn find(input: &Input<'_, '_, '_>) -> Levels {
    let nodes = &input.root.nodes;
    let mut levels = Levels { folded: vec![false; nodes.len()], of: HashMap::new() };
    let named: HashMap<usize, Vec<usize>> =
        nodes.iter().enumerate().filter_map(|(i, node)| Some((i, ids(node)?))).collect();
    if named.is_empty() {
        return levels;
    }
    let mut uses = uses(input);
    for &id in named.values().flatten() {
        if let Some(uses) = uses.get_mut(id) {
            *uses += 1;
        }
    }
    // Versions belong to the mesh, so every node of a mesh must agree about them.
    let mut by_mesh: HashMap<usize, Option<Vec<Option<usize>>>> = HashMap::new();
    let meshes_of = |ids: &[usize]| ids.iter().map(|&id| nodes.get(id).and_then(|n| n.mesh)).collect::<Vec<_>>();
    for (i, node) in nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let own = named.get(&i).map(|ids| meshes_of(ids)).unwrap_or_default();
        let known = by_mesh.entry(mesh).or_insert_with(|| Some(own.clone()));
        if known.as_ref() != Some(&own) {
            *known = None;
        }
    }
    for (&node, ids) in &named {
        let Some(mesh) = nodes[node].mesh.filter(|&mesh| mesh < input.meshes.len()) else { continue };
        let agreed = by_mesh.get(&mesh).is_some_and(Option::is_some) && input.meshes[mesh].material.is_none();
        let simple = |&id: &usize| {
            id != node
                && uses.get(id) == Some(&1)
                && !named.contains_key(&id)
                && is_plain(input, &nodes[id], &nodes[node])
        };
        if agreed && !ids.is_empty() && ids.iter().all(simple) {
            ids.iter().for_each(|&id| levels.folded[id] = true);
            levels.of.insert(node, ids.clone());
        }
    }
    levels
}

/// How often every node is named by anything else.
fn uses(input: &Input<'_, '_, '_>) -> Vec<u32> {
    let root = input.root;
    let mut uses = vec![0_u32; root.nodes.len()];
    let children = root.nodes.iter().flat_map(|node| &node.children);
    let roots = root.scenes.iter().flat_map(|scene| &scene.nodes);
    let joints = root.skins.iter().flat_map(|skin| skin.joints.iter().chain(&skin.skeleton));
    let moved = root.animations.iter().flat_map(|animation| &animation.channels).flat_map(|c| &c.target.node);
    for &node in children.chain(roots).chain(joints).chain(moved) {
        if let Some(uses) = uses.get_mut(node) {
            *uses += 1;
        }
    }
    uses
}

/// Whether a node is a mesh in the place of another node, and nothing else.
fn is_plain(input: &Input<'_, '_, '_>, coarse: &schema::Node, fine: &schema::Node) -> bool {
    let bare = schema::Node {
        name: coarse.name.clone(),
        mesh: coarse.mesh,
        skin: fine.skin,
        matrix: fine.matrix,
        translation: fine.translation,
        rotation: fine.rotation,
        scale: fine.scale,
        ..schema::Node::default()
    };
    let mesh = coarse.mesh.and_then(|mesh| input.meshes.get(mesh));
    *coarse == bare && mesh.is_some_and(|shown| shown.material.is_none())
}

/// Gives the mesh of a node its coarser versions.
pub(super) fn lift(
    input: &mut Input<'_, '_, '_>,
    index: usize,
    levels: &Levels,
    carried: &mut Carried,
) -> Option<Value> {
    let ids = levels.of.get(&index)?;
    let mesh = input.meshes.get(input.root.nodes[index].mesh?)?.mesh;
    let list = |json: &Json| json.as_array()?.iter().map(Json::as_f64).collect::<Option<Vec<f64>>>();
    let coverage = carried.taken_foreign(COVERAGE, list).unwrap_or_default();
    let meshes = ids.iter().filter_map(|&id| Some(input.meshes.get(input.root.nodes[id].mesh?)?.mesh));
    let level = |(i, mesh)| Lod { mesh, coverage: coverage.get(i).map(|&share| share as f32) };
    let lods: Vec<Lod> = meshes.enumerate().map(level).collect();
    input.scene.meshes[mesh].lods = lods;
    // Where the last version vanishes too.
    let rest: Json = coverage.iter().skip(ids.len()).copied().collect();
    (coverage.len() > ids.len()).then(|| value(&rest))
}
