//! Document → scene.

mod animations;
mod includes;
mod lights;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod skins;

use std::collections::HashMap;

use findings::{FileId, Place, Result};
use scene::loss::*;
use scene::{Id, Material, Mesh, Node, NodeRole, Origin, Scene};

use super::keys::INCLUDED;
use super::name;
use crate::dgl3::SPACE;
use crate::dgl3::external::{self, Chain, MOST_FILES};
use crate::dgl3::layout::{Body, Document};
use crate::{LiftCx, mat};

pub(in crate::dgl3) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = SPACE;
    scene.origin = Some(Origin { format: "dgl3".into(), dialect: doc.dialect.id().into() });
    scene.metadata.title = name(&doc.header.name);
    scene.metadata.generator = name(&doc.header.creator_name);
    scene.metadata.raw = doc.header.data.to_vec();
    if !doc.tail.is_empty() {
        cx.report_unless_carried(&LOSS_026, "tail", doc.tail.len() as u64, "bytes", "no field of the format owns them");
    }
    let mut lift = Lift {
        scene,
        cx,
        textures: mat::Textures::default(),
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
    textures: mat::Textures,
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
            node.mesh = position.map(|position| lifted[position].id);
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
            skins::lift(self, mesh)?;
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
                INCLUDED.set(&mut node.extras, number);
                let id = self.scene.nodes.add(node);
                self.scene.nodes[parent].children.push(id);
                id
            }
            None => self.scene.add_root(node),
        }
    }
}
