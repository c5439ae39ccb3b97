//! Sections that travelled, and what a scene makes of them now: one that still says the same comes back as it was.

use std::collections::HashMap;

use scene::{Mesh, Primitive, Topology};
use wire::{F32, Order};

use super::super::super::body::{AniTrack, Animate, Body, Bone, Instance, Light, Settings, Skeleton};
use super::super::super::fields::Vec3;
use super::super::super::guid::Guid;
use super::super::super::kind::Kind;
use super::super::super::rotation::Rotation;
use super::super::super::words::LightType;
use super::super::kept::Kept;
use super::super::{lift, transforms};

const UNIT: Vec3 = [F32(1.); 3];

/// Whether an old section would be written as the new one, if it were read and nobody changed anything.
pub(super) fn agrees(old: &Body, new: &Body, kept: &Kept) -> bool {
    match (old, new) {
        (Body::Object(old), Body::Object(new)) => {
            (old.material, old.geometry) == (new.material, new.geometry)
                && same_place((old.position, &old.rotation, old.scale), (new.position, &new.rotation, new.scale))
        }
        (Body::Socket(old), Body::Socket(new)) => {
            (&old.name, old.skeleton, old.bone) == (&new.name, new.skeleton, new.bone)
                && same_place((old.offset, &old.rotation, UNIT), (new.offset, &new.rotation, UNIT))
        }
        (Body::Light(old), Body::Light(new)) => same_light(old, new),
        (Body::Instance(old), Body::Instance(new)) => same_places(old, new),
        (Body::Skeleton(old), Body::Skeleton(new)) => same_bones(old, new),
        (Body::Settings(old), Body::Settings(new)) => sorted(old) == sorted(new),
        (Body::AniTrack(old), Body::AniTrack(new)) => same_track(old, new),
        (Body::Animate(old), Body::Animate(new)) => same_tracks(old, new, kept),
        (old, new) => old == new,
    }
}

fn same_place(old: (Vec3, &Rotation, Vec3), new: (Vec3, &Rotation, Vec3)) -> bool {
    let (position, rotation, scale) = transforms::lower(&transforms::lift(old.0, old.1, old.2), new.1.kind());
    (position, &rotation, scale) == new
}

fn same_light(old: &Light, new: &Light) -> bool {
    // A type that is none is read as a point.
    let meant = |kind: LightType| if kind.word().is_some() { kind } else { LightType::POINT };
    let said = |light: &Light| (meant(light.light_type), light.color, light.strength);
    said(old) == said(new)
        && (old.fov == new.fov || old.light_type != LightType::SPOT)
        && same_place((old.position, &old.rotation, UNIT), (new.position, &new.rotation, UNIT))
}

fn same_places(old: &Instance, new: &Instance) -> bool {
    let mut groups = old.instances.iter().zip(&new.instances);
    (old.geometry, old.instances.len()) == (new.geometry, new.instances.len())
        && groups.all(|(a, b)| {
            let places = || (0..a.placements.len()).filter_map(|i| a.placements.get(i).zip(b.placements.get(i)));
            (a.material, a.placements.len()) == (b.material, b.placements.len())
                && places().all(|(a, b)| same_place((a.0, &a.1, a.2), (b.0, &b.1, b.2)))
        })
}

fn same_bones(old: &Skeleton, new: &Skeleton) -> bool {
    let same = |(a, b): (&Bone, &Bone)| {
        let (position, rotation, scale) = transforms::lower(&transforms::lift_bone(a), b.rotation.kind());
        (&a.name, a.enabled.is_set(), a.parent) == (&b.name, b.enabled.is_set(), b.parent)
            && rotation == b.rotation
            && b.position.is_none_or(|own| own == position)
            && b.scale.is_none_or(|own| own == scale)
    };
    (&old.name, old.bones.len()) == (&new.name, new.bones.len()) && old.bones.iter().zip(&new.bones).all(same)
}

/// Pairs in an order that does not depend on how they lie.
fn sorted(settings: &Settings) -> Vec<(Vec<u8>, Vec<u8>, Vec<u8>)> {
    let one = |pair: &super::super::super::body::Pair| {
        let value = pair.value_in(Order::Little).to_vec();
        (pair.key.bytes().to_vec(), pair.value_type.bytes().to_vec(), value)
    };
    let mut all: Vec<_> = settings.pairs.iter().map(one).collect();
    all.sort_unstable();
    all
}

fn same_track(old: &AniTrack, new: &AniTrack) -> bool {
    lift::written(old).is_some_and(|written| written == *new)
}

/// Tracks may be in another order; those without frames stand for nothing in a scene.
fn same_tracks(old: &Animate, new: &Animate, kept: &Kept) -> bool {
    let mut rest: HashMap<Guid, Vec<i32>> = HashMap::new();
    new.tracks.iter().for_each(|track| rest.entry(track.track).or_default().push(track.bone));
    for track in old.tracks.iter() {
        let found = rest.get_mut(&track.track).and_then(|bones| {
            let at = bones.iter().position(|bone| *bone == track.bone || *bone == -1)?;
            Some(bones.swap_remove(at))
        });
        let silent = || match kept.get(track.track, Kind::AniTrack).map(|section| &section.body) {
            Some(Body::AniTrack(track)) => track.frames() == 0,
            _ => false,
        };
        if found.is_none() && !silent() {
            return false;
        }
    }
    (old.framerate, old.skeleton) == (new.framerate, new.skeleton) && rest.values().all(Vec::is_empty)
}

/// Whether a part has anything that other formats can show.
pub(super) fn is_drawn(part: &Primitive) -> bool {
    let least = if part.topology == Topology::Points { 1 } else { 3 };
    let places = part.get(&scene::Semantic::Position).map_or(0, |stream| stream.len());
    places > 0 && part.draw_count() >= least
}

/// Whether two shapes show the same, in however many bytes each number is.
pub(super) fn same_shape(old: &Mesh, new: &Mesh) -> bool {
    let drawn = |mesh: &Mesh| mesh.primitives.iter().filter(|part| is_drawn(part)).cloned().collect::<Vec<_>>();
    let (old, new) = (drawn(old), drawn(new));
    old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| same_part(a, b))
}

pub(super) fn same_part(a: &Primitive, b: &Primitive) -> bool {
    let targets = || a.targets.iter().zip(&b.targets).all(|(a, b)| same_streams(&a.attributes, &b.attributes, true));
    a.topology == b.topology
        && a.indices == b.indices
        && a.corners == b.corners
        && a.targets.len() == b.targets.len()
        && same_streams(&a.attributes, &b.attributes, false)
        && targets()
}

/// Whether two lists have the same streams. What a morph does not move may be missing.
fn same_streams(a: &[scene::Attribute], b: &[scene::Attribute], sparse: bool) -> bool {
    let same = |one: &scene::Attribute, all: &[scene::Attribute]| {
        let Some(other) = all.iter().find(|other| other.semantic == one.semantic) else {
            return sparse && one.stream.count_elements(|row| row.iter().any(|v| *v != 0.)) == 0;
        };
        let (x, y) = (&one.stream, &other.stream);
        (x.len(), x.count()) == (y.len(), y.count())
            && (x == y || x.to_f64().iter().map(|v| v.to_bits()).eq(y.to_f64().iter().map(|v| v.to_bits())))
    };
    (sparse || a.len() == b.len()) && a.iter().all(|one| same(one, b)) && b.iter().all(|one| same(one, a))
}
