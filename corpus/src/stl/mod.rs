//! STL files, binary and text.
//!
//! Places of a binary file: the header has 80 bytes, the count lies at 80, facet `i` at 84 + 50 `i`: its normal, 12
//! bytes on its corners, 48 bytes on its attribute.
//!
//! Places of [`TEXT`], 105 bytes:
//!
//! | bytes | line |
//! |---|---|
//! | 0 | `solid a` |
//! | 8 | `facet normal 0 0 1` |
//! | 27 | `outer loop` |
//! | 38, 51, 64 | `vertex …` |
//! | 77 | `endloop` |
//! | 85 | `endfacet` |
//! | 94 | `endsolid a` |

mod rule_cases;
mod samples;

pub use rule_cases::RULE_CASES;
pub use samples::SAMPLES;

use crate::bytes::Bytes;

/// A solid of one facet.
pub const TEXT: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
    endfacet\nendsolid a\n";

/// Normal, corners and attribute.
type Facet = ([[f32; 3]; 4], u16);

const O: [f32; 3] = [0., 0., 0.];
const X: [f32; 3] = [1., 0., 0.];
const Y: [f32; 3] = [0., 1., 0.];
const Z: [f32; 3] = [0., 0., 1.];

/// The facet of [`TEXT`].
const FACET: [[f32; 3]; 4] = [Z, O, X, Y];

/// A corner of a cube, cut off: three sides along the axes and one across.
const CORNER: [[[f32; 3]; 4]; 4] = [
    [[0., 0., -1.], O, Y, X],
    [[0., -1., 0.], O, X, Z],
    [[-1., 0., 0.], O, Z, Y],
    // One over the root of three.
    [[0.577_350_26; 3], X, Y, Z],
];

/// A binary file with this text at its start and this count.
fn binary(header: &str, count: u32, facets: &[Facet]) -> Vec<u8> {
    let mut file = Bytes::default();
    let mut start = header.as_bytes().to_vec();
    start.resize(80, 0);
    file.raw(&start).le(count);
    for (numbers, attribute) in facets {
        file.le_all(numbers.as_flattened()).le(*attribute);
    }
    file.done()
}

/// A binary file of these triangles.
fn plain(triangles: &[[[f32; 3]; 4]]) -> Vec<u8> {
    let facets: Vec<Facet> = triangles.iter().map(|triangle| (*triangle, 0)).collect();
    binary("made by hand", facets.len() as u32, &facets)
}

/// A binary file of one facet, 134 bytes.
pub fn one_facet() -> Vec<u8> {
    plain(&[FACET])
}

/// [`TEXT`] with something else in one place.
fn text_with(from: &str, to: &str) -> Vec<u8> {
    TEXT.replacen(from, to, 1).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_laid_out_as_the_tables_say() {
        let file = one_facet();
        assert_eq!((file.len(), &file[80..84]), (134, &[1, 0, 0, 0][..]));
        // The normal is 0 0 1; the second corner 1 0 0.
        assert_eq!(file[84..96], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F]);
        assert_eq!(file[108..112], [0, 0, 0x80, 0x3F]);
        for (at, line) in [(8, "facet normal"), (27, "outer"), (51, "vertex 1"), (77, "endloop"), (94, "endsolid")] {
            assert!(TEXT[at..].starts_with(line), "{line}");
        }
        assert_eq!(TEXT.len(), 105);
    }
}
