//! Nodes and lights, by what they are called and where they stand.

use std::collections::{HashMap, HashSet};

use glam::{DMat3, DVec3};
use scene::sample::Pose;
use scene::{Forest, Id, Node, NodeRole, Scene};

use super::pair::gap;

/// Something with a name that stands somewhere, if that can be told.
pub(super) struct Named {
    pub(super) node: Id<Node>,
    name: String,
    place: Option<DVec3>,
}

/// How something is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// Nothing is called so.
    Gone,
    /// What is called so stands elsewhere.
    Moved,
}

/// Every node that some scene shows, once.
fn placed(scene: &Scene) -> Vec<Id<Node>> {
    let mut seen = HashSet::new();
    let all = (0..scene.scenes.len().max(1)).flat_map(|index| scene.placed(index));
    all.map(|(id, _)| id).filter(|id| seen.insert(*id)).collect()
}

/// Nodes to which somebody gave names, at their places in the world. Where a skinned mesh, its joints and instances
/// stand is told by their vertices; what is not placed stands nowhere.
pub(super) fn nodes(scene: &Scene, linear: &DMat3) -> Vec<Named> {
    let joints: HashSet<Id<Node>> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let pose = Pose::rest(scene);
    let forest = Forest::of(scene);
    let unplaced = |id: Id<Node>| forest.chain(id).any(|above| scene.nodes[above].role == NodeRole::Unplaced);
    // A node that turns or scales everything is not the model's own.
    let own = placed(scene).into_iter().filter(|id| scene.nodes[*id].role != NodeRole::Axis);
    let given = own.filter(|id| scene.made_up_name.as_ref() != Some(&scene.nodes[*id].name));
    let named = given.map(|id| {
        let node = &scene.nodes[id];
        let elsewhere = node.skin.is_some() || node.instances.is_some() || joints.contains(&id) || unplaced(id);
        let place = pose.world(id).filter(|_| !elsewhere).map(|world| *linear * world.w_axis.truncate());
        Named { node: id, name: node.name.to_string(), place }
    });
    named.filter(|named| !named.name.is_empty()).collect()
}

/// Lights, by their colours, at their places in the world.
pub(super) fn lights(scene: &Scene, linear: &DMat3) -> Vec<Named> {
    let pose = Pose::rest(scene);
    let lit = placed(scene).into_iter().filter_map(|id| {
        let light = scene.lights.get(scene.nodes[id].light?)?;
        let place = pose.world(id).map(|world| *linear * world.w_axis.truncate());
        Some(Named { node: id, name: format!("{:?}", light.color), place })
    });
    lit.collect()
}

/// Those of the first that have no counterpart among the second.
pub(super) fn missing(was: Vec<Named>, is: &[Named], tolerance: f64) -> Vec<(Named, Missing)> {
    let mut there: HashMap<&str, Vec<Option<DVec3>>> = HashMap::new();
    is.iter().for_each(|named| there.entry(&named.name).or_default().push(named.place));
    let near = |a: Option<DVec3>, b: Option<DVec3>| a.zip(b).is_none_or(|(a, b)| gap(a, b) <= tolerance);
    // Those whose places are known choose first.
    let mut wanted = was;
    wanted.sort_by_key(|named| named.place.is_none());
    let mut left = Vec::new();
    for named in wanted {
        let found = there.get_mut(named.name.as_str()).and_then(|places| {
            let known = places.iter().position(|other| other.is_some() && near(named.place, *other));
            let found = known.or_else(|| places.iter().position(|other| near(named.place, *other)))?;
            Some(places.swap_remove(found))
        });
        if found.is_none() {
            left.push(named);
        }
    }
    let gone = left.into_iter().map(|named| {
        let elsewhere = there.get_mut(named.name.as_str()).and_then(Vec::pop);
        (named, if elsewhere.is_some() { Missing::Moved } else { Missing::Gone })
    });
    gone.collect()
}
