use scene::{Node, NodeRole, Scene, Semantic, Transform, UpAxis, UvOrigin};

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
            unwrap_axis(scene);
            scene.space.up = up;
            if up != UpAxis::PosY {
                let rows = up.turn();
                let column = |i: usize| [rows[0][i], rows[1][i], rows[2][i], 0.];
                let turn = [column(0), column(1), column(2), [0., 0., 0., 1.]].concat();
                let turn = Transform::Matrix(turn.try_into().unwrap_or([0.; 16]));
                wrap(scene, Node { name: "axis".into(), transform: turn, role: NodeRole::Axis, ..Node::default() });
            }
        }
        let factor = self.unit.unwrap_or(1.) * self.scale.unwrap_or(1.);
        if factor != 1. {
            let scale = [factor as f32; 3];
            let transform = Transform::Trs { translation: [0.; 3], rotation: [0., 0., 0., 1.], scale };
            wrap(scene, Node { name: "scale".into(), transform, role: NodeRole::Axis, ..Node::default() });
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

/// Puts `node` above all roots of every scene.
fn wrap(scene: &mut Scene, node: Node) {
    for index in 0..scene.scenes.len() {
        let children = std::mem::take(&mut scene.scenes[index].nodes);
        let id = scene.nodes.add(Node { children, ..node.clone() });
        scene.scenes[index].nodes = vec![id];
    }
}

/// Takes away the node that turns the axis the file itself states.
fn unwrap_axis(scene: &mut Scene) {
    for index in 0..scene.scenes.len() {
        let roots = std::mem::take(&mut scene.scenes[index].nodes);
        let turned = |id: &scene::Id<Node>| scene.nodes[*id].role == NodeRole::Axis;
        let kept = roots.iter().flat_map(|id| if turned(id) { scene.nodes[*id].children.clone() } else { vec![*id] });
        let kept = kept.collect();
        scene.scenes[index].nodes = kept;
    }
}
