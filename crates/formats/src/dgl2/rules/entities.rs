//! What can be wrong with entities.

use std::collections::HashSet;

use findings::{Place, Severity, rule};
use wire::{F32, Kept};

use super::{chunks_of, property_place, show};
use crate::dgl2::layout::{Chunk, ChunkKind, Data, Document, ENTITY_SIZE, EntityKind};
use crate::dgl2::origin;
use crate::dgl2::properties::Properties;

/// How far from 1 the length of a rotation may be.
const ROTATION_TOLERANCE: f64 = 0.001;

rule! {
    /// ## What it finds
    /// An ENTITY with fewer than 56 bytes of data, or whose text reaches behind its data.
    ///
    /// ## Why it matters
    /// Its fields cannot be told apart. The bytes are kept, but the entity is not shown.
    ///
    /// ## Example
    /// `data_size` is 60 and the text takes 20 bytes.
    ///
    /// ## Fix
    /// Get the file again, or export the model anew.
    DGL2_016 "DGL2-016" "entity-size", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, chunk) in chunks_of(doc, ChunkKind::ENTITY) {
            if let Data::Bytes(bytes) = &chunk.data {
                let size_at = bytes.get(ENTITY_SIZE - 4, 4);
                let Some((at, size)) = size_at.as_ref().and_then(|at| Some((at, at.first_chunk::<4>()?))) else {
                    let message = format!("an entity takes {ENTITY_SIZE} bytes, and this one has {}", bytes.len());
                    cx.report(Place::path(format!("chunks[{i}].data_size")), message);
                    continue;
                };
                let (size, room) = (u32::from_le_bytes(*size), bytes.len() - ENTITY_SIZE);
                let message = format!("the text takes {size} bytes, and {room} remain");
                cx.report(Place::blob(format!("chunks[{i}].data"), at), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Bytes behind the text of an ENTITY or MATERIAL that belong to its data.
    ///
    /// ## Why it matters
    /// No program reads them, and the length of the text may be wrong. They are kept when the file is rewritten.
    ///
    /// ## Example
    /// `data_size` is 62, the text takes 4 of the 6 bytes behind the fields.
    ///
    /// ## Fix
    /// Set the length of the text to the bytes that follow it, or remove what is left, as `check --fix=all` does.
    DGL2_017 "DGL2-017" "bytes-behind-text", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, chunk) in doc.chunks.iter().enumerate() {
            let (slack, size, field) = match &chunk.data {
                Data::Material(material) => (&material.slack, material.text.len(), "text_size"),
                Data::Entity(entity) => (&entity.slack, entity.text.len(), "dml_size"),
                _ => continue,
            };
            if let Some(slack) = slack {
                let message = format!("{field} is {size}, and {} bytes follow the text", slack.len());
                cx.report(Place::path(format!("chunks[{i}].data.{field}")), message);
            }
        }
    }
    fn cut(doc: &mut Document) -> u64 {
        let has_slack = |chunk: &&mut Kept<Chunk>| match &chunk.data {
            Data::Material(material) => material.slack.is_some(),
            Data::Entity(entity) => entity.slack.is_some(),
            _ => false,
        };
        let drop_slack = |chunk: &mut Kept<Chunk>| match &mut chunk.edit().data {
            Data::Material(material) => material.slack = None,
            Data::Entity(entity) => entity.slack = None,
            _ => {}
        };
        doc.chunks.iter_mut().filter(has_slack).map(drop_slack).count() as u64
    }
}

rule! {
    /// ## What it finds
    /// An entity whose mesh no TRIMESH chunk has; -1 stands for none.
    ///
    /// ## Why it matters
    /// It is shown without a mesh.
    ///
    /// ## Example
    /// `mesh_id` is 7, and the file has meshes 0 to 3.
    ///
    /// ## Fix
    /// Export the model again, or set the number to -1.
    DGL2_018 "DGL2-018" "entity-mesh-unknown", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let known: HashSet<i32> = doc.meshes().map(|(_, chunk, _)| chunk.id).collect();
        for (i, _, entity) in doc.entities() {
            let id = entity.mesh_id;
            if id != -1 && !known.contains(&id) {
                let message = format!("the entity has mesh {id}, which the file does not have");
                cx.report(Place::path(format!("chunks[{i}].data.mesh_id")), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// An entity whose material no MATERIAL chunk has; -1 stands for none.
    ///
    /// ## Why it matters
    /// It has no effect.
    ///
    /// ## Example
    /// `material_id` is 7, and the file has materials 0 to 3.
    ///
    /// ## Fix
    /// Set the number to -1.
    DGL2_019 "DGL2-019" "entity-material-unknown", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let known: HashSet<i32> = doc.materials().map(|(_, chunk, _)| chunk.id).collect();
        for (i, _, entity) in doc.entities() {
            let id = entity.material_id;
            if id != -1 && !known.contains(&id) {
                let message = format!("the entity has material {id}, which the file does not have");
                cx.report(Place::path(format!("chunks[{i}].data.material_id")), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A rotation that is not of unit length, by more than one part in a thousand. One without a length, or with
    /// numbers that are not finite, is an error.
    ///
    /// ## Why it matters
    /// The engine makes a matrix of it without asking: the mesh is scaled or disappears.
    ///
    /// ## Example
    /// A rotation `[0, 0, 0, 0]`.
    ///
    /// ## Fix
    /// Export the model again; the rotation of an unturned mesh is `[-0.7071068, 0, 0, 0.7071068]`.
    DGL2_020 "DGL2-020" "rotation-length", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, _, entity) in doc.entities() {
            let length = entity.rotation.iter().map(|v| f64::from(v.get()).powi(2)).sum::<f64>().sqrt();
            let place = Place::path(format!("chunks[{i}].data.rotation"));
            if !length.is_finite() {
                cx.report_as(Severity::Error, place, "the rotation holds a number that is not finite");
            } else if length == 0. {
                cx.report_as(Severity::Error, place, "the rotation has no length");
            } else if (length - 1.).abs() > ROTATION_TOLERANCE {
                cx.report(place, format!("the rotation has the length {length:.4}"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A scale of zero, or one that is not finite. Of a negative one it says that it turns the faces round, which may
    /// be meant.
    ///
    /// ## Why it matters
    /// A mesh that is scaled by zero has no thickness, and its normals have no direction.
    ///
    /// ## Example
    /// A scaling `[1, 0, 1]`.
    ///
    /// ## Fix
    /// Apply the scale in the editor before exporting.
    DGL2_021 "DGL2-021" "scaling-odd", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, _, entity) in doc.entities() {
            let scaling = entity.scaling.map(F32::get);
            let place = Place::path(format!("chunks[{i}].data.scaling"));
            if scaling.iter().any(|v| !v.is_finite()) {
                cx.report(place, "the scaling holds a number that is not finite");
            } else if scaling.contains(&0.) {
                cx.report(place, format!("the scaling is {scaling:?}"));
            } else if scaling.iter().any(|&v| v < 0.) {
                cx.report_as(Severity::Info, place, format!("the scaling {scaling:?} mirrors the mesh"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A point light (type 1) without the property `color`; mesh metadata (type 4) without `mesh`, or with a name that
    /// no mesh has.
    ///
    /// ## Why it matters
    /// The engine stops when it makes a light without a colour. Metadata without a mesh has no effect.
    ///
    /// ## Example
    /// An entity of type 1 with an empty text.
    ///
    /// ## Fix
    /// Give the light a `color="[1, 1, 1, 1]";`, the metadata the name of a mesh.
    DGL2_022 "DGL2-022" "entity-property-missing", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let meshes: HashSet<&[u8]> = doc.meshes().map(|(_, chunk, _)| chunk.name.bytes()).collect();
        for (i, _, entity) in doc.entities() {
            let place = Place::path(format!("chunks[{i}].data.kind"));
            let properties = Properties(doc.properties(&entity.text));
            match entity.kind {
                EntityKind::LIGHT if properties.find("color").is_none() => {
                    let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Warning };
                    cx.report_as(severity, place, "the light has no property color");
                }
                EntityKind::METADATA => match properties.find("mesh") {
                    None => cx.report(place, "the metadata has no property mesh"),
                    Some(mesh) if !meshes.contains(&*mesh.value) => {
                        let message = format!("there is no mesh called {}", show(&mesh.value));
                        cx.report(property_place(i, mesh), message);
                    }
                    Some(_) => {}
                },
                _ => {}
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// An entity with a material whose mesh has triangles without one.
    ///
    /// ## Why it matters
    /// By the document those triangles have the entity's material, and so they are shown here. The engine ignores it.
    ///
    /// ## Example
    /// `material_id` of the entity is 2, that of its mesh's triangles -1.
    ///
    /// ## Fix
    /// Give the triangles their material, and the entity -1.
    DGL2_034 "DGL2-034" "entity-material-used", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let materials: HashSet<i32> = doc.materials().map(|(_, chunk, _)| chunk.id).collect();
        let bare: HashSet<i32> =
            doc.meshes().filter(|(.., mesh)| mesh.triangles.iter().any(|t| t.material_id == -1)).map(|(_, c, _)| c.id).collect();
        let severity = if cx.asked_for_engine() { Severity::Warning } else { Severity::Info };
        for (i, _, entity) in doc.entities() {
            if materials.contains(&entity.material_id) && bare.contains(&entity.mesh_id) {
                let message = format!("triangles without a material have material {} of the entity", entity.material_id);
                cx.report_as(severity, Place::path(format!("chunks[{i}].data.material_id")), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A file that does not say where the first row of its textures is: texts between braces come from the time when
    /// that changed, and its texture coordinates run both ways.
    ///
    /// ## Why it matters
    /// If the assumption is wrong, textures are upside down.
    ///
    /// ## Example
    /// A braced file whose meshes have no texture coordinates.
    ///
    /// ## Fix
    /// Look at the model, and give `--uv-origin top` or `bottom` if textures are upside down.
    DGL2_036 "DGL2-036" "uv-origin-assumed", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let found = origin::of(doc);
        if found.assumed && !doc.texts().all(|(_, text)| text.is_empty()) {
            let message = format!("texture coordinates are taken to begin at the {}", found.origin.name());
            cx.report(Place::path("chunks"), message);
        }
    }
}
