//! das2 files.
//!
//! The base of most recipes is [`one_triangle`], 510 bytes in the `spec` dialect whose places are worth knowing by heart:
//!
//! | bytes | field | value |
//! |---|---|---|
//! | 0 | magic | `das2`, 0, 0, 0, 0 |
//! | 8, 10; 11, 13 | author_name, comment: length, text | `a`; `c` |
//! | 14, 18, 22, 26 | vertices_count, mesh_count, animation_count, default_scene_index | 3, 1, 0, 0 |
//! | 30 | level | 0 |
//! | 31, 32 | buffer: structure, length | 1, 96 |
//! | 36, 72, 108 | its data: positions, normals, texture coordinates | |
//! | 132, 133, 137 | mesh: structure, index_buffer_id and offset | 2, -1, 0 |
//! | 141 | draw_count | 3 |
//! | 145, 149; 153, 157 | position and normal: id, offset | 0, 0; 0, 36 |
//! | 161, 193 | uv_buffer_ids, uv_buffer_offsets | 0, 72 |
//! | 225, 229 | color_multiplier_id, offset | -1, 0 |
//! | 233, 265, 297, 329 | joint indices: ids, offsets; joint weights: ids, offsets | -1, 0 |
//! | 361, 362, 366, 370 | material_type, material_id, morph_target_count, multiple_lod_count | 0, -1, 0, 0 |
//! | 374, 375, 377, 378, 382 | mesh group: structure, name, mesh_count, meshes | 4, `m`, 1, 0 |
//! | 386, 387, 389, 390 | node: structure, name, children_count | 5, `n`, 0 |
//! | 394, 398 | mesh_group_id, skeleton_id | 0, -1 |
//! | 402, 466, 482, 494 | custom_transform, rotation, translation, scale | |
//! | 498, 499, 501, 502, 506 | scene: structure, name, root_node_count, root_nodes | 6, `s`, 1, 0 |
//!
//! [`engine_triangle`] is the same in the `engine` dialect, 438 bytes:
//!
//! | bytes | field |
//! |---|---|
//! | 8, 10, 18; 19, 21, 29 | author_name, comment: length, hash, text |
//! | 30, 34, 38, 42, 46 | vertices_count, mesh_count, animation_count, default_scene_index, level |
//! | 47, 48, 52 | buffer |
//! | 148, 149, 153 | mesh: structure, index_buffer_offset, draw_count |
//! | 157, 161, 165, 197 | offsets of positions, normals, texture coordinates, colours |
//! | 201, 233 | offsets of joint indices and weights |
//! | 265, 266, 270, 274 | material_type, material_id, morph_target_count, multiple_lod_count |
//! | 278, 279, 281, 289, 290, 294 | mesh group: structure, name, mesh_count, meshes |
//! | 298, 299, 301, 309, 310 | node: structure, name, children_count |
//! | 314, 318, 322, 386, 402, 414 | mesh_group_id, skeleton_id, custom_transform, rotation, translation, scale |
//! | 418, 419, 421, 429, 430, 434 | scene |

mod large;
mod model;
mod pack;
mod rule_cases;
mod samples;

pub use large::{LARGE_SAMPLES, large};
pub(crate) use pack::engine_header;
pub use pack::{zlib_bomb, zstd_bomb};
pub use rule_cases::RULE_CASES;
pub(crate) use rule_cases::{
    animated_triangle as animated, morphed_triangle as morphed, triangle_with_lod as with_lod,
};
pub use samples::{SAMPLES, engine_triangle, model, one_triangle, zlib_of};
