//! Document → scene.

mod animations;
mod attributes;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod skinning;
mod skins;
mod voxels;

use std::collections::{HashMap, HashSet};

use findings::{Place, Result, Subject};
use glam::DMat4;
use scene::loss::*;
use scene::{
    Extras, Id, Image, Material, Mesh, Name, Node, NodeRole, Origin, Properties, Scene, Texture, Transform, Value,
};

use super::super::external::Library;
use super::super::facts;
use super::super::rules::DRG_060;
use super::settings::Said;
use super::{keys, name, settings};
use crate::LiftCx;
use crate::dragon::dialect::Dialect;
use crate::dragon::layout::body::Body;
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::words::UpDirection;
use crate::dragon::layout::{Document, Index, Section};
use crate::dragon::variants::mesh::Buffers;

pub(in super::super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let canonical = doc.canonicalized();
    let doc = &*canonical;
    let library = Library::open(doc, cx.source, &cx.limits);
    for (section, why) in &library.faults {
        cx.find(&DRG_060, Place::path("sections").nth(*section).field("reference"), why.clone());
    }
    let mut lift = Lift {
        doc,
        index: doc.index(),
        library: &library,
        buffers: Buffers::of(doc),
        cx,
        scene: Scene::new(),
        axis: None,
        named: HashSet::new(),
        known: Known::default(),
        placed: HashSet::new(),
        skins: skins::Rigs::default(),
    };
    lift.file()?;
    Ok(lift.scene)
}

/// A section, wherever it lies; two of them are the same only if they are the same place.
type Key = *const Section;

pub(super) struct Lift<'d, 'c, 's> {
    doc: &'d Document,
    index: Index<'d>,
    library: &'d Library,
    buffers: Buffers<'d>,
    cx: &'c mut LiftCx<'s>,
    scene: Scene,
    /// What everything stands below, if the file's up is not the scene's.
    axis: Option<Id<Node>>,
    /// Sections that something refers to.
    named: HashSet<Key>,
    known: Known,
    /// Meshes that stand somewhere.
    placed: HashSet<Id<Mesh>>,
    skins: skins::Rigs<'d>,
}

/// What sections became that others name.
#[derive(Default)]
struct Known {
    images: HashMap<Key, Id<Image>>,
    textures: HashMap<Key, Id<Texture>>,
    materials: HashMap<Key, Id<Material>>,
    meshes: HashMap<Key, Id<Mesh>>,
}

impl<'d> Lift<'d, '_, '_> {
    fn file(&mut self) -> Result<()> {
        self.scene.space = facts::space(self.doc);
        self.scene.origin = Some(Origin { format: "dragon".into(), dialect: Dialect::Spec.id().into() });
        if self.doc.order == wire::Order::Big {
            keys::ENDIAN.set(&mut self.scene.extras, "big");
        }
        if !self.doc.tail.is_empty() {
            let size = self.doc.tail.len() as u64;
            self.cx.report_unless_carried(&LOSS_026, "tail", size, "bytes", "no field of the format owns them");
        }
        self.turn_up();
        self.about();
        let doc = self.doc;
        for section in &doc.sections {
            if let Body::Socket(socket) = &section.body {
                self.skins.sockets.entry(socket.skeleton).or_default().push(section);
            }
            match &section.body {
                Body::Image(_) => _ = self.image(section),
                Body::Texture(_) => _ = self.texture(section),
                Body::Material(_) => _ = self.material(section),
                _ => {}
            }
        }
        for section in &doc.sections {
            if let Body::Geometry(geometry) = &section.body {
                self.mesh(section, geometry)?;
            }
        }
        self.nodes()?;
        for section in &doc.sections {
            if let Body::Animate(animate) = &section.body {
                self.animation(section, animate)?;
            }
        }
        self.lose_the_rest();
        Ok(())
    }

    fn turn_up(&mut self) {
        if self.doc.header.up_direction == UpDirection::POSITIVE_Y || self.scene.space.up == scene::UpAxis::PosY {
            return;
        }
        let [x, y, z] = self.scene.space.up.turn();
        let turn =
            DMat4::from_mat3(glam::DMat3::from_cols_array_2d(&[x, y, z].map(|row| row.map(f64::from))).transpose());
        let transform = Transform::Matrix(turn.to_cols_array().map(|v| v as f32));
        let node = Node { name: "axis".into(), role: NodeRole::Axis, transform, ..Node::default() };
        self.axis = Some(self.scene.add_root(node));
    }

    /// What is known about the file as a whole.
    fn about(&mut self) {
        let doc = self.doc;
        let said = self.settings(doc.header.settings, false, "header");
        said.remember_types(&mut self.scene.extras);
        keys::remember(&mut self.scene.extras, keys::SETTINGS, doc.header.settings);
        self.scene.metadata.properties = said.properties;
        let mut references = Vec::new();
        let mut first = true;
        for (i, section) in doc.sections.iter().enumerate() {
            match &section.body {
                Body::Asset(asset) if std::mem::take(&mut first) => {
                    let metadata = &mut self.scene.metadata;
                    metadata.project = name(&asset.project);
                    metadata.copyright = name(&asset.copyright);
                    metadata.author = name(&asset.creator);
                    // The format has no field for an unknown time.
                    metadata.created = Some(asset.time).filter(|time| *time != 0);
                    keys::remember(&mut self.scene.extras, keys::ASSET, section.guid);
                }
                Body::Asset(_) => {
                    self.cx.lose(&LOSS_016, format!("sections[{i}]"), 1, "ASSET", "a scene has one origin");
                }
                Body::AssetRef(reference) => {
                    references
                        .push(Value::List(vec![keys::of_guid(section.guid), Value::Text(name(&reference.reference))]));
                }
                _ => {}
            }
        }
        if !references.is_empty() {
            keys::REFERENCES.set(&mut self.scene.extras, Value::List(references));
        }
    }

    /// What settings say.
    fn settings(&mut self, guid: Guid, named: bool, place: impl Into<Subject>) -> Said {
        match self.find(guid, Kind::Settings, place).map(|section| &section.body) {
            Some(Body::Settings(settings)) => Said::of(settings, named),
            _ => Said::default(),
        }
    }

    /// What the settings of a section say: its name if it has no field for one, and its properties.
    fn said(&mut self, section: &Section, named: bool, extras: &mut Extras) -> (Name, Properties) {
        let said = self.own_settings(section, named);
        remember(section, &said, extras);
        (said.name, said.properties)
    }

    fn own_settings(&mut self, section: &Section, named: bool) -> Said {
        self.settings(section.settings, named, section.kind().map_or("section", Kind::name))
    }

    /// The name of what has no field for properties, which stay beside it.
    fn said_aside(&mut self, section: &Section, named: bool, extras: &mut Extras) -> Name {
        let said = self.own_settings(section, named);
        keep_aside(section, said, extras)
    }

    /// The section that a name stands for: here, in the files this one names, or the first of its kind in a file whose
    /// reference is called so.
    fn find(&mut self, guid: Guid, kind: Kind, place: impl Into<Subject>) -> Option<&'d Section> {
        if guid.is_none() {
            return None;
        }
        let library = self.library;
        let found = match self.index.get(guid).map(|(_, section)| section) {
            Some(section) if section.kind() == Some(Kind::AssetRef) => library.first_of(guid, kind),
            Some(section) => Some(&**section),
            None => library.find(guid),
        };
        let found =
            found.filter(|section| section.body.kind() == Some(kind) && !matches!(section.body, Body::Broken(_)));
        match found {
            Some(section) => _ = self.named.insert(section),
            None => {
                let what = format!("{} {guid}", kind.name());
                self.cx.lose(&LOSS_043, place, 1, &what, "there is no such section");
            }
        }
        found
    }

    /// Adds a node to the top of the scene.
    fn place(&mut self, node: Node) -> Result<Id<Node>> {
        self.count(1)?;
        self.placed.extend(node.mesh);
        match self.axis {
            Some(axis) => self.below(axis, node),
            None => Ok(self.scene.add_root(node)),
        }
    }

    fn below(&mut self, parent: Id<Node>, node: Node) -> Result<Id<Node>> {
        self.count(1)?;
        let id = self.scene.nodes.add(node);
        self.scene.nodes[parent].children.push(id);
        Ok(id)
    }

    fn count(&mut self, objects: u64) -> Result<()> {
        self.cx.charge_objects(objects, || Place::path("sections"))
    }

    fn count_numbers(&mut self, numbers: usize) -> Result<()> {
        self.cx.charge(numbers as u64 * 4, || Place::path("sections"))
    }

    /// Lists the sections that are not in the scene.
    fn lose_the_rest(&mut self) {
        let doc = self.doc;
        for (i, section) in doc.sections.iter().enumerate() {
            let place = || format!("sections[{i}]");
            match &section.body {
                Body::Unknown(unknown) => {
                    let size = unknown.bytes.len() as u64;
                    self.cx.report_unless_carried(
                        &LOSS_026,
                        place(),
                        size.max(1),
                        "section of an unknown kind",
                        "nothing explains it",
                    );
                }
                Body::Broken(broken) => {
                    let what = format!("{} that cannot be read", broken.kind.name());
                    self.cx.report_unless_carried(
                        &LOSS_026,
                        place(),
                        broken.bytes.len() as u64,
                        &what,
                        "it breaks its layout",
                    );
                }
                body if body.is_part() && !self.named.contains(&std::ptr::from_ref::<Section>(section)) => {
                    let what = section.kind().map_or("section", Kind::name);
                    let owner = doc.sections.iter().find(|o| o.settings == section.guid && !section.guid.is_none());
                    let owner = owner.filter(|_| matches!(section.body, Body::Settings(_))).and_then(|o| o.kind());
                    let why = match owner {
                        Some(owner) => format!("a scene has no place for what is set about {}", owner.name()),
                        None => "nothing refers to it".to_owned(),
                    };
                    self.cx.report_unless_carried(&LOSS_071, place(), 1, what, &why);
                }
                _ => {}
            }
        }
    }
}

/// Remembers what a section and its settings are called, and which types of properties are not plain.
fn remember(section: &Section, said: &Said, extras: &mut Extras) {
    said.remember_types(extras);
    keys::remember(extras, keys::GUID, section.guid);
    keys::remember(extras, keys::SETTINGS, section.settings);
}

/// Leaves the properties of what has no field for them; answers its name.
fn keep_aside(section: &Section, said: Said, extras: &mut Extras) -> Name {
    remember(section, &said, extras);
    if !said.properties.is_empty() {
        keys::PROPERTIES.set(extras, settings::as_value(said.properties));
    }
    said.name
}
