//! Makes a scene fit what a target can hold. Each step is a file, changes the scene in one way and records what that
//! costs; formats state their [`Capabilities`] and repair nothing themselves.

mod attributes;
mod by_request;
mod faces;
mod finite;
mod hierarchy;
mod keys;
mod layouts;
mod longest;
mod materials;
mod objects;
mod rest;
mod room;
mod scenes;
mod trees;
mod values;
mod voxels;
mod weights;
mod words;

pub use by_request::{bake_shear, bind_moving, reverse_skinned, split_skinned};

use findings::{Error, Losses, Place, Result, Subject};
use scene::{Capabilities, Count, Hold, Numbers, Primitive, Scene};
use wire::{Budget, Exceeded};

/// What a scene is made to fit.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What it can hold.
    pub can: Capabilities,
    /// Format id: keys that begin with it belong to the target itself.
    pub id: &'static str,
    /// The name reports use.
    pub name: &'static str,
    /// Whether it is the program behind the target that moves nothing, and not the target.
    at_rest: bool,
}

impl Target {
    /// A target of its own.
    pub const fn new(id: &'static str, name: &'static str, can: Capabilities) -> Target {
        Target { can, id, name, at_rest: false }
    }

    /// The program behind the target, if it moves nothing although its format could: everything stands as it
    /// does at rest.
    #[must_use]
    pub fn at_rest(self) -> Target {
        let can = Capabilities {
            skins: Hold::No,
            joint_sets: Count::NONE,
            morph_targets: Hold::No,
            animations: Hold::No,
            ..self.can
        };
        Target { can, at_rest: true, ..self }
    }

    fn why(&self, missing: &str) -> String {
        format!("{} has no {missing}", self.name)
    }

    /// Why something that moves is left out.
    fn why_still(&self, missing: &str) -> String {
        if self.at_rest { format!("the engine loads no {missing}") } else { self.why(missing) }
    }

    /// Whether a scene was a file of the target itself.
    fn is_own(&self, scene: &Scene) -> bool {
        scene.origin.as_ref().is_some_and(|origin| origin.format == self.id)
    }

    /// What it demands of the numbers of a scene. What a file of the target itself says is its own affair, unless who
    /// reads such files knows no others.
    fn numbers(&self, scene: &Scene) -> Numbers {
        match self.can.numbers {
            Numbers::Checked if self.is_own(scene) => Numbers::Any,
            Numbers::Valid if self.is_own(scene) && !self.can.carries => Numbers::Any,
            numbers => numbers,
        }
    }

    /// Whether what is not finite has to be replaced, wherever it is.
    fn demands_finite(&self, scene: &Scene) -> bool {
        self.numbers(scene) != Numbers::Any
    }
}

/// The scene as the target can hold it; what that costs is added to `losses`. Vertex data that need not change stays
/// shared with the source.
///
/// # Errors
/// If the run may not make so much: instances, and meshes that each node or primitive must have for itself, can be far
/// more than a file holds.
pub fn fit(scene: &Scene, target: &Target, limits: &Budget, losses: &mut Losses) -> Result<Scene> {
    fit_within(scene, target, limits, losses).map_err(|exceeded| Error::exceeded(Place::file(), exceeded))
}

fn fit_within(scene: &Scene, target: &Target, limits: &Budget, losses: &mut Losses) -> Result<Scene, Exceeded> {
    let mut scene = scene.clone();
    trees::fit(&mut scene, target, losses);
    scenes::fit(&mut scene, target, losses);
    voxels::fit(&mut scene, target, losses);
    objects::fit(&mut scene, target, losses);
    room::charge_primitives(&scene, target, limits)?;
    finite::fit(&mut scene, target, losses);
    // What a mesh loses is told of the mesh, before it becomes as many as there are places for it.
    faces::fit(&mut scene, target, losses);
    layouts::fit(&mut scene, target, losses);
    attributes::fit(&mut scene, target, losses);
    words::fit_nodes_and_meshes(&mut scene, target, losses);
    room::charge_meshes_at_rest(&scene, target, limits)?;
    rest::fit(&mut scene, target, losses);
    room::charge_instances(&scene, target, limits)?;
    objects::expand_instances(&mut scene, target, losses);
    room::charge_places(&scene, target, limits)?;
    hierarchy::fit(&mut scene, target, losses);
    materials::assign_default(&mut scene, target);
    materials::fit(&mut scene, target, losses);
    faces::index(&mut scene, target);
    attributes::make_up(&mut scene, target);
    values::fit(&mut scene, target, losses);
    keys::fit(&mut scene, target, losses);
    weights::fit(&mut scene, target, losses);
    words::fit(&mut scene, target, losses);
    longest::fit(&mut scene, target, losses);
    Ok(scene)
}

/// Calls `step` for every primitive, with the words that name it in reports.
fn each_primitive(scene: &mut Scene, mut step: impl FnMut(&mut Primitive, &Subject)) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let label = mesh.subject(index);
        let single = mesh.primitives.len() == 1;
        for (part, primitive) in mesh.primitives.iter_mut().enumerate() {
            if single { step(primitive, &label) } else { step(primitive, &label.part(part)) }
        }
    }
}
