//! Which nodes of a scene become nodes, which become joints, and where skinned meshes must stand.
//!
//! In das2 the joints of a skeleton stand below the node that binds it; in a scene they stand anywhere. So a skinned mesh
//! moves to the node below which its joints stand, unless that is where it is, and what lies between becomes joints.

use std::collections::{BTreeSet, HashMap, HashSet};

use scene::sample::Pose;
use scene::{Forest, Id, Node, NodeRole, Scene, Track};

use super::Lower;

/// What becomes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeMapping {
    /// It is a node.
    Node,
    /// It is joints and nothing else.
    Joint,
    /// It is in what it shows.
    Merged,
}

/// The joints of a skin.
#[derive(Clone, Debug, Default)]
pub(super) struct Rig {
    /// The node below which all of them stand.
    pub(super) parent: Option<usize>,
    /// Nodes between that node and the joints.
    pub(super) between: Vec<usize>,
    /// Nodes below joints that hold nothing.
    pub(super) below: Vec<usize>,
    /// Whether its joints are there.
    pub(super) sound: bool,
}

pub(super) struct Plan {
    pub(super) parents: Vec<Option<usize>>,
    pub(super) children: Vec<Vec<usize>>,
    /// Nodes that an animation translates, turns or scales.
    pub(super) moved: Vec<bool>,
    /// Nodes that an animation scales.
    pub(super) scaled: Vec<bool>,
    pub(super) rigs: Vec<Rig>,
    /// Nodes below which the joints of something skinned stand, so that it must stand there, too.
    pub(super) hosts: Vec<bool>,
    pub(super) mapping: Vec<NodeMapping>,
    pub(super) rest: Pose,
}

impl Plan {
    pub(super) fn of(lower: &Lower<'_, '_, '_>) -> Plan {
        let scene = lower.scene;
        let count = scene.nodes.len();
        let Forest { parents, children, .. } = Forest::of(scene);
        let mut plan = Plan {
            parents,
            children,
            moved: vec![false; count],
            scaled: vec![false; count],
            rigs: Vec::new(),
            hosts: vec![false; count],
            mapping: vec![NodeMapping::Node; count],
            rest: Pose::rest(scene),
        };
        for channel in scene.animations.iter().flat_map(|animation| &animation.channels) {
            let Some(node) = channel.node.map(Id::index).filter(|node| *node < count) else { continue };
            plan.moved[node] |= matches!(channel.track, Track::Translation | Track::Rotation | Track::Scale);
            plan.scaled[node] |= channel.track == Track::Scale;
        }
        let stages = Stages::of(scene, &plan);
        let apart = stages.apart(scene);
        plan.rigs = scene.skins.iter().zip(apart).map(|(skin, apart)| plan.rig(skin, apart)).collect();
        plan.find_hosts(scene);
        plan.find_joints(scene, &stages);
        plan.merge_unplaced(scene);
        plan
    }

    /// Whether a node of the scene is one of the document.
    pub(super) fn is_there(&self, node: Id<Node>) -> bool {
        self.mapping[node.index()] == NodeMapping::Node
    }

    fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parents[node], |node| self.parents[*node])
    }

    fn rig(&self, skin: &scene::Skin, apart: bool) -> Rig {
        let count = self.parents.len();
        let joints: HashSet<usize> = skin.joints.iter().map(|joint| joint.index()).collect();
        if joints.iter().any(|joint| *joint >= count) {
            return Rig::default();
        }
        // Below a node that is shown elsewhere the mesh would vanish here, and be shown there.
        let parent = self.common_parent(skin, &joints).filter(|_| !apart);
        let mut between = Vec::new();
        let mut met: HashSet<usize> = joints;
        for joint in skin.joints.iter().map(|joint| joint.index()) {
            let above = self.ancestors(joint).take_while(|above| Some(*above) != parent);
            // What is above a node that was met before was met, too.
            between.extend(above.take_while(|above| met.insert(*above)));
        }
        Rig { parent, between, below: Vec::new(), sound: true }
    }

    /// The nearest node above all topmost joints.
    fn common_parent(&self, skin: &scene::Skin, joints: &HashSet<usize>) -> Option<usize> {
        // Whether a node or one above it is a joint.
        let mut below_joint: HashMap<usize, bool> = HashMap::new();
        // The nodes above the first topmost joint, and how far from it the nearest one above another node is.
        let mut first: Option<HashMap<usize, usize>> = None;
        let mut reach: HashMap<usize, Option<usize>> = HashMap::new();
        let mut nearest = Some(0);
        let mut path = Vec::new();
        for joint in skin.joints.iter().map(|joint| joint.index()) {
            path.clear();
            path.extend(self.ancestors(joint).take_while(|above| !below_joint.contains_key(above)));
            let end = path.last().map_or(self.parents[joint], |last| self.parents[*last]);
            let mut below = end.is_some_and(|end| below_joint[&end]);
            for above in path.iter().rev() {
                below |= joints.contains(above);
                below_joint.insert(*above, below);
            }
            if self.parents[joint].is_some_and(|above| below_joint[&above]) {
                continue;
            }
            let Some(first) = &first else {
                first = Some(self.ancestors(joint).enumerate().map(|(far, above)| (above, far)).collect());
                continue;
            };
            path.clear();
            let open = |above: &usize| !first.contains_key(above) && !reach.contains_key(above);
            path.extend(self.ancestors(joint).take_while(open));
            let end = path.last().map_or(self.parents[joint], |last| self.parents[*last]);
            let far = end.and_then(|end| first.get(&end).copied().or_else(|| reach.get(&end).copied().flatten()));
            path.iter().for_each(|above| _ = reach.insert(*above, far));
            nearest = nearest.zip(far).map(|(a, b)| a.max(b));
        }
        let first = first?;
        nearest.and_then(|far| first.into_iter().find(|(_, own)| *own == far)).map(|(node, _)| node)
    }

    /// Finds the nodes that hold skinned meshes because their joints stand below them.
    fn find_hosts(&mut self, scene: &Scene) {
        for node in scene.nodes.iter().filter(|node| node.mesh.is_some()) {
            let rig = node.skin.and_then(|skin| self.rigs.get(skin.index()));
            if let Some(host) = rig.filter(|rig| rig.sound).and_then(|rig| rig.parent) {
                self.hosts[host] = true;
            }
        }
    }

    /// Marks what is joints and nothing else: where nothing below holds anything, and the skin is shown, too.
    fn find_joints(&mut self, scene: &Scene, stages: &Stages) {
        let count = self.parents.len();
        // The scenes that show what is skinned by each skin.
        let mut bound: Vec<Option<BTreeSet<usize>>> = vec![None; self.rigs.len()];
        for (id, node) in scene.nodes.entries() {
            if let Some(bound) = node.skin.and_then(|skin| bound.get_mut(skin.index())) {
                bound.get_or_insert_default().extend(stages.showing(id.index()));
            }
        }
        // Whether it or anything below it holds something.
        let mut holds = vec![false; count];
        for (id, node) in scene.nodes.entries() {
            let mut at = Some(id.index()).filter(|at| node.mesh.is_some() || node.skin.is_some() || self.hosts[*at]);
            while let Some(node) = at.filter(|node| !holds[*node]) {
                holds[node] = true;
                at = self.parents[node];
            }
        }
        // Joints are in the skeleton of their own skin, and not again in that of a skin whose joints are above them.
        let mut own = vec![false; count];
        for skin in (0..bound.len()).filter(|skin| bound[*skin].is_some() && self.rigs[*skin].sound) {
            let listed = scene.skins[Id::new(skin)].joints.iter().map(|joint| joint.index());
            listed.chain(self.rigs[skin].between.iter().copied()).for_each(|joint| own[joint] = true);
        }
        for (skin, bound) in bound.into_iter().enumerate() {
            let Some(bound) = bound else { continue };
            let listed: Vec<usize> = scene.skins[Id::new(skin)].joints.iter().map(|joint| joint.index()).collect();
            if !self.rigs[skin].sound {
                continue;
            }
            let mut met: HashSet<usize> = listed.iter().chain(&self.rigs[skin].between).copied().collect();
            let mut open: Vec<usize> = listed.iter().chain(&self.rigs[skin].between).copied().collect();
            let mut below = Vec::new();
            while let Some(node) = open.pop() {
                if !holds[node] && stages.showing(node).is_subset(&bound) {
                    self.mapping[node] = NodeMapping::Joint;
                }
                for &child in self.children[node].iter().filter(|child| !holds[**child] && !own[**child]) {
                    if met.insert(child) {
                        below.push(child);
                        open.push(child);
                    }
                }
            }
            below.sort_unstable();
            self.rigs[skin].below = below;
        }
        // A node stands below nodes only.
        for node in 0..count {
            let mut at = self.parents[node].filter(|_| self.mapping[node] == NodeMapping::Node);
            while let Some(above) = at.filter(|above| self.mapping[*above] == NodeMapping::Joint) {
                self.mapping[above] = NodeMapping::Node;
                at = self.parents[above];
            }
        }
    }

    /// A node at the origin that only says that what it shows is unplaced is in the group or skeleton of that.
    fn merge_unplaced(&mut self, scene: &Scene) {
        for (id, node) in scene.nodes.entries().filter(|(_, node)| node.role == NodeRole::Unplaced) {
            let at = id.index();
            let shown = node.mesh.and_then(|mesh| scene.meshes.get(mesh));
            let nameless = node.name.is_empty() || shown.is_some_and(|mesh| mesh.name == node.name);
            let plain = nameless && node.material.is_none();
            let alone = self.parents[at].is_none() && !self.moved[at] && node.transform.is_identity();
            let joints = self.children[at].iter().all(|child| self.mapping[*child] == NodeMapping::Joint);
            if plain && alone && joints {
                self.mapping[at] = NodeMapping::Merged;
            }
        }
    }
}

/// Which scenes show what.
struct Stages {
    /// The topmost node above each.
    tops: Vec<usize>,
    /// The scenes that show each topmost node.
    scenes: Vec<BTreeSet<usize>>,
}

impl Stages {
    fn of(scene: &Scene, plan: &Plan) -> Stages {
        let mut tops: Vec<usize> = (0..plan.parents.len()).collect();
        let mut open: Vec<usize> = tops.iter().copied().filter(|node| plan.parents[*node].is_none()).collect();
        while let Some(node) = open.pop() {
            plan.children[node].iter().for_each(|child| tops[*child] = tops[node]);
            open.extend(&plan.children[node]);
        }
        let mut scenes = vec![BTreeSet::new(); tops.len()];
        for (number, root) in scene.scenes.iter().enumerate() {
            for node in &root.nodes {
                scenes.get_mut(node.index()).into_iter().for_each(|scenes| _ = scenes.insert(number));
            }
        }
        Stages { tops, scenes }
    }

    fn showing(&self, node: usize) -> &BTreeSet<usize> {
        &self.scenes[self.tops[node]]
    }

    /// Whether what binds a skin is not shown by the scenes that show its joints, by skin.
    fn apart(&self, scene: &Scene) -> Vec<bool> {
        let mut apart = vec![false; scene.skins.len()];
        for (id, node) in scene.nodes.entries() {
            let Some(skin) = node.skin.filter(|skin| scene.skins.get(*skin).is_some()) else { continue };
            let first = scene.skins[skin].joints.first().map(|joint| joint.index());
            let Some(joint) = first.filter(|joint| *joint < self.tops.len()) else { continue };
            apart[skin.index()] |= self.showing(id.index()) != self.showing(joint);
        }
        apart
    }
}
