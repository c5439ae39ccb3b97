//! Coarser versions: `MSFT_lod` names nodes that stand in for a node when it is far away. The scene has coarser meshes, so
//! such nodes are taken away if they are nothing but a mesh in the same place; else the extension stays what it is, and
//! its numbers follow the nodes. One that was written for a node and that somebody moved since is a mesh that was moved.

use std::collections::HashMap;

use glam::DMat4;
use scene::loss::LOSS_015;
use scene::{Id, Lod, Mesh, Value};

use super::Input;
use super::added::role;
use super::carried::{Carried, float, own};
use super::geometry::Shown;
use super::made_up::is_made_up;
use super::nodes::transform;
use crate::gltf::carry::value;
use crate::gltf::extensions::{INSTANCING, LEVELS};
use crate::gltf::schema::{self, Json, Root};

/// Where a node keeps the shares of the screen at which its versions change.
const COVERAGE: &str = "MSFT_screencoverage";

/// Which nodes are understood as levels of others.
pub(super) struct Levels {
    /// Nodes that are coarser versions of others, and nothing else.
    pub(super) folded: Vec<bool>,
    /// The coarser nodes of each node whose versions are understood.
    of: HashMap<usize, Vec<usize>>,
    /// How coarser nodes were moved from where the finer ones are.
    moved: HashMap<usize, DMat4>,
}

impl Levels {
    pub(super) fn is_understood(&self, node: usize) -> bool {
        self.of.contains_key(&node)
    }
}

/// The coarser meshes that all nodes of a mesh name, and how they were moved; nothing if they do not agree.
type Agreed = Option<Vec<(Option<Id<Mesh>>, Option<DMat4>)>>;

/// The nodes that `MSFT_lod` of a node names.
pub(in crate::gltf) fn ids(node: &schema::Node) -> Option<Vec<usize>> {
    let ids = node.extensions.get(LEVELS)?.get("ids")?.as_array()?;
    ids.iter().map(|id| usize::try_from(id.as_u64()?).ok()).collect()
}

/// The coarser nodes that the extension names, by the node that has them.
fn named(nodes: &[schema::Node]) -> HashMap<usize, Vec<usize>> {
    nodes.iter().enumerate().filter_map(|(i, node)| Some((i, ids(node)?))).collect()
}

/// The coarser nodes of every node that has some: those that the extension names, and where another program dropped it,
/// those that say whose they are.
pub(in crate::gltf) fn linked(root: &Root) -> HashMap<usize, Vec<usize>> {
    let mut all = named(&root.nodes);
    let word = |node: &schema::Node, key: &str| own(node.extras.as_ref(), "level")?.get(key).cloned();
    let mut finer: HashMap<String, Option<usize>> = HashMap::new();
    for (i, node) in root.nodes.iter().enumerate().filter(|(i, _)| !all.contains_key(i)) {
        if let Some(Json::String(group)) = word(node, "group") {
            // A copy of the node says the same: then nobody knows whose they are.
            finer.entry(group).and_modify(|known| *known = None).or_insert(Some(i));
        }
    }
    if finer.is_empty() {
        return all;
    }
    let mut coarser: HashMap<usize, Vec<(u64, usize)>> = HashMap::new();
    for (i, node) in root.nodes.iter().enumerate() {
        let of = |group: &str| finer.get(group).copied().flatten();
        if let (Some(Json::String(group)), Some(level)) = (word(node, "of"), word(node, "number"))
            && let (Some(fine), Some(level)) = (of(&group), level.as_u64())
        {
            coarser.entry(fine).or_default().push((level, i));
        }
    }
    for (fine, mut levels) in coarser {
        levels.sort_unstable();
        all.insert(fine, levels.into_iter().map(|(_, node)| node).collect());
    }
    all
}

fn shown(input: &Input<'_, '_, '_>, node: usize) -> Option<Shown> {
    input.made.meshes.get(input.root.nodes.get(node)?.mesh?).copied()
}

pub(super) fn find(input: &Input<'_, '_, '_>) -> Levels {
    let nodes = &input.root.nodes;
    let mut levels = Levels { folded: vec![false; nodes.len()], of: HashMap::new(), moved: HashMap::new() };
    let named = if input.cx.as_others { named(nodes) } else { linked(input.root) };
    if named.is_empty() {
        return levels;
    }
    let mut uses = uses(input, named.values().flatten().copied());
    // A program that does not know the extension shows what it named: at the top, or beside the joints that skin it.
    let roots = input.root.scenes.iter().flat_map(|scene| &scene.nodes);
    let beside = named.keys().flat_map(|&fine| &nodes[fine].children);
    for shown in roots.chain(beside) {
        if nodes.get(*shown).is_some_and(|node| role(input, node).as_deref() == Some("lod")) {
            uses[*shown] = 1;
        }
    }
    for (&node, ids) in &named {
        let pairs = ids.iter().filter_map(|&id| Some((id, moved(input, nodes.get(id)?, &nodes[node])?)));
        levels.moved.extend(pairs);
    }
    // Versions belong to the mesh, so every node of a mesh must agree about them.
    let mut by_mesh: HashMap<Id<Mesh>, Agreed> = HashMap::new();
    let mesh_of = |id: &usize| (shown(input, *id).map(|s| s.mesh), levels.moved.get(id).copied());
    let meshes_of = |ids: &Vec<usize>| ids.iter().map(mesh_of).collect::<Vec<_>>();
    // Nodes with further instances of another one's mesh have no say.
    for i in (0..nodes.len()).filter(|&i| !matches!(role(input, &nodes[i]).as_deref(), Some("instances" | "instance")))
    {
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
            let there = levels.moved.get(&id).is_none_or(|moved| moved.is_finite());
            id != node && uses.get(id) == Some(&1) && same && there && is_plain(input, &nodes[id], &nodes[node])
        };
        if agreed && !ids.is_empty() && ids.iter().all(simple) {
            ids.iter().for_each(|&id| levels.folded[id] = true);
            levels.of.insert(node, ids.clone());
        }
    }
    levels
}

/// How somebody moved a node that was written for another one, seen from that one; not finite if no mesh can be moved so.
fn moved(input: &Input<'_, '_, '_>, coarse: &schema::Node, fine: &schema::Node) -> Option<DMat4> {
    if role(input, coarse).as_deref() != Some("lod") || fine.skin.is_some() {
        return None;
    }
    let at = own(coarse.extras.as_ref(), "level").and_then(|level| level.get("at").cloned());
    let at = at.and_then(|at| serde_json::from_value::<schema::Node>(at).ok()).unwrap_or_default();
    let (is, was, beside) = (transform(coarse), transform(&at), transform(fine));
    if is == was || is == beside {
        return None;
    }
    // Each copy would be moved another way.
    let copied = fine.extensions.contains_key(INSTANCING);
    Some(if copied { DMat4::NAN } else { beside.matrix().inverse() * is.matrix() })
}

/// How often every node is named by anything.
pub(super) fn uses(input: &Input<'_, '_, '_>, levels: impl Iterator<Item = usize>) -> Vec<u32> {
    let root = input.root;
    let mut uses = vec![0_u32; root.nodes.len()];
    let children = root.nodes.iter().flat_map(|node| &node.children);
    let roots = root.scenes.iter().flat_map(|scene| &scene.nodes);
    let joints = root.skins.iter().flat_map(|skin| skin.joints.iter().chain(&skin.skeleton));
    let moved = root.animations.iter().flat_map(|animation| &animation.channels).flat_map(|c| &c.target.node);
    for node in children.chain(roots).chain(joints).chain(moved).copied().chain(levels) {
        if let Some(uses) = uses.get_mut(node) {
            *uses += 1;
        }
    }
    uses
}

/// Whether a node is a mesh in the place of another node, and nothing else but a name. One that was written for a node
/// stands where that stood: programs that move the node may not know of it.
fn is_plain(input: &Input<'_, '_, '_>, coarse: &schema::Node, fine: &schema::Node) -> bool {
    let at = if role(input, coarse).as_deref() == Some("lod") { coarse } else { fine };
    let instancing = fine.extensions.iter().filter(|(name, _)| *name == INSTANCING);
    let bare = schema::Node {
        name: coarse.name.clone(),
        mesh: coarse.mesh,
        skin: fine.skin,
        matrix: at.matrix,
        translation: at.translation,
        rotation: at.rotation,
        scale: at.scale,
        extensions: instancing.map(|(name, json)| (name.clone(), json.clone())).collect(),
        extras: coarse.extras.clone().filter(|_| role(input, coarse).as_deref() == Some("lod")),
        ..schema::Node::default()
    };
    let alone = schema::Node { extensions: Default::default(), ..bare.clone() };
    *coarse == bare || *coarse == alone
}

/// What the nodes of coarser versions are called, if any of them is. Those that were written for a node have no name,
/// so one that says no more than what they show was made up.
pub(super) fn names(input: &Input<'_, '_, '_>, index: usize, levels: &Levels) -> Option<Value> {
    let name = |&id: &usize| {
        let node = &input.root.nodes[id];
        let mesh = node.mesh.and_then(|mesh| input.root.meshes.get(mesh)?.name.as_deref()).unwrap_or_default();
        let invented =
            |name: &&str| role(input, node).as_deref() == Some("lod") && is_made_up(name, &["mesh", "node", mesh]);
        node.name.as_deref().filter(|name| !invented(name)).unwrap_or_default()
    };
    let names: Vec<&str> = levels.of.get(&index)?.iter().map(name).collect();
    let named = names.iter().any(|name| !name.is_empty());
    named.then(|| Value::List(names.into_iter().map(|name| Value::Text(name.into())).collect()))
}

/// Gives an extension that stays what it is the numbers that nodes have in the scene. Where one that it names is none
/// there, it goes: its numbers would name others.
pub(super) fn renumber(input: &mut Input<'_, '_, '_>, index: usize, lifted: &mut scene::Node) {
    let node = &input.root.nodes[index];
    let kept = &mut lifted.extras.extensions;
    let (Some(ids), Some(at)) = (ids(node), kept.iter().position(|(name, _)| name == LEVELS)) else { return };
    let number = |id: usize| Some(input.made.nodes.get(id).copied()??.index());
    if let Some(numbers) = ids.into_iter().map(number).collect::<Option<Vec<usize>>>() {
        let mut json = node.extensions[LEVELS].clone();
        json["ids"] = numbers.into();
        kept[at].1 = value(&json);
        return;
    }
    kept.remove(at);
    let place = lifted.subject(index);
    let why = "a node that it names is no node of the scene";
    input.cx.lose(&LOSS_015, &place, 1, format!("glTF extension {LEVELS}"), why);
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
    let kept = carried.take("level").and_then(|level| {
        let json = level.get("coverage")?;
        let share = |json: &Json| if json.is_null() { Some(None) } else { float(json).map(Some) };
        let shares: Option<Vec<Option<f32>>> = json.as_array()?.iter().map(share).collect();
        shares.filter(|shares| shares.len() == ids.len())
    });
    let coverage = |i: usize| match &kept {
        Some(kept) => kept[i],
        None => stated.get(i).map(|&share| share as f32),
    };
    let known: Vec<Id<Mesh>> = input.scene.meshes[mesh].lods.iter().map(|lod| lod.mesh).collect();
    let mut lods = Vec::with_capacity(ids.len());
    for (i, id) in ids.iter().enumerate() {
        let Some(Shown { mesh, .. }) = shown(input, *id) else { continue };
        if input.carried(input.root.nodes[*id].extras.as_ref()).foreign().is_some() {
            let why = "a coarser mesh has no node of its own";
            input.cx.lose(&LOSS_015, format!("nodes[{id}]"), 1, "glTF extras", why);
        }
        // All nodes of a mesh have the same versions, so those of the first are moved already.
        let moved = levels.moved.get(id).filter(|_| known.is_empty());
        let mesh = known.get(i).copied().unwrap_or(mesh);
        let mesh = moved.map_or(mesh, |moved| move_mesh(input, mesh, moved));
        lods.push(Lod { mesh, coverage: coverage(i) });
    }
    input.scene.meshes[mesh].lods = lods;
    let rest: Vec<f64> = stated.into_iter().skip(ids.len()).collect();
    (!rest.is_empty() && rest != [0.]).then(|| value(&Json::from(rest)))
}

/// Moves the vertices of a mesh; if other nodes show it, those of a copy.
fn move_mesh(input: &mut Input<'_, '_, '_>, id: Id<Mesh>, moved: &DMat4) -> Id<Mesh> {
    let users = (0..input.root.nodes.len()).filter(|&node| shown(input, node).is_some_and(|s| s.mesh == id));
    let id = if users.count() > 1 { input.scene.meshes.add(input.scene.meshes[id].clone()) } else { id };
    input.scene.meshes[id].primitives.iter_mut().for_each(|primitive| _ = ops::transform_primitive(primitive, moved));
    id
}
