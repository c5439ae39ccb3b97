//! Document → scene.

mod attributes;
mod keeping;
mod morphs;
mod places;
mod rigs;
mod shapes;
mod skinning;
mod surfaces;
mod tracks;
mod voxels;

pub(in super::super) use keeping::is_layout;
pub(super) use tracks::{MORPH, is_split_into, time, written};
pub(super) use voxels::palette_extras;

use std::collections::{HashMap, HashSet};

use findings::{Place, Result, Subject};
use glam::DMat4;
use scene::loss::*;
use scene::{
    Extras, Id, Image, Material, Mesh, Name, Node, NodeRole, Origin, Properties, Scene, Texture, Transform, Value,
};

use super::super::body::Body;
use super::super::external::Library;
use super::super::facts;
use super::super::guid::Guid;
use super::super::kind::Kind;
use super::super::layout::{Document, Index, Section, VERSION};
use super::super::mesh::Buffers;
use super::super::rules::DRG_060;
use super::super::words::UpDirection;
use super::values::Said;
use super::{keys, name, values};
use crate::LiftCx;

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
        own: doc.sections.iter().map(|section| -> Key { &**section }).collect(),
        kept: HashSet::new(),
        pending: Vec::new(),
        images: HashMap::new(),
        textures: HashMap::new(),
        materials: HashMap::new(),
        meshes: HashMap::new(),
        sockets: HashMap::new(),
        placed: HashSet::new(),
        uses: HashMap::new(),
        shared: HashMap::new(),
        shown: Vec::new(),
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
    /// Sections of this file.
    own: HashSet<Key>,
    /// Sections that travel as they are.
    kept: HashSet<Key>,
    /// SETTINGS that travel with the next object that anything travels with.
    pending: Vec<&'d Section>,
    images: HashMap<Key, Id<Image>>,
    textures: HashMap<Key, Id<Texture>>,
    materials: HashMap<Key, Id<Material>>,
    meshes: HashMap<Key, Id<Mesh>>,
    /// Sockets by the skeleton they name.
    sockets: HashMap<Guid, Vec<&'d Section>>,
    /// Shapes that stand somewhere.
    placed: HashSet<Id<Mesh>>,
    /// The joints of each skeleton, once for every place where it moves something.
    uses: HashMap<Key, Vec<rigs::Use>>,
    shared: rigs::Shared,
    /// Nodes that show shapes, and the skeletons that move them.
    shown: Vec<(Id<Node>, Id<Mesh>, Option<Key>)>,
}

impl<'d> Lift<'d, '_, '_> {
    fn file(&mut self) -> Result<()> {
        self.scene.space = facts::space(self.doc);
        self.scene.origin = Some(Origin { format: "dragon".into(), dialect: "spec".into() });
        if self.doc.order == wire::Order::Big {
            self.scene.extras.set(keys::ENDIAN, "big");
        }
        if self.doc.header.version != VERSION {
            self.scene.extras.set(keys::VERSION, i64::from(self.doc.header.version));
        }
        if self.doc.header.guid != Guid::FILE {
            self.scene.extras.set(keys::FILE, keys::of_guid(self.doc.header.guid));
        }
        let up = self.doc.header.up_direction;
        if up.word().is_none() {
            self.scene.extras.set(keys::UP, i64::from(up.0));
        }
        if !self.doc.tail.is_empty() {
            let size = self.doc.tail.len() as u64;
            self.cx.lose_unless_it_travels(&LOSS_026, "tail", size, "bytes", "no field of the format owns them");
            self.scene.extras.set(keys::TAIL, Value::Bytes(self.doc.tail.to_vec()));
        }
        self.turn_up();
        self.about();
        let doc = self.doc;
        for section in &doc.sections {
            if let Body::Socket(socket) = &section.body {
                self.sockets.entry(socket.skeleton).or_default().push(section);
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
                self.shape(section, geometry)?;
            }
        }
        self.places()?;
        for section in &doc.sections {
            if let Body::Animate(animate) = &section.body {
                self.animation(section, animate)?;
            }
        }
        self.lose_the_rest();
        self.keep_the_rest();
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
        let mut extras = std::mem::take(&mut self.scene.extras);
        said.remember_types(&mut extras);
        keys::remember(&mut extras, keys::SETTINGS, doc.header.settings);
        self.keep_odd_settings(doc.header.settings, &said);
        self.keep(&mut extras, None);
        self.scene.extras = extras;
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
                    // The format has no word for a time that nobody knows.
                    metadata.created = Some(asset.time).filter(|time| *time != 0);
                    self.scene.extras.set(keys::ASSET, keys::of_guid(section.guid));
                }
                Body::Asset(_) => {
                    self.cx.lose(&LOSS_016, &format!("sections[{i}]"), 1, "ASSET", "a scene has one origin");
                }
                Body::AssetRef(reference) => {
                    references
                        .push(Value::List(vec![keys::of_guid(section.guid), Value::Text(name(&reference.reference))]));
                }
                _ => {}
            }
        }
        if !references.is_empty() {
            self.scene.extras.set(keys::REFERENCES, Value::List(references));
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

    /// What the settings of a section say; those that a writer would put together otherwise travel.
    fn own_settings(&mut self, section: &Section, named: bool) -> Said {
        let said = self.settings(section.settings, named, section.kind().map_or("section", Kind::name));
        self.keep_odd_settings(section.settings, &said);
        said
    }

    /// Lets SETTINGS travel that a writer would put together otherwise.
    fn keep_odd_settings(&mut self, guid: Guid, said: &Said) {
        let Some(section) = self.known(guid, Kind::Settings) else { return };
        let Body::Settings(settings) = &section.body else { return };
        if !said.is_all_of(settings) || section.version != VERSION || section.count != 0 || !section.settings.is_none()
        {
            self.pending.push(section);
        }
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

    /// Lists the sections that nothing in the scene stands for.
    fn lose_the_rest(&mut self) {
        let doc = self.doc;
        for (i, section) in doc.sections.iter().enumerate() {
            let place = || format!("sections[{i}]");
            match &section.body {
                Body::Unknown(unknown) => {
                    let size = unknown.bytes.len() as u64;
                    self.cx.lose_unless_it_travels(
                        &LOSS_026,
                        &place(),
                        size.max(1),
                        "section of an unknown kind",
                        "nothing explains it",
                    );
                }
                Body::Broken(broken) => {
                    let what = format!("{} that cannot be read", broken.kind.name());
                    self.cx.lose_unless_it_travels(
                        &LOSS_026,
                        &place(),
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
                    self.cx.lose_unless_it_travels(&LOSS_071, &place(), 1, what, &why);
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
        extras.set(keys::PROPERTIES, values::as_value(said.properties));
    }
    said.name
}
