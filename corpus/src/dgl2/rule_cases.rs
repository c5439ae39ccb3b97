//! A file that breaks each rule, and its repair. Places are computed by hand from the table of [`super`].

use super::samples::{one, one_triangle};
use super::*;
use crate::bytes::patch;
use crate::{RuleCase, alone};

/// Every case, by rule. DGL2-037 and DML-006 are about writing: their recipes are documents, in pentad's own tests.
pub const RULE_CASES: &[RuleCase] = &[
    case("DGL2-001", ("chunks[0]", 0, 0), Vec::new),
    case("DGL2-001", ("chunks[4]", 318, 7), || one_triangle()[..325].to_vec()),
    case("DGL2-002", ("chunks[1].data_size", 25, 4), || number(25, 301)),
    case("DGL2-002", ("chunks[1].name_size", 23, 2), || patch(one_triangle(), 23, &[0xFF; 2])),
    case("DGL2-003", ("chunks[0].kind", 0, 2), || patch(one_triangle(), 0, &[2])),
    case("DGL2-004", ("chunks[0].id", 2, 4), || number(2, 0)),
    case("DGL2-004", ("chunks[1].kind", 17, 2), || file(&[&[header()], &one()[..]].concat())),
    case("DGL2-005", ("chunks[3]", 235, 83), || one_triangle()[..318].to_vec()),
    case("DGL2-006", ("chunks[4].id", 320, 4), || number(320, 0)),
    case("DGL2-006", ("chunks[4].name", 330, 1), || with(4, chunk(END, -1, "x", Vec::new()))),
    case("DGL2-006", ("chunks[4].data", 330, 2), || with(4, chunk(END, -1, "", vec![1, 2]))),
    case("DGL2-007", ("tail", 330, 4), || [one_triangle(), b"more".to_vec()].concat()),
    case("DGL2-008", ("chunks[4].kind", 318, 2), || with(4, chunk(7, -1, "", Vec::new()))),
    case("DGL2-009", ("chunks[1].data.slack", 154, 3), || {
        with(1, chunk(TRIMESH, 0, "M", [triangles(&[Triangle::new(0, 0.)]), vec![1, 2, 3]].concat()))
    }),
    case("DGL2-010", ("chunks[1].data_size", 25, 4), || with(1, chunk(TRIMESH, 0, "M", Vec::new()))),
    case("DGL2-011", ("chunks[1].data.triangles[0].material_id", 30, 4), || number(30, 5)),
    case("DGL2-011", ("chunks[1].data.triangles[0].material_id", 30, 4), || number(30, -2)),
    case("DGL2-012", ("chunks[1].data.triangles[0].positions", 34, 36), || float(66, f32::NAN)),
    case("DGL2-012", ("chunks[1].data.triangles[0].normals", 70, 36), || float(70, f32::INFINITY)),
    case("DGL2-012", ("chunks[1].data.triangles[0].uv1", 106, 24), || float(126, f32::NAN)),
    case("DGL2-012", ("chunks[1].data.triangles[0].uv2", 130, 24), || float(130, f32::NAN)),
    case("DGL2-012", ("chunks[2].data.position", 179, 12), || float(183, f32::NAN)),
    RuleCase {
        pass: || float(78, 1.009),
        ..case("DGL2-013", ("chunks[1].data.triangles[0].normals", 70, 36), || float(78, 1.011))
    },
    case("DGL2-014", ("chunks[1].data.triangles[0].positions", 34, 36), || patch(one_triangle(), 34, &[0; 36])),
    // The first normal alone does not turn the triangle; all three do.
    RuleCase {
        pass: || float(78, -1.),
        ..case("DGL2-015", ("chunks[1].data.triangles[0].positions", 34, 36), || {
            patch(patch(float(78, -1.), 90, &(-1_f32).to_le_bytes()), 102, &(-1_f32).to_le_bytes())
        })
    },
    case("DGL2-016", ("chunks[2].data_size", 162, 4), || with(2, chunk(ENTITY, 0, "E", vec![0; 20]))),
    case("DGL2-016", ("chunks[2].data", 219, 4), || number(219, 13)),
    case("DGL2-017", ("chunks[2].data.dml_size", 219, 4), || number(219, 10)),
    case("DGL2-017", ("chunks[3].data.text_size", 248, 4), || number(248, 60)),
    case("DGL2-018", ("chunks[2].data.mesh_id", 175, 4), || number(175, 3)),
    case("DGL2-018", ("chunks[2].data.mesh_id", 175, 4), || number(175, -2)),
    case("DGL2-019", ("chunks[2].data.material_id", 171, 4), || number(171, 3)),
    case("DGL2-020", ("chunks[2].data.rotation", 191, 16), || patch(one_triangle(), 191, &[0; 16])),
    case("DGL2-020", ("chunks[2].data.rotation", 191, 16), || float(203, f32::NAN)),
    case("DGL2-020", ("chunks[2].data.rotation", 191, 16), || float(203, 0.72)),
    case("DGL2-021", ("chunks[2].data.scaling", 207, 12), || float(211, 0.)),
    case("DGL2-021", ("chunks[2].data.scaling", 207, 12), || float(215, -1.)),
    RuleCase {
        pass: || entity_text(1, br#"color="[1, 1, 1, 1]";"#),
        ..case("DGL2-022", ("chunks[2].data.kind", 167, 4), || number(167, 1))
    },
    case("DGL2-022", ("chunks[2].data.kind", 167, 4), || number(167, 4)),
    RuleCase {
        pass: || entity_text(4, br#"mesh="M";"#),
        ..case("DGL2-022", ("chunks[2].data.text.mesh", 229, 1), || entity_text(4, br#"mesh="X";"#))
    },
    case("DGL2-023", ("chunks[3].data.text_size", 248, 4), || number(248, 67)),
    case("DGL2-023", ("chunks[3].data.text", 252, 1), || with(3, chunk(MATERIAL, 0, "S", b"ab=\"\0\";".to_vec()))),
    case("DGL2-024", ("chunks[3].data", 248, 6), || with(3, chunk(MATERIAL, 0, "S", b"a=\"1\";".to_vec()))),
    // A text begins at 252, a value behind the name, = and ".
    case("DGL2-025", ("chunks[3].data.text.texturesNum", 265, 1), || text(br#"texturesNum="9";"#)),
    case("DGL2-025", ("chunks[3].data.text.texturesNum", 265, 3), || text(br#"texturesNum="0.0";"#)),
    case("DGL2-026", ("chunks[3].data.text.texture1", 300, 10), || {
        text(br#"texturesNum="1";texture0="[a.png, 0]";texture1="[b.png, 0]";"#)
    }),
    case("DGL2-026", ("chunks[3].data.text.texturesNum", 265, 1), || text(br#"texturesNum="1";"#)),
    case("DGL2-026", ("chunks[3].data.text.texture0", 262, 10), || text(br#"texture0="[a.png, 0]";"#)),
    case("DGL2-026", ("chunks[3].data.text.texture8", 278, 10), || text(br#"texturesNum="8";texture8="[a.png, 0]";"#)),
    RuleCase {
        pass: || text(br#"texturesNum="1";texture0="[a.png, 0]";"#),
        ..case("DGL2-027", ("chunks[3].data.text.texture0", 278, 5), || text(br#"texturesNum="1";texture0="a.png";"#))
    },
    // A comma in the name: what follows it is no number, so the brackets mean nothing.
    case("DGL2-027", ("chunks[3].data.text.texture0", 262, 12), || text(br#"texture0="[a,b.png, 0]";"#)),
    RuleCase {
        pass: || text(br#"texture0="[a.png, 0]";"#),
        ..case("DGL2-028", ("chunks[3].data.text.texture0", 262, 12), || text(br#"texture0="[a/b.png, 0]";"#))
    },
    case("DGL2-028", ("chunks[3].data.text.texture0", 262, 8), || text(br#"texture0="..\a.png";"#)),
    case("DGL2-028", ("chunks[3].data.text.texture0", 262, 12), || text(br#"texture0="[a,b.png, 0]";"#)),
    case("DGL2-028", ("chunks[3].data.text.texture0", 262, 10), || text(br#"texture0="[a.jpg, 0]";"#)),
    case("DGL2-029", ("chunks[3].data.text.diffuseColor", 266, 9), || text(br#"diffuseColor="[1, 0, 0]";"#)),
    case("DGL2-029", ("chunks[3].data.text.specularColor", 267, 12), || text(br#"specularColor="[1, 0, 2, 1]";"#)),
    RuleCase {
        // Only the colour of a light is one.
        pass: || entity_text(0, br#"color="[1, 1]";"#),
        ..case("DGL2-029", ("chunks[2].data.text.color", 230, 6), || entity_text(1, br#"color="[1, 1]";"#))
    },
    case("DGL2-030", ("chunks[1].id", 19, 4), || number(19, -1)),
    case("DGL2-030", ("chunks[2].id", 156, 4), || file(&[&one()[..2], &one()[1..]].concat())),
    case("DGL2-031", ("chunks[1].name_size", 23, 2), || {
        with(1, chunk(TRIMESH, 0, "", triangles(&[Triangle::new(0, 0.)])))
    }),
    case("DGL2-031", ("chunks[2].name", 166, 1), || file(&[&one()[..2], &one()[1..]].concat())),
    case("DGL2-032", ("chunks[1].name", 29, 1), || patch(one_triangle(), 29, &[0xFF])),
    case("DGL2-033", ("chunks[3].data.text.shadeless", 263, 3), || text(br#"shadeless="yes";"#)),
    case("DGL2-033", ("chunks[3].data.text.shadeless", 263, 1), || text(br#"shadeless="2";"#)),
    case("DGL2-033", ("chunks[3].data.text.blendMode", 263, 3), || text(br#"blendMode="1.0";"#)),
    case("DGL2-033", ("chunks[2].data.text.visible", 232, 2), || entity_text(0, br#"visible="no";"#)),
    RuleCase {
        pass: || number(171, 0),
        ..case("DGL2-034", ("chunks[2].data.material_id", 171, 4), || patch(number(171, 0), 30, &[0xFF; 4]))
    },
    case("DGL2-035", ("chunks[3].data.text.texture0", 262, 10), || text(br#"texture0="[a.png, 0]";"#)),
    RuleCase {
        pass: || text(br#"{shadeless="0";}"#),
        // The chunks: 252 bytes before the text, 16 of it, 12 of END. Without an area on the image nothing decides.
        ..case("DGL2-036", ("chunks", 0, 280), || patch(text(br#"{shadeless="0";}"#), 106, &[0; 24]))
    },
    case("DML-001", ("chunks[3].data.text", 252, 1), || text(br#"="1";"#)),
    case("DML-001", ("chunks[3].data.text", 261, 1), || text(br#"shadeless;"#)),
    case("DML-001", ("chunks[3].data.text", 262, 1), || text(br#"shadeless=1;"#)),
    case("DML-001", ("chunks[3].data.text", 254, 2), || text(br#"a="1"#)),
    case("DML-001", ("chunks[2].data.text", 224, 1), || entity_text(0, b"a;")),
    case("DML-002", ("chunks[3].data.text", 257, 0), || text(br#"a="1""#)),
    case("DML-002", ("chunks[3].data.text", 257, 0), || text(br#"a="1" b="2";"#)),
    case("DML-002", ("chunks[3].data.text", 259, 0), || text(br#"{a="1";"#)),
    case("DML-002", ("chunks[3].data.text", 260, 1), || text(br#"{a="1";}x"#)),
    case("DML-003", ("chunks[3].data.text", 258, 1), || text(br#"a="1";a="1";"#)),
    case("DML-004", ("chunks[3].data.text", 253, 1), || text(br#" {a="1";}"#)),
    case("DML-005", ("chunks[3].data.text", 258, 1), || text(b"a=\"1\";\r")),
    case("DML-005", ("chunks[3].data.text", 255, 1), || text(b"a=\"\xFF\";")),
    case("DML-005", ("chunks[3].data.text", 256, 1), || text(br#"a="1\n";"#)),
];

/// A case whose repair is the triangle of the table.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, beside: alone, pass: one_triangle }
}

fn number(offset: usize, value: i32) -> Vec<u8> {
    patch(one_triangle(), offset, &value.to_le_bytes())
}

fn float(offset: usize, value: f32) -> Vec<u8> {
    patch(one_triangle(), offset, &value.to_le_bytes())
}

/// The file of the table with another chunk in one place.
fn with(index: usize, chunk: Chunk) -> Vec<u8> {
    let mut chunks = one();
    chunks[index] = chunk;
    file(&chunks)
}

/// With another text of the material, which begins at 252.
fn text(text: &[u8]) -> Vec<u8> {
    with(3, chunk(MATERIAL, 0, "S", with_length(text)))
}

/// With another type and text of the entity, which begins at 223.
fn entity_text(kind: u32, text: &[u8]) -> Vec<u8> {
    with(2, chunk(ENTITY, 0, "E", entity(kind, -1, 0, text)))
}
