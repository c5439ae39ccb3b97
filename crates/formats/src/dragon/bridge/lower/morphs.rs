//! Names of morphs: tracks tell them by their names alone, whatever shows them.

use std::collections::{HashMap, HashSet};

use scene::loss::*;
use scene::{Channel, Id, Mesh, Name, Node, Scene, Track};

use super::Lower;
use crate::LowerCx;

/// Makes nodes of copies whose weights move.
pub(super) fn free_copies(scene: &mut Scene, cx: &mut LowerCx<'_>) {
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let nodes = channels.filter(|channel| channel.track == Track::Weights).filter_map(|channel| channel.node);
    let moving: HashSet<Id<Node>> = nodes.collect();
    let wanted = |id, node: &Node| moving.contains(&id) && node.instances.is_some() && node.mesh.is_some();
    for (id, count) in ops::expand_instances(scene, wanted) {
        let label = scene.nodes[id].subject(id);
        cx.lose(&LOSS_010, &label, count, "instances", "copies of a shape stand still in DRAGON");
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
        // Copies stand still, whatever moves the shape elsewhere.
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

impl Lower<'_, '_, '_> {
    /// Gives every morph the name that it is written with: its own, unless it has none or a track could not tell it.
    pub(super) fn name_morphs(&mut self) {
        let scene = self.scene;
        let mut holders: HashMap<&Name, HashSet<Id<Mesh>>> = HashMap::new();
        for (id, mesh) in scene.meshes.entries() {
            for morph in &mesh.morphs {
                holders.entry(&morph.name).or_default().insert(id);
            }
        }
        let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
        let nodes = channels.filter(|channel| channel.track == Track::Weights).filter_map(|channel| channel.node);
        let animated: HashSet<Id<Mesh>> = nodes.filter_map(|node| scene.nodes.get(node)?.mesh).collect();
        let mut taken: HashSet<Name> = holders.keys().map(|name| (*name).clone()).collect();
        for (id, mesh) in scene.meshes.entries() {
            let mut names: Vec<Name> = Vec::with_capacity(mesh.morphs.len());
            let mut own: HashSet<Name> = HashSet::new();
            for (i, morph) in mesh.morphs.iter().enumerate() {
                let holders = &holders[&morph.name];
                let shared = holders.len() > 1 && holders.iter().any(|mesh| animated.contains(mesh));
                let same = own.contains(&morph.name);
                let told = !morph.name.is_empty() && !same && !shared;
                if told || (self.own && !self.parted.contains_key(&id)) {
                    names.push(morph.name.clone());
                    own.insert(morph.name.clone());
                    continue;
                }
                let label = if mesh.name.is_empty() { format!("mesh{}", id.index()) } else { mesh.name.to_string() };
                let given = format!("{label}.{}.{i}", morph.name).replace("..", ".");
                let given = unlike(&mut taken, &given);
                if !morph.name.is_empty() {
                    let place = mesh.subject(id);
                    let why = "tracks of DRAGON tell morphs by their names";
                    self.cx.lose(&LOSS_042, &place, 1, &format!("morph {} is now {given}", morph.name), why);
                }
                own.insert(given.clone());
                names.push(given);
            }
            self.morph_names.push(names);
        }
    }
}

/// A name that nothing has, which begins with the one that is wanted.
fn unlike(taken: &mut HashSet<Name>, wanted: &str) -> Name {
    let numbered = (2_u64..).map(|number| Name::from(format!("{wanted}.{number}")));
    let mut free = std::iter::once(Name::from(wanted)).chain(numbered).filter(|name| !taken.contains(name));
    let name = free.next().unwrap_or_default();
    taken.insert(name.clone());
    name
}
