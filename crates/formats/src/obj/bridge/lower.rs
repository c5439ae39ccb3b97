//! Scene → document: the text is written, its numbers and faces by all threads.

use std::collections::{HashMap, HashSet};

use findings::{Error, Place, Result};
use rayon::prelude::*;
use scene::loss::*;
use scene::{Mesh, Node, Primitive, Scene, Semantic, Stream, Topology, Value};
use wire::Blob;

use super::lift::DEFAULT;
use crate::decimal::{push_float, push_int};
use crate::obj::layout::{BAD, Document};
use crate::obj::mtl::LibraryWriter;
use crate::{BridgeCx, Package};

/// Rows of text that one thread writes at a time.
const BATCH: usize = 1 << 14;

/// Points on one line.
const POINTS_PER_LINE: usize = 32;

pub(in crate::obj) fn lower(scene: &Scene, cx: &mut BridgeCx<'_>) -> Result<Package<Document>> {
    lose_properties(scene, cx);
    let objects = objects(scene, cx);
    let mut library = LibraryWriter::new(scene, cx)?;
    let mut text = Text::new(&objects, scene);
    for object in &objects {
        text.object(object, &mut library, cx)?;
    }
    let mut head = b"# Wavefront OBJ, written by pentad\n".to_vec();
    let (library_name, side_files) = library.finish();
    if let Some(name) = library_name {
        head.extend_from_slice(b"mtllib ");
        head.extend_from_slice(name.as_bytes());
        head.push(b'\n');
    }
    text.parts.insert(0, head);
    let document = Document::of_text(Blob::memory(text.parts.concat()));
    Ok(Package { document, side_files })
}

/// A node with a mesh.
struct Object<'a> {
    name: Vec<u8>,
    node: &'a Node,
    mesh: &'a Mesh,
    label: String,
}

fn objects<'a>(scene: &'a Scene, cx: &mut BridgeCx<'_>) -> Vec<Object<'a>> {
    let roots = scene.scenes.first().map_or(&[][..], |root| &root.nodes);
    let mut objects = Vec::new();
    for &id in roots {
        let Some(node) = scene.nodes.get(id) else { continue };
        let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
        let label = Scene::label("node", id.index(), &node.name);
        let own = if node.name.is_empty() { &mesh.name } else { &node.name };
        if !mesh.name.is_empty() && mesh.name != *own {
            cx.lose(&LOSS_014, &label, 1, "name of the mesh", "an object of OBJ has one name");
        }
        let name = match own.bytes() {
            [] => DEFAULT.into(),
            bytes => one_line(bytes),
        };
        if !own.is_empty() && name != own.bytes() {
            cx.lose(&LOSS_042, &label, 1, "name", "a name of OBJ is one line without blanks around it");
        }
        objects.push(Object { name, node, mesh, label });
    }
    objects
}

/// Bytes as a name: nothing that would end the line, join it with the next, or be taken for a blank around it.
pub(in crate::obj) fn one_line(name: &[u8]) -> Vec<u8> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C);
    let start = name.iter().position(|byte| !blank(byte)).unwrap_or(name.len());
    let end = name.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    let mut out: Vec<u8> = name[start..end].iter().map(|&byte| if byte < b' ' { b'_' } else { byte }).collect();
    if out.is_empty() || out.ends_with(b"\\") {
        out.push(b'_');
    }
    out
}

/// Only materials have properties here.
fn lose_properties(scene: &Scene, cx: &mut BridgeCx<'_>) {
    let why = "only materials of OBJ have further statements";
    let mut lose = |place: String, properties: &scene::Properties| {
        for (name, _) in properties {
            cx.lose(&LOSS_015, &place, 1, &format!("property {name}"), why);
        }
    };
    lose("file".to_owned(), &scene.metadata.properties);
    for (id, node) in scene.nodes.entries() {
        lose(Scene::label("node", id.index(), &node.name), &node.properties);
    }
    for (id, mesh) in scene.meshes.entries() {
        lose(Scene::label("mesh", id.index(), &mesh.name), &mesh.properties);
    }
}

/// Whether vertices alone say it.
fn is_cloud(primitive: &Primitive) -> bool {
    let said = |attribute: &scene::Attribute| matches!(attribute.semantic, Semantic::Position | Semantic::Color(0));
    let plain = primitive.indices.is_none() && primitive.material.is_none() && primitive.extras.is_empty();
    primitive.topology == Topology::Points && plain && primitive.attributes.iter().all(said)
}

/// How many numbers of colour every `v` has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Colors {
    None,
    Rgb,
    Rgba,
}

/// The text so far, and what is in force at its end.
struct Text {
    parts: Vec<Vec<u8>>,
    /// How many `v`, `vt` and `vn` there are.
    counts: [usize; 3],
    colors: Colors,
    /// Whether groups stand for objects, as in the file that the scene came from.
    by_groups: bool,
    /// Whether the file is its vertices and nothing else.
    cloud: bool,
    groups: Option<Vec<u8>>,
    smoothing: Option<i64>,
    has_material: bool,
}

impl Text {
    fn new(objects: &[Object<'_>], scene: &Scene) -> Text {
        let primitives = || objects.iter().flat_map(|object| &object.mesh.primitives);
        let colors = || primitives().filter_map(|primitive| primitive.get(&Semantic::Color(0)));
        let from_obj = scene.origin.as_ref().is_some_and(|origin| origin.format == "obj");
        let has_alpha = |stream: &Stream| {
            stream.count() > 3 && (from_obj || stream.count_elements(|row| row.get(3).is_some_and(|&a| a != 1.)) > 0)
        };
        let cloud = match objects {
            [Object { mesh: Mesh { primitives, .. }, node, .. }] => {
                matches!(&primitives[..], [only] if is_cloud(only) && node.material.is_none())
            }
            _ => false,
        };
        Text {
            parts: Vec::new(),
            counts: [0; 3],
            colors: match colors().next() {
                None => Colors::None,
                Some(_) if colors().any(has_alpha) => Colors::Rgba,
                Some(_) => Colors::Rgb,
            },
            by_groups: stand_for_groups(objects),
            cloud,
            groups: None,
            smoothing: None,
            has_material: false,
        }
    }

    fn statement(&mut self, keyword: &str, rest: &[u8]) {
        let mut line = keyword.as_bytes().to_vec();
        if !rest.is_empty() {
            line.push(b' ');
            line.extend_from_slice(rest);
        }
        line.push(b'\n');
        match self.parts.last_mut() {
            Some(last) => last.append(&mut line),
            None => self.parts.push(line),
        }
    }

    fn object(&mut self, object: &Object<'_>, library: &mut LibraryWriter, cx: &mut BridgeCx<'_>) -> Result<()> {
        let parts: Vec<Part<'_>> = object.mesh.primitives.iter().filter_map(|p| self.part(p, object, cx)).collect();
        if !self.by_groups {
            self.statement("o", &object.name);
        } else if let Some(names) = object.node.extras.get("obj.groups") {
            self.set_groups(Some(group_line(names)));
        }
        let rows = self.vertices(&parts, object, cx)?;
        // Without a material between them, parts of one kind would be one part.
        let mut unnamed = HashSet::new();
        for (part, corners) in parts.iter().zip(rows) {
            match object.node.material.or(part.primitive.material) {
                Some(id) => self.material(library.name(id)),
                None if self.has_material || !unnamed.insert(part.keyword()) => {
                    let name = library.made_up(&object.label, cx);
                    self.material(Some(name));
                }
                None => {}
            }
            self.elements(part, &corners, object, cx);
        }
        Ok(())
    }

    fn material(&mut self, name: Option<Vec<u8>>) {
        if let Some(name) = name {
            self.statement("usemtl", &name);
            self.has_material = true;
        }
    }

    /// A primitive that draws something.
    fn part<'a>(&self, primitive: &'a Primitive, object: &Object<'_>, cx: &mut BridgeCx<'_>) -> Option<Part<'a>> {
        let count = primitive.get(&Semantic::Position).map_or(0, Stream::len);
        let part = Part {
            primitive,
            count,
            order: match &primitive.indices {
                Some(indices) => indices.to_vec(),
                None => (0..count as u32).collect(),
            },
        };
        if part.drawn() == 0 {
            cx.lose(&LOSS_024, &object.label, 1, "part that draws nothing", "OBJ would show its vertices as points");
            return None;
        }
        Some(part)
    }

    /// Writes the vertices of an object; answers for every part which `v`, `vt` and `vn` each of its vertices is.
    fn vertices(
        &mut self,
        parts: &[Part<'_>],
        object: &Object<'_>,
        cx: &mut BridgeCx<'_>,
    ) -> Result<Vec<Vec<[u32; 3]>>> {
        let (mut v, mut vt, mut vn) = (Table::default(), Table::default(), Table::default());
        let mut all = Vec::new();
        for part in parts {
            let primitive = part.primitive;
            let positions = rows::<3>(primitive.get(&Semantic::Position), part.count, [0.; 3]).unwrap_or_default();
            let colors = rows::<4>(primitive.get(&Semantic::Color(0)), part.count, [1.; 4]);
            if colors.is_none() && self.colors != Colors::None {
                let why = "all vertices of an OBJ have colours or none";
                cx.lose(&LOSS_018, &object.label, part.count as u64, "missing colours set to white", why);
            }
            // Stored from the bottom, as OBJ has it: what came from there leaves with its own bits.
            let flipped = primitive.get(&Semantic::TexCoord(0)).map(Stream::flipped);
            let texcoords = rows::<2>(flipped.as_ref(), part.count, [0.; 2]);
            let normals = rows::<3>(primitive.get(&Semantic::Normal), part.count, [0.; 3]);
            let mut seen = HashSet::with_capacity(part.count);
            let mut corners = Vec::with_capacity(part.count);
            for i in 0..part.count {
                let [x, y, z] = positions[i];
                let [r, g, b, a] = colors.as_ref().map_or([1.; 4], |colors| colors[i]);
                let at = |row: Option<u32>| row.map_or(0, |row| row + 1);
                let t = at(texcoords.as_ref().map(|rows| vt.row(rows[i].map(f32::to_bits))));
                let n = at(normals.as_ref().map(|rows| vn.row(rows[i].map(f32::to_bits))));
                // Vertices that are equal in everything stay as many as they are.
                let mut copy = 0;
                loop {
                    let [x, y, z, r, g, b, a] = [x, y, z, r, g, b, a].map(f32::to_bits);
                    let corner = [v.row([x, y, z, r, g, b, a, copy]) + 1, t, n];
                    if seen.insert(corner) {
                        corners.push(corner);
                        break;
                    }
                    copy += 1;
                }
            }
            all.push(corners);
        }
        let tables = [v.rows.len(), vt.rows.len(), vn.rows.len()];
        if self.counts.iter().zip(tables).any(|(&before, more)| before + more >= BAD as usize) {
            let message = "an OBJ of this many vertices cannot be numbered with 32 bits";
            return Err(Error::limit(Place::file(), message));
        }
        for [v, t, n] in all.iter_mut().flatten() {
            *v += self.counts[0] as u32;
            *t += if *t > 0 { self.counts[1] as u32 } else { 0 };
            *n += if *n > 0 { self.counts[2] as u32 } else { 0 };
        }
        let colors = match self.colors {
            Colors::None => 0,
            Colors::Rgb => 3,
            Colors::Rgba => 4,
        };
        self.lines("v", &v.rows, 3 + colors);
        self.lines("vt", &vt.rows, 2);
        self.lines("vn", &vn.rows, 3);
        self.counts.iter_mut().zip(tables).for_each(|(count, more)| *count += more);
        Ok(all)
    }

    /// A line for each row: its keyword and its first numbers.
    fn lines<const N: usize>(&mut self, keyword: &str, rows: &[[u32; N]], count: usize) {
        let text = |rows: &[[u32; N]]| {
            let mut out = Vec::with_capacity(rows.len() * (count * 10 + 4));
            for row in rows {
                out.extend_from_slice(keyword.as_bytes());
                for &bits in &row[..count] {
                    out.push(b' ');
                    push_float(&mut out, f32::from_bits(bits));
                }
                out.push(b'\n');
            }
            out
        };
        self.parts.par_extend(rows.par_chunks(BATCH).map(text));
    }

    fn elements(&mut self, part: &Part<'_>, corners: &[[u32; 3]], object: &Object<'_>, cx: &mut BridgeCx<'_>) {
        let extras = &part.primitive.extras;
        let groups = changes(extras.get("obj.groups"), |entry| entry_of(entry, "names").map(group_line));
        let smoothing = changes(extras.get("obj.smoothing"), |entry| entry_of(entry, "group").and_then(Value::as_int));
        let drawn = part.drawn();
        let mut starts: Vec<usize> = groups.iter().map(|change| change.0).collect();
        starts.extend(smoothing.iter().map(|change| change.0));
        starts.push(0);
        starts.retain(|&start| start < drawn);
        starts.sort_unstable();
        starts.dedup();
        let mut left_out = part.incomplete();
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(drawn);
            if !self.by_groups {
                self.set_groups(in_force(&groups, start).filter(|names| !names.is_empty()));
            }
            self.set_smoothing(in_force(&smoothing, start));
            if self.cloud {
                continue;
            }
            left_out += self.draw(part, corners, start..end);
        }
        if left_out > 0 {
            cx.lose(&LOSS_033, &object.label, left_out, "faces, lines or points left out", "they are not whole");
        }
    }

    fn set_groups(&mut self, groups: Option<Vec<u8>>) {
        if self.groups != groups {
            self.statement("g", groups.as_deref().unwrap_or_default());
            self.groups = groups;
        }
    }

    fn set_smoothing(&mut self, smoothing: Option<i64>) {
        if self.smoothing != smoothing {
            match smoothing {
                None | Some(0) => self.statement("s", b"off"),
                Some(group) => self.statement("s", group.to_string().as_bytes()),
            }
            self.smoothing = smoothing;
        }
    }

    /// Writes some elements of a part; answers how many of them name vertices that are not there.
    fn draw(&mut self, part: &Part<'_>, corners: &[[u32; 3]], range: std::ops::Range<usize>) -> u64 {
        let keyword = part.keyword();
        let fewest = match keyword {
            "f" => 3,
            "l" => 2,
            _ => 1,
        };
        let line = |element: &[u32], out: &mut Vec<u8>| -> u64 {
            if element.len() < fewest || element.iter().any(|&index| index as usize >= corners.len()) {
                return 1;
            }
            out.extend_from_slice(keyword.as_bytes());
            for &index in element {
                out.push(b' ');
                push_corner(out, corners[index as usize]);
            }
            out.push(b'\n');
            0
        };
        let lines = |elements: &mut dyn Iterator<Item = &[u32]>| {
            let mut out = Vec::new();
            let left_out = elements.map(|element| line(element, &mut out)).sum::<u64>();
            (out, left_out)
        };
        let written: Vec<(Vec<u8>, u64)> = match part.shape() {
            Shape::Even(size) => {
                let order = &part.order[range.start * size..range.end * size];
                order.par_chunks(size * BATCH).map(|batch| lines(&mut batch.chunks_exact(size))).collect()
            }
            Shape::Points => {
                let there: Vec<u32> =
                    part.order[range].iter().copied().filter(|&i| (i as usize) < corners.len()).collect();
                there.par_chunks(POINTS_PER_LINE * BATCH).map(|b| lines(&mut b.chunks(POINTS_PER_LINE))).collect()
            }
            Shape::Polygons(sizes) => {
                let before: usize = sizes[..range.start].iter().map(|&size| size as usize).sum();
                let mut batches = Vec::new();
                let mut rest = &part.order[before..];
                for sizes in sizes[range].chunks(BATCH) {
                    let (batch, behind) = rest.split_at(sizes.iter().map(|&size| size as usize).sum());
                    batches.push((sizes, batch));
                    rest = behind;
                }
                let cut = |(sizes, batch): (&[u32], &[u32])| {
                    let mut rest = batch;
                    lines(&mut sizes.iter().map(|&size| {
                        let (element, behind) = rest.split_at(size as usize);
                        rest = behind;
                        element
                    }))
                };
                batches.into_par_iter().map(cut).collect()
            }
        };
        let left_out = written.iter().map(|(_, count)| count).sum();
        self.parts.extend(written.into_iter().map(|(text, _)| text));
        left_out
    }
}

/// Numbered rows, each once.
struct Table<const N: usize> {
    known: HashMap<[u32; N], u32>,
    rows: Vec<[u32; N]>,
}

impl<const N: usize> Default for Table<N> {
    fn default() -> Table<N> {
        Table { known: HashMap::new(), rows: Vec::new() }
    }
}

impl<const N: usize> Table<N> {
    fn row(&mut self, row: [u32; N]) -> u32 {
        *self.known.entry(row).or_insert_with(|| {
            self.rows.push(row);
            (self.rows.len() - 1) as u32
        })
    }
}

/// The rows of a stream, as many as there are vertices, each as wide as it must be.
fn rows<const N: usize>(stream: Option<&Stream>, count: usize, missing: [f32; N]) -> Option<Vec<[f32; N]>> {
    let stream = stream?;
    let wide = |row: &[f32]| std::array::from_fn(|i| row.get(i).copied().unwrap_or(missing[i]));
    let mut rows: Vec<[f32; N]> = stream.to_f32().chunks(stream.count().max(1)).map(wide).collect();
    rows.resize(count, missing);
    Some(rows)
}

/// A primitive and the order its vertices are drawn in.
struct Part<'a> {
    primitive: &'a Primitive,
    count: usize,
    order: Vec<u32>,
}

/// How many vertices each element has.
enum Shape<'a> {
    Even(usize),
    Points,
    Polygons(&'a [u32]),
}

impl Part<'_> {
    fn keyword(&self) -> &'static str {
        match self.primitive.topology {
            Topology::Points => "p",
            topology if topology.is_surface() => "f",
            _ => "l",
        }
    }

    fn shape(&self) -> Shape<'_> {
        match self.primitive.topology {
            Topology::Points => Shape::Points,
            Topology::Lines => Shape::Even(2),
            Topology::Triangles => Shape::Even(3),
            Topology::Quads => Shape::Even(4),
            Topology::Polygons => Shape::Polygons(self.whole()),
            // One line, or one polygon.
            _ => Shape::Even(self.order.len().max(2)),
        }
    }

    /// The sizes of the polygons whose corners are all there.
    fn whole(&self) -> &[u32] {
        let mut left = self.order.len();
        let sizes = &self.primitive.corners;
        let first_cut = sizes.iter().position(|&size| {
            let behind = left.checked_sub(size as usize);
            left = behind.unwrap_or(0);
            behind.is_none()
        });
        &sizes[..first_cut.unwrap_or(sizes.len())]
    }

    /// How many elements it has.
    fn drawn(&self) -> usize {
        match self.shape() {
            Shape::Even(size) => self.order.len() / size,
            Shape::Points => self.order.len(),
            Shape::Polygons(sizes) => sizes.len(),
        }
    }

    /// How many elements lack corners.
    fn incomplete(&self) -> u64 {
        match self.shape() {
            Shape::Even(size) => u64::from(!self.order.len().is_multiple_of(size)),
            Shape::Points => self.order.iter().filter(|&&index| index as usize >= self.count).count() as u64,
            Shape::Polygons(sizes) => (self.primitive.corners.len() - sizes.len()) as u64,
        }
    }
}

/// `v`, `v/vt`, `v//vn` or `v/vt/vn`.
#[inline]
fn push_corner(out: &mut Vec<u8>, [v, vt, vn]: [u32; 3]) {
    push_int(out, v);
    if vt > 0 || vn > 0 {
        out.push(b'/');
    }
    if vt > 0 {
        push_int(out, vt);
    }
    if vn > 0 {
        out.push(b'/');
        push_int(out, vn);
    }
}

/// Whether every object is what the groups of its name are: then `g` says it, and no `o` is needed.
fn stand_for_groups(objects: &[Object<'_>]) -> bool {
    let mut seen = HashSet::new();
    let named = |(i, object): (usize, &Object<'_>)| match object.node.extras.get("obj.groups") {
        Some(names) => group_line(names) == object.name && seen.insert(object.name.clone()),
        None => i == 0 && object.name == DEFAULT.as_bytes(),
    };
    let any = objects.iter().any(|object| object.node.extras.get("obj.groups").is_some());
    any && objects.iter().enumerate().all(named)
}

/// The names of groups, with blanks between them and none in them.
fn group_line(names: &Value) -> Vec<u8> {
    let Value::List(names) = names else { return Vec::new() };
    let word = |value: &Value| {
        let name = one_line(value.as_text()?.bytes());
        Some(name.iter().map(|&byte| if byte == b' ' { b'_' } else { byte }).collect())
    };
    let words: Vec<Vec<u8>> = names.iter().filter_map(word).collect();
    words.join(&b' ')
}

fn entry_of<'a>(entry: &'a [(String, Value)], key: &str) -> Option<&'a Value> {
    entry.iter().find(|(own, _)| own == key).map(|(_, value)| value)
}

/// What `obj.groups` and `obj.smoothing` say: from which element on what is in force.
fn changes<T>(list: Option<&Value>, what: impl Fn(&[(String, Value)]) -> Option<T>) -> Vec<(usize, T)> {
    let Some(Value::List(list)) = list else { return Vec::new() };
    let change = |entry: &Value| {
        let Value::Map(entry) = entry else { return None };
        let from = entry_of(entry, "from").and_then(Value::as_int)?;
        Some((usize::try_from(from).ok()?, what(entry)?))
    };
    list.iter().filter_map(change).collect()
}

fn in_force<T: Clone>(changes: &[(usize, T)], at: usize) -> Option<T> {
    changes.iter().rev().find(|(from, _)| *from <= at).map(|(_, what)| what.clone())
}
