//! A file that breaks each rule, and its smallest repair.

use super::model::*;
use super::pack::Packing;
use super::samples::{channel, engine_triangle, one_triangle, packed, triangle, triangle_data, triangle_mesh, zlib};
use crate::bytes::{Bytes, patch};
use crate::{RuleCase, alone};

/// Every pair.
pub const RULE_CASES: &[RuleCase] = &[
    case("DAS2-001", ("header.magic", 0, 8), || patch(one_triangle(), 0, b"D")),
    case("DAS2-002", ("header.magic", 0, 4), || [&b"DAS\0"[..], &[0; 12], b"INFO_HDR"].concat()),
    case("DAS2-003", ("header.mesh_count", 18, 2), || one_triangle()[..20].to_vec()),
    case("DAS2-004", ("body.nodes[0].skeleton_id", 398, 2), || one_triangle()[..400].to_vec()),
    RuleCase {
        // Header 31, two bytes of zlib, five of its block, a body of 479, four of its checksum: 521.
        pass: zlib,
        ..case("DAS2-005", ("body", 521, 1), || [&zlib()[..], &[0]].concat())
    },
    case("DAS2-006", ("body", 510, 1), || [&one_triangle()[..], &[0x0d]].concat()),
    case("DAS2-007", ("body", 510, 1), || [&one_triangle()[..], &[3], &[0; 96]].concat()),
    engine("DAS2-008", ("body.meshes[0].structure", 148, 1), || patch(engine_triangle(), 148, &[0])),
    case("DAS2-009", ("body.mesh_groups[0].structure", 374, 1), || triangle(Form { table: true, ..SPEC }).bytes()),
    engine("DAS2-010", ("body.mesh_groups[0].name.hash", 281, 8), || patch(engine_triangle(), 281, &[1])),
    engine("DAS2-010", ("header.author_name.hash", 10, 8), || patch(engine_triangle(), 18, b"b")),
    case("DAS2-011", ("body.mesh_groups[0].name.text", 377, 1), || patch(one_triangle(), 377, &[0])),
    case("DAS2-012", ("body.mesh_groups[0].name.text", 377, 1), || patch(one_triangle(), 377, &[0xFF])),
    case("DAS2-012", ("header.comment.text", 13, 1), || patch(one_triangle(), 13, &[0xFF])),
    case("DAS2-013", ("header.level", 30, 1), || patch(one_triangle(), 30, &[6])),
    RuleCase { pass: zlib, ..case("DAS2-014", ("header.level", 30, 1), || patch(zlib(), 30, &[10])) },
    RuleCase { pass: zlib, ..case("DAS2-015", ("header.level", 30, 1), || patch(zlib(), 30, &[0])) },
    RuleCase {
        // A body of 391 behind a header of 47, in two frames of nine bytes more each and one of twelve between them.
        pass: || packed(ENGINE, Packing::Zstd),
        ..case("DAS2-016", ("body", 468, 9), || packed(ENGINE, Packing::ZstdFrames))
    },
    engine("DAS2-017", ("body.buffers[1]", 438, 5), || [&engine_triangle()[..], &[1, 0, 0, 0, 0]].concat()),
    engine("DAS2-017", ("body", 47, 290), || {
        let mut model = triangle(ENGINE);
        model.parts.remove(0);
        model.bytes()
    }),
    // The scene is at 386, twelve bytes long.
    case("DAS2-018", ("body.nodes[0]", 398, 112), || {
        let mut model = triangle(SPEC);
        model.parts.swap(3, 4);
        model.bytes()
    }),
    case("DAS2-019", ("body.mesh_groups[0].meshes[0]", 382, 4), || patch(one_triangle(), 382, &[5])),
    case("DAS2-019", ("body.scenes[0].root_nodes[0]", 506, 4), || patch(one_triangle(), 506, &[7])),
    case("DAS2-019", ("body.nodes[0].mesh_group_id", 394, 4), || patch(one_triangle(), 394, &[1])),
    case("DAS2-019", ("body.nodes[0].skeleton_id", 398, 4), || patch(one_triangle(), 398, &[0; 4])),
    case("DAS2-019", ("body.meshes[0].material_id", 362, 4), || patch(one_triangle(), 361, &[1, 0, 0, 0, 0])),
    RuleCase {
        pass: || rigged().bytes(),
        ..case("DAS2-019", ("body.skeletons[0].joints[0]", 626, 4), || patch(rigged().bytes(), 626, &[2]))
    },
    RuleCase {
        pass: || animated().bytes(),
        ..case("DAS2-019", ("body.animations[0].animation_channels[0]", 515, 4), || {
            patch(animated().bytes(), 515, &[1])
        })
    },
    case("DAS2-020", ("body.meshes[0].position_vertex_buffer_id", 145, 4), || patch(one_triangle(), 145, &[3])),
    case("DAS2-020", ("body.meshes[0].uv_buffer_ids[2]", 169, 4), || patch(one_triangle(), 169, &[3])),
    case("DAS2-021", ("header.default_scene_index", 26, 4), || patch(one_triangle(), 26, &[1])),
    case("DAS2-022", ("body", 31, 467), || one_triangle()[..498].to_vec()),
    case("DAS2-022", ("header", 0, 31), || one_triangle()[..31].to_vec()),
    case("DAS2-023", ("body.meshes[0].material_type", 361, 1), || patch(one_triangle(), 361, &[3])),
    case("DAS2-023", ("body.meshes[0].material_id", 362, 4), || patch(one_triangle(), 362, &[0; 4])),
    case("DAS2-024", ("body.meshes[0].surface_normal_buffer_offset", 157, 4), || patch(one_triangle(), 157, &[64])),
    case("DAS2-024", ("body.meshes[0].uv_buffer_offsets[0]", 193, 4), || patch(one_triangle(), 193, &[76])),
    case("DAS2-025", ("body.meshes[0].surface_normal_buffer_offset", 157, 4), || patch(one_triangle(), 157, &[34])),
    engine("DAS2-026", ("body.meshes[0].surface_normal_buffer_offset", 161, 4), || {
        patch(patch(engine_triangle(), 157, &[36]), 161, &[0])
    }),
    case("DAS2-027", ("body.meshes[0].draw_count", 141, 4), || patch(one_triangle(), 141, &[2])),
    case("DAS2-027", ("body.meshes[0].draw_count", 141, 4), || patch(one_triangle(), 141, &[0])),
    RuleCase {
        // The buffer has room for nine positions; the indices are behind its first 96 bytes.
        pass: || indexed().bytes(),
        ..case("DAS2-028", ("body.buffers[0].data", 140, 4), || patch(indexed().bytes(), 140, &[9]))
    },
    case("DAS2-029", ("body.meshes[0].draw_count", 141, 4), || float(48, 0.)),
    case("DAS2-030", ("body.buffers[0].data", 36, 12), || float(40, f32::NAN)),
    case("DAS2-030", ("body.nodes[0].translation", 482, 12), || float(486, f32::INFINITY)),
    case("DAS2-031", ("body.buffers[0].data", 72, 12), || float(80, 0.)),
    RuleCase {
        // The tolerance is a hundredth.
        pass: || float(80, 1.009),
        ..case("DAS2-031", ("body.buffers[0].data", 72, 12), || float(80, 1.011))
    },
    case("DAS2-032", ("body.nodes[0].rotation", 466, 16), || float(478, 0.)),
    case("DAS2-032", ("body.nodes[0].rotation", 466, 16), || float(478, 2.)),
    case("DAS2-033", ("body.nodes[0].scale", 494, 4), || float(494, 0.)),
    RuleCase {
        pass: || float(414, 5.),
        ..case("DAS2-034", ("body.nodes[0].custom_transform", 402, 64), || {
            patch(float(414, 5.), 494, &2_f32.to_le_bytes())
        })
    },
    case("DAS2-035", ("body.nodes[0].children[0]", 394, 4), || {
        with_nodes(vec![Node { children: vec![0], ..node("n") }], vec![0])
    }),
    // Nodes of 116 bytes with one child, 112 without; the scene's roots then begin at 734.
    case("DAS2-035", ("body.scenes[0].root_nodes[1]", 626, 4), || {
        with_nodes(vec![Node { children: vec![1], ..node("n") }, node("o")], vec![0, 1])
    }),
    case("DAS2-036", ("body.nodes[1]", 498, 112), || with_nodes(vec![node("n"), node("o")], vec![0])),
    RuleCase {
        pass: || rigged().bytes(),
        ..case("DAS2-037", ("body.skeletons[0].parent", 618, 4), || patch(rigged().bytes(), 618, &[1]))
    },
    skin("DAS2-038", ("body.buffers[0].data", 156, 16), || patch(skinned().bytes(), 156, &0.5_f32.to_le_bytes())),
    skin("DAS2-039", ("body.buffers[0].data", 132, 8), || patch(skinned().bytes(), 132, &[3])),
    skin("DAS2-040", ("body.meshes[0].skeletal_joint_index_buffer_offsets[0]", 337, 4), || {
        patch(skinned().bytes(), 369, &[0xFF; 4])
    }),
    RuleCase {
        pass: || with_lod(triangle_mesh()),
        ..case("DAS2-041", ("body.meshes[0].multiple_lods[0].draw_count", 383, 4), || {
            with_lod(Mesh { draw: 6, ..triangle_mesh() })
        })
    },
    RuleCase {
        pass: || with_lod(triangle_mesh()),
        // The LOD begins at 374, 242 bytes long; its last four count its own LODs.
        ..case("DAS2-041", ("body.meshes[0].multiple_lods[0].multiple_lod_count", 612, 4), || {
            with_lod(Mesh { lods: vec![triangle_mesh()], ..triangle_mesh() })
        })
    },
    // A LOD begins at 374, where the mesh's own fields end; a morph target at 370, before the number of LODs.
    RuleCase {
        pass: || with_lod(triangle_mesh()),
        ..case("DAS2-053", ("body.meshes[0].multiple_lods[0].structure", 374, 1), || {
            with_lod(Mesh { number: Some(5), ..triangle_mesh() })
        })
    },
    RuleCase {
        pass: || morphed().bytes(),
        ..case("DAS2-053", ("body.meshes[0].morph_targets[0].structure", 370, 1), || {
            patch(morphed().bytes(), 370, &[2])
        })
    },
    moving("DAS2-042", ("body.channels[0].animation_target", 528, 1), || patch(animated().bytes(), 528, &[9])),
    moving("DAS2-042", ("body.channels[0].node_property_id", 520, 4), || patch(animated().bytes(), 520, &[0xFF; 4])),
    moving("DAS2-042", ("body.channels[0].joint_property_id", 524, 4), || patch(animated().bytes(), 524, &[0; 4])),
    moving("DAS2-042", ("body.channels[0].animation_target", 528, 1), || {
        with_channel(Channel { times: vec![0., 1.], ..channel(0, 1) }).bytes()
    }),
    moving("DAS2-042", ("body.channels[0].interpolation_type", 529, 1), || patch(animated().bytes(), 529, &[0])),
    moving("DAS2-043", ("body.channels[0].keyframes[1]", 542, 4), || patch(animated().bytes(), 542, &[0; 4])),
    moving("DAS2-043", ("body.channels[0].keyframe_count", 530, 4), || with_channel(channel(2, 1)).bytes()),
    moving("DAS2-044", ("body.channels[0].weight_count", 534, 4), || patch(animated().bytes(), 534, &[2])),
    moving("DAS2-044", ("body.channels[0].weight_count", 534, 4), || {
        with_channel(Channel { times: vec![0.], ..channel(1, 1) }).bytes()
    }),
    case("DAS2-045", ("header.mesh_count", 18, 4), || patch(one_triangle(), 18, &[2])),
    case("DAS2-045", ("header.vertices_count", 14, 4), || patch(one_triangle(), 14, &[4])),
    textured("DAS2-046", ("body.phong_materials[0].diffuse_map_uri.text", 564, 6), || with_map("/a.png")),
    textured("DAS2-046", ("body.phong_materials[0].diffuse_map_uri.text", 564, 8), || with_map("C:/a.png")),
    textured("DAS2-046", ("body.phong_materials[0].diffuse_map_uri.text", 564, 7), || with_map("b\\a.png")),
    textured("DAS2-046", ("body.phong_materials[0].diffuse_map_uri.text", 564, 8), || with_map("../a.png")),
    textured("DAS2-046", ("body.phong_materials[0].diffuse_map_uri.text", 564, 10), || with_map("data:image")),
    case("DAS2-047", ("body.meshes[0]", 132, 242), || {
        let mut model = triangle(SPEC);
        model.parts[2] = Part::Group("m", Vec::new());
        model.bytes()
    }),
    case("DAS2-047", ("body.buffers[0].data", 132, 20), || {
        let mut model = triangle(SPEC);
        model.parts[0] = Part::Buffer([triangle_data(), vec![7; 20]].concat());
        model.bytes()
    }),
    case("DAS2-048", ("body.nodes[1].name.text", 501, 1), || with_nodes(vec![node("n"), node("n")], vec![0, 1])),
    RuleCase {
        pass: || rigged().bytes(),
        ..case("DAS2-049", ("body.nodes[0].skeleton_id", 398, 4), || {
            let mut model = rigged();
            model.parts[3] = Part::Node(Node { group: NONE, skeleton: 0, ..node("n") });
            model.bytes()
        })
    },
    RuleCase { pass: engine_triangle, ..case("DAS2-050", ("header", 0, 31), one_triangle) },
    engine("DAS2-050", ("body", 47, 402), || packed(ENGINE, Packing::Zlib)),
];

pub(crate) fn animated_triangle() -> Vec<u8> {
    animated().bytes()
}

pub(crate) fn morphed_triangle() -> Vec<u8> {
    morphed().bytes()
}

pub(crate) fn triangle_with_lod() -> Vec<u8> {
    with_lod(triangle_mesh())
}

/// A case whose repair is the triangle of the first table.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, beside: alone, pass: one_triangle }
}

/// A case whose repair is the triangle of the second table.
const fn engine(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { pass: engine_triangle, ..case(rule, at, fail) }
}

/// A case whose repair is the triangle with a joint.
const fn skin(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { pass: || skinned().bytes(), ..case(rule, at, fail) }
}

/// A case whose repair is the triangle that moves.
const fn moving(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { pass: || animated().bytes(), ..case(rule, at, fail) }
}

/// A case whose repair is the triangle with a texture beside it.
const fn textured(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { pass: || with_map("a.png"), ..case(rule, at, fail) }
}

fn float(offset: usize, value: f32) -> Vec<u8> {
    patch(one_triangle(), offset, &value.to_le_bytes())
}

/// The triangle with other nodes; the first begins at 386.
fn with_nodes(nodes: Vec<Node>, roots: Vec<u32>) -> Vec<u8> {
    let mut model = triangle(SPEC);
    model.parts.truncate(3);
    model.parts.extend(nodes.into_iter().map(Part::Node));
    model.parts.push(Part::Scene("s", roots));
    model.bytes()
}

/// The triangle with a joint at 510 and a skeleton at 614: its parent at 618, its joints from 626 on.
fn rigged() -> Model {
    let mut model = triangle(SPEC);
    model.parts.push(Part::Joint(Joint {
        name: "j",
        children: Vec::new(),
        inverse_bind: IDENTITY,
        translation: [0.; 3],
    }));
    model.parts.push(Part::Skeleton("k", 0, vec![0]));
    model
}

/// The triangle with a joint that moves it. Its buffer has joints from 132 on and weights from 156 on, 72 bytes that
/// everything behind is moved by.
fn skinned() -> Model {
    let mut model = rigged();
    let mut data = Bytes::default();
    data.raw(&triangle_data()).le_all(&[0_u16; 12]).le_all(&[1_f32, 0., 0., 0.].repeat(3));
    let (mut joints, mut weights) = ([None; 8], [None; 8]);
    joints[0] = Some((0, 96));
    weights[0] = Some((0, 120));
    model.parts[0] = Part::Buffer(data.done());
    model.parts[1] = Part::Mesh(Mesh { joints, weights, ..triangle_mesh() });
    model.parts[3] = Part::Node(Node { skeleton: 0, ..node("n") });
    model
}

/// The triangle with indices, from 132 on.
fn indexed() -> Model {
    let mut model = triangle(SPEC);
    let data = Bytes::default().raw(&triangle_data()).le_all(&[0_u32, 1, 2]).done();
    model.parts[0] = Part::Buffer(data);
    model.parts[1] = Part::Mesh(Mesh { index: Some((0, 96)), ..triangle_mesh() });
    model
}

/// The triangle with a LOD, which begins at 374.
fn with_lod(lod: Mesh) -> Vec<u8> {
    let mut model = triangle(SPEC);
    model.parts[1] = Part::Mesh(Mesh { lods: vec![lod], ..triangle_mesh() });
    model.bytes()
}

/// The triangle with a morph target, which begins at 370.
fn morphed() -> Model {
    let mut model = triangle(SPEC);
    let moved = Morph { position: Some((0, 36)), ..Morph::default() };
    model.parts[1] = Part::Mesh(Mesh { morphs: vec![moved], ..triangle_mesh() });
    model
}

/// The triangle with an animation at 510 and its channel at 519.
fn with_channel(channel: Channel) -> Model {
    let mut model = triangle(SPEC);
    model.counts[2] = 1;
    model.parts.push(Part::Animation("", vec![0]));
    model.parts.push(Part::Channel(channel));
    model
}

/// A channel with two keyframes: node at 520, joint at 524, target and interpolation at 528, counts at 530 and 534,
/// times at 538, values at 546.
fn animated() -> Model {
    with_channel(Channel { times: vec![0., 1.], values: vec![0., 0., 0., 1., 0., 0.], ..channel(2, 1) })
}

/// The triangle with a material at 510, whose map has its text at 564.
fn with_map(map: &'static str) -> Vec<u8> {
    let mut model = triangle(SPEC);
    model.parts[1] = Part::Mesh(Mesh { material: Some((1, 0)), ..triangle_mesh() });
    model.parts.push(Part::Phong(Phong { name: "p", maps: [map, "", ""] }));
    model.bytes()
}
