//! Files field by field.

use formats::Document as _;
use formats::das2::{
    AnimationTarget, Attribute, Compression, Form, Interpolation, Kind, MaterialType, NONE, Slot, Structure, hash,
};
use wire::{F32, Space, Span};

use crate::support::*;

#[test]
fn a_file_reads_as_written_by_hand() {
    let doc = read(&corpus::das2::one_triangle());
    assert_eq!((doc.form, doc.compression, doc.header.level), (Form::SPEC, Compression::None, 0));
    assert_eq!(doc.header.author_name.text.to_string(), "a");
    assert_eq!(doc.header.comment.text.to_string(), "c");
    assert_eq!((doc.header.vertices_count, doc.header.mesh_count, doc.header.animation_count), (3, 1, 0));
    let parts = doc.parts();
    let mesh = parts.meshes[0];
    assert_eq!(mesh.slot(Attribute::Index), None);
    assert_eq!(mesh.slot(Attribute::Position), Some(Slot { buffer: 0, offset: 0 }));
    assert_eq!(mesh.slot(Attribute::Normal), Some(Slot { buffer: 0, offset: 36 }));
    assert_eq!(mesh.uv_sets(), [Slot { buffer: 0, offset: 72 }]);
    assert_eq!((mesh.slot(Attribute::Color), mesh.slot(Attribute::JointIndices(0))), (None, None));
    assert_eq!((mesh.draw_count, mesh.material_type, mesh.material_id), (3, MaterialType::NONE, NONE));
    let second = parts.elements::<[F32; 3]>(Slot { buffer: 0, offset: 12 }, 1).expect("inside");
    assert_eq!(second.get(0), Some([F32(1.), F32(0.), F32(0.)]));
    assert_eq!(parts.vertex_count(mesh), Some(3));
    assert_eq!((parts.nodes[0].mesh_group_id, parts.nodes[0].skeleton_id), (0, NONE));
    assert_eq!(parts.scenes[0].root_nodes.get(0), Some(0));
}

#[test]
fn everything_is_found_in_every_layout() {
    for sample in corpus::samples().iter().filter(|s| s.format == "das2") {
        if !["model", "engine", "table-ids", "head-text", "v2", "v3"].contains(&sample.name) {
            continue;
        }
        let doc = read(&(sample.bytes)());
        let parts = doc.parts();
        let mesh = parts.meshes[0];
        assert_eq!(mesh.uv_sets().len(), 2, "{}", sample.name);
        assert_eq!(parts.vertex_count(mesh), Some(3), "{}", sample.name);
        let weights = parts.elements::<[F32; 4]>(mesh.slot(Attribute::JointWeights(0)).expect("weights"), 3);
        assert_eq!(weights.and_then(|w| w.get(2)), Some([F32(0.25), F32(0.75), F32(0.), F32(0.)]), "{}", sample.name);
        let morphed = parts.meshes[1];
        let target = &morphed.morph_targets[0];
        let delta = parts.elements::<[F32; 3]>(target.slot(Attribute::Position, morphed).expect("moved"), 3);
        assert_eq!(delta.and_then(|d| d.get(1)), Some([F32(0.), F32(0.), F32(0.5)]), "{}", sample.name);
        assert_eq!(mesh.multiple_lods.len(), 1, "{}", sample.name);
        let turning = parts.channels[1];
        assert_eq!((turning.node_property_id, turning.joint_property_id), (NONE, 1), "{}", sample.name);
        assert_eq!(turning.animation_target, AnimationTarget::ROTATION);
        assert_eq!(turning.interpolation_type, Interpolation::CUBIC_SPLINE);
        assert_eq!((turning.keyframes.len(), turning.tangents.len(), turning.target_values.len()), (2, 16, 8));
        let roughness = parts.pbr_materials[0].roughness_map.as_ref().map(|map| map.text.to_string());
        let kept = !["engine", "v3"].contains(&sample.name);
        assert_eq!(roughness, kept.then(|| "rough.png".to_owned()), "{}", sample.name);
        let name = parts.animations[0].name.as_ref().map(|name| name.text.to_string());
        let named = ["engine", "v2", "v3"].contains(&sample.name);
        assert_eq!(name, named.then(|| "move".to_owned()), "{}", sample.name);
    }
}

#[test]
fn a_morph_target_that_names_the_bytes_of_its_mesh_moves_nothing() {
    let doc = read(&corpus::das2::model());
    let mesh = doc.parts().meshes[1].clone();
    let mut target = mesh.morph_targets[0].clone();
    assert!(target.slot(Attribute::Normal, &mesh).is_some());
    target.set_slot(Attribute::Normal, mesh.slot(Attribute::Normal));
    assert_eq!(target.slot(Attribute::Normal, &mesh), None);
    assert!(target.named_slot(Attribute::Normal).is_some());
}

#[test]
fn without_ids_an_offset_of_zero_is_absence_for_all_but_positions() {
    let doc = read(&corpus::das2::engine_triangle());
    let mut mesh = doc.parts().meshes[0].clone();
    assert_eq!(mesh.slot(Attribute::Position), Some(Slot { buffer: 0, offset: 0 }));
    mesh.surface_normal_buffer_offset = 0;
    assert_eq!(mesh.slot(Attribute::Normal), None);
}

#[test]
fn facts_count_what_is_stored() {
    let facts = read(&corpus::das2::model()).facts(true);
    let counts = facts.counts;
    assert_eq!((counts.scenes, counts.nodes, counts.meshes, counts.primitives), (Some(2), Some(4), Some(2), Some(2)));
    assert_eq!((counts.vertices, counts.triangles, counts.lods), (Some(6), Some(2), Some(1)));
    assert_eq!((counts.materials, counts.textures, counts.images), (Some(2), Some(6), Some(6)));
    assert_eq!((counts.skins, counts.joints, counts.morph_targets), (Some(1), Some(2), Some(1)));
    assert_eq!((counts.animations, counts.lights), (Some(1), Some(0)));
    assert_eq!(facts.names.meshes, [b"skinned".to_vec(), b"morphed".to_vec()]);
    assert_eq!(facts.names.materials, [b"wood".to_vec(), b"cloth".to_vec()]);
    assert!(facts.further.iter().any(|(key, _)| *key == "compression"));
    // Counting the vertices of an indexed mesh needs a pass over its indices.
    assert_eq!(read(&corpus::das2::model()).facts(false).counts.vertices, None);
    assert_eq!(read(&corpus::das2::one_triangle()).facts(false).counts.vertices, Some(3));
}

#[test]
fn places_inside_a_compressed_body_say_so() {
    let zlib = testing::sample("das2", "zlib");
    let bytes = zlib;
    let doc = read(&bytes);
    let tree = doc.tree();
    let body = wire::find(&tree, "body").expect("a body");
    assert_eq!(body.span, Span::file(31, bytes.len() as u64 - 31));
    assert!(body.is_leaf() && body.inflated().is_some_and(|inflated| inflated.len() == 479));
    // The table of the recipes counts the header too.
    let at = wire::locate(&tree, "body.nodes[0].scale").expect("a field");
    assert_eq!((at.space, at.offset, at.size), (Space::Inflated, 494 - 31, 4));
}

#[test]
fn paths_of_a_split_body_lead_into_its_frames() {
    let split = testing::sample("das2", "v2-split");
    let doc = read(&split);
    assert_eq!(doc.list(Kind::BUFFER), "body.frames.buffers");
    let tree = doc.tree();
    let data = wire::locate(&tree, "body.frames.buffers[0].data").expect("a field");
    assert_eq!((data.space, data.offset, data.size), (Space::Inflated, 5, 96));
    let mesh = wire::locate(&tree, "body.meshes[0].draw_count").expect("a field");
    assert_eq!(mesh.space, Space::File);
}

#[test]
fn the_first_generation_is_named() {
    let old = testing::sample("das2", "first-generation");
    let error = try_read(&old).expect_err("another format");
    assert_eq!(error.rule().id, "DAS2-002");
    assert!(error.message().contains("first generation"), "{error}");
}

#[test]
fn what_the_converter_makes_is_told() {
    let sample = testing::sample("das2", "converter");
    let found = check(&sample, None);
    let ids = rules(&found);
    for rule in ["DAS2-008", "DAS2-025", "DAS2-027", "DAS2-032", "DAS2-045"] {
        assert!(ids.contains(&rule), "{rule} is not among {ids:?}");
    }
}

#[test]
fn hashes_are_written_where_there_are_none() {
    let mut doc = read(&corpus::das2::engine_triangle());
    if let Structure::Node(node) = doc.structures[3].edit() {
        node.name = "renamed".into();
    }
    let again = read(&write(&doc));
    assert_eq!(again.parts().nodes[0].name.hash, Some(hash(b"renamed")));
    assert_eq!(again.dialect(), "engine");
}

#[test]
fn counters_are_filled() {
    let mut doc = read(&corpus::das2::model());
    let header = doc.header.edit();
    (header.vertices_count, header.mesh_count, header.animation_count) = (0, 9, 9);
    doc.fill_counters();
    assert_eq!((doc.header.vertices_count, doc.header.mesh_count, doc.header.animation_count), (6, 2, 1));
}

#[test]
fn deep_nesting_of_lods_is_refused() {
    // Each LOD holds one more; behind 64 of them the reader stops.
    let file = corpus::das2::one_triangle();
    let mesh = &file[132..374];
    let mut nested = file[..132].to_vec();
    for _ in 0..100_000 {
        nested.extend(&mesh[..238]);
        nested.extend(1_u32.to_le_bytes());
    }
    let error = try_read(&nested).expect_err("too deep");
    assert!(error.is_limit(), "{error}");
}
