//! What a scene shows: triangles, lines and points, where they are.

use glam::{DMat3, DMat4, DVec3};
use scene::sample::Pose;
use scene::{Id, Material, Node, Primitive, Scene, Semantic, Topology};

/// The corners of a triangle; of a line or point, one corner three times.
pub(super) type Places = [DVec3; 3];

/// A primitive where it is shown.
pub(super) struct Part<'a> {
    pub(super) node: Id<Node>,
    pub(super) primitive: &'a Primitive,
    pub(super) material: Option<&'a Material>,
    /// A copy among others: its place relative to the node.
    copy: Option<DMat4>,
    /// Three corners per element, in the order in which they are seen: what mirrors turns it round.
    pub(super) corners: Vec<usize>,
}

impl Part<'_> {
    /// How each of so many vertices is turned and sized.
    pub(super) fn linear(&self, scene: &Scene, pose: &Pose, count: usize) -> Vec<DMat3> {
        let bent = pose.skinning(scene, self.node, self.primitive, count).filter(|_| self.copy.is_none());
        match bent {
            Some(bent) => bent.into_iter().map(DMat3::from_mat4).collect(),
            None => vec![DMat3::from_mat4(self.place(pose)); count],
        }
    }

    /// Where its node, or its copy, stands.
    fn place(&self, pose: &Pose) -> DMat4 {
        pose.world(self.node).unwrap_or_default() * self.copy.unwrap_or_default()
    }
}

/// Everything that a scene shows, in its order.
pub(super) struct Shown<'a> {
    pub(super) scene: &'a Scene,
    pub(super) parts: Vec<Part<'a>>,
    /// Part and number in it of every element.
    pub(super) elements: Vec<(usize, usize)>,
}

/// What an element is: none of one kind stands for one of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Point,
    Line,
    Triangle,
}

impl<'a> Shown<'a> {
    /// What a scene shows. Which side of a bent shape is its front is told by its node, not by its joints; among shapes
    /// that are `bent` in the same way by the order of its corners, as formats put such nodes wherever joints are.
    pub(super) fn of(scene: &'a Scene, bent: bool) -> Shown<'a> {
        let mut shown = Shown { scene, parts: Vec::new(), elements: Vec::new() };
        let pose = Pose::rest(scene);
        for (node, _) in scene.placed(scene.default_scene.unwrap_or(0)) {
            let placed = &scene.nodes[node];
            let Some(mesh) = placed.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
            let copies: Vec<(Option<DMat4>, Option<Id<Material>>)> = match &placed.instances {
                Some(all) => all.placements.iter().map(|p| (Some(p.transform.matrix()), p.material)).collect(),
                None => vec![(None, None)],
            };
            for (copy, own) in copies {
                for primitive in &mesh.primitives {
                    let material = own.or(placed.material).or(primitive.material);
                    let material = material.and_then(|material| scene.materials.get(material));
                    let mut part = Part { node, primitive, material, copy, corners: corners(primitive) };
                    let as_stored = bent && copy.is_none() && pose.skinning(scene, node, primitive, 1).is_some();
                    if !as_stored && part.place(&pose).determinant() < 0. {
                        part.corners.as_chunks_mut::<3>().0.iter_mut().for_each(|corners| corners.swap(1, 2));
                    }
                    shown.add(part);
                }
            }
        }
        shown
    }

    fn add(&mut self, part: Part<'a>) {
        let at = self.parts.len();
        self.elements.extend((0..part.corners.len() / 3).map(|element| (at, element)));
        self.parts.push(part);
    }

    /// Where every element is in a pose.
    pub(super) fn places(&self, pose: &Pose) -> Vec<Places> {
        let mut out = Vec::with_capacity(self.elements.len());
        for part in &self.parts {
            let points = match part.copy {
                None => pose.positions(self.scene, part.node, part.primitive),
                Some(_) => {
                    let world = part.place(pose);
                    let own = scene::sample::morphed(part.primitive, pose.weights(part.node), &Semantic::Position);
                    own.into_iter().map(|point| world.transform_point3(point)).collect()
                }
            };
            let point = |at: &usize| points.get(*at).copied().unwrap_or(DVec3::NAN);
            out.extend(part.corners.chunks_exact(3).map(|t| [point(&t[0]), point(&t[1]), point(&t[2])]));
        }
        out
    }

    /// The places of all elements, part by part.
    pub(super) fn by_part<'p>(&self, places: &'p [Places]) -> impl Iterator<Item = &'p [Places]> {
        let mut rest = places;
        self.parts.iter().map(move |part| {
            let (own, others) = rest.split_at(part.corners.len() / 3);
            rest = others;
            own
        })
    }

    /// What every element is.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let kind = |&(part, _): &(usize, usize)| match self.parts[part].primitive.topology {
            Topology::Points => Kind::Point,
            topology if topology.is_surface() => Kind::Triangle,
            _ => Kind::Line,
        };
        self.elements.iter().map(kind).collect()
    }

    /// Every kind of attribute that some part has.
    pub(super) fn semantics(&self) -> Vec<Semantic> {
        let mut out: Vec<Semantic> = Vec::new();
        for attribute in self.parts.iter().flat_map(|part| &part.primitive.attributes) {
            if !out.contains(&attribute.semantic) {
                out.push(attribute.semantic.clone());
            }
        }
        out
    }
}

fn corners(primitive: &Primitive) -> Vec<usize> {
    let wide = |index: u32| index as usize;
    if primitive.topology.is_surface() {
        return scene::fit::triangulate(primitive).into_iter().map(wide).collect();
    }
    let order: Vec<usize> = match &primitive.indices {
        Some(indices) => indices.to_vec().into_iter().map(wide).collect(),
        None => (0..primitive.vertex_count()).collect(),
    };
    order.into_iter().flat_map(|corner| [corner; 3]).collect()
}
