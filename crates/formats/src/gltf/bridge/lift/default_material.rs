//! The material that stands for none.

use scene::Pbr;

use super::made_up::is_made_up;
use super::materials::factors;
use crate::gltf::schema::{self, PbrMetallicRoughness, Real};

/// What programs call materials without a name, numbers aside.
const MADE_UP: [&str; 5] = ["", "material", "mat", "default", "defaultmaterial"];

/// Whether a material still looks like the one that stands for none. Programs that demand a name make one up, and some
/// say what glTF takes for granted.
pub(super) fn is_default(material: &schema::Material) -> bool {
    let none = PbrMetallicRoughness::default();
    let pbr = material.pbr_metallic_roughness.as_ref().unwrap_or(&none);
    let plain = PbrMetallicRoughness {
        base_color_factor: pbr.base_color_factor,
        metallic_factor: pbr.metallic_factor,
        roughness_factor: pbr.roughness_factor,
        ..PbrMetallicRoughness::default()
    };
    let bare = schema::Material {
        name: material.name.clone().filter(|name| is_made_up(name, &MADE_UP)),
        pbr_metallic_roughness: material.pbr_metallic_roughness.as_ref().map(|_| plain),
        emissive_factor: material.emissive_factor.filter(|factor| *factor == [Real(0.); 3]),
        alpha_mode: material.alpha_mode.clone().filter(|mode| mode == "OPAQUE"),
        double_sided: material.double_sided.filter(|double| !double),
        extras: material.extras.clone(),
        ..schema::Material::default()
    };
    *material == bare && factors(pbr, None) == Pbr { metallic: 0., ..Pbr::default() }
}
