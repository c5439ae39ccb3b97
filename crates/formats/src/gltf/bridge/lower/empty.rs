//! Parts of meshes that draw nothing, which glTF does not allow: they travel beside their mesh, or beside its nodes if
//! nothing else is left of it.

use scene::{Attribute, Id, Mesh, Primitive, Value};
use serde_json::json;

use super::original::{Original, lower_stream};
use super::{Output, geometry};
use crate::gltf::carry::{Carry, encode};
use crate::gltf::schema::Json;

/// A part as the source had it, and its position among the others.
pub(super) fn part(out: &mut Output<'_, '_, '_>, primitive: &Primitive, at: usize) -> Json {
    let kept = primitive.original.as_deref();
    let own = || (primitive.topology, primitive.indices.clone(), primitive.corners.clone());
    let mut was =
        Original { faces: Some(kept.and_then(|o| o.faces.clone()).unwrap_or_else(own)), ..Original::default() };
    for attribute in kept.map_or(&[][..], |o| &o.attributes).iter().chain(&primitive.attributes) {
        was.remember(&attribute.semantic.to_string(), attribute);
    }
    let mut all = was.lower(out).unwrap_or_default();
    all["at"] = json!(at);
    if let Some(material) = geometry::material_of(out, primitive) {
        all["material"] = json!(material.index());
    }
    if !primitive.targets.is_empty() {
        let mut stream = |a: &Attribute| (a.semantic.to_string(), lower_stream(out, &a.stream));
        let targets = primitive.targets.iter().map(|t| Json::Object(t.attributes.iter().map(&mut stream).collect()));
        all["targets"] = targets.collect();
    }
    if let Some(extras) = out.extras(Carry::default(), &primitive.extras) {
        all["extras"] = extras;
    }
    all
}

/// What is said of a mesh that has no other parts.
pub(super) fn mesh(mesh: &Mesh, id: Id<Mesh>, extras: Option<Json>) -> Json {
    let mut all = json!({ "at": id.index(), "name": encode(&Value::Text(mesh.name.clone())) });
    if let Some(extras) = extras {
        all["extras"] = extras;
    }
    all
}
