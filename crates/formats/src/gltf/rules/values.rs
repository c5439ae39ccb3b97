//! What the numbers of objects say.

use findings::{Place, rule};

use crate::gltf::layout::Document;
use crate::gltf::schema::{PbrMetallicRoughness, Real};

/// How far from 1 the length of a rotation may be: what text with three decimals can say.
const UNIT_TOLERANCE: f64 = 1e-3;

rule! {
    /// ## What it finds
    /// A factor of a material outside of the range that the specification gives it.
    ///
    /// ## Why it matters
    /// Materials give off more light than they get, or programs clamp it.
    ///
    /// ## Example
    /// `"metallicFactor": 2`
    ///
    /// ## Fix
    /// Set it into the range; `KHR_materials_emissive_strength` is for bright lights.
    GLTF_033 "GLTF-033" "factor-out-of-range", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let none = PbrMetallicRoughness::default();
        for (i, material) in doc.root.materials.iter().enumerate() {
            let pbr = material.pbr_metallic_roughness.as_ref().unwrap_or(&none);
            let one = |value: &Option<Real>| value.map(|value| vec![value]).unwrap_or_default();
            let factors = [
                ("pbrMetallicRoughness.baseColorFactor", pbr.base_color_factor.map(Vec::from).unwrap_or_default()),
                ("pbrMetallicRoughness.metallicFactor", one(&pbr.metallic_factor)),
                ("pbrMetallicRoughness.roughnessFactor", one(&pbr.roughness_factor)),
                ("emissiveFactor", material.emissive_factor.map(Vec::from).unwrap_or_default()),
                ("occlusionTexture.strength", one(&material.occlusion_texture.as_ref().and_then(|t| t.strength))),
            ];
            for (field, values) in factors {
                if let Some(wild) = values.iter().find(|value| !(0. ..=1.).contains(&value.0)) {
                    let place = Place::path("materials").nth(i).field(field);
                    cx.report(place, format!("{} lies outside of 0 to 1", wild.0));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// The rotation of a node, as quaternion, that has not the length 1.
    ///
    /// ## Why it matters
    /// Programs scale the node, or refuse the file.
    ///
    /// ## Example
    /// `"rotation": [0, 0, 0, 2]`
    ///
    /// ## Fix
    /// Divide the four numbers by their length.
    GLTF_035 "GLTF-035" "rotation-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, node) in doc.root.nodes.iter().enumerate() {
            let Some(rotation) = &node.rotation else { continue };
            let length = rotation.iter().map(|v| v.0 * v.0).sum::<f64>().sqrt();
            if (length - 1.).abs() > UNIT_TOLERANCE {
                cx.report(Place::path("nodes").nth(i).field("rotation"), format!("its length is {length:.4}, not 1"));
            }
        }
    }
}
