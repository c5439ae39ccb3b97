//! Makes a scene fit what a target can hold. Each step is a file, changes the scene in one way and records what that
//! costs; formats state their [`Capabilities`] and repair nothing themselves.

mod attributes;
mod cut;
mod faces;
mod finite;
mod hierarchy;
mod keys;
mod layouts;
mod longest;
mod materials;
mod mixed;
mod objects;
mod rest;
mod room;
mod scenes;
mod shear;
mod trees;
mod values;
mod voxels;
mod weights;
mod words;

pub use cut::{cuts_at_second, triangulate};
pub use faces::{Sound, sound};
pub use hierarchy::{place, place_rounded, turn_round};
pub use mixed::{part_skinned, seat_below};
pub use objects::expand_copies;
pub use shear::bake_shear;
pub use voxels::faces_of;

use findings::Losses;
use wire::{Budget, Exceeded, Limits};

use crate::{
    Arena, Attribute, Capabilities, Count, Hold, Id, Mesh, Node, Numbers, Original, Primitive, Scene, Semantic,
};

/// The key of nodes and meshes that one of the scene became, beside the one that is still there. What they are called
/// is said by that one.
pub const COPY: &str = "fit.copy";

/// The key of the number by which an extension of a glTF file calls an object. The extension keeps that number; who
/// writes it again finds the object by this key, wherever it is then.
pub const NUMBER: &str = "gltf.number";

/// The key of the extensions that a reader of a glTF file has to know.
pub const REQUIRED: &str = "gltf.required";

/// The key of the oldest version of glTF that a reader of a file has to know.
pub const MIN_VERSION: &str = "gltf.min_version";

/// Keys that say how a glTF file is to be read, and nothing of what it shows: elsewhere nobody misses them.
const HOW_TO_READ: [&str; 3] = [NUMBER, REQUIRED, MIN_VERSION];

/// What every step is told.
pub(crate) struct Target<'a> {
    can: &'a Capabilities,
    /// Format id: keys that begin with it belong to the target itself.
    id: &'a str,
    /// The name reports use.
    name: &'a str,
    /// Whether it is the program behind the target that moves nothing, and not the target.
    still: bool,
}

impl Target<'_> {
    fn why(&self, missing: &str) -> String {
        format!("{} has no {missing}", self.name)
    }

    /// Why something that moves is left out.
    fn why_still(&self, missing: &str) -> String {
        if self.still { format!("the engine loads no {missing}") } else { self.why(missing) }
    }

    /// Whether a scene was a file of the target itself.
    fn is_own(&self, scene: &Scene) -> bool {
        scene.origin.as_ref().is_some_and(|origin| origin.format == self.id)
    }

    /// What it demands of the numbers of a scene. What a file of the target itself says is its own affair, unless who
    /// reads such files knows no others; who carries what was there has to be valid all the same.
    fn numbers(&self, scene: &Scene) -> Numbers {
        match self.can.numbers {
            Numbers::Checked if self.is_own(scene) => Numbers::Any,
            Numbers::Valid if self.is_own(scene) && !self.can.carries => Numbers::Any,
            numbers => numbers,
        }
    }

    /// Whether what is not finite has to be replaced, wherever it is. Who carries it does so alongside.
    fn demands_finite(&self, scene: &Scene) -> bool {
        match self.numbers(scene) {
            Numbers::Any => false,
            Numbers::Checked | Numbers::Finite => true,
            Numbers::Valid => !self.can.carries,
        }
    }
}

/// The scene as the target can hold it; what that costs is added to `losses`. Vertex data that need not change stays
/// shared with the source.
///
/// For scenes that are known to be small; [`fit_within`] is for those of files.
pub fn fit(scene: &Scene, can: &Capabilities, id: &str, name: &str, losses: &mut Losses) -> Scene {
    let endless = Limits { max_memory: Some(u64::MAX), max_elements: u64::MAX, ..Limits::default() };
    // Nothing exceeds what has no end.
    fit_within(scene, can, id, name, losses, &endless.into()).unwrap_or_default()
}

/// The same, within what a run may make.
///
/// # Errors
/// If that is exceeded: copies, and meshes that each node or primitive must have for itself, can be far more than a file
/// holds.
pub fn fit_within(
    scene: &Scene,
    can: &Capabilities,
    id: &str,
    name: &str,
    losses: &mut Losses,
    limits: &Budget,
) -> Result<Scene, Exceeded> {
    fit_to(scene, &Target { can, id, name, still: false }, losses, limits)
}

/// The same for a program that moves nothing, although its format has words for it: everything stands as it does at
/// rest.
///
/// # Errors
/// As [`fit_within`].
pub fn fit_at_rest(
    scene: &Scene,
    can: &Capabilities,
    id: &str,
    name: &str,
    losses: &mut Losses,
    limits: &Budget,
) -> Result<Scene, Exceeded> {
    let can = &Capabilities {
        skins: Hold::No,
        joint_sets: Count::NONE,
        morph_targets: Hold::No,
        animations: Hold::No,
        ..*can
    };
    fit_to(scene, &Target { can, id, name, still: true }, losses, limits)
}

fn fit_to(scene: &Scene, target: &Target<'_>, losses: &mut Losses, limits: &Budget) -> Result<Scene, Exceeded> {
    let mut scene = scene.clone();
    trees::fit(&mut scene, target, losses);
    scenes::fit(&mut scene, target, losses);
    voxels::fit(&mut scene, target, losses);
    objects::fit(&mut scene, target, losses);
    room::charge_primitives(&scene, target, limits)?;
    finite::fit(&mut scene, target, losses);
    // What a shape loses is told of the shape, before it becomes as many as there are places for it.
    faces::fit(&mut scene, target, losses);
    layouts::fit(&mut scene, target, losses);
    attributes::fit(&mut scene, target, losses);
    words::fit_shapes(&mut scene, target, losses);
    room::charge_shapes_at_rest(&scene, target, limits)?;
    rest::fit(&mut scene, target, losses);
    room::charge_copies(&scene, target, limits)?;
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
fn each_primitive(scene: &mut Scene, mut step: impl FnMut(&mut Primitive, &str)) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let label = Scene::label("mesh", index, &mesh.name);
        let single = mesh.primitives.len() == 1;
        for (part, primitive) in mesh.primitives.iter_mut().enumerate() {
            if single { step(primitive, &label) } else { step(primitive, &format!("{label} part {part}")) }
        }
    }
}

/// How many nodes show each mesh.
struct Users(Vec<usize>);

impl Users {
    fn of(scene: &Scene) -> Users {
        let mut users = vec![0; scene.meshes.len()];
        for mesh in scene.nodes.iter().filter_map(|node| node.mesh) {
            users.get_mut(mesh.index()).into_iter().for_each(|count| *count += 1);
        }
        Users(users)
    }

    /// The mesh of a node, which no other node shows from now on. The last node takes the shared one over: a mesh that
    /// none shows would be told of as if it were written.
    fn own_mesh<'a>(&mut self, scene: &'a mut Scene, node: Id<Node>) -> Option<&'a mut Mesh> {
        let mut own = scene.nodes[node].mesh?;
        let shared = scene.meshes.get(own)?;
        // A mesh that was not there when users were counted is one that a node was given here.
        if let Some(users) = self.0.get_mut(own.index()).filter(|users| **users > 1) {
            *users -= 1;
            let mut copy = shared.clone();
            copy.extras.set(COPY, 1);
            own = scene.meshes.add(copy);
            scene.nodes[node].mesh = Some(own);
        }
        Some(&mut scene.meshes[own])
    }
}

/// Takes away some meshes, and the coarser versions of them, as far as no node shows them.
fn drop_meshes(scene: &mut Scene, mut gone: Vec<bool>) {
    let coarser = |mesh: &Mesh| mesh.lods.iter().map(|lod| lod.mesh.index()).collect::<Vec<_>>();
    let set = |gone: &mut Vec<bool>, mesh: usize, to: bool| {
        for index in scene.meshes.get(Id::new(mesh)).map(coarser).unwrap_or_default().into_iter().chain([mesh]) {
            if let Some(gone) = gone.get_mut(index) {
                *gone = to;
            }
        }
    };
    (0..gone.len()).filter(|&mesh| gone[mesh]).collect::<Vec<_>>().into_iter().for_each(|m| set(&mut gone, m, true));
    scene.nodes.iter().filter_map(|node| node.mesh).for_each(|mesh| set(&mut gone, mesh.index(), false));
    if !gone.contains(&true) {
        return;
    }
    let mut kept = Arena::default();
    let mut moved = Vec::with_capacity(gone.len());
    for (mesh, gone) in scene.meshes.iter().zip(gone) {
        moved.push((!gone).then(|| kept.add(mesh.clone())));
    }
    let now = |mesh: Id<Mesh>| moved.get(mesh.index()).copied().flatten();
    for mesh in kept.iter_mut() {
        mesh.lods.retain_mut(|lod| now(lod.mesh).map(|mesh| lod.mesh = mesh).is_some());
    }
    scene.meshes = kept;
    scene.nodes.iter_mut().for_each(|node| node.mesh = node.mesh.and_then(now));
}

/// Remembers a stream as the source had it, if the target can carry it.
fn remember(primitive: &mut Primitive, target: &Target<'_>, semantic: &Semantic) {
    let Some(stream) = primitive.get(semantic).cloned().filter(|_| target.can.carries) else { return };
    let original = primitive.original.get_or_insert_with(|| Box::new(Original::default()));
    if !original.attributes.iter().any(|a| a.semantic == *semantic) {
        original.attributes.push(Attribute { semantic: semantic.clone(), stream: stream.narrowed() });
    }
}
