//! What a glTF file is made of: the GLB container, and the JSON that [`super::schema`] spells out.

use wire::{Blob, Kept, Node, Order, Span, Value, layout, wire_enum};

use super::dialect::Dialect;
use super::schema::{Json, Root};
use super::{bridge, extensions, places};
use crate::{Counts, Fact, Facts, Names};

/// Every number of the container and of the buffers is little-endian.
pub(crate) const ORDER: Order = Order::Little;

/// The first four bytes of every GLB file: `glTF`.
pub const MAGIC: u32 = 0x4654_6C67;

layout! {
    /// The first twelve bytes of a GLB file.
    pub struct Header {
        /// `glTF`.
        magic: u32,
        /// Always 2.
        version: u32,
        /// Bytes of the whole file, this header included.
        length: u32,
    }
}
pub(crate) const HEADER_SIZE: usize = <Header as wire::Layout>::MIN_SIZE;
const _: () = assert!(HEADER_SIZE == 12);

layout! {
    /// The eight bytes before the content of a chunk.
    pub struct ChunkHeader {
        /// Bytes of the content.
        length: u32,
        /// What the content is.
        kind: ChunkKind,
    }
}
pub(crate) const CHUNK_HEADER_SIZE: usize = <ChunkHeader as wire::Layout>::MIN_SIZE;
const _: () = assert!(CHUNK_HEADER_SIZE == 8);

wire_enum! {
    /// What a chunk is; others are kept and have no meaning.
    pub struct ChunkKind: u32 {
        /// The JSON; always first.
        JSON = 0x4E4F534A "JSON",
        /// The first buffer; second, if there is one.
        BIN = 0x004E4942 "BIN",
    }
}

/// The two forms of one document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Container {
    /// A JSON file with its buffers beside it or as data URIs: `.gltf`.
    #[default]
    Json,
    /// One binary file: `.glb`.
    Binary,
}

/// A chunk behind the JSON.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// What it is.
    pub kind: ChunkKind,
    /// Its content, in pieces that follow each other.
    pub data: Vec<Blob>,
}

impl Chunk {
    /// Bytes of the content.
    pub fn size(&self) -> u64 {
        self.data.iter().map(|part| part.len() as u64).sum()
    }

    /// Where the chunk with its header lies, if it was read from a file.
    fn span(&self) -> Option<Span> {
        let header = CHUNK_HEADER_SIZE as u64;
        match self.data.as_slice() {
            [one] if one.span().space == wire::Space::File => {
                let at = one.span();
                Some(Span::file(at.offset.checked_sub(header)?, at.size + header))
            }
            _ => None,
        }
    }
}

/// Chunks are equal when their bytes are, in however many pieces.
impl PartialEq for Chunk {
    fn eq(&self, other: &Chunk) -> bool {
        self.kind == other.kind
            && self.size() == other.size()
            && (self.data == other.data
                || self.data.iter().flat_map(|p| p.iter()).eq(other.data.iter().flat_map(|p| p.iter())))
    }
}
impl Eq for Chunk {}

/// A whole file. The lengths of the container are not kept: they follow from its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Which form it is in.
    pub container: Container,
    /// The JSON.
    pub root: Kept<Root>,
    /// Chunks behind the JSON, in order.
    pub chunks: Vec<Chunk>,
    /// Bytes that the length counts although they make no chunk.
    pub slack: Blob,
    /// Bytes behind the length.
    pub tail: Blob,
}

impl Document {
    /// The content of the binary chunk: the first buffer of a GLB file.
    pub fn binary(&self) -> Option<&[Blob]> {
        self.chunks.first().filter(|chunk| chunk.kind == ChunkKind::BIN).map(|chunk| chunk.data.as_slice())
    }
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        Dialect::Standard.id()
    }

    fn tree(&self) -> Vec<Node> {
        let mut tree = match self.container {
            Container::Json => vec![json_node(&self.root)],
            Container::Binary => binary_tree(self),
        };
        tree.extend(self.root.raw().iter().flat_map(|text| places::map(text)));
        tree
    }

    fn forget_raw(&mut self) {
        self.root.forget_raw();
    }

    fn facts(&self, _: bool) -> Facts {
        facts(&self.root)
    }
}

fn json_node(root: &Kept<Root>) -> Node {
    match root.raw() {
        Some(raw) => Node::leaf("json", "JSON", raw.span()).with_value(Value::Text(raw.clone())),
        None => Node::leaf("json", "JSON", Span::default()),
    }
}

fn binary_tree(doc: &Document) -> Vec<Node> {
    let number = |name: &str, offset: u64, value: u64| {
        Node::leaf(name, "u32", Span::file(offset, 4)).with_value(Value::Unsigned(value))
    };
    let chunk = |name: String, at: Option<Span>, kind: ChunkKind, content: Node| {
        let Some(at) = at else { return Node::group(name, "Chunk", Span::default(), vec![content]) };
        let named = Value::Named { raw: kind.0.into(), word: kind.word() };
        let kind = Node::leaf("kind", "ChunkKind", Span::file(at.offset + 4, 4)).with_value(named);
        let length = number("length", at.offset, at.size - CHUNK_HEADER_SIZE as u64);
        Node::group(name, "Chunk", at, vec![length, kind, content])
    };
    let mut tree = Vec::new();
    let json_at = doc.root.raw().map(|raw| {
        let header = CHUNK_HEADER_SIZE as u64;
        Span::file(raw.span().offset.saturating_sub(header), raw.span().size + header)
    });
    if let Some(json) = json_at {
        let length = json.end()
            + doc.chunks.iter().map(|c| c.size() + CHUNK_HEADER_SIZE as u64).sum::<u64>()
            + doc.slack.len() as u64;
        let fields = vec![number("magic", 0, MAGIC.into()), number("version", 4, 2), number("length", 8, length)];
        tree.push(Node::group("header", "Header", Span::file(0, HEADER_SIZE as u64), fields));
    }
    tree.push(chunk("json_chunk".to_owned(), json_at, ChunkKind::JSON, json_node(&doc.root)));
    let chunks = doc.chunks.iter().enumerate().map(|(i, c)| {
        let content = match (c.span(), c.data.as_slice()) {
            (Some(_), [one]) => one.node("data", "bytes"),
            _ => Node::leaf("data", "bytes", Span::default()),
        };
        chunk(format!("[{i}]"), c.span(), c.kind, content)
    });
    tree.push(Node::list("chunks", "Chunk", chunks.collect()));
    for (name, bytes) in [("slack", &doc.slack), ("tail", &doc.tail)] {
        if !bytes.is_empty() {
            tree.push(bytes.node(name, "unused bytes"));
        }
    }
    tree
}

fn facts(root: &Root) -> Facts {
    let sum = |counts: &mut dyn Iterator<Item = u64>| Some(counts.sum());
    let primitives = || root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let count_of = |accessor: Option<usize>| accessor.and_then(|i| root.accessors.get(i)).map_or(0, |a| a.count as u64);
    let vertices = |p: &super::schema::Primitive| count_of(p.attributes.get("POSITION").copied());
    let drawn = |p: &super::schema::Primitive| p.indices.map_or_else(|| vertices(p), |i| count_of(Some(i)));
    let triangles = |p: &super::schema::Primitive| match p.mode.unwrap_or(4) {
        4 => drawn(p) / 3,
        5 | 6 => drawn(p).saturating_sub(2),
        _ => 0,
    };
    let lights = root.extensions.get(extensions::LIGHTS).and_then(|e| e.get("lights")).and_then(Json::as_array);
    let instances = |node: &super::schema::Node| {
        let attributes = node.extensions.get(extensions::INSTANCING).and_then(|e| e.get("attributes")?.as_object());
        let first = attributes.and_then(|attributes| attributes.values().next()?.as_u64());
        count_of(first.and_then(|accessor| usize::try_from(accessor).ok()))
    };
    let counts = Counts {
        scenes: Some(root.scenes.len() as u64),
        nodes: Some(root.nodes.len() as u64),
        meshes: Some(root.meshes.len() as u64),
        primitives: sum(&mut root.meshes.iter().map(|m| m.primitives.len() as u64)),
        vertices: sum(&mut primitives().map(vertices)),
        triangles: sum(&mut primitives().map(triangles)),
        materials: Some(root.materials.len() as u64),
        textures: Some(root.textures.len() as u64),
        images: Some(root.images.len() as u64),
        lights: Some(lights.map_or(0, Vec::len) as u64),
        skins: Some(root.skins.len() as u64),
        joints: sum(&mut root.skins.iter().map(|s| s.joints.len() as u64)),
        morph_targets: sum(&mut root.meshes.iter().map(|m| m.primitives.first().map_or(0, |p| p.targets.len() as u64))),
        animations: Some(root.animations.len() as u64),
        instances: sum(&mut root.nodes.iter().map(instances)),
        lods: sum(&mut root.nodes.iter().map(|node| bridge::levels_of(node).map_or(0, |ids| ids.len() as u64))),
        ..Counts::ZERO
    };
    let name = |name: &Option<String>| name.clone().unwrap_or_default().into_bytes();
    let names = Names {
        meshes: root.meshes.iter().map(|o| name(&o.name)).collect(),
        nodes: root.nodes.iter().map(|o| name(&o.name)).collect(),
        materials: root.materials.iter().map(|o| name(&o.name)).collect(),
        animations: root.animations.iter().map(|o| name(&o.name)).collect(),
    };
    let text = |text: &str| Fact::Text(text.as_bytes().to_vec());
    let mut further = vec![("version", text(&root.asset.version))];
    for (key, value) in [("generator", &root.asset.generator), ("copyright", &root.asset.copyright)] {
        further.extend(value.as_deref().map(|value| (key, text(value))));
    }
    if !root.extensions_used.is_empty() {
        further.push(("extensions", Fact::Words(root.extensions_used.clone())));
    }
    Facts { counts, names, space: super::SPACE, further, ..Facts::default() }
}
