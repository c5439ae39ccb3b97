//! What an FBX file is made of: its bytes, the nodes at their top, and what the reader makes of them.

use std::ops::Range;
use std::sync::Arc;

use wire::{Blob, Node, Row, Table};

use super::dialect::Dialect;
use crate::{Counts, Fact, Facts, Names};

/// A whole file.
#[derive(Clone)]
pub struct Document {
    pub(super) source: Blob,
    pub(super) dialect: Dialect,
    /// The nodes at the top, one behind the other from the first byte to the last.
    pub(super) nodes: Arc<Vec<TopNode>>,
    pub(super) scene: Arc<ufbx::SceneRoot>,
}

/// A node at the top of a file, and the bytes up to the next.
#[derive(Clone, Debug)]
pub struct TopNode {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub at: Range<usize>,
    /// Whether it ends inside the file.
    pub whole: bool,
}

/// The same bytes say the same.
impl PartialEq for Document {
    fn eq(&self, other: &Document) -> bool {
        self.source == other.source
    }
}
impl Eq for Document {}

impl Document {
    /// The bytes.
    pub fn source(&self) -> &Blob {
        &self.source
    }

    /// The nodes at the top of the file.
    pub fn nodes(&self) -> &[TopNode] {
        &self.nodes
    }

    /// What the reader makes of the file.
    pub fn scene(&self) -> &ufbx::Scene {
        &self.scene
    }
}

pub(super) fn tree(source: &Blob, nodes: &[TopNode]) -> Node {
    let node = |(i, node): (usize, &TopNode)| {
        Node::leaf(format!("[{i}]"), node.name.clone(), source.slice(node.at.clone()).span())
    };
    Node::list("nodes", "Node", nodes.iter().enumerate().map(node).collect())
}

impl crate::Document for Document {
    fn dialect(&self) -> &'static str {
        self.dialect.id()
    }

    fn tree(&self) -> Vec<Node> {
        vec![tree(&self.source, &self.nodes)]
    }

    /// Nothing: the bytes are the value.
    fn forget_raw(&mut self) {}

    fn facts(&self, _: bool) -> Facts {
        let scene = self.scene();
        let count = |count: usize| Some(count as u64);
        let names = |list: &mut dyn Iterator<Item = &str>| list.map(|name| name.as_bytes().to_vec()).collect();
        let counts = Counts {
            scenes: Some(1),
            // All but the root, which every file has and none says.
            nodes: count(scene.nodes.len().saturating_sub(1)),
            meshes: count(scene.meshes.len()),
            primitives: count(scene.meshes.into_iter().map(|mesh| mesh.material_parts.len().max(1)).sum()),
            vertices: count(scene.meshes.into_iter().map(|mesh| mesh.num_vertices).sum()),
            triangles: count(scene.meshes.into_iter().map(|mesh| mesh.num_triangles).sum()),
            materials: count(scene.materials.len()),
            textures: count(scene.textures.len()),
            images: count(scene.texture_files.len()),
            lights: count(scene.lights.len()),
            skins: count(scene.skin_deformers.len()),
            joints: count(scene.skin_clusters.len()),
            morph_targets: count(scene.blend_channels.len()),
            animations: count(scene.anim_stacks.len()),
            lods: count(scene.lod_groups.len()),
            ..Counts::ZERO
        };
        let own = |node: &&ufbx::Node| !node.is_root;
        let named = Names {
            meshes: names(&mut scene.meshes.into_iter().map(|mesh| &*mesh.element.name)),
            nodes: names(&mut scene.nodes.into_iter().filter(own).map(|node| &*node.element.name)),
            materials: names(&mut scene.materials.into_iter().map(|material| &*material.element.name)),
            animations: names(&mut scene.anim_stacks.into_iter().map(|stack| &*stack.element.name)),
        };
        let further = vec![
            ("version", Fact::Count(scene.metadata.version.into())),
            ("creator", Fact::Text(scene.metadata.creator.as_bytes().to_vec())),
            ("metres_per_unit", Fact::Float(scene.settings.unit_meters as f32)),
        ];
        Facts { counts, names: named, space: super::bridge::space(scene), further, ..Facts::default() }
    }
}

/// The nodes at the top of a file, as the reference page prints them.
pub(super) static NODES: Table = Table {
    name: "Nodes at the top",
    doc: &[" A file is a tree of named nodes. These are what a reader looks for; `dump` shows all of them."],
    rows: &[
        row("FBXHeaderExtension", &[" Version, and the program that wrote it."]),
        row("GlobalSettings", &[" Axes, unit, frame rate."]),
        row("Definitions", &[" Defaults of properties."]),
        row("Objects", &[" Models, geometries, materials, textures, animations, each with an id."]),
        row("Connections", &[" Which object belongs to which."]),
        row("Takes", &[" Animations of old files."]),
    ],
};

const fn row(field: &'static str, doc: &'static [&'static str]) -> Row {
    Row { field, ty: "node", when: "", doc, wire_only: false }
}
