//! What a DanModel file is made of, in the order of its document.

use scene::Topology;
use wire::{
    Blob, Bool8, Bulk, Count, Counted, F32, F64, Fault, Fixed, Kept, Layout, Node, Order, Reader, Text, Writer, layout,
    record, wire_enum,
};

use super::dialect::Dialect;
use crate::{Counts, Fact, Facts, Names};

/// The first string of every file.
pub const MAGIC: &str = "DanmakuCore DanModel";

/// Every number is big-endian: the mod reads with Java's `DataInput`.
pub(crate) const ORDER: Order = Order::Big;

layout! {
    /// Everything before the pieces.
    pub struct Header(dialect: Dialect) {
        let magic_length: Count<i16> = magic.len(),
        /// `DanmakuCore DanModel`.
        magic: Text{magic_length},
        /// Always 1.
        version: i16,
        let name_length: Count<i16> = name.len(),
        /// Name of the model; may be empty.
        name: Text{name_length},
        let description_length: Count<i16> = description.len(),
        /// Description of the model; may be empty.
        description: Text{description_length},
        let author_length: Count<i16> = author.len(),
        /// Who made the model; may be empty.
        author: Text{author_length},
        /// How many pieces follow.
        piece_count: i32,
        /// Alpha of danmaku-coloured pieces; the mod's converter always writes 0.3.
        danmaku_alpha: F32 where dialect == Dialect::Engine,
        /// Bytes from behind this field to the end of the last piece.
        model_length: i32,
    }
}

wire_enum! {
    /// How the vertices of a piece are connected; handed to OpenGL as it is.
    pub struct Mode: i32 {
        /// Each vertex by itself.
        POINTS = 0 "POINTS",
        /// Pairs.
        LINES = 1 "LINES",
        /// One closed line. The document describes it as open.
        LINE_LOOP = 2 "LINE_LOOP",
        /// One open line. The document describes it as closed.
        LINE_STRIP = 3 "LINE_STRIP",
        /// Triples.
        TRIANGLES = 4 "TRIANGLES",
        /// A strip of triangles; `GL_TRIANGLES_STRIP` in the document.
        TRIANGLE_STRIP = 5 "TRIANGLE_STRIP",
        /// A fan of triangles; `GL_TRIANGLES_FAN` in the document.
        TRIANGLE_FAN = 6 "TRIANGLE_FAN",
        /// Fours.
        QUADS = 7 "QUADS",
        /// A strip of quads.
        QUAD_STRIP = 8 "QUAD_STRIP",
        /// One convex polygon.
        POLYGON = 9 "POLYGON",
    }
}

/// Mode and topology, one line each.
const TOPOLOGIES: [(Mode, Topology); 10] = [
    (Mode::POINTS, Topology::Points),
    (Mode::LINES, Topology::Lines),
    (Mode::LINE_LOOP, Topology::LineLoop),
    (Mode::LINE_STRIP, Topology::LineStrip),
    (Mode::TRIANGLES, Topology::Triangles),
    (Mode::TRIANGLE_STRIP, Topology::TriangleStrip),
    (Mode::TRIANGLE_FAN, Topology::TriangleFan),
    (Mode::QUADS, Topology::Quads),
    (Mode::QUAD_STRIP, Topology::QuadStrip),
    (Mode::POLYGON, Topology::Polygon),
];

impl Mode {
    /// The topology it stands for, if it stands for one.
    pub fn topology(self) -> Option<Topology> {
        TOPOLOGIES.iter().find(|(mode, _)| *mode == self).map(|(_, topology)| *topology)
    }

    /// The mode of a topology, if it has one.
    pub fn of(topology: Topology) -> Option<Mode> {
        TOPOLOGIES.iter().find(|(_, t)| *t == topology).map(|(mode, _)| *mode)
    }
}

record! {
    /// A vertex with its own colour: 68 bytes.
    pub struct PlainVertex {
        /// x y z.
        position: [F64; 3],
        /// u v, v counted from the bottom.
        uv: [F64; 2],
        /// red green blue alpha, 0 to 1.
        color: [F32; 4],
        /// Unit length.
        normal: [F32; 3],
    }
}
const _: () = assert!(<PlainVertex as wire::Fixed>::SIZE == 68);

record! {
    /// A vertex that takes the colour of the shot: 52 bytes.
    pub struct ColoredVertex {
        /// x y z.
        position: [F64; 3],
        /// u v, v counted from the bottom.
        uv: [F64; 2],
        /// Unit length.
        normal: [F32; 3],
    }
}
const _: () = assert!(<ColoredVertex as wire::Fixed>::SIZE == 52);

layout! {
    /// A part of the model that is drawn by itself.
    pub struct Piece {
        /// How the vertices are connected: `glMode`.
        mode: Mode,
        let vertex_count: Count<i32> = vertices.len(),
        /// Whether the shot colours the piece; any value but 0 means yes.
        danmaku_colored: Bool8,
        /// PlainVertex, or ColoredVertex if danmaku_colored.
        vertices: Vertices{vertex_count, danmaku_colored},
    }
}

/// The vertices of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vertices {
    /// With colours of their own.
    Plain(Bulk<PlainVertex>),
    /// Coloured by the shot.
    Colored(Bulk<ColoredVertex>),
}

impl Default for Vertices {
    fn default() -> Vertices {
        Vertices::Plain(Bulk::default())
    }
}

/// A vertex of either kind, decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) position: [f64; 3],
    pub(crate) uv: [f64; 2],
    pub(crate) color: Option<[f32; 4]>,
    pub(crate) normal: [f32; 3],
}

impl From<PlainVertex> for Corner {
    fn from(v: PlainVertex) -> Corner {
        let color = Some(v.color.map(F32::get));
        Corner { position: v.position.map(F64::get), uv: v.uv.map(F64::get), color, normal: v.normal.map(F32::get) }
    }
}
impl From<ColoredVertex> for Corner {
    fn from(v: ColoredVertex) -> Corner {
        let position = v.position.map(F64::get);
        Corner { position, uv: v.uv.map(F64::get), color: None, normal: v.normal.map(F32::get) }
    }
}

impl Vertices {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Vertices::Plain(vertices) => vertices.len(),
            Vertices::Colored(vertices) => vertices.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of one vertex.
    pub(super) fn stride(&self) -> usize {
        match self {
            Vertices::Plain(_) => PlainVertex::SIZE,
            Vertices::Colored(_) => ColoredVertex::SIZE,
        }
    }

    /// Calls `each` with every vertex; one test of the kind for all of them.
    pub(crate) fn each(&self, mut each: impl FnMut(usize, &Corner)) {
        match self {
            Vertices::Plain(vertices) => vertices.iter().enumerate().for_each(|(i, v)| each(i, &v.into())),
            Vertices::Colored(vertices) => vertices.iter().enumerate().for_each(|(i, v)| each(i, &v.into())),
        }
    }
}

/// Written by hand: which record it is made of depends on the flag before it.
impl<C: Counted + Clone> Layout<(C, Bool8)> for Vertices {
    const MIN_SIZE: usize = 0;
    fn read(r: &mut Reader<'_>, (count, colored): (C, Bool8)) -> Result<Vertices, Fault> {
        if colored.is_set() {
            Layout::read(r, count).map(Vertices::Colored)
        } else {
            Layout::read(r, count).map(Vertices::Plain)
        }
    }
    fn write(&self, w: &mut Writer<'_>, (count, colored): (C, Bool8)) -> Result<(), Fault> {
        match self {
            Vertices::Plain(vertices) if !colored.is_set() => vertices.write(w, count),
            Vertices::Colored(vertices) if colored.is_set() => vertices.write(w, count),
            _ => Err(Fault::value(w.here(), "vertices of the kind that danmaku_colored says", "the other kind")),
        }
    }
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Which layout it is in.
    pub dialect: Dialect,
    /// Everything before the pieces.
    pub header: Kept<Header>,
    /// The pieces, in the order they are drawn.
    pub pieces: Vec<Kept<Piece>>,
    /// Bytes that model_length counts although no piece uses them.
    pub slack: Blob,
    /// Bytes behind the model.
    pub tail: Blob,
}

impl Document {
    /// Gives the header the counts that writing will give it, so that the document equals the one read back. What does not
    /// fit is refused by the writer.
    pub(super) fn count_pieces(&mut self) {
        let size = |piece: &Kept<Piece>| <Piece as Layout>::MIN_SIZE + piece.vertices.len() * piece.vertices.stride();
        let model_length = self.pieces.iter().map(size).sum::<usize>() + self.slack.len();
        let header = self.header.edit();
        header.piece_count = i32::try_from(self.pieces.len()).unwrap_or(i32::MAX);
        header.model_length = i32::try_from(model_length).unwrap_or(i32::MAX);
    }
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn tree(&self) -> Vec<Node> {
        let piece = |(i, piece): (usize, &Kept<Piece>)| piece.node(format!("[{i}]"), ORDER, ());
        let mut tree = vec![self.header.node("header", ORDER, self.dialect)];
        tree.push(Node::list("pieces", "Piece", self.pieces.iter().enumerate().map(piece).collect()));
        if !self.slack.is_empty() {
            tree.push(self.slack.node("slack", "unused bytes"));
        }
        if !self.tail.is_empty() {
            tree.push(self.tail.node("tail", "unused bytes"));
        }
        tree
    }

    fn forget_raw(&mut self) {
        self.header.forget_raw();
        self.pieces.iter_mut().for_each(Kept::forget_raw);
    }

    fn facts(&self, _: bool) -> Facts {
        let pieces = self.pieces.len() as u64;
        let count = |each: fn(&Piece) -> u64| Some(self.pieces.iter().map(|piece| each(piece)).sum());
        let counts = Counts {
            scenes: Some(1),
            nodes: Some(pieces),
            meshes: Some(pieces),
            primitives: Some(pieces),
            vertices: count(|piece| piece.vertices.len() as u64),
            triangles: count(|p| p.mode.topology().map_or(0, |t| t.triangles(p.vertices.len() as u64))),
            ..Counts::ZERO
        };
        let unnamed = vec![Vec::new(); self.pieces.len()];
        let names = Names { meshes: unnamed.clone(), nodes: unnamed, ..Names::default() };
        let colored = self.pieces.iter().filter(|piece| piece.danmaku_colored.is_set()).count();
        let text = |text: &Text| Fact::Text(text.bytes().to_vec());
        let mut further = vec![
            ("title", text(&self.header.name)),
            ("description", text(&self.header.description)),
            ("author", text(&self.header.author)),
            ("danmaku_colored", Fact::Count(colored as u64)),
        ];
        if let Some(alpha) = self.header.danmaku_alpha {
            further.push(("danmaku_alpha", Fact::Float(alpha.get())));
        }
        Facts { counts, names, space: super::SPACE, further, ..Facts::default() }
    }
}
