//! The samples: what a material can say, and what real files get wrong. Every text is a material, so none is refused.

use super::*;
use crate::{Kind, Sample, alone};

/// Every sample, the default one first.
pub const SAMPLES: &[Sample] = &[
    Sample { about: "Every key the engine reads, as the document writes them.", ..good("material", material) },
    Sample {
        about: "The same with a semicolon behind every statement.",
        dialect: Some("engine"),
        complete_cuts: behind_semicolons,
        ..good("engine", engine)
    },
    Sample { about: "Two statements in 25 bytes.", ..good("plain", plain) },
    Sample {
        about: "Two statements on one line, as only the engine reads them.",
        dialect: Some("engine"),
        complete_cuts: behind_semicolons,
        ..good("one-line", || b"name:\"t\";roughness :\n0.5 ;".to_vec())
    },
    Sample {
        about: "Lines that end as on Windows.",
        ..good("crlf", || b"name: \"t\"\r\n\r\nroughness: 0.25\r\n".to_vec())
    },
    Sample {
        about: "A string and a vector that span lines.",
        ..odd("over-lines", || b"name: \"t\nwo\"\ndiffuseColor: [1,\n 0, 0,\t1]\n".to_vec())
    },
    Sample {
        about: "Semicolons behind all values but the last.",
        dialect: Some("engine"),
        complete_cuts: behind_semicolons,
        ..odd("last-semicolon-missing", || b"name: \"t\";\nroughness: 0.5;\nmetallic: 1\n".to_vec())
    },
    Sample {
        about: "A comment, which the format does not have.",
        // The comment is one bad line however much of it is there.
        complete_cuts: |file| [behind_lines(file), (1..8).collect()].concat(),
        ..odd("comment", || [b"# shiny\n", &plain()[..]].concat())
    },
    Sample {
        about: "A byte order mark before the first name.",
        complete_cuts: |file| [behind_lines(file), vec![3]].concat(),
        ..odd("mark", || [b"\xEF\xBB\xBF", &plain()[..]].concat())
    },
    Sample {
        about: "A name in Windows-1251, which is not UTF-8.",
        ..odd("name-cp1251", || b"name: \"\xEA\xF3\xE1\"\nroughness: 0.5\n".to_vec())
    },
    Sample {
        about: "Keys that older versions of the engine read.",
        ..odd("obsolete", || {
            plain_and("fresnel: 0.3\nambientTexture: \"a.png\"\nspecAmbientTexture: \"s.png\"\npbrTexture: \"p.png\"\n")
        })
    },
    Sample {
        about: "Keys that no version of the engine reads.",
        ..odd("unknown-keys", || plain_and("sparkle: 3\n_note: \"by hand\"\n"))
    },
    Sample { about: "One key twice.", ..odd("duplicate", || plain_and("roughness: 0.75\n")) },
    Sample {
        about: "Words and numbers of the wrong kind.",
        ..odd("wrong-kinds", || {
            plain_and("diffuseTexture: wood.png\nshadeless: true\ndiffuseColor: [1, 0, 0]\nmetallic: 7\n")
        })
    },
    Sample {
        about: "A vector and a string without their ends.",
        // Without its line break a bad line is as bad as with it.
        complete_cuts: |file| [behind_lines(file), vec![44, 66]].concat(),
        ..odd("no-ends", || plain_and("diffuseColor: [1, 0\nnormalTexture: \"n.png\n"))
    },
];

const fn good(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    let (format, about, kind) = ("mat", "", Kind::Good);
    Sample { format, name, kind, about, bytes, dialect: Some("spec"), complete_cuts: behind_lines, beside: alone }
}

const fn odd(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..good(name, bytes) }
}

/// Cut behind a line, a text is a text of fewer lines.
fn behind_lines(file: &[u8]) -> Vec<usize> {
    (0..file.len()).filter(|&size| size == 0 || matches!(file[size - 1], b'\n' | b'\r')).collect()
}

/// Cut behind a semicolon or the space that follows it, a text is a text of fewer statements.
fn behind_semicolons(file: &[u8]) -> Vec<usize> {
    let whole = |size: &usize| file[..*size].trim_ascii_end().last().is_none_or(|&b| b == b';');
    (0..file.len()).filter(whole).collect()
}

const STATEMENTS: [&str; 24] = [
    "name: \"crate ★\"",
    "ambientColor: [0.1, 0.0, 0.0, 1.0]",
    "diffuseColor: [1.0, 0.5, 0.0, 1.0]",
    "specularColor: [1.0, 1.0, 0.5, 1.0]",
    "emissionColor: [0.0, 0.25, 0.0, 0.5]",
    "roughness: 0.1",
    "specularity: 9e-1",
    "metallic: 0.75",
    "diffuseTexture: \"crate-diffuse.png\"",
    "normalTexture: \"crate-normal.png\"",
    "emissionTexture: \"crate-emission.png\"",
    "speculatiryTexture: \"crate-specularity.png\"",
    "roughnessTexture: \"crate-roughness.png\"",
    "metallicTexture: \"crate-metallic.png\"",
    "shadeless: 0",
    "matcap: 0",
    "doubleSided: 1",
    "additiveBlending: 1",
    "castShadows: 1",
    "receiveShadows: 0",
    "useTextures: 1",
    "useGLSL: 1",
    "useFog: 0",
    "specularityTexture: \"crate-specularity.png\"",
];

/// Every key, as the document writes them.
pub fn material() -> Vec<u8> {
    STATEMENTS.iter().map(|statement| format!("{statement}\n")).collect::<String>().into_bytes()
}

/// Every key, as the engine reads them.
pub fn engine() -> Vec<u8> {
    STATEMENTS.iter().map(|statement| format!("{statement};\n")).collect::<String>().into_bytes()
}
