//! Skeletons: joints below every node that shows a mesh they move, and the sockets on them.

use std::collections::HashMap;

use findings::{Result, Subject};
use ops::inverse_binds;
use scene::loss::*;
use scene::{Extras, Id, Mesh, Node, NodeRole, Skin, Socket, Transform, Value};

use super::super::{keys, name, transforms};
use super::{Key, Lift};
use crate::dragon::layout::Section;
use crate::dragon::layout::body::{self, Body, Bone, Geometry, Skeleton};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;

/// A skeleton below a node.
pub(super) struct Use {
    pub(super) joints: Vec<Id<Node>>,
}

/// Skeletons without sockets, by the nodes they are below: what stands in one place can share its bones.
type Shared = HashMap<(Key, bool, [u64; 16]), Id<Skin>>;

/// What skeletons became.
#[derive(Default)]
pub(super) struct Rigs<'d> {
    /// Sockets by the skeleton they name.
    pub(super) sockets: HashMap<Guid, Vec<&'d Section>>,
    /// The joints of each skeleton, once for every place where it moves something.
    pub(super) uses: HashMap<Key, Vec<Use>>,
    shared: Shared,
    /// Nodes that show meshes, and the skeletons that move them.
    pub(super) shown: Vec<(Id<Node>, Id<Mesh>, Option<Key>)>,
}

impl<'d> Lift<'d, '_, '_> {
    /// Puts the bones of a skeleton below a node and binds what the node shows to them. Nodes that stand in one place share
    /// bones: what moves as a whole is often many meshes on one skeleton, and bones for each would be their product.
    pub(super) fn rig(
        &mut self,
        node: Id<Node>,
        section: &'d Section,
        skeleton: &'d Skeleton,
        geometry: Option<&'d Geometry>,
    ) -> Result<()> {
        let key: Key = section;
        let Node { role, transform, .. } = &self.scene.nodes[node];
        let stands = (key, *role == NodeRole::Unplaced, transform.matrix().to_cols_array().map(f64::to_bits));
        if let Some(skin) = self.skins.shared.get(&stands) {
            self.scene.nodes[node].skin = Some(*skin);
            return Ok(());
        }
        let label = Subject::structure("skeleton", self.scene.skins.len(), name(&skeleton.name));
        let (parents, broken) = parents(&skeleton.bones);
        if broken > 0 {
            self.cx.lose(&LOSS_043, &label, broken, "parents of bones", "they are not there, or hang in a circle");
        }
        let mut joints = Vec::with_capacity(skeleton.bones.len());
        for bone in &skeleton.bones {
            let mut joint = Node { name: name(&bone.name), transform: transforms::lift_bone(bone), ..Node::default() };
            if !bone.enabled.is_set() {
                keys::ENABLED.set(&mut joint.extras, Value::Bool(false));
            }
            self.count(1)?;
            joints.push(self.scene.nodes.add(joint));
        }
        for (joint, parent) in joints.iter().zip(&parents) {
            let above = parent.map_or(node, |parent| joints[parent]);
            self.scene.nodes[above].children.push(*joint);
        }
        let locals: Vec<Transform> = joints.iter().map(|joint| self.scene.nodes[*joint].transform).collect();
        let inverse_bind = inverse_binds(&parents, &locals);
        let mut extras = Extras::default();
        self.said_aside(section, false, &mut extras);
        let skin = Skin { name: name(&skeleton.name), joints: joints.clone(), inverse_bind, root: None, extras };
        let skin = self.scene.skins.add(skin);
        self.scene.nodes[node].skin = Some(skin);
        if section.guid.is_none() || !self.skins.sockets.contains_key(&section.guid) {
            self.skins.shared.insert(stands, skin);
        }
        self.sockets(node, section.guid, &joints, geometry)?;
        self.skins.uses.entry(key).or_default().push(Use { joints });
        Ok(())
    }

    /// The sockets of a skeleton, below their joints.
    fn sockets(
        &mut self,
        node: Id<Node>,
        skeleton: Guid,
        joints: &[Id<Node>],
        geometry: Option<&'d Geometry>,
    ) -> Result<()> {
        let mut own = self.skins.sockets.get(&skeleton).filter(|_| !skeleton.is_none()).cloned().unwrap_or_default();
        // In the order in which a walk through the tree meets them: it is the one they are written in.
        let met = self.walk(node);
        own.sort_by_key(|section| match &section.body {
            Body::Socket(socket) => usize::try_from(socket.bone)
                .ok()
                .and_then(|bone| met.get(joints.get(bone)?).copied())
                .unwrap_or(usize::MAX),
            _ => usize::MAX,
        });
        for section in own {
            let Body::Socket(socket) = &section.body else { continue };
            let joint = usize::try_from(socket.bone).ok().map(|bone| joints.get(bone).copied());
            let above = match joint {
                None => node,
                Some(Some(joint)) => joint,
                Some(None) => {
                    let what = format!("bone {}", socket.bone);
                    self.cx.lose(&LOSS_043, "SOCKET", 1, &what, "the skeleton has no such bone");
                    node
                }
            };
            let primary = geometry.is_some_and(|geometry| geometry.socket == section.guid && !section.guid.is_none());
            self.socket(above, section, socket, primary)?;
        }
        Ok(())
    }

    /// When a walk from a node downwards meets each node.
    fn walk(&self, from: Id<Node>) -> HashMap<Id<Node>, usize> {
        let mut met = HashMap::new();
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            met.insert(id, met.len());
            open.extend(self.scene.nodes[id].children.iter().rev());
        }
        met
    }

    fn socket(&mut self, above: Id<Node>, section: &'d Section, socket: &'d body::Socket, primary: bool) -> Result<()> {
        let mut extras = Extras::default();
        let (_, properties) = self.said(section, false, &mut extras);
        let transform = transforms::lift(socket.offset, &socket.rotation, [wire::F32(1.); 3]);
        let socket_node = Some(Socket { primary });
        let node =
            Node { name: name(&socket.name), transform, socket: socket_node, properties, extras, ..Node::default() };
        self.named.insert(section);
        self.below(above, node)?;
        Ok(())
    }

    /// The socket that a geometry names, if no skeleton places it.
    pub(super) fn own_socket(&mut self, node: Id<Node>, geometry: &'d Geometry) -> Result<()> {
        let Some(section) = self.find(geometry.socket, Kind::Socket, "GEOMETRY") else { return Ok(()) };
        let Body::Socket(socket) = &section.body else { return Ok(()) };
        let on_skeleton = !socket.skeleton.is_none() && socket.skeleton == geometry.skeleton;
        if !on_skeleton || self.scene.nodes[node].skin.is_none() {
            self.socket(node, section, socket, true)?;
        }
        Ok(())
    }

    /// Sockets that belong to nothing stand where they say.
    pub(super) fn loose_sockets(&mut self) -> Result<()> {
        let doc = self.doc;
        for section in doc.sections.iter().map(|section| &**section) {
            if let Body::Socket(socket) = &section.body
                && !self.named.contains(&std::ptr::from_ref(section))
            {
                let node = self.place(Node { role: NodeRole::Unplaced, ..Node::default() })?;
                self.socket(node, section, socket, false)?;
            }
        }
        Ok(())
    }
}

/// The parent of every bone, and how many of them are not there or hang in a circle.
fn parents(bones: &[Bone]) -> (Vec<Option<usize>>, u64) {
    let stored = |bone: &Bone| usize::try_from(bone.parent).ok().filter(|parent| *parent < bones.len());
    let mut out: Vec<Option<usize>> = bones.iter().map(stored).collect();
    let mut broken = bones.iter().zip(&out).filter(|(bone, parent)| bone.parent != -1 && parent.is_none()).count();
    // Bones whose way up is known, and the walk that is looking at a bone now.
    let mut looked_at = vec![0_usize; bones.len()];
    for start in 0..bones.len() {
        let mut at = start;
        loop {
            looked_at[at] = start + 1;
            match out[at] {
                Some(parent) if looked_at[parent] == start + 1 => {
                    out[at] = None;
                    broken += 1;
                    break;
                }
                Some(parent) if looked_at[parent] == 0 => at = parent,
                _ => break,
            }
        }
    }
    (out, broken as u64)
}
