//! Sections on their way into a file: in the order of the writer, with names that no two of them share.

use std::collections::HashMap;
use std::rc::Rc;

use findings::{Error, Result, Subject};
use scene::loss::*;
use scene::{Extras, Name, Properties, Scene, Value};
use wire::{Bulk, Order, Sink, Writer};

use super::super::super::body::{Body, Pair, Settings};
use super::super::super::guid::Guid;
use super::super::super::kind::Kind;
use super::super::super::layout::{Document, Section};
use super::super::super::rules::DRG_059;
use super::super::super::visit;
use super::super::kept::{self, Kept};
use super::super::{keys, values};
use super::agreeing::agrees;
use crate::LowerCx;

/// Kinds in the order they are written: what is referred to comes before what refers to it. Buffers of morphs follow
/// the others.
const ORDER: &[Kind] = &[
    Kind::Settings,
    Kind::Asset,
    Kind::Skeleton,
    Kind::Vertex,
    Kind::Vertex,
    Kind::Indice,
    Kind::Morph,
    Kind::Image,
    Kind::Texture,
    Kind::Material,
    Kind::Socket,
    Kind::Geometry,
    Kind::Object,
    Kind::Instance,
    Kind::Light,
    Kind::VoxelPlt,
    Kind::VoxelMat,
    Kind::VoxelObj,
    Kind::AniTrack,
    Kind::Animate,
    Kind::AssetRef,
];

#[derive(Default)]
pub(super) struct Sections {
    kept: Rc<Kept>,
    ranks: Vec<Vec<Section>>,
    /// Where each name is.
    taken: HashMap<Guid, (usize, usize)>,
    /// How many of each kind there are.
    counts: HashMap<Kind, u64>,
}

impl Sections {
    pub(super) fn new(kept: Rc<Kept>) -> Sections {
        Sections { kept, ..Sections::default() }
    }

    /// Adds a section and answers what it is called. One that is there already, name and all, is not added again.
    pub(super) fn add(&mut self, wanted: Option<Guid>, settings: Guid, body: impl Into<Body>) -> Result<Guid> {
        self.add_behind(false, wanted, settings, body.into())
    }

    /// The same for a vertex buffer of a morph.
    pub(super) fn add_morph(&mut self, wanted: Option<Guid>, body: impl Into<Body>) -> Result<Guid> {
        self.add_behind(true, wanted, Guid::NONE, body.into())
    }

    /// Whether there is a section of this name.
    pub(super) fn has(&self, guid: Guid) -> bool {
        self.taken.contains_key(&guid)
    }

    fn add_behind(&mut self, behind: bool, wanted: Option<Guid>, settings: Guid, body: Body) -> Result<Guid> {
        let kind = body.kind().unwrap_or(Kind::Null);
        let rank = ORDER.iter().position(|own| *own == kind).unwrap_or(0) + usize::from(behind);
        let guid = match wanted.map(|guid| (guid, self.taken.get(&guid))) {
            Some((guid, None)) => guid,
            Some((guid, Some((rank, at)))) => {
                let known = &self.ranks[*rank][*at];
                if known.kind() == Some(kind) && is_set(known, settings) && agrees(&known.body, &body, &self.kept) {
                    return Ok(guid);
                }
                self.new_name(kind, &body)?
            }
            None => self.new_name(kind, &body)?,
        };
        let kept = Rc::clone(&self.kept);
        let section = match kept.get(guid, kind).filter(|old| is_set(old, settings)) {
            Some(old) if agrees(&old.body, &body, &kept) => old.clone(),
            // What has no settings in a scene has those it had.
            old => Section { settings: old.map_or(settings, |old| old.settings), ..Section::new(guid, body) },
        };
        *self.counts.entry(kind).or_default() += 1;
        self.put(rank, section);
        Ok(guid)
    }

    fn put(&mut self, rank: usize, section: Section) {
        self.ranks.resize_with(ORDER.len() + 1, Vec::new);
        if !section.guid.is_none() {
            self.taken.insert(section.guid, (rank, self.ranks[rank].len()));
        }
        self.ranks[rank].push(section);
    }

    /// Adds a section as it was, unless there is one of its name; answers its name.
    pub(super) fn take(&mut self, section: &Section, behind: bool) -> Guid {
        if !self.taken.contains_key(&section.guid) {
            let rank = section.kind().and_then(|kind| ORDER.iter().position(|own| *own == kind));
            self.put(rank.map_or(ORDER.len(), |rank| rank + usize::from(behind)), section.clone());
        }
        section.guid
    }

    fn new_name(&self, kind: Kind, body: &Body) -> Result<Guid> {
        let mut bytes = Sink::default();
        let written = unlinked(body).write(&mut Writer::new(&mut bytes, Order::Little));
        written.map_err(|fault| Error::fault(&DRG_059.info, fault))?;
        let (bytes, ordinal) = (bytes.into_vec(), self.counts.get(&kind).copied().unwrap_or(0));
        let mut attempts = (0..=u32::MAX).map(|attempt| Guid::of(kind.tag(), ordinal, &bytes, attempt));
        Ok(attempts.find(|guid| !self.taken.contains_key(guid)).unwrap_or_default())
    }

    /// A section of settings with the name, what the kind needs, and the properties of an object.
    pub(super) fn settings(
        &mut self,
        name: &Name,
        needed: Properties,
        properties: &Properties,
        extras: &Extras,
        place: &Subject,
        cx: &mut LowerCx<'_>,
    ) -> Result<Guid> {
        let mut pairs: Vec<Pair> = Vec::new();
        if !name.is_empty() {
            pairs.extend(values::pair(&"name".into(), &Value::Text(name.clone()), None));
        }
        pairs.extend(needed.iter().filter_map(|(key, value)| values::pair(key, value, None)));
        let types = values::types(extras);
        let own = keys::guid(extras, keys::SETTINGS).is_some();
        for (i, (key, value)) in properties.iter().enumerate() {
            if !own && (key.bytes() == b"name" || needed.iter().any(|(known, _)| known == key)) {
                cx.lose(&LOSS_015, place, 1, &format!("property {key}"), "in DRAGON that name has a meaning");
                continue;
            }
            match values::pair(key, value, types.get(i)) {
                Some(pair) => pairs.push(pair),
                None => cx.lose(&LOSS_015, place, 1, &format!("property {key}"), "no type of a setting holds it"),
            }
        }
        let wanted = keys::guid(extras, keys::SETTINGS);
        if pairs.is_empty() && wanted.is_none() {
            return Ok(Guid::NONE);
        }
        self.add(wanted, Guid::NONE, Settings { pairs })
    }

    /// The settings of what has no field for properties.
    pub(super) fn settings_aside(
        &mut self,
        name: &Name,
        extras: &Extras,
        place: &Subject,
        cx: &mut LowerCx<'_>,
    ) -> Result<Guid> {
        let properties = values::of_value(extras.get(keys::PROPERTIES));
        self.settings(name, Vec::new(), &properties, extras, place, cx)
    }

    /// Puts everything into a document, with what travelled: sections that others name, and those that stand for nothing
    /// in a scene.
    pub(super) fn into_document(mut self, doc: &mut Document, scene: &Scene) {
        let kept = Rc::clone(&self.kept);
        let mut open: Vec<Guid> = vec![doc.header.settings];
        self.ranks.iter().flatten().for_each(|section| name_all(section, &mut open));
        for section in kept::load(&scene.extras, keys::SECTIONS) {
            self.take(&section, false);
            name_all(&section, &mut open);
        }
        while let Some(guid) = open.pop() {
            if !self.taken.contains_key(&guid)
                && let Some(section) = kept.any(guid)
            {
                self.take(section, false);
                name_all(section, &mut open);
            }
        }
        doc.sections = self.ranks.into_iter().flatten().map(wire::Kept::new).collect();
    }
}

/// Whether a section has these settings. Buffers, tracks and what concerns the file have none in a scene.
fn is_set(section: &Section, settings: Guid) -> bool {
    let unset = matches!(
        section.body,
        Body::Vertex(_) | Body::Indice(_) | Body::Morph(_) | Body::AniTrack(_) | Body::Asset(_) | Body::AssetRef(_)
    );
    section.settings == settings || (unset && settings.is_none())
}

/// Adds what a section refers to.
fn name_all(section: &Section, to: &mut Vec<Guid>) {
    to.push(section.settings);
    visit::references(&section.body, &mut |_, guid, _| to.push(guid));
}

/// A body that refers to nothing: names are made of what a section says, not of what others are called.
fn unlinked(body: &Body) -> Body {
    let mut body = body.clone();
    match &mut body {
        Body::Geometry(body) => {
            body.vertex_buffer = Guid::NONE;
            body.indice_buffer = Guid::NONE;
            body.morph_buffers = Guid::NONE;
            body.skeleton = Guid::NONE;
            body.socket = Guid::NONE;
            body.meshes.iter_mut().for_each(|mesh| mesh.material = Guid::NONE);
        }
        Body::Morph(body) => body.morphs.iter_mut().for_each(|morph| morph.vertex_buffer = Guid::NONE),
        Body::Material(body) => body.slots.iter_mut().for_each(|slot| slot.texture = Guid::NONE),
        Body::Socket(body) => body.skeleton = Guid::NONE,
        Body::Texture(body) => body.image = Guid::NONE,
        Body::Object(body) => (body.material, body.geometry) = (Guid::NONE, Guid::NONE),
        Body::Instance(body) => {
            body.geometry = Guid::NONE;
            body.instances.iter_mut().for_each(|group| group.material = Guid::NONE);
        }
        Body::VoxelObj(body) => {
            body.voxel_palette = Guid::NONE;
            body.voxels.to_mut().iter_mut().for_each(|voxel| voxel.voxel_material = Guid::NONE);
        }
        Body::Animate(body) => {
            body.skeleton = Guid::NONE;
            let tracks: &mut Bulk<_> = &mut body.tracks;
            tracks.to_mut().iter_mut().for_each(|track| track.track = Guid::NONE);
        }
        _ => {}
    }
    body
}
