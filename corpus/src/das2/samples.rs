//! Small files of every layout.

use super::model::*;
use super::pack::{self, EMPTY_FRAME, Packing};
use crate::bytes::{Bytes, patch};
use crate::{Kind, Sample, alone, never_complete};

/// Every sample.
pub const SAMPLES: &[Sample] = &[
    good("model", "Everything the format has, as the document says.", "spec", model),
    good("triangle", "One triangle, as the document says.", "spec", one_triangle),
    good("engine", "Everything the format has, as the library writes it.", "engine", || {
        in_one_buffer(full(ENGINE)).bytes()
    }),
    good("engine-triangle", "One triangle, as the library writes it.", "engine", engine_triangle),
    odd("zlib", "A triangle in a zlib stream.", "spec", zlib),
    odd("spec-zstd", "A triangle of the document's layout in a zstd frame.", "spec", || packed(SPEC, Packing::Zstd)),
    odd("zstd", "A triangle in a zstd frame.", "engine", || packed(ENGINE, Packing::Zstd)),
    odd("engine-zlib", "A triangle of the library's layout in a zlib stream.", "engine", || {
        packed(ENGINE, Packing::Zlib)
    }),
    Sample {
        complete_cuts: |file| vec![file.len() - EMPTY_FRAME.len()],
        ..odd("zstd-frames", "Two zstd frames, one to be skipped and an empty one.", "engine", || {
            patch(packed(ENGINE, Packing::ZstdFrames), 46, &[9])
        })
    },
    odd("table-ids", "Structures with the numbers of the document's tables.", "spec-table-ids", || {
        full(Form { table: true, ..SPEC }).bytes()
    }),
    odd("nul", "A byte 00 behind every string.", "spec-nul", || spec_strings(Strings::Nul)),
    odd("hash", "The document's layout with hashed strings.", "spec-hash", || spec_strings(Strings::Hash)),
    odd("hash-nul", "Hashed strings with a byte 00 behind each.", "spec-hash-nul", || spec_strings(Strings::HashNul)),
    odd("head-text", "The text of the library's last commit, read literally.", "head-text", || {
        in_one_buffer(full(Form { revision: Revision::HeadText, ..SPEC })).bytes()
    }),
    odd("v2", "The library of September 2023.", "v2", || in_one_buffer(full(V2)).bytes()),
    odd("v2-split", "The library of September 2023: the buffer in a zstd frame.", "v2", || {
        Model { packing: Packing::Split, level: 9, ..triangle(V2) }.bytes()
    }),
    odd("v2-tail", "The buffer stands before everything else, and the zstd frame is empty.", "v2", || {
        [&Model { level: 9, ..triangle(V2) }.bytes()[..], &pack::zstd(&[])].concat()
    }),
    odd("v2-nul", "A byte 00 behind empty strings too, as at first.", "v2", || {
        let mut model = triangle(Form { strings: Strings::HashNul, ..V2 });
        model.parts[2] = Part::Group("", vec![0]);
        model.bytes()
    }),
    odd("v3", "The library of October 2023.", "v3", || in_one_buffer(full(V3)).bytes()),
    odd("v3-tail", "An empty zstd frame behind a body that is not compressed.", "v3", || {
        Model { packing: Packing::Split, level: 9, ..triangle(V3) }.bytes()
    }),
    odd("level-lies", "Level 6, and the body is not compressed.", "engine", || patch(engine_triangle(), 46, &[6])),
    odd("level-zero", "Level 0, and the body is a zstd frame.", "engine", || {
        patch(packed(ENGINE, Packing::Zstd), 46, &[0])
    }),
    odd("empty-body", "A header and nothing else.", "spec", || one_triangle()[..31].to_vec()),
    odd("any-order", "A scene before everything else.", "spec", any_order),
    odd("converter", "What the library's converter makes of a model without texture coordinates.", "engine", converter),
    odd("like-zlib", "A body that begins like a zlib stream and is none.", "spec", like_zlib),
    bad("cut", "The second half is missing.", || one_triangle()[..300].to_vec()),
    bad("first-generation", "A file of the format before this one.", || {
        [&b"DAS\0"[..], &[0; 12], b"PROPERTIES\nMODEL: \"m\"\nENDSCOPE\n"].concat()
    }),
    bad("unknown-structure", "A structure with the number 0x0d.", || [&one_triangle()[..], &[0x0d]].concat()),
    bad("morph-target-alone", "A morph target outside a mesh.", || [&one_triangle()[..], &[3], &[0; 96]].concat()),
    bad("zlib-twice", "Two zlib streams.", || [&zlib()[..], &zlib()[31..]].concat()),
    bad("zstd-cut", "A zstd frame that ends too early.", || {
        let file = packed(ENGINE, Packing::Zstd);
        file[..file.len() - 20].to_vec()
    }),
    bad("not-zstd", "Bytes behind the last zstd frame.", || [&packed(ENGINE, Packing::Zstd)[..], b"more"].concat()),
    bad("magic", "Another first byte.", || patch(one_triangle(), 0, b"D")),
];

const V2: Form = Form { revision: Revision::V2, strings: Strings::HashNulFilled, table: false };
const V3: Form = Form { revision: Revision::V3, ..V2 };

const fn sample(name: &'static str, kind: Kind, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { format: "das2", name, kind, about, bytes, beside: alone, dialect: None, complete_cuts: never_complete }
}

const fn good(name: &'static str, about: &'static str, dialect: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { dialect: Some(dialect), ..sample(name, Kind::Good, about, bytes) }
}

const fn odd(name: &'static str, about: &'static str, dialect: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { dialect: Some(dialect), ..sample(name, Kind::Odd, about, bytes) }
}

const fn bad(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    sample(name, Kind::Bad, about, bytes)
}

/// Positions, normals and texture coordinates of a triangle that faces +z: 96 bytes.
pub(super) fn triangle_data() -> Vec<u8> {
    let mut data = Bytes::default();
    data.le_all(&[0_f32, 0., 0., 1., 0., 0., 0., 1., 0.]);
    data.le_all(&[0_f32, 0., 1.].repeat(3));
    data.le_all(&[0_f32, 0., 1., 0., 0., 1.]).done()
}

pub(super) fn triangle_mesh() -> Mesh {
    Mesh { draw: 3, position: Some((0, 0)), normal: Some((0, 36)), uv: [Some((0, 72)); 8], ..Mesh::default() }
}

/// The file of the tables in `mod.rs`.
pub(super) fn triangle(form: Form) -> Model {
    let parts = vec![
        Part::Buffer(triangle_data()),
        Part::Mesh(triangle_mesh()),
        Part::Group("m", vec![0]),
        Part::Node(node("n")),
        Part::Scene("s", vec![0]),
    ];
    Model { form, packing: Packing::None, level: 0, counts: [3, 1, 0], parts }
}

/// The smallest file that shows something, in the `spec` dialect.
pub fn one_triangle() -> Vec<u8> {
    triangle(SPEC).bytes()
}

/// The same in the `engine` dialect.
pub fn engine_triangle() -> Vec<u8> {
    triangle(ENGINE).bytes()
}

pub(super) fn packed(form: Form, packing: Packing) -> Vec<u8> {
    Model { packing, level: 6, ..triangle(form) }.bytes()
}

pub(super) fn zlib() -> Vec<u8> {
    packed(SPEC, Packing::Zlib)
}

/// The triangle in a zlib stream, of which so many bytes were compressed.
pub fn zlib_of(size: usize) -> Vec<u8> {
    let model = Model { level: 6, ..triangle(SPEC) };
    let body = model.body_bytes();
    [&model.bytes()[..31], &pack::zlib(&body[..size.min(body.len())])].concat()
}

/// Everything the format has, in the `spec` dialect.
pub fn model() -> Vec<u8> {
    full(SPEC).bytes()
}

fn spec_strings(strings: Strings) -> Vec<u8> {
    triangle(Form { strings, ..SPEC }).bytes()
}

/// Two meshes that use every attribute, a skeleton, a morph target, a LOD, an animation with every target and
/// interpolation, and both kinds of materials.
fn full(form: Form) -> Model {
    // A second set of texture coordinates at 0, colours at 24, joints at 72, weights at 96, indices at 144.
    let mut more = Bytes::default();
    more.le_all(&[0.5_f32, 0.5, 1., 0.5, 0.5, 1.]);
    more.le_all(&[1_f32, 0., 0., 1., 0., 1., 0., 1., 0., 0., 1., 0.5]);
    more.le_all(&[0_u16, 1, 0, 0].repeat(3));
    more.le_all(&[1_f32, 0., 0., 0., 0.5, 0.5, 0., 0., 0.25, 0.75, 0., 0.]);
    more.le_all(&[0_u32, 1, 2]);
    // What a morph target adds to positions at 0, and to normals at 36.
    let mut morph = Bytes::default();
    morph.le_all(&[0_f32, 0., 0.5].repeat(3)).le_all(&[0.25_f32, 0., 0.].repeat(3));
    let mut uv = [Some((0, 72)); 8];
    uv[7] = Some((1, 0));
    let skinned = Mesh {
        index: Some((1, 144)),
        uv,
        color: Some((1, 24)),
        joints: sets((1, 72)),
        weights: sets((1, 96)),
        material: Some((1, 0)),
        lods: vec![triangle_mesh()],
        ..triangle_mesh()
    };
    let moved = Morph { position: Some((2, 0)), normal: Some((2, 36)), ..Morph::default() };
    let morphed = Mesh { material: Some((2, 0)), morphs: vec![moved], ..triangle_mesh() };
    let mut custom = IDENTITY;
    [custom[3], custom[7], custom[11]] = [1., 2., 3.];
    let mut below = IDENTITY;
    below[7] = -0.5;
    let parts = vec![
        Part::Buffer(triangle_data()),
        Part::Buffer(more.done()),
        Part::Buffer(morph.done()),
        Part::Mesh(skinned),
        Part::Mesh(morphed),
        Part::Group("skinned", vec![0]),
        Part::Group("morphed", vec![1]),
        Part::Node(Node { children: vec![1, 2], group: NONE, translation: [0., 1., 0.], ..node("root") }),
        Part::Node(Node { skeleton: 0, ..node("dancer") }),
        Part::Node(Node { group: 1, scale: 2., ..node("cloth") }),
        Part::Node(Node { group: 1, custom, ..node("elsewhere") }),
        Part::Scene("main", vec![0]),
        Part::Scene("other", vec![3]),
        Part::Joint(Joint { name: "hip", children: vec![1], inverse_bind: IDENTITY, translation: [0.; 3] }),
        Part::Joint(Joint { name: "knee", children: Vec::new(), inverse_bind: below, translation: [0., 0.5, 0.] }),
        Part::Skeleton("leg", 0, vec![0, 1]),
        Part::Animation("move", vec![0, 1, 2, 3]),
        Part::Channel(Channel { times: vec![0., 1.], values: vec![0., 1., 0., 2., 1., 0.], ..channel(2, 1) }),
        Part::Channel(Channel {
            node: NONE,
            joint: 1,
            times: vec![0., 1.],
            tangents: [0.5_f32, 0., 0., 0.].repeat(4),
            values: vec![0., 0., 0., 1., 0., 0., 1., 0.],
            ..channel(3, 3)
        }),
        Part::Channel(Channel { node: 2, times: vec![0., 0.5], values: vec![2., 4.], ..channel(4, 2) }),
        Part::Channel(Channel {
            node: 2,
            weights: 1,
            times: vec![0., 1., 2.],
            values: vec![0., 1., 0.],
            ..channel(1, 1)
        }),
        Part::Phong(Phong { name: "wood", maps: ["wood.png", "shine.png", ""] }),
        Part::Pbr(Pbr { name: "cloth", maps: ["albedo.png", "", "rough.png", "metal.png", "shade.png"] }),
    ];
    Model { form, packing: Packing::None, level: 0, counts: [6, 2, 1], parts }
}

fn sets(first: (u32, u32)) -> [At; 8] {
    let mut sets = [None; 8];
    sets[0] = Some(first);
    sets
}

/// A channel of node 0 without keyframes.
pub(super) fn channel(target: u8, interpolation: u8) -> Channel {
    Channel {
        node: 0,
        joint: NONE,
        target,
        interpolation,
        weights: 0,
        times: Vec::new(),
        tangents: Vec::new(),
        values: Vec::new(),
    }
}

fn any_order() -> Vec<u8> {
    let mut model = triangle(SPEC);
    model.parts.reverse();
    model.bytes()
}

/// The number 0, offsets that count elements, a draw count that counts triangles, rotations of zeros, no counters.
fn converter() -> Vec<u8> {
    let positions = [0_f32, 0., 0., 1., 0., 0., 1., 0., 0.];
    let data = Bytes::default().le_all(&positions).le_all(&[0_f32, 0., 1.].repeat(3)).done();
    let mesh = Mesh { number: Some(0), draw: 1, position: Some((0, 0)), normal: Some((0, 3)), ..Mesh::default() };
    let mut model = triangle(ENGINE);
    model.counts = [0; 3];
    model.parts[0] = Part::Buffer(data);
    model.parts[1] = Part::Mesh(mesh);
    model.parts[3] = Part::Node(Node { rotation: [0.; 4], ..node("n") });
    model.bytes()
}

/// A skeleton first: its number is 8, and a name of 29 letters makes it look like the start of a zlib stream.
fn like_zlib() -> Vec<u8> {
    let mut model = triangle(SPEC);
    let joint = Joint { name: "j", children: Vec::new(), inverse_bind: IDENTITY, translation: [0.; 3] };
    model.parts.insert(0, Part::Skeleton("a skeleton of 29 letters, see", 0, vec![0]));
    model.parts.push(Part::Joint(joint));
    model.bytes()
}
