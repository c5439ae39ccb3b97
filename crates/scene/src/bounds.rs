use glam::{DMat4, DVec3};

use crate::sample::Pose;
use crate::{Mesh, Scene, Semantic};

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

impl Mesh {
    /// The box around all its vertices, placed in the world.
    pub fn bounds(&self, world: &DMat4) -> Option<Bounds> {
        let world = (*world != DMat4::IDENTITY).then_some(world);
        let streams = self.primitives.iter().filter_map(|p| p.get(&Semantic::Position));
        streams.filter_map(|s| s.extent(world)).map(|(min, max)| Some(Bounds { min, max })).fold(None, Bounds::join)
    }
}

impl Scene {
    /// The box around everything the default scene shows, at rest. Coordinates that are not finite are left out.
    pub fn bounds(&self) -> Option<Bounds> {
        let mut all = None;
        let rest = self.nodes.iter().any(|node| node.skin.is_some()).then(|| Pose::rest(self));
        for (id, world) in self.placed(self.default_scene.unwrap_or(0)) {
            let node = &self.nodes[id];
            let bound = rest.as_ref().filter(|_| node.skin.is_some()).and_then(|rest| rest.stand(self, id));
            let world = bound.unwrap_or(world);
            if let Some(mesh) = node.mesh.and_then(|id| self.meshes.get(id)) {
                match &node.instances {
                    None => all = Bounds::join(all, mesh.bounds(&world)),
                    Some(instances) => {
                        for placement in &instances.placements {
                            all = Bounds::join(all, mesh.bounds(&(world * placement.transform.matrix())));
                        }
                    }
                }
            }
            if let Some(voxels) = node.voxels.and_then(|id| self.voxels.get(id)) {
                let half = DVec3::splat(0.5);
                for voxel in &voxels.voxels {
                    let middle = DVec3::from_array(voxel.position.map(f64::from));
                    if middle.is_finite() {
                        let corners = [middle - half, middle + half].map(|p| world.transform_point3(p));
                        let (min, max) = (corners[0].min(corners[1]), corners[0].max(corners[1]));
                        all = Bounds::join(all, Some(Bounds { min, max }));
                    }
                }
            }
        }
        all
    }
}
