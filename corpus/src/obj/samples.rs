//! The samples: what OBJ and MTL files hold, what real ones get wrong, and what is none.

use super::cuts::complete_cuts;
use super::*;
use crate::png::png;
use crate::{Kind, Sample, SideFiles, alone, never_complete};

/// Every sample, the default one first.
pub const SAMPLES: &[Sample] = &[
    Sample {
        about: "Objects, groups, materials, quads, a pentagon, lines, points, normals, texture coordinates and colours.",
        beside: || vec![("sample.mtl", text(&[LIBRARY])), ("sample.png", image())],
        ..good("model", || text(&[MODEL]))
    },
    Sample { about: "One triangle in 32 bytes.", ..good("one-triangle", || text(&[TRIANGLE])) },
    Sample {
        about: "A byte order mark, all kinds of line ends, tabs, blank lines and joined lines.",
        ..good("line-ends", line_ends)
    },
    Sample {
        about: "Groups instead of objects, and faces before their vertices.",
        ..good("groups-first", || {
            text(&["g left half\nf 1 2 3\ng right\nf 2 4 3\ng left half\n", CORNERS, "v 1 1 0\n"])
        })
    },
    Sample {
        about: "Vertices alone, with colours and alpha: a point cloud.",
        ..good("point-cloud", || text(&["v 0 0 0 1 0 0 1\nv 1 0 0 0 1 0 0.5\nv 0 1 0 0 0 1 0\n"]))
    },
    Sample {
        about: "Two libraries, one of them with blanks in its name, and a material with metal and roughness.",
        beside: two_libraries,
        ..good("two-libraries", || {
            text(&["mtllib a.mtl\nmtllib my own.mtl\n", CORNERS, "usemtl a\nf 1 2 3\nusemtl b c\nf 1 2 3\n"])
        })
    },
    Sample {
        about: "A library that is not there.",
        ..odd("library-missing", || text(&["mtllib gone.mtl\nusemtl a\n", TRIANGLE]))
    },
    Sample {
        about: "A library with everything that can be wrong with one.",
        beside: || vec![("odd.mtl", text(&[ODD_LIBRARY]))],
        ..odd("library-odd", || text(&["mtllib odd.mtl\nusemtl red\n", CORNERS, "f 1 2 3\nusemtl blue\nf 3 2 1\n"]))
    },
    Sample { about: "Materials without a library.", ..odd("no-library", || text(&["usemtl red\n", TRIANGLE])) },
    Sample {
        about: "Numbers with a comma, as some locales write them.",
        ..odd("comma", || text(&[CORNERS, "v 0,5 1 0\nf 1 2 3\nf 1 2 4\n"]))
    },
    Sample {
        about: "Numbers that are not finite, and one that no 32-bit float holds.",
        ..odd("not-finite", not_finite)
    },
    Sample { about: "Indices from 0 on.", ..odd("index-zero", || text(&[CORNERS, "f 0 1 2\nf 1 2 3\n"])) },
    Sample {
        about: "Indices of what is not there, forwards and backwards.",
        ..odd("index-wild", || text(&[CORNERS, "f 1 2 9\nf -4 2/1 3\nf 1 2 3\n"]))
    },
    Sample {
        about: "Faces of two corners, lines of one and a corner that is none.",
        ..odd("corners", || text(&[TRIANGLE, "f 1 2\nl 1\nf 1 2 a\n"]))
    },
    Sample {
        about: "Corners with and without texture coordinates and normals in one face.",
        ..odd("corners-mixed", || text(&[CORNERS, "vt 0 0\nvn 0 0 1\nf 1/1 2/1 3//1\n"]))
    },
    Sample {
        about: "Colours of 0 to 255 for some vertices, weights for others.",
        ..odd("colors", || text(&["v 0 0 0 255 0 0\nv 1 0 0 0.5\nv 0 1 0\nf 1 2 3\n"]))
    },
    Sample {
        about: "Normals that are not of unit length, and components that are missing.",
        ..odd("normals", || text(&[CORNERS, "vn 0 0 2\nvn 0 1\nf 1//1 2//1 3//1\n"]))
    },
    Sample {
        about: "A curve, which is kept but not converted.",
        ..odd("curve", || text(&[TRIANGLE, "vp 0 1\ncstype bezier\ndeg 2\ncurv 0 1 1 2 3\nparm u 0 1\nend\n"]))
    },
    Sample {
        about: "Statements about display, and an unknown one.",
        ..odd("words", || text(&[TRIANGLE, "lod 20\nbevel on\nvcolor 1 0 0\n"]))
    },
    Sample { about: "Names in Latin-1, and none at all.", ..odd("names", names) },
    Sample {
        about: "A smoothing group that is no number, an edge of no length and an unused vertex.",
        ..odd("advice", || text(&[CORNERS, "v 9 9 9\ns smooth\nf 1 2 3\nf 1 1 2 3\n"]))
    },
    bad("no-bytes", "A file of no bytes.", Vec::new),
    bad("blank", "Nothing but blank lines.", || text(&["\r\n \n\t\n"])),
    bad("picture", "An image instead of a model.", image),
    bad("library", "A material library.", || text(&[LIBRARY])),
    bad("prose", "A text about something else.", || text(&["Dear reader,\nthis is no model.\n"])),
];

const fn good(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample {
        format: "obj",
        name,
        kind: Kind::Good,
        about: "",
        bytes,
        beside: alone,
        dialect: Some("standard"),
        complete_cuts,
    }
}

const fn odd(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..good(name, bytes) }
}

const fn bad(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Bad, about, dialect: None, complete_cuts: never_complete, ..good(name, bytes) }
}

/// A lantern: a box of paper with a lid, on a string, with two sparks above it.
pub const MODEL: &str = "\
# A lantern: everything that pentad reads from OBJ
mtllib sample.mtl

o Lantern
v -1 -1 1 0.75 0.25 0.25
v 1 -1 1 0.75 0.25 0.25
v 1 1 1 1 0.75 0.5
v -1 1 1 1 0.75 0.5
v -1 -1 -1 0.75 0.25 0.25
v 1 -1 -1 0.75 0.25 0.25
v 1 1 -1 1 0.75 0.5
v -1 1 -1 1 0.75 0.5
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
vn 1 0 0
vn 0 0 -1
vn -1 0 0
vn 0 -1 0
usemtl paper
g front walls
f 1/1/1 2/2/1 3/3/1 4/4/1
g sides walls
f 2/1/2 6/2/2 7/3/2 3/4/2
f 6/1/3 5/2/3 8/3/3 7/4/3
f 5/1/4 1/2/4 4/3/4 \\
  8/4/4
g floor
f 5/1/5 6/2/5 2/3/5 1/4/5

o Lid
v 0 1.25 -1 0.5 0.5 0.25
v -0.95 1.25 -0.31 0.5 0.5 0.25
v -0.59 1.25 0.81 0.5 0.5 0.25
v 0.59 1.25 0.81 0.5 0.5 0.25
v 0.95 1.25 -0.31 0.5 0.5 0.25
v 0 1.75 0 1 1 0.5 # the tip
vn 0 1 0
vn 0 0.8 -0.6
usemtl brass
g
s 1
f -6/1/-2 -5/2/-2 -4/3/-2 -3/4/-2 -2/1/-2
s off
f -6/1/-1 -1/3/-1 -5/2/-1

o String
v 0 3 0 0.25 0.25 0.25
v 0.25 4 0 0.25 0.25 0.25
v 0.5 3.5 0.5 1 1 0
v -0.5 3.25 0.25 1 1 0
usemtl thread
l 14 15 16
l 16 17
usemtl spark
p 17 18
";

/// The library of [`MODEL`].
pub const LIBRARY: &str = "\
# The materials of a lantern
newmtl paper
Ka 0.25 0.125 0.125
Kd 1 0.75 0.5
Ks 0.125 0.125 0.125
Ke 0.25 0.125 0
Ns 16
Ni 1.5
d 0.75
illum 2
map_Kd -s 2 2 1 -o 0.5 0 0 sample.png

newmtl brass
Kd 0.75 0.625 0.25
Pr 0.25
Pm 1
map_Bump -bm 0.5 sample.png

newmtl thread
Kd 0.25 0.25 0.25
Tr 0

newmtl spark
Kd 1 1 0
map_Ke -clamp on sample.png
";

/// A fault for each rule about libraries.
const ODD_LIBRARY: &str = "\
Kd 1 1 1
newmtl red
Kd red
Ks xyz 0.4 0.3 0.2
Kx 1 0 0
Ns
map_Kd -scale 2 wood.png
newmtl red
Kd 1 0
map_Ke gone.png
";

/// Four pixels of paper.
fn image() -> Vec<u8> {
    png(2, &[[255, 240, 220], [250, 230, 200], [250, 230, 200], [255, 240, 220]])
}

fn line_ends() -> Vec<u8> {
    text(&[
        "\u{FEFF}\r\n# Windows\r\no\tA box\r\nv 0 0 0\r\nv 1 \\\r\n 0 0\r\n\r\nv\t0 1  0 \n# old Macs\rf 1\\\n 2 3\rl 1 2\r",
    ])
}

fn two_libraries() -> SideFiles {
    vec![
        ("a.mtl", text(&["newmtl a\r\nKd 1 0 0\r\n"])),
        ("my own.mtl", text(&["newmtl b c\nKd 0 0 1\nPr 0.5\nPm 0\nKs 1 \\\n 1 1\n"])),
    ]
}

fn not_finite() -> Vec<u8> {
    text(&[CORNERS, "v nan 0 1e60\nvt inf 0\nf 1/1 2/1 3/1\nf 4/1 2/1 3/1\n"])
}

fn names() -> Vec<u8> {
    [b"o W\xFCrfel\n", TRIANGLE.as_bytes(), b"o\nusemtl\nf 1 2 3\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangle_lies_where_the_table_says() {
        assert_eq!(TRIANGLE.len(), 32);
        assert!(TRIANGLE.starts_with(CORNERS) && TRIANGLE[24..].starts_with("f 1"));
        assert!(TRIANGLE[8..].starts_with("v 1") && TRIANGLE[16..].starts_with("v 0 1"));
    }

    #[test]
    fn samples_are_small() {
        for sample in SAMPLES {
            let beside: usize = (sample.beside)().iter().map(|(_, bytes)| bytes.len()).sum();
            assert!((sample.bytes)().len() + beside <= 4096, "{}", sample.name);
        }
    }
}
