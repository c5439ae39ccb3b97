//! The tables of keys in `docs/carry.md`, between its marks.

use std::fs;

use pentad::formats::carry::{Key, Owner};
use pentad::formats::{AnyFormat, FORMATS};

use super::{Files, between, code, table};
use crate::Result;
use crate::workspace::root;

const PAGE: &str = "docs/carry.md";

pub(super) fn page() -> Result<Files> {
    let text = fs::read_to_string(root().join(PAGE))?;
    let new = between(&text, "<!-- keys -->", "<!-- /keys -->", &tables());
    let new = new.ok_or("docs/carry.md has no marks for the tables of keys")?;
    Ok(Files::from([(PAGE.to_owned(), new)]))
}

/// One table per format that says more than a scene does; glTF's own keys first, which belong to none.
fn tables() -> String {
    let with_keys = FORMATS.iter().filter(|format| !format.keys().is_empty());
    let mut text = String::new();
    if let Some(gltf) = with_keys.clone().find(|format| is_gltf(**format)) {
        text += &format!("\n### Of every format\n\n{}", rows(gltf.keys()));
    }
    for format in with_keys.filter(|format| !is_gltf(**format)) {
        text += &format!("\n### What only {} says\n\n{}", format.info().name, rows(format.keys()));
    }
    text + "\n"
}

fn is_gltf(format: &dyn AnyFormat) -> bool {
    ["gltf", "glb"].contains(&format.info().id)
}

fn rows(keys: &[Key]) -> String {
    let row = |key: &Key| {
        let of: Vec<&str> = key.of.iter().map(|owner| word(*owner)).collect();
        vec![code(key.name), of.join(", "), key.about.to_owned()]
    };
    table(&["key", "of", "meaning"], keys.iter().map(row))
}

fn word(owner: Owner) -> &'static str {
    match owner {
        Owner::Asset => "file",
        Owner::Scene => "scene",
        Owner::Node => "node",
        Owner::Mesh => "mesh",
        Owner::Primitive => "primitive",
        Owner::Material => "material",
        Owner::Texture => "texture",
        Owner::Image => "image",
        Owner::Light => "light",
        Owner::Camera => "camera",
        Owner::Skin => "skin",
        Owner::Animation => "animation",
        Owner::Voxels => "voxels",
    }
}
