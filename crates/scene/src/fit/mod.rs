//! Makes a scene fit what a target can hold. Each step is a file, changes the scene in one way and records what that
//! costs; formats state their [`Capabilities`] and repair nothing themselves.

mod attributes;
mod faces;
mod hierarchy;
mod materials;
mod objects;
mod values;
mod voxels;
mod weights;
mod words;

pub use faces::{Sound, sound, triangulate};
pub use hierarchy::place;

use findings::Losses;

use crate::{Attribute, Capabilities, Original, Primitive, Scene, Semantic};

/// What every step is told.
pub(crate) struct Target<'a> {
    can: &'a Capabilities,
    /// Format id: keys that begin with it belong to the target itself.
    id: &'a str,
    /// The name reports use.
    name: &'a str,
}

impl Target<'_> {
    fn why(&self, missing: &str) -> String {
        format!("{} has no {missing}", self.name)
    }
}

/// The scene as the target can hold it; what that costs is added to `losses`. Vertex data that need not change stays
/// shared with the source.
pub fn fit(scene: &Scene, can: &Capabilities, id: &str, name: &str, losses: &mut Losses) -> Scene {
    let target = Target { can, id, name };
    let mut scene = scene.clone();
    voxels::fit(&mut scene, &target, losses);
    objects::fit(&mut scene, &target, losses);
    hierarchy::fit(&mut scene, &target, losses);
    materials::fit(&mut scene, &target, losses);
    faces::fit(&mut scene, &target, losses);
    attributes::fit(&mut scene, &target, losses);
    values::fit(&mut scene, &target, losses);
    weights::fit(&mut scene, &target, losses);
    words::fit(&mut scene, &target, losses);
    scene
}

/// Calls `step` for every primitive, with the words that name it in reports.
fn each_primitive(scene: &mut Scene, mut step: impl FnMut(&mut Primitive, &str)) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let label = Scene::label("mesh", index, &mesh.name);
        let single = mesh.primitives.len() == 1;
        for (part, primitive) in mesh.primitives.iter_mut().enumerate() {
            if single { step(primitive, &label) } else { step(primitive, &format!("{label} part {part}")) }
        }
    }
}

/// Remembers a stream as the source had it, if the target can carry it.
fn remember(primitive: &mut Primitive, target: &Target<'_>, semantic: &Semantic) {
    let Some(stream) = primitive.get(semantic).cloned().filter(|_| target.can.carries) else { return };
    let original = primitive.original.get_or_insert_with(|| Box::new(Original::default()));
    if !original.attributes.iter().any(|a| a.semantic == *semantic) {
        original.attributes.push(Attribute { semantic: semantic.clone(), stream: stream.narrowed() });
    }
}
