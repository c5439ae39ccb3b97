//! Which bones move a vertex and how much: per vertex all indices, then all weights.

use wire::{Blob, Count, Counted, F32, Fault, Fixed, Layout, Reader, Shape, Value, Writer, record};

/// The weights of all vertices, as they lie in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    bytes: Blob,
    per_vertex: usize,
}

impl Weights {
    /// Weights of vertices that have `per_vertex` bones each; vertices that would not be whole are left out.
    pub fn new(per_vertex: usize, bytes: Blob) -> Weights {
        let row = per_vertex.saturating_mul(8).max(1);
        let whole = bytes.len() - bytes.len() % row;
        Weights { bytes: bytes.slice(..whole), per_vertex }
    }

    /// How many bones move a vertex.
    pub fn per_vertex(&self) -> usize {
        self.per_vertex
    }

    /// The bytes.
    pub fn bytes(&self) -> &Blob {
        &self.bytes
    }

    /// Calls `each` with every vertex: its number, bones and weights.
    pub fn each(&self, mut each: impl FnMut(usize, &[i32], &[f32])) {
        let Some(row) = self.per_vertex.checked_mul(8).filter(|row| *row > 0) else { return };
        let (mut indices, mut weights) = (Vec::new(), Vec::new());
        for (vertex, row) in self.bytes.chunks_exact(row).enumerate() {
            let words = row.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
            indices.clear();
            weights.clear();
            indices.extend(words.clone().take(self.per_vertex).map(i32::from_le_bytes));
            weights.extend(words.skip(self.per_vertex).map(f32::from_le_bytes));
            each(vertex, &indices, &weights);
        }
    }
}

macro_rules! rows {
    ($($Name:ident $n:literal;)*) => {
        $(record! {
            /// The bones of a vertex and how much each moves it.
            struct $Name {
                /// Positions in the list of bones.
                bone_indices: [i32; $n],
                /// Their sum is 1.
                bone_weights: [F32; $n],
            }
        })*

        fn row(per_vertex: usize) -> Option<&'static Shape> {
            match per_vertex {
                $($n => Some(<$Name as Fixed>::SHAPE),)*
                _ => None,
            }
        }
    };
}
rows! {
    VertexWeights1 1;
    VertexWeights2 2;
    VertexWeights3 3;
    VertexWeights4 4;
    VertexWeights5 5;
    VertexWeights6 6;
    VertexWeights7 7;
    VertexWeights8 8;
}

impl Layout<(Count<i32>, Count<i32>)> for Weights {
    const MIN_SIZE: usize = 0;
    fn read(r: &mut Reader<'_>, (vertices, per_vertex): (Count<i32>, Count<i32>)) -> Result<Weights, Fault> {
        let bytes = r.take_many(per_vertex.times(vertices.count()), 8)?;
        match row(per_vertex.count()) {
            Some(row) => r.note_array(&bytes, row, vertices.count()),
            None => r.note("weights", || Value::Bytes(bytes.clone())),
        }
        Ok(Weights { bytes, per_vertex: per_vertex.count() })
    }
    fn write(&self, w: &mut Writer<'_>, (vertices, per_vertex): (Count<i32>, Count<i32>)) -> Result<(), Fault> {
        w.counted(self.bytes.len() / 8, per_vertex.times(vertices.count()).count(), "num_vertices")?;
        w.blob(&self.bytes);
        Ok(())
    }
}
