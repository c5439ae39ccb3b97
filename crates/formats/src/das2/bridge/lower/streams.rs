//! Streams of a scene as das2 stores them.

use std::collections::HashMap;

use scene::{Component, Encoding, Stream};
use wire::{Blob, Order};

use super::super::super::attributes::Attribute;

/// Address, elements, how they are encoded, and what they become.
type Packing = (usize, usize, (usize, u8, Component, bool), Attribute);

/// Encodes streams, each once.
#[derive(Default)]
pub(super) struct Packer {
    /// What was converted, which keeps its address taken, and what it became.
    cache: HashMap<Packing, (Blob, Blob)>,
}

impl Packer {
    /// A stream as the file has it: shared if it lies so, encoded once otherwise, zero where it ends too early.
    pub(super) fn packed(&mut self, stream: &Stream, attribute: Attribute, count: usize) -> Blob {
        let (component, width, absent) = match attribute {
            Attribute::Index => (Component::U32, 1, 0.),
            Attribute::JointIndices(_) => (Component::U16, 4, 0.),
            Attribute::Position | Attribute::Normal => (Component::F32, 3, 0.),
            Attribute::Uv(_) => (Component::F32, 2, 0.),
            // Colours without alpha are opaque.
            Attribute::Color => (Component::F32, 4, 1.),
            Attribute::JointWeights(_) => (Component::F32, 4, 0.),
        };
        let fits = stream.is_packed(component, Order::Little) && stream.count() == width && stream.len() == count;
        if fits && let Some(data) = stream.data().get(0, count * attribute.size()) {
            return data;
        }
        let Encoding { flip_v, stride, count: stored, component: from, .. } = *stream.encoding();
        let key = (stream.data().as_ptr().addr(), count, (stride, stored, from, flip_v), attribute);
        if let Some((_, known)) = self.cache.get(&key) {
            return known.clone();
        }
        let data = Blob::memory(match component {
            Component::F32 => encode(&stream.to_f32(), stream.count(), width, count, absent, f32::to_le_bytes),
            Component::U16 => {
                let narrow = |n: u32| u16::try_from(n).unwrap_or(u16::MAX).to_le_bytes();
                encode(&stream.to_u32(), stream.count(), width, count, 0, narrow)
            }
            _ => encode(&stream.to_u32(), stream.count(), width, count, 0, u32::to_le_bytes),
        });
        self.cache.insert(key, (stream.data().clone(), data.clone()));
        data
    }
}

fn encode<V: Copy, const N: usize>(
    values: &[V],
    stored: usize,
    width: usize,
    count: usize,
    absent: V,
    bytes: impl Fn(V) -> [u8; N],
) -> Vec<u8> {
    let mut out = Vec::with_capacity(count * width * N);
    let stored = stored.max(1);
    for i in 0..count {
        for k in 0..width {
            let value = if k < stored { values.get(i * stored + k) } else { None };
            out.extend_from_slice(&bytes(*value.unwrap_or(&absent)));
        }
    }
    out
}
