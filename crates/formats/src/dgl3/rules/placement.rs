//! Where things stand: entities and lights.

use findings::{Place, Severity, rule};
use wire::F32;

use super::super::dialect::Dialect;
use super::super::layout::{Document, LightType};
use super::{for_engine, list};

/// How far from 1 the length of a rotation may be.
const UNIT_TOLERANCE: f64 = 1e-3;

rule! {
    /// ## What it finds
    /// A rotation whose length differs from 1 by more than 0.001; an error if it is 0 or not finite.
    ///
    /// ## Why it matters
    /// Such a quaternion stretches what it turns, or makes it vanish.
    ///
    /// ## Example
    /// `rotation` is (0, 0, 0, 0).
    ///
    /// ## Fix
    /// Apply the object's rotation and export the model again; an unrotated object has (0, 0, 0, 1).
    DGL3_019 "DGL3-019" "rotation-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let mut look = |rotation: [F32; 4], place: Place| {
            let length = rotation.iter().map(|v| f64::from(v.get()).powi(2)).sum::<f64>().sqrt();
            if length.is_nan() || (length - 1.).abs() > UNIT_TOLERANCE {
                let severity = if length > 0. && length.is_finite() { Severity::Warning } else { Severity::Error };
                cx.report_as(severity, place, format!("it is {}, of length {length:.4}", list(&rotation.map(F32::get))));
            }
        };
        for (i, entity) in doc.entities.iter().enumerate() {
            look(entity.transform.rotation, Place::path("entities").nth(i).field("transform.rotation"));
        }
        for (i, light) in doc.lights.iter().enumerate() {
            look(light.rotation, Place::path("lights").nth(i).field("rotation"));
        }
    }
}

rule! {
    /// ## What it finds
    /// A file that reads equally well with scales before rotations and after them.
    ///
    /// ## Why it matters
    /// The document and the engine disagree about the order. Rotations of unit length and plausible scales tell which
    /// one a file is in; here both do. It is taken as the engine reads it.
    ///
    /// ## Example
    /// Scales of (0, 0, 1) with rotations that could be scales.
    ///
    /// ## Fix
    /// Files written by pentad say their dialect in `creator_name`, so the question does not arise.
    DGL3_020 "DGL3-020" "entity-order-unclear", stage: Wire, severity: Info, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// Entities whose scale stands before their rotation.
    ///
    /// ## Why it matters
    /// That is the document's order and right; the engine reads rotation before scale and shows the model distorted.
    ///
    /// ## Example
    /// A file that `pentad` wrote in its `spec` dialect.
    ///
    /// ## Fix
    /// `pentad convert model.dgl3 model.dgl3 --dialect engine`
    DGL3_021 "DGL3-021" "scale-before-rotation", stage: Wire, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.dialect == Dialect::Spec && !doc.entities.is_empty() {
            let message = "scales stand before rotations, as in the document; the engine expects the reverse";
            cx.report_as(for_engine(cx), Place::path("entities[0].transform"), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// An entity whose mesh does not exist, or whose mesh id is below -1.
    ///
    /// ## Why it matters
    /// Nothing is shown; the engine reads beyond its list of meshes.
    ///
    /// ## Example
    /// `mesh_id` is 4, and there are three meshes.
    ///
    /// ## Fix
    /// Name a mesh that exists, or -1 for none.
    DGL3_022 "DGL3-022" "mesh-unknown", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let known: std::collections::HashSet<i32> = doc.meshes.iter().map(|mesh| mesh.mesh_id).collect();
        for (i, entity) in doc.entities.iter().enumerate() {
            if entity.mesh_id != -1 && !known.contains(&entity.mesh_id) {
                let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Warning };
                let message = format!("there is no mesh {}", entity.mesh_id);
                cx.report_as(severity, Place::path("entities").nth(i).field("mesh_id"), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A scale that is 0 or not finite; negative ones are worth knowing.
    ///
    /// ## Why it matters
    /// The entity is flat or vanishes. A negative scale mirrors it, and its faces are seen from behind.
    ///
    /// ## Example
    /// `scale` is (1, 0, 1).
    ///
    /// ## Fix
    /// Apply the object's scale and export the model again.
    DGL3_023 "DGL3-023" "scale-unusual", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, entity) in doc.entities.iter().enumerate() {
            let scale = entity.transform.scale.map(F32::get);
            let place = Place::path("entities").nth(i).field("transform.scale");
            if scale.iter().any(|s| *s == 0. || !s.is_finite()) {
                cx.report(place, format!("it is {}", list(&scale)));
            } else if scale.iter().any(|s| *s < 0.) {
                cx.report_as(Severity::Info, place, format!("it is {}, which mirrors", list(&scale)));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A light that is neither a point (0) nor directional (1), or whose colour lies outside 0 to 1.
    ///
    /// ## Why it matters
    /// There are no other kinds. Colours are handed to the shader as they are.
    ///
    /// ## Example
    /// `light_type` is 2.
    ///
    /// ## Fix
    /// Make it a point light, and divide its colour by the largest component.
    DGL3_035 "DGL3-035" "light-unusual", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, light) in doc.lights.iter().enumerate() {
            let place = Place::path("lights").nth(i);
            if light.light_type != LightType::POINT && light.light_type != LightType::DIRECTIONAL {
                cx.report(place.field("light_type"), format!("there is no kind {}", light.light_type.0));
            }
            let color = light.color.map(F32::get);
            if !color.iter().all(|v| (0. ..=1.).contains(v)) {
                cx.report(place.field("color"), format!("it is {}; components are 0 to 1", list(&color)));
            }
        }
    }
}
