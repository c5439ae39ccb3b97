//! The samples: what PLY files hold, what real ones get wrong, and what is none.

use super::*;
use crate::bytes::Bytes;
use crate::{Kind, Sample, alone, never_complete};

/// Every sample, the default one first.
pub const SAMPLES: &[Sample] = &[
    Sample {
        about: "A pyramid: normals, colours, texture coordinates, a quality, a square, triangles, edges, comments.",
        ..good("model", model)
    },
    text("triangle", "A triangle as text.", || TRIANGLE.into()),
    Sample {
        dialect: Some("binary-big-endian"),
        about: "The same with the most significant byte first, and indices of 16 bits.",
        ..good("big-endian", big_endian)
    },
    Sample { about: "Coordinates that no 32-bit float holds.", ..good("doubles", doubles) },
    text("cloud", "Points with colours as text, with Windows line ends.", || {
        let header = "ply\nformat ascii 1.0\ncomment two points\nelement vertex 2\nproperty float x\nproperty float y\n\
            property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n";
        format!("{header}0 0 0 255 0 0\n1 .5 -2e1 0 128 7\n").replace('\n', "\r\n").into_bytes()
    }),
    text("strips", "Strips of triangles, and a face element without faces.", || {
        let header = TRIANGLE[..154].replace("vertex 3", "vertex 5").replace("face 1", "face 0");
        let header =
            header.replace("end_header", "element tristrips 1\nproperty list int int vertex_indices\nend_header");
        format!("{header}0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n8 0 1 2 3 -1 2 3 4\n").into_bytes()
    }),
    odd_text("unknown", "A camera, flags of faces and lists of vertices, which are not read.", || {
        let header = TRIANGLE[..154].replace("element face", "property list uchar int near\nelement face");
        let header =
            header.replace("end_header", "property uchar flags\nelement camera 1\nproperty float fov\nend_header");
        format!("{header}0 0 0 0\n1 0 0 1 2\n0 1 0 2 0 1\n3 0 1 2 9\n5\n").into_bytes()
    }),
    odd_text("words", "Numbers that are none, that do not fit their type, and an unknown line in the header.", || {
        let text = TRIANGLE.replace("element vertex", "author me\nelement vertex").replace("ascii 1.0", "ascii 1.1");
        text.replace("1 0 0", "1,5 nan 0").replace("3 0 1 2", "3 0 1.5 2").into_bytes()
    }),
    odd_text("faces", "A face of two corners, and one of vertices that are not there.", || {
        let text = TRIANGLE.replace("face 1", "face 3");
        format!("{text}2 0 1\n3 0 1 7\n").into_bytes()
    }),
    Sample {
        about: "Bytes behind the last element.",
        complete_cuts: |file| vec![file.len() - 2],
        ..odd("trailing", || [big_endian(), vec![0, 1]].concat())
    },
    Sample { about: "Less data than the header says.", ..odd("cut", || big_endian()[..190].to_vec()) },
    odd_text("no-vertices", "Points under another name.", || {
        let header = "ply\nformat ascii 1.0\nelement point 1\nproperty float x\nproperty float y\nproperty float z\n";
        format!("{header}end_header\n1 2 3\n").into_bytes()
    }),
    bad("no-bytes", "A file of no bytes.", Vec::new),
    bad("plywood", "A text about something else.", || b"plywood\n".to_vec()),
    bad("header-cut", "A file that ends in its header.", || TRIANGLE[..89].into()),
    bad("format", "An unknown encoding.", || with("ascii", "binary")),
    bad("type", "An unknown type.", || with("float x", "real x")),
];

const fn good(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample {
        format: "ply",
        name,
        kind: Kind::Good,
        about: "",
        bytes,
        beside: alone,
        dialect: Some("binary-little-endian"),
        complete_cuts: never_complete,
    }
}

const fn odd(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, dialect: Some("binary-big-endian"), ..good(name, bytes) }
}

const fn text(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { about, dialect: Some("ascii"), complete_cuts: last_word, ..good(name, bytes) }
}

const fn odd_text(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..text(name, about, bytes) }
}

const fn bad(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Bad, about, dialect: None, ..good(name, bytes) }
}

/// A text may lose what is behind its last digits, and those but one: `12` without its last byte is `1`.
fn last_word(file: &[u8]) -> Vec<usize> {
    let end = file.trim_ascii_end().len();
    let start = file[..end].iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    (start + 1..file.len()).collect()
}

/// A pyramid on a square. Its normals point from its middle.
fn model() -> Vec<u8> {
    const HEADER: &str = "ply\nformat binary_little_endian 1.0\ncomment A pyramid\ncomment made by hand\nobj_info none\n\
        element vertex 5\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\n\
        property float nz\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n\
        property float s\nproperty float t\nproperty float quality\nelement face 5\n\
        property list uchar int vertex_indices\nelement edge 2\nproperty int vertex1\nproperty int vertex2\nend_header\n";
    let mut file = Bytes::default();
    file.raw(HEADER.as_bytes());
    let mut vertex = |place: [f32; 3], normal: [f32; 3], color: [u8; 4], rest: [f32; 3]| {
        file.le_all(&place).le_all(&normal).raw(&color).le_all(&rest);
    };
    vertex([-1., 0., -1.], [-0.6, 0., -0.8], [255, 0, 0, 255], [0., 0., 0.5]);
    vertex([1., 0., -1.], [0.6, 0., -0.8], [0, 255, 0, 255], [1., 0., 0.25]);
    vertex([1., 0., 1.], [0.6, 0., 0.8], [0, 0, 255, 255], [1., 1., 0.125]);
    vertex([-1., 0., 1.], [-0.6, 0., 0.8], [255, 255, 0, 128], [0., 1., 1.]);
    vertex([0., 1.5, 0.], [0., 1., 0.], [255, 255, 255, 0], [0.5, 0.1, -1.]);
    let mut face = |corners: &[i32]| {
        file.le(corners.len() as u8).le_all(corners);
    };
    face(&[0, 1, 2, 3]);
    face(&[1, 0, 4]);
    face(&[2, 1, 4]);
    face(&[3, 2, 4]);
    face(&[0, 3, 4]);
    file.le_all(&[0_i32, 2, 1, 3]).done()
}

/// The triangle as numbers.
fn big_endian() -> Vec<u8> {
    let header = TRIANGLE[..154].replace("ascii", "binary_big_endian").replace("uchar int", "uint8 uint16");
    let mut file = Bytes::default();
    file.raw(header.as_bytes());
    file.be_all(&[0_f32, 0., 0., 1., 0., 0., 0., 1., 0.]).be(3_u8).be_all(&[0_u16, 1, 2]).done()
}

fn doubles() -> Vec<u8> {
    let header = TRIANGLE[..154].replace("ascii", "binary_little_endian").replace("float", "double");
    let mut file = Bytes::default();
    file.raw(header.as_bytes());
    file.le_all(&[0.1_f64, 0., 0., 1., 0.2, 0., 0., 1., 1e-300]).le(3_u8).le_all(&[0_i32, 1, 2]).done()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_endian_is_as_long_as_it_says() {
        // 17 bytes of the format became 29, and 9 bytes of types became 12.
        assert_eq!(big_endian().len(), 154 + 12 + 3 + 36 + 7);
    }
}
