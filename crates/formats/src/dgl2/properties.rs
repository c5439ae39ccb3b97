//! What a text says, whichever language it is in: names, values, and where they stand.

use wire::{Blob, Span, Text};

use super::dml::{Dml, value};

/// A property of a material or an entity.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: Blob,
    /// What DML has between the quotes. Values of DGL1 are shown in the same words.
    pub value: Blob,
    /// Where the name stands.
    pub name_at: Span,
    /// Where the value stands.
    pub value_at: Span,
}

pub(super) fn of_dml(text: &Text) -> Vec<Property> {
    let dml = Dml::read(text);
    let property = |pair: &super::dml::Pair| {
        let part = |range: &std::ops::Range<usize>| text.blob().slice(range.clone());
        let (name, value) = (part(&pair.name), part(&pair.value));
        Property { name_at: name.span(), value_at: value.span(), name, value }
    };
    dml.pairs().iter().map(property).collect()
}

/// The properties of one text, asked for by name. The last of several with one name counts.
pub struct Properties(pub Vec<Property>);

impl Properties {
    /// The property of this name.
    pub fn find(&self, name: &str) -> Option<&Property> {
        self.0.iter().rev().find(|property| *property.name == *name.as_bytes())
    }

    /// Its value.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.find(name).map(|property| &*property.value)
    }

    /// Its value as a number.
    pub fn float(&self, name: &str) -> Option<f32> {
        self.get(name).and_then(value::float)
    }

    /// Its value as a whole number.
    pub fn int(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(value::int)
    }

    /// Its value as a truth value.
    pub fn boolean(&self, name: &str) -> Option<bool> {
        self.get(name).and_then(value::boolean)
    }

    /// Its value as just so many numbers.
    pub fn array<const N: usize>(&self, name: &str) -> Option<[f32; N]> {
        self.get(name).and_then(value::array)
    }

    /// The textures, by slot.
    pub fn textures(&self) -> Vec<TextureSlot<'_>> {
        let slot = |slot: u8| {
            let property = self.find(&texture_key(slot))?;
            let (file, blend) = value::texture(&property.value);
            let blend = blend.or_else(|| self.int(&blend_key(slot)).and_then(|blend| i32::try_from(blend).ok()));
            Some(TextureSlot { slot, property, file, blend: blend.unwrap_or(0) })
        };
        (0..=LAST_SLOT).filter_map(slot).collect()
    }
}

/// The document's names run to `texture8`; the engine has eight slots.
pub(crate) const LAST_SLOT: u8 = 8;

/// The name of the property that holds a texture.
pub(crate) fn texture_key(slot: u8) -> String {
    format!("texture{slot}")
}

/// The name of the property that holds what the `engine` dialect has inside a texture's value.
pub(crate) fn blend_key(slot: u8) -> String {
    format!("texture{slot}Blend")
}

/// The slot that a key names: `texture0` to `texture8`.
pub(crate) fn slot_of(key: &[u8]) -> Option<u8> {
    match key.strip_prefix(b"texture") {
        Some([digit @ b'0'..=b'8']) => Some(digit - b'0'),
        _ => None,
    }
}

/// Whether a key of an entity says something of a node; `color` and those behind it only of lights.
pub(super) fn is_of_entity(key: &[u8], is_light: bool) -> bool {
    matches!(key, b"visible" | b"transparent") || (is_light && matches!(key, b"color" | b"intensity" | b"range"))
}

/// A texture of a material.
pub struct TextureSlot<'a> {
    /// Which slot.
    pub slot: u8,
    /// The property that holds it.
    pub property: &'a Property,
    /// The file, as the text names it.
    pub file: &'a [u8],
    /// How it is mixed with the textures before it: 0 mixes, 1 multiplies.
    pub blend: i32,
}
