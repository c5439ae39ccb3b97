//! Material libraries: MTL text ⇄ materials, textures and images of the scene.
//!
//! | MTL | scene |
//! |---|---|
//! | `Ka Kd Ks Ns` | Phong ambient, diffuse, specular, shininess |
//! | `Pr Pm`, `map_Pr map_Pm` | make it metallic-roughness instead, with `Kd` as base colour |
//! | `Ke` | emissive; 1 if there is only a `map_Ke` |
//! | `d`, `Tr` | alpha = d, or 1 − Tr without it; blended if below 1 or if there is a `map_d` |
//! | `map_Kd map_Ks map_Ke map_d` | base colour, specular colour, emission, opacity |
//! | `norm` or `map_Kn`, `map_Pr map_Pm` | normal, roughness, metallic |
//! | `map_Ka map_Ns bump disp decal refl …` | slots by the file's word; `-bm` is their strength |
//! | `-s -o`, `-clamp on`, `-imfchan` | texture transform, clamped edges, channel |
//! | `-mm` | `obj.values` of the texture, if it changes the image |
//! | everything else | properties of the material, by keyword |

mod compose;
mod images;
mod library;
mod material;
mod options;
mod read;

pub(super) use compose::LibraryWriter;
pub(super) use library::{Catalogue, Libraries, Remark, named};
pub(super) use material::{Gallery, Materials};

use wire::Table;

use super::layout::row;

/// The statements of a library, as the reference page prints them.
pub(super) static STATEMENTS: Table = Table {
    name: "MTL statements",
    doc: &[" One per line, for the material that the last `newmtl` names."],
    rows: &[
        row("newmtl", "name", &[" What follows describes this material."]),
        row("Ka, Kd, Ks, Ke", "r g b", &[" Ambient, diffuse, specular and emitted colour."]),
        row("Ns", "exponent", &[" Sharpness of highlights."]),
        row("d", "[-halo] alpha", &[" Opacity; wins over `Tr`."]),
        row("Tr", "1 − alpha", &[" Transparency."]),
        row("Pr, Pm", "factor", &[" Roughness and metalness."]),
        row("Ni, Tf, illum, sharpness", "…", &[" Kept as properties."]),
        row("Ps, Pc, Pcr, aniso, anisor", "factor", &[" Sheen, clear coat, anisotropy: kept as properties."]),
        row("map_Kd, map_Ks, map_Ke", "[options] file", &[" Textures of these colours."]),
        row("map_d, map_Pr, map_Pm", "[options] file", &[" Textures of opacity, roughness and metalness."]),
        row("norm, map_Kn", "[options] file", &[" Normals in tangent space."]),
        row("bump, disp, decal, refl, map_Ka, map_Ns, …", "[options] file", &[" Kept by their word."]),
    ],
};
