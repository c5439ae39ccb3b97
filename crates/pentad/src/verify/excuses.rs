//! What losses explain: a measure that is off, at the objects that they name.

use std::collections::{HashMap, HashSet};

use findings::{Loss, Losses};
use scene::loss::LOSS_021;
use scene::{Id, Node, Scene};

use super::shown::Part;

/// By the key of a measure: the losses that explain why it is off, and the kinds of objects at which they do.
const EXPLAINED_BY: &[(&str, &[&str], &[&str])] = &[
    ("missing_elements", &["LOSS-029"], &["node", "mesh"]),
    ("max_position_error", &["LOSS-021", "LOSS-031", "LOSS-043", "LOSS-044", "LOSS-062"], &["node", "mesh", "skin"]),
    (
        "max_animated_error",
        &["LOSS-021", "LOSS-031", "LOSS-043", "LOSS-044", "LOSS-054", "LOSS-062"],
        &["node", "mesh", "skin", "animation"],
    ),
    ("max_normal_error", &["LOSS-021", "LOSS-022", "LOSS-044", "LOSS-062", "LOSS-081"], &["node", "mesh", "skin"]),
    ("max_uv_error", &["LOSS-021", "LOSS-046"], &["node", "mesh"]),
    (
        "max_material_error",
        &["LOSS-006", "LOSS-007", "LOSS-023", "LOSS-032", "LOSS-041"],
        &["node", "mesh", "material", "texture", "image"],
    ),
    ("missing_nodes", &["LOSS-008", "LOSS-014", "LOSS-024", "LOSS-042"], &["node", "mesh", "skin"]),
    ("missing_lights", &["LOSS-004", "LOSS-023"], &["node", "light"]),
    ("missing_animations", &["LOSS-001", "LOSS-054", "LOSS-060"], &["animation"]),
    (GONE, &["LOSS-001", "LOSS-054"], &["animation"]),
];

/// Animations that are missing under any name.
pub(super) const GONE: &str = "animations_gone";

/// Whether a loss can explain a measure: an attribute that was set to zero explains nothing about others.
fn is_about(key: &str, loss: &Loss) -> bool {
    let attribute = match key {
        "max_position_error" | "max_animated_error" => "POSITION",
        "max_normal_error" => "NORMAL",
        "max_uv_error" => "TEXCOORD",
        _ => return true,
    };
    loss.code != LOSS_021.code || loss.what.starts_with(attribute)
}

/// First words of the places of losses; others are no objects, and what is lost there is lost everywhere.
const KINDS: &[&str] =
    &["node", "mesh", "skin", "animation", "material", "texture", "image", "light", "camera", "scene"];

/// The losses of a conversion, and what is there after them.
pub(super) struct Excuses<'a> {
    losses: &'a Losses,
    scene: &'a Scene,
    parents: HashMap<Id<Node>, Vec<Id<Node>>>,
    /// Labels of objects that have names: numbers of the others change while a scene is fitted.
    there: HashSet<String>,
}

impl<'a> Excuses<'a> {
    pub(super) fn new(losses: &'a Losses, scene: &'a Scene) -> Excuses<'a> {
        let mut parents: HashMap<Id<Node>, Vec<Id<Node>>> = HashMap::new();
        for (id, node) in scene.nodes.entries() {
            node.children.iter().for_each(|child| parents.entry(*child).or_default().push(id));
        }
        let nodes = scene.nodes.iter().map(|node| ("node", &node.name));
        let meshes = scene.meshes.iter().map(|mesh| ("mesh", &mesh.name));
        let materials = scene.materials.iter().map(|material| ("material", &material.name));
        let animations = scene.animations.iter().map(|animation| ("animation", &animation.name));
        let all = nodes.chain(meshes).chain(materials).chain(animations).filter(|(_, name)| !name.is_empty());
        let there = all.map(|(kind, name)| Scene::label(kind, 0, name)).collect();
        Excuses { losses, scene, parents, there }
    }

    fn of(&self, key: &str) -> impl Iterator<Item = &Loss> {
        let row = EXPLAINED_BY.iter().find(|(own, ..)| *own == key);
        self.losses.iter().filter(move |loss| {
            let kind = loss.place.split(' ').next().unwrap_or_default();
            row.is_some_and(|(_, codes, kinds)| {
                codes.contains(&loss.code) && is_about(key, loss) && (kinds.contains(&kind) || !KINDS.contains(&kind))
            })
        })
    }

    /// Whether some loss explains a measure somewhere.
    pub(super) fn know(&self, key: &str) -> bool {
        self.of(key).next().is_some()
    }

    /// Whether one explains it at an object of these labels. One that names another object which is there does not.
    pub(super) fn explain(&self, key: &str, own: &[String]) -> bool {
        self.of(key).any(|loss| {
            let object = loss.place.rfind('"').map_or(&loss.place[..], |end| &loss.place[..=end]);
            !self.there.contains(object) || own.iter().any(|label| label == object)
        })
    }

    /// Whether one explains it for a part, at anything that decides how that is shown.
    pub(super) fn explain_part(&self, key: &str, part: &Part<'_>) -> bool {
        let scene = self.scene;
        let node = &scene.nodes[part.node];
        let joints = node.skin.and_then(|skin| scene.skins.get(skin)).into_iter().flat_map(|skin| &skin.joints);
        let mut below: Vec<Id<Node>> = joints.copied().chain([part.node]).collect();
        let mut nodes = HashSet::new();
        while let Some(id) = below.pop() {
            if nodes.insert(id) {
                below.extend(self.parents.get(&id).into_iter().flatten());
            }
        }
        let nodes = nodes.into_iter().filter_map(|id| Some(("node", &scene.nodes.get(id)?.name)));
        let mesh = node.mesh.and_then(|id| Some(("mesh", &scene.meshes.get(id)?.name)));
        let material = part.material.map(|material| ("material", &material.name));
        let named = nodes.chain(mesh).chain(material).filter(|(_, name)| !name.is_empty());
        let own: Vec<String> = named.map(|(kind, name)| Scene::label(kind, 0, name)).collect();
        self.explain(key, &own)
    }
}
