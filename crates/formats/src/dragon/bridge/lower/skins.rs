//! Skins: a skeleton for each, bound where the mesh is.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use findings::{Losses, Result, Subject, SubjectKind};
use glam::DMat4;
use ops::{chained, inverse_binds, is_skinned, sound_skins};
use scene::loss::*;
use scene::sample::Pose;
use scene::{Animation, Channel, Forest, Id, Mesh, Node, NodeRole, Scene, Skin, Track, Transform, Value, undone};
use wire::Bool8;

use super::super::{ctext, keys, transforms};
use super::Lower;
use crate::dragon::layout::body::{Bone, Skeleton, Socket};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::words::RotationType;

/// A skeleton below a node.
#[derive(Clone)]
pub(super) struct Rig {
    pub(super) skeleton: Guid,
    pub(super) skin: Id<Skin>,
    pub(super) joints: Vec<Id<Node>>,
    /// Positions among the joints.
    pub(super) parents: Vec<Option<usize>>,
    /// Bones at rest, relative to their parents.
    pub(super) rests: Vec<Transform>,
    /// Where the mesh stands.
    pub(super) object: Transform,
    /// Whether joints are bones as they are: below the node, and bound where they rest.
    pub(super) direct: bool,
    /// The joints and everything above them.
    pub(super) chain: HashSet<Id<Node>>,
    /// Where each joint is among them.
    pub(super) positions: HashMap<Id<Node>, usize>,
}

/// What skins became.
#[derive(Default)]
pub(super) struct Written {
    /// What moves the meshes of nodes.
    pub(super) of_nodes: HashMap<Id<Node>, Rc<Rig>>,
    /// The first node of each skeleton that a node moves, in order.
    pub(super) moved: HashMap<Id<Node>, Vec<Id<Node>>>,
    /// Meshes whose vertices some skeleton moves.
    pub(super) skinned: HashSet<Id<Mesh>>,
    /// The node that each skeleton moves.
    owners: HashMap<Guid, Id<Node>>,
}

/// What is known of a skin, whatever node it moves.
struct Bind {
    /// The joint above each joint, by position.
    parents: Vec<Option<usize>>,
    /// The one node that all topmost joints hang on; none if there are several, or a joint is there twice.
    holder: Option<Id<Node>>,
    /// Where the first joint has the mesh.
    place: Option<DMat4>,
}

impl Bind {
    /// Those of all skins, in order.
    fn all(scene: &Scene, forest: &Forest, rest: &Pose) -> Vec<Bind> {
        let of = |skin: &Skin| {
            let positions = positions(&skin.joints);
            let parent = |joint: Id<Node>| forest.chain(joint).skip(1).find_map(|up| positions.get(&up).copied());
            let parents: Vec<Option<usize>> = skin.joints.iter().map(|joint| parent(*joint)).collect();
            let tops = skin.joints.iter().map(|joint| forest.parent(*joint));
            let mut tops = tops.filter(|up| up.is_none_or(|up| !positions.contains_key(&up)));
            let first = tops.next().flatten();
            let holder = first.filter(|_| positions.len() == skin.joints.len() && tops.all(|up| up == first));
            Bind { place: place(skin, &parents, rest), holder, parents }
        };
        scene.skins.iter().map(of).collect()
    }
}

/// Where each joint is first.
fn positions(joints: &[Id<Node>]) -> HashMap<Id<Node>, usize> {
    joints.iter().enumerate().map(|(i, id)| (*id, i)).rev().collect()
}

/// How far matrices may differ that are meant to be the same, by their largest number.
const SAME: f64 = 1e-5;

impl Lower<'_, '_, '_> {
    /// Writes the skeletons of all nodes, and the sockets on them.
    pub(super) fn skeletons(&mut self) -> Result<()> {
        let scene = self.scene;
        let (forest, rest) = (Forest::of(scene), Pose::rest(scene));
        let (sound, binds) = (sound_skins(scene), Bind::all(scene, &forest, &rest));
        let mut known = Known::default();
        let placed = scene.placed(scene.default_scene.unwrap_or(0));
        for (id, world) in &placed {
            let node = &scene.nodes[*id];
            let Some(skin) = node.skin.filter(|_| is_skinned(scene, &sound, node)) else {
                if node.skin.is_some_and(|skin| scene.skins.get(skin).is_some_and(|skin| skin.joints.is_empty())) {
                    self.empty_skeleton(node)?;
                }
                continue;
            };
            let bind = &binds[skin.index()];
            let wanted = keys::guid(&scene.skins[skin].extras, keys::GUID);
            let shared = known.of_skins.get(&skin).filter(|(rig, _)| wanted.is_none_or(|guid| guid == rig.skeleton));
            let direct = direct(scene, &forest, bind, *id, skin);
            let rig = match (direct, shared) {
                (None, Some((rig, off))) => {
                    let (rig, off) = (Rc::clone(rig), *off);
                    self.lose_rest_pose(skin, off);
                    self.settings_of(skin)?;
                    rig
                }
                (direct, _) => {
                    let (mut rig, off) = match direct {
                        Some(rig) => (rig, None),
                        None => self.bound(&forest, &rest, bind, skin, world),
                    };
                    rig.skeleton = self.skeleton_section(&rig, &mut known)?;
                    let rig = Rc::new(rig);
                    known.rigs.push(Rc::clone(&rig));
                    // Without a place of its own it would stand where the node does.
                    if rig.direct || bind.place.is_some() {
                        known.of_skins.entry(skin).or_insert((Rc::clone(&rig), off.unwrap_or(0.)));
                    }
                    rig
                }
            };
            self.skins.owners.entry(rig.skeleton).or_insert(*id);
            self.skins.of_nodes.insert(*id, rig);
        }
        self.index_rigs(&known.rigs);
        self.lose_unused();
        Ok(())
    }

    /// The section of a skeleton: one that is there already, if it says the same.
    fn skeleton_section(&mut self, rig: &Rig, known: &mut Known) -> Result<Guid> {
        let scene = self.scene;
        let body = self.skeleton(rig);
        let settings = self.settings_of(rig.skin)?;
        let wanted = keys::guid(&scene.skins[rig.skin].extras, keys::GUID);
        let alike = known.alike.entry(fingerprint(&body)).or_default();
        let same = alike.iter().find(|(other_body, other_settings, other)| {
            (other_body, *other_settings) == (&body, settings) && is_same(scene, &known.rigs[*other], rig, wanted)
        });
        let guid = match same {
            Some((.., other)) => known.rigs[*other].skeleton,
            None => {
                let is_free = |guid: &Guid| !known.taken.contains(guid);
                self.sections.add(wanted.filter(is_free), settings, body.clone())?
            }
        };
        known.taken.insert(guid);
        alike.push((body, settings, known.rigs.len()));
        Ok(guid)
    }

    fn settings_of(&mut self, skin: Id<Skin>) -> Result<Guid> {
        let Skin { name, extras, .. } = &self.scene.skins[skin];
        let label = Subject::new(SubjectKind::Skin, skin.index(), name);
        self.sections.settings_aside(&Default::default(), extras, &label, self.cx)
    }

    /// Which skeletons each node moves, and which meshes are skinned.
    fn index_rigs(&mut self, rigs: &[Rc<Rig>]) {
        let mut rigs: Vec<(Id<Node>, &Rc<Rig>)> =
            rigs.iter().map(|rig| (self.skins.owners[&rig.skeleton], rig)).collect();
        rigs.sort_by_key(|(owner, _)| owner.index());
        for (owner, rig) in rigs {
            for node in &rig.chain {
                let owners = self.skins.moved.entry(*node).or_default();
                // Another use of the same skeleton says the same again.
                if owners.last() != Some(&owner) {
                    owners.push(owner);
                }
            }
        }
        let meshes = self.skins.of_nodes.keys().filter_map(|node| self.scene.nodes[*node].mesh);
        self.skins.skinned = meshes.map(|mesh| self.source(mesh)).collect();
    }

    /// Lists the skins that move nothing that is shown.
    fn lose_unused(&mut self) {
        let scene = self.scene;
        let used: HashSet<Id<Skin>> = self.skins.of_nodes.values().map(|rig| rig.skin).collect();
        for (id, skin) in scene.skins.entries().filter(|(id, _)| !used.contains(id)) {
            // One that says nothing is missed by nobody.
            if skin.joints.is_empty() || skin.name.is_empty() && keys::PROPERTIES.get(&skin.extras).is_none() {
                continue;
            }
            let label = skin.subject(id);
            self.cx.lose(&LOSS_002, &label, 1, "skin", "it moves nothing that is shown");
        }
    }

    /// A skeleton without bones.
    fn empty_skeleton(&mut self, node: &Node) -> Result<()> {
        let Some(skin) = node.skin.and_then(|skin| self.scene.skins.get(skin)) else { return Ok(()) };
        let settings = self.sections.settings_aside(&Default::default(), &skin.extras, &"skin".into(), self.cx)?;
        let body = Skeleton { name: ctext(&skin.name), rotation_type: RotationType::VEC4, bones: Vec::new() };
        self.sections.add(keys::guid(&skin.extras, keys::GUID), settings, body)?;
        Ok(())
    }

    fn skeleton(&self, rig: &Rig) -> Skeleton {
        let kind = transforms::kind_of_bones(&rig.rests);
        let bone = |(i, rest): (usize, &Transform)| {
            let joint = &self.scene.nodes[rig.joints[i]];
            let (position, rotation, scale) = transforms::lower(rest, kind);
            let apart = !kind.is_matrix();
            Bone {
                name: ctext(&joint.name),
                enabled: Bool8::from(keys::ENABLED.get(&joint.extras) != Some(&Value::Bool(false))),
                parent: rig.parents[i].and_then(|parent| i32::try_from(parent).ok()).unwrap_or(-1),
                position: apart.then_some(position),
                rotation,
                scale: apart.then_some(scale),
            }
        };
        let name = ctext(&self.scene.skins[rig.skin].name);
        Skeleton { name, rotation_type: kind, bones: rig.rests.iter().enumerate().map(bone).collect() }
    }

    /// A skeleton whose rest is where its joints are bound, and the place that brings the mesh to where the joints are.
    /// And how far that is from where the joints rest.
    fn bound(
        &mut self,
        forest: &Forest,
        rest: &Pose,
        known: &Bind,
        skin_id: Id<Skin>,
        world: &DMat4,
    ) -> (Rig, Option<f64>) {
        let skin = &self.scene.skins[skin_id];
        let (joints, parents) = (skin.joints.clone(), known.parents.clone());
        let bind = |i: usize| inverse_bind(skin, i);
        let bound: Vec<DMat4> = (0..joints.len()).map(|i| undone(&bind(i)).unwrap_or_default()).collect();
        let local = |i: usize| {
            let above = parents[i].map_or(DMat4::IDENTITY, |parent| bound[parent].inverse());
            let local = above * bound[i];
            exact_trs(if local.is_finite() { &local } else { &DMat4::IDENTITY })
        };
        let rests: Vec<Transform> = (0..joints.len()).map(local).collect();
        let stands = |i: usize| rest.world(joints[i]).unwrap_or_default() * bind(i);
        // In a place without a size no bone could be told where it goes.
        let mut places = known.place.into_iter().chain([*world]);
        let place = places.find(|place| undone(place).is_some()).unwrap_or_default();
        let object = exact_trs(&place);
        let off = (0..joints.len()).map(|i| difference(&stands(i), &place)).fold(0., f64::max);
        self.lose_rest_pose(skin_id, off);
        let mut chain = HashSet::new();
        for joint in &joints {
            // What is above a node that was met before was met, too.
            forest.chain(*joint).take_while(|above| chain.insert(*above)).for_each(drop);
        }
        let (skeleton, positions) = (Guid::NONE, positions(&joints));
        let rig = Rig { skeleton, skin: skin_id, joints, parents, rests, object, direct: false, chain, positions };
        (rig, Some(off))
    }

    fn lose_rest_pose(&mut self, skin: Id<Skin>, off: f64) {
        if off > SAME {
            let label = self.scene.skins[skin].subject(skin);
            let why = "DRAGON shows the bind pose where nothing moves";
            self.cx.losses.add_measured(&LOSS_044, off, &label, 1, "rest pose", why);
        }
    }

    /// Writes the sockets, and answers which is the first of each mesh.
    pub(super) fn sockets(&mut self) -> Result<HashMap<Id<Node>, Guid>> {
        let scene = self.scene;
        let forest = Forest::of(scene);
        let mut owner: HashMap<Id<Node>, (Id<Node>, usize)> = HashMap::new();
        let placed = scene.placed(scene.default_scene.unwrap_or(0));
        let mut met = HashSet::new();
        for (id, rig) in placed.iter().filter_map(|(id, _)| Some((id, self.skins.of_nodes.get(id)?))) {
            let first = met.insert(Rc::as_ptr(rig));
            for (bone, joint) in rig.joints.iter().enumerate().filter(|_| first) {
                owner.entry(*joint).or_insert((*id, bone));
            }
        }
        let places: HashMap<Id<Node>, DMat4> = placed.iter().copied().collect();
        let mut primary = HashMap::new();
        let mut known: Vec<(Socket, Guid, Guid)> = Vec::new();
        for (id, world) in &placed {
            let node = &scene.nodes[*id];
            let Some(socket) = &node.socket else { continue };
            let holds = |id: &Id<Node>| owner.contains_key(id) || scene.nodes[*id].mesh.is_some();
            let holder = forest.chain(*id).skip(1).find(holds);
            let (shown, bone) = match holder.map(|holder| (holder, owner.get(&holder))) {
                Some((_, Some((shown, bone)))) => (Some(*shown), i32::try_from(*bone).unwrap_or(-1)),
                Some((holder, None)) => (Some(holder), -1),
                None => (None, -1),
            };
            let direct = forest.parent(*id);
            let loose = direct.is_none_or(|up| scene.nodes[up].role == NodeRole::Unplaced);
            let transform = match holder {
                Some(holder) if direct == Some(holder) => node.transform,
                None if loose => node.transform,
                _ => {
                    let holder = holder.and_then(|holder| places.get(&holder)).copied().unwrap_or_default();
                    exact_trs(&(holder.inverse() * *world))
                }
            };
            let skeleton =
                shown.and_then(|shown| self.skins.of_nodes.get(&shown)).map_or(Guid::NONE, |rig| rig.skeleton);
            let kind = transforms::kind_of([&transform]);
            let (offset, rotation, scale) = transforms::lower(&transform, kind);
            let label = node.subject(*id);
            let size = scale.iter().fold(0_f64, |most, v| most.max((f64::from(v.get()) - 1.).abs()));
            if size > 0. {
                let why = "sockets of DRAGON have none";
                self.cx.losses.add_measured(&LOSS_031, size, &label, 1, "size of a socket", why);
            }
            let body = Socket { name: ctext(&node.name), rotation_type: kind, offset, rotation, skeleton, bone };
            let (properties, extras) = (&node.properties, &node.extras);
            let settings =
                self.sections.settings(&Default::default(), Vec::new(), properties, extras, &label, self.cx)?;
            let wanted = keys::guid(extras, keys::GUID);
            let same = known.iter().find(|(other, own, _)| *other == body && *own == settings && wanted.is_none());
            let guid = match same {
                Some((.., guid)) => *guid,
                None => self.sections.add(wanted, settings, body.clone())?,
            };
            known.push((body, settings, guid));
            if let Some(shown) = shown.filter(|_| socket.primary || skeleton.is_none()) {
                primary.entry(shown).or_insert(guid);
            }
        }
        Ok(primary)
    }
}

/// Whether one skeleton moves the meshes of both, whose bones are bound alike: their joints are the same nodes, or
/// others that rest and move alike, below nodes that do not move. A skeleton of a file keeps its name and takes no other
/// in.
fn is_same(scene: &Scene, known: &Rig, rig: &Rig, wanted: Option<Guid>) -> bool {
    if wanted.is_some_and(|guid| guid != known.skeleton) {
        return false;
    }
    let rests = |rig: &Rig| rig.joints.iter().map(|joint| scene.nodes[*joint].transform).collect::<Vec<_>>();
    // What moves each bone; nothing if what is above the bones moves.
    let tracks = |rig: &Rig, animation: &Animation| -> Option<Vec<(usize, Channel)>> {
        let bones: HashMap<Id<Node>, usize> = rig.joints.iter().enumerate().map(|(i, joint)| (*joint, i)).collect();
        let own = animation.channels.iter().filter(|c| c.node.is_some_and(|node| rig.chain.contains(&node)));
        let own = own.filter(|channel| channel.track != Track::Weights);
        own.map(|c| Some((*bones.get(c.node.as_ref()?)?, Channel { node: None, ..c.clone() }))).collect()
    };
    let move_alike = |animation: &Animation| {
        let known = tracks(known, animation);
        known.is_some() && known == tracks(rig, animation)
    };
    // Where nodes stand between joints, what they add to the pose would have to be compared, too.
    let hang = |rig: &Rig| {
        let above = |parent: usize| &scene.nodes[rig.joints[parent]].children;
        rig.parents.iter().zip(&rig.joints).all(|(parent, joint)| parent.is_none_or(|up| above(up).contains(joint)))
    };
    let is_copy = || rests(known) == rests(rig) && hang(known) && hang(rig) && scene.animations.iter().all(move_alike);
    known.joints == rig.joints || is_copy()
}

/// Skeletons that were written.
#[derive(Default)]
struct Known {
    rigs: Vec<Rc<Rig>>,
    /// Their bodies, settings and positions, by fingerprints of the bodies.
    alike: HashMap<u64, Vec<(Skeleton, Guid, usize)>>,
    taken: HashSet<Guid>,
    /// What moves meshes wherever their nodes stand, and how far its rest is from where it is bound.
    of_skins: HashMap<Id<Skin>, (Rc<Rig>, f64)>,
}

/// The same number for skeletons that are equal, and seldom for others.
fn fingerprint(skeleton: &Skeleton) -> u64 {
    let mut hasher = DefaultHasher::new();
    for bone in &skeleton.bones {
        (bone.name.bytes(), bone.parent, bone.position.map(|place| place.map(|v| v.get().to_bits()))).hash(&mut hasher);
    }
    hasher.finish()
}

/// Where the first joint has the mesh.
fn place(skin: &Skin, parents: &[Option<usize>], rest: &Pose) -> Option<DMat4> {
    let root = parents.iter().position(Option::is_none).unwrap_or(0);
    let stands = rest.world(*skin.joints.get(root)?).unwrap_or_default() * inverse_bind(skin, root);
    Some(stands).filter(|stands| undone(stands).is_some())
}

/// The scene with meshes turned round that their joints mirror and their nodes do not, or the other way round.
pub(super) fn turn_round(scene: &Scene) -> Option<(Scene, Losses)> {
    let (forest, rest) = (Forest::of(scene), Pose::rest(scene));
    let (sound, binds) = (sound_skins(scene), Bind::all(scene, &forest, &rest));
    fit::reverse_skinned(scene, |id| {
        let node = &scene.nodes[id];
        let skin = node.skin.filter(|_| is_skinned(scene, &sound, node)).map(|skin| (skin, &binds[skin.index()]));
        let bound = skin.filter(|(skin, bind)| direct(scene, &forest, bind, id, *skin).is_none());
        let placed = bound.and_then(|(_, bind)| bind.place).zip(rest.world(id));
        placed.is_some_and(|(place, world)| (place.determinant() < 0.) != (world.determinant() < 0.))
    })
}

/// The inverse bind matrix of a joint.
pub(super) fn inverse_bind(skin: &Skin, joint: usize) -> DMat4 {
    skin.inverse_bind.get(joint).map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m.map(f64::from)))
}

/// Gives what is skinned a node at the top, where its mesh has parts that stand at their node.
pub(super) fn part(scene: &Scene) -> Option<(Scene, Losses)> {
    let placed: HashMap<Id<Node>, DMat4> = scene.placed(scene.default_scene.unwrap_or(0)).into_iter().collect();
    let why = "what is skinned stands at its joints in DRAGON";
    fit::split_skinned(
        scene,
        why,
        |id| placed.contains_key(&id),
        |scene, beside, node| {
            _ = scene.add_root(Node { transform: exact_trs(&placed[&beside]), ..node });
        },
    )
}

/// A skeleton as this format has them: joints below the node, bound where they rest.
fn direct(scene: &Scene, forest: &Forest, bind: &Bind, id: Id<Node>, skin_id: Id<Skin>) -> Option<Rig> {
    let skin = &scene.skins[skin_id];
    if bind.holder != Some(id) || forest.parent(id).is_some() {
        return None;
    }
    let positions = positions(&skin.joints);
    let parent = |joint: &Id<Node>| forest.parent(*joint).and_then(|up| positions.get(&up).copied());
    let parents: Vec<Option<usize>> = skin.joints.iter().map(parent).collect();
    let moved = scene
        .animations
        .iter()
        .flat_map(|animation| &animation.channels)
        .any(|channel| channel.node == Some(id) && channel.track != Track::Weights);
    let rests: Vec<Transform> = skin.joints.iter().map(|joint| scene.nodes[*joint].transform).collect();
    let bits = |matrices: &[[f32; 16]]| matrices.as_flattened().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    if moved || bits(&inverse_binds(&parents, &rests)) != bits(&skin.inverse_bind) {
        return None;
    }
    let (joints, object) = (skin.joints.clone(), scene.nodes[id].transform);
    let chain = joints.iter().copied().collect();
    let skeleton = Guid::NONE;
    Some(Rig { skeleton, skin: skin_id, joints, parents, rests, object, direct: true, chain, positions })
}

/// Translation, rotation and scale if they say the same as a matrix, else the matrix.
pub(super) fn exact_trs(matrix: &DMat4) -> Transform {
    let (translation, rotation, scale) = scene::sample::decompose(matrix);
    let trs = Transform::Trs { translation, rotation, scale };
    if is_near(&trs.matrix(), matrix) { trs } else { Transform::Matrix(matrix.to_cols_array().map(|v| v as f32)) }
}

pub(super) fn is_near(a: &DMat4, b: &DMat4) -> bool {
    difference(a, b) <= SAME
}

/// How far apart the numbers of two matrices are at most, as a share of the largest, or of 1 where that is more.
fn difference(a: &DMat4, b: &DMat4) -> f64 {
    let size = b.to_cols_array().iter().fold(1_f64, |most, v| most.max(v.abs()));
    let most = (*a - *b)
        .to_cols_array()
        .iter()
        .fold(0_f64, |most, v| if v.is_nan() { f64::INFINITY } else { most.max(v.abs()) });
    most / size
}

impl Rig {
    /// Where the bones are at rest, relative to the mesh.
    pub(super) fn rest_worlds(&self) -> Vec<DMat4> {
        chained(&self.parents, &self.rests.iter().map(Transform::matrix).collect::<Vec<_>>())
    }
}
