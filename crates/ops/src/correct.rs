//! What a file says wrongly of its axes, units and texture coordinates, corrected by who knows better.

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DMat4};
use scene::{Id, Node, NodeRole, Scene, Semantic, Transform, UpAxis, UvOrigin};

/// What the user knows better than the file about its axes, units and texture coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corrections {
    /// Which way is up.
    pub up: Option<UpAxis>,
    /// Metres per unit.
    pub unit: Option<f64>,
    /// A factor on everything.
    pub scale: Option<f64>,
    /// Where the first row of a texture is.
    pub uv_origin: Option<UvOrigin>,
}

impl Corrections {
    /// Whether nothing is corrected.
    pub fn is_empty(&self) -> bool {
        *self == Corrections::default()
    }

    /// Corrects a scene: axes and units by a root node, which no light and no camera takes its lengths from, so those
    /// are multiplied; texture coordinates by the encoding of their streams. No vertex is rewritten.
    pub fn apply(&self, scene: &mut Scene) {
        if let Some(up) = self.up.filter(|up| *up != scene.space.up) {
            let turn = turn(up) * turn(scene.space.up).transpose();
            scene.space.up = up;
            turn_roots(scene, DMat4::from_mat3(turn));
        }
        let factor = self.unit.unwrap_or(1.) * self.scale.unwrap_or(1.);
        if factor != 1. {
            let scale = [factor as f32; 3];
            let transform = Transform::Trs { translation: [0.; 3], rotation: [0., 0., 0., 1.], scale };
            let node = Node { name: "scale".into(), role: NodeRole::Axis, transform, ..Node::default() };
            wrap(scene, &HashSet::new(), &node);
            scene.scale_lengths(factor);
        }
        if let Some(origin) = self.uv_origin.filter(|origin| *origin != scene.space.uv_origin) {
            scene.space.uv_origin = origin;
            let flips = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
            for attribute in flips.flat_map(|primitive| &mut primitive.attributes) {
                if matches!(attribute.semantic, Semantic::TexCoord(_)) {
                    attribute.stream = attribute.stream.flipped();
                }
            }
        }
    }
}

/// The turn that makes an axis of a file the scene's Y.
fn turn(up: UpAxis) -> DMat3 {
    let [x, y, z] = up.turn().map(|row| row.map(f64::from));
    DMat3::from_cols_array_2d(&[x, y, z]).transpose()
}

/// Turns everything about the origin: nodes at the top that say how the file's axes lie, and the rest below a new one.
fn turn_roots(scene: &mut Scene, turn: DMat4) {
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let moved: HashSet<Id<Node>> = channels.filter_map(|channel| channel.node).collect();
    let roots = scene.scenes.iter().flat_map(|root| &root.nodes);
    let is_axis = |id: &Id<Node>| scene.nodes.get(*id).is_some_and(|node| node.role == NodeRole::Axis);
    let axes: HashSet<Id<Node>> = roots.copied().filter(|id| is_axis(id) && !moved.contains(id)).collect();
    for &axis in &axes {
        let transform = &mut scene.nodes[axis].transform;
        let turned = Transform::Matrix((turn * transform.matrix()).to_cols_array().map(|v| v as f32));
        *transform = if turned.is_identity() { Transform::default() } else { turned };
    }
    let transform = Transform::Matrix(turn.to_cols_array().map(|v| v as f32));
    wrap(scene, &axes, &Node { name: "axis".into(), role: NodeRole::Axis, transform, ..Node::default() });
}

/// Puts a copy of `node` above the roots of every scene, but for some. Roots that several scenes share have one of their
/// own, as a node has one parent.
fn wrap(scene: &mut Scene, but: &HashSet<Id<Node>>, node: &Node) {
    let mut users: HashMap<Id<Node>, Vec<usize>> = HashMap::new();
    for (index, root) in scene.scenes.iter().enumerate() {
        root.nodes.iter().filter(|id| !but.contains(id)).for_each(|id| users.entry(*id).or_default().push(index));
    }
    let mut shared: HashMap<Vec<usize>, Id<Node>> = HashMap::new();
    let mut tops: HashMap<Id<Node>, Id<Node>> = HashMap::new();
    for root in scene.scenes.iter().flat_map(|root| &root.nodes) {
        let Some(mut users) = users.remove(root) else { continue };
        users.dedup();
        let top = *shared.entry(users).or_insert_with(|| scene.nodes.add(node.clone()));
        scene.nodes[top].children.push(*root);
        tops.insert(*root, top);
    }
    for root in &mut scene.scenes {
        let mut seen = HashSet::new();
        let wrapped = root.nodes.iter().map(|id| *tops.get(id).unwrap_or(id));
        root.nodes = wrapped.filter(|top| but.contains(top) || seen.insert(*top)).collect();
    }
}
