//! Tracks of `KHR_animation_pointer` that move a property of a node. Where other pointers lead, a scene does not know:
//! they stay words, whose numbers follow the objects.

/// The node that a pointer leads to, and the property of it.
pub(super) fn node_of(pointer: &str) -> Option<(usize, &str)> {
    let (number, property) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    Some((number.parse().ok()?, property))
}

/// The pointer to a property of a node.
pub(super) fn to_node(number: usize, property: &str) -> String {
    format!("/nodes/{number}/{property}")
}

/// Whether a property of a node is true or false.
pub(super) fn is_flag(property: &str) -> bool {
    property == "extensions/KHR_node_visibility/visible"
}
