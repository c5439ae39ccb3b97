//! Which sections a scene cannot say all of: they travel as they are.

use std::collections::{HashMap, HashSet};

use scene::{Extras, Primitive, Semantic, Value};
use wire::Order;

use super::super::super::body::{Body, Geometry, Indices, Vertex};
use super::super::super::kind::Kind;
use super::super::super::layout::{Section, VERSION};
use super::super::super::mesh::extent;
use super::super::super::rotation::Rotation;
use super::super::super::words::LightType;
use super::super::lower::Layout;
use super::super::{kept, keys};
use super::shapes::Rows;
use super::{Key, Lift};

/// A geometry with everything it is made of.
pub(super) struct Shape<'d> {
    pub(super) section: &'d Section,
    pub(super) geometry: &'d Geometry,
    pub(super) vertex: Option<(&'d Section, &'d Vertex)>,
    pub(super) indice: Option<(&'d Section, &'d Indices)>,
}

impl<'d> Lift<'d, '_, '_> {
    /// Lets sections of this file travel with an object, each once.
    pub(super) fn keep(&mut self, extras: &mut Extras, sections: impl IntoIterator<Item = &'d Section>) {
        let mut own: Vec<&'d Section> = std::mem::take(&mut self.pending);
        own.extend(sections);
        own.retain(|section| self.is_here(section) && self.kept.insert(std::ptr::from_ref(*section)));
        if own.is_empty() {
            return;
        }
        if let Some(file) = kept::store(&own, Order::Little) {
            extras.set(keys::KEPT, file);
        }
    }

    /// Lets a section travel with an object if it is not what a writer makes of the object.
    pub(super) fn keep_odd(&mut self, extras: &mut Extras, section: &'d Section) {
        let odd = !has_plain_head(section) || !is_plain(&section.body);
        self.keep(extras, odd.then_some(section));
    }

    /// Whether a section is of this file, and not of one that it names.
    fn is_here(&self, section: &Section) -> bool {
        self.own.contains(&std::ptr::from_ref(section))
    }

    /// Lets a shape travel whose buffers a writer would lay out otherwise.
    pub(super) fn keep_shape(&mut self, extras: &mut Extras, shape: &Shape<'d>, used: &[Rows], parts: &[Primitive]) {
        let plain = self.is_plain_shape(shape, used, parts);
        let mut sections = Vec::new();
        if !plain {
            sections.push(shape.section);
            sections.extend(shape.vertex.map(|(section, _)| section));
            sections.extend(shape.indice.map(|(section, _)| section));
            let morph = self.known(shape.geometry.morph_buffers, Kind::Morph);
            if let Some(section) = morph
                && let Body::Morph(body) = &section.body
            {
                sections.push(section);
                let buffers = body.morphs.iter().map(|morph| self.known(morph.vertex_buffer, Kind::Vertex));
                sections.extend(buffers.flatten());
            }
            let settings: Vec<_> =
                sections[1..].iter().map(|section| self.known(section.settings, Kind::Settings)).collect();
            sections.extend(settings.into_iter().flatten());
        }
        self.keep(extras, sections);
    }

    /// A section of this file.
    pub(super) fn known(&self, guid: super::Guid, kind: Kind) -> Option<&'d Section> {
        self.index.get(guid).map(|(_, section)| &**section).filter(|section| section.kind() == Some(kind))
    }

    fn is_plain_shape(&self, shape: &Shape<'d>, used: &[Rows], parts: &[Primitive]) -> bool {
        let buffers = [shape.vertex.map(|(section, _)| section), shape.indice.map(|(section, _)| section)];
        let heads = buffers.iter().flatten().all(|section| has_plain_head(section) && section.settings.is_none());
        let Some((_, vertex)) = shape.vertex else { return false };
        let whole = heads
            && has_plain_head(shape.section)
            && shape.geometry.morph_buffers.is_none()
            && !self.buffers.reading(shape.geometry).base_vertex
            && shape.indice.is_some() != shape.geometry.indice_buffer.is_none();
        let rows = || parts.iter().all(|part| is_plain_row(part, vertex));
        whole && rows() && covers(shape, vertex, used)
    }
}

/// Whether a writer would give the section this head, but for its settings.
fn has_plain_head(section: &Section) -> bool {
    section.version == VERSION && section.count == 0
}

/// Whether the scene says all of a body.
fn is_plain(body: &Body) -> bool {
    let turned = |rotation: &Rotation| matches!(rotation, Rotation::Quaternion(_));
    match body {
        Body::Object(body) => turned(&body.rotation),
        Body::Socket(body) => turned(&body.rotation),
        // Only spots have an angle in a scene.
        Body::Light(body) => turned(&body.rotation) && body.light_type == LightType::SPOT,
        Body::Skeleton(body) => {
            !body.bones.is_empty() && body.bones.iter().all(|bone| turned(&bone.rotation) && bone.enabled.is_plain())
        }
        Body::Instance(body) => {
            let places: usize = body.instances.iter().map(|group| group.placements.len()).sum();
            let kind = super::super::super::words::RotationType::VEC4;
            places > 1 && body.rotation_type == kind
        }
        Body::Material(body) => body.slots.is_empty(),
        _ => false,
    }
}

/// Whether glTF and a writer leave the streams of a part as they are in the rows.
fn is_plain_row(part: &Primitive, vertex: &Vertex) -> bool {
    use scene::Component::{F32, I8, I16, U8, U16};
    let native = |attribute: &scene::Attribute| {
        let encoding = attribute.stream.encoding();
        let (component, count) = (encoding.component, encoding.count);
        match (&attribute.semantic, component) {
            (Semantic::Position | Semantic::Normal, F32) => count == 3,
            (Semantic::Tangent | Semantic::Weights(_), F32) => count == 4,
            (Semantic::TexCoord(_), F32) => count == 2,
            (Semantic::Color(_), F32) => (3..=4).contains(&count),
            (Semantic::TexCoord(_) | Semantic::Color(_), U8 | U16) => encoding.normalised,
            (Semantic::Joints(_), U8 | U16) => count == 4 && !encoding.normalised,
            (Semantic::Weights(_), U8 | U16) => count == 4 && encoding.normalised,
            (Semantic::Custom(_), F32 | I8 | U8 | I16 | U16) => (1..=4).contains(&count),
            _ => false,
        }
    };
    let customs = part.attributes.iter().filter(|a| matches!(a.semantic, Semantic::Custom(_))).count();
    part.attributes.iter().all(native)
        && customs < 2
        && part.attributes.is_sorted_by_key(|attribute| attribute.semantic.rank())
        && Layout::of(&part.attributes).is_of(vertex)
}

/// Whether the parts of a shape use its buffers up, one behind the other, and say so as a writer would.
fn covers(shape: &Shape<'_>, vertex: &Vertex, used: &[Rows]) -> bool {
    let (mut next, mut corner) = (0, 0_u64);
    let stride = vertex.stride as usize;
    let (mut seen, mut alike) = (HashSet::new(), HashSet::new());
    // Only as many vertices can be the same ones: others need not be looked at.
    let mut sizes: HashMap<usize, usize> = HashMap::new();
    let ranges: HashSet<(usize, usize)> = used.iter().map(|rows| (rows.first, rows.count)).collect();
    ranges.iter().for_each(|(_, count)| *sizes.entry(*count).or_default() += 1);
    for (part, rows) in shape.geometry.meshes.iter().zip(used) {
        if seen.insert((rows.first, rows.count)) {
            // A writer stores vertices once that two parts have.
            let bytes = vertex.buffer.bytes().get(rows.first * stride, rows.count * stride);
            let new = bytes.is_some_and(|bytes| sizes.get(&rows.count) == Some(&1) || alike.insert(bytes.to_vec()));
            if rows.first != next || rows.count == 0 || !new {
                return false;
            }
            next += rows.count;
        }
        let first = if shape.indice.is_some() { corner } else { rows.first as u64 };
        let said = [part.vertex_offset, part.vertex_count, part.face_offset].map(u64::from);
        if said != [rows.first as u64, rows.count as u64, first] || part.draw_type.word().is_none() {
            return false;
        }
        corner += u64::from(part.face_count);
        if shape.indice.is_none() && part.face_count as usize != rows.count {
            return false;
        }
    }
    let width = match shape.indice {
        None => true,
        Some((_, indices)) => {
            let large = || extent(indices, 0, corner).is_some_and(|(_, high)| high > u32::from(u16::MAX));
            let width = match indices {
                Indices::U16(_) => true,
                Indices::U32(_) => large(),
                _ => false,
            };
            width && corner == indices.len() as u64
        }
    };
    !used.is_empty() && next == vertex.len() && vertex.buffer.len() == next * stride && width
}

impl Lift<'_, '_, '_> {
    /// Lets what stands for nothing in the scene travel with the file.
    pub(super) fn keep_the_rest(&mut self) {
        let doc = self.doc;
        let mut rest: Vec<&Section> = Vec::new();
        let mut first = true;
        for section in doc.sections.iter().map(|section| &**section) {
            let key: Key = section;
            let unheld = match &section.body {
                Body::Null(_) | Body::Unknown(_) | Body::Broken(_) => true,
                Body::Asset(_) if !std::mem::take(&mut first) => true,
                Body::Asset(_) | Body::AssetRef(_) => !has_plain_head(section) || !section.settings.is_none(),
                Body::Skeleton(skeleton) => skeleton.bones.is_empty(),
                Body::Image(_) | Body::Texture(_) => !self.kept.contains(&key),
                body => body.is_part() && !self.named.contains(&key) && !self.kept.contains(&key),
            };
            if unheld {
                rest.push(section);
            }
        }
        // Numbers that nobody explains stay in their order.
        let opaque = |section: &&&Section| matches!(section.body, Body::Unknown(_) | Body::Broken(_));
        let order = if rest.iter().any(|section| opaque(&section)) { doc.order } else { Order::Little };
        if !rest.is_empty()
            && let Some(file) = kept::store(&rest, order)
        {
            self.scene.extras.set(keys::SECTIONS, file);
        }
    }
}

/// Whether a key says only how a file is laid out, or what is listed as lost anyway.
pub(in super::super::super) fn is_layout(word: &str, _: &Value) -> bool {
    [keys::KEPT, keys::SECTIONS, keys::TAIL, keys::VERSION, keys::FILE, keys::UP]
        .iter()
        .any(|key| key.strip_prefix("dragon.") == Some(word))
}
