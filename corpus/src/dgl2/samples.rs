//! Sample files.

use super::*;
use crate::{Kind, Sample, alone, never_complete};

/// Every sample; the first is the default one.
pub const SAMPLES: &[Sample] = &[
    sample("model", Kind::Good, Some("spec"), model, "Everything the format has, as the document says it."),
    sample("engine", Kind::Good, Some("engine"), engine, "The same model as the engine reads it."),
    sample("braced", Kind::Good, Some("engine-braced"), braced, "Texts between braces, as in files until 2015."),
    sample(
        "bottom",
        Kind::Good,
        Some("engine-braced"),
        bottom,
        "V counts from the bottom, as in files before September 2015.",
    ),
    sample("one-triangle", Kind::Good, Some("engine"), one_triangle, "One triangle, the base of most recipes."),
    sample("odd-frame", Kind::Odd, Some("engine"), odd_frame, "Chunks in another order, unknown ones, an odd END."),
    sample("odd-texts", Kind::Odd, Some("engine"), odd_texts, "White space, comments, duplicates, odd bytes, slack."),
    sample("odd-links", Kind::Odd, Some("engine"), odd_links, "Ids that lead nowhere or twice, materials of entities."),
    sample("odd-values", Kind::Odd, Some("engine"), odd_values, "Normals, rotations and scales that are not valid."),
    sample("no-end", Kind::Odd, Some("engine"), || one_triangle()[..318].to_vec(), "A file without END."),
    Sample {
        complete_cuts: |file| vec![file.len() - 4],
        ..sample("tail", Kind::Odd, Some("engine"), tail, "Bytes behind END.")
    },
    sample("bad-empty", Kind::Bad, None, Vec::new, "A file of no bytes."),
    sample(
        "bad-header-cut",
        Kind::Bad,
        None,
        || one_triangle()[..325].to_vec(),
        "A file that ends inside the last chunk.",
    ),
    sample("bad-chunk-cut", Kind::Bad, None, || one_triangle()[..100].to_vec(), "A file that ends inside a mesh."),
    sample("bad-first-chunk", Kind::Bad, None, || file(&[end(), header()]), "A file that begins with END."),
];

const fn sample(
    name: &'static str,
    kind: Kind,
    dialect: Option<&'static str>,
    bytes: fn() -> Vec<u8>,
    about: &'static str,
) -> Sample {
    Sample { format: "dgl2", name, kind, about, bytes, dialect, complete_cuts: never_complete, beside: alone }
}

pub(super) const GREY: &[u8] = br#"diffuseColor="[0.5, 0.5, 0.5, 1.0]";shadeless="0";texturesNum="0";"#;

pub(super) fn one() -> [Chunk; 5] {
    [
        header(),
        chunk(TRIMESH, 0, "M", triangles(&[Triangle::new(0, 0.)])),
        chunk(ENTITY, 0, "E", entity(0, -1, 0, br#"visible="1";"#)),
        chunk(MATERIAL, 0, "S", with_length(GREY)),
        end(),
    ]
}

/// One triangle: see the table of [`super`].
pub fn one_triangle() -> Vec<u8> {
    file(&one())
}

/// Meshes of the larger samples: one with two materials that alternate, one with a second layer of its own.
fn meshes() -> [Chunk; 2] {
    let mixed = [(0, 0.), (1, 1.), (0, 2.), (-1, 3.)].map(|(material, x)| Triangle::new(material, x));
    let mut lit = Triangle::new(2, 0.);
    lit.uv2 = [[0.25, 0.5], [0.5, 0.5], [0.25, 0.25]];
    [chunk(TRIMESH, 0, "Mixed", triangles(&mixed)), chunk(TRIMESH, 1, "Lit", triangles(&[lit]))]
}

/// A file with every kind of chunk; texts are what differs between dialects.
fn whole(material: fn(&[u8]) -> Vec<u8>, properties: [&[u8]; 3], texts: [&[u8]; 5]) -> Vec<u8> {
    let [a, b, c] = properties;
    let [plain, hidden, light, metadata, own] = texts;
    let [mixed, lit] = meshes();
    file(&[
        chunk(HEADER, -1, "Yard", b"made by hand".to_vec()),
        mixed,
        lit,
        chunk(ENTITY, 0, "Left", placed([-2., 0., 0.], 0, -1, 0, plain)),
        // The same mesh a second time.
        chunk(ENTITY, 1, "Right", placed([2., 0.5, 0.], 0, -1, 0, hidden)),
        chunk(ENTITY, 2, "Floor", entity(0, -1, 1, b"")),
        chunk(ENTITY, 3, "Lamp", placed([0., 3., 0.], 1, -1, -1, light)),
        chunk(ENTITY, 4, "spawnPos", placed([0., 1., 4.], 3, -1, -1, own)),
        chunk(ENTITY, 5, "Tangents", entity(4, -1, -1, metadata)),
        // Exporters write materials in no order.
        chunk(MATERIAL, 1, "Glass", material(b)),
        chunk(MATERIAL, 0, "Wood", material(a)),
        chunk(MATERIAL, 2, "Wall", material(c)),
        end(),
    ])
}

/// Everything the format has, in the `spec` dialect.
pub fn model() -> Vec<u8> {
    whole(
        <[u8]>::to_vec,
        [
            br#"diffuseColor="[1.0, 1.0, 1.0, 1.0]";specularColor="[0.5, 0.5, 0.5, 1.0]";shininess="16.0";shadeless="0";texturesNum="3";texture0="images/wood.png";texture1="wood-normal.png";texture2="wood-glow.png";grain="fine";"#,
            br#"diffuseColor="[0.2, 0.4, 1.0, 0.5]"; shadeless = "1"; doubleSided="1"; blendMode="1"; texturesNum="0";"#,
            br#"diffuseColor="[0.9, 0.8, 0.7, 1.0]";emission="0.25";texturesNum="2";texture0="images/wood.png";texture1="light.png";texture1Blend="1";"#,
        ],
        [
            br#"ghost="1";bbox="[4.0, 0.0, 1.0]";"#,
            br#"visible="0";transparent="0";"#,
            br#"color="[1.0, 0.9, 0.8, 1.0]";"#,
            br#"mesh="Lit";genTangents="1";"#,
            br#"team="red and blue";"#,
        ],
    )
}

fn engine() -> Vec<u8> {
    whole(
        with_length,
        [
            br#"texturesNum="3";diffuseColor="[1.0, 1.0, 1.0, 1.0]";specularColor="[0.5, 0.5, 0.5, 1.0]";shininess="16.0";shadeless="0";texture0="[wood.png, 0]";texture1="[wood-normal.png, 0]";texture2="[wood-glow.png, 0]";"#,
            br#"diffuseColor="[0.2, 0.4, 1.0, 0.5]";shadeless="1";doubleSided="1";blendMode="1";texturesNum="0";rimLight="1";"#,
            br#"diffuseColor="[0.9, 0.8, 0.7, 1.0]";emission="0.25";texturesNum="2";texture0="[wood.png, 0]";texture1="[light.png, 1]";"#,
        ],
        [
            br#"ghost="1";bbox="[4.0, 0.0, 1.0]";"#,
            br#"visible="0";transparent="1";"#,
            br#"color="[1.0, 0.9, 0.8, 1.0]";"#,
            br#"mesh="Lit";genTangents="1";"#,
            br#"team="red and blue";"#,
        ],
    )
}

fn braced() -> Vec<u8> {
    whole(
        with_length,
        [
            br#"{texturesNum="2";texture0="[wood.png, 0]";texture1="[wood-light.png, 0]";shadeless="0";}"#,
            br#"{shadeless="1";texturesNum="0";}"#,
            br#"{ diffuseColor = "[0.9, 0.8, 0.7, 1.0]"; texturesNum="0"; }"#,
        ],
        [b"{}", br#"{visible="0";}"#, br#"{color="[1.0, 0.9, 0.8, 1.0]";}"#, br#"{mesh="Lit";}"#, br#"{team="1";}"#],
    )
}

fn bottom() -> Vec<u8> {
    // Corners run counter-clockwise on the image too, with V upwards.
    let triangle = Triangle { uv1: [[0., 0.], [1., 0.], [0., 1.]], ..Triangle::new(0, 0.) };
    file(&[
        header(),
        chunk(TRIMESH, 0, "M", triangles(&[triangle])),
        chunk(ENTITY, 0, "E", entity(0, -1, 0, br#"{visible="1";}"#)),
        chunk(MATERIAL, 0, "S", with_length(br#"{texturesNum="1";texture0="[wood.png, 0]";}"#)),
        end(),
    ])
}

fn odd_frame() -> Vec<u8> {
    let [_, mesh, entity, material, _] = one();
    file(&[
        chunk(HEADER, -1, "", Vec::new()),
        material,
        chunk(7, 1, "later", vec![1, 2, 3]),
        entity,
        chunk(ENTITY, 9, "short", vec![0; 20]),
        header(),
        mesh,
        chunk(MATERIAL, 1, "text alone", br#"shadeless="1";"#.to_vec()),
        chunk(MATERIAL, 2, "empty", Vec::new()),
        chunk(END, 0, "fin", vec![0xEE]),
    ])
}

fn odd_texts() -> Vec<u8> {
    // The length counts four of the six bytes; the other two are slack.
    let mut short = with_length(br#"a="";;;"#);
    short[0] = 5;
    let mut long = with_length(br#"a="1";"#);
    long[0] = 99;
    let mut slack = entity(0, -1, 0, br#"a="1" ; a = "2"  b="\t";"#);
    slack.extend(b"!?");
    file(&[
        header(),
        chunk(TRIMESH, 0, "M", [triangles(&[Triangle::new(0, 0.)]), vec![1, 2, 3]].concat()),
        chunk(ENTITY, 0, "E", slack),
        chunk(ENTITY, 1, "E", entity(1, -1, -1, b"{ # no colour\n visible=\"0\"; c=\"\\\"\"; } behind")),
        chunk(MATERIAL, 0, "S", short),
        chunk(MATERIAL, 1, "T", long),
        chunk(MATERIAL, 2, "U", with_length(b"diffuseColor=\"red\";x=\"\xFF\";shadeless=yes;y=\"1\";")),
        chunk(MATERIAL, 3, "", with_length(b"texture0=\"[a,b.png, 0]\";texture8=\"..\\c.jpg\";texturesNum=\"99\";")),
        chunk(MATERIAL, 4, "V", with_length(b"")),
        end(),
    ])
}

fn odd_links() -> Vec<u8> {
    let bare = [Triangle::new(-1, 0.), Triangle::new(-1, 1.)];
    let some = [Triangle::new(0, 0.), Triangle::new(-1, 1.), Triangle::new(12, 2.), Triangle::new(-5, 3.)];
    file(&[
        header(),
        chunk(TRIMESH, 3, "Bare", triangles(&bare)),
        chunk(TRIMESH, 5, "Some", triangles(&some)),
        chunk(TRIMESH, 5, "Again", triangles(&bare[..1])),
        chunk(TRIMESH, -1, "Nobody's", triangles(&bare[..1])),
        chunk(TRIMESH, 8, "Partly", triangles(&some)),
        chunk(TRIMESH, 9, "Empty", Vec::new()),
        chunk(ENTITY, 0, "E", entity(0, 0, 3, b"")),
        chunk(ENTITY, 0, "E", entity(0, 1, 5, b"")),
        chunk(ENTITY, -7, "F", entity(0, 1, 8, b"")),
        chunk(ENTITY, 4, "G", entity(0, 0, 8, b"")),
        chunk(ENTITY, 5, "H", entity(0, 77, 66, b"")),
        chunk(ENTITY, 6, "I", entity(0, 1, -1, b"")),
        chunk(MATERIAL, 1, "B", with_length(GREY)),
        chunk(MATERIAL, 0, "A", with_length(GREY)),
        chunk(MATERIAL, 0, "A", with_length(br#"shadeless="1";"#)),
        end(),
    ])
}

fn odd_values() -> Vec<u8> {
    let mut file = one_triangle();
    file[78..82].copy_from_slice(&0.5_f32.to_le_bytes());
    file[106..110].copy_from_slice(&f32::NAN.to_le_bytes());
    file[191..207].fill(0);
    file[211..215].copy_from_slice(&f32::NEG_INFINITY.to_le_bytes());
    file
}

fn tail() -> Vec<u8> {
    [one_triangle(), b"more".to_vec()].concat()
}
