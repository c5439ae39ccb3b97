//! What tools of the field add to a scene: extensions of materials, and texture coordinates as whole numbers.

use super::draw::{Draw, Feature};
use super::json::{Object, list};
use super::plan::{Material, Numbers, Slot, Stored};

/// Seeds from here on are those of the first so many, with more.
pub(super) const EXTENDED: u64 = 1_000_000;

/// What extended seeds may have beside what the others have.
pub(super) const FEATURES: &[Feature] = &[Feature::Extensions, Feature::Quantised];

/// The largest texture coordinate, as gltfpack stores them, and the range that it stands for.
const MOST: f32 = 4095.;
const RANGE: f32 = 4.;

/// Extensions of materials, and a field of each.
const EXTENSIONS: &[(&str, &str)] = &[
    ("KHR_materials_clearcoat", "clearcoatFactor"),
    ("KHR_materials_sheen", "sheenRoughnessFactor"),
    ("KHR_materials_transmission", "transmissionFactor"),
    ("KHR_materials_volume", "thicknessFactor"),
    ("KHR_materials_iridescence", "iridescenceFactor"),
    ("KHR_materials_anisotropy", "anisotropyStrength"),
    ("KHR_materials_dispersion", "dispersion"),
];

impl Draw<'_> {
    pub(super) fn extend(&mut self) {
        if self.has(Feature::Extensions) {
            for at in 0..self.plan.materials.len() {
                for _ in 0..self.chance.between(0, 2) {
                    let &(name, field) = self.chance.one_of(EXTENSIONS);
                    let value = Object::default().put(field, self.share()).done();
                    let known = &mut self.plan.materials[at].extensions;
                    if known.iter().all(|(other, _)| *other != name) {
                        known.push((name, value));
                    }
                }
            }
        }
        if self.has(Feature::Quantised) && !self.has(Feature::MovedTextures) {
            self.quantise();
        }
    }

    fn quantise(&mut self) {
        self.plan.quantised = true;
        let parts = self.plan.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts);
        let sets = parts.flat_map(|part| &mut part.attributes).filter(|(name, _)| name.starts_with("TEXCOORD"));
        for (_, Numbers { values, stored, .. }) in sets {
            values.iter_mut().for_each(|value| *value = ((*value / RANGE + 0.5) * MOST).round());
            *stored = Stored::Whole { bytes: 2, shares: false };
        }
        let transform = |Slot { transform, .. }: &mut Slot| {
            let mut out = Object::default();
            out.put("offset", list(&[-RANGE / 2.; 2])).put("scale", list(&[RANGE / MOST; 2]));
            *transform = Some(out.done());
        };
        self.plan.materials.iter_mut().flat_map(|Material { slots, .. }| slots).for_each(transform);
    }
}
