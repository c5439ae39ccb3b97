use std::collections::{HashMap, HashSet};

use glam::{DMat4, DVec3};
use wire::{Budget, Exceeded, Limits};

use crate::cloud::Cloud;
use crate::sample::Pose;
use crate::{Placement, Scene, Semantic, Stream, Transform};

/// A box around everything, in the scene's axes and metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest corner.
    pub min: DVec3,
    /// Largest corner.
    pub max: DVec3,
}

impl Bounds {
    fn join(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
        match (a, b) {
            (Some(a), Some(b)) => Some(Bounds { min: a.min.min(b.min), max: a.max.max(b.max) }),
            (one, None) | (None, one) => one,
        }
    }

    /// Length of the diagonal.
    pub fn diagonal(&self) -> f64 {
        (self.max - self.min).length()
    }
}

impl Scene {
    /// The box around everything the default scene shows, at rest. Coordinates that are not finite are left out.
    ///
    /// For scenes that are known to be small; [`Scene::bounds_within`] is for those of files.
    pub fn bounds(&self) -> Option<Bounds> {
        let endless = Limits { max_memory: Some(u64::MAX), max_elements: u64::MAX, ..Limits::default() };
        // Nothing exceeds what has no end.
        self.bounds_within(&endless.into()).unwrap_or_default()
    }

    /// The same, within what a run may make.
    ///
    /// # Errors
    /// If too many instances of too many vertices would have to be looked at.
    pub fn bounds_within(&self, limits: &Budget) -> Result<Option<Bounds>, Exceeded> {
        self.bounds_of(limits, true)
    }

    /// Whether the box can be had within what a run may make, without looking at what stands in few places only.
    ///
    /// # Errors
    /// As [`Scene::bounds_within`].
    pub fn crowd_within(&self, limits: &Budget) -> Result<(), Exceeded> {
        self.bounds_of(limits, false).map(drop)
    }

    fn bounds_of(&self, limits: &Budget, whole: bool) -> Result<Option<Bounds>, Exceeded> {
        let mut all = None;
        let mut meshes: Vec<Vec<(DMat4, &[Placement])>> = vec![Vec::new(); self.meshes.len()];
        let mut voxels: Vec<Vec<(DMat4, &[Placement])>> = vec![Vec::new(); self.voxels.len()];
        let rest = self.nodes.iter().any(|node| node.skin.is_some()).then(|| Pose::rest(self));
        for (id, world) in self.placed(self.default_scene.unwrap_or(0)) {
            let node = &self.nodes[id];
            let bound = rest.as_ref().filter(|_| node.skin.is_some()).and_then(|rest| rest.stand(self, id));
            let world = bound.unwrap_or(world);
            if let Some(places) = node.mesh.and_then(|id| meshes.get_mut(id.index())) {
                places.push((world, node.instances.as_ref().map_or(&ALONE, |instances| &instances.placements)));
            }
            if let Some(places) = node.voxels.and_then(|id| voxels.get_mut(id.index())) {
                places.push((world, &ALONE));
            }
        }
        // Meshes may share what they are made of: it is looked at once, wherever they stand.
        let mut streams: Vec<(&Stream, Vec<_>)> = Vec::new();
        let mut known = HashMap::new();
        for (mesh, places) in self.meshes.iter().zip(meshes).filter(|(_, places)| !places.is_empty()) {
            let mut seen = HashSet::new();
            let positions = mesh.primitives.iter().filter_map(|p| p.get(&Semantic::Position));
            for stream in positions.filter(|stream| stream.count() >= 3 && seen.insert(stream.identity())) {
                let at = *known.entry((stream.identity(), *stream.encoding())).or_insert_with(|| {
                    streams.push((stream, Vec::new()));
                    streams.len() - 1
                });
                streams[at].1.extend(places.iter().copied());
            }
        }
        for (stream, places) in streams {
            let few = |world: &DMat4, all: &mut Option<Bounds>| {
                if !whole {
                    return;
                }
                let world = (*world != DMat4::IDENTITY).then_some(world);
                *all = Bounds::join(*all, stream.extent(world).map(|(min, max)| Bounds { min, max }));
            };
            let points =
                || stream.first(stream.distinct()).to_f64().chunks(stream.count()).map(DVec3::from_slice).collect();
            widen(&mut all, &places, stream.distinct(), few, points, limits)?;
        }
        for (voxels, places) in self.voxels.iter().zip(voxels) {
            let middles = || voxels.voxels.iter().map(|voxel| DVec3::from_array(voxel.position.map(f64::from)));
            let points = || -> Vec<DVec3> { middles().flat_map(|middle| [middle - HALF, middle + HALF]).collect() };
            let few = |world: &DMat4, all: &mut Option<Bounds>| {
                let placed = points().into_iter().map(|point| world.transform_point3(point));
                *all =
                    placed.filter(|p| p.is_finite()).map(|p| Some(Bounds { min: p, max: p })).fold(*all, Bounds::join);
            };
            widen(&mut all, &places, 2 * voxels.voxels.len(), few, points, limits)?;
        }
        Ok(all)
    }
}

/// From the middle of a voxel to its corner.
const HALF: DVec3 = DVec3::splat(0.5);

/// What is no copy stands where its node does.
static ALONE: [Placement; 1] = [Placement { transform: Transform::IDENTITY, material: None }];

/// So many points, each at so many places, are placed one by one.
const MANY: usize = 1 << 20;

/// Points that are looked at for one element that is charged.
const PER_ELEMENT: u64 = 64;

/// Makes a box large enough for points at all places: one by one, or, where those are many, only as far as it matters.
fn widen(
    all: &mut Option<Bounds>,
    places: &[(DMat4, &[Placement])],
    count: usize,
    few: impl Fn(&DMat4, &mut Option<Bounds>),
    points: impl Fn() -> Vec<DVec3>,
    limits: &Budget,
) -> Result<(), Exceeded> {
    let shown: usize = places.iter().map(|(_, placements)| placements.len()).sum();
    let mut worlds = places
        .iter()
        .flat_map(|(world, placements)| placements.iter().map(move |placement| *world * placement.transform.matrix()));
    if shown < 4 || shown.saturating_mul(count) < MANY {
        worlds.for_each(|world| few(&world, all));
        return Ok(());
    }
    let _held = limits.hold((count as u64).saturating_mul(2 * size_of::<DVec3>() as u64))?;
    let Some(cloud) = Cloud::of(points().into_iter()) else { return Ok(()) };
    let mut steps = 0;
    worlds.try_for_each(|world| {
        steps += if world.is_finite() { cloud.widen(&world, all) } else { 1 };
        let elements = steps / PER_ELEMENT;
        steps %= PER_ELEMENT;
        limits.charge_elements(elements)
    })
}
