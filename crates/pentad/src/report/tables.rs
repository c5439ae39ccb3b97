//! The tables of `info`: what a model is made of, object by object.

use std::collections::HashSet;

use formats::MeshSize;
use ops::images::dimensions_of;
use scene::{Image, ImageSource, Mesh, Name, Primitive, Scene, Semantic, Stream};
use serde::Serialize;

/// A mesh; those that stand in for others from afar are not listed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeshRow {
    /// Its name; empty if it has none.
    pub name: String,
    /// Size of its vertices, indices and morph targets.
    pub bytes: u64,
    /// How many triangles it makes.
    pub triangles: u64,
    /// How many vertices it stores.
    pub vertices: u64,
}

/// A material of the document.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaterialRow {
    /// Its name; empty if it has none.
    pub name: String,
}

/// An image.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImageRow {
    /// Its name, or its path if it has none.
    pub name: String,
    /// Its size as a file; null if it was not found.
    pub bytes: Option<u64>,
    /// Width and height; null if it was not found, or is of a kind that is not known.
    pub pixels: Option<[u32; 2]>,
    /// `embedded` in the model, `file` beside it, or `missing`.
    pub stored: &'static str,
}

/// An animation.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnimationRow {
    /// Its name; empty if it has none.
    pub name: String,
    /// When its last key is.
    pub seconds: f64,
}

/// The meshes of a scene, and how large they are as `stored` if that is another size.
pub(super) fn meshes(scene: &Scene, stored: &[MeshSize]) -> Vec<MeshRow> {
    let coarser: HashSet<_> = scene.meshes.iter().flat_map(|mesh| &mesh.lods).map(|lod| lod.mesh).collect();
    let shown = scene.meshes.entries().filter(|(id, _)| !coarser.contains(id));
    let mut rows: Vec<MeshRow> = shown.map(|(_, mesh)| row(mesh)).collect();
    if rows.len() == stored.len() {
        for (row, stored) in rows.iter_mut().zip(stored) {
            (row.vertices, row.bytes) = (stored.vertices, stored.bytes);
        }
    }
    rows
}

fn row(mesh: &Mesh) -> MeshRow {
    // Parts may share their vertices, which are there once.
    let mut seen = HashSet::new();
    let mut is_new =
        |stream: &&Stream| seen.insert((stream.data().as_ptr(), stream.len(), stream.encoding().component));
    let (mut bytes, mut vertices) = (0, 0);
    for part in &mesh.primitives {
        let own = part.attributes.iter().map(|attribute| (&attribute.stream, attribute.semantic == Semantic::Position));
        let targets = part.targets.iter().flat_map(|target| &target.attributes).map(|attribute| &attribute.stream);
        let rest = part.indices.iter().map(|indices| &indices.0).chain(targets).map(|stream| (stream, false));
        for (stream, is_position) in own.chain(rest).filter(|(stream, _)| is_new(stream)) {
            bytes += stream.len() as u64 * stream.encoding().element_size() as u64;
            vertices += if is_position { stream.len() as u64 } else { 0 };
        }
    }
    let triangles = mesh.primitives.iter().map(Primitive::triangle_count).sum();
    MeshRow { name: text(&mesh.name), bytes, triangles, vertices }
}

pub(super) fn images(scene: &Scene) -> Vec<ImageRow> {
    scene.images.iter().map(image).collect()
}

fn image(image: &Image) -> ImageRow {
    let (called, bytes, stored) = match &image.source {
        ImageSource::File { path, bytes: Some(bytes) } => (path.to_string(), Some(bytes), "file"),
        ImageSource::File { path, bytes: None } => (path.to_string(), None, "missing"),
        ImageSource::Embedded { mime, bytes } => (mime.to_string(), Some(bytes), "embedded"),
    };
    let is_file = stored != "embedded";
    let name = if is_file && image.name.is_empty() { called.clone() } else { text(&image.name) };
    let pixels = bytes.and_then(|bytes| dimensions_of(bytes, &called)).map(|(width, height)| [width, height]);
    ImageRow { name, bytes: bytes.map(|bytes| bytes.len() as u64), pixels, stored }
}

pub(super) fn animations(scene: &Scene) -> Vec<AnimationRow> {
    let row = |animation: &scene::Animation| {
        let times = animation.channels.iter().flat_map(|channel| &channel.times).copied();
        let seconds = times.filter(|time| time.is_finite()).fold(0_f32, f32::max);
        AnimationRow { name: text(&animation.name), seconds: seconds.to_string().parse().unwrap_or_default() }
    };
    scene.animations.iter().map(row).collect()
}

fn text(name: &Name) -> String {
    name.to_string()
}
