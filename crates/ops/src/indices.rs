//! Corners that name their vertices, and corners that are vertices.

use scene::Primitive;

/// The vertices of a primitive in the order in which they are drawn.
pub fn corners(primitive: &Primitive) -> Vec<u32> {
    match &primitive.indices {
        Some(indices) => indices.to_vec(),
        None => (0..primitive.vertex_count() as u32).collect(),
    }
}

/// Gives every corner a vertex of its own.
pub fn unindex(primitive: &mut Primitive) {
    let Some(indices) = primitive.indices.take() else { return };
    let indices = indices.to_vec();
    for attribute in &mut primitive.attributes {
        attribute.stream = attribute.stream.gather(&indices);
    }
    for attribute in primitive.targets.iter_mut().flat_map(|target| &mut target.attributes) {
        attribute.stream = attribute.stream.gather(&indices);
    }
}

/// Gives a primitive without indices those that name one vertex after the other.
pub fn index(primitive: &mut Primitive) {
    if primitive.indices.is_none() {
        primitive.indices = Some(corners(primitive).into());
    }
}
