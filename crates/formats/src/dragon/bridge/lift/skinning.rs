//! Bones of vertices: any number of them per layer, in the scene in sets of at most four.

use scene::{Attribute, Encoding, Semantic, Stream};

use super::attributes::Found;
use crate::dragon::layout::words::Semantic as Meaning;

/// Numbers per set.
const SET: usize = 4;

/// Which sets each layer of bones becomes.
pub(super) struct Influences {
    /// Layer, its first set, and its numbers per vertex.
    layers: Vec<(u32, u8, usize)>,
    /// How many vertices there are.
    vertices: usize,
}

impl Influences {
    pub(super) fn of(found: &[Found]) -> Influences {
        let bones = found.iter().filter(|f| f.attribute.semantic == Meaning::BLENDINDICES);
        let mut layers: Vec<(u32, usize)> = bones.map(|f| (f.attribute.layer, f.stream.count())).collect();
        layers.sort_unstable();
        let mut next = 0_usize;
        let mut placed = Vec::with_capacity(layers.len());
        for (layer, count) in layers {
            let end = next + count.div_ceil(SET);
            if let (Ok(first), true) = (u8::try_from(next), end <= usize::from(u8::MAX)) {
                placed.push((layer, first, count));
                next = end;
            }
        }
        Influences { layers: placed, vertices: found.first().map_or(0, |f| f.stream.len()) }
    }

    pub(super) fn has(&self, layer: u32) -> bool {
        self.layer(layer).is_some()
    }

    fn layer(&self, layer: u32) -> Option<(u8, usize)> {
        self.layers.iter().find(|(own, ..)| *own == layer).map(|(_, first, count)| (*first, *count))
    }

    pub(super) fn joints(&self, layer: u32, stream: &Stream, out: &mut Vec<Attribute>) {
        let Some((first, _)) = self.layer(layer) else { return };
        split(stream, first, Semantic::Joints, out);
    }

    /// The weights of a layer: as stored, or completed to as many as there are bones.
    pub(super) fn weights(&self, layer: u32, stored: Option<&Stream>, out: &mut Vec<Attribute>) {
        let Some((first, count)) = self.layer(layer) else { return };
        match stored {
            Some(stream) if stream.count() == count => split(stream, first, Semantic::Weights, out),
            _ => split(&self.completed(stored, count), first, Semantic::Weights, out),
        }
    }

    /// One weight fewer than bones: the last is what is left to 1. No weights: the first bone alone counts.
    fn completed(&self, stored: Option<&Stream>, count: usize) -> Stream {
        let width = stored.map_or(0, Stream::count);
        let values = stored.map(Stream::to_f32).unwrap_or_default();
        let mut out = vec![0.; self.vertices * count];
        for (i, row) in out.chunks_exact_mut(count.max(1)).enumerate() {
            let known = values.get(i * width..(i + 1) * width).unwrap_or(&[]);
            let both = known.len().min(row.len());
            row[..both].copy_from_slice(&known[..both]);
            if known.len() + 1 == row.len() {
                row[both] = 1. - known.iter().sum::<f32>();
            } else if known.is_empty() {
                row[0] = 1.;
            }
        }
        Stream::from_f32(count as u8, out)
    }
}

/// Parts of four numbers, each a view of the same rows.
fn split(stream: &Stream, first: u8, semantic: fn(u8) -> Semantic, out: &mut Vec<Attribute>) {
    let encoding = *stream.encoding();
    for (set, start) in (0..stream.count()).step_by(SET).enumerate() {
        let count = (stream.count() - start).min(SET) as u8;
        let skipped = if stream.is_empty() { 0 } else { start * encoding.component.size() };
        let part = Stream::new(stream.data().slice(skipped..), stream.len(), Encoding { count, ..encoding });
        out.push(Attribute { semantic: semantic(first + set as u8), stream: part });
    }
}

/// The sign of (n × t) · b.
pub(super) fn handedness(n: [f32; 3], t: [f32; 3], b: [f32; 3]) -> f32 {
    let vector = |v: [f32; 3]| glam::DVec3::from_array(v.map(f64::from));
    if vector(n).cross(vector(t)).dot(vector(b)) < 0. { -1. } else { 1. }
}
