//! Scenes of other files → nodes below the entities that name them.

use findings::{Error, Place, Result};
use scene::loss::*;
use scene::{Id, Node, Value};

use super::super::keys::{INCLUDED, INCLUDES};
use super::Lift;
use crate::dgl3::external::{self, Chain, Fault, MOST_FILES};
use crate::dgl3::rules::DGL3_027;

impl Lift<'_, '_> {
    /// Adds the scene of another file below an entity.
    pub(super) fn include(&mut self, file: &wire::Text, i: usize, chain: &Chain, node: Id<Node>) -> Result<()> {
        let place = Place::path("entities").nth(i).field("external").field("external_filename");
        if self.files == 0 {
            return Err(Error::limit(place, format!("more than {MOST_FILES} files are named")));
        }
        self.files -= 1;
        match external::load(file, chain, self.cx.source, &self.cx.limits) {
            Ok((doc, chain)) => {
                // What a nested file includes counts for the outermost entity.
                let outer = INCLUDED.get(&self.scene.nodes[node].extras).and_then(Value::as_int);
                let number = outer.unwrap_or(i as i64);
                INCLUDES.set(&mut self.scene.nodes[node].extras, number);
                self.file(&doc, &chain, Some((node, number)))
            }
            Err(fault) => {
                self.miss(file, fault, place, chain);
                Ok(())
            }
        }
    }

    /// Tells of a file that cannot be included, and that what it holds is missing.
    pub(super) fn miss(&mut self, file: &wire::Text, fault: Fault, mut place: Place, chain: &Chain) {
        if let Some(file) = chain.from() {
            place = place.in_file(file.clone());
        }
        let (file, why) = (file.to_string(), fault.to_string());
        let file = findings::render::escape(&file).into_owned();
        self.cx.lose(&LOSS_090, &file, 1, "mesh or scene of another file", &why.replace(&format!("\"{file}\""), "it"));
        self.cx.find(&DGL3_027, place, why);
    }
}
