//! Document ⇄ scene. The table of what maps to what is in the documentation of [`super`].

mod inside;
mod lift;
mod lower;
mod named;
mod numbers;
mod pointers;
mod repack;
mod still;
mod unseen;

pub(super) use lift::{carried, data, levels_of, lift, linked_levels, meshopt, second_places, semantic};
pub(super) use lower::lower;
pub(super) use named::named;
pub(super) use repack::repack;
pub(super) use still::says_still;

/// The key of what channels of an animation say inside, by their numbers.
const CHANNELS: &str = "gltf.channels";
/// The key of what the sampler of a texture says beside how it samples.
const SAMPLER: &str = "gltf.sampler";
/// The key of what the nodes of a node's coarser versions are called.
const LEVEL_NAMES: &str = "gltf.level_names";

/// The same light with a colour in the range that glTF demands, and a strength that makes up for it.
fn dimmed(color: [f32; 3], strength: f32) -> Option<([f32; 3], f32)> {
    let most = color.into_iter().fold(0_f32, f32::max);
    let valid = color.iter().all(|v| v.is_finite() && *v >= 0.) && most > 1.;
    let raised = strength * most;
    (valid && raised.is_finite()).then(|| (color.map(|v| v / most), raised))
}

/// Names of properties that the format which a scene came from gives a meaning to.
fn meant(scene: &scene::Scene) -> &'static [&'static str] {
    let format = scene.origin.as_ref().and_then(|origin| crate::by_id(&origin.format));
    format.map_or(&[], |format| format.meant())
}
