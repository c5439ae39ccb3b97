//! Every reading of the document that is not the canonical one.

use super::content::{Light, MORPHED, NAMES, PLAIN, Ways};
use super::samples::{build, odd, parts};
use super::*;
use crate::Sample;

/// A reading of the document: the alternatives it takes, the file, and the same content read canonically.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The name of its sample.
    pub name: &'static str,
    /// The ids of its alternatives, sorted.
    pub ids: &'static [&'static str],
    /// Builds it.
    pub file: fn() -> Vec<u8>,
    /// Builds the canonical file that says the same, where there is one.
    pub canonical: Option<fn() -> Vec<u8>>,
}

macro_rules! variants {
    ($($name:literal [$($id:literal)*] $about:literal $style:expr, $ways:expr, $canonical:expr;)*) => {
        /// Every reading of the document that is not the canonical one.
        pub const VARIANTS: &[Variant] = &[$(Variant {
            name: $name,
            ids: &[$($id),*],
            file: || build(&$style, &Ways { label: $name, ..$ways }),
            canonical: {
                let canonical: Option<Ways> = $canonical;
                match canonical {
                    Some(_) => Some(|| {
                        let (style, canonical): (Style, Option<Ways>) = ($style, $canonical);
                        let ways = Ways { label: $name, ..canonical.unwrap_or(PLAIN) };
                        build(&Style { big: style.big, ..CANONICAL }, &ways)
                    }),
                    None => None,
                }
            },
        }),*];

        pub(super) const VARIANT_SAMPLES: &[Sample] = &[$(Sample {
            about: $about,
            beside: parts,
            dialect: Some("variant"),
            ..odd($name, || essence(&$style, &Ways { label: $name, ..$ways }, &[$($id),*]))
        }),*];
    };
}

variants! {
    "variant-inline" ["V-INLINE"] "No array is named by an offset."
        Style { base: Base::Inline, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-inline-big" ["V-INLINE"] "No array is named by an offset, big-endian."
        Style { base: Base::Inline, big: true, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-base-after" ["V-BASE4"] "Offsets count from behind themselves."
        Style { base: Base::After, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-base-section" ["V-BASESEC"] "Offsets count from the section's first byte."
        Style { base: Base::Section, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-base-body" ["V-BASEBODY"] "Offsets count from behind the section header."
        Style { base: Base::Body, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-base-file" ["V-BASEFILE"] "Offsets count from the first byte of the file."
        Style { base: Base::File, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-seq" ["V-SEQ"] "Reading goes on behind the elements of an array."
        Style { base: Base::Seq, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-seq-counted" ["V-SEQ" "V-VCOUNT"] "Reading goes on behind elements, and vertices are counted."
        Style { base: Base::Seq, ..CANONICAL }, Ways { vertices_counted: true, ..PLAIN }, Some(PLAIN);
    "variant-header-44" ["V-H44"] "Section headers of 44 bytes, as the document adds them up."
        Style { head: 44, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-size-short" ["V-S8"] "Section headers of 52 bytes of which sizes count 44."
        Style { short: 8, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-size-short-inline" ["V-INLINE" "V-S8"] "Sizes eight bytes short, and no offsets."
        Style { short: 8, base: Base::Inline, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-sections-by-offset" ["V-SECOFF"] "An offset between the header and the first section."
        Style { gap: vec![4, 0, 0, 0], ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-sections-later" ["V-SECOFF"] "An offset and twelve bytes of padding before the first section."
        Style { gap: [&[16, 0, 0, 0][..], &[0; 12]].concat(), ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-tags-reversed" ["V-BETAG"] "A big-endian file whose tags are spelt backwards."
        Style { big: true, reversed_tags: true, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-magic-forward" ["V-BEFWD"] "A big-endian file that starts with forward letters."
        Style { big: true, forward_magic: true, ..CANONICAL }, PLAIN, Some(PLAIN);
    "variant-light-twice" ["V-LIGHT2"] "Lights as printed: two rotations and no type."
        CANONICAL, Ways { light: Light::Twice, ..PLAIN }, Some(PLAIN);
    "variant-light-twice-angles" ["V-LIGHT2"] "Lights as printed, with angles."
        CANONICAL, Ways { light: Light::Twice, rotation: 1, ..PLAIN }, Some(Ways { rotation: 1, ..PLAIN });
    "variant-light-typed-twice" ["V-LIGHT-T2"] "Lights with a type and two rotations."
        CANONICAL, Ways { light: Light::TypedTwice, ..PLAIN }, Some(PLAIN);
    "variant-light-untyped" ["V-LIGHT-NOTYPE"] "Lights with one rotation and no type."
        CANONICAL, Ways { light: Light::Untyped, ..PLAIN }, Some(PLAIN);
    "variant-light-late" ["V-LIGHT-LATE"] "Lights whose rotation type stands right before the rotation."
        CANONICAL, Ways { light: Light::Late, ..PLAIN }, Some(PLAIN);
    "variant-vertices-counted" ["V-VCOUNT"] "Vertex buffers that count vertices."
        CANONICAL, Ways { vertices_counted: true, ..PLAIN }, Some(PLAIN);
    "variant-frames-counted" ["V-FRAMES"] "Tracks that count frames."
        CANONICAL, Ways { frames_counted: true, ..PLAIN }, Some(PLAIN);
    "variant-curve-always" ["V-DALL"] "Tracks that always have d1 and d2."
        CANONICAL, Ways { curve_always: true, ..PLAIN }, Some(PLAIN);
    "variant-curve-always-frames" ["V-DALL" "V-FRAMES"] "Tracks that always have d1 and d2 and count frames."
        CANONICAL, Ways { curve_always: true, frames_counted: true, ..PLAIN }, Some(PLAIN);
    "variant-bones-whole" ["V-BONEALL"] "Bones with position and scale beside a matrix of 4 by 4."
        CANONICAL, Ways { bones_whole: true, rotation: 4, ..PLAIN }, Some(Ways { rotation: 4, ..PLAIN });
    "variant-bones-whole-3" ["V-BONEALL"] "Bones with position and scale beside a matrix of 3 by 3."
        CANONICAL, Ways { bones_whole: true, rotation: 3, ..PLAIN }, None;
    "variant-matrices-apart" ["V-MATOFF"] "Matrices that are named by offsets."
        CANONICAL, Ways { matrices_apart: true, rotation: 4, ..PLAIN }, Some(Ways { rotation: 4, ..PLAIN });
    "variant-matrices-apart-3" ["V-MATOFF"] "Matrices of 3 by 3 that are named by offsets."
        CANONICAL, Ways { matrices_apart: true, rotation: 3, ..PLAIN }, Some(Ways { rotation: 3, ..PLAIN });
    "variant-bones-whole-apart" ["V-BONEALL" "V-MATOFF"] "Whole bones with matrices that are named by offsets."
        CANONICAL, Ways { bones_whole: true, matrices_apart: true, rotation: 4, ..PLAIN },
        Some(Ways { rotation: 4, ..PLAIN });
    "variant-tracks-unbound" ["V-ANIGUID"] "An animation that lists the guids of tracks alone."
        CANONICAL, Ways { tracks_unbound: true, ..PLAIN }, None;
    "variant-attributes-there" ["V-INLATTR"] "Attributes that stand where their offset should."
        CANONICAL, Ways { attributes_there: true, ..PLAIN }, Some(PLAIN);
    "variant-attributes-there-counted" ["V-INLATTR" "V-VCOUNT"] "Attributes in place, and vertices are counted."
        CANONICAL, Ways { attributes_there: true, vertices_counted: true, ..PLAIN }, Some(PLAIN);
    "variant-placements-there" ["V-INLPLACE"] "Placements that stand where their offset should."
        CANONICAL, Ways { placements_there: true, ..PLAIN }, Some(PLAIN);
    "variant-values-there" ["V-INLVAL"] "Values of settings that stand where their offset should."
        CANONICAL, Ways { values_there: true, ..PLAIN }, Some(PLAIN);
    "variant-voxels-there" ["V-INLINE"] "Voxels that stand where their offset should, and nothing else does."
        CANONICAL, Ways { voxels_there: true, ..PLAIN }, Some(PLAIN);
    "variant-2019" ["V-H36"] "A file of 2019: section headers of 36 bytes and fewer fields."
        Style { head: 36, ..CANONICAL }, Ways { of_2019: true, ..PLAIN }, None;
    "variant-2019-big" ["V-H36"] "A big-endian file of 2019 whose attributes have a byte for their meaning."
        Style { head: 36, big: true, ..CANONICAL }, Ways { of_2019: true, short_semantics: true, ..PLAIN }, None;
    "variant-2019-counted" ["V-H36" "V-VCOUNT"] "A file of 2019 that counts vertices."
        Style { head: 36, ..CANONICAL }, Ways { of_2019: true, vertices_counted: true, ..PLAIN }, None;
}

/// The sections of the model that show a reading, and the one that tells it from others: laws look at every byte.
fn essence(style: &Style, ways: &Ways, ids: &[&str]) -> Vec<u8> {
    let shows = |section: &Section| {
        let tag = section.tag;
        let small_vertices = tag == b"VERTEX__" && section.guid == g(MORPHED);
        let small_settings = tag == b"SETTINGS" && section.guid == g(if ways.of_2019 { 1 } else { NAMES });
        ids.iter().any(|id| match *id {
            "V-VCOUNT" | "V-INLATTR" => small_vertices,
            "V-FRAMES" | "V-DALL" => tag == b"ANITRACK",
            "V-BONEALL" => tag == b"SKELETON",
            "V-MATOFF" => [b"SKELETON", b"SOCKET__", b"OBJECT__", b"INSTANCE"].contains(&tag),
            "V-ANIGUID" => tag == b"ANIMATE_",
            "V-INLPLACE" => tag == b"INSTANCE",
            "V-INLVAL" => small_settings,
            "V-INLINE" if ways.voxels_there => [b"VOXELOBJ", b"VOXELPLT"].contains(&tag),
            "V-H36" => [b"TEXTURE_", b"GEOMETRY", b"ANITRACK"].contains(&tag) || small_vertices,
            "V-BETAG" | "V-SECOFF" | "V-BEFWD" => small_settings,
            id if id.starts_with("V-LIGHT") => tag == b"LIGHT___" && section.guid == g(14),
            // The layout of all arrays.
            _ => small_vertices || small_settings || tag == b"INSTANCE" || tag == b"ANIMATE_",
        }) || tag == b"ASSET___"
    };
    style.file(&ways.sections().into_iter().filter(shows).collect::<Vec<_>>())
}
