//! The lines, numbers and faces of them by all threads.

use std::collections::HashSet;

use findings::{Error, Place, Result};
use rayon::prelude::*;
use scene::loss::*;
use scene::{Mesh, Primitive, Semantic, Stream, Topology, Value};

use super::super::keys::{GROUPS, SMOOTHING};
use super::Object;
use super::groups::{changes, entry_of, group_line, in_force, stand_for_groups};
use super::part::{Part, Sizes, Table, rows};
use crate::LowerCx;
use crate::decimal::{push_float, push_int};
use crate::obj::layout::BAD;
use crate::obj::mtl::LibraryWriter;

/// Rows of text that one thread writes at a time.
const BATCH: usize = 1 << 14;

/// Points on one line.
const POINTS_PER_LINE: usize = 32;

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
pub(super) struct Text {
    pub(super) parts: Vec<Vec<u8>>,
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
    pub(super) fn new(objects: &[Object<'_>]) -> Text {
        let primitives = || objects.iter().flat_map(|object| &object.mesh.primitives);
        let colors = || primitives().filter_map(|primitive| primitive.get(&Semantic::Color(0)));
        let has_alpha = |stream: &Stream| {
            stream.count() > 3 && stream.count_elements(|row| row.get(3).is_some_and(|&a| a != 1.)) > 0
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

    pub(super) fn object(
        &mut self,
        object: &Object<'_>,
        library: &mut LibraryWriter,
        cx: &mut LowerCx<'_>,
    ) -> Result<()> {
        let parts: Vec<Part<'_>> = object.mesh.primitives.iter().filter_map(|p| self.part(p, object, cx)).collect();
        if !self.by_groups {
            self.statement("o", &object.name);
        } else if let Some(names) = GROUPS.get(&object.node.extras) {
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
    fn part<'a>(&self, primitive: &'a Primitive, object: &Object<'_>, cx: &mut LowerCx<'_>) -> Option<Part<'a>> {
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
        cx: &mut LowerCx<'_>,
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

    fn elements(&mut self, part: &Part<'_>, corners: &[[u32; 3]], object: &Object<'_>, cx: &mut LowerCx<'_>) {
        let extras = &part.primitive.extras;
        let groups = changes(GROUPS.get(extras), |entry| entry_of(entry, "names").map(group_line));
        let smoothing = changes(SMOOTHING.get(extras), |entry| entry_of(entry, "group").and_then(Value::as_int));
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
        let written: Vec<(Vec<u8>, u64)> = match part.sizes() {
            Sizes::Even(size) => {
                let order = &part.order[range.start * size..range.end * size];
                order.par_chunks(size * BATCH).map(|batch| lines(&mut batch.chunks_exact(size))).collect()
            }
            Sizes::Points => {
                let there: Vec<u32> =
                    part.order[range].iter().copied().filter(|&i| (i as usize) < corners.len()).collect();
                there.par_chunks(POINTS_PER_LINE * BATCH).map(|b| lines(&mut b.chunks(POINTS_PER_LINE))).collect()
            }
            Sizes::Polygons(sizes) => {
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
