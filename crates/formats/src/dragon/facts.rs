//! What `info` says.

use std::collections::{HashMap, HashSet};

use scene::{SourceSpace, UpAxis};

use crate::dragon::layout::body::{Body, Mesh};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::words::DrawType;
use crate::dragon::layout::{Document, Section};
use crate::{Counts, Fact, Facts, Names};

pub(super) fn facts(doc: &Document, full: bool) -> Facts {
    let bodies = || doc.sections.iter().map(|section| &section.body);
    let count = |each: fn(&Body) -> usize| Some(bodies().map(each).sum::<usize>() as u64);
    let counts = Counts {
        scenes: Some(1),
        nodes: count(|body| usize::from(matches!(body, Body::Object(_)))),
        meshes: count(|body| usize::from(matches!(body, Body::Geometry(_)))),
        primitives: count(|body| if let Body::Geometry(geometry) = body { geometry.meshes.len() } else { 0 }),
        vertices: Some(vertices(doc)),
        triangles: crate::dragon::variants::mesh::triangles(doc, full),
        materials: count(|body| usize::from(matches!(body, Body::Material(_)))),
        textures: count(|body| usize::from(matches!(body, Body::Texture(_)))),
        images: count(|body| usize::from(matches!(body, Body::Image(_)))),
        lights: count(|body| usize::from(matches!(body, Body::Light(_)))),
        skins: count(|body| usize::from(matches!(body, Body::Skeleton(_)))),
        joints: count(|body| if let Body::Skeleton(skeleton) = body { skeleton.bones.len() } else { 0 }),
        morph_targets: count(|body| if let Body::Morph(morph) = body { morph.morphs.len() } else { 0 }),
        animations: count(|body| usize::from(matches!(body, Body::Animate(_)))),
        instances: count(|body| match body {
            Body::Instance(instance) => instance.instances.iter().map(|group| group.placements.len()).sum(),
            _ => 0,
        }),
        voxels: count(|body| if let Body::VoxelObj(object) = body { object.voxels.len() } else { 0 }),
        lods: Some(0),
    };
    let variants = doc.variants().into_iter().map(str::to_owned).collect();
    let mut further = vec![
        ("sections", Fact::Count(doc.sections.len() as u64)),
        ("endian", Fact::Text(doc.order.name().into())),
        ("variants", Fact::Words(variants)),
    ];
    let asset = bodies().find_map(|body| if let Body::Asset(asset) = body { Some(asset) } else { None });
    if let Some(asset) = asset {
        let text = |text: &wire::CText| Fact::Text(text.bytes().to_vec());
        further.push(("project", text(&asset.project)));
        further.push(("copyright", text(&asset.copyright)));
        further.push(("author", text(&asset.creator)));
        further.push(("created", Fact::Count(asset.time)));
    }
    Facts { counts, names: names(doc), space: space(doc), further, ..Facts::default() }
}

/// Axes of the file; an up direction that is none counts as +Y.
pub(super) fn space(doc: &Document) -> SourceSpace {
    let up = UpAxis::ALL.get(usize::from(doc.header.up_direction.0)).copied().unwrap_or_default();
    SourceSpace { up, ..super::SPACE }
}

/// Vertices of the buffers that some geometry draws from, each counted once.
fn vertices(doc: &Document) -> u64 {
    let drawn: HashSet<Guid> = doc
        .sections
        .iter()
        .filter_map(
            |section| if let Body::Geometry(geometry) = &section.body { Some(geometry.vertex_buffer) } else { None },
        )
        .collect();
    let buffers = doc.sections.iter().filter(|section| drawn.contains(&section.guid) && !section.guid.is_none());
    let vertices = |section: &Section| if let Body::Vertex(vertex) = &section.body { vertex.len() } else { 0 };
    buffers.map(|section| vertices(section) as u64).sum()
}

fn names(doc: &Document) -> Names {
    let settings: HashMap<Guid, &[u8]> = doc
        .sections
        .iter()
        .filter_map(|section| match &section.body {
            Body::Settings(settings) => {
                let name = settings.pairs.iter().find(|pair| pair.key.bytes() == b"name")?;
                Some((section.guid, name.value().strip_suffix(b"\0").unwrap_or(name.value())))
            }
            _ => None,
        })
        .collect();
    // Kinds without a field for it are named by their settings.
    let set = |section: &Section| settings.get(&section.settings).map(|name| name.to_vec()).unwrap_or_default();
    let mut names = Names::default();
    for section in &doc.sections {
        match &section.body {
            Body::Geometry(geometry) => names.meshes.push(geometry.name.bytes().to_vec()),
            Body::Material(material) => names.materials.push(material.name.bytes().to_vec()),
            Body::Object(_) => names.nodes.push(set(section)),
            Body::Animate(_) => names.animations.push(set(section)),
            _ => {}
        }
    }
    names
}

/// Triangles that so many indices draw.
pub(super) fn triangles_of(mesh: &Mesh, indices: u64) -> u64 {
    match mesh.draw_type {
        DrawType::TRIANGLE => indices / 3,
        DrawType::TRIANGLE_STRIP | DrawType::TRIANGLE_FAN => indices.saturating_sub(2),
        DrawType::QUADS => indices / 4 * 2,
        _ => 0,
    }
}
