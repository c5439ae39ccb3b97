//! What travels along with the objects of a scene.

use scene::{Extras, Value};

use super::super::guid::Guid;

/// What the section is called.
pub(super) const GUID: &str = "dragon.guid";
/// What its SETTINGS are called.
pub(super) const SETTINGS: &str = "dragon.settings";
/// Types of properties that are not the plain ones, by position.
pub(super) const TYPES: &str = "dragon.types";
/// Properties of what has no field for them: pairs of key and value.
pub(super) const PROPERTIES: &str = "dragon.properties";
/// What the buffers of a geometry are called.
pub(super) const VERTEX: &str = "dragon.vertex";
pub(super) const INDICE: &str = "dragon.indice";
pub(super) const MORPH: &str = "dragon.morph";
pub(super) const MORPHS: &str = "dragon.morphs";
/// The name of a part of a shape.
pub(super) const NAME: &str = "dragon.name";
/// The program that draws a material.
pub(super) const SHADER: &str = "dragon.shader";
/// Words of slots without a texture.
pub(super) const EMPTY_SLOTS: &str = "dragon.empty_slots";
/// Whether a bone is in use.
pub(super) const ENABLED: &str = "dragon.enabled";
/// Sizes of groups of copies, if materials do not tell them.
pub(super) const GROUPS: &str = "dragon.groups";
/// The angle of a light, if its kind does not tell it.
pub(super) const FOV: &str = "dragon.fov";
/// What the palette of voxels is called.
pub(super) const PALETTE: &str = "dragon.palette";
/// What the tracks of an animation are called.
pub(super) const TRACKS: &str = "dragon.tracks";
/// What the skeleton of a geometry is called, and that of an animation if nothing in it tells.
pub(super) const SKELETON: &str = "dragon.skeleton";
/// What ASSET is called.
pub(super) const ASSET: &str = "dragon.asset";
/// Other files that a file names: pairs of guid and path.
pub(super) const REFERENCES: &str = "dragon.references";
/// The byte order, if it is big.
pub(super) const ENDIAN: &str = "dragon.endian";

/// The version of the file, if it is not the usual one.
pub(super) const VERSION: &str = "dragon.version";
/// What the file itself is called, if it is not what all are called.
pub(super) const FILE: &str = "dragon.file";
/// Which way is up, if it is no direction.
pub(super) const UP: &str = "dragon.up";
/// Bytes behind the last section.
pub(super) const TAIL: &str = "dragon.tail";
/// Sections as they were, as a file.
pub(super) const KEPT: &str = "dragon.kept";
/// Sections that stand for nothing in a scene, as a file.
pub(super) const SECTIONS: &str = "dragon.sections";

/// Remembers what a section is called, if it is called anything.
pub(super) fn remember(extras: &mut Extras, key: &str, guid: Guid) {
    if !guid.is_none() {
        extras.set(key, of_guid(guid));
    }
}

pub(super) fn of_guid(guid: Guid) -> Value {
    Value::Bytes(guid.0.to_vec())
}

pub(super) fn guid(extras: &Extras, key: &str) -> Option<Guid> {
    as_guid(extras.get(key)?)
}

pub(super) fn as_guid(value: &Value) -> Option<Guid> {
    let Value::Bytes(bytes) = value else { return None };
    let guid = Guid(bytes.as_slice().try_into().ok()?);
    (!guid.is_none()).then_some(guid)
}
