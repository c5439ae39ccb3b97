//! Document ⇄ scene. The table of what maps to what is in the documentation of [`super`].

mod attributes;
mod inside;
mod lift;
mod limits;
mod lower;
mod named;
mod numbers;
mod pointers;
mod repack;
mod still;
mod unlit_factors;

pub(super) use attributes::semantic;
pub(super) use lift::{carried, levels_of, lift, linked_levels, second_places};
pub(super) use lower::lower;
pub(super) use named::named;
pub(super) use repack::repack;
pub(super) use still::says_still;

/// The pointer to what the sampler of a texture says beside how it samples.
const SAMPLER: &str = "/sampler";
/// The pointer to what the nodes of a node's coarser versions are called.
const LEVEL_NAMES: &str = "/extensions/MSFT_lod/names";

/// Whether a scene came from glTF, whose own defaults it then relies on.
fn is_gltf(scene: &scene::Scene) -> bool {
    scene.origin.as_ref().is_some_and(|origin| matches!(origin.format.as_str(), "gltf" | "glb"))
}

/// Whether a scene was made of a file of another format, and may become one again.
fn comes_from_elsewhere(scene: &scene::Scene) -> bool {
    scene.origin.is_some() && !is_gltf(scene)
}

/// Names of properties that the format which a scene came from gives a meaning to.
fn meant(scene: &scene::Scene) -> &'static [&'static str] {
    let format = scene.origin.as_ref().and_then(|origin| crate::by_id(&origin.format));
    format.map_or(&[], |format| format.meant())
}
