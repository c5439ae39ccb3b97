//! What OBJ says of objects of a scene although a scene has no field for it.

use crate::carry::{Key, Owner};

pub(in crate::obj) const KEYS: &[Key] = &[GROUPS, SMOOTHING, VALUES, STATEMENTS];

/// `g`.
pub(super) const GROUPS: Key = Key {
    name: "obj.groups",
    of: &[Owner::Node, Owner::Primitive],
    about: "names of groups (`g`); of a primitive a list of changes: `from`, the first face, segment or point, and `names`",
};
/// `s`.
pub(super) const SMOOTHING: Key = Key {
    name: "obj.smoothing",
    of: &[Owner::Primitive],
    about: "smoothing groups (`s`), as a list of changes: `from` and `group`",
};
/// `-mm`.
pub(in crate::obj) const VALUES: Key = Key {
    name: "obj.values",
    of: &[Owner::Texture],
    about: "what `-mm` adds to the values of the image, and what it multiplies them by",
};
/// Statements that are written again, although not every property of such a name is one.
pub(in crate::obj) const STATEMENTS: Key = Key {
    name: "obj.statements",
    of: &[Owner::Material],
    about: "names of its properties that are statements of its library, beside those that always are",
};
