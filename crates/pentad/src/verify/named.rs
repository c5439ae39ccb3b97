//! Nodes and lights, by what they are called and where they stand.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use scene::{Id, Node, NodeRole, Scene};

use super::pair::gap;

/// Something with a name that stands somewhere, if that can be told.
pub(super) type Named = (String, Option<DVec3>);

/// Nodes to which somebody gave names, at their places in the world. Where a bent mesh, its joints and copies stand is
/// told by their vertices.
pub(super) fn nodes(scene: &Scene) -> Vec<Named> {
    let joints: HashSet<Id<Node>> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let placed = scene.placed(scene.default_scene.unwrap_or(0)).into_iter();
    // A node that turns or scales everything is not the model's own.
    let own = placed.filter(|(id, _)| scene.nodes[*id].role != NodeRole::Axis);
    let given = own.filter(|(id, _)| scene.made_up_name.as_ref() != Some(&scene.nodes[*id].name));
    let named = given.map(|(id, world)| {
        let node = &scene.nodes[id];
        let elsewhere = node.skin.is_some() || node.instances.is_some() || joints.contains(&id);
        (node.name.to_string(), (!elsewhere).then(|| world.w_axis.truncate()))
    });
    named.filter(|(name, _)| !name.is_empty()).collect()
}

/// Lights, by their colours, at their places in the world; those that count by the labels of their nodes and their own.
pub(super) fn lights(scene: &Scene, counts: &dyn Fn(&[String]) -> bool) -> Vec<Named> {
    let placed = scene.placed(scene.default_scene.unwrap_or(0)).into_iter();
    let lit = placed.filter_map(|(id, world)| {
        let node = &scene.nodes[id];
        let light = scene.lights.get(node.light?)?;
        let labels = [Scene::label("node", 0, &node.name), Scene::label("light", 0, &light.name)];
        counts(&labels).then(|| (format!("{:?}", light.color), Some(world.w_axis.truncate())))
    });
    lit.collect()
}

/// How many of the first have no counterpart among the second.
pub(super) fn missing(was: &[Named], is: &[Named], tolerance: f64) -> u64 {
    let mut there: HashMap<&str, Vec<Option<DVec3>>> = HashMap::new();
    is.iter().for_each(|(name, place)| there.entry(name).or_default().push(*place));
    let near = |a: Option<DVec3>, b: Option<DVec3>| a.zip(b).is_none_or(|(a, b)| gap(a, b) <= tolerance);
    // Those whose places are known choose first.
    let mut wanted: Vec<&Named> = was.iter().collect();
    wanted.sort_by_key(|(_, place)| place.is_none());
    let found = |(name, place): &&&Named| {
        let Some(places) = there.get_mut(name.as_str()) else { return false };
        let known = places.iter().position(|other| other.is_some() && near(*place, *other));
        let found = known.or_else(|| places.iter().position(|other| near(*place, *other)));
        found.map(|found| places.swap_remove(found)).is_some()
    };
    (wanted.len() - wanted.iter().filter(found).count()) as u64
}
