//! DGL1 files: the chunks of DGL2 with JSON texts, and the length before every text.

use crate::dgl2::{
    ENTITY, MATERIAL, TRIMESH, Triangle, chunk, end, entity, file, header, placed, triangles, with_length,
};
use crate::{Kind, RuleCase, Sample, alone, never_complete};

/// Every sample; the first is the default one.
pub const SAMPLES: &[Sample] = &[
    sample("model", Kind::Good, model, "A textured mesh, a lamp and a place, as the first exporter wrote them."),
    sample("odd-texts", Kind::Odd, odd_texts, "Escapes, unknown members, a text that is no JSON."),
    sample("bad-cut", Kind::Bad, || model()[..model().len() - 5].to_vec(), "A file that ends inside its last chunk."),
];

const fn sample(name: &'static str, kind: Kind, bytes: fn() -> Vec<u8>, about: &'static str) -> Sample {
    Sample {
        format: "dgl1",
        name,
        kind,
        about,
        bytes,
        dialect: Some("json"),
        complete_cuts: never_complete,
        beside: alone,
    }
}

/// Every case, by rule. The text of the material begins at 240: 223 bytes up to the end of the entity, 13 of chunk and
/// name, 4 of length.
pub const RULE_CASES: &[RuleCase] = &[
    case("DGL1-001", ("chunks[3].data.text", 254, 1), || one(br#"{"shadeless": }"#)),
    case("DGL1-001", ("chunks[3].data.text", 257, 1), || one(br#"{"shadeless": 1 ,, 2}"#)),
    case("DGL1-001", ("chunks[3].data.text", 255, 0), || one(br#"{"shadeless": 1"#)),
    case("DGL1-002", ("chunks[3].data.text", 248, 3), || one(br#"{"a": 1,"a": 2}"#)),
    case("DGL1-003", ("chunks[3].data.text", 254, 5), || one(br#"{"textures": ["a.b"]}"#)),
    case("DGL1-003", ("chunks[3].data.text", 253, 1), || one(br#"{"textures": 7}"#)),
];

const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, beside: alone, pass: || one(br#"{"shadeless": 1}"#) }
}

fn one(text: &[u8]) -> Vec<u8> {
    file(&[
        header(),
        chunk(TRIMESH, 0, "M", triangles(&[Triangle::new(0, 0.)])),
        chunk(ENTITY, 0, "E", entity(0, -1, 0, b"")),
        chunk(MATERIAL, 0, "S", with_length(text)),
        end(),
    ])
}

/// A textured mesh, a lamp and a place.
pub fn model() -> Vec<u8> {
    let wood = br#"{"diffuseColor": [0.8, 0.7, 0.6, 1.0], "specularColor": [0.5, 0.5, 0.5, 1.0], "shadeless": 0, "texturesNum": 2, "textures": [{"filename": "wood.png", "blendType": 0}, {"filename": "light.png", "blendType": 1}]}"#;
    file(&[
        header(),
        chunk(TRIMESH, 0, "Plank", triangles(&[Triangle::new(0, 0.), Triangle::new(0, 1.)])),
        chunk(ENTITY, 0, "Plank", entity(0, -1, 0, b"")),
        chunk(ENTITY, 1, "Lamp", placed([0., 3., 0.], 1, -1, -1, br#"{"color": [1.0, 0.9, 0.8, 1.0]}"#)),
        chunk(ENTITY, 2, "spawnPos", placed([0., 1., 4.], 0, -1, -1, b"")),
        chunk(MATERIAL, 0, "Wood", with_length(wood)),
        end(),
    ])
}

fn odd_texts() -> Vec<u8> {
    file(&[
        header(),
        chunk(
            ENTITY,
            0,
            "E",
            entity(0, -1, -1, br#" { "note" : "a\"b\u00e9\ud83d\ude00\n", "list": [1, [2, {"x": null}]] } "#),
        ),
        chunk(ENTITY, 1, "F", entity(0, -1, -1, br#"{"visible": 0"#)),
        chunk(MATERIAL, 0, "S", with_length(br#"{"textures": [{"blendType": 1}, 5], "diffuseColor": "red"}"#)),
        end(),
    ])
}

/// Many entities with a mesh each.
pub(crate) fn entities(count: usize) -> Vec<u8> {
    let meshes =
        (0..count as i32).map(|at| chunk(TRIMESH, at, &format!("m{at}"), triangles(&[Triangle::new(0, at as f32)])));
    let entities = (0..count as i32).map(|at| chunk(ENTITY, at, &format!("e{at}"), entity(0, -1, at, b"")));
    let material = chunk(MATERIAL, 0, "Wood", with_length(br#"{"shadeless": 0}"#));
    let chunks: Vec<_> = std::iter::once(header()).chain(meshes).chain(entities).chain([material, end()]).collect();
    file(&chunks)
}
