//! Nodes by who stands above them.

use super::Fingerprint;
use super::ink::Ink;
use crate::{Forest, Id, Scene};

/// Who stands below whom, and in which order that is told.
pub(super) struct Tree {
    forest: Forest,
    /// Parents before their children.
    order: Vec<usize>,
}

impl Tree {
    pub(super) fn of(scene: &Scene) -> Tree {
        let forest = Forest::of(scene);
        let order = forest.downwards();
        Tree { forest, order }
    }

    /// A fingerprint per node, of which each knows that of its parent.
    pub(super) fn down(&self, mut say: impl FnMut(usize, Option<Fingerprint>) -> Fingerprint) -> Vec<Fingerprint> {
        let mut prints = vec![Fingerprint([0; 16]); self.order.len()];
        for &node in &self.order {
            prints[node] = say(node, self.forest.parents[node].map(|parent| prints[parent]));
        }
        prints
    }

    /// What every node is called: the names on the way to it, and which one it is of those called so.
    pub(super) fn names(&self, scene: &Scene) -> Vec<Fingerprint> {
        let mut met = std::collections::HashMap::new();
        self.down(|node, parent| {
            let name = scene.nodes.get(Id::new(node)).map(|node| node.name.clone()).unwrap_or_default();
            let number = met.entry((parent, name.clone())).or_insert(0_u64);
            *number += 1;
            let mut ink = Ink::new("called");
            ink.maybe(parent, |ink, parent| ink.print(parent));
            ink.name(&name);
            ink.number(*number);
            ink.dry()
        })
    }
}
