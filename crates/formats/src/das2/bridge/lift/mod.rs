//! Document → scene.

mod animations;
mod joints;
mod materials;
mod meshes;
mod nodes;

use std::collections::HashMap;

use findings::{Place, Result};
use scene::loss::*;
use scene::{Id, Mesh, Node, Origin, Primitive, Scene};

use super::super::document::{Compression, Document, Parts};
use super::super::layout;
use super::super::write::DEFAULT_LEVEL;
use super::name;
use super::placement::Kept;
use crate::LiftCx;

pub(super) use animations::UNKNOWN;
pub(super) use materials::{alpha_mode, channel};
pub(super) use meshes::turned;

/// Keys that take as much room as a node.
const ROOM: u64 = 16;

pub(in super::super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let parts = doc.parts();
    let mut lift = Lift {
        doc,
        parts: &parts,
        cx,
        scene: Scene { space: super::super::SPACE, ..Scene::default() },
        surfaces: materials::Surfaces::default(),
        groups: Vec::new(),
        loose: Vec::new(),
        seats: Vec::new(),
        joints: vec![Vec::new(); parts.joints.len()],
        counts: HashMap::new(),
        made_parts: HashMap::new(),
        kept: Kept::default(),
    };
    lift.header();
    materials::lift(&mut lift);
    meshes::lift(&mut lift)?;
    nodes::lift(&mut lift);
    joints::lift(&mut lift)?;
    nodes::show_rest(&mut lift);
    animations::lift(&mut lift)?;
    let count = |mesh: &layout::Mesh| lift.counts.get(&address(mesh)).copied().unwrap_or(0);
    super::placement::remember(doc, &parts, &count, &mut lift.kept);
    let Lift { mut scene, kept, .. } = lift;
    kept.store(&mut scene);
    Ok(scene)
}

/// Why a link to a child does not count.
const NOT_A_TREE: &str = "what they name is not there, has another parent, or is above them";

struct Lift<'d, 'c, 'x> {
    doc: &'d Document,
    parts: &'d Parts<'d>,
    cx: &'c mut LiftCx<'x>,
    scene: Scene,
    surfaces: materials::Surfaces,
    /// The mesh of each group.
    groups: Vec<Id<Mesh>>,
    /// Meshes that no group names.
    loose: Vec<Id<Mesh>>,
    /// Where the mesh and the children of each node are: the node itself, or the one with its custom matrix.
    seats: Vec<Id<Node>>,
    /// The nodes that each joint became.
    joints: Vec<Vec<Id<Node>>>,
    /// Vertices of each mesh and LOD that was met, by its address.
    counts: HashMap<usize, usize>,
    /// What meshes became, and LODs with the meshes they belong to: groups may name them again.
    made_parts: HashMap<(usize, Option<usize>), Primitive>,
    kept: Kept,
}

fn address(mesh: &layout::Mesh) -> usize {
    std::ptr::from_ref(mesh).addr()
}

impl Lift<'_, '_, '_> {
    fn header(&mut self) {
        let (doc, scene) = (self.doc, &mut self.scene);
        scene.origin = Some(Origin { format: "das2".into(), dialect: doc.form.dialect().into() });
        scene.metadata.author = name(&doc.header.author_name);
        scene.metadata.comment = name(&doc.header.comment);
        let level = match doc.header.level {
            _ if doc.compression == Compression::None => 0,
            // What the library means by it.
            255 => 1,
            level => level.min(9),
        };
        if level != DEFAULT_LEVEL {
            self.kept.level = Some(level);
        }
        let header = &doc.header;
        let counters = [header.vertices_count, header.mesh_count, header.animation_count];
        self.kept.uncounted = counters == [0; 3] && !(self.parts.meshes.is_empty() && self.parts.animations.is_empty());
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
