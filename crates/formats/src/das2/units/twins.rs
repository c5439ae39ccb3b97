//! Which structures of the base were made of which of the origin.
//!
//! Lifting keeps the order of all that has a name, and puts behind it what stands alone. Meshes, joints and channels
//! are numbered anew, as groups, skeletons and animations name them, once for each that does.

use std::collections::{BTreeMap, HashMap};

use scene::Forest;

use super::super::channel::{AnimationChannel, AnimationTarget};
use super::super::document::Parts;
use super::super::form::Kind;
use super::super::layout::NONE;

/// A structure: its kind, and its number among those.
pub(super) type Unit = (Kind, usize);

/// By the kinds and numbers of the base: the number in the origin, if there is such a one.
#[derive(Default)]
pub(super) struct Twins {
    of: BTreeMap<Kind, Vec<Option<usize>>>,
    /// How many of the base each of the origin became.
    made_of: HashMap<Unit, usize>,
}

/// What a channel moves, in numbers of the origin: a node, a joint, and how.
type Moved = (Option<usize>, Option<usize>, AnimationTarget);

impl Twins {
    /// Nothing if base and origin do not correspond.
    pub(super) fn of(origin: &Parts<'_>, base: &Parts<'_>) -> Option<Twins> {
        let mut twins = Twins::default();
        for kind in Kind::TOP.into_iter().filter(|kind| *kind != Kind::BUFFER) {
            twins.of.insert(kind, vec![None; base.count(kind)]);
        }
        for kind in [Kind::NODE, Kind::SCENE, Kind::ANIMATION] {
            twins.in_order(kind, 0..origin.count(kind), origin, base)?;
        }
        for kind in [Kind::MATERIAL_PHONG, Kind::MATERIAL_PBR] {
            twins.in_order(kind, 0..origin.count(kind), origin, base)?;
        }
        twins.find_meshes(origin, base)?;
        twins.find_joints(origin, base)?;
        twins.find_channels(origin, base)?;
        Some(twins)
    }

    /// The number in the origin of what has this number in the base.
    pub(super) fn get(&self, (kind, number): Unit) -> Option<usize> {
        self.of.get(&kind)?.get(number).copied().flatten()
    }

    /// How many of the base were made of one of the origin.
    pub(super) fn made_of(&self, kind: Kind, origin: usize) -> usize {
        self.made_of.get(&(kind, origin)).copied().unwrap_or(0)
    }

    fn pair(&mut self, kind: Kind, base: usize, origin: usize) -> Option<()> {
        let twin = self.of.get_mut(&kind)?.get_mut(base)?;
        if twin.is_none() {
            *twin = Some(origin);
            *self.made_of.entry((kind, origin)).or_default() += 1;
        }
        (*twin == Some(origin)).then_some(())
    }

    /// Pairs what has the same name and stands at the same place among those that count.
    fn in_order(
        &mut self,
        kind: Kind,
        counting: impl IntoIterator<Item = usize>,
        origin: &Parts<'_>,
        base: &Parts<'_>,
    ) -> Option<()> {
        for (own, other) in counting.into_iter().enumerate() {
            if name(base, (kind, own)) != name(origin, (kind, other)) {
                return None;
            }
            self.pair(kind, own, other)?;
        }
        Some(())
    }

    fn all(&mut self, kind: Kind, base: &[usize], origin: &[usize]) -> Option<()> {
        let mut pairs = base.iter().zip(origin);
        (base.len() == origin.len()).then_some(())?;
        pairs.try_for_each(|(base, origin)| self.pair(kind, *base, *origin))
    }

    /// Groups in their order, and behind them one for each mesh of none. What draws nothing is not in glTF.
    fn find_meshes(&mut self, origin: &Parts<'_>, base: &Parts<'_>) -> Option<()> {
        let count = origin.meshes.len();
        let mut lists: Vec<Vec<usize>> = origin.mesh_groups.iter().map(|group| there(&group.meshes, count)).collect();
        lists.extend(unnamed(count, &lists).into_iter().map(|mesh| vec![mesh]));
        let draws = |mesh: &usize| origin.meshes[*mesh].draw_count >= 3;
        let mut lists: Vec<(usize, Vec<usize>)> = lists.into_iter().enumerate().collect();
        if base.mesh_groups.len() < lists.len() {
            lists.retain(|(_, meshes)| meshes.iter().any(draws));
        }
        for (at, (group, mut meshes)) in lists.into_iter().enumerate() {
            let own = there(&base.mesh_groups.get(at)?.meshes, base.meshes.len());
            if own.len() < meshes.len() {
                meshes.retain(draws);
            }
            if group < origin.mesh_groups.len() {
                let same = base.mesh_groups[at].name.bytes() == origin.mesh_groups[group].name.bytes();
                same.then_some(())?;
                self.pair(Kind::MESH_GROUP, at, group)?;
            }
            self.all(Kind::MESH, &own, &meshes)?;
        }
        Some(())
    }

    fn find_joints(&mut self, origin: &Parts<'_>, base: &Parts<'_>) -> Option<()> {
        let (count, forest) = (origin.joints.len(), Trees::of(origin));
        let own = Trees::of(base);
        let lists: Vec<Vec<usize>> = origin.skeletons.iter().map(|it| there(&it.joints, count)).collect();
        let with_joints: Vec<usize> = (0..lists.len()).filter(|at| !lists[*at].is_empty()).collect();
        self.in_order(Kind::SKELETON, with_joints.iter().copied(), origin, base)?;
        let mut met = vec![false; count];
        for (skeleton, list) in base.skeletons.iter().zip(with_joints.iter().map(|at| &lists[*at])) {
            for (joint, other) in skeleton.joints.iter().map(|joint| joint as usize).zip(list) {
                if self.get((Kind::SKELETON_JOINT, joint)) != Some(*other) {
                    let (top, other) = own.path(joint)?.zip(forest.path(*other)?).last()?;
                    self.find_below(top, other, (&own, &forest), &mut met)?;
                }
            }
        }
        let rest: Vec<usize> = (0..count).filter(|at| !met[*at] && forest.parents[*at].is_none()).collect();
        if let Some(free) = base.skeletons.get(with_joints.len()) {
            let tops = free.joints.iter().map(|joint| joint as usize);
            let tops = tops.filter(|joint| own.parents.get(*joint) == Some(&None));
            for (top, other) in tops.zip(rest) {
                self.find_below(top, other, (&own, &forest), &mut met)?;
            }
        }
        Some(())
    }

    /// Pairs two joints and all below them.
    fn find_below(&mut self, base: usize, origin: usize, trees: (&Trees, &Trees), met: &mut [bool]) -> Option<()> {
        let mut open = vec![(base, origin)];
        while let Some((base, origin)) = open.pop() {
            self.pair(Kind::SKELETON_JOINT, base, origin)?;
            met[origin] = true;
            let (below, others) = (trees.0.children.get(base)?, trees.1.children.get(origin)?);
            (below.len() == others.len()).then_some(())?;
            open.extend(below.iter().copied().zip(others.iter().copied()));
        }
        Some(())
    }

    fn find_channels(&mut self, origin: &Parts<'_>, base: &Parts<'_>) -> Option<()> {
        let count = origin.channels.len();
        let mut lists: Vec<Vec<usize>> =
            origin.animations.iter().map(|animation| there(&animation.animation_channels, count)).collect();
        let rest = unnamed(count, &lists);
        if !rest.is_empty() {
            lists.push(rest);
        }
        let mut parents: HashMap<usize, usize> = HashMap::new();
        for (id, node) in base.nodes.iter().enumerate() {
            parents.extend(node.children.iter().map(|child| (child as usize, id)));
        }
        for (animation, list) in base.animations.iter().zip(lists) {
            let mut ours: HashMap<Moved, Vec<usize>> = HashMap::new();
            for id in there(&animation.animation_channels, base.channels.len()) {
                let (node, joint, target) = moved(base.channels[id]);
                let node_twin = |node: usize| self.get((Kind::NODE, node));
                // What was made of a part of a node is below it.
                let node = node.and_then(|node| node_twin(node).or_else(|| node_twin(*parents.get(&node)?)));
                let joint = joint.and_then(|joint| self.get((Kind::SKELETON_JOINT, joint)));
                ours.entry((node, joint, target)).or_default().push(id);
            }
            let mut theirs: HashMap<Moved, Vec<usize>> = HashMap::new();
            for id in list {
                let what = moved(origin.channels[id]);
                let again = what.1.map_or(1, |joint| self.made_of(Kind::SKELETON_JOINT, joint));
                theirs.entry(what).or_default().extend(std::iter::repeat_n(id, again));
            }
            for (what, ids) in ours {
                self.all(Kind::ANIMATION_CHANNEL, &ids, theirs.get(&what)?)?;
            }
        }
        Some(())
    }
}

/// The joints of a document.
struct Trees {
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

impl Trees {
    fn of(parts: &Parts<'_>) -> Trees {
        let links = parts.joints.iter().map(|joint| joint.children.iter().map(|child| child as usize));
        let Forest { parents, children, .. } = Forest::from_links(links);
        Trees { parents, children }
    }

    /// A joint and all above it.
    fn path(&self, joint: usize) -> Option<impl Iterator<Item = usize> + '_> {
        (joint < self.parents.len()).then(|| std::iter::successors(Some(joint), |joint| self.parents[*joint]))
    }
}

/// The ids that lead somewhere.
fn there(ids: &wire::Bulk<u32>, count: usize) -> Vec<usize> {
    ids.iter().map(|id| id as usize).filter(|id| *id < count).collect()
}

/// What no list names.
fn unnamed(count: usize, lists: &[Vec<usize>]) -> Vec<usize> {
    let mut named = vec![false; count];
    lists.iter().flatten().for_each(|id| named[*id] = true);
    (0..count).filter(|id| !named[*id]).collect()
}

fn moved(channel: &AnimationChannel) -> Moved {
    let named = |id: u32| (id != NONE).then_some(id as usize);
    let node = named(channel.node_property_id);
    // A node counts where there are both.
    let joint = named(channel.joint_property_id).filter(|_| node.is_none());
    (node, joint, channel.animation_target)
}

fn name<'a>(parts: &Parts<'a>, (kind, number): Unit) -> Option<&'a [u8]> {
    match kind {
        Kind::NODE => parts.nodes.get(number).map(|it| it.name.bytes()),
        Kind::SCENE => parts.scenes.get(number).map(|it| it.name.bytes()),
        Kind::SKELETON => parts.skeletons.get(number).map(|it| it.name.bytes()),
        Kind::ANIMATION => parts.animations.get(number).map(|it| it.name.as_ref().map_or(&[][..], |name| name.bytes())),
        Kind::MATERIAL_PHONG => parts.phong_materials.get(number).map(|it| it.name.bytes()),
        Kind::MATERIAL_PBR => parts.pbr_materials.get(number).map(|it| it.name.bytes()),
        _ => None,
    }
}
