//! Nodes below nodes, and transforms, for targets that have neither.

use std::collections::HashSet;

use findings::Losses;
use glam::{DMat4, DVec4};
use ops::{MeshUsers, transform_primitive};
use scene::extras::COPY;
use scene::loss::*;
use scene::{Arena, Attribute, Component, Forest, Id, Node, NodeRole, Scene, Stream, Transform};

use super::{Target, by_request, words};

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let untold = if target.can.hierarchy.is_lost() { flatten(scene, target, losses) } else { HashSet::new() };
    if target.can.transforms.is_lost() {
        bake(scene, &untold, target, losses);
    }
}

/// Gives every node that holds something its place in the world and no parent. Where nodes have transforms, one that
/// holds nothing is a place and stays; where meshes have skins, what moves them stays as it is. Answers of which nodes
/// nobody needs to be told that their transforms go: they have none but the turn of the source's axes, or it is told.
fn flatten(scene: &mut Scene, target: &Target, losses: &mut Losses) -> HashSet<Id<Node>> {
    let shown = scene.default_scene.unwrap_or(0);
    let tops = Tops::of(scene, !target.can.up_axes.is_lost());
    let rigs = if target.can.skins.is_lost() { Vec::new() } else { rigs(scene, &tops.nodes) };
    let in_rig = |id: Id<Node>| rigs.get(id.index()).copied().unwrap_or(false);
    let sockets = if target.can.sockets.is_lost() { HashSet::new() } else { sockets(scene) };
    let mut flat = Flat::of(scene);
    let mut untold = HashSet::new();
    let mut hidden = vec![false; scene.nodes.len()];
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
        if tops.axes.contains(&id) {
            node.children = Vec::new();
            let now = flat.add(id, node);
            flat.roots.push(now);
            flat.below.push((now, Vec::new()));
            continue;
        }
        let is_top = tops.nodes.contains(&id);
        let is_turned = tops.turned.contains(&id);
        if in_rig(id) || sockets.contains(&id) {
            let now = flat.add(id, node);
            if is_top {
                flat.put_on_top(now, is_turned);
            }
            continue;
        }
        let place = node.subject(id);
        let is_place = !target.can.transforms.is_lost() && node.role == NodeRole::Own;
        let holds = node.mesh.is_some() || node.light.is_some() || node.camera.is_some() || node.voxels.is_some();
        let holds = holds || node.skin.is_some_and(|_| !target.can.skins.is_lost());
        let carries_socket = node.children.iter().any(|child| sockets.contains(child));
        let holds = holds || is_place || carries_socket;
        let (kept, nested) = std::mem::take(&mut node.children).into_iter().partition(|child| sockets.contains(child));
        node.children = kept;
        let nested: Vec<Id<Node>> = nested;
        if node.role == NodeRole::Own && (!nested.is_empty() || !holds) {
            let what = if nested.is_empty() { "node that holds nothing" } else { "node with children" };
            losses.add(&LOSS_008, &place, 1, what, target.why("hierarchy"));
        }
        if !holds {
            words::drop_node(&place, &mut node, target, losses);
        } else {
            // What places an instance is told with the instances, unless their node stands elsewhere itself.
            let is_told = node.extras.get(COPY).is_some() && own == node.transform.matrix();
            let own_place = if is_turned { own } else { world };
            // A node without a parent keeps its transform as it is, even one that does not equal itself: NaN.
            if !is_top && own_place != node.transform.matrix() {
                node.transform = Transform::Matrix(own_place.to_cols_array().map(|v| v as f32));
                // Turned with the axes of the source, it no longer stands where a mesh without a place does.
                node.role = NodeRole::Own;
            }
            let now = flat.add(id, node);
            flat.put_on_top(now, is_turned);
            if own == DMat4::IDENTITY || is_told {
                untold.insert(now);
            }
        }
    }
    flat.take_place(scene);
    untold
}

/// Nodes without parents, while they are gathered.
struct Flat {
    nodes: Arena<Node>,
    roots: Vec<Id<Node>>,
    /// The nodes that turn axes, and what stands below them.
    below: Vec<(Id<Node>, Vec<Id<Node>>)>,
    /// Where each node of the scene went.
    moved: Vec<Option<Id<Node>>>,
}

impl Flat {
    fn of(scene: &Scene) -> Flat {
        let moved = vec![None; scene.nodes.len()];
        Flat { nodes: Arena::default(), roots: Vec::new(), below: Vec::new(), moved }
    }

    fn add(&mut self, was: Id<Node>, node: Node) -> Id<Node> {
        let now = self.nodes.add(node);
        self.moved[was.index()] = Some(now);
        now
    }

    /// Makes a node a root, or puts it below the last one that turns axes.
    fn put_on_top(&mut self, now: Id<Node>, is_turned: bool) {
        match self.below.last_mut().filter(|_| is_turned) {
            Some((_, children)) => children.push(now),
            None => self.roots.push(now),
        }
    }

    /// Puts the nodes into the scene, and lets everything that names nodes name these.
    fn take_place(mut self, scene: &mut Scene) {
        self.add_lone_joints(scene);
        let Flat { nodes: mut flat, roots, below, moved } = self;
        let now = |id: Id<Node>| moved.get(id.index()).copied().flatten();
        for node in flat.iter_mut() {
            node.children = node.children.iter().filter_map(|&child| now(child)).collect();
        }
        for (axis, children) in below {
            flat[axis].children = children;
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
    }

    /// Joints outside of the scene stay joints, where their parents have them.
    fn add_lone_joints(&mut self, scene: &Scene) {
        let forest = Forest::of(scene);
        for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
            if !matches!(self.moved.get(joint.index()), Some(None)) {
                continue;
            }
            let top = forest.chain(*joint).last().unwrap_or(*joint);
            for index in forest.tree(top.index()) {
                let id = Id::new(index);
                if self.moved[index].is_none() {
                    self.add(id, scene.nodes[id].clone());
                }
            }
        }
    }
}

/// The nodes without a parent, or with none but the one that turns the source's axis.
struct Tops {
    nodes: HashSet<Id<Node>>,
    /// The nodes that turn, if they stay.
    axes: HashSet<Id<Node>>,
    /// Everything below them.
    turned: HashSet<Id<Node>>,
}

impl Tops {
    fn of(scene: &Scene, keep_axes: bool) -> Tops {
        let roots = scene.scenes.get(scene.default_scene.unwrap_or(0)).map_or(&[][..], |root| &root.nodes);
        let turns = |node: &Node| node.role == NodeRole::Axis && is_turn(&node.transform);
        let is_axis = |id: &Id<Node>| scene.nodes.get(*id).is_some_and(turns);
        let axes: HashSet<Id<Node>> = roots.iter().copied().filter(|id| keep_axes && is_axis(id)).collect();
        let mut nodes: HashSet<Id<Node>> = roots.iter().copied().filter(|id| !axes.contains(id)).collect();
        let mut turned = HashSet::new();
        let mut open: Vec<Id<Node>> = axes.iter().flat_map(|axis| scene.nodes[*axis].children.clone()).collect();
        nodes.extend(&open);
        while let Some(id) = open.pop() {
            if let Some(node) = scene.nodes.get(id).filter(|_| turned.insert(id)) {
                open.extend(&node.children);
            }
        }
        Tops { nodes, axes, turned }
    }
}

/// Whether a transform leads axes to axes and does nothing else: a target that names its up axis can say that.
fn is_turn(transform: &Transform) -> bool {
    let matrix = transform.matrix();
    let plain = |v: f64| v == 0. || v.abs() == 1.;
    matrix.to_cols_array().into_iter().all(plain) && matrix.w_axis == DVec4::W && matrix.determinant() == 1.
}

/// Sockets of nodes: they have no place but the one on what they belong to.
fn sockets(scene: &Scene) -> HashSet<Id<Node>> {
    let children = scene.nodes.iter().flat_map(|node| &node.children).copied();
    let is_socket = |id: &Id<Node>| scene.nodes.get(*id).is_some_and(|n| n.socket.is_some() && n.children.is_empty());
    children.filter(is_socket).collect()
}

/// Which nodes belong to a tree, from its root on, that holds joints or that an animation moves.
fn rigs(scene: &Scene, tops: &HashSet<Id<Node>>) -> Vec<bool> {
    let mut moves = vec![false; scene.nodes.len()];
    let joints = scene.skins.iter().flat_map(|skin| &skin.joints).copied();
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    let bends = |channel: &&scene::Channel| channel.track != scene::Track::Weights;
    for id in joints.chain(channels.filter(bends).filter_map(|channel| channel.node)) {
        if let Some(moves) = moves.get_mut(id.index()) {
            *moves = true;
        }
    }
    let mut in_rig = vec![false; scene.nodes.len()];
    let mut seen = vec![false; scene.nodes.len()];
    for root in scene.nodes.ids().filter(|id| tops.contains(id)) {
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
fn bake(scene: &mut Scene, untold: &HashSet<Id<Node>>, target: &Target, losses: &mut Losses) {
    let mut users = MeshUsers::of(scene);
    for id in scene.nodes.ids() {
        let node = &scene.nodes[id];
        let world = node.transform.matrix();
        if world == DMat4::IDENTITY {
            continue;
        }
        if node.role == NodeRole::Own && !untold.contains(&id) {
            let place = node.subject(id);
            losses.add(&LOSS_009, place, 1, "transform", target.why("transforms"));
        }
        let place_of = node.subject(id);
        scene.nodes[id].transform = Transform::default();
        for primitive in users.own_mesh(scene, id).into_iter().flat_map(|mesh| &mut mesh.primitives) {
            let is_wide = |attribute: &Attribute| attribute.stream.encoding().component == Component::F64;
            let were_wide: Vec<bool> = primitive.attributes.iter().map(is_wide).collect();
            if let Some(reversed) = transform_primitive(primitive, &world) {
                by_request::lose_strips(reversed, &place_of, losses);
            }
            // What was computed has digits that the source never had: to round them away is no loss.
            let computed = primitive.attributes.iter_mut().zip(were_wide).filter(|(a, was)| is_wide(a) && !was);
            for (attribute, _) in computed.filter(|_| !target.can.doubles) {
                let stream = &attribute.stream;
                attribute.stream = Stream::from_f32(stream.count() as u8, stream.to_f32());
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use scene::{Capabilities, Count, Hold, Instances, Mesh, Placement, Primitive, Skin, Topology};

    /// A target without a hierarchy.
    pub(crate) fn flat(transforms: Hold, skins: Hold) -> Capabilities {
        Capabilities {
            topologies: &Topology::ALL,
            doubles: true,
            normals: Count::up_to(1),
            uv_sets: Count::up_to(1),
            color_sets: Count::up_to(1),
            joint_sets: Count::up_to(1),
            transforms,
            skins,
            animations: skins,
            names: scene::Named::ALL,
            ..Capabilities::NONE
        }
    }

    /// The scene as a target that can hold this has it.
    pub(crate) fn fit(scene: &Scene, can: &Capabilities, losses: &mut Losses) -> Scene {
        let target = Target::new("target", "Target", *can);
        crate::fit(scene, &target, &wire::Budget::default(), losses).expect("it is small")
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
        let scene = fit(&scene(), can, &mut losses);
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
    fn places_of_instances_are_told_with_them_and_that_of_their_node_by_itself() {
        let codes = |own: Transform| -> Vec<&'static str> {
            let mut scene = Scene::new();
            let mesh =
                Some(scene.meshes.add(Mesh { primitives: vec![Primitive::new(Topology::Points)], ..Mesh::default() }));
            let placements = vec![Placement { transform: named("", Vec::new()).transform, ..Placement::default() }];
            let instances = Some(Instances { placements });
            scene.add_root(Node { mesh, instances, transform: own, ..Node::default() });
            let mut losses = Losses::default();
            fit(&scene, &flat(Hold::No, Hold::No), &mut losses);
            losses.iter().map(|loss| loss.code).filter(|code| *code != "LOSS-008").collect()
        };
        assert_eq!(codes(Transform::default()), ["LOSS-010"]);
        assert_eq!(codes(named("", Vec::new()).transform), ["LOSS-010", "LOSS-009"]);
    }

    #[test]
    fn what_hangs_below_a_hidden_node_is_hidden() {
        let mut scene = Scene::new();
        let kid = scene.nodes.add(named("kid", Vec::new()));
        let open = scene.nodes.add(Node { children: vec![kid], ..Node::default() });
        scene.add_root(Node { children: vec![open], visible: false, ..Node::default() });
        let can = Capabilities { visibility: Hold::Yes, ..flat(Hold::Yes, Hold::No) };
        let fitted = fit(&scene, &can, &mut Losses::default());
        assert!(fitted.nodes.iter().all(|node| !node.visible));
    }
}
