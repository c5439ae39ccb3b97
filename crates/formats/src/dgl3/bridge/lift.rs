//! Document → scene.

use std::collections::HashMap;

use findings::{Error, FileId, Finding, Loaded, Place, Result};
use scene::loss::*;
use scene::{Id, Material, Mesh, Name, Node, NodeRole, Origin, Scene, Transform, Value};
use wire::{Blob, F32};

use super::super::external::{self, Chain, Fault, MOST_FILES};
use super::super::facts::{DEFAULT_MATERIAL, material_of};
use super::super::layout::{Body, Document, Entity};
use super::super::property::{Property, PropertyValue};
use super::super::rules::{DGL3_026, DGL3_027};
use super::outside::{EXTERNAL, INCLUDED, INCLUDES};
use super::{floats, lights, meshes, name, rig};
use crate::{LiftCx, mat};

/// The key that a material's text travels under.
pub(super) const MAT_TEXT: &str = "dgl3.mat";

pub(in super::super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = super::super::SPACE;
    scene.origin = Some(Origin { format: "dgl3".into(), dialect: doc.dialect.id().into() });
    scene.metadata.title = name(&doc.header.name);
    scene.metadata.generator = name(&doc.header.creator_name);
    scene.metadata.raw = doc.header.data.to_vec();
    if doc.lights_missing() {
        scene.extras.set("dgl3.num_lights", i64::from(doc.header.num_lights));
    }
    if !doc.tail.is_empty() {
        cx.lose(&LOSS_026, "tail", doc.tail.len() as u64, "bytes", "no field of the format owns them");
    }
    let mut lift = Lift {
        scene,
        cx,
        pictures: mat::Pictures::default(),
        materials: HashMap::new(),
        files: MOST_FILES,
        room: (0, 0),
    };
    lift.file(doc, &Chain::start(), None)?;
    Ok(lift.scene)
}

pub(super) struct Lift<'c, 's> {
    pub(super) scene: Scene,
    pub(super) cx: &'c mut LiftCx<'s>,
    pictures: mat::Pictures,
    /// By the file that names it and the name; nothing if it is not there.
    materials: HashMap<Link, Option<Id<Material>>>,
    /// How many files may still be loaded.
    files: usize,
    /// Bytes made for keys so far, and those of the file they were made of: small files can ask for many.
    pub(super) room: (u64, u64),
}

/// A file name, and the file it stands in.
type Link = (Option<FileId>, Vec<u8>);

/// A mesh of the scene and what the file says about it.
pub(super) struct Lifted<'a> {
    pub(super) id: Id<Mesh>,
    pub(super) body: Option<std::borrow::Cow<'a, Body>>,
    /// The nodes that show it.
    pub(super) nodes: Vec<Id<Node>>,
}

impl Lift<'_, '_> {
    /// Adds everything of a file, below `parent` if another file names it.
    fn file(&mut self, doc: &Document, chain: &Chain, parent: Option<(Id<Node>, i64)>) -> Result<()> {
        let mut lifted = Vec::with_capacity(doc.meshes.len());
        for (i, mesh) in doc.meshes.iter().enumerate() {
            let body = match (&mesh.body, &mesh.external) {
                (Some(body), _) => Some(std::borrow::Cow::Borrowed(body)),
                (None, Some(external)) => {
                    let place = Place::path("meshes").nth(i).field("external").field("external_filename");
                    let source = self.cx.source;
                    match external::load_mesh(&external.external_filename, chain, source, &self.cx.limits) {
                        Ok(body) => Some(std::borrow::Cow::Owned(body)),
                        Err(fault) => {
                            self.miss(&external.external_filename, fault, place, chain);
                            None
                        }
                    }
                }
                (None, None) => None,
            };
            let made = meshes::lift(mesh, i, body.as_deref(), self.cx);
            lifted.push(Lifted { id: self.scene.meshes.add(made), body, nodes: Vec::new() });
        }
        let mut positions: HashMap<i32, usize> = HashMap::new();
        for (i, mesh) in doc.meshes.iter().enumerate() {
            positions.entry(mesh.mesh_id).or_insert(i);
        }
        for (i, entity) in doc.entities.iter().enumerate() {
            let position = positions.get(&entity.mesh_id).copied();
            let mut node = self.entity(entity, i, chain);
            match position {
                Some(position) => node.mesh = Some(lifted[position].id),
                None if entity.mesh_id != -1 => node.extras.set("dgl3.mesh_id", i64::from(entity.mesh_id)),
                None => {}
            }
            let id = self.add(node, parent);
            if let Some(position) = position {
                lifted[position].nodes.push(id);
            }
            if let Some(external) = &entity.external {
                self.include(&external.external_filename, i, chain, id)?;
            }
        }
        for (mesh, stored) in lifted.iter_mut().zip(&doc.meshes).filter(|(mesh, _)| mesh.nodes.is_empty()) {
            let node =
                Node { name: name(&stored.name), mesh: Some(mesh.id), role: NodeRole::Unplaced, ..Node::default() };
            mesh.nodes.push(self.add(node, parent));
        }
        for mesh in &lifted {
            rig::lift(self, mesh)?;
        }
        for (i, light) in doc.lights.iter().enumerate() {
            let (light, node) = lights::lift(light, i, self.cx);
            let light = self.scene.lights.add(light);
            self.add(Node { light: Some(light), ..node }, parent);
        }
        Ok(())
    }

    fn add(&mut self, mut node: Node, parent: Option<(Id<Node>, i64)>) -> Id<Node> {
        match parent {
            Some((parent, number)) => {
                node.extras.set(INCLUDED, number);
                let id = self.scene.nodes.add(node);
                self.scene.nodes[parent].children.push(id);
                id
            }
            None => self.scene.add_root(node),
        }
    }

    /// Adds the scene of another file below an entity.
    fn include(&mut self, file: &wire::Text, i: usize, chain: &Chain, node: Id<Node>) -> Result<()> {
        let place = Place::path("entities").nth(i).field("external").field("external_filename");
        if self.files == 0 {
            return Err(Error::limit(place, format!("more than {MOST_FILES} files are named")));
        }
        self.files -= 1;
        match external::load(file, chain, self.cx.source, &self.cx.limits) {
            Ok((doc, chain)) => {
                // What a nested file includes counts for the outermost entity.
                let outer = self.scene.nodes[node].extras.get(INCLUDED).and_then(Value::as_int);
                let number = outer.unwrap_or(i as i64);
                self.scene.nodes[node].extras.set(INCLUDES, number);
                self.file(&doc, &chain, Some((node, number)))
            }
            Err(fault) => {
                self.miss(file, fault, place, chain);
                Ok(())
            }
        }
    }

    /// Tells of a file that cannot be included, and that what it holds is missing.
    fn miss(&mut self, file: &wire::Text, fault: Fault, mut place: Place, chain: &Chain) {
        if let Some(file) = chain.from() {
            place = place.in_file(file.clone());
        }
        let (file, why) = (file.to_string(), fault.to_string());
        let file = findings::render::escape(&file).into_owned();
        self.cx.lose(&LOSS_090, &file, 1, "mesh or scene of another file", &why.replace(&format!("\"{file}\""), "it"));
        self.cx.find(&DGL3_027, place, why);
    }

    fn entity(&mut self, entity: &Entity, i: usize, chain: &Chain) -> Node {
        let transform = entity.transform;
        let mut node = Node {
            name: name(&entity.name),
            transform: Transform::Trs {
                translation: transform.position.map(F32::get),
                rotation: transform.rotation.map(F32::get),
                scale: transform.scale.map(F32::get),
            },
            properties: entity.properties.iter().map(property).collect(),
            material: self.material(entity, i, chain),
            ..Node::default()
        };
        if usize::try_from(entity.entity_id) != Ok(i) {
            node.extras.set("dgl3.id", i64::from(entity.entity_id));
        }
        if !entity.is_external.is_plain() {
            node.extras.set("dgl3.is_external", i64::from(entity.is_external.0));
        }
        if let Some(external) = &entity.external {
            node.extras.set(EXTERNAL, Value::Text(name(&external.external_filename)));
        }
        node
    }

    /// The material that an entity names, read once per file.
    fn material(&mut self, entity: &Entity, i: usize, chain: &Chain) -> Option<Id<Material>> {
        let file = material_of(entity).filter(|file| *file != DEFAULT_MATERIAL)?;
        let key = (chain.from().cloned(), file.to_vec());
        if let Some(known) = self.materials.get(&key) {
            return *known;
        }
        let found = self.load_material(file, i, chain);
        self.materials.insert(key, found);
        found
    }

    fn load_material(&mut self, file: &[u8], i: usize, chain: &Chain) -> Option<Id<Material>> {
        let shown = String::from_utf8_lossy(file).into_owned();
        let why = match self.cx.source.load(&shown, chain.from()) {
            Loaded::Found { bytes, id } => return Some(self.add_material(bytes, file, &id)),
            Loaded::Missing => "was not found".to_owned(),
            Loaded::Refused(why) => format!("is refused: {why}"),
        };
        let place = Place::path("entities").nth(i).field("properties");
        let message = format!("material file \"{}\" {why}", findings::render::escape(&shown));
        self.cx.findings.add(Finding::new(&DGL3_026.info, place, message));
        self.cx.lose(&LOSS_090, &*findings::render::escape(&shown), 1, "material", &format!("it {why}"));
        None
    }

    fn add_material(&mut self, bytes: Blob, file: &[u8], id: &FileId) -> Id<Material> {
        let doc = mat::Document::of(bytes);
        let (scene, pictures) = (&mut self.scene, &mut self.pictures);
        let mut material = mat::lift_material(&doc, Some(id), MAT_TEXT, scene, pictures, self.cx);
        material.extras.set("dgl3.file", Value::Text(Name::from(file)));
        self.scene.materials.add(material)
    }
}

fn property(property: &Property) -> (Name, Value) {
    let value = match &property.value {
        PropertyValue::Int(n) => Value::Int((*n).into()),
        PropertyValue::Float(n) => Value::F32(n.get()),
        PropertyValue::Vec2(v) => floats(&v.map(F32::get)),
        PropertyValue::Vec3(v) => floats(&v.map(F32::get)),
        PropertyValue::Vec4(v) => floats(&v.map(F32::get)),
        PropertyValue::Text(text) => Value::Text(name(text)),
    };
    (name(&property.name), value)
}
