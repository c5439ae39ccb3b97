//! Where the attributes of meshes are.

use findings::{Place, Severity, rule};

use super::super::attributes::{Attribute, Slot};
use super::super::document::{Document, Parts};
use super::super::layout::Mesh;
use super::{each_mesh, offset_of};

rule! {
    /// ## What it finds
    /// An attribute that reaches beyond its buffer: so many elements as the mesh has vertices, or indices.
    ///
    /// ## Why it matters
    /// The library reads other memory. Its own converter writes such files for models of several groups.
    ///
    /// ## Example
    /// Normals of 36 vertices at byte 800 of a buffer of 1000.
    ///
    /// ## Fix
    /// Correct the offset or the draw count, or write the missing bytes.
    DAS2_024 "DAS2-024" "attribute-outside-buffer", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        each_mesh(doc, &parts, |mesh, place| {
            each_outside(&parts, mesh, &mut |inside, attribute, need, have| {
                let place = if inside.is_empty() { place.clone() } else { place.field(inside) };
                let message = format!("needs {need} bytes from here on, its buffer has {have}");
                cx.report(offset_of(&place, attribute), message);
            });
        });
    }
}

/// Bytes of a buffer from a place on; nothing if there is no such buffer, which is another rule's business.
pub(super) fn behind(parts: &Parts<'_>, slot: Slot) -> Option<u64> {
    let buffer = parts.buffers.get(slot.buffer as usize)?;
    Some((buffer.data.len() as u64).saturating_sub(slot.offset.into()))
}

/// How many vertices of a mesh have a position.
pub(super) fn placed_vertices(parts: &Parts<'_>, mesh: &Mesh) -> u64 {
    let positions = mesh.slot(Attribute::Position).and_then(|slot| behind(parts, slot)).unwrap_or(0) / 12;
    parts.vertex_count(mesh).unwrap_or(0).min(positions)
}

fn each_outside(parts: &Parts<'_>, mesh: &Mesh, see: &mut dyn FnMut(&str, Attribute, u64, u64)) {
    let is_indexed = mesh.slot(Attribute::Index).is_some();
    // An index that leads outside is another rule's business; it must not be told of every attribute.
    let vertices = if is_indexed { placed_vertices(parts, mesh) } else { mesh.draw_count.into() };
    let mut one = |inside: &str, attribute: Attribute, slot: Option<Slot>| {
        let count = match attribute {
            Attribute::Index => mesh.draw_count.into(),
            // At least one, so that positions behind the end are told where indices have nothing to count.
            Attribute::Position if is_indexed => vertices.max(1),
            _ => vertices,
        };
        let need = count * attribute.size() as u64;
        if let Some((slot, have)) = slot.and_then(|slot| Some((slot, behind(parts, slot)?)))
            && (need > have || beyond(parts, slot))
        {
            see(inside, attribute, need, have);
        }
    };
    for attribute in Attribute::all() {
        one("", attribute, mesh.slot(attribute));
    }
    for (i, target) in mesh.morph_targets.iter().enumerate() {
        let inside = format!("morph_targets[{i}]");
        for attribute in Attribute::all().filter(|attribute| *attribute != Attribute::Index) {
            one(&inside, attribute, target.slot(attribute, mesh));
        }
    }
}

fn beyond(parts: &Parts<'_>, slot: Slot) -> bool {
    parts.buffers.get(slot.buffer as usize).is_some_and(|buffer| slot.offset as usize > buffer.data.len())
}

rule! {
    /// ## What it finds
    /// An attribute whose offset is no multiple of 4.
    ///
    /// ## Why it matters
    /// Graphics cards refuse it; a converter that counts elements instead of bytes writes such offsets.
    ///
    /// ## Example
    /// `surface_normal_buffer_offset` is 18.
    ///
    /// ## Fix
    /// Align the data in the buffer.
    DAS2_025 "DAS2-025" "offset-unaligned", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_mesh(doc, &doc.parts(), |mesh, place| {
            let mut one = |place: &Place, attribute, slot: Option<Slot>| {
                if let Some(slot) = slot.filter(|slot| !slot.offset.is_multiple_of(4)) {
                    let message = format!("the offset {} is no multiple of 4", slot.offset);
                    cx.report(offset_of(place, attribute), message);
                }
            };
            for attribute in Attribute::all() {
                one(&place, attribute, mesh.slot(attribute));
            }
            for (i, target) in mesh.morph_targets.iter().enumerate() {
                let inside = place.field("morph_targets").nth(i);
                for attribute in Attribute::all() {
                    one(&inside, attribute, target.slot(attribute, mesh));
                }
            }
        });
    }
}

rule! {
    /// ## What it finds
    /// In layouts without buffer ids: a buffer that begins with something other than positions, and attributes whose
    /// offset is 0.
    ///
    /// ## Why it matters
    /// 0 also means that there is no such attribute. Only positions can be at 0 without doubt.
    ///
    /// ## Example
    /// Normals at 0 and positions at 432.
    ///
    /// ## Fix
    /// Put positions first, or leave a few bytes free at the beginning.
    DAS2_026 "DAS2-026" "offset-zero", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        if doc.form.has_buffer_ids() || parts.buffers.iter().all(|buffer| buffer.data.is_empty()) {
            return;
        }
        let mut begins_with_positions = parts.meshes.is_empty();
        each_mesh(doc, &parts, |mesh, _| begins_with_positions |= mesh.position_vertex_buffer_offset == 0);
        if begins_with_positions {
            return;
        }
        let first = first_used(&parts);
        each_mesh(doc, &parts, |mesh, place| {
            let zero = |attribute: &Attribute| mesh.stored(*attribute).1 == 0 && mesh.slot(*attribute).is_none();
            let candidates = [Attribute::Normal, Attribute::Uv(0), Attribute::Index, Attribute::Color];
            if let Some(attribute) = candidates.iter().find(|attribute| zero(attribute)).filter(|_| first > PADDING) {
                let message = "the offset is 0, which is not where positions are: is it there or is there none?";
                cx.report_as(Severity::Warning, offset_of(&place, *attribute), message);
            }
        });
    }
}

/// As few bytes at the beginning keep the offset 0 free.
const PADDING: u32 = 16;

fn first_used(parts: &Parts<'_>) -> u32 {
    let offsets = |mesh: &&Mesh| Attribute::all().filter_map(|a| mesh.slot(a)).map(|slot| slot.offset).min();
    parts.meshes.iter().filter_map(offsets).min().unwrap_or(0)
}
