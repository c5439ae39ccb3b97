//! A file that breaks each rule, and its repair. Places are computed by hand from the tables of [`super`].

use super::samples::{empty, external, one, one_triangle, with_bones};
use super::*;
use crate::bytes::patch;
use crate::{RuleCase, alone};

/// Every case, by rule. DGL3-036 and DGL3-037 are about writing: their recipes are documents, in pentad's own tests.
pub const RULE_CASES: &[RuleCase] = &[
    case("DGL3-001", ("header.magic", 0, 4), || patch(one_triangle(), 0, b"d")),
    case("DGL3-002", ("header.version", 4, 4), || patch(one_triangle(), 4, &301_i32.to_le_bytes())),
    case("DGL3-003", ("header.name_size", 8, 4), || patch(one_triangle(), 8, &[0xFF; 4])),
    // From behind the sizes to the end of the file: 271 - 20.
    case("DGL3-003", ("header.name_size", 8, 4), || patch(one_triangle(), 8, &[0x7F; 4])),
    case("DGL3-003", ("header.num_lights", 30, 4), || patch(one_triangle(), 30, &[0xFF; 4])),
    case("DGL3-003", ("header.num_meshes", 22, 4), || patch(one_triangle(), 22, &[0x7F; 4])),
    case("DGL3-003", ("meshes[0].body.num_vertices", 47, 4), || patch(one_triangle(), 47, &[0xFF; 4])),
    case("DGL3-003", ("meshes[0].body.num_vertices", 47, 4), || patch(one_triangle(), 47, &[0x7F; 4])),
    case("DGL3-003", ("entities[0].num_custom_properties", 232, 4), || patch(one_triangle(), 232, &[0x7F; 4])),
    RuleCase {
        pass: || one(skinned()).bytes(),
        ..case("DGL3-003", ("meshes[0].body.skeletal.bone_weights_per_vertex", 207, 4), || {
            patch(one(skinned()).bytes(), 207, &[0xFF; 4])
        })
    },
    RuleCase {
        pass: || one(morphed()).bytes(),
        // From behind num_frames to the end: 340 bytes up to the entity, whose record has 96.
        ..case("DGL3-003", ("meshes[0].body.morph.animations[0].num_frames", 192, 4), || {
            patch(one(morphed()).bytes(), 192, &[0x7F; 4])
        })
    },
    // A light is announced, and four bytes are left for it.
    case("DGL3-004", ("tail", 271, 4), || [&patch(one_triangle(), 30, &[1])[..], &[7; 4]].concat()),
    case("DGL3-004", ("header.num_lights", 30, 2), || one_triangle()[..32].to_vec()),
    case("DGL3-004", ("entities[0].transform.position", 192, 8), || one_triangle()[..200].to_vec()),
    // The light begins at 271; its colour at 312.
    case("DGL3-004", ("lights[0].color", 312, 15), || lit(light())[..327].to_vec()),
    case("DGL3-005", ("header.num_lights", 30, 4), || patch(one_triangle(), 30, &[2])),
    case("DGL3-006", ("tail", 271, 3), || Model { tail: b"end".to_vec(), ..one(triangle()) }.bytes()),
    case("DGL3-007", ("header.name", 20, 1), || patch(one_triangle(), 20, &[0xFF])),
    case("DGL3-007", ("meshes[0].name", 42, 1), || patch(one_triangle(), 42, &[0xFF])),
    case("DGL3-007", ("entities[0].properties[0].value.text", 256, 15), || patch(one_triangle(), 256, &[0xFF])),
    case("DGL3-008", ("meshes[0].mesh_id", 34, 4), || patch(one_triangle(), 34, &[0xFF; 4])),
    // The second entity begins at 271.
    case("DGL3-008", ("entities[1].entity_id", 271, 4), || two(Entity { name: b"f".to_vec(), ..unmoved() })),
    case("DGL3-009", ("entities[0].entity_id", 175, 4), || patch(one_triangle(), 175, &[5])),
    case("DGL3-010", ("meshes[0].name_size", 38, 4), || one(Mesh { name: Vec::new(), ..triangle() }).bytes()),
    case("DGL3-010", ("entities[1].name", 279, 1), || two(Entity { id: 1, ..unmoved() })),
    case("DGL3-011", ("meshes[0].body.have_lightmap_tex_coords", 147, 4), || {
        let lightmap = Some(vec![[0.5; 2]; 3]);
        patch(one(Mesh { lightmap, ..triangle() }).bytes(), 147, &[2])
    }),
    RuleCase {
        pass: || one(skinned()).bytes(),
        ..case("DGL3-011", ("meshes[0].body.has_skeletal_animation", 167, 4), || {
            patch(one(skinned()).bytes(), 167, &[9])
        })
    },
    case("DGL3-012", ("meshes[0].body.triangles[0]", 155, 12), || patch(one_triangle(), 163, &[3])),
    case("DGL3-012", ("meshes[0].body.triangles[0]", 155, 12), || patch(one_triangle(), 155, &[0xFF; 4])),
    case("DGL3-013", ("meshes[0].body.num_vertices", 47, 4), || one(empty()).bytes()),
    case("DGL3-013", ("meshes[0].body.num_triangles", 151, 4), || {
        one(Mesh { triangles: Vec::new(), ..triangle() }).bytes()
    }),
    case("DGL3-014", ("meshes[0].body.vertices[1]", 63, 12), || float(67, f32::NAN)),
    case("DGL3-014", ("meshes[0].body.normals[0]", 87, 12), || float(87, f32::INFINITY)),
    case("DGL3-014", ("meshes[0].body.texcoords[2]", 139, 8), || float(143, f32::NAN)),
    case("DGL3-014", ("entities[0].transform.position", 192, 12), || float(192, f32::NAN)),
    case("DGL3-015", ("meshes[0].body.normals[2]", 111, 12), || float(119, 0.)),
    RuleCase {
        // The tolerance is a hundredth.
        pass: || float(119, 1.009),
        ..case("DGL3-015", ("meshes[0].body.normals[2]", 111, 12), || float(119, 1.011))
    },
    case("DGL3-016", ("meshes[0].body.triangles[0]", 155, 12), || patch(one_triangle(), 163, &[1])),
    case("DGL3-017", ("meshes[0].body.vertices[2]", 75, 12), || patch(one_triangle(), 163, &[1])),
    case("DGL3-018", ("meshes[0].body.triangles[0]", 155, 12), || patch(patch(one_triangle(), 155, &[1]), 159, &[0])),
    case("DGL3-019", ("entities[0].transform.rotation", 204, 16), || float(216, 0.)),
    // Turned by a length of 2, but nothing else fits better: the scale would be (0, 0, 0).
    case("DGL3-019", ("entities[0].transform.rotation", 204, 16), || float(216, 2.)),
    RuleCase {
        pass: || lit(light()),
        // Its rotation begins at 296.
        ..case("DGL3-019", ("lights[0].rotation", 296, 16), || lit(Light { rotation: [0.; 4], ..light() }))
    },
    RuleCase {
        // The second and third number differ, so only one order has an even scale.
        pass: || one_triangle(),
        ..case("DGL3-020", ("entities", 175, 96), || {
            Model::of(vec![triangle()], vec![Entity { rotation: [0.5; 4], scale: [0.5; 3], ..unmoved() }]).bytes()
        })
    },
    case("DGL3-021", ("entities[0].transform", 192, 40), || Model { spec: true, ..one(triangle()) }.bytes()),
    case("DGL3-022", ("entities[0].mesh_id", 188, 4), || patch(one_triangle(), 188, &[4])),
    case("DGL3-022", ("entities[0].mesh_id", 188, 4), || patch(one_triangle(), 188, &(-2_i32).to_le_bytes())),
    case("DGL3-023", ("entities[0].transform.scale", 220, 12), || float(224, 0.)),
    case("DGL3-023", ("entities[0].transform.scale", 220, 12), || float(224, -1.)),
    case("DGL3-024", ("entities[0].properties[0].value", 248, 4), || patch(one_triangle(), 248, &[6])),
    // A property p of type int before the others: 4 + 1 + 4 + 4 bytes, twice.
    case("DGL3-025", ("entities[0].properties[1].name", 253, 1), || {
        with_properties(vec![(b"p".to_vec(), Value::Int(1)), (b"p".to_vec(), Value::Int(2))])
    }),
    case("DGL3-025", ("entities[0].properties[0].name_size", 236, 4), || {
        with_properties(vec![(Vec::new(), Value::Int(1))])
    }),
    case("DGL3-026", ("entities[0].num_custom_properties", 232, 4), || with_properties(Vec::new())),
    case("DGL3-026", ("entities[0].properties[0].property_type", 248, 4), || {
        with_properties(vec![(b"material".to_vec(), Value::Int(1))])
    }),
    case("DGL3-026", ("entities[0].properties[0].value.text", 256, 4), || {
        with_properties(vec![(b"material".to_vec(), Value::Text(b"wood".to_vec()))])
    }),
    case("DGL3-026", ("entities[0].properties[0].value.text", 256, 8), || {
        with_properties(vec![(b"material".to_vec(), Value::Text(b"wood.mat".to_vec()))])
    }),
    // An external mesh has its file name at 51, and ends at 57.
    case("DGL3-027", ("meshes[0].external.external_filename", 51, 6), external),
    case("DGL3-028", ("meshes[0].is_external", 43, 4), external),
    // The first entity then begins at 57, the second 96 bytes later; its flag nine bytes on.
    case("DGL3-028", ("entities[1].is_external", 162, 4), external),
    case("DGL3-029", ("meshes[0].body.has_skeletal_animation", 167, 4), || one(skinned()).bytes()),
    case("DGL3-029", ("meshes[0].body.has_morph_target_animation", 171, 4), || one(morphed()).bytes()),
    bones("DGL3-030", ("meshes[0].body.skeletal.bones[0].parent_bone_index", 175, 4), || {
        with_bones(vec![(0, [0.; 3]), (0, [0., 0.5, 0.])]).bytes()
    }),
    bones("DGL3-030", ("meshes[0].body.skeletal.bones[1].parent_bone_index", 191, 4), || {
        with_bones(vec![(-1, [0.; 3]), (2, [0., 0.5, 0.])]).bytes()
    }),
    bones("DGL3-030", ("meshes[0].body.skeletal.weights[0].bone_indices", 211, 8), || {
        patch(one(skinned()).bytes(), 211, &[2])
    }),
    bones(
        "DGL3-030",
        ("meshes[0].body.skeletal.animations[0].frames[1].transformations[0].bone_index", 375, 4),
        || patch(one(skinned()).bytes(), 375, &[2]),
    ),
    bones("DGL3-031", ("meshes[0].body.skeletal.weights[2].bone_weights", 251, 8), || {
        patch(one(skinned()).bytes(), 255, &0.5_f32.to_le_bytes())
    }),
    bones("DGL3-031", ("meshes[0].body.skeletal.weights[0].bone_weights", 219, 8), || {
        patch(one(skinned()).bytes(), 223, &(-0.5_f32).to_le_bytes())
    }),
    bones("DGL3-031", ("meshes[0].body.skeletal.bone_weights_per_vertex", 207, 4), || {
        let mut mesh = skinned();
        if let Some(block) = &mut mesh.skeletal {
            block.weights = vec![Vec::new(); 3];
        }
        one(mesh).bytes()
    }),
    bones("DGL3-032", ("meshes[0].body.skeletal.frames_per_second", 259, 4), || {
        patch(one(skinned()).bytes(), 259, &[0])
    }),
    bones("DGL3-033", ("meshes[0].body.skeletal.animations[1].animation_name", 423, 4), || {
        // The second animation begins behind the first, at 419.
        animations(vec![("walk", vec![Vec::new()])])
    }),
    bones("DGL3-034", ("meshes[0].body.skeletal.animations[1].num_frames", 426, 4), || {
        animations(vec![("run", Vec::new())])
    }),
    RuleCase {
        pass: || lit(light()),
        ..case("DGL3-035", ("lights[0].light_type", 280, 4), || lit(Light { kind: 2, ..light() }))
    },
    RuleCase {
        pass: || lit(light()),
        ..case("DGL3-035", ("lights[0].color", 312, 16), || lit(Light { color: [2., 0., 0., 1.], ..light() }))
    },
];

/// A case whose repair is the triangle of the table.
const fn case(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { rule, fail, at: Some(at), at_file: None, beside: alone, pass: one_triangle }
}

/// A case whose repair is the triangle with two bones.
const fn bones(rule: &'static str, at: (&'static str, u64, u64), fail: fn() -> Vec<u8>) -> RuleCase {
    RuleCase { pass: || one(skinned()).bytes(), ..case(rule, at, fail) }
}

fn float(offset: usize, value: f32) -> Vec<u8> {
    patch(one_triangle(), offset, &value.to_le_bytes())
}

fn two(second: Entity) -> Vec<u8> {
    Model::of(vec![triangle()], vec![unmoved(), second]).bytes()
}

/// The triangle and a light, whose record begins at 271.
fn lit(light: Light) -> Vec<u8> {
    Model { lights: vec![light], ..one(triangle()) }.bytes()
}

fn with_properties(properties: Vec<(Vec<u8>, Value)>) -> Vec<u8> {
    Model::of(vec![triangle()], vec![Entity { properties, ..unmoved() }]).bytes()
}

/// The triangle with two bones and further animations.
fn animations(more: Vec<(&'static str, Vec<Vec<Moved>>)>) -> Vec<u8> {
    let mut mesh = skinned();
    if let Some(block) = &mut mesh.skeletal {
        block.animations.extend(more);
    }
    one(mesh).bytes()
}
