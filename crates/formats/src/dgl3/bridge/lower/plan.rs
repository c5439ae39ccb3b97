//! What becomes what, in the order of the scene.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use scene::loss::*;
use scene::sample::Pose;
use scene::{Id, Mesh, Name, Node, NodeRole, Scene, Semantic, Skin, Transform, undone};

use super::super::keys::{self as key, EXTERNAL};
use crate::LowerCx;

/// What becomes an entity.
pub(super) struct Placed {
    pub(super) node: Id<Node>,
    pub(super) transform: Transform,
    /// Where parts stand that no joint holds, if that is elsewhere.
    pub(super) unbound: Option<Transform>,
    pub(super) mesh: Option<Id<Mesh>>,
    /// The file whose scene it stands for.
    pub(super) reference: Option<Name>,
}

/// What becomes what, in the order of the scene.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) entities: Vec<Placed>,
    pub(super) lights: Vec<(Id<Node>, Transform)>,
    /// Meshes that are written although no entity shows them, with the node that stood for them.
    pub(super) unplaced: Vec<(Id<Node>, Id<Mesh>)>,
    /// Skins of skinned meshes that are shown: their joints become bones.
    pub(super) skins: HashSet<Id<Skin>>,
}

impl Plan {
    pub(super) fn of(scene: &Scene, rest: &Pose, cx: &mut LowerCx<'_>) -> Plan {
        let tops = scene.scenes.get(scene.default_scene.unwrap_or(0)).map_or(&[][..], |root| &root.nodes);
        let tops: HashSet<Id<Node>> = tops.iter().copied().collect();
        let placed = scene.placed(scene.default_scene.unwrap_or(0));
        let mut plan =
            Plan { skins: placed.iter().filter_map(|(id, _)| skin_of(scene, *id)).collect(), ..Plan::default() };
        let joints: HashSet<Id<Node>> =
            plan.skins.iter().flat_map(|skin| &scene.skins[*skin].joints).copied().collect();
        let (bones, diagonal) = (Bones::of(scene, &plan.skins), OnceCell::new());
        for (id, world) in placed {
            let node = &scene.nodes[id];
            let label = node.subject(id);
            // What a bone shows is an entity or a light beside it, and hangs nowhere.
            let is_apart = |child: &Id<Node>| !bones.hang(id, *child) || shows(scene, *child);
            if node.role == NodeRole::Own && node.children.iter().any(is_apart) {
                cx.lose(&LOSS_008, &label, 1, "node with children", "DGL3 has no hierarchy");
            }
            let is_bone = joints.contains(&id) && !shows(scene, id);
            if is_bone || (node.light.is_some() && node.mesh.is_none()) {
                let why = format!("{} of DGL3 have none", if is_bone { "bones" } else { "lights" });
                for (name, _) in &node.properties {
                    cx.lose(&LOSS_015, &label, 1, format!("property {name}"), &why);
                }
            }
            if is_bone {
                continue;
            }
            let reference = key::text(&EXTERNAL, &node.extras).cloned();
            let elsewhere = stand(scene, rest, id).filter(|place| node.skin.is_some() && *place != world);
            let transform = match node.transform {
                // A root stands where it says, even if that is no number.
                trs @ Transform::Trs { .. } if tops.contains(&id) && elsewhere.is_none() => trs,
                _ => {
                    let world = elsewhere.unwrap_or(world);
                    let nearest = nearest(&world);
                    if !is_near(&nearest.matrix(), &world) {
                        let size = diagonal.get_or_init(|| rest.diagonal(scene));
                        let off = rest.apart(scene, id, &world, &nearest.matrix()) / size;
                        let why = "DGL3 has translation, rotation and scale";
                        cx.misplace(off, &label, 1, "shear of a transform", why);
                    }
                    nearest
                }
            };
            if node.light.is_some() {
                let (.., scale) = scene::sample::parts(&transform);
                if node.mesh.is_none() && scale.iter().any(|s| (s - 1.).abs() > 1e-5) {
                    cx.lose(&LOSS_009, &label, 1, "scale of a light", "lights of DGL3 have a position and a rotation");
                }
                // Where joints have its mesh, nothing else of the node stands.
                let transform = if elsewhere.is_some() { nearest(&world) } else { transform };
                plan.lights.push((id, aimed(transform, &world)));
            }
            // Materials are those of entities.
            let parts = |mesh: Id<scene::Mesh>| &scene.meshes[mesh].primitives;
            let bare = |mesh| node.material.is_none() && parts(mesh).iter().all(|part| part.material.is_none());
            match (node.role, node.mesh) {
                (NodeRole::Unplaced, Some(mesh)) if transform == Transform::default() && bare(mesh) => {
                    plan.unplaced.push((id, mesh));
                }
                (NodeRole::Axis, None) => {}
                (_, mesh) if mesh.is_some() || node.light.is_none() => {
                    let unbound = elsewhere.map(|_| nearest(&world));
                    plan.entities.push(Placed { node: id, transform, unbound, mesh, reference });
                }
                _ => {}
            }
        }
        plan
    }
}

/// The skin of what a node shows.
fn skin_of(scene: &Scene, node: Id<Node>) -> Option<Id<Skin>> {
    let node = &scene.nodes[node];
    let is_bound = |part: &scene::Primitive| part.get(&Semantic::Joints(0)).is_some();
    let is_skinned = scene.meshes.get(node.mesh?)?.primitives.iter().any(is_bound);
    node.skin.filter(|skin| is_skinned && scene.skins.get(*skin).is_some())
}

/// Whether a node shows something, or shines.
fn shows(scene: &Scene, node: Id<Node>) -> bool {
    scene.nodes.get(node).is_some_and(|node| node.mesh.is_some() || node.light.is_some())
}

/// Which skins each node has: that of the skinned mesh it shows, and those whose joint it is.
struct Bones {
    skins: HashMap<Id<Node>, Vec<Id<Skin>>>,
    joints: HashMap<Id<Skin>, HashSet<Id<Node>>>,
}

impl Bones {
    fn of(scene: &Scene, skins: &HashSet<Id<Skin>>) -> Bones {
        let mut out = Bones { skins: HashMap::new(), joints: HashMap::new() };
        for (id, skin) in scene.skins.entries().filter(|(id, _)| skins.contains(id)) {
            let bones = skin.joints.iter().filter(|joint| !shows(scene, **joint));
            bones.for_each(|joint| out.skins.entry(*joint).or_default().push(id));
            out.joints.insert(id, skin.joints.iter().copied().collect());
        }
        for id in scene.nodes.ids() {
            if let Some(skin) = skin_of(scene, id).filter(|skin| skins.contains(skin)) {
                out.skins.entry(id).or_default().push(skin);
            }
        }
        out
    }

    /// Whether a child hangs below its parent in the file, too: as a bone of it.
    fn hang(&self, parent: Id<Node>, child: Id<Node>) -> bool {
        let has = |skin: &Id<Skin>| self.joints.get(skin).is_some_and(|joints| joints.contains(&child));
        self.skins.get(&parent).is_some_and(|skins| skins.iter().any(has))
    }
}

/// Where the entity of a node stands. A skinned mesh may stand anywhere, but bones need a place that has an inverse.
pub(super) fn stand(scene: &Scene, rest: &Pose, node: Id<Node>) -> Option<glam::DMat4> {
    let has_joints =
        scene.nodes[node].skin.and_then(|skin| scene.skins.get(skin)).is_some_and(|s| !s.joints.is_empty());
    let place = rest.stand(scene, node)?;
    Some(if has_joints && undone(&place).is_none() { glam::DMat4::IDENTITY } else { place })
}

/// A transform whose −Z, along which lights shine, is where the world has it: a scale below zero turns it around.
fn aimed(transform: Transform, world: &glam::DMat4) -> Transform {
    let (translation, rotation, scale) = scene::sample::parts(&transform);
    let turn = glam::DQuat::from_array(rotation.map(f64::from)).normalize();
    let Some(ahead) = world.transform_vector3(glam::DVec3::NEG_Z).try_normalize() else { return transform };
    let found = turn * glam::DVec3::NEG_Z;
    if !found.is_finite() || found.distance(ahead) < 1e-6 {
        return transform;
    }
    let rotation = (glam::DQuat::from_rotation_arc(found, ahead) * turn).to_array().map(|v| v as f32);
    Transform::Trs { translation, rotation, scale }
}

/// A place in the world as a translation, rotation and scale.
fn nearest(world: &glam::DMat4) -> Transform {
    let (translation, rotation, scale) = scene::sample::decompose(world);
    Transform::Trs { translation, rotation, scale }
}

/// Whether two matrices say the same, but for rounding.
fn is_near(a: &glam::DMat4, b: &glam::DMat4) -> bool {
    let size = b.to_cols_array().iter().fold(1_f64, |most, v| most.max(v.abs()));
    (*a - *b).to_cols_array().iter().all(|v| v.abs() <= 1e-5 * size)
}
