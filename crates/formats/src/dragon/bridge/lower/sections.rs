//! Sections on their way into a file: in the order of the writer, with names that no two of them share.

use std::collections::HashMap;

use findings::{Error, Result, Subject};
use scene::loss::*;
use scene::{Extras, Name, Properties, Value};
use wire::{Kept, Order, Sink, Writer};

use super::super::super::rules::DRG_059;
use super::super::super::visit;
use super::super::{keys, settings};
use crate::LowerCx;
use crate::dragon::layout::Section;
use crate::dragon::layout::body::{Body, Pair, Settings};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;

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
    ranks: [Vec<Section>; ORDER.len()],
    /// Where each name is.
    taken: HashMap<Guid, (usize, usize)>,
    /// How many of each kind there are.
    counts: HashMap<Kind, u64>,
}

impl Sections {
    /// Adds a section and answers what it is called. One that is there already, name and all, is not added again.
    pub(super) fn add(&mut self, wanted: Option<Guid>, settings: Guid, body: impl Into<Body>) -> Result<Guid> {
        self.add_behind(false, wanted, settings, body.into())
    }

    /// The same for a vertex buffer of a morph.
    pub(super) fn add_morph(&mut self, body: impl Into<Body>) -> Result<Guid> {
        self.add_behind(true, None, Guid::NONE, body.into())
    }

    fn add_behind(&mut self, behind: bool, wanted: Option<Guid>, settings: Guid, body: Body) -> Result<Guid> {
        let kind = body.kind().unwrap_or(Kind::Null);
        let rank = ORDER.iter().position(|own| *own == kind).unwrap_or(0) + usize::from(behind);
        let guid = match wanted.map(|guid| (guid, self.taken.get(&guid))) {
            Some((guid, None)) => guid,
            Some((guid, Some((rank, at)))) => {
                let known = &self.ranks[*rank][*at];
                if known.settings == settings && known.body == body {
                    return Ok(guid);
                }
                self.new_name(kind, &body)?
            }
            None => self.new_name(kind, &body)?,
        };
        *self.counts.entry(kind).or_default() += 1;
        self.taken.insert(guid, (rank, self.ranks[rank].len()));
        self.ranks[rank].push(Section { settings, ..Section::new(guid, body) });
        Ok(guid)
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
            pairs.extend(settings::pair(&"name".into(), &Value::Text(name.clone()), None));
        }
        pairs.extend(needed.iter().filter_map(|(key, value)| settings::pair(key, value, None)));
        let types = settings::types(extras);
        let own = keys::guid(extras, keys::SETTINGS).is_some();
        for (i, (key, value)) in properties.iter().enumerate() {
            if !own && (key.bytes() == b"name" || needed.iter().any(|(known, _)| known == key)) {
                cx.lose(&LOSS_015, place, 1, format!("property {key}"), "in DRAGON that name has a meaning");
                continue;
            }
            match settings::pair(key, value, types.get(i)) {
                Some(pair) => pairs.push(pair),
                None => cx.lose(&LOSS_015, place, 1, format!("property {key}"), "no type of a setting holds it"),
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
        let properties = settings::of_value(keys::PROPERTIES.get(extras));
        self.settings(name, Vec::new(), &properties, extras, place, cx)
    }

    /// All of them, as they are written.
    pub(super) fn in_order(self) -> Vec<Kept<Section>> {
        self.ranks.into_iter().flatten().map(Kept::new).collect()
    }
}

/// A body that refers to nothing: names are made of what a section says, not of what others are called.
fn unlinked(body: &Body) -> Body {
    let mut body = body.clone();
    visit::rename(&mut body, &mut |_| Guid::NONE);
    body
}
