//! What a scene has no field for and travels along with its objects.

use scene::{Extras, Value};

use crate::carry::{Key, Owner};
use crate::dragon::layout::guid::Guid;

/// Objects that a section stands for.
const SECTIONS: &[Owner] = &[
    Owner::Node,
    Owner::Mesh,
    Owner::Material,
    Owner::Texture,
    Owner::Image,
    Owner::Skin,
    Owner::Animation,
    Owner::Voxels,
];
/// The same and the file, which may have settings, too.
const SET: &[Owner] = &[
    Owner::Asset,
    Owner::Node,
    Owner::Mesh,
    Owner::Material,
    Owner::Texture,
    Owner::Image,
    Owner::Skin,
    Owner::Animation,
    Owner::Voxels,
];

pub(super) const GUID: Key = Key { name: "dragon.guid", of: SECTIONS, about: "the GUID of its section" };
pub(super) const SETTINGS: Key = Key { name: "dragon.settings", of: SET, about: "the GUID of its SETTINGS" };
pub(super) const TYPES: Key = Key {
    name: "dragon.types",
    of: SET,
    about: "types of its properties, in their order; `null` for the usual type of such a value",
};
pub(super) const PROPERTIES: Key = Key {
    name: "dragon.properties",
    of: &[Owner::Texture, Owner::Image, Owner::Skin, Owner::Animation],
    about: "its settings, as pairs of key and value",
};
pub(super) const NAME: Key =
    Key { name: "dragon.name", of: &[Owner::Primitive], about: "the name of a mesh inside of a GEOMETRY" };
pub(super) const SHADER: Key = Key {
    name: "dragon.shader",
    of: &[Owner::Material],
    about: "its shader, if it is another one than is written for such a material",
};
pub(super) const EMPTY_SLOTS: Key =
    Key { name: "dragon.empty_slots", of: &[Owner::Material], about: "the targets of slots without a texture" };
pub(super) const ENABLED: Key =
    Key { name: "dragon.enabled", of: &[Owner::Node], about: "`false` for a bone that is not enabled" };
pub(super) const FOV: Key = Key {
    name: "dragon.fov",
    of: &[Owner::Light],
    about: "the angle of a light that is no spot, as stored, in degrees",
};
pub(super) const ASSET: Key = Key { name: "dragon.asset", of: &[Owner::Asset], about: "the GUID of ASSET" };
pub(super) const REFERENCES: Key =
    Key { name: "dragon.references", of: &[Owner::Asset], about: "the ASSETREFs: pairs of GUID and path" };
pub(super) const ENDIAN: Key = Key { name: "dragon.endian", of: &[Owner::Asset], about: "`big`, if the file is" };

/// All of them.
pub(in super::super) const KEYS: &[Key] =
    &[GUID, SETTINGS, TYPES, PROPERTIES, NAME, SHADER, EMPTY_SLOTS, ENABLED, FOV, ASSET, REFERENCES, ENDIAN];

/// Remembers what a section is called, if it is called anything.
pub(super) fn remember(extras: &mut Extras, key: Key, guid: Guid) {
    if !guid.is_none() {
        key.set(extras, of_guid(guid));
    }
}

pub(super) fn of_guid(guid: Guid) -> Value {
    Value::Bytes(guid.0.to_vec())
}

pub(super) fn guid(extras: &Extras, key: Key) -> Option<Guid> {
    as_guid(key.get(extras)?)
}

pub(super) fn as_guid(value: &Value) -> Option<Guid> {
    let Value::Bytes(bytes) = value else { return None };
    let guid = Guid(bytes.as_slice().try_into().ok()?);
    (!guid.is_none()).then_some(guid)
}
