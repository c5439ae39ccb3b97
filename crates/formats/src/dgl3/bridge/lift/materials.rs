//! Material files that entities name → materials.

use findings::{FileId, Finding, Loaded, Place};
use scene::loss::*;
use scene::{Id, Material, Name, Value};
use wire::Blob;

use super::super::keys::FILE;
use super::Lift;
use crate::dgl3::external::Chain;
use crate::dgl3::facts::{DEFAULT_MATERIAL, material_of};
use crate::dgl3::layout::Entity;
use crate::dgl3::rules::DGL3_026;
use crate::mat;

impl Lift<'_, '_> {
    /// The material that an entity names, read once per file.
    pub(super) fn material(&mut self, entity: &Entity, i: usize, chain: &Chain) -> Option<Id<Material>> {
        let file = material_of(entity).filter(|file| *file != DEFAULT_MATERIAL)?;
        let key = (chain.from().cloned(), file.to_vec());
        if let Some(known) = self.materials.get(&key) {
            return *known;
        }
        let found = self.load_material(file, i, chain);
        self.materials.insert(key, found);
        found
    }

    fn load_material(&mut self, file: &[u8], i: usize, chain: &Chain) -> Option<Id<Material>> {
        let shown = String::from_utf8_lossy(file).into_owned();
        let why = match self.cx.source.load(&shown, chain.from()) {
            Loaded::Found { bytes, id } => return Some(self.add_material(bytes, file, &id)),
            Loaded::Missing => "was not found".to_owned(),
            Loaded::Refused(why) => format!("is refused: {why}"),
        };
        let place = Place::path("entities").nth(i).field("properties");
        let message = format!("material file \"{}\" {why}", findings::render::escape(&shown));
        self.cx.findings.add(Finding::new(&DGL3_026.info, place, message));
        self.cx.lose(&LOSS_090, &*findings::render::escape(&shown), 1, "material", &format!("it {why}"));
        None
    }

    fn add_material(&mut self, bytes: Blob, file: &[u8], id: &FileId) -> Id<Material> {
        let doc = mat::Document::of(bytes);
        let mut material = mat::lift_material(&doc, Some(id), &mut self.scene, &mut self.textures, self.cx);
        FILE.set(&mut material.extras, Value::Text(Name::from(file)));
        self.scene.materials.add(material)
    }
}
