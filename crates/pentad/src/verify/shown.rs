//! What a scene shows: triangles, lines, points and cubes, where they are.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DVec3};
use scene::sample::Pose;
use scene::{Id, Material, Node, NodeRole, Primitive, Scene, Semantic, Topology, Voxels};

use super::corrected::Similarity;

/// The corners of a triangle; of a line its two ends, the second twice; a point three times; of a cube its middle and
/// the smallest and largest corner of the box around it.
pub(super) type Places = [DVec3; 3];

/// What an element is: none of one kind stands for one of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Point,
    Line,
    Triangle,
    Voxel,
}

/// What elements are made of.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    Primitive(&'a Primitive),
    Voxels(&'a Voxels),
}

/// Why elements are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The scene shows them.
    Shown,
    /// Nothing places them: a target may show them at the origin, or not.
    Unplaced,
    /// They are hidden.
    Hidden,
}

/// A primitive, or cubes, where they are shown.
pub(super) struct Part<'a> {
    /// Which scene shows it.
    pub(super) root: usize,
    pub(super) node: Id<Node>,
    pub(super) content: Content<'a>,
    pub(super) material: Option<Id<Material>>,
    pub(super) kind: Kind,
    pub(super) standing: Standing,
    /// An instance among others: its transform relative to the node.
    instance: Option<DMat4>,
    /// Three corners per element, in the order in which they are seen: what mirrors turns it round.
    pub(super) corners: Vec<usize>,
}

impl<'a> Part<'a> {
    /// How many elements it has.
    pub(super) fn len(&self) -> usize {
        self.corners.len() / 3
    }

    pub(super) fn primitive(&self) -> Option<&'a Primitive> {
        match self.content {
            Content::Primitive(primitive) => Some(primitive),
            Content::Voxels(_) => None,
        }
    }

    pub(super) fn voxels(&self) -> Option<&'a Voxels> {
        match self.content {
            Content::Primitive(_) => None,
            Content::Voxels(voxels) => Some(voxels),
        }
    }

    /// Where its node, or its instance, stands.
    pub(super) fn world(&self, pose: &Pose) -> DMat4 {
        pose.world(self.node).unwrap_or_default() * self.instance.unwrap_or_default()
    }

    /// What moves each of so many vertices, one for all or one each.
    fn matrices(&self, scene: &Scene, pose: &Pose, count: usize) -> Vec<DMat4> {
        let world = self.world(pose);
        let primitive = self.primitive().filter(|_| self.instance.is_none());
        match primitive.and_then(|primitive| pose.skinning(scene, self.node, primitive, count)) {
            // What no joint holds stands where the node has it.
            Some(skinned) => skinned.into_iter().map(|m| if m == DMat4::ZERO { world } else { m }).collect(),
            None => vec![world],
        }
    }
}

/// Everything that a scene shows, in its order.
pub(super) struct Shown<'a> {
    pub(super) scene: &'a Scene,
    pub(super) parts: Vec<Part<'a>>,
    /// Part and number in it of every element.
    pub(super) elements: Vec<(usize, usize)>,
    pub(super) similarity: Similarity,
}

impl<'a> Shown<'a> {
    /// What scenes show; each is called by the second number. What is hidden or not placed is among it if `all` is.
    pub(super) fn of(scene: &'a Scene, roots: &[(usize, usize)], similarity: Similarity, all: bool) -> Shown<'a> {
        let mut shown = Shown { scene, parts: Vec::new(), elements: Vec::new(), similarity };
        let pose = Pose::rest(scene);
        for &(index, root) in roots {
            let mut standings: HashMap<Id<Node>, Standing> = HashMap::new();
            for (id, _) in scene.placed(index) {
                let node = &scene.nodes[id];
                let own = match (node.visible, node.role) {
                    (false, _) => Standing::Hidden,
                    (true, NodeRole::Unplaced) => Standing::Unplaced,
                    (true, _) => standings.get(&id).copied().unwrap_or(Standing::Shown),
                };
                // What hangs below a hidden node is hidden with it.
                if own != Standing::Shown {
                    node.children.iter().for_each(|child| _ = standings.insert(*child, own));
                }
                // Cubes of a target that has no places for them stand where they are.
                if own == Standing::Shown || all || own == Standing::Unplaced && node.voxels.is_some() {
                    shown.add_node(root, id, own, &pose);
                }
            }
        }
        shown
    }

    fn add_node(&mut self, root: usize, id: Id<Node>, standing: Standing, pose: &Pose) {
        let scene = self.scene;
        let node = &scene.nodes[id];
        let instances: Vec<(Option<DMat4>, Option<Id<Material>>)> = match &node.instances {
            Some(all) => all.placements.iter().map(|p| (Some(p.transform.matrix()), p.material)).collect(),
            None => vec![(None, None)],
        };
        let primitives = node.mesh.and_then(|mesh| scene.meshes.get(mesh)).map_or(&[][..], |mesh| &mesh.primitives);
        for (instance, own) in instances {
            for primitive in primitives {
                let kind = match primitive.topology {
                    Topology::Points => Kind::Point,
                    topology if topology.is_surface() => Kind::Triangle,
                    _ => Kind::Line,
                };
                let material = own.or(node.material).or(primitive.material);
                let (content, corners) = (Content::Primitive(primitive), corners(primitive));
                let mut part = Part { root, node: id, content, material, kind, standing, instance, corners };
                // As glTF has it, the node tells which side is the front, also where joints move the vertices.
                if kind == Kind::Triangle && part.world(pose).determinant() < 0. {
                    part.corners.as_chunks_mut::<3>().0.iter_mut().for_each(|corners| corners.swap(1, 2));
                }
                self.add(part);
            }
        }
        if let Some(voxels) = node.voxels.and_then(|voxels| scene.voxels.get(voxels)) {
            let corners = (0..voxels.voxels.len()).flat_map(|voxel| [voxel; 3]).collect();
            let (kind, content) = (Kind::Voxel, Content::Voxels(voxels));
            self.add(Part { root, node: id, content, material: None, kind, standing, instance: None, corners });
        }
    }

    fn add(&mut self, part: Part<'a>) {
        let at = self.parts.len();
        self.elements.extend((0..part.len()).map(|element| (at, element)));
        self.parts.push(part);
    }

    /// Where every element is in a pose.
    pub(super) fn places(&self, pose: &Pose) -> Vec<Places> {
        (0..self.parts.len()).flat_map(|part| self.places_of(part, pose)).collect()
    }

    /// Where the elements of one part are in a pose.
    pub(super) fn places_of(&self, part: usize, pose: &Pose) -> Vec<Places> {
        let part = &self.parts[part];
        match part.content {
            Content::Voxels(voxels) => {
                let world = part.world(pose);
                voxels.voxels.iter().map(|voxel| self.cube(&world, voxel.position)).collect()
            }
            Content::Primitive(primitive) => {
                let own = scene::sample::morphed(primitive, pose.weights(part.node), &Semantic::Position);
                let matrices = part.matrices(self.scene, pose, own.len());
                let one = matrices.first().copied().unwrap_or_default();
                let matrix = |i: usize| matrices.get(i).filter(|_| matrices.len() > 1).unwrap_or(&one);
                let linear = self.similarity.linear;
                let world = |(i, p): (usize, &DVec3)| linear * matrix(i).transform_point3(*p);
                let points: Vec<DVec3> = own.iter().enumerate().map(world).collect();
                let point = |at: usize| points.get(at).copied().unwrap_or(DVec3::NAN);
                part.corners.as_chunks::<3>().0.iter().map(|corners| corners.map(point)).collect()
            }
        }
    }

    fn cube(&self, world: &DMat4, position: [f32; 3]) -> Places {
        let middle = DVec3::from_array(position.map(f64::from));
        let at = |p: DVec3| self.similarity.linear * world.transform_point3(p);
        let side = |bit: i32| if bit == 0 { -0.5 } else { 0.5 };
        let corners = (0..8).map(|n| at(middle + DVec3::new(side(n & 1), side(n & 2), side(n & 4))));
        let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
        if middle.is_finite() { [at(middle), low, high] } else { [DVec3::NAN; 3] }
    }

    /// The linear part of what moves each vertex of a part at rest, with the similarity; one for all or one each.
    pub(super) fn linear(&self, part: usize, pose: &Pose, count: usize) -> Vec<DMat3> {
        let matrices = self.parts[part].matrices(self.scene, pose, count);
        matrices.into_iter().map(|matrix| self.similarity.linear * DMat3::from_mat4(matrix)).collect()
    }

    /// Every kind of attribute that some part has.
    pub(super) fn semantics(&self) -> Vec<Semantic> {
        let mut out: Vec<Semantic> = Vec::new();
        for attribute in self.parts.iter().filter_map(Part::primitive).flat_map(|primitive| &primitive.attributes) {
            if !out.contains(&attribute.semantic) {
                out.push(attribute.semantic.clone());
            }
        }
        out
    }
}

/// The corners of what can be drawn: all of them are there.
fn corners(primitive: &Primitive) -> Vec<usize> {
    let count = primitive.get(&Semantic::Position).map_or(0, scene::Stream::len);
    let order: Vec<usize> = if primitive.topology.is_surface() {
        ops::triangles(primitive).into_iter().map(|index| index as usize).collect()
    } else {
        let order: Vec<usize> = match &primitive.indices {
            Some(indices) => indices.to_vec().into_iter().map(|index| index as usize).collect(),
            None => (0..count).collect(),
        };
        let line = |ends: &[usize]| [ends[0], ends[1], ends[1]];
        match primitive.topology {
            Topology::Points => order.into_iter().flat_map(|point| [point; 3]).collect(),
            Topology::Lines => order.chunks_exact(2).flat_map(line).collect(),
            Topology::LineLoop if order.len() > 1 => {
                let back = [order[order.len() - 1], order[0]];
                order.windows(2).chain([&back[..]]).flat_map(line).collect()
            }
            _ => order.windows(2).flat_map(line).collect(),
        }
    };
    let drawn = order.as_chunks::<3>().0.iter().filter(|corners| corners.iter().all(|corner| *corner < count));
    drawn.flatten().copied().collect()
}
