//! Scene → document. One step per file: images, then materials that name them, then meshes that name materials, then
//! nodes that name everything; bulk data gathers in the buffers on the way. The table of what maps to what is in the
//! documentation of [`crate::gltf`].

mod alone;
mod animations;
mod buffers;
mod geometry;
mod images;
mod instances;
mod lean;
mod lods;
mod materials;
mod morphs;
mod nodes;
mod numbers;
mod objects;
mod packing;
mod skins;
mod source;
mod streams;
mod transforms;
mod tree;

pub(super) use self::images::{Mode, mode, percent_encode};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use findings::Result;
use scene::extras::{INSIDE, MIN_VERSION, REQUIRED};
use scene::loss::LOSS_055;
use scene::{Metadata, Scene, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use wire::{Blob, Kept};

use self::buffers::Buffers;
use super::inside::{self, PutBack};
use super::{comes_from_elsewhere, is_gltf};
use crate::file_name::safe_name;
use crate::gltf::about;
use crate::gltf::carry::{Carry, KEY, encode, extensions, hex};
use crate::gltf::extensions as known;
use crate::gltf::layout::{Chunk, ChunkKind, Container, Document};
use crate::gltf::schema::{self, Asset, Json, Map, Root};
use crate::{LowerCx, Package};

/// Buffers of a `.gltf` file stay below this: many readers count bytes with 32 bits.
const BUFFER_LIMIT: u64 = u32::MAX as u64;

/// What is being made.
struct Output<'s, 'c, 'o> {
    scene: &'s Scene,
    cx: &'c mut LowerCx<'o>,
    container: Container,
    root: Root,
    buffers: Buffers,
    /// Names of extensions that some object has.
    used: BTreeSet<String>,
    /// Streams that have an accessor already.
    streams: streams::Known,
    images: images::Written,
    materials: materials::Written,
    meshes: geometry::Written,
    nodes: nodes::Written,
}

pub(in crate::gltf) fn lower(scene: &Scene, container: Container, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    // The binary chunk is one buffer; whether it is too large is for the writer to say.
    let limit = if container == Container::Binary { u64::MAX } else { BUFFER_LIMIT };
    lower_within(scene, container, limit, cx)
}

fn lower_within(scene: &Scene, container: Container, limit: u64, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let (alone, factors) = alone::fall_back(scene, container, cx);
    let scene = alone.as_ref().unwrap_or(scene);
    let mut out = Output {
        scene,
        cx,
        container,
        root: Root::default(),
        buffers: Buffers::new(limit),
        used: BTreeSet::new(),
        streams: streams::Known::default(),
        images: images::Written::default(),
        materials: materials::Written { factors, ..materials::Written::default() },
        meshes: geometry::Written::default(),
        nodes: nodes::Written::of(scene),
    };
    out.root.extensions = out.foreign(&scene.extras);
    images::lower(&mut out);
    materials::lower(&mut out);
    skins::plan(&mut out);
    animations::plan(&mut out);
    geometry::lower(&mut out)?;
    objects::lower(&mut out);
    skins::lower(&mut out);
    nodes::lower(&mut out);
    let unplayable = animations::lower(&mut out);
    if let crate::Extras::Source(original) = out.cx.extras {
        out.root.extras = Some(source::lower(&mut out, original));
    }
    lower_file(&mut out, unplayable);
    numbers::follow(&mut out);
    Ok(out.finish())
}

impl Output<'_, '_, '_> {
    /// Notes that an extension is used, and gives back its name.
    fn uses(&mut self, extension: &str) -> String {
        self.used.insert(extension.to_owned());
        extension.to_owned()
    }

    /// Notes that an extension is used, and those inside it.
    fn uses_all(&mut self, name: &str, json: &Json) {
        self.used.insert(name.to_owned());
        let mut rest = vec![json];
        while let Some(json) = rest.pop() {
            if let Some(Json::Object(inner)) = json.get("extensions") {
                self.used.extend(inner.keys().cloned());
            }
            match json {
                Json::Object(object) => rest.extend(object.values()),
                Json::Array(list) => rest.extend(list),
                _ => {}
            }
        }
    }

    /// Names of properties that the format of the source gives a meaning to.
    fn meant(&self) -> &'static [&'static str] {
        super::meant(self.scene)
    }

    /// The extensions that an object of the scene brought from a foreign file.
    fn foreign(&mut self, extras: &scene::Extras) -> Map<String, Json> {
        let found = extensions(extras);
        found.iter().for_each(|(name, json)| self.uses_all(name, json));
        found
    }

    /// The `extras` of an object: what it carries, with many bytes in the buffers.
    fn extras(&mut self, carry: Carry, extras: &scene::Extras) -> Option<Json> {
        carry.extras_with(extras, |bytes| Some(source::lower_bytes(self, &Blob::memory(bytes.to_vec()))))
    }

    /// Puts what travels of an object's inside back to where it was; what has no place any more is left.
    fn put_back<'e, T: Serialize + DeserializeOwned>(
        &mut self,
        object: &mut T,
        extras: &'e scene::Extras,
    ) -> Cow<'e, scene::Extras> {
        let Some(inside) = extras.get(INSIDE) else { return Cow::Borrowed(extras) };
        let done = PutBack::into(object, inside);
        self.used.extend(done.used);
        let mut left = without(extras, INSIDE);
        done.left.keep(left.to_mut());
        left
    }

    /// A node that glTF's rules make necessary, marked with the reason.
    fn add_node(&mut self, parent: Option<usize>, role: &str) -> usize {
        let mut carry = Carry::default();
        carry.set("role", role);
        let extras = carry.extras(&Default::default());
        self.add_written(parent, schema::Node { extras, ..schema::Node::default() })
    }

    /// A node that the scene does not have; its children are those of the tree.
    fn add_written(&mut self, parent: Option<usize>, node: schema::Node) -> usize {
        self.nodes.added.push(node);
        self.nodes.tree.add(parent)
    }

    /// Whether everything goes into the one file.
    fn embeds(&self) -> bool {
        self.cx.embed
    }

    fn finish(mut self) -> Package<Document> {
        self.root.extensions_used = std::mem::take(&mut self.used).into_iter().collect();
        let buffers = std::mem::replace(&mut self.buffers, Buffers::new(0));
        let (views, buffers) = buffers.finish();
        self.root.buffer_views = views;
        let mut document = Document { container: self.container, ..Document::default() };
        for (i, (mut buffer, parts)) in buffers.into_iter().enumerate() {
            match self.container {
                Container::Binary => document.chunks.push(Chunk { kind: ChunkKind::BIN, data: parts }),
                Container::Json if self.embeds() => {
                    buffer.uri = Some(data_uri("application/octet-stream", &join(parts)).into());
                }
                Container::Json => {
                    let number = if i == 0 { String::new() } else { format!("-{}", i + 1) };
                    let name = format!("{}{number}.bin", safe_name(self.cx.stem));
                    let name = self.cx.side_files.add(&name, join(parts));
                    buffer.uri = Some(images::percent_encode(&name).into());
                }
            }
            self.root.buffers.push(buffer);
        }
        self.lose_numbers();
        if self.cx.is_lean() {
            lean::strip(&mut self.root, super::meant(self.scene), self.cx);
        }
        document.root = Kept::new(self.root);
        Package::new(document, self.cx)
    }
}

/// Extras without one of pentad's words: the file says it in its own.
fn without<'e>(extras: &'e scene::Extras, key: &str) -> Cow<'e, scene::Extras> {
    let mut left = Cow::Borrowed(extras);
    if extras.get(key).is_some() {
        left.to_mut().own.retain(|(k, _)| k != key);
    }
    left
}

impl Output<'_, '_, '_> {
    /// Lists unknown extensions, where they may call accessors and views by the numbers those had.
    /// Materials keep the numbers of their textures.
    fn lose_numbers(&mut self) {
        if !is_gltf(self.scene) {
            return;
        }
        let root = &self.root;
        let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|primitive| &primitive.extensions);
        let all = [&root.extensions].into_iter().chain(root.nodes.iter().map(|node| &node.extensions));
        let all = all.chain(root.meshes.iter().map(|mesh| &mesh.extensions)).chain(primitives);
        let unknown = all
            .flatten()
            .filter(|(name, json)| !known::is_followed(name) && !known::is_understood(name) && has_number(json));
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        unknown.for_each(|(name, _)| *counts.entry(name.clone()).or_default() += 1);
        for (name, count) in counts {
            let what = format!("numbers of accessors and buffer views in {name}");
            self.cx.lose(
                &LOSS_055,
                "file",
                count,
                &what,
                "they are numbered anew, and nobody here knows where it names them",
            );
        }
    }
}

fn has_number(json: &Json) -> bool {
    match json {
        Json::Number(number) => number.is_u64(),
        Json::Array(list) => list.iter().any(has_number),
        Json::Object(object) => object.values().any(has_number),
        _ => false,
    }
}

/// One run of bytes: side files and data URIs cannot be in pieces.
pub(super) fn join(parts: Vec<Blob>) -> Blob {
    match <[Blob; 1]>::try_from(parts) {
        Ok([one]) => one,
        Err(parts) => Blob::memory(parts.iter().map(|part| &part[..]).collect::<Vec<_>>().concat()),
    }
}

pub(super) fn data_uri(mime: &str, bytes: &[u8]) -> String {
    let mut uri = format!("data:{mime};base64,");
    base64::engine::general_purpose::STANDARD.encode_string(bytes, &mut uri);
    uri
}

/// What concerns the file as a whole.
fn lower_file(out: &mut Output<'_, '_, '_>, unplayable: Vec<Json>) {
    let mut file = Root {
        asset: Asset { version: "2.0".to_owned(), ..Asset::default() },
        extensions: std::mem::take(&mut out.root.extensions),
        extras: out.root.extras.take(),
        ..Root::default()
    };
    let left = out.put_back(&mut file, &out.scene.extras);
    (out.root.extensions, out.root.extras) = (file.extensions, file.extras);
    let required = words(inside::at(&out.scene.extras, REQUIRED));
    out.root.extensions_required = required.into_iter().filter(|name| out.used.contains(name)).collect();
    let min_version = words(inside::at(&out.scene.extras, MIN_VERSION)).pop();
    let mut left = left.into_owned();
    inside::forget(&mut left, &[REQUIRED, MIN_VERSION]);
    out.root.asset = Asset { extensions: file.asset.extensions, min_version, ..asset(out, &left, unplayable) };
}

/// Puts what only pentad says of the file where editors keep it.
fn tell_file(out: &mut Output<'_, '_, '_>, mut words: Map<String, Json>) -> Map<String, Json> {
    if about::speaker(&out.root).is_none() {
        return words;
    }
    // A glTF file has no way back that could miss something.
    if comes_from_elsewhere(out.scene) {
        if let Some(holds) = about::holds(&out.root) {
            words.insert(about::HOLDS.to_owned(), holds);
        }
        words.insert(about::NUMBERS.to_owned(), about::numbers(&out.root));
        let mut names = about::shared_names(&mut out.root);
        if !out.meshes.renamed.is_empty() {
            names.get_or_insert_with(|| json!({}))[about::ATTRIBUTES] = json!(out.meshes.renamed);
        }
        if let Some(names) = names {
            words.insert(about::NAMES.to_owned(), names);
        }
    }
    if matches!(out.cx.extras, crate::Extras::Source(_)) {
        words.entry(about::HOLDS).or_insert_with(|| json!({}))[about::SOURCE] = json!(1);
    }
    if !words.is_empty() {
        about::tell(&mut out.root, words);
    }
    Map::new()
}

/// A text, or a list of them.
fn words(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Text(text)) => vec![text.to_string()],
        Some(Value::List(list)) => list.iter().flat_map(|value| words(Some(value))).collect(),
        _ => Vec::new(),
    }
}

fn asset(out: &mut Output<'_, '_, '_>, extras: &scene::Extras, unplayable: Vec<Json>) -> Asset {
    let scene = out.scene;
    let mut carry = Carry::default();
    if let Some(origin) = scene.origin.as_ref().filter(|_| !is_gltf(scene)) {
        let space = &scene.space;
        let (up, handedness) = (space.up.name(), space.handedness.name());
        let (unit, uv_origin) = (space.unit.name(), space.uv_origin.name());
        let (format, dialect) = (&origin.format, &origin.dialect);
        let origin = json!({ "format": format, "dialect": dialect, "up": up, "handedness": handedness, "unit": unit,
            "uv_origin": uv_origin });
        carry.set("origin", origin);
    }
    if let Some(metadata) = metadata(&scene.metadata) {
        carry.set("metadata", metadata);
    }
    carry.properties(&scene.metadata.properties);
    if !unplayable.is_empty() {
        carry.set("channels", Json::Array(unplayable));
    }
    let own = scene::Extras { own: extras.own.clone(), ..Default::default() };
    let words = match out.extras(carry, &own).and_then(|mut all| all.get_mut(KEY).map(Json::take)) {
        Some(Json::Object(words)) => words,
        _ => Map::new(),
    };
    let mut carry = Carry::default();
    carry.set("carry", 1);
    carry.own.extend(tell_file(out, words));
    let foreign = scene::Extras { own: Vec::new(), ..extras.clone() };
    let copyright = &scene.metadata.copyright;
    Asset {
        version: "2.0".to_owned(),
        generator: Some(concat!("pentad ", env!("CARGO_PKG_VERSION")).to_owned()),
        copyright: (!copyright.is_empty()).then(|| copyright.to_string()),
        extras: carry.extras(&foreign),
        ..Asset::default()
    }
}

fn metadata(metadata: &Metadata) -> Option<Json> {
    let texts = [
        ("title", &metadata.title),
        ("description", &metadata.description),
        ("author", &metadata.author),
        ("copyright", &metadata.copyright),
        ("comment", &metadata.comment),
        ("generator", &metadata.generator),
        ("project", &metadata.project),
    ];
    let mut all = Map::new();
    for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        all.insert(key.to_owned(), encode(&Value::Text(text.clone())));
    }
    if let Some(created) = metadata.created {
        all.insert("created".to_owned(), encode(&Value::Uint(created)));
    }
    if !metadata.raw.is_empty() {
        all.insert("raw".to_owned(), json!(hex(&metadata.raw)));
    }
    (!all.is_empty()).then_some(Json::Object(all))
}

#[cfg(test)]
mod tests {
    use scene::{Mesh, Primitive, Semantic, Stream, Topology};

    use super::*;
    use crate::NoSource;

    #[test]
    fn buffers_split_before_the_limit() {
        let mut scene = Scene::new();
        for _ in 0..3 {
            let corners = Stream::from_f32(3, vec![0.5; 9]);
            let triangle = Primitive::new(Topology::Triangles).with(Semantic::Position, corners);
            scene.meshes.add(Mesh { primitives: vec![triangle], ..Mesh::default() });
        }
        let mut cx = LowerCx::new(&NoSource, "standard");
        // A triangle takes 36 bytes: two fit below 80, three do not.
        let package = lower_within(&scene, Container::Json, 80, &mut cx).unwrap();
        let names: Vec<_> = package.side_files.iter().map(|f| (f.name.as_str(), f.bytes.len())).collect();
        assert_eq!(names, [("model.bin", 72), ("model-2.bin", 36)]);
        let root = &package.document.root;
        assert_eq!(root.buffers.iter().map(|b| b.byte_length).collect::<Vec<_>>(), [72, 36]);
        assert_eq!(root.buffers[1].uri.as_deref(), Some("model-2.bin"));
        assert_eq!(root.buffer_views.iter().map(|v| v.buffer).collect::<Vec<_>>(), [0, 0, 1]);
        assert_eq!(root.buffer_views[2].byte_offset, None);
    }
}
