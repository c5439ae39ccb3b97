//! The keys of a material: one line each, from which typed access, rules, bridges and the reference page are made.

use scene::Role;
use wire::{Row, Table};

/// What a key's value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A string.
    Text,
    /// A string that names a file.
    Texture,
    /// Four numbers.
    Color([f32; 4]),
    /// A number from 0 to 1.
    Number(f32),
    /// 0 or 1.
    Flag(bool),
}

impl Kind {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Text | Kind::Texture => "a string in quotes",
            Kind::Color(_) => "four numbers in brackets",
            Kind::Number(_) => "a number",
            Kind::Flag(_) => "0 or 1",
        }
    }
}

/// A key that the engine reads, or once read.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What its value is, and what it is without.
    pub kind: Kind,
    /// Whether the engine no longer reads it.
    pub obsolete: bool,
    about: &'static [&'static str],
}

const fn key(name: &'static str, kind: Kind, about: &'static [&'static str]) -> Key {
    Key { name, kind, obsolete: false, about }
}

const fn obsolete(name: &'static str, kind: Kind, about: &'static [&'static str]) -> Key {
    Key { obsolete: true, ..key(name, kind, about) }
}

/// Every key, in the order new files have them.
pub static KEYS: [Key; 28] = [
    key("name", Kind::Text, &[" The material's name; the engine goes by the file's name."]),
    key("ambientColor", Kind::Color([0., 0., 0., 1.]), &[" Colour in ambient light."]),
    key("diffuseColor", Kind::Color([0.8, 0.8, 0.8, 1.]), &[" Base colour; a diffuseTexture replaces it."]),
    key("specularColor", Kind::Color([1.; 4]), &[" Colour of highlights."]),
    key("emissionColor", Kind::Color([0., 0., 0., 1.]), &[" Light given off; the fourth number scales the texture."]),
    key("roughness", Kind::Number(0.4), &[" 0 mirror, 1 chalk."]),
    key("specularity", Kind::Number(0.9), &[" Strength of highlights."]),
    key("metallic", Kind::Number(0.01), &[" 0 dielectric, 1 metal."]),
    key("diffuseTexture", Kind::Texture, &[" Base colour, or the image of a matcap."]),
    key("normalTexture", Kind::Texture, &[" Normals in tangent space, green up; alpha is height."]),
    key("emissionTexture", Kind::Texture, &[" Light given off."]),
    key("speculatiryTexture", Kind::Texture, &[" Specularity in red; the engine's own spelling."]),
    key("specularityTexture", Kind::Texture, &[" The same, as one would spell it; the engine does not know it."]),
    key("roughnessTexture", Kind::Texture, &[" Roughness in red."]),
    key("metallicTexture", Kind::Texture, &[" Metalness in red."]),
    key("shadeless", Kind::Flag(false), &[" Not lit."]),
    key("matcap", Kind::Flag(false), &[" diffuseTexture is an image of a lit sphere."]),
    key("doubleSided", Kind::Flag(false), &[" The back is visible."]),
    key("additiveBlending", Kind::Flag(false), &[" Adds to what lies behind."]),
    key("castShadows", Kind::Flag(true), &[" Read by the last version only."]),
    key("receiveShadows", Kind::Flag(true), &[" Shadows fall on it."]),
    key("useTextures", Kind::Flag(true), &[" Textures are shown."]),
    key("useGLSL", Kind::Flag(true), &[" Shaders are used."]),
    key("useFog", Kind::Flag(true), &[" Fog covers it."]),
    obsolete("ambientTexture", Kind::Texture, &[" No longer read."]),
    obsolete("specAmbientTexture", Kind::Texture, &[" No longer read."]),
    obsolete("fresnel", Kind::Number(0.3), &[" No longer read."]),
    obsolete("pbrTexture", Kind::Texture, &[" No longer read."]),
];

impl Key {
    /// The key of this name.
    pub fn of(name: &[u8]) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.name.as_bytes() == name)
    }

    /// What a texture of this key is for; the strange ones keep their word.
    pub(super) fn role(&self) -> Option<Role> {
        (self.kind == Kind::Texture).then(|| match self.name {
            "diffuseTexture" => Role::BaseColor,
            "normalTexture" => Role::Normal,
            "emissionTexture" => Role::Emission,
            "speculatiryTexture" | "specularityTexture" => Role::Specular,
            "roughnessTexture" => Role::Roughness,
            "metallicTexture" => Role::Metallic,
            other => Role::Other(other.to_owned()),
        })
    }
}

const fn row(key: &Key) -> Row {
    let ty = match key.kind {
        Kind::Text => "string",
        Kind::Texture => "file name",
        Kind::Color(_) => "[r, g, b, a]",
        Kind::Number(_) => "number",
        Kind::Flag(_) => "0 or 1",
    };
    Row { field: key.name, ty, when: if key.obsolete { "obsolete" } else { "" }, doc: key.about, wire_only: false }
}

/// The keys as the reference page prints them.
pub(super) static TABLE: Table = Table {
    name: "Keys",
    doc: &[" Statements `name: value`, in any order; what is not there has its default."],
    rows: &ROWS,
};

static ROWS: [Row; KEYS.len()] = {
    const EMPTY: Row = Row { field: "", ty: "", when: "", doc: &[], wire_only: false };
    let mut rows = [EMPTY; KEYS.len()];
    let mut i = 0;
    while i < rows.len() {
        rows[i] = row(&KEYS[i]);
        i += 1;
    }
    rows
};
