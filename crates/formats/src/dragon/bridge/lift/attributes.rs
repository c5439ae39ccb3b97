//! Vertex buffers: every attribute as a stream that shares the file's bytes.

use std::collections::BTreeMap;

use findings::Subject;
use scene::loss::*;
use scene::{Attribute, Component, Encoding, Semantic, Stream};

use super::super::semantics;
use super::skinning::{self, Influences};
use crate::LiftCx;
use crate::dragon::layout::body::{self, Vertex};
use crate::dragon::layout::words::Semantic as Meaning;

/// Names of SAMPLE attributes, by layer.
pub(super) type Samples = BTreeMap<u32, String>;

/// An attribute and its numbers.
pub(super) struct Found {
    pub(super) attribute: body::Attribute,
    pub(super) stream: Stream,
}

/// The attributes that can be read, each meaning and layer once.
pub(super) fn found(vertex: &Vertex, label: &Subject, cx: &mut LiftCx<'_>) -> Vec<Found> {
    let mut out: Vec<Found> = Vec::new();
    for (start, attribute) in vertex.placed() {
        let same = |f: &&Found| f.attribute.semantic == attribute.semantic && f.attribute.layer == attribute.layer;
        let why = match vertex.stream_at(start, &attribute) {
            Some(stream) if !out.iter().any(|f| same(&f)) => {
                out.push(Found { attribute, stream });
                continue;
            }
            Some(_) => "the same is there already",
            None => "its numbers cannot be read",
        };
        let what = semantics::custom(attribute.semantic, attribute.layer);
        cx.lose(&LOSS_017, label, 1, format!("attribute {}", &what[1..]), why);
    }
    out
}

/// The streams of a vertex buffer, in its order.
pub(super) fn streams(vertex: &Vertex, samples: &Samples, label: &Subject, cx: &mut LiftCx<'_>) -> Vec<Attribute> {
    let found = found(vertex, label, cx);
    let influences = Influences::of(&found);
    let mut out = Vec::with_capacity(found.len());
    for one in &found {
        let layer = one.attribute.layer;
        let mut add = |semantic: Semantic, stream: Stream| out.push(Attribute { semantic, stream });
        let position = |meaning: Meaning| position(&found, meaning, layer);
        let stream = &one.stream;
        match one.attribute.semantic {
            Meaning::POSITION if layer == 0 => add(Semantic::Position, three(stream)),
            Meaning::NORMAL if layer == 0 => add(Semantic::Normal, three(stream)),
            Meaning::TANGENT if layer == 0 && stream.count() >= 3 => add(Semantic::Tangent, tangent(stream, &found)),
            Meaning::TEXCOORD if position(Meaning::TEXCOORD).is_some() => {
                if stream.count() > 2 {
                    let what = format!("numbers of TEXCOORD {layer} behind the second");
                    cx.lose(&LOSS_017, label, 1, &what, "texture coordinates are two numbers");
                }
                add(Semantic::TexCoord(position(Meaning::TEXCOORD).unwrap_or(0)), exactly(stream, 2, 2));
            }
            Meaning::COLOR if position(Meaning::COLOR).is_some() => {
                add(Semantic::Color(position(Meaning::COLOR).unwrap_or(0)), color(&exactly(stream, 3, 4)));
            }
            Meaning::BLENDINDICES if influences.has(layer) => {
                influences.joints(layer, stream, &mut out);
                if !found.iter().any(|f| f.attribute.semantic == Meaning::BLENDWEIGHT && f.attribute.layer == layer) {
                    influences.weights(layer, None, &mut out);
                }
            }
            Meaning::BLENDWEIGHT if influences.has(layer) => influences.weights(layer, Some(stream), &mut out),
            Meaning::SAMPLE if samples.contains_key(&layer) => {
                add(Semantic::Custom(samples[&layer].clone()), stream.clone());
            }
            meaning => add(Semantic::Custom(semantics::custom(meaning, layer)), stream.clone()),
        }
    }
    out
}

/// The differences that a morph makes, in the order of its buffer.
pub(super) fn differences(vertex: &Vertex, label: &Subject, cx: &mut LiftCx<'_>) -> Vec<Attribute> {
    let one = |found: Found| {
        let (layer, stream) = (found.attribute.layer, found.stream);
        let (semantic, stream) = match found.attribute.semantic {
            Meaning::POSITION if layer == 0 => (Semantic::Position, three(&stream)),
            Meaning::NORMAL if layer == 0 => (Semantic::Normal, three(&stream)),
            Meaning::TANGENT if layer == 0 => (Semantic::Tangent, three(&stream)),
            meaning => (Semantic::Custom(semantics::custom(meaning, layer)), stream),
        };
        Attribute { semantic, stream }
    };
    found(vertex, label, cx).into_iter().map(one).collect()
}

/// Which set a layer is: sets are numbered without gaps, in the order of the layers.
fn position(found: &[Found], meaning: Meaning, layer: u32) -> Option<u8> {
    let below = found.iter().filter(|f| f.attribute.semantic == meaning && f.attribute.layer < layer);
    u8::try_from(below.count()).ok().filter(|n| *n < u8::MAX)
}

/// The first `most` numbers of each element, and zeros where there are fewer than `least`.
pub(super) fn exactly(stream: &Stream, least: u8, most: u8) -> Stream {
    let count = stream.encoding().count;
    if count > most {
        return Stream::new(stream.data().clone(), stream.len(), Encoding { count: most, ..*stream.encoding() });
    }
    if count >= least {
        return stream.clone();
    }
    let mut out = vec![0.; stream.len() * usize::from(least)];
    let values = stream.to_f32();
    for (out, row) in out.chunks_exact_mut(least.into()).zip(values.chunks_exact(stream.count().max(1))) {
        out[..row.len()].copy_from_slice(row);
    }
    Stream::from_f32(least, out)
}

fn three(stream: &Stream) -> Stream {
    exactly(stream, 3, 3)
}

/// Whole numbers above 1 are meant as shares of the largest one.
fn color(stream: &Stream) -> Stream {
    let encoding = *stream.encoding();
    let whole = matches!(encoding.component, Component::U8 | Component::U16 | Component::U32 | Component::U64);
    if !whole || encoding.normalised || stream.count_elements(|row| row.iter().any(|v| *v > 1.)) == 0 {
        return stream.clone();
    }
    Stream::new(stream.data().clone(), stream.len(), Encoding { normalised: true, ..encoding })
}

/// Tangents with the sign of the binormal, which is +1 where the buffer does not tell.
fn tangent(stream: &Stream, found: &[Found]) -> Stream {
    if stream.count() >= 4 {
        return exactly(stream, 4, 4);
    }
    let vectors = |meaning: Meaning| {
        let one = found.iter().find(|f| f.attribute.semantic == meaning && f.attribute.layer == 0)?;
        (one.stream.count() >= 3).then(|| three(&one.stream).to_f32())
    };
    let tangents = stream.to_f32();
    let mut out = vec![1.; stream.len() * 4];
    for (out, t) in out.chunks_exact_mut(4).zip(tangents.chunks_exact(3)) {
        out[..3].copy_from_slice(t);
    }
    if let (Some(normals), Some(binormals)) = (vectors(Meaning::NORMAL), vectors(Meaning::BINORMAL)) {
        for ((out, n), b) in out.chunks_exact_mut(4).zip(normals.chunks_exact(3)).zip(binormals.chunks_exact(3)) {
            out[3] = skinning::handedness([n[0], n[1], n[2]], [out[0], out[1], out[2]], [b[0], b[1], b[2]]);
        }
    }
    Stream::from_f32(4, out)
}
