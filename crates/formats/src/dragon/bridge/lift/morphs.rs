//! Morphs: differences for some of the vertices.

use findings::Subject;
use scene::{Attribute, Encoding, Mesh, MorphRange, MorphTarget, Stream};
use wire::{Blob, F32};

use super::super::name;
use super::meshes::{Rows, rows_of};
use super::{Lift, attributes};
use crate::dragon::layout::body::{Body, Geometry};
use crate::dragon::layout::kind::Kind;

/// A morph, for vertices from `first` on.
pub(super) struct Morph {
    first: usize,
    attributes: Vec<Attribute>,
}

impl Morph {
    /// The differences of some vertices; those that the morph does not move have none.
    pub(super) fn target(&self, rows: Rows) -> MorphTarget {
        let one = |a: &Attribute| Attribute { semantic: a.semantic.clone(), stream: self.of(&a.stream, rows) };
        MorphTarget { attributes: self.attributes.iter().map(one).collect() }
    }

    fn of(&self, stream: &Stream, rows: Rows) -> Stream {
        let end = self.first.saturating_add(stream.len());
        if self.first <= rows.first && rows.first + rows.count <= end {
            return rows_of(stream, Rows { first: rows.first - self.first, ..rows });
        }
        let encoding = Encoding { stride: stream.encoding().element_size(), ..*stream.encoding() };
        let (size, stride) = (encoding.stride, stream.encoding().stride);
        let mut bytes = vec![0; rows.count * size];
        let from = self.first.max(rows.first);
        let to = end.min(rows.first + rows.count);
        for at in from..to.max(from) {
            let source = (at - self.first) * stride;
            let target = (at - rows.first) * size;
            bytes[target..target + size].copy_from_slice(&stream.data()[source..source + size]);
        }
        Stream::new(Blob::memory(bytes), rows.count, encoding)
    }
}

impl Lift<'_, '_, '_> {
    /// The morphs of a geometry; their names and ranges go to the mesh.
    pub(super) fn morphs(&mut self, geometry: &Geometry, label: &Subject, mesh: &mut Mesh) -> Vec<Morph> {
        let Some(section) = self.find(geometry.morph_buffers, Kind::Morph, label) else { return Vec::new() };
        let Body::Morph(body) = &section.body else { return Vec::new() };
        let mut out = Vec::with_capacity(body.morphs.len());
        for morph in &body.morphs {
            let found = self.find(morph.vertex_buffer, Kind::Vertex, label);
            let attributes = match found.map(|section| &section.body) {
                Some(Body::Vertex(vertex)) => attributes::differences(vertex, label, self.cx),
                _ => Vec::new(),
            };
            out.push(Morph { first: morph.index_offset as usize, attributes });
            let [min, max, default] = [morph.min, morph.max, morph.default].map(F32::get);
            mesh.morphs.push(MorphRange { name: name(&morph.name), default, min, max });
        }
        out
    }
}
