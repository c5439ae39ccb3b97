//! What a primitive draws, and rows that are written once.

use std::collections::HashMap;

use scene::{Primitive, Stream, Topology};

/// A primitive and the order its vertices are drawn in.
pub(super) struct Part<'a> {
    pub(super) primitive: &'a Primitive,
    pub(super) count: usize,
    pub(super) order: Vec<u32>,
}

/// How many vertices each element has.
pub(super) enum Sizes<'a> {
    Even(usize),
    Points,
    Polygons(&'a [u32]),
}

impl Part<'_> {
    pub(super) fn keyword(&self) -> &'static str {
        match self.primitive.topology {
            Topology::Points => "p",
            topology if topology.is_surface() => "f",
            _ => "l",
        }
    }

    pub(super) fn sizes(&self) -> Sizes<'_> {
        match self.primitive.topology {
            Topology::Points => Sizes::Points,
            Topology::Lines => Sizes::Even(2),
            Topology::Triangles => Sizes::Even(3),
            Topology::Quads => Sizes::Even(4),
            Topology::Polygons => Sizes::Polygons(self.whole()),
            // One line, or one polygon.
            _ => Sizes::Even(self.order.len().max(2)),
        }
    }

    /// The sizes of the polygons whose corners are all there.
    pub(super) fn whole(&self) -> &[u32] {
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
    pub(super) fn drawn(&self) -> usize {
        match self.sizes() {
            Sizes::Even(size) => self.order.len() / size,
            Sizes::Points => self.order.len(),
            Sizes::Polygons(sizes) => sizes.len(),
        }
    }

    /// How many elements lack corners.
    pub(super) fn incomplete(&self) -> u64 {
        match self.sizes() {
            Sizes::Even(size) => u64::from(!self.order.len().is_multiple_of(size)),
            Sizes::Points => self.order.iter().filter(|&&index| index as usize >= self.count).count() as u64,
            Sizes::Polygons(sizes) => (self.primitive.corners.len() - sizes.len()) as u64,
        }
    }
}

/// Numbered rows, each once.
pub(super) struct Table<const N: usize> {
    known: HashMap<[u32; N], u32>,
    pub(super) rows: Vec<[u32; N]>,
}

impl<const N: usize> Default for Table<N> {
    fn default() -> Table<N> {
        Table { known: HashMap::new(), rows: Vec::new() }
    }
}

impl<const N: usize> Table<N> {
    pub(super) fn row(&mut self, row: [u32; N]) -> u32 {
        *self.known.entry(row).or_insert_with(|| {
            self.rows.push(row);
            (self.rows.len() - 1) as u32
        })
    }
}

/// The rows of a stream, as many as there are vertices, each as wide as it must be.
pub(super) fn rows<const N: usize>(stream: Option<&Stream>, count: usize, missing: [f32; N]) -> Option<Vec<[f32; N]>> {
    let stream = stream?;
    let wide = |row: &[f32]| std::array::from_fn(|i| row.get(i).copied().unwrap_or(missing[i]));
    let mut rows: Vec<[f32; N]> = stream.to_f32().chunks(stream.count().max(1)).map(wide).collect();
    rows.resize(count, missing);
    Some(rows)
}
