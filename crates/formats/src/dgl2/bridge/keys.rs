//! What DGL2 says of objects of a scene although a scene has no field for it.

use scene::{Extras, Value};

use crate::carry::{Key, Owner};

pub(in super::super) const KEYS: &[Key] = &[ID, TYPE, TRANSPARENT, BLEND, COPY_OF, VARIANT_OF];

/// See [`super::super::layout::Chunk::id`].
pub(super) const ID: Key = Key {
    name: "dgl2.id",
    of: &[Owner::Node, Owner::Mesh, Owner::Material],
    about: "its id, if that is not its position among those of its kind",
};
/// See [`super::super::layout::EntityKind`].
pub(super) const TYPE: Key =
    Key { name: "dgl2.type", of: &[Owner::Node], about: "its type, if it is neither 0 nor a light" };
/// The property `transparent` of an entity.
pub(super) const TRANSPARENT: Key = Key {
    name: "dgl2.transparent",
    of: &[Owner::Node],
    about: "`true`: it is transparent, although no material that it shows blends because of that",
};
/// See [`super::super::properties::TextureSlot::blend`].
pub(super) const BLEND: Key = Key {
    name: "dgl2.blend",
    of: &[Owner::Material],
    about: "how the texture of each slot is mixed with those before it, if the slots do not say: a list of numbers",
};
/// One mesh of the file is several in a scene where entities give it different materials.
pub(super) const COPY_OF: Key = Key {
    name: "dgl2.copy_of",
    of: &[Owner::Mesh],
    about: "the number of the mesh it is, but for materials that the entity gives it",
};
/// One material of the file is two in a scene where transparent entities show it and opaque ones, too.
pub(super) const VARIANT_OF: Key = Key {
    name: "dgl2.variant_of",
    of: &[Owner::Material],
    about: "the number of the material it is, but that a transparent entity lets it blend",
};

/// The whole number that a key says, if it fits a field.
pub(super) fn int(key: &Key, extras: &Extras) -> Option<i32> {
    key.get(extras).and_then(Value::as_int).and_then(|value| i32::try_from(value).ok())
}

/// The position of an object that a key says.
pub(super) fn position(key: &Key, extras: &Extras) -> Option<usize> {
    key.get(extras).and_then(Value::as_int).and_then(|value| usize::try_from(value).ok())
}
