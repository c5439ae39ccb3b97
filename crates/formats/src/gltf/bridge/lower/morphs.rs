//! Morph targets.

use std::collections::BTreeMap;

use findings::Subject;
use scene::loss::*;
use scene::{Attribute, Mesh, Primitive, Semantic};
use serde_json::json;

use super::{Output, streams};
use crate::gltf::carry::{Carry, TARGET_NAMES, encode};
use crate::gltf::schema::{Json, Map, Real};

/// How many targets every primitive of a mesh has.
pub(super) fn count(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0)
}

/// So many targets of a primitive.
pub(super) fn lower(
    out: &mut Output<'_, '_, '_>,
    primitive: &Primitive,
    targets: usize,
    count: usize,
    place: &Subject,
) -> Vec<BTreeMap<String, usize>> {
    (0..targets)
        .map(|i| {
            let attributes = primitive.targets.get(i).map_or(&[][..], |target| &target.attributes);
            lower_target(out, attributes, primitive, count, place)
        })
        .collect()
}

fn lower_target(
    out: &mut Output<'_, '_, '_>,
    attributes: &[Attribute],
    primitive: &Primitive,
    count: usize,
    place: &Subject,
) -> BTreeMap<String, usize> {
    let mut written = BTreeMap::new();
    for Attribute { semantic, stream } in attributes {
        let (width, role) = match semantic {
            Semantic::Position => (3, Semantic::Position),
            // Deltas of tangents leave the sign alone, so they are three numbers, as those of normals.
            Semantic::Normal | Semantic::Tangent => (3, Semantic::Normal),
            Semantic::TexCoord(_) => (2, semantic.clone()),
            Semantic::Color(_) => (3, semantic.clone()),
            _ => (0, Semantic::Normal),
        };
        let why = match () {
            () if width == 0 => "glTF does not morph it",
            () if primitive.get(semantic).is_none() => "glTF morphs what the mesh itself has, and that has none",
            () if stream.count() < width || stream.len() != count => "it has not as many values as the mesh",
            () => "",
        };
        if !why.is_empty() {
            out.cx.lose(&LOSS_017, place, 1, semantic.became("of a morph target"), why);
            continue;
        }
        if let Some(accessor) = streams::attribute(out, &role, stream) {
            written.insert(semantic.to_string(), accessor);
        }
    }
    if written.is_empty() {
        // A target must name something.
        written.insert(Semantic::Position.to_string(), streams::zeros(out, 3, count, true));
    }
    written
}

/// Default weights, if any is not zero.
pub(super) fn weights(mesh: &Mesh) -> Vec<Real> {
    let weights = mesh.morphs.iter().map(|morph| morph.default);
    if weights.clone().all(|weight| weight == 0.) { Vec::new() } else { weights.map(Real::from).collect() }
}

/// Ranges that are not the usual 0 to 1.
pub(super) fn carry_ranges(mesh: &Mesh, carry: &mut Carry) {
    if mesh.morphs.iter().any(|morph| (morph.min, morph.max) != (0., 1.)) {
        let range = |m: &scene::MorphRange| json!([encode(&m.min.into()), encode(&m.max.into())]);
        carry.set("morph_ranges", mesh.morphs.iter().map(range).collect::<Json>());
    }
}

/// Names of morph targets stand where other programs look for them: beside pentad's own extras.
pub(super) fn with_names(mesh: &Mesh, extras: Option<Json>) -> Option<Json> {
    if mesh.morphs.iter().all(|morph| morph.name.is_empty()) {
        return extras;
    }
    let names: Json = mesh.morphs.iter().map(|morph| morph.name.to_string()).collect();
    let mut all = match extras {
        Some(Json::Object(all)) => all,
        _ => Map::new(),
    };
    all.insert(TARGET_NAMES.to_owned(), names);
    Some(Json::Object(all))
}
