//! Names of morphs: tracks tell them by their names alone.

use std::collections::{HashMap, HashSet};

use scene::loss::*;
use scene::{Id, Mesh, Name, Scene, Track};

use super::Lower;

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
        for (id, mesh) in scene.meshes.entries() {
            let mut names: Vec<Name> = Vec::with_capacity(mesh.morphs.len());
            for (i, morph) in mesh.morphs.iter().enumerate() {
                let holders = &holders[&morph.name];
                let shared = holders.len() > 1 && holders.iter().any(|mesh| animated.contains(mesh));
                let same = names.contains(&morph.name);
                let told = !morph.name.is_empty() && !same && !shared;
                if told || self.own {
                    names.push(morph.name.clone());
                    continue;
                }
                let label = if mesh.name.is_empty() { format!("mesh{}", id.index()) } else { mesh.name.to_string() };
                let given = format!("{label}.{}.{i}", morph.name).replace("..", ".");
                if !morph.name.is_empty() {
                    let place = Scene::label("mesh", id.index(), &mesh.name);
                    let why = "tracks of DRAGON tell morphs by their names";
                    self.cx.lose(&LOSS_042, &place, 1, &format!("morph {} is now {given}", morph.name), why);
                }
                names.push(given.into());
            }
            self.morph_names.push(names);
        }
    }
}
