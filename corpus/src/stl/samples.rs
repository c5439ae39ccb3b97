//! The samples: what STL files hold, what real ones get wrong, and what is none.

use super::*;
use crate::{Kind, Sample, alone, never_complete};

/// Every sample, the default one first.
pub const SAMPLES: &[Sample] = &[
    Sample {
        about: "A cut corner of a cube with a colour on each facet, as VisCAM keeps them, and a header.",
        ..good("model", || {
            // The highest bit says that there is a colour; red is the highest five of the others.
            binary("A corner of a cube", 4, &[0x801F, 0x83E0, 0xFC00, 0xFFFF].map_with(CORNER))
        })
    },
    Sample { about: "One facet in 134 bytes.", ..good("one-facet", one_facet) },
    Sample {
        about: "Facets with and without a colour of their own, as Magics keeps them.",
        ..good("magics", || {
            let mut file = binary("made by hand, ", 4, &[0x001F, 0x8000, 0x03E0, 0xFC00].map_with(CORNER));
            file[14..24].copy_from_slice(b"COLOR=\xFF\x80\x00\xFF");
            file
        })
    },
    Sample { about: "No facet at all, in 84 bytes, but a header.", ..odd("no-facets", no_facets) },
    Sample { about: "Two solids as text, one with blanks in its name.", ..text("text", two_solids) },
    Sample {
        about: "Words in capitals, a byte order mark, tabs and Windows line ends.",
        ..text("text-capitals", || {
            format!("\u{FEFF}{}", TEXT.to_uppercase().replace('\n', "\r\n\t").replace("0 0", "0.0\t0e0")).into_bytes()
        })
    },
    Sample {
        about: "A text without a facet and without a name.",
        ..text("text-empty", || b"solid\nendsolid\n".to_vec())
    },
    Sample {
        about: "A header that begins with solid, which only the size tells from a text.",
        ..odd("solid-header", || binary("solid as a rock", 1, &[(FACET, 0)]))
    },
    Sample { about: "A count of one facet too many.", ..odd("count", || binary("", 3, &[0, 0].map_with(CORNER))) },
    Sample {
        about: "Bytes behind the last facet.",
        complete_cuts: |_| vec![134],
        ..odd("trailing", || [one_facet(), b"end\n".to_vec()].concat())
    },
    Sample {
        about: "Normals of zero, of length 2 and inside out, and a facet without an area.",
        ..odd("normals", || plain(&[[O, O, X, Y], [[0., 0., 2.], O, X, Y], [[0., 0., -1.], O, X, Y], [Z, O, X, X]]))
    },
    Sample {
        about: "A corner that is not a number.",
        ..odd("not-finite", || plain(&[[Z, O, [f32::NAN, 0., 0.], Y], FACET]))
    },
    Sample {
        about: "Attributes that are no colours.",
        ..odd("attributes", || binary("", 2, &[7, 0x8001].map_with(CORNER)))
    },
    Sample {
        about: "Words that are missing, too many or no numbers, and a facet of four corners.",
        ..odd_text("text-words", || {
            let body = "facet 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1,5 0 0\nvertex 0 1 0\nvertex 0 0 0\nendloop\n\
                endfacet\nfacet normal 0 0 1 hello\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendfacet\n";
            [b"solid W\xFCrfel\n", body.as_bytes(), b"endsolid other\n"].concat()
        })
    },
    Sample {
        about: "A text that ends inside its second solid.",
        ..odd_text("text-cut", || [TEXT, &TEXT[..94]].concat().into_bytes())
    },
    bad("no-bytes", "A file of no bytes.", Vec::new),
    bad("prose", "A text about something else.", || b"Dear reader, this is no model.\n".to_vec()),
    bad("short", "A binary file that ends in its header.", || vec![1; 60]),
];

const fn good(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample {
        format: "stl",
        name,
        kind: Kind::Good,
        about: "",
        bytes,
        beside: alone,
        dialect: Some("binary"),
        complete_cuts: never_complete,
    }
}

const fn odd(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..good(name, bytes) }
}

const fn text(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { dialect: Some("ascii"), complete_cuts, ..good(name, bytes) }
}

const fn odd_text(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..text(name, bytes) }
}

const fn bad(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Bad, about, dialect: None, ..good(name, bytes) }
}

/// Attributes with the triangles they belong to.
trait MapWith {
    fn map_with(self, triangles: [[[f32; 3]; 4]; 4]) -> Vec<Facet>;
}

impl<const N: usize> MapWith for [u16; N] {
    fn map_with(self, triangles: [[[f32; 3]; 4]; 4]) -> Vec<Facet> {
        triangles.into_iter().zip(self).collect()
    }
}

fn no_facets() -> Vec<u8> {
    binary("nothing to print", 0, &[])
}

fn two_solids() -> Vec<u8> {
    let second = TEXT.replace("solid a", "solid the other one").replace("vertex 1 0 0", "vertex 1.5e0 -.25 0.1");
    let second =
        second.replace("endsolid the other one", "endsolid").replace("normal 0 0 1", "normal -0.06651901 0 0.99778515");
    format!("{TEXT}\n{second}").into_bytes()
}

/// The lengths to which a text can be cut so that it still ends with an `endsolid`, with its solid's name or none.
fn complete_cuts(file: &[u8]) -> Vec<usize> {
    let whole =
        |size: usize| file[size..].trim_ascii().is_empty() || ends_a_solid(&String::from_utf8_lossy(&file[..size]));
    (1..file.len()).filter(|&size| whole(size)).collect()
}

fn ends_a_solid(text: &str) -> bool {
    let (lower, mut name, mut ended) = (text.to_lowercase(), String::new(), false);
    for line in lower.trim_start_matches('\u{FEFF}').lines().map(str::trim).filter(|line| !line.is_empty()) {
        let rest = |word: &str| {
            let rest = line.strip_prefix(word)?;
            (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| rest.trim().to_owned())
        };
        if let Some(said) = rest("solid") {
            (name, ended) = (said, false);
        } else if let Some(said) = rest("endsolid") {
            ended = said.is_empty() || said == name;
        } else {
            ended = false;
        }
    }
    ended
}
