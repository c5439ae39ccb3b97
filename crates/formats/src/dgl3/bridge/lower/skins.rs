//! Skins → bones. A skeleton that is as this format has them is written as it is. Any other is bound anew: bones of DGL3
//! rest without rotation and scale, so the pose of a bone is Pose′ = E⁻¹ · joint · inverse bind · Bind′, with the entity's
//! place E and Bind′ the bone's place alone. A mesh that moves as a whole gets one bone.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use findings::{Error, Result};
use glam::{DMat4, DVec3};
use scene::loss::*;
use scene::sample::{Pose, Sampler, decompose, parts};
use scene::{Forest, Id, Node, Primitive, Scene, Semantic, Skin, Transform, undone};
use wire::{Count, F32, FromMemory, Layout, Sink, Writer};

use super::super::bones::{inverse_bind, rest_places};
use super::plan;
use super::poses::parents_first;
use super::tracks::{self, Tracks};
use super::weights::{lower_weights, rigid_weights};
use crate::LowerCx;
use crate::dgl3::layout::{Body, Bone, Morph, ORDER, Skeletal};

/// Everything about skins and animations of a scene that the meshes share.
pub(super) struct Rigs<'a> {
    pub(super) scene: &'a Scene,
    pub(super) rest: &'a Pose,
    pub(super) sampler: Sampler<'a>,
    diagonal: OnceCell<f64>,
    forest: Forest,
    /// Frames per second that the user asks for.
    pub(super) asked: Option<i32>,
    /// The nodes that any animation moves.
    moved: HashSet<Id<Node>>,
    pub(super) tracks: Tracks,
    /// Meshes whose morph targets were told about.
    pub(super) told: HashSet<Id<scene::Mesh>>,
    /// Meshes whose weights of morph targets at rest were told about.
    pub(super) at_rest: HashSet<Id<scene::Mesh>>,
}

/// What moves a mesh. Nodes that show one mesh and move it alike share one record of the file.
#[derive(Clone, PartialEq)]
pub(super) struct Moves {
    skeletal: Option<Skeletal>,
    morph: Option<Morph>,
}

impl Moves {
    /// The same number for what moves so many vertices alike, and seldom for anything else.
    pub(super) fn fingerprint(&self, vertices: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.skeletal.as_ref().map(|skeletal| bytes_of(skeletal, vertices)).hash(&mut hasher);
        hasher.finish()
    }

    /// The mesh with what moves it.
    pub(super) fn add_to(&self, body: &Body) -> Body {
        Body {
            has_skeletal_animation: self.skeletal.is_some().into(),
            skeletal: self.skeletal.clone(),
            has_morph_target_animation: self.morph.is_some().into(),
            morph: self.morph.clone(),
            ..body.clone()
        }
    }
}

/// A skeleton, ready for its frames.
pub(super) struct Rig<'a> {
    pub(super) joints: Vec<Id<Node>>,
    /// The joints and everything above them.
    pub(super) chain: HashSet<Id<Node>>,
    /// Positions in the list, -1 for none.
    pub(super) parents: Vec<i32>,
    pub(super) places: Vec<[f32; 3]>,
    /// Whether the joints' own transforms are the bones'.
    pub(super) direct: bool,
    /// E⁻¹, and per joint inverse bind · Bind′.
    pub(super) to_entity: DMat4,
    pub(super) rebind: Vec<DMat4>,
    pub(super) skin: Option<&'a Skin>,
    /// Parents before children.
    pub(super) order: Vec<usize>,
}

impl Rig<'_> {
    /// Where each joint is in the list.
    pub(super) fn positions(&self) -> HashMap<Id<Node>, usize> {
        self.joints.iter().enumerate().map(|(i, &joint)| (joint, i)).collect()
    }
}

impl<'a> Rigs<'a> {
    /// The model's size at rest, which errors are told as shares of.
    pub(super) fn diagonal(&self) -> f64 {
        *self.diagonal.get_or_init(|| self.rest.diagonal(self.scene))
    }

    pub(super) fn new(scene: &'a Scene, rest: &'a Pose, cx: &LowerCx<'_>) -> Result<Rigs<'a>> {
        let asked = match cx.options.get("fps") {
            None => None,
            Some(given) => match given.parse::<i32>() {
                Ok(rate @ 1..=1000) => Some(rate),
                _ => {
                    return Err(
                        Error::usage(format!("--fps is {given}")).with_help("it is a whole number from 1 to 1000")
                    );
                }
            },
        };
        let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
        let moved = channels.filter(|channel| tracks::moves(channel)).filter_map(|channel| channel.node).collect();
        Ok(Rigs {
            scene,
            rest,
            sampler: Sampler::new(scene, rest),
            diagonal: OnceCell::new(),
            forest: Forest::of(scene),
            asked,
            moved,
            tracks: Tracks::default(),
            told: HashSet::new(),
            at_rest: HashSet::new(),
        })
    }

    /// What moves a part of a mesh at a node, and the animations of the scene that this is made of.
    pub(super) fn moves(
        &mut self,
        node: Id<Node>,
        mesh: Id<scene::Mesh>,
        primitive: &Primitive,
        cx: &mut LowerCx<'_>,
    ) -> Result<(Moves, Vec<usize>)> {
        self.tracks.start();
        let moves =
            Moves { skeletal: self.skeletal(node, primitive, cx)?, morph: self.morph(node, mesh, primitive, cx)? };
        Ok((moves, self.tracks.started()))
    }

    /// How far vertices are at rest from where they are bound, as a share of the model's size.
    fn rest_error(&self, rig: &Rig<'_>, node: Id<Node>, primitive: &Primitive) -> f64 {
        let points = scene::sample::morphed(primitive, &[], &Semantic::Position);
        let world = [self.rest.world(node).unwrap_or_default()];
        let skinned = self.rest.skinning(self.scene, node, primitive, points.len());
        let joints = skinned.as_deref().unwrap_or(&world).iter().cycle();
        let entity = rig.to_entity.inverse();
        let gaps = points.iter().zip(joints).map(|(p, m)| m.transform_point3(*p).distance(entity.transform_point3(*p)));
        gaps.fold(0., f64::max) / self.diagonal()
    }

    fn skeletal(&mut self, node: Id<Node>, primitive: &Primitive, cx: &mut LowerCx<'_>) -> Result<Option<Skeletal>> {
        let count = primitive.vertex_count();
        let label = self.scene.nodes[node].subject(node);
        let skin = self.scene.nodes[node].skin.and_then(|skin| self.scene.skins.get(skin));
        let skin = skin.filter(|skin| !skin.joints.is_empty() && primitive.get(&Semantic::Joints(0)).is_some());
        let exists = |skin: &&Skin| skin.joints.iter().all(|&joint| self.scene.nodes.get(joint).is_some());
        let skin = skin.filter(exists);
        let Some(rig) = self.rig(node, skin) else {
            if skin.is_some() {
                cx.lose(&LOSS_002, &label, 1, "skin", "the place of its node cannot be inverted");
            }
            return Ok(None);
        };
        let moved = self.sampler.movers(&rig.chain);
        if skin.is_none() && moved.is_empty() {
            return Ok(None);
        }
        let rate = self.rate(moved.iter().copied());
        if !rig.direct && self.rest_differs(&rig) {
            let off = self.rest_error(&rig, node, primitive);
            let why = "DGL3 shows the bind pose where nothing moves";
            cx.losses.add_measured(&LOSS_044, off, &label, 1, "rest pose", why);
        }
        let weights = match skin {
            Some(_) => lower_weights(primitive, rig.joints.len(), &label, cx),
            None => rigid_weights(count),
        };
        let mut animations = Vec::with_capacity(moved.len());
        for i in moved {
            // What the node shows may stand elsewhere than its joints.
            let excerpt = self.sampler.excerpt(i, rig.chain.iter().copied().chain([node]));
            animations.push(self.frames(&excerpt, i, &rig, (node, primitive), rate, cx)?);
            self.tracks.animation(i);
            for (k, channel) in &excerpt.channels {
                if tracks::moves(channel) && channel.node.is_some_and(|node| rig.chain.contains(&node)) {
                    self.tracks.channel(i, *k);
                }
            }
        }
        let bone =
            |(&parent, place): (&i32, &[f32; 3])| Bone { parent_bone_index: parent, local_position: place.map(F32) };
        Ok(Some(Skeletal {
            bones: rig.parents.iter().zip(&rig.places).map(bone).collect::<Vec<Bone>>().into(),
            weights,
            frames_per_second: rate,
            animations,
        }))
    }

    fn rig(&self, node: Id<Node>, skin: Option<&'a Skin>) -> Option<Rig<'a>> {
        let joints = skin.map_or_else(|| vec![node], |skin| skin.joints.clone());
        let position: HashMap<Id<Node>, usize> = joints.iter().enumerate().map(|(i, &joint)| (joint, i)).collect();
        let mut chain = HashSet::new();
        for &joint in &joints {
            // What is above a node that was met before was met, too.
            for above in self.forest.chain(joint) {
                if !chain.insert(above) {
                    break;
                }
            }
        }
        let parent = |joint: Id<Node>| self.forest.chain(joint).skip(1).find_map(|above| position.get(&above).copied());
        let parents: Vec<i32> = match skin {
            Some(_) => joints.iter().map(|&joint| parent(joint).map_or(-1, |i| i as i32)).collect(),
            None => vec![-1],
        };
        let order = parents_first(&parents);
        if let Some(skin) = skin.filter(|skin| self.is_direct(node, skin, &position)) {
            let places = joints.iter().map(|&joint| parts(&self.scene.nodes[joint].transform).0).collect();
            let rebind = vec![DMat4::IDENTITY; joints.len()];
            let (direct, to_entity) = (true, DMat4::IDENTITY);
            return Some(Rig { joints, chain, parents, places, direct, to_entity, rebind, skin: Some(skin), order });
        }
        let stand = if skin.is_some() { plan::stand(self.scene, self.rest, node) } else { self.rest.world(node) };
        let (t, r, s) = decompose(&stand?);
        let entity = Transform::Trs { translation: t, rotation: r, scale: s }.matrix();
        let to_entity = undone(&entity)?;
        let bind = |i: usize| {
            skin.and_then(|skin| skin.inverse_bind.get(i))
                .map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m.map(f64::from)))
        };
        let rests: Vec<DVec3> =
            (0..joints.len()).map(|i| undone(&bind(i)).map_or(DVec3::ZERO, |place| place.w_axis.truncate())).collect();
        let place = |i: usize| {
            let above = usize::try_from(parents[i]).map_or(DVec3::ZERO, |parent| rests[parent]);
            (rests[i] - above).to_array().map(|v| v as f32)
        };
        let places: Vec<[f32; 3]> = (0..joints.len()).map(place).collect();
        let rebind = rest_places(&parents, &places);
        let rebind = rebind.into_iter().enumerate().map(|(i, p)| bind(i) * DMat4::from_translation(p.into())).collect();
        Some(Rig { joints, chain, parents, places, direct: false, to_entity, rebind, skin, order })
    }

    /// Whether a skeleton is as this format has them: joints below the node that are bound where they rest, unturned.
    fn is_direct(&self, node: Id<Node>, skin: &Skin, position: &HashMap<Id<Node>, usize>) -> bool {
        if position.len() != skin.joints.len() {
            return false;
        }
        if self.forest.chain(node).any(|above| self.moved.contains(&above)) {
            return false;
        }
        let mut parents = Vec::with_capacity(skin.joints.len());
        let mut places = Vec::with_capacity(skin.joints.len());
        for joint in &skin.joints {
            let Some(above) = self.forest.parent(*joint) else { return false };
            match position.get(&above) {
                Some(&parent) => parents.push(parent as i32),
                None if above == node => parents.push(-1),
                None => return false,
            }
            match self.scene.nodes[*joint].transform {
                Transform::Trs { translation, rotation: [0., 0., 0., 1.], scale: [1., 1., 1.] } => {
                    places.push(translation)
                }
                _ => return false,
            }
        }
        let bound = rest_places(&parents, &places).into_iter().map(inverse_bind);
        bound.eq(skin.inverse_bind.iter().copied())
    }

    fn rest_differs(&self, rig: &Rig<'_>) -> bool {
        let rests = rest_places(&rig.parents, &rig.places);
        rig.joints.iter().enumerate().any(|(i, &joint)| {
            let pose = rig.to_entity * self.rest.world(joint).unwrap_or_default() * rig.rebind[i];
            let bind = DMat4::from_translation(rests[i].into());
            let size = pose.to_cols_array().iter().fold(1_f64, |most, v| most.max(v.abs()));
            (pose - bind).to_cols_array().iter().any(|v| v.abs() > 1e-5 * size)
        })
    }
}

fn bytes_of(skeletal: &Skeletal, vertices: usize) -> Vec<u8> {
    let mut sink = Sink::default();
    if let Ok(count) = <Count<i32> as FromMemory<usize>>::from_memory(vertices) {
        // What cannot be written is told when it is.
        _ = skeletal.write(&mut Writer::new(&mut sink, ORDER), count);
    }
    sink.into_vec()
}
