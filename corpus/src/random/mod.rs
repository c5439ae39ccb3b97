//! Scenes nobody thought of: valid glTF files made from a number.
//!
//! Each number switches on a handful of features, so that most files are small enough to be read when something goes
//! wrong with them; which ones is told by [`Made::features`].

mod draw;
mod extend;
mod json;
mod looks;
mod moves;
mod plan;
mod shapes;
mod trees;
mod write;

use draw::Draw;
pub use draw::Feature;

/// A file made from a number.
#[derive(Clone, Debug)]
pub struct Made {
    /// What the file is to be called: `scene.glb` or `scene.gltf`.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The files beside it, by their names.
    pub beside: Vec<(String, Vec<u8>)>,
    /// What was switched on.
    pub features: Vec<Feature>,
}

/// The scene of a number. The same number gives the same bytes on every machine; from a million on, scenes have what
/// tools of the field add to them.
///
/// ```
/// let made = corpus::random::scene(7);
/// assert_eq!(made.bytes, corpus::random::scene(7).bytes);
/// assert_ne!(made.bytes, corpus::random::scene(8).bytes);
/// ```
pub fn scene(seed: u64) -> Made {
    let features = draw::features(seed);
    with(seed, &features)
}

/// The scene of a number with other features than its own: what is left when those that do not matter are taken away.
pub fn with(seed: u64, features: &[Feature]) -> Made {
    let mut draw = Draw::new(seed, features);
    draw.looks();
    draw.meshes();
    draw.trees();
    draw.moves();
    draw.file();
    draw.extend();
    let written = write::write(&draw.plan, &mut draw.chance);
    let name = if draw.plan.packed { "scene.glb" } else { "scene.gltf" };
    Made { name, bytes: written.file, beside: written.beside, features: features.to_vec() }
}
