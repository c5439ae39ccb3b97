//! Streams → accessors: shared where they already are what glTF stores, else converted in one pass.

use std::collections::HashMap;

use rayon::prelude::*;
use scene::{Component, Semantic, Stream};
use serde_json::json;
use wire::{Blob, Order};

use super::Output;
use crate::gltf::schema::{Accessor, Real, gl};

/// What a stream is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// 32-bit floats, so many per element.
    Floats(usize),
    /// Whole numbers as the source has them.
    Native,
    /// Joints: bytes or shorts, whichever holds them.
    Joints,
}

/// Where a stream lies, how it is read, and what it is written as: two that agree in it share an accessor.
type Key = (usize, usize, String, Form);

/// Streams that have an accessor already, and accessors of nothing but zeros by their length.
#[derive(Default)]
pub(super) struct Known {
    /// With the stream, so that the address of its bytes stays theirs.
    accessors: HashMap<Key, (usize, Stream)>,
    /// Orders of vertices, and the accessors they became.
    orders: Vec<(usize, Stream)>,
    zeros: HashMap<(u32, usize, usize), usize>,
    /// Floats that no vertex has, by type, bytes and whether they have bounds.
    numbers: HashMap<(&'static str, bool, Vec<u8>), usize>,
    /// Elements of sparse accessors.
    unstored: u64,
}

/// What glTF makes of a stream of this meaning, or nothing if it has no such type.
fn form(semantic: &Semantic, stream: &Stream) -> Option<Form> {
    let encoding = stream.encoding();
    let small = matches!(encoding.component, Component::U8 | Component::U16);
    let fits = |widths: &[usize]| widths.contains(&stream.count()) && !encoding.flip_v;
    Some(match semantic {
        Semantic::Position | Semantic::Normal => Form::Floats(3),
        Semantic::TexCoord(_) if small && encoding.normalised && fits(&[2]) => Form::Native,
        Semantic::TexCoord(_) => Form::Floats(2),
        Semantic::Color(_) if small && encoding.normalised && fits(&[3, 4]) => Form::Native,
        Semantic::Color(_) => Form::Floats(stream.count().clamp(3, 4)),
        Semantic::Tangent => Form::Floats(4),
        Semantic::Joints(_) if small && !encoding.normalised && fits(&[4]) => Form::Native,
        Semantic::Joints(_) => Form::Joints,
        Semantic::Weights(_) if small && encoding.normalised && fits(&[4]) => Form::Native,
        Semantic::Weights(_) => Form::Floats(4),
        Semantic::Custom(_) if !(1..=4).contains(&stream.count()) => return None,
        Semantic::Custom(_) => match encoding.component {
            Component::I8 | Component::U8 | Component::I16 | Component::U16 if !encoding.flip_v => Form::Native,
            _ => Form::Floats(stream.count()),
        },
    })
}

/// The accessor of a vertex attribute; nothing if glTF has no type for it.
pub(super) fn attribute(out: &mut Output<'_, '_, '_>, semantic: &Semantic, stream: &Stream) -> Option<usize> {
    let form = form(semantic, stream)?;
    let key = (stream.data().as_ptr().addr(), stream.len(), format!("{:?}", stream.encoding()), form);
    // Only positions have bounds, which are part of the accessor.
    let bounded = *semantic == Semantic::Position;
    let fits = |i: usize| !bounded || out.root.accessors[i].min.is_some();
    if let Some((same, _)) = out.streams.accessors.get(&key).filter(|(i, _)| fits(*i)) {
        return Some(*same);
    }
    let written = match form {
        Form::Floats(width) => Written::floats(stream, width, fill(semantic)),
        Form::Native => Written::native(stream),
        Form::Joints => Written::joints(stream),
    };
    let (min, max) = if bounded { bounds(&written.bytes, 3) } else { (None, None) };
    let view = out.buffers.add(written.bytes, Some(gl::ARRAY_BUFFER), written.stride);
    let accessor = Accessor {
        buffer_view: Some(view),
        component_type: written.component,
        normalized: written.normalised.then_some(true),
        count: stream.len(),
        kind: kind(written.width).to_owned(),
        min,
        max,
        ..Accessor::default()
    };
    let index = add(out, accessor);
    out.streams.accessors.insert(key, (index, stream.clone()));
    Some(index)
}

impl Known {
    /// Streams of the scene and the accessors they became, in the order of those.
    pub(super) fn written(&self) -> Vec<(usize, Stream)> {
        let mut all: Vec<(usize, Stream)> = self.accessors.values().chain(&self.orders).cloned().collect();
        all.sort_by_key(|(accessor, _)| *accessor);
        all
    }
}

/// The accessor of indices: 16 bits while the largest is below 65535, which would restart the primitive. `stream` is
/// what they are in the scene, if it has them.
pub(super) fn indices(out: &mut Output<'_, '_, '_>, indices: &[u32], stream: Option<&Stream>) -> usize {
    let largest = indices.iter().copied().max().unwrap_or(0);
    let (component_type, bytes): (u32, Vec<u8>) = if largest < u32::from(u16::MAX) {
        (gl::UNSIGNED_SHORT, indices.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect())
    } else {
        (gl::UNSIGNED_INT, indices.iter().flat_map(|&i| i.to_le_bytes()).collect())
    };
    let buffer_view = Some(out.buffers.add(Blob::memory(bytes), Some(gl::ELEMENT_ARRAY_BUFFER), None));
    let (count, kind) = (indices.len(), kind(1).to_owned());
    let accessor = add(out, Accessor { buffer_view, component_type, count, kind, ..Accessor::default() });
    out.streams.orders.extend(stream.map(|stream| (accessor, stream.clone())));
    accessor
}

/// An accessor of zeros: glTF needs no bytes for it.
pub(super) fn zeros(out: &mut Output<'_, '_, '_>, width: usize, count: usize, bounded: bool) -> usize {
    zeros_of(out, gl::FLOAT, width, count, bounded)
}

/// Joints of vertices that none moves.
pub(super) fn no_joints(out: &mut Output<'_, '_, '_>, count: usize) -> usize {
    zeros_of(out, gl::UNSIGNED_BYTE, 4, count, false)
}

fn zeros_of(out: &mut Output<'_, '_, '_>, component_type: u32, width: usize, count: usize, bounded: bool) -> usize {
    let key = (component_type, width, count);
    if let Some(&same) = out.streams.zeros.get(&key) {
        return same;
    }
    let zero = bounded.then(|| vec![Real(0.); width]);
    let accessor = Accessor {
        component_type,
        count,
        kind: kind(width).to_owned(),
        min: zero.clone(),
        max: zero,
        ..Accessor::default()
    };
    let index = add(out, accessor);
    out.streams.zeros.insert(key, index);
    index
}

/// The accessor of floats that belong to no vertex: matrices, keys, placements. Equal ones are one.
pub(super) fn numbers(
    out: &mut Output<'_, '_, '_>,
    kind: &'static str,
    width: usize,
    values: Vec<f32>,
    bounded: bool,
) -> usize {
    let count = values.len() / width;
    let bytes: Vec<u8> = values.into_iter().flat_map(f32::to_le_bytes).collect();
    let key = (kind, bounded, bytes);
    if let Some(&same) = out.streams.numbers.get(&key) {
        return same;
    }
    let (min, max) = if bounded { bounds(&key.2, width) } else { (None, None) };
    let buffer_view = Some(out.buffers.add(Blob::memory(key.2.clone()), None, None));
    let (component_type, kind) = (gl::FLOAT, kind.to_owned());
    let index = add(out, Accessor { buffer_view, component_type, count, kind, min, max, ..Accessor::default() });
    out.streams.numbers.insert(key, index);
    index
}

/// The accessor of weights of morph targets: where each key shows one of very many, those that are not zero alone.
pub(super) fn weights(out: &mut Output<'_, '_, '_>, values: Vec<f32>) -> usize {
    /// Below so many numbers, zeros take little room.
    const MANY: usize = 1 << 12;
    /// A number with its position takes twice the room of one alone; it must be worth it.
    const RARE: usize = 16;
    let count = values.len();
    let shown = || (0_u32..).zip(&values).filter(|(_, value)| value.to_bits() != 0);
    let rare = shown().take(count / RARE + 1).count();
    // A reader takes only so many elements that no bytes stand for; some are zeros that glTF demands.
    let room = out.cx.limits.max_elements / 4 * 3;
    let made = out.streams.unstored.saturating_add(count as u64);
    if count < MANY || rare == 0 || rare > count / RARE || made > room {
        return numbers(out, "SCALAR", 1, values, false);
    }
    let places: Vec<u8> = shown().flat_map(|(place, _)| place.to_le_bytes()).collect();
    let numbers: Vec<u8> = shown().flat_map(|(_, value)| value.to_le_bytes()).collect();
    let key = ("sparse", false, [&count.to_le_bytes()[..], &places, &numbers].concat());
    if let Some(&same) = out.streams.numbers.get(&key) {
        return same;
    }
    out.streams.unstored = made;
    let [places, numbers] = [places, numbers].map(|bytes| out.buffers.add(Blob::memory(bytes), None, None));
    let sparse = json!({
        "count": rare,
        "indices": { "bufferView": places, "componentType": gl::UNSIGNED_INT },
        "values": { "bufferView": numbers },
    });
    let (component_type, kind) = (gl::FLOAT, kind(1).to_owned());
    let index = add(out, Accessor { component_type, count, kind, sparse: Some(sparse), ..Accessor::default() });
    out.streams.numbers.insert(key, index);
    index
}

/// The accessor of truth values.
pub(super) fn flags(out: &mut Output<'_, '_, '_>, values: &[f32]) -> usize {
    let bytes: Vec<u8> = values.iter().map(|v| u8::from(*v != 0.)).collect();
    let (component_type, count, kind) = (gl::UNSIGNED_BYTE, bytes.len(), kind(1).to_owned());
    let buffer_view = Some(out.buffers.add(Blob::memory(bytes), None, None));
    add(out, Accessor { buffer_view, component_type, count, kind, ..Accessor::default() })
}

fn add(out: &mut Output<'_, '_, '_>, accessor: Accessor) -> usize {
    out.root.accessors.push(accessor);
    out.root.accessors.len() - 1
}

pub(super) fn kind(width: usize) -> &'static str {
    ["SCALAR", "VEC2", "VEC3", "VEC4"][width.clamp(1, 4) - 1]
}

/// What stands where a stream has too few numbers: a tangent without sign keeps U and V as they are, a colour is whole.
fn fill(semantic: &Semantic) -> f32 {
    if matches!(semantic, Semantic::Tangent | Semantic::Color(_)) { 1. } else { 0. }
}

/// A stream as glTF stores it.
struct Written {
    bytes: Blob,
    component: u32,
    width: usize,
    normalised: bool,
    stride: Option<usize>,
}

impl Written {
    fn floats(stream: &Stream, width: usize, fill: f32) -> Written {
        let stored = stream.count();
        let bytes = if stored == width && stream.is_packed(Component::F32, Order::Little) {
            stream.data().slice(..stream.len() * width * 4)
        } else if stored == width {
            little_endian(stream.to_f32())
        } else {
            let rows = stream.to_f32();
            let row = |row: &[f32]| (0..width).map(|k| row.get(k).copied().unwrap_or(fill)).collect::<Vec<_>>();
            little_endian(rows.chunks(stored.max(1)).flat_map(row).collect())
        };
        Written { bytes, component: gl::FLOAT, width, normalised: false, stride: None }
    }

    fn joints(stream: &Stream) -> Written {
        let stored = stream.count().max(1);
        let numbers = stream.to_u32();
        let rows = || numbers.chunks_exact(stored).flat_map(|row| (0..4).map(|k| row.get(k).copied().unwrap_or(0)));
        let (component, bytes): (u32, Vec<u8>) = if numbers.iter().all(|&joint| joint <= u8::MAX.into()) {
            (gl::UNSIGNED_BYTE, rows().map(|joint| joint as u8).collect())
        } else {
            (gl::UNSIGNED_SHORT, rows().flat_map(|joint| (joint as u16).to_le_bytes()).collect())
        };
        Written { bytes: Blob::memory(bytes), component, width: 4, normalised: false, stride: None }
    }

    fn native(stream: &Stream) -> Written {
        let encoding = stream.encoding();
        let component = match encoding.component {
            Component::I8 => gl::BYTE,
            Component::U8 => gl::UNSIGNED_BYTE,
            Component::I16 => gl::SHORT,
            _ => gl::UNSIGNED_SHORT,
        };
        // glTF wants every vertex at a multiple of four bytes.
        let size = encoding.element_size();
        let stride = size.next_multiple_of(4);
        let swap = encoding.order == Order::Big && encoding.component.size() == 2;
        let bytes = if encoding.stride == stride && size == stride && !swap {
            stream.data().slice(..stream.len() * stride)
        } else {
            let mut rows = vec![0; stream.len() * stride];
            for (i, row) in rows.chunks_mut(stride).enumerate() {
                row[..size].copy_from_slice(&stream.data()[i * encoding.stride..][..size]);
                if swap {
                    row[..size].chunks_mut(2).for_each(<[u8]>::reverse);
                }
            }
            Blob::memory(rows)
        };
        let stride = (size != stride).then_some(stride);
        Written { bytes, component, width: stream.count(), normalised: encoding.normalised, stride }
    }
}

/// Floats made in memory as shared bytes; nothing is copied where memory is little-endian too.
fn little_endian(values: Vec<f32>) -> Blob {
    let stream = Stream::from_f32(1, values);
    if stream.is_packed(Component::F32, Order::Little) {
        return stream.data().clone();
    }
    Blob::memory(stream.to_f32().into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>())
}

/// Smallest and largest of each number of packed elements, as glTF wants them: of the very floats that are written.
fn bounds(bytes: &[u8], width: usize) -> (Option<Vec<Real>>, Option<Vec<Real>>) {
    /// Elements one thread handles at a time.
    const BATCH: usize = 1 << 16;
    let none = || (vec![f32::INFINITY; width], vec![f32::NEG_INFINITY; width]);
    let widen = |(mut low, mut high): (Vec<f32>, Vec<f32>), row: &[u8]| {
        for (k, number) in row.as_chunks::<4>().0.iter().enumerate() {
            let value = f32::from_le_bytes(*number);
            (low[k], high[k]) = (low[k].min(value), high[k].max(value));
        }
        (low, high)
    };
    let join = |a: (Vec<f32>, Vec<f32>), b: (Vec<f32>, Vec<f32>)| {
        let low = a.0.iter().zip(&b.0).map(|(a, b)| a.min(*b)).collect();
        (low, a.1.iter().zip(&b.1).map(|(a, b)| a.max(*b)).collect())
    };
    let rows = bytes.par_chunks(BATCH * width * 4);
    let (low, high) = rows.map(|batch| batch.chunks_exact(width * 4).fold(none(), widen)).reduce(none, join);
    let real = |values: Vec<f32>| Some(values.into_iter().map(Real::from).collect());
    (real(low), real(high))
}
