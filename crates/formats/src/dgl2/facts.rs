//! What `info` says about a document.

use std::collections::BTreeSet;

use scene::UvOrigin;
use wire::{Fixed, Text};

use super::layout::{ChunkKind, Data, Document, EntityKind, Triangle};
use super::properties::Properties;
use super::{dialect, origin};
use crate::{Counts, Fact, Facts, MeshSize, Names};

pub(super) fn of(doc: &Document, full: bool) -> Facts {
    let of_kind = |kind: ChunkKind| doc.chunks.iter().filter(move |chunk| chunk.kind == kind);
    let count = |kind: ChunkKind| Some(of_kind(kind).count() as u64);
    let names = |kind: ChunkKind| of_kind(kind).map(|chunk| chunk.name.bytes().to_vec()).collect();
    let triangles: u64 = doc.meshes().map(|(.., mesh)| mesh.triangles.len() as u64).sum();
    let textures = Some(texture_files(doc).len() as u64);
    let lights = doc.entities().filter(|(.., entity)| entity.kind == EntityKind::LIGHT).count() as u64;
    let counts = Counts {
        scenes: Some(1),
        nodes: count(ChunkKind::ENTITY),
        meshes: count(ChunkKind::TRIMESH),
        primitives: count(ChunkKind::TRIMESH),
        vertices: Some(3 * triangles),
        triangles: Some(triangles),
        materials: count(ChunkKind::MATERIAL),
        textures,
        images: textures,
        lights: Some(lights),
        ..Counts::ZERO
    };
    let names = Names {
        meshes: names(ChunkKind::TRIMESH),
        nodes: names(ChunkKind::ENTITY),
        materials: names(ChunkKind::MATERIAL),
        ..Names::default()
    };
    let uv_origin = match origin::early(doc) {
        Some(origin) => origin,
        None if full => origin::of(doc).origin,
        None => UvOrigin::Unknown,
    };
    let space = scene::SourceSpace { uv_origin, ..super::SPACE };
    // A scene has the corners of triangles once that are the same.
    let meshes = doc.meshes().map(|(.., mesh)| MeshSize {
        vertices: 3 * mesh.triangles.len() as u64,
        bytes: (mesh.triangles.len() * Triangle::SIZE) as u64,
    });
    Facts { counts, names, space, further: further(doc), meshes: meshes.collect() }
}

fn further(doc: &Document) -> Vec<(&'static str, Fact)> {
    let header = doc.chunks.first().filter(|chunk| chunk.kind == ChunkKind::HEADER);
    let title = header.map(|chunk| chunk.name.clone()).unwrap_or_default();
    let data = match header.map(|chunk| &chunk.data) {
        Some(Data::Bytes(bytes)) => &bytes[..],
        _ => &[],
    };
    let kinds: BTreeSet<u32> = doc.entities().map(|(.., entity)| entity.kind.0).collect();
    let text = |text: &Text| if dialect::is_braced(text.bytes()) { "braced" } else { "bare" };
    let texts: BTreeSet<&str> = doc.texts().filter(|(_, t)| !t.is_empty()).map(|(_, t)| text(t)).collect();
    let mut further = vec![
        ("title", Fact::Text(title.bytes().to_vec())),
        ("header_data", Fact::Count(data.len() as u64)),
        ("header_content", Fact::content(data)),
        ("entity_types", Fact::Words(kinds.iter().map(ToString::to_string).collect())),
    ];
    if doc.language == super::layout::Language::Dml {
        further.push(("dml", Fact::Words(texts.into_iter().map(str::to_owned).collect())));
    }
    further
}

/// The files that materials name.
pub(super) fn texture_files(doc: &Document) -> BTreeSet<Vec<u8>> {
    let of_text = |text: &Text| {
        let properties = Properties(doc.properties(text));
        properties.textures().iter().map(|texture| texture.file.to_vec()).collect::<Vec<_>>()
    };
    doc.materials().flat_map(|(.., material)| of_text(&material.text)).filter(|file| !file.is_empty()).collect()
}
