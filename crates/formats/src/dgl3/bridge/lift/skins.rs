//! Bones → joints below every node that shows the mesh, and skins.

use findings::{Place, Result};
use scene::loss::*;
use scene::{Component, Encoding, Id, Node, Scene, Semantic, Skin, Stream, Transform};
use wire::{Blob, F32};

use super::super::bones::{inverse_bind, rest_places};
use super::{Lift, Lifted, animations, morphs};
use crate::dgl3::layout::{Body, Skeletal};
use crate::dgl3::rules::broken_bones;

/// Sets of four joints that a vertex may have in a scene.
const MOST_SETS: usize = 255;

pub(super) fn lift(lift: &mut Lift<'_, '_>, mesh: &Lifted<'_>) -> Result<()> {
    let Some(body) = &mesh.body else { return Ok(()) };
    if let Some(skeletal) = &body.skeletal {
        if is_sound(skeletal, body.vertices.len()) {
            skeleton(lift, mesh, body, skeletal)?;
        } else {
            let label = lift.scene.meshes[mesh.id].subject(mesh.id);
            lift.cx.lose(&LOSS_043, &label, 1, "skeleton", "its bones do not hang together or move no vertex");
        }
    }
    if let Some(morph) = &body.morph {
        morphs::lift(lift, mesh, body, morph)?;
    }
    Ok(())
}

/// Whether a skeleton means something: bones that hang together and move vertices.
fn is_sound(skeletal: &Skeletal, vertices: usize) -> bool {
    let sets = skeletal.weights.per_vertex().div_ceil(4);
    vertices > 0 && !skeletal.bones.is_empty() && (1..=MOST_SETS).contains(&sets) && broken_bones(skeletal).is_empty()
}

fn skeleton(lift: &mut Lift<'_, '_>, mesh: &Lifted<'_>, body: &Body, skeletal: &Skeletal) -> Result<()> {
    add_weights(lift, mesh.id, body, skeletal);
    let joints = (skeletal.bones.len() as u64).saturating_mul(mesh.nodes.len() as u64);
    lift.cx.charge_objects(joints, || Place::path("meshes"))?;
    let mut skins = Vec::new();
    for &node in &mesh.nodes {
        let joints = add_joints(&mut lift.scene, node, skeletal);
        let skin = Skin { inverse_bind: inverse_binds(skeletal), joints: joints.clone(), ..Skin::default() };
        let skin = lift.scene.skins.add(skin);
        lift.scene.nodes[node].skin = Some(skin);
        skins.push(joints);
    }
    for animation in &skeletal.animations {
        let lifted = animations::skeletal(lift, skeletal, animation, &skins)?;
        lift.scene.animations.add(lifted);
    }
    Ok(())
}

fn add_joints(scene: &mut Scene, node: Id<Node>, skeletal: &Skeletal) -> Vec<Id<Node>> {
    let place = |position: [F32; 3]| Transform::Trs {
        translation: position.map(F32::get),
        rotation: [0., 0., 0., 1.],
        scale: [1.; 3],
    };
    let joints: Vec<Id<Node>> = skeletal
        .bones
        .iter()
        .map(|bone| scene.nodes.add(Node { transform: place(bone.local_position), ..Node::default() }))
        .collect();
    for (bone, &joint) in skeletal.bones.iter().zip(&joints) {
        let parent = usize::try_from(bone.parent_bone_index).ok().and_then(|parent| joints.get(parent));
        scene.nodes[*parent.unwrap_or(&node)].children.push(joint);
    }
    joints
}

fn inverse_binds(skeletal: &Skeletal) -> Vec<[f32; 16]> {
    let parents: Vec<i32> = skeletal.bones.iter().map(|bone| bone.parent_bone_index).collect();
    let places: Vec<[f32; 3]> = skeletal.bones.iter().map(|bone| bone.local_position.map(F32::get)).collect();
    rest_places(&parents, &places).into_iter().map(inverse_bind).collect()
}

/// Gives the mesh its joints and weights: the file's own bytes where they come in fours.
fn add_weights(lift: &mut Lift<'_, '_>, mesh: Id<scene::Mesh>, body: &Body, skeletal: &Skeletal) {
    let (weights, bones) = (&skeletal.weights, skeletal.bones.len());
    let (count, per_vertex) = (body.vertices.len(), weights.per_vertex());
    let sets = per_vertex.div_ceil(4);
    let exists = |bone: i32| usize::try_from(bone).is_ok_and(|bone| bone < bones);
    let mut missing = 0;
    weights.each(|_, indices, _| missing += indices.iter().filter(|&&bone| !exists(bone)).count());
    let mut streams = Vec::new();
    if missing == 0 && per_vertex % 4 == 0 {
        for set in 0..sets {
            let stream = |offset: usize, component| {
                let encoding = Encoding { stride: per_vertex * 8, ..Encoding::packed(component, 4) };
                Stream::new(weights.bytes().slice(offset..), count, encoding)
            };
            streams.push((stream(set * 16, Component::I32), stream(per_vertex * 4 + set * 16, Component::F32)));
        }
    } else {
        let mut made = vec![(vec![0_u8; count * 16], vec![0_f32; count * 4]); sets];
        weights.each(|vertex, indices, weights| {
            for (k, (&bone, &weight)) in indices.iter().zip(weights).enumerate() {
                let (joints, shares) = &mut made[k / 4];
                let slot = vertex * 4 + k % 4;
                if exists(bone) {
                    joints[slot * 4..slot * 4 + 4].copy_from_slice(&bone.to_le_bytes());
                    shares[slot] = weight;
                }
            }
        });
        for (joints, shares) in made {
            let joints = Stream::new(Blob::memory(joints), count, Encoding::packed(Component::I32, 4));
            streams.push((joints, Stream::from_f32(4, shares)));
        }
    }
    if missing > 0 {
        let label = lift.scene.meshes[mesh].subject(mesh);
        lift.cx.lose(&LOSS_043, &label, missing as u64, "weights", "their bones do not exist");
    }
    let Some(primitive) = lift.scene.meshes[mesh].primitives.first_mut() else { return };
    for (set, (joints, shares)) in (0_u8..).zip(streams) {
        primitive.set(Semantic::Joints(set), joints);
        primitive.set(Semantic::Weights(set), shares);
    }
}
