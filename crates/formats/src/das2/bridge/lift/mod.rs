//! Document → scene.

mod animations;
mod materials;
mod meshes;
mod nodes;
mod skins;

use std::collections::HashMap;

use findings::{Place, Result};
use scene::loss::*;
use scene::{Id, Mesh, Node, Origin, Primitive, Scene};

use super::super::document::{Document, Parts};
use super::super::layout;
use super::name;
use crate::LiftCx;

/// Keys that take as much room as a node.
const ROOM: u64 = 16;

pub(in super::super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let parts = doc.parts();
    let mut lift = Lift {
        doc,
        parts: &parts,
        cx,
        scene: Scene { space: super::super::SPACE, ..Scene::default() },
        materials: materials::Materials::default(),
        groups: Vec::new(),
        loose: Vec::new(),
        holders: Vec::new(),
        joints: vec![Vec::new(); parts.joints.len()],
        made_parts: HashMap::new(),
    };
    lift.header();
    materials::lift(&mut lift);
    meshes::lift(&mut lift)?;
    nodes::lift(&mut lift);
    skins::lift(&mut lift)?;
    nodes::show_rest(&mut lift);
    animations::lift(&mut lift)?;
    Ok(lift.scene)
}

/// Why a link to a child does not count.
const NOT_A_TREE: &str = "what they name is not there, has another parent, or is above them";

struct Lift<'d, 'c, 'x> {
    doc: &'d Document,
    parts: &'d Parts<'d>,
    cx: &'c mut LiftCx<'x>,
    scene: Scene,
    materials: materials::Materials,
    /// The mesh of each group.
    groups: Vec<Id<Mesh>>,
    /// Meshes that no group names.
    loose: Vec<Id<Mesh>>,
    /// Where the mesh and the children of each node are: the node itself, or the one with its custom matrix.
    holders: Vec<Id<Node>>,
    /// The nodes that each joint became.
    joints: Vec<Vec<Id<Node>>>,
    /// What meshes became, and LODs with the meshes they belong to: groups may name them again.
    made_parts: HashMap<(usize, Option<usize>), Primitive>,
}

fn address(mesh: &layout::Mesh) -> usize {
    std::ptr::from_ref(mesh).addr()
}

impl Lift<'_, '_, '_> {
    fn header(&mut self) {
        let (doc, scene) = (self.doc, &mut self.scene);
        scene.origin = Some(Origin { format: "das2".into(), dialect: doc.form.dialect().id().into() });
        scene.metadata.author = name(&doc.header.author_name);
        scene.metadata.comment = name(&doc.header.comment);
    }

    /// Takes room for so many objects, or says that it is too much.
    fn take(&mut self, objects: usize) -> Result<()> {
        self.cx.charge_objects(objects as u64, || Place::path("body"))
    }

    fn broken(&mut self, place: &str, count: usize, what: &str) {
        self.cut(place, count, what, "what they name is not there");
    }

    fn cut(&mut self, place: &str, count: usize, what: &str, why: &str) {
        if count > 0 {
            self.cx.lose(&LOSS_043, place, count as u64, what, why);
        }
    }
}
