//! What an OBJ file is made of.
//!
//! A document is its text, and what the text says: numbers and indices in flat arrays, and the statements as runs of
//! lines. Names stay in the text and are looked up there.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use wire::{Blob, Node, Row, Span, Table, Value};

use super::bridge::Plan;
use super::dialect::Dialect;
use super::lex::{Line, joined, lines, physical_lines};
use super::rules::Fault;
use crate::{Counts, Fact, Facts, Names};

/// A whole file: its text, and what the text says.
#[derive(Clone, Debug)]
pub struct Document {
    source: Blob,
    /// Found out when someone asks: whoever only writes a text need not.
    model: Arc<OnceLock<Model>>,
}

/// The same text says the same.
impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        self.source == other.source
    }
}
impl Eq for Document {}

/// What the text of a file says.
#[derive(Debug, Default)]
pub struct Model {
    /// Three numbers per `v`.
    pub positions: Vec<f32>,
    /// Red, green, blue and alpha per `v`, white where it has none; empty if none of them has a colour.
    pub colors: Vec<f32>,
    /// How many `v` have a colour.
    pub colored: usize,
    /// How many `v` have an alpha.
    pub with_alpha: usize,
    /// Two numbers per `vt`; the second counts from the bottom.
    pub texcoords: Vec<f32>,
    /// How many `vt` have a third number other than zero.
    pub with_depth: usize,
    /// Three numbers per `vn`.
    pub normals: Vec<f32>,
    /// The corners of all elements, one behind the other.
    pub corners: Vec<Corner>,
    /// How many corners each `f`, `l` and `p` has.
    pub sizes: Vec<u32>,
    /// The statements, in order.
    pub runs: Vec<Run>,
    /// What was wrong on the way.
    pub(super) faults: Vec<Fault>,
}

impl Model {
    /// How many `v`, `vt` and `vn` there are.
    pub fn counts(&self) -> [usize; 3] {
        [self.positions.len() / 3, self.texcoords.len() / 2, self.normals.len() / 3]
    }

    /// The elements of every run of `f`, `l` or `p`, with the position of the run.
    pub(super) fn element_runs(&self) -> impl Iterator<Item = (usize, Kind, Elements)> {
        let (mut element, mut corner) = (0, 0);
        self.runs.iter().enumerate().filter(|(_, run)| run.kind.is_element()).map(move |(i, run)| {
            let sizes = element..element + run.lines as usize;
            let start = corner;
            corner += self.sizes[sizes.clone()].iter().map(|&size| size as usize).sum::<usize>();
            element = sizes.end;
            (i, run.kind, Elements { sizes, corner: start })
        })
    }

    /// The elements of such a run, each with its position among all and its corners.
    pub(super) fn elements(&self, of: &Elements) -> impl Iterator<Item = (usize, &[Corner])> {
        let mut corner = of.corner;
        of.sizes.clone().map(move |element| {
            let start = corner;
            corner += self.sizes[element] as usize;
            (element, &self.corners[start..corner])
        })
    }
}

/// Elements that follow each other.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub(super) sizes: Range<usize>,
    pub(super) corner: usize,
}

/// A corner of an element: positions in the arrays, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Which `v`.
    pub v: u32,
    /// Which `vt`.
    pub vt: u32,
    /// Which `vn`.
    pub vn: u32,
}

/// The corner does not name one.
pub const ABSENT: u32 = u32::MAX;
/// The corner names one that is not there.
pub const BAD: u32 = u32::MAX - 1;

/// Consecutive lines of one keyword, with the blank lines behind them.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// First byte; it reaches to the next run.
    pub start: usize,
    /// How many statements it holds.
    pub lines: u32,
    /// What they are.
    pub kind: Kind,
}

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    /// The byte order mark.
    Mark,
    /// Lines of nothing, at the start of a file.
    Blank,
    Comment,
    V,
    Vt,
    Vn,
    /// Lines of `v`, `vt` and `vn` in turn, of a file that has very many of them.
    Data,
    F,
    L,
    P,
    O,
    G,
    S,
    Usemtl,
    Mtllib,
    /// Free-form curves and surfaces.
    FreeForm,
    /// About displaying or rendering; without a meaning for the model.
    Display,
    Unknown,
}

impl Kind {
    /// The kind of a keyword.
    pub(super) fn of(word: &[u8]) -> Kind {
        match word {
            b"v" => Kind::V,
            b"vt" => Kind::Vt,
            b"vn" => Kind::Vn,
            b"f" => Kind::F,
            b"l" => Kind::L,
            b"p" => Kind::P,
            b"o" => Kind::O,
            b"g" => Kind::G,
            b"s" => Kind::S,
            b"usemtl" => Kind::Usemtl,
            b"mtllib" => Kind::Mtllib,
            b"vp" | b"cstype" | b"deg" | b"bmat" | b"step" | b"curv" | b"curv2" | b"surf" | b"parm" | b"trim"
            | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"bsp" | b"bzp" | b"cdc" | b"cdp" | b"res" => {
                Kind::FreeForm
            }
            b"bevel" | b"c_interp" | b"d_interp" | b"lod" | b"mg" | b"maplib" | b"usemap" | b"shadow_obj"
            | b"trace_obj" | b"ctech" | b"stech" | b"call" | b"csh" => Kind::Display,
            // `fo` is what version 2.11 of the format called `f`.
            b"fo" => Kind::F,
            _ => Kind::Unknown,
        }
    }

    /// Whether it is `f`, `l` or `p`.
    pub fn is_element(self) -> bool {
        matches!(self, Kind::F | Kind::L | Kind::P)
    }

    /// Whether it is `v`, `vt` or `vn`.
    pub(super) fn is_data(self) -> bool {
        matches!(self, Kind::V | Kind::Vt | Kind::Vn | Kind::Data)
    }

    /// Whether several lines of it are one run. Each line that names something is a run of its own.
    pub(super) fn gathers(self) -> bool {
        !matches!(self, Kind::O | Kind::G | Kind::S | Kind::Usemtl | Kind::Mtllib)
    }

    /// Whether runs of it may hold different keywords, and so must be told apart by them.
    pub(super) fn has_keywords(self) -> bool {
        matches!(self, Kind::FreeForm | Kind::Display | Kind::Unknown)
    }
}

impl Document {
    pub(super) fn new(source: Blob, model: Model) -> Document {
        Document { source, model: Arc::new(model.into()) }
    }

    /// A text that was written here, which therefore can be read.
    pub(super) fn of_text(source: Blob) -> Document {
        Document { source, model: Arc::default() }
    }

    /// The text.
    pub fn source(&self) -> &Blob {
        &self.source
    }

    /// What it says.
    pub fn model(&self) -> &Model {
        self.model.get_or_init(|| super::read::model(&self.source).unwrap_or_default())
    }

    /// The bytes of a run.
    pub(super) fn run(&self, index: usize) -> Range<usize> {
        run_bytes(&self.source, self.model(), index)
    }

    /// The statements of a run, in order.
    pub(super) fn lines(&self, run: usize) -> impl Iterator<Item = Line<'_>> {
        let bytes = self.run(run);
        lines(&self.source[..bytes.end], bytes.start)
    }

    /// What stands behind the keyword of a run of one line: a name, or several.
    pub(super) fn argument(&self, run: usize) -> Range<usize> {
        self.lines(run).next().map_or(0..0, |line| line.rest)
    }

    /// The same as text, joined lines made one.
    pub(super) fn name(&self, run: usize) -> Vec<u8> {
        joined(&self.source[self.argument(run)]).into_owned()
    }

    /// The place of some bytes of the text.
    pub(super) fn span(&self, bytes: Range<usize>) -> Span {
        let all = self.source.span();
        Span { offset: all.offset + bytes.start as u64, size: bytes.len() as u64, ..all }
    }
}

fn run_bytes(source: &Blob, model: &Model, index: usize) -> Range<usize> {
    let start = model.runs[index].start;
    start..model.runs.get(index + 1).map_or(source.len(), |next| next.start)
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        Dialect::Standard.id()
    }

    fn tree(&self) -> Vec<Node> {
        if self.source.is_empty() {
            return Vec::new();
        }
        let doc = self.clone();
        let ty = format!("Statement[{}]", self.model().runs.len());
        vec![Node::lazy("statements", ty, self.source.span(), move || {
            Ok((0..doc.model().runs.len()).map(|i| doc.node(i)).collect())
        })]
    }

    /// Nothing: the text is the value.
    fn forget_raw(&mut self) {}

    fn facts(&self, _: bool) -> Facts {
        let model = self.model();
        let plan = Plan::of(self);
        let [vertices, texcoords, normals] = model.counts();
        let mut triangles = 0;
        for (_, kind, elements) in model.element_runs() {
            if kind == Kind::F {
                triangles += model.sizes[elements.sizes].iter().map(|&n| u64::from(n).saturating_sub(2)).sum::<u64>();
            }
        }
        let mut seen = HashSet::new();
        let mut named = |kind: Kind| -> Vec<Vec<u8>> {
            let runs = model.runs.iter().enumerate().filter(|(_, run)| run.kind == kind);
            let mut names: Vec<_> = runs.map(|(i, _)| self.name(i)).collect();
            seen.clear();
            names.retain(|name| seen.insert(name.clone()));
            names
        };
        let (materials, libraries) = (named(Kind::Usemtl), named(Kind::Mtllib));
        let with_mesh = || plan.objects.iter().filter(|object| !object.parts.is_empty());
        let counts = Counts {
            scenes: Some(1),
            nodes: Some(plan.objects.len() as u64),
            meshes: Some(with_mesh().count() as u64),
            primitives: Some(plan.objects.iter().map(|object| object.parts.len() as u64).sum()),
            vertices: Some(vertices as u64),
            triangles: Some(triangles),
            materials: Some(materials.len() as u64),
            textures: None,
            images: None,
            ..Counts::ZERO
        };
        let libraries: Vec<String> = libraries.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let further = vec![
            ("texture_coordinates", Fact::Count(texcoords as u64)),
            ("normals", Fact::Count(normals as u64)),
            ("colored_vertices", Fact::Count(model.colored as u64)),
            ("material_libraries", Fact::Words(libraries)),
        ];
        let names = Names {
            nodes: plan.objects.iter().map(|object| object.name.clone()).collect(),
            meshes: with_mesh().map(|object| object.name.clone()).collect(),
            materials,
            ..Names::default()
        };
        Facts { counts, names, space: super::SPACE, further, ..Facts::default() }
    }
}

impl Document {
    /// A run as a leaf of the byte map: its type says what it holds.
    fn node(&self, index: usize) -> Node {
        let run = self.model().runs[index];
        let name = format!("[{index}]");
        let span = self.span(self.run(index));
        let ty = match run.kind {
            Kind::Mark => "byte order mark".to_owned(),
            Kind::Blank => "blank".to_owned(),
            Kind::Comment => format!("# x {}", run.lines),
            Kind::Data => {
                let count = |word: &[u8]| self.lines(index).filter(|line| line.keyword == word).count();
                format!("v x {}, vt x {}, vn x {}", count(b"v"), count(b"vt"), count(b"vn"))
            }
            kind => {
                let keyword = self.lines(index).next().map_or(&[][..], |line| line.keyword);
                let keyword = super::lex::plain(keyword);
                if kind.gathers() { format!("{keyword} x {}", run.lines) } else { keyword }
            }
        };
        if run.kind == Kind::Mark {
            return Node::leaf(name, ty, span);
        }
        let (doc, bytes) = (self.clone(), self.run(index));
        let count = physical_lines(&self.source, bytes.clone()).count();
        let node = Node::parts(name, ty, span, count, move || {
            let lines = physical_lines(&doc.source, bytes.clone()).enumerate();
            lines.map(|(i, line)| doc.line_node(i, line)).collect()
        });
        if run.kind.gathers() {
            return node;
        }
        node.with_value(Value::Text(self.source.slice(self.argument(index))))
    }

    /// A line of a run, with its end; what it says is shown without it.
    fn line_node(&self, index: usize, bytes: Range<usize>) -> Node {
        let text = self.source.slice(bytes.start..bytes.start + self.source[bytes.clone()].trim_ascii_end().len());
        Node::leaf(format!("[{index}]"), "line", self.span(bytes)).with_value(Value::Text(text))
    }
}

/// The statements, as the reference page prints them.
pub(super) static STATEMENTS: Table = Table {
    name: "OBJ statements",
    doc: &[" One per line; `\\` at the end of a line joins it with the next, `#` begins a comment."],
    rows: &[
        row("v", "x y z [w | r g b | r g b a]", &[" A vertex; its weight is ignored, its colour kept."]),
        row("vt", "u [v [w]]", &[" Texture coordinates, v counted from the bottom; w is ignored."]),
        row("vn", "x y z", &[" A normal."]),
        row(
            "f",
            "v[/[vt][/[vn]]] …",
            &[" A face of three corners or more. Indices count from 1, or from -1 backwards."],
        ),
        row("l", "v[/vt] …", &[" A line through two corners or more."]),
        row("p", "v …", &[" Points."]),
        row("o", "name", &[" What follows is an object of this name."]),
        row("g", "name …", &[" What follows belongs to these groups."]),
        row("s", "number | off", &[" What follows belongs to this smoothing group."]),
        row("usemtl", "name", &[" What follows is of this material."]),
        row("mtllib", "file …", &[" Where materials are described."]),
        row("vp, cstype, deg, …", "", &[" Free-form curves and surfaces: kept, not converted."]),
        row("lod, bevel, …", "", &[" About displaying or rendering: kept, not converted."]),
    ],
};

pub(super) const fn row(field: &'static str, ty: &'static str, doc: &'static [&'static str]) -> Row {
    Row { field, ty, when: "", doc, wire_only: false }
}
