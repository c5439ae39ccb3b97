//! Nodes below nodes, and transforms, for targets that have neither.

use std::collections::HashSet;

use findings::Losses;
use glam::{DMat3, DMat4, DVec3};

use super::{Target, faces};
use crate::loss::*;
use crate::{Arena, Id, Node, NodeRole, Primitive, Scene, Semantic, Stream, Topology, Transform};

pub(super) fn fit(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    let turned = if target.can.hierarchy.is_lost() { flatten(scene, target, losses) } else { HashSet::new() };
    if target.can.transforms.is_lost() {
        bake(scene, &turned, target, losses);
    }
}

/// Gives every node that holds something its place in the world and no parent. Where nodes have transforms, one that
/// holds nothing is a place and stays; where meshes have skins, what moves them stays as it is. Answers which nodes are
/// moved by nothing but the turn of the source's axes.
fn flatten(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) -> HashSet<Id<Node>> {
    let rigs = if target.can.skins.is_lost() { Vec::new() } else { rigs(scene) };
    let in_rig = |id: Id<Node>| rigs.get(id.index()).copied().unwrap_or(false);
    let mut flat = Arena::default();
    let mut roots = Vec::new();
    let top: HashSet<_> = scene.scenes.iter().flat_map(|root| &root.nodes).copied().collect();
    let mut turned = HashSet::new();
    let mut moved = vec![None; scene.nodes.len()];
    let mut hidden = vec![false; scene.nodes.len()];
    let shown = scene.default_scene.unwrap_or(0);
    let mut unturned = scene.clone();
    unturned.nodes.iter_mut().filter(|n| n.role == NodeRole::Axis).for_each(|n| n.transform = Transform::default());
    let own = unturned.placed(shown).into_iter().map(|(_, own)| own);
    for ((id, world), own) in scene.placed(shown).into_iter().zip(own) {
        let mut node = scene.nodes[id].clone();
        // What hangs below a hidden node is hidden with it.
        node.visible &= !hidden[id.index()];
        for child in node.children.iter().filter(|_| !node.visible) {
            if let Some(hidden) = hidden.get_mut(child.index()) {
                *hidden = true;
            }
        }
        if in_rig(id) {
            moved[id.index()] = Some(flat.add(node));
            continue;
        }
        let place = Scene::label("node", id.index(), &node.name);
        let nested = std::mem::take(&mut node.children);
        let is_place = !target.can.transforms.is_lost() && node.role == NodeRole::Own;
        let holds = node.mesh.is_some() || node.light.is_some() || node.camera.is_some() || node.voxels.is_some();
        let holds = holds || is_place;
        if node.role == NodeRole::Own && (!nested.is_empty() || !holds) {
            let what = if nested.is_empty() { "node that holds nothing" } else { "node with children" };
            losses.add(&LOSS_008, place, 1, what, target.why("hierarchy"));
        }
        if holds {
            // A node without a parent keeps its transform as it is, even one that does not equal itself: NaN.
            if !top.contains(&id) && world != node.transform.matrix() {
                node.transform = Transform::Matrix(world.to_cols_array().map(|v| v as f32));
            }
            let now = flat.add(node);
            moved[id.index()] = Some(now);
            roots.push(now);
            if own == DMat4::IDENTITY {
                turned.insert(now);
            }
        }
    }
    // Joints that nothing places stay joints.
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        if let (Some(node), Some(None)) = (scene.nodes.get(*joint), moved.get(joint.index())) {
            moved[joint.index()] = Some(flat.add(Node { children: Vec::new(), ..node.clone() }));
        }
    }
    let root = scene.scenes.get(scene.default_scene.unwrap_or(0)).map_or(&[][..], |root| &root.nodes);
    roots.extend(root.iter().filter(|id| in_rig(**id)).filter_map(|id| moved[id.index()]));
    // In the order they stood in, whether they were flattened or not.
    roots.sort_by_key(|id| id.index());
    let now = |id: Id<Node>| moved.get(id.index()).copied().flatten();
    for node in flat.iter_mut() {
        node.children = node.children.iter().filter_map(|&child| now(child)).collect();
    }
    for skin in scene.skins.iter_mut() {
        skin.joints.iter_mut().for_each(|joint| *joint = now(*joint).unwrap_or(*joint));
        skin.root = skin.root.and_then(now);
    }
    for channel in scene.animations.iter_mut().flat_map(|animation| &mut animation.channels) {
        channel.node = channel.node.and_then(now);
    }
    scene.nodes = flat;
    if let Some(root) = scene.scenes.first_mut() {
        root.nodes = roots;
    }
    turned
}

/// Which nodes belong to a tree, from its root on, that holds joints or that an animation moves.
fn rigs(scene: &Scene) -> Vec<bool> {
    let mut moves = vec![false; scene.nodes.len()];
    let joints = scene.skins.iter().flat_map(|skin| &skin.joints).copied();
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let bends = |channel: &&crate::Channel| channel.track != crate::Track::Weights;
    for id in joints.chain(channels.filter(bends).filter_map(|channel| channel.node)) {
        if let Some(moves) = moves.get_mut(id.index()) {
            *moves = true;
        }
    }
    let mut in_rig = vec![false; scene.nodes.len()];
    let roots = scene.scenes.get(scene.default_scene.unwrap_or(0)).map_or(&[][..], |root| &root.nodes);
    let mut seen = vec![false; scene.nodes.len()];
    for &root in roots {
        let (mut tree, mut all) = (vec![root], Vec::new());
        while let Some(id) = tree.pop() {
            let Some(node) = scene.nodes.get(id) else { continue };
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            all.push(id);
            tree.extend(&node.children);
        }
        if all.iter().any(|id| moves[id.index()]) {
            all.into_iter().for_each(|id| in_rig[id.index()] = true);
        }
    }
    in_rig
}

/// Multiplies every transform into the vertices of a mesh of its own. A turn of axes is no loss.
fn bake(scene: &mut Scene, turned: &HashSet<Id<Node>>, target: &Target<'_>, losses: &mut Losses) {
    for id in scene.nodes.ids() {
        let node = &scene.nodes[id];
        let world = node.transform.matrix();
        if world == DMat4::IDENTITY {
            continue;
        }
        if node.role == NodeRole::Own && !turned.contains(&id) {
            let place = Scene::label("node", id.index(), &node.name);
            losses.add(&LOSS_009, place, 1, "transform", target.why("transforms"));
        }
        let mesh = node.mesh;
        scene.nodes[id].transform = Transform::default();
        let Some(mut mesh) = mesh.and_then(|mesh| scene.meshes.get(mesh)).cloned() else { continue };
        for primitive in &mut mesh.primitives {
            transform(primitive, &world);
        }
        scene.nodes[id].mesh = Some(scene.meshes.add(mesh));
    }
}

fn transform(primitive: &mut Primitive, world: &DMat4) {
    let linear = DMat3::from_mat4(*world);
    let mirrored = linear.determinant() < 0.;
    // Normals follow the inverse transpose; a flat map has none, and then the map itself is as good as anything.
    let normals = if linear.determinant() == 0. { linear } else { linear.inverse().transpose() };
    for attribute in &mut primitive.attributes {
        let stream = &attribute.stream;
        let width = stream.count();
        let mut values = stream.to_f64();
        let map: &dyn Fn(DVec3) -> DVec3 = match attribute.semantic {
            Semantic::Position => &|p| world.transform_point3(p),
            Semantic::Normal => &|n| (normals * n).normalize_or_zero(),
            Semantic::Tangent => &|t| (linear * t).normalize_or_zero(),
            _ => continue,
        };
        for row in values.chunks_mut(width).filter(|row| row.len() >= 3) {
            let moved = map(DVec3::new(row[0], row[1], row[2]));
            row[..3].copy_from_slice(&moved.to_array());
            if mirrored && row.len() == 4 {
                row[3] = -row[3];
            }
        }
        attribute.stream = Stream::from_f64(width as u8, values);
    }
    if mirrored && primitive.topology.is_surface() {
        let mut indices = faces::triangulate(primitive);
        indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
        primitive.topology = Topology::Triangles;
        primitive.corners.clear();
        primitive.indices = Some(indices.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capabilities, Count, Hold, Indexing, Skin};

    /// A target without a hierarchy.
    fn flat(transforms: Hold, skins: Hold) -> Capabilities {
        Capabilities {
            topologies: &Topology::ALL,
            indices: Indexing::Optional,
            doubles: true,
            normals: Count::up_to(1),
            uv_sets: Count::up_to(1),
            color_sets: Count::up_to(1),
            tangents: Hold::No,
            joint_sets: Count::up_to(1),
            custom_attributes: Hold::No,
            morph_targets: Hold::No,
            hierarchy: Hold::No,
            transforms,
            scenes: Hold::No,
            materials: Hold::No,
            textures: Hold::No,
            skins,
            animations: skins,
            lights: Hold::No,
            cameras: Hold::No,
            instances: Hold::No,
            voxels: Hold::No,
            lods: Hold::No,
            sockets: Hold::No,
            visibility: Hold::No,
            names: Hold::Yes,
            properties: Hold::No,
            metadata: &[],
            carries: false,
            strict_values: false,
        }
    }

    fn named(name: &str, children: Vec<Id<Node>>) -> Node {
        let transform = Transform::Trs { translation: [1., 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
        Node { name: name.into(), children, transform, ..Node::default() }
    }

    /// A group with an empty node, and a root with a joint below it.
    fn scene() -> Scene {
        let mut scene = Scene::new();
        let empty = scene.nodes.add(named("empty", Vec::new()));
        scene.add_root(named("group", vec![empty]));
        let joint = scene.nodes.add(named("joint", Vec::new()));
        let skin = scene.skins.add(Skin { joints: vec![joint], ..Skin::default() });
        scene.add_root(Node { skin: Some(skin), ..named("rig", vec![joint]) });
        scene
    }

    fn fitted(can: &Capabilities) -> (Scene, usize) {
        let mut losses = Losses::default();
        let scene = super::super::fit(&scene(), can, "x", "X", &mut losses);
        (scene, losses.iter().filter(|loss| loss.code == "LOSS-008").count())
    }

    #[test]
    fn without_transforms_a_node_that_holds_nothing_is_lost() {
        let (scene, lost) = fitted(&flat(Hold::No, Hold::No));
        assert_eq!((scene.nodes.len(), lost), (0, 4));
    }

    #[test]
    fn with_transforms_a_node_that_holds_nothing_is_a_place() {
        let (scene, lost) = fitted(&flat(Hold::Yes, Hold::No));
        assert_eq!((scene.nodes.len(), lost), (4, 2), "that two of them had children is lost");
        let empty = scene.nodes.iter().find(|node| node.name.to_string() == "empty").unwrap();
        assert_eq!(empty.transform.matrix().w_axis.x, 2.);
        assert_eq!(scene.scenes[0].nodes.len(), 4);
    }

    #[test]
    fn with_skins_what_moves_a_mesh_stays_as_it_is() {
        let (scene, lost) = fitted(&flat(Hold::Yes, Hold::Yes));
        assert_eq!((scene.scenes[0].nodes.len(), lost), (3, 1));
        let joint = scene.skins.iter().next().unwrap().joints[0];
        assert_eq!(scene.nodes[joint].name.to_string(), "joint");
        let rig = scene.nodes.iter().find(|node| node.name.to_string() == "rig").unwrap();
        assert_eq!(rig.children, [joint]);
    }

    #[test]
    fn what_hangs_below_a_hidden_node_is_hidden() {
        let mut scene = Scene::new();
        let kid = scene.nodes.add(named("kid", Vec::new()));
        let open = scene.nodes.add(Node { children: vec![kid], ..Node::default() });
        scene.add_root(Node { children: vec![open], visible: false, ..Node::default() });
        let can = Capabilities { visibility: Hold::Yes, ..flat(Hold::Yes, Hold::No) };
        let fitted = super::super::fit(&scene, &can, "flat", "Flat", &mut Losses::default());
        assert!(fitted.nodes.iter().all(|node| !node.visible));
    }
}
