//! What DGL3 says of objects of a scene although a scene has no field for it.

use scene::{Extras, Name, Value};

use crate::carry::{Key, Owner};

pub(in super::super) const KEYS: &[Key] = &[ID, EXTERNAL, INCLUDES, INCLUDED, LIGHT_TYPE, FILE];

/// See [`super::super::layout::Mesh::mesh_id`] and its like.
pub(super) const ID: Key = Key {
    name: "dgl3.id",
    of: &[Owner::Node, Owner::Mesh, Owner::Light],
    about: "its id, if that is not its position among those of its kind",
};
/// See [`super::super::layout::External`].
pub(super) const EXTERNAL: Key =
    Key { name: "dgl3.external", of: &[Owner::Node, Owner::Mesh], about: "the file it comes from: text" };
/// The number of the file whose scene stands below a node.
pub(super) const INCLUDES: Key =
    Key { name: "dgl3.includes", of: &[Owner::Node], about: "the number of the file whose scene stands below it" };
/// The number of the file that a node is in; what a nested file includes counts for the outermost one.
pub(super) const INCLUDED: Key =
    Key { name: "dgl3.included", of: &[Owner::Node], about: "the number of the file it is in" };
/// See [`super::super::layout::LightType`].
pub(super) const LIGHT_TYPE: Key =
    Key { name: "dgl3.light_type", of: &[Owner::Light], about: "its type, if that is neither 0 nor 1" };
/// What entities call the file of a material.
pub(super) const FILE: Key = Key {
    name: "dgl3.file",
    of: &[Owner::Material, Owner::Node],
    about: "the name of its file; of a node that of its material, if that is not there: text",
};

/// The whole number that a key says, if it fits a field.
pub(super) fn int(key: &Key, extras: &Extras) -> Option<i32> {
    key.get(extras).and_then(as_i32)
}

/// The text that a key says.
pub(super) fn text<'a>(key: &Key, extras: &'a Extras) -> Option<&'a Name> {
    key.get(extras).and_then(Value::as_text)
}

/// A whole number that fits a field.
pub(super) fn as_i32(value: &Value) -> Option<i32> {
    value.as_int().and_then(|n| i32::try_from(n).ok())
}

/// Lets an object say nothing under a key any more.
pub(super) fn forget(extras: &mut Extras, key: &Key) {
    extras.own.retain(|(own, _)| own != key.name);
}
