//! Same document, other dialect: ids, order, texts and everything that both layouts hold stay.

use findings::{Error, Result};
use scene::loss::{LOSS_024, LOSS_043, LOSS_060, LOSS_061};
use wire::{Blob, Kept};

use super::attributes::{Attribute, Slot};
use super::dialect::Dialect;
use super::document::{Compression, Document};
use super::form::Form;
use super::layout::{Buffer, Mesh, MorphTarget};
use super::strings::each_string_mut;
use super::structure::Structure;
use super::write::DEFAULT_LEVEL;
use crate::LowerCx;

pub(super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    let form = Dialect::named(cx.dialect)?.form();
    let level = level(cx)?;
    if form != doc.form {
        recast(doc, form, cx)?;
    }
    // A body that its dialect does not have is compressed anew, also if no level is asked for.
    let packed = doc.compression != Compression::None;
    let foreign = packed && doc.compression != form.compression() || packed != (doc.header.level > 0);
    if let Some(level) = level.or_else(|| foreign.then(|| usual_level(doc))) {
        doc.set_level(level);
    }
    if let Some(author) = cx.options.get("author") {
        doc.header.edit().author_name = author.into();
    }
    if let Some(comment) = cx.options.get("comment") {
        doc.header.edit().comment = comment.into();
    }
    Ok(())
}

/// The level that the user asks for.
pub(super) fn level(cx: &LowerCx<'_>) -> Result<Option<u8>> {
    let Some(word) = cx.options.get("level") else { return Ok(None) };
    let level = word.parse().ok().filter(|level| *level <= 9);
    level.map(Some).ok_or_else(|| Error::usage(format!("--level is \"{word}\"; it is a number from 0 to 9")))
}

fn recast(doc: &mut Document, form: Form, cx: &mut LowerCx<'_>) -> Result<()> {
    let placement = Placement::of(doc, form)?;
    let level = usual_level(doc);
    let counted = doc.is_counted();
    let mut structures = Vec::with_capacity(doc.structures.len());
    let mut seen = [0_usize; 16];
    for structure in std::mem::take(&mut doc.structures) {
        let mut structure = structure.into_value();
        let kind = structure.kind();
        let place = format!("{}[{}]", kind.list(), seen[usize::from(kind.0 & 15)]);
        seen[usize::from(kind.0 & 15)] += 1;
        match &mut structure {
            Structure::Buffer(buffer) => match placement.merged.as_ref() {
                Some(data) if place == "buffers[0]" => *buffer = Buffer::new(data.clone()),
                Some(_) => continue,
                None => {}
            },
            Structure::Mesh(mesh) => **mesh = placement.mesh(mesh, form, &place, cx),
            Structure::Animation(animation) => {
                let name = animation.name.take();
                let lost = name.as_ref().is_some_and(|name| !name.is_empty()) && !form.has_animation_names();
                if lost {
                    cx.lose(&LOSS_060, &place, 1, "the name of an animation", "the document has no field for it");
                }
                animation.name = form.has_animation_names().then(|| name.unwrap_or_default());
            }
            Structure::MaterialPbr(material) => {
                let map = material.roughness_map.take();
                if map.as_ref().is_some_and(|map| !map.is_empty()) && !form.has_roughness_map() {
                    cx.lose(&LOSS_061, &place, 1, "the roughness map of a material", "the library lost its field");
                }
                material.roughness_map = form.has_roughness_map().then(|| map.unwrap_or_default());
            }
            _ => {}
        }
        structure.set_id(form.id_of(kind));
        each_string_mut(&mut structure, &mut |string| string.hash = None);
        structures.push(Kept::new(structure));
    }
    doc.structures = structures;
    doc.stored = None;
    doc.form = form;
    let header = doc.header.edit();
    header.default_scene_index_again = None;
    (header.author_name.hash, header.comment.hash) = (None, None);
    doc.set_level(level);
    if counted {
        doc.fill_counters();
    }
    Ok(())
}

/// The level of a body, as far as its header can be believed.
fn usual_level(doc: &Document) -> u8 {
    match doc.header.level {
        _ if doc.compression == Compression::None => 0,
        level @ 1..=9 => level,
        _ => DEFAULT_LEVEL,
    }
}

/// Where the bytes of each buffer go.
struct Placement {
    /// Bytes of each buffer, and where they begin in the one buffer of the target.
    buffers: Vec<(u64, u64)>,
    /// The one buffer, if the target has one and it is not as it was.
    merged: Option<Blob>,
}

/// Attributes of buffers that follow each other stay as well aligned as they were.
const ALIGNMENT: u64 = 16;

impl Placement {
    fn of(doc: &Document, form: Form) -> Result<Placement> {
        let parts = doc.parts();
        let mut placement = Placement { buffers: Vec::new(), merged: None };
        let mut end = 0;
        for buffer in &parts.buffers {
            placement.buffers.push((buffer.data.len() as u64, end));
            end = (end + buffer.data.len() as u64).next_multiple_of(ALIGNMENT);
        }
        if form.has_buffer_ids() {
            placement.buffers.iter_mut().for_each(|(_, begin)| *begin = 0);
            return Ok(placement);
        }
        let first = Slot { buffer: 0, offset: 0 };
        let shifted = parts.meshes.iter().any(|mesh| begins_with_another(mesh, first));
        if shifted {
            placement.buffers.iter_mut().for_each(|(_, begin)| *begin += ALIGNMENT);
        }
        let size = placement.buffers.last().map_or(0, |(len, begin)| begin + len);
        if size > u32::MAX.into() {
            return Err(Error::usage(format!(
                "its buffers hold {size} bytes, and the engine dialect has one of 4 GiB"
            ))
            .with_help("--dialect spec holds as many buffers as there are"));
        }
        if shifted || parts.buffers.len() > 1 {
            let mut data = Vec::with_capacity(size as usize);
            for (buffer, (_, begin)) in parts.buffers.iter().zip(&placement.buffers) {
                data.resize(*begin as usize, 0);
                data.extend_from_slice(&buffer.data);
            }
            placement.merged = Some(Blob::memory(data));
        }
        Ok(placement)
    }

    /// Where an attribute is then; nothing if its buffer does not exist or ends before it.
    fn slot(&self, slot: Slot, form: Form) -> Option<Slot> {
        let (len, begin) = *self.buffers.get(slot.buffer as usize)?;
        let offset = u64::from(slot.offset);
        let buffer = if form.has_buffer_ids() { slot.buffer } else { 0 };
        (offset <= len).then_some(Slot { buffer, offset: u32::try_from(begin + offset).ok()? })
    }

    fn mesh(&self, mesh: &Mesh, form: Form, place: &str, cx: &mut LowerCx<'_>) -> Mesh {
        let mut changed = Mesh {
            draw_count: mesh.draw_count,
            material_type: mesh.material_type,
            material_id: mesh.material_id,
            ..Mesh::new(form)
        };
        for attribute in Attribute::all() {
            changed.set_slot(attribute, self.moved(mesh.slot(attribute), form, place, cx));
        }
        changed.spare_the_library();
        if mesh.slot(Attribute::Position).is_none() && !form.has_buffer_ids() && mesh.draw_count > 0 {
            // Without ids positions are always there.
            cx.lose(&LOSS_024, place, 1, "the draw count of a mesh without positions", "its dialect always draws");
            changed.draw_count = 0;
        }
        for target in &mesh.morph_targets {
            let mut moved = MorphTarget::new(form);
            for attribute in
                Attribute::all().filter(|a| !matches!(a, Attribute::JointIndices(_) | Attribute::JointWeights(_)))
            {
                moved.set_slot(attribute, self.moved(target.named_slot(attribute), form, place, cx));
            }
            changed.morph_targets.push(moved);
        }
        changed.multiple_lods = mesh.multiple_lods.iter().map(|lod| self.mesh(lod, form, place, cx)).collect();
        changed
    }

    fn moved(&self, slot: Option<Slot>, form: Form, place: &str, cx: &mut LowerCx<'_>) -> Option<Slot> {
        let slot = slot?;
        let moved = self.slot(slot, form);
        if moved.is_none() {
            cx.lose(&LOSS_043, place, 1, "attributes outside their buffer", "they would be other bytes there");
        }
        moved
    }
}

/// Whether something that needs an offset other than 0 begins where the buffers do.
fn begins_with_another(mesh: &Mesh, first: Slot) -> bool {
    let other = |attribute: Attribute| attribute != Attribute::Position && mesh.slot(attribute) == Some(first);
    let morphed = |target: &MorphTarget| Attribute::all().any(|a| target.slot(a, mesh) == Some(first));
    Attribute::all().any(other)
        || mesh.morph_targets.iter().any(morphed)
        || mesh.multiple_lods.iter().any(|lod| begins_with_another(lod, first))
}
