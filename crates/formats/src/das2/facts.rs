//! What `info` says.

use std::collections::BTreeSet;

use super::attributes::Attribute;
use super::document::{Document, Parts};
use super::text::DasString;
use crate::{Counts, Fact, Facts, Names};

pub(super) fn facts(doc: &Document, full: bool) -> Facts {
    let parts = doc.parts();
    let len = |len: usize| Some(len as u64);
    let images = len(uris(&parts).collect::<BTreeSet<_>>().len());
    let counts = Counts {
        scenes: len(parts.scenes.len()),
        nodes: len(parts.nodes.len()),
        meshes: len(parts.mesh_groups.len()),
        primitives: len(parts.meshes.len()),
        vertices: vertices(&parts, full),
        triangles: Some(parts.meshes.iter().map(|mesh| u64::from(mesh.draw_count / 3)).sum()),
        materials: len(parts.phong_materials.len() + parts.pbr_materials.len()),
        textures: images,
        images,
        skins: len(parts.skeletons.len()),
        joints: len(parts.joints.len()),
        morph_targets: len(parts.meshes.iter().map(|mesh| mesh.morph_targets.len()).sum()),
        animations: len(parts.animations.len()),
        lods: len(parts.meshes.iter().map(|mesh| mesh.multiple_lods.len()).sum()),
        ..Counts::ZERO
    };
    let bytes = |name: &DasString| name.bytes().to_vec();
    let phong = parts.phong_materials.iter().map(|material| bytes(&material.name));
    let names = Names {
        meshes: parts.mesh_groups.iter().map(|group| bytes(&group.name)).collect(),
        nodes: parts.nodes.iter().map(|node| bytes(&node.name)).collect(),
        materials: phong.chain(parts.pbr_materials.iter().map(|material| bytes(&material.name))).collect(),
        animations: parts.animations.iter().map(|a| a.name.as_ref().map(bytes).unwrap_or_default()).collect(),
    };
    let further = vec![
        ("compression", Fact::Text(doc.compression.name().into())),
        ("level", Fact::Count(doc.header.level.into())),
        ("author", Fact::Text(bytes(&doc.header.author_name))),
        ("comment", Fact::Text(bytes(&doc.header.comment))),
        ("default_scene", Fact::Count(doc.header.default_scene_index.into())),
        ("buffers", Fact::Count(parts.buffers.len() as u64)),
    ];
    Facts { counts, names, space: super::SPACE, further, ..Facts::default() }
}

/// A mesh whose indices lie outside their buffer has no vertices that could be counted.
fn vertices(parts: &Parts<'_>, full: bool) -> Option<u64> {
    let indexed = |mesh: &&super::Mesh| mesh.slot(Attribute::Index).is_some();
    if !full && parts.meshes.iter().any(indexed) {
        return None;
    }
    Some(parts.meshes.iter().filter_map(|mesh| parts.vertex_count(mesh)).sum())
}

/// The images that materials name.
pub(super) fn uris<'a>(parts: &Parts<'a>) -> impl Iterator<Item = &'a [u8]> {
    let phong = parts.phong_materials.iter().flat_map(|m| m.maps().map(|(_, uri)| uri));
    let pbr = parts.pbr_materials.iter().flat_map(|m| m.maps().map(|(_, uri)| uri));
    phong.chain(pbr).map(DasString::bytes).filter(|uri| !uri.is_empty()).collect::<Vec<_>>().into_iter()
}
