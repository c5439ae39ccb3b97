//! Geometries: one mesh each, with a primitive for every mesh of theirs.

use std::collections::HashMap;

use findings::{Result, Subject};
use scene::loss::*;
use scene::{
    Attribute, Component, Encoding, Extras, Id, Indices, Mesh, MorphTarget, Primitive, Stream, Topology, Value,
};
use wire::Order;

use super::super::{keys, name, semantics};
use super::attributes::{self, Samples};
use super::{Key, Lift};
use crate::dragon::layout::Section;
use crate::dragon::layout::body::{self, Body, Geometry, Vertex};
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::words::DrawType;
use crate::dragon::variants::mesh::extent;

/// The vertices that a part of a mesh uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Rows {
    pub(super) first: usize,
    pub(super) count: usize,
}

/// Some rows of a stream, where they lie.
pub(super) fn rows_of(stream: &Stream, rows: Rows) -> Stream {
    let start = rows.first.saturating_mul(stream.encoding().stride).min(stream.data().len());
    Stream::new(stream.data().slice(start..), rows.count, *stream.encoding())
}

impl<'d> Lift<'d, '_, '_> {
    pub(super) fn mesh(&mut self, section: &'d Section, geometry: &'d Geometry) -> Result<Id<Mesh>> {
        let key: Key = section;
        if let Some(known) = self.known.meshes.get(&key) {
            return Ok(*known);
        }
        let label = Subject::structure("geometry", self.scene.meshes.len(), name(&geometry.name));
        let mut extras = Extras::default();
        let (_, properties) = self.said(section, false, &mut extras);
        let mut mesh = Mesh { name: name(&geometry.name), properties, extras, ..Mesh::default() };
        let vertex = self.vertices(geometry, &label);
        let indices = self.find(geometry.indice_buffer, Kind::Indice, &label).and_then(|section| match &section.body {
            Body::Indice(indice) => Some(&indice.indices),
            _ => None,
        });
        let streams = match vertex {
            Some((section, vertex)) => {
                let samples = self.samples(section, &label);
                attributes::streams(vertex, &samples, &label, self.cx)
            }
            None => Vec::new(),
        };
        let rows = vertex.map_or(0, |(_, vertex)| vertex.len());
        let morphs = self.morphs(geometry, &label, &mut mesh);
        let mut turned_into: HashMap<Rows, Vec<MorphTarget>> = HashMap::new();
        for part in &geometry.meshes {
            let (used, order) = self.used(geometry, part, indices, rows, &label)?;
            let mut primitive = Primitive::new(topology(part.draw_type));
            if part.draw_type.word().is_none() {
                let what = format!("draw type {}", part.draw_type.0);
                self.cx.lose(&LOSS_027, &label, 1, &what, "the number has no meaning");
            }
            let stream = |a: &Attribute| Attribute { semantic: a.semantic.clone(), stream: rows_of(&a.stream, used) };
            primitive.attributes = streams.iter().map(stream).collect();
            primitive.indices = order;
            primitive.material = match self.find(part.material, Kind::Material, &label) {
                Some(section) => self.material(section),
                None => None,
            };
            // Parts that use the same vertices share what they turn into.
            let targets = || morphs.iter().map(|morph| morph.target(used)).collect();
            primitive.targets = turned_into.entry(used).or_insert_with(targets).clone();
            if !part.name.is_empty() {
                keys::NAME.set(&mut primitive.extras, Value::Text(name(&part.name)));
            }
            mesh.primitives.push(primitive);
        }
        let id = self.scene.meshes.add(mesh);
        self.known.meshes.insert(key, id);
        Ok(id)
    }

    fn vertices(&mut self, geometry: &Geometry, label: &Subject) -> Option<(&'d Section, &'d Vertex)> {
        let section = self.find(geometry.vertex_buffer, Kind::Vertex, label)?;
        match &section.body {
            Body::Vertex(vertex) => Some((section, vertex)),
            _ => None,
        }
    }

    /// What the settings of a vertex buffer call its SAMPLE attributes.
    fn samples(&mut self, section: &'d Section, label: &Subject) -> Samples {
        let mut said = self.settings(section.settings, false, "VERTEX");
        let Body::Vertex(vertex) = &section.body else { return Samples::default() };
        let layers: Vec<u32> = vertex.attributes.iter().map(|attribute| attribute.layer).collect();
        let named = |layer: u32| Some((layer, said.take_text(&semantics::setting(layer))?.to_string()));
        let mut out = Samples::new();
        layers.into_iter().filter_map(named).for_each(|(layer, name)| _ = out.entry(layer).or_insert(name));
        for (key, _) in &said.properties {
            let what = format!("property {key} of VERTEX");
            self.cx.report_unless_carried(&LOSS_015, label, 1, &what, "a scene has no place for it");
        }
        out
    }

    /// The vertices that a part uses, and their order if it is not the stored one.
    fn used(
        &mut self,
        geometry: &Geometry,
        part: &body::Mesh,
        indices: Option<&body::Indices>,
        rows: usize,
        label: &Subject,
    ) -> Result<(Rows, Option<Indices>)> {
        let all = Rows { first: 0, count: rows };
        let reading = self.buffers.reading(geometry);
        let (first, count) = reading.range(part);
        let available = indices.map_or(rows, body::Indices::len) as u64;
        let end = first.saturating_add(count).min(available);
        if end - first.min(end) < count && (indices.is_some() || geometry.indice_buffer.is_none()) {
            let missing = count - (end - first.min(end));
            self.cx.lose(&LOSS_043, label, missing, "corners", "there are not as many indices");
        }
        let (first, count) = (first.min(end), end - first.min(end));
        let Some(indices) = indices else {
            if !geometry.indice_buffer.is_none() {
                return Ok((all, Some(Vec::new().into())));
            }
            return Ok((Rows { first: first as usize, count: count as usize }, None));
        };
        let (start, size) = (part.vertex_offset as usize, part.vertex_count as usize);
        let inside = start.checked_add(size).is_some_and(|end| end <= rows);
        let stream = index_stream(indices, first as usize, count as usize, self.doc.order);
        let own = Rows { first: start, count: size };
        if reading.base_vertex && inside {
            return Ok((own, Some(Indices(stream))));
        }
        let fits = extent(indices, first, count)
            .is_none_or(|(low, high)| low as usize >= start && (high as usize) < start.saturating_add(size));
        Ok(match inside && fits {
            true if start == 0 => (own, Some(Indices(stream))),
            true => {
                self.count_numbers(stream.len())?;
                let mut numbers = stream.to_u32();
                numbers.iter_mut().for_each(|index| *index -= part.vertex_offset);
                (own, Some(numbers.into()))
            }
            false => (all, Some(Indices(stream))),
        })
    }
}

fn topology(draw: DrawType) -> Topology {
    match draw {
        DrawType::TRIANGLE => Topology::Triangles,
        DrawType::TRIANGLE_STRIP => Topology::TriangleStrip,
        DrawType::TRIANGLE_FAN => Topology::TriangleFan,
        DrawType::QUADS => Topology::Quads,
        _ => Topology::Points,
    }
}

fn index_stream(indices: &body::Indices, first: usize, count: usize, order: Order) -> Stream {
    let (component, blob) = match indices {
        body::Indices::U8(bulk) => (Component::U8, bulk.to_blob(order)),
        body::Indices::U16(bulk) => (Component::U16, bulk.to_blob(order)),
        body::Indices::U32(bulk) => (Component::U32, bulk.to_blob(order)),
        body::Indices::Other { .. } => return Stream::from_u32(1, Vec::new()),
    };
    let start = (first * component.size()).min(blob.len());
    Stream::new(blob.slice(start..), count, Encoding { order, ..Encoding::packed(component, 1) })
}
