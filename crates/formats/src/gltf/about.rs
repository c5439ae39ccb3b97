//! What a file written by pentad says of itself as a whole. It stands in the extras of the scene that is shown: those of
//! `asset` are the first thing that editors drop.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::json;

use super::carry::{KEY, TARGET_NAMES, sha256};
use super::extensions::LIGHTS;
use super::schema::{Json, Map, Root};

/// The key below `extras.pentad` of a scene.
pub(super) const FILE: &str = "file";
/// How many objects of some kinds there were.
pub(super) const HOLDS: &str = "holds";
/// Which number each object had.
pub(super) const NUMBERS: &str = "numbers";
/// Below [`HOLDS`]: whether the source itself was there.
pub(super) const SOURCE: &str = "source";

/// Names that several objects of a kind have; an empty one if some have none.
pub(super) const NAMES: &str = "names";

/// Below [`NAMES`]: some mesh has morph targets without names.
pub(super) const TARGETS: &str = "targets";
/// Below [`NAMES`]: the names of meshes that several nodes show.
const SHOWN_OFTEN: &str = "shown_often";

/// Below [`NAMES`]: names of attributes that had to be renamed, by those they have now.
pub(super) const ATTRIBUTES: &str = "attributes";

/// The scene whose extras speak for the file.
pub(super) fn speaker(root: &Root) -> Option<usize> {
    root.scene.filter(|&scene| scene < root.scenes.len()).or((!root.scenes.is_empty()).then_some(0))
}

/// How many objects there are of kinds that editors drop.
fn counts(root: &Root) -> [(&'static str, usize); 13] {
    fn told<'a>(all: impl Iterator<Item = &'a Option<Json>>) -> usize {
        all.filter(|extras| extras.as_ref().is_some_and(|extras| extras.get(KEY).is_some())).count()
    }
    let lit = root.nodes.iter().filter(|node| node.extensions.contains_key(LIGHTS)).count();
    let coarser = super::bridge::linked_levels(root).values().map(Vec::len).sum();
    let parts = || root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let uvs = parts().flat_map(|part| part.attributes.keys()).filter(|name| name.starts_with("TEXCOORD_")).count();
    [
        ("skins", root.skins.len()),
        ("animations", root.animations.len()),
        ("levels of detail", coarser),
        ("lights", lit),
        ("scenes", root.scenes.len()),
        ("nodes that show a mesh", root.nodes.iter().filter(|node| node.mesh.is_some()).count()),
        ("names of meshes", root.meshes.iter().filter(|mesh| mesh.name.is_some()).count()),
        ("sets of texture coordinates", uvs),
        ("nodes with extras.pentad", told(root.nodes.iter().map(|node| &node.extras))),
        ("meshes with extras.pentad", told(root.meshes.iter().map(|mesh| &mesh.extras))),
        ("materials with extras.pentad", told(root.materials.iter().map(|material| &material.extras))),
        ("skins with extras.pentad", told(root.skins.iter().map(|skin| &skin.extras))),
        ("animations with extras.pentad", told(root.animations.iter().map(|animation| &animation.extras))),
    ]
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

/// The kinds of objects that editors name, and what they call one without a name.
const NAMED: [(&str, &str); 4] =
    [("nodes", "Node_"), ("meshes", "Mesh_"), ("materials", "Material_"), ("animations", "Anim_")];

/// The names of the objects of each kind of [`NAMED`].
fn all_names(root: &mut Root) -> [Vec<&mut Option<String>>; 4] {
    [
        root.nodes.iter_mut().map(|node| &mut node.name).collect(),
        root.meshes.iter_mut().map(|mesh| &mut mesh.name).collect(),
        root.materials.iter_mut().map(|material| &mut material.name).collect(),
        root.animations.iter_mut().map(|animation| &mut animation.name).collect(),
    ]
}

/// A name without the number that editors put behind it to tell it from others.
fn stem(name: &str) -> &str {
    let is_number = |digits: &str| digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit());
    name.rsplit_once('.').filter(|(_, digits)| is_number(digits)).map_or(name, |(stem, _)| stem)
}

/// Whether a name is what editors call the object of a number.
fn is_number_of(name: &str, kind: &str) -> bool {
    name.strip_prefix(kind).is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Names that editors will make different, by kind; not those that other objects look like the numbered ones of.
pub(super) fn shared_names(root: &mut Root) -> Option<Json> {
    let mut shared = Map::new();
    for (names, (kind, word)) in all_names(root).into_iter().zip(NAMED) {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        names.iter().for_each(|name| *counts.entry(name.as_deref().unwrap_or_default()).or_default() += 1);
        let numbered: HashSet<&str> = counts
            .keys()
            .map(|name| (*name, stem(name)))
            .filter(|(name, stem)| name != stem)
            .map(|(_, stem)| stem)
            .collect();
        let looks_made_up = |name: &str| match name {
            "" => counts.keys().any(|other| is_number_of(other, word)),
            name => numbered.contains(name),
        };
        let often = counts.iter().filter(|(name, count)| **count > 1 || name.is_empty());
        let often: Vec<&str> = often.map(|(name, _)| *name).filter(|name| !looks_made_up(name)).collect();
        if !often.is_empty() {
            shared.insert(kind.to_owned(), json!(often));
        }
    }
    let mut shown = vec![0; root.meshes.len()];
    root.nodes.iter().filter_map(|node| node.mesh).for_each(|mesh| shown[mesh] += 1);
    let mut stems: HashMap<&str, usize> = HashMap::new();
    let named = root.meshes.iter().filter_map(|mesh| mesh.name.as_deref());
    named.for_each(|name| *stems.entry(stem(name)).or_default() += 1);
    let once = |name: &str| stems.get(name) == Some(&1);
    let often = root.meshes.iter().zip(shown).filter(|(_, shown)| *shown > 1);
    let often: Vec<&str> = often.filter_map(|(mesh, _)| mesh.name.as_deref()).filter(|name| once(name)).collect();
    if !often.is_empty() {
        shared.insert(SHOWN_OFTEN.to_owned(), json!(often));
    }
    let targets = |mesh: &&super::schema::Mesh| mesh.primitives.iter().any(|part| !part.targets.is_empty());
    let named = |mesh: &super::schema::Mesh| mesh.extras.as_ref().is_some_and(|all| all.get(TARGET_NAMES).is_some());
    let mut morphing = root.meshes.iter().filter(targets).peekable();
    if morphing.peek().is_some() && !morphing.any(named) {
        shared.insert(TARGETS.to_owned(), json!([""]));
    }
    (!shared.is_empty()).then_some(Json::Object(shared))
}

/// The names that attributes had, by those they have now.
pub(super) fn renamed(names: &Json) -> HashMap<String, String> {
    let all = names.get(ATTRIBUTES).and_then(Json::as_object);
    let one = |(now, was): (&String, &Json)| Some((now.clone(), was.as_str()?.to_owned()));
    all.into_iter().flatten().filter_map(one).collect()
}

/// The names of meshes that several nodes showed.
pub(super) fn shared_meshes(names: &Json) -> Vec<String> {
    let all = names.get(SHOWN_OFTEN).and_then(Json::as_array);
    all.into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
}

/// Gives objects the names back that they had in common.
pub(super) fn share_names(root: &mut Root, shared: &Json) {
    for (names, (kind, word)) in all_names(root).into_iter().zip(NAMED) {
        let often = |key: &str| shared.get(key).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let split = if kind == "meshes" { often(SHOWN_OFTEN) } else { &[] };
        let is_shared = |name: &str| often(kind).iter().chain(split).any(|often| often.as_str() == Some(name));
        for name in names {
            if let Some(known) = name.as_deref().map(stem).filter(|stem| is_shared(stem)) {
                *name = Some(known.to_owned());
            }
            let unnamed = |name: &String| is_shared("") && is_number_of(name, word);
            *name = name.take().filter(|name| !unnamed(name));
        }
    }
}
