//! Materials → files beside the model.

use std::collections::HashMap;

use scene::loss::*;
use scene::{Id, Material, Scene};
use wire::{Blob, Sink, Text};

use super::super::keys::{self as key, FILE};
use super::includes::ELSEWHERE;
use crate::dgl3::dialect::Dialect;
use crate::file_name::safe_name;
use crate::images::{Images, folder_of, safe_path};
use crate::{Format, LowerCx, below, mat};

/// The material files of a model.
pub(super) struct Materials {
    dialect: mat::Dialect,
    names: HashMap<Id<Material>, Text>,
    images: Images,
}

impl Materials {
    pub(super) fn new(dialect: Dialect) -> Materials {
        let dialect = match dialect {
            Dialect::Spec => mat::Dialect::Spec,
            Dialect::Engine => mat::Dialect::Engine,
        };
        Materials { dialect, names: HashMap::new(), images: Images::default() }
    }

    /// The file of a material, which is written beside the model.
    pub(super) fn file(&mut self, scene: &Scene, id: Id<Material>, cx: &mut LowerCx<'_>) -> Text {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let Some(material) = scene.materials.get(id) else { return Text::default() };
        let said = key::text(&FILE, &material.extras).map(ToString::to_string);
        let wanted = match &said {
            Some(file) => match below(file) {
                Some(path) => safe_path(path.strip_suffix(".mat").unwrap_or(&path)),
                // What lies outside goes beside the model.
                None => {
                    safe_name(file.rsplit(['/', '\\', ':']).next().and_then(|f| f.strip_suffix(".mat")).unwrap_or(file))
                }
            },
            None if material.name.is_empty() => format!("material-{}", id.index()),
            None => safe_name(material.name.to_string().trim_end_matches(".mat")),
        };
        // The name that stands for no material is not for this one.
        let wanted = format!("{}.mat", if wanted == "__default__" { "__default__-2" } else { &wanted });
        let folder = folder_of(&wanted);
        let doc = mat::lower_material(scene, id, self.dialect, folder, &mut self.images, cx);
        let mut sink = Sink::default();
        // The text was composed of values that can be written.
        _ = mat::Mat::write(&doc, &mut sink);
        let name = cx.side_files.add(&wanted, Blob::memory(sink.into_vec()));
        let name = match said.filter(|said| said.replace('\\', "/") == name) {
            Some(said) => Text::from(said),
            None => Text::from(name),
        };
        self.names.insert(id, name.clone());
        name
    }

    /// Lists the materials that are in no file, be it another one that the model names.
    pub(super) fn lose_rest(&self, scene: &Scene, cx: &mut LowerCx<'_>) {
        for (id, material) in scene.materials.entries() {
            let named = self.names.contains_key(&id);
            if !named && material.extras.get(ELSEWHERE).is_none() {
                let label = material.subject(id);
                cx.lose(&LOSS_006, &label, 1, "unused material", "entities of DGL3 name materials");
            }
        }
    }
}
