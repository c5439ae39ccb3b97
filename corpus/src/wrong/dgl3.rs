//! DGL3: the triangle in the engine's order and its skinned and morphed variants, whose places are in [`crate::dgl3`].

use super::Wrong::{B, F, N};
use super::{Base, row};

const MAX: i64 = i32::MAX as i64;

pub(super) const BASES: &[Base] = &[Base {
    format: "dgl3",
    sample: crate::dgl3::one_triangle,
    big: false,
    rows: &[
        row("magic", 0, 4, &[B(0, b"d"), B(3, b"2")]),
        row("version", 4, 4, &[N(0), N(299), N(301), N(-1)]),
        row("name_size", 8, 4, &[N(-1), N(MAX), N(260)]),
        row("creator_name_size", 12, 4, &[N(-1), N(MAX), N(260)]),
        row("data_size", 16, 4, &[N(-1), N(MAX), N(260)]),
        row("name", 20, 1, &[B(0, &[0xFF])]),
        row("num_meshes", 22, 4, &[N(-1), N(MAX), N(100)]),
        row("num_entities", 26, 4, &[N(-1), N(MAX), N(2)]),
        row("num_lights", 30, 4, &[N(-1), N(1), N(MAX)]),
        row("mesh name_size", 38, 4, &[N(-1), N(MAX), N(300)]),
        row("mesh name", 42, 1, &[B(0, &[0xFF])]),
        row("mesh is_external", 43, 4, &[N(2), N(7)]),
        row("mesh is_external", 43, 4, &[N(-1)]).better(
            62,
            4,
            "some write -1 for yes, so the first flag that cannot be one is named",
        ),
        row("num_vertices", 47, 4, &[N(-1), N(MAX), N(100)]),
        row("vertices", 51, 36, &[F(0, f32::NAN)]),
        row("normals", 87, 36, &[F(8, 0.), F(8, 3.), F(0, f32::NAN)]),
        row("texcoords", 123, 24, &[F(0, f32::INFINITY)]),
        row("have_lightmap_tex_coords", 147, 4, &[N(2)]),
        row("num_triangles", 151, 4, &[N(-1), N(MAX), N(100)]),
        row("triangles", 155, 12, &[B(0, &[3]), B(4, &[0xFF; 4]), B(8, &[1])]),
        row("has_skeletal_animation", 167, 4, &[N(2)]),
        row("entity name_size", 179, 4, &[N(-1), N(MAX), N(100)]),
        row("entity is_external", 184, 4, &[N(2)]),
        row("entity mesh_id", 188, 4, &[N(7), N(-5)]),
        row("position", 192, 12, &[F(0, f32::NAN)]),
        row("rotation", 204, 16, &[F(0, f32::NAN)]),
        row("scale", 220, 12, &[F(0, f32::NAN)]),
        row("num_custom_properties", 232, 4, &[N(-1), N(MAX), N(2)]),
        row("property name_size", 236, 4, &[N(-1), N(MAX), N(40)]),
        row("property_type", 248, 4, &[N(6), N(-1), N(99)]),
        row("value_size", 252, 4, &[N(-1), N(MAX), N(16)]),
    ],
}];
