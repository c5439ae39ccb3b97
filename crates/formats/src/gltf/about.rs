//! What a file written by pentad says of itself as a whole. It stands in the extras of the scene that is shown: those of
//! `asset` are the first thing that editors drop.

use serde_json::json;

use super::carry::{KEY, sha256};
use super::extensions::LIGHTS;
use super::schema::{Json, Map, Root};

/// The key below `extras.pentad` of a scene.
pub(super) const FILE: &str = "file";
/// How many objects of some kinds there were.
pub(super) const HOLDS: &str = "holds";
/// Which number each object had.
pub(super) const NUMBERS: &str = "numbers";
/// Whether the source itself was there.
pub(super) const CARRIED: &str = "carried";

/// The scene whose extras speak for the file.
pub(super) fn speaker(root: &Root) -> Option<usize> {
    root.scene.filter(|&scene| scene < root.scenes.len()).or((!root.scenes.is_empty()).then_some(0))
}

/// How many objects there are of kinds that editors drop.
fn counts(root: &Root) -> [(&'static str, usize); 4] {
    let lit = root.nodes.iter().filter(|node| node.extensions.contains_key(LIGHTS)).count();
    let coarser = super::bridge::linked_levels(root).values().map(Vec::len).sum();
    [("skins", root.skins.len()), ("animations", root.animations.len()), ("levels of detail", coarser), ("lights", lit)]
}

/// The same as JSON, without those there are none of.
pub(super) fn holds(root: &Root) -> Option<Json> {
    let all: Map<String, Json> = counts(root)
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| (kind.to_owned(), json!(count)))
        .collect();
    (!all.is_empty()).then_some(Json::Object(all))
}

/// What there is less of than when the file was written: kind, how many there were, how many there are.
pub(super) fn fewer(root: &Root, held: &Json) -> Vec<(&'static str, u64, usize)> {
    let was = |kind: &str| held.get(kind).and_then(Json::as_u64);
    let less = |(kind, is): (&'static str, usize)| was(kind).filter(|was| *was > is as u64).map(|was| (kind, was, is));
    counts(root).into_iter().filter_map(less).collect()
}

/// What to say of it.
pub(super) fn fewer_message(kind: &str, was: u64, is: usize) -> String {
    format!("there were {was} {kind} when the file was written, and there are {is}: another program left them out")
}

/// A sign for which number each object has. Words that name objects by their numbers count only while it is the same:
/// programs number anew.
pub(super) fn numbers(root: &Root) -> Json {
    let sign = |names: &mut dyn Iterator<Item = &Option<String>>| {
        let mut all = String::new();
        for name in names {
            all += name.as_deref().unwrap_or_default();
            all.push('\0');
        }
        sha256(all.as_bytes())[..8].to_owned()
    };
    json!({
        "nodes": sign(&mut root.nodes.iter().map(|node| &node.name)),
        "meshes": sign(&mut root.meshes.iter().map(|mesh| &mesh.name)),
        "materials": sign(&mut root.materials.iter().map(|material| &material.name)),
        "skins": sign(&mut root.skins.iter().map(|skin| &skin.name)),
        "textures": sign(&mut root.textures.iter().map(|texture| &texture.name)),
    })
}

/// What the scenes say of the file, and in which scene it stands; another one may have been made the first since.
pub(super) fn said(root: &Root, read: impl Fn(Option<&Json>) -> Option<Json>) -> Option<(usize, Map<String, Json>)> {
    let order = speaker(root).into_iter().chain(0..root.scenes.len());
    let each = |scene: usize| match read(root.scenes[scene].extras.as_ref()) {
        Some(Json::Object(words)) => Some((scene, words)),
        _ => None,
    };
    order.into_iter().find_map(each)
}

/// Moves what is said of the file below a scene's own extras.
pub(super) fn tell(root: &mut Root, words: Map<String, Json>) {
    let Some(scene) = speaker(root) else { return };
    let extras = root.scenes[scene].extras.get_or_insert_with(|| json!({}));
    if !extras.is_object() {
        *extras = json!({ KEY: { "foreign": extras.take() } });
    }
    if extras.get(KEY).is_none() {
        extras[KEY] = json!({});
    }
    extras[KEY][FILE] = Json::Object(words);
}
