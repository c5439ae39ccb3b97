//! Names of morphs: tracks tell them by their names alone, whatever shows them.

use std::collections::{HashMap, HashSet};

use scene::loss::*;
use scene::{Channel, Id, Interpolation, Mesh, Name, Node, Scene, Track};

use super::Lower;
use crate::LowerCx;

/// Makes nodes of instances whose weights move.
pub(super) fn free_instances(scene: &mut Scene, cx: &mut LowerCx<'_>) {
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let nodes = channels.filter(|channel| channel.track == Track::Weights).filter_map(|channel| channel.node);
    let moving: HashSet<Id<Node>> = nodes.collect();
    let wanted = |id, node: &Node| moving.contains(&id) && node.instances.is_some() && node.mesh.is_some();
    for (id, count) in ops::expand_instances(scene, wanted) {
        let label = scene.nodes[id].subject(id);
        cx.lose(&LOSS_010, &label, count, "instances", "instances stand still in DRAGON");
    }
}

/// Gives nodes that show one mesh, whose weights move in different ways, meshes of their own. Answers what each of the
/// new ones was made of.
pub(super) fn part(scene: &mut Scene) -> HashMap<Id<Mesh>, Id<Mesh>> {
    let mut moves: HashMap<Id<Node>, Vec<(usize, &Channel)>> = HashMap::new();
    for (index, animation) in scene.animations.iter().enumerate() {
        for channel in animation.channels.iter().filter(|channel| channel.track == Track::Weights) {
            channel.node.into_iter().for_each(|node| moves.entry(node).or_default().push((index, channel)));
        }
    }
    let keys = |node: &Id<Node>| -> Vec<(usize, Channel)> {
        let own = moves.get(node).into_iter().flatten();
        own.map(|(index, channel)| (*index, Channel { node: None, ..(*channel).clone() })).collect()
    };
    let moving: HashSet<Id<Mesh>> = moves.keys().filter_map(|node| scene.nodes.get(*node)?.mesh).collect();
    let mut ways: HashMap<Id<Mesh>, Vec<Way>> = HashMap::new();
    for (id, _) in scene.placed(scene.default_scene.unwrap_or(0)) {
        let node = &scene.nodes[id];
        // Instances stand still, whatever moves the mesh elsewhere.
        let Some(mesh) = node.mesh.filter(|mesh| moving.contains(mesh) && node.instances.is_none()) else { continue };
        let (keys, known) = (keys(&id), ways.entry(mesh).or_default());
        match known.iter_mut().find(|way| way.keys == keys) {
            Some(way) => way.nodes.push(id),
            None => known.push(Way { keys, nodes: vec![id] }),
        }
    }
    let mut made = HashMap::new();
    for mesh in scene.meshes.ids() {
        for way in ways.remove(&mesh).into_iter().flat_map(|ways| ways.into_iter().skip(1)) {
            let own = scene.meshes.add(scene.meshes[mesh].clone());
            way.nodes.into_iter().for_each(|node| scene.nodes[node].mesh = Some(own));
            made.insert(own, mesh);
        }
    }
    made
}

/// Nodes whose weights move alike, and the keys they move by in every animation.
struct Way {
    keys: Vec<(usize, Channel)>,
    nodes: Vec<Id<Node>>,
}

/// How a weight moves: in which animations, between frames and through which values.
type Curve<'a> = Vec<(usize, Interpolation, &'a [f32], Vec<u32>)>;

/// What moves the weights of each mesh, in each animation once: all nodes that show one move alike.
fn moves(scene: &Scene) -> HashMap<Id<Mesh>, Vec<(usize, &Channel)>> {
    let mut moves: HashMap<Id<Mesh>, Vec<(usize, &Channel)>> = HashMap::new();
    for (index, animation) in scene.animations.iter().enumerate() {
        for channel in animation.channels.iter().filter(|channel| channel.track == Track::Weights) {
            let Some(mesh) = channel.node.and_then(|node| scene.nodes.get(node)?.mesh) else { continue };
            let known = moves.entry(mesh).or_default();
            if known.last().is_none_or(|(last, _)| *last != index) {
                known.push((index, channel));
            }
        }
    }
    moves
}

impl Lower<'_, '_, '_> {
    /// Gives every morph the name that it is written with: its own, unless a track could not tell it by that.
    pub(super) fn name_morphs(&mut self) {
        let scene = self.scene;
        let mut holders: HashMap<&Name, Vec<(Id<Mesh>, usize)>> = HashMap::new();
        for (id, mesh) in scene.meshes.entries() {
            for (i, morph) in mesh.morphs.iter().enumerate() {
                holders.entry(&morph.name).or_default().push((id, i));
            }
        }
        let moves = moves(scene);
        let curve = |mesh: Id<Mesh>, morph: usize| -> Curve<'_> {
            let count = scene.meshes[mesh].morphs.len();
            let values =
                |channel: &Channel| channel.values.iter().skip(morph).step_by(count).map(|v| v.to_bits()).collect();
            let of = moves.get(&mesh).into_iter().flatten();
            of.map(|(index, channel)| (*index, channel.interpolation, &channel.times[..], values(channel))).collect()
        };
        // One track moves all that have its name.
        let is_told = |name: &Name, holders: &[(Id<Mesh>, usize)]| {
            let mut curves = holders.iter().map(|(mesh, morph)| curve(*mesh, *morph));
            let first = curves.next().unwrap_or_default();
            let meshes: HashSet<Id<Mesh>> = holders.iter().map(|(mesh, _)| *mesh).collect();
            let is_still = first.is_empty();
            let alike = curves.all(|curve| curve == first);
            alike && (is_still || !name.is_empty() && meshes.len() == holders.len())
        };
        let told: HashSet<&Name> =
            holders.iter().filter(|(name, holders)| is_told(name, holders)).map(|(name, _)| *name).collect();
        let mut taken: HashSet<Name> = holders.keys().map(|name| (*name).clone()).collect();
        for (id, mesh) in scene.meshes.entries() {
            let mut names: Vec<Name> = Vec::with_capacity(mesh.morphs.len());
            for (i, morph) in mesh.morphs.iter().enumerate() {
                if told.contains(&morph.name) {
                    names.push(morph.name.clone());
                    continue;
                }
                let label = if mesh.name.is_empty() { format!("mesh{}", id.index()) } else { mesh.name.to_string() };
                let given = format!("{label}.{}.{i}", morph.name).replace("..", ".");
                let given = unlike(&mut taken, &given);
                if !morph.name.is_empty() {
                    let place = mesh.subject(id);
                    let why = "tracks of DRAGON tell morphs by their names";
                    self.cx.lose(&LOSS_042, &place, 1, format!("morph {} is now {given}", morph.name), why);
                }
                names.push(given);
            }
            self.meshes.morph_names.push(names);
        }
    }
}

/// A free name, which begins with the one that is wanted.
fn unlike(taken: &mut HashSet<Name>, wanted: &str) -> Name {
    let numbered = (2_u64..).map(|number| Name::from(format!("{wanted}.{number}")));
    let mut free = std::iter::once(Name::from(wanted)).chain(numbered).filter(|name| !taken.contains(name));
    let name = free.next().unwrap_or_default();
    taken.insert(name.clone());
    name
}
