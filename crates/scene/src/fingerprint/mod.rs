//! What the objects of a scene say, each as a short number: whether an object is still what it was can be asked without
//! having what it was.
//!
//! Equal objects have equal fingerprints wherever they stand in their lists and however their numbers lie in memory.
//! Objects that an object names are part of it by their content, never by their position.

mod ink;
mod objects;
mod tree;

use std::fmt;
use std::str::FromStr;

use ink::Ink;
use objects::{Known, of_animation, of_file, of_material, of_mesh, of_node, of_skin, with_levels};
use tree::Tree;

use crate::{Id, Node, Scene};

/// The first half of a SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 16]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Fingerprint {
    type Err = std::num::ParseIntError;
    fn from_str(digits: &str) -> Result<Fingerprint, Self::Err> {
        // A sign, or fewer digits, is none of its forms.
        let whole = digits.len() == 32 && !digits.starts_with('+');
        u128::from_str_radix(if whole { digits } else { "" }, 16).map(|number| Fingerprint(number.to_be_bytes()))
    }
}

/// The fingerprints of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// What concerns the file as a whole: metadata, axes, which nodes stand at the top.
    pub file: Fingerprint,
    /// Every node with its place in the world, and with the light, camera, skin and mesh that it has.
    pub nodes: Vec<Fingerprint>,
    /// Every mesh, with its materials.
    pub meshes: Vec<Fingerprint>,
    /// Every material, with its textures.
    pub materials: Vec<Fingerprint>,
    /// Every animation; what it moves by name and place.
    pub animations: Vec<Fingerprint>,
}

impl Fingerprints {
    /// Those of a scene.
    pub fn of(scene: &Scene) -> Fingerprints {
        let materials: Vec<_> = scene.materials.iter().map(|material| of_material(scene, material)).collect();
        let plain: Vec<_> = scene.meshes.iter().map(|mesh| of_mesh(mesh, &materials)).collect();
        let meshes: Vec<_> =
            scene.meshes.iter().zip(&plain).map(|(mesh, own)| with_levels(mesh, *own, &plain)).collect();
        let tree = Tree::of(scene);
        let known = Known { materials: &materials, meshes: &meshes };
        let own: Vec<_> = scene.nodes.iter().map(|node| of_node(scene, node, &known)).collect();
        let placed = tree.down(|node, parent| {
            let mut ink = Ink::new("placed");
            ink.print(own[node]);
            ink.maybe(parent, |ink, parent| ink.print(parent));
            ink.dry()
        });
        let skins: Vec<_> = scene.skins.iter().map(|skin| of_skin(skin, &placed)).collect();
        let bent = |(id, node): (Id<Node>, &Node)| match node.skin.and_then(|skin| skins.get(skin.index())) {
            None => placed[id.index()],
            Some(skin) => {
                let mut ink = Ink::new("bent");
                ink.print(placed[id.index()]);
                ink.print(*skin);
                ink.dry()
            }
        };
        let nodes: Vec<_> = scene.nodes.entries().map(bent).collect();
        let called = tree.names(scene);
        let animations = scene.animations.iter().map(|animation| of_animation(animation, &called)).collect();
        Fingerprints { file: of_file(scene, &nodes), nodes, meshes, materials, animations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Animation, Channel, Component, Indices, Interpolation, Material, Mesh, Primitive, SceneRoot, Semantic, Stream,
        Topology, Track, Transform,
    };

    fn two_objects() -> Scene {
        let mut scene = Scene::new();
        for name in ["a", "b"] {
            let material = scene.materials.add(Material { name: name.into(), ..Material::default() });
            let corners = Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]);
            let mut triangle = Primitive::new(Topology::Triangles).with(Semantic::Position, corners);
            triangle.material = Some(material);
            triangle.indices = Some(Indices(Stream::from_u32(1, vec![0, 1, 2])));
            let mesh = scene.meshes.add(Mesh { name: name.into(), primitives: vec![triangle], ..Mesh::default() });
            let child = scene.nodes.add(Node { name: "below".into(), ..Node::default() });
            scene.add_root(Node { name: name.into(), mesh: Some(mesh), children: vec![child], ..Node::default() });
        }
        let channel = Channel {
            node: Some(Id::new(1)),
            track: Track::Scale,
            times: vec![0.],
            values: vec![1.; 3],
            interpolation: Interpolation::Step,
            relative: false,
        };
        scene.animations.add(Animation { channels: vec![channel], ..Animation::default() });
        scene
    }

    /// Which prints differ: file, nodes, meshes, materials, animations.
    fn changed(change: impl FnOnce(&mut Scene)) -> (bool, Vec<usize>, Vec<usize>, Vec<usize>, bool) {
        let mut scene = two_objects();
        let before = Fingerprints::of(&scene);
        change(&mut scene);
        let after = Fingerprints::of(&scene);
        let differ = |a: &[Fingerprint], b: &[Fingerprint]| (0..a.len()).filter(|&i| a[i] != b[i]).collect();
        (
            before.file != after.file,
            differ(&before.nodes, &after.nodes),
            differ(&before.meshes, &after.meshes),
            differ(&before.materials, &after.materials),
            before.animations != after.animations,
        )
    }

    #[test]
    fn a_change_shows_in_what_it_concerns_and_nowhere_else() {
        assert_eq!(changed(|_| {}), (false, vec![], vec![], vec![], false));
        let moved = |scene: &mut Scene| {
            let translation = [1., 0., 0.];
            scene.nodes[Id::new(1)].transform =
                Transform::Trs { translation, rotation: [0., 0., 0., 1.], scale: [1.; 3] };
        };
        assert_eq!(changed(moved), (true, vec![0, 1], vec![], vec![], false), "what stands below moves with it");
        let painted = |scene: &mut Scene| scene.materials[Id::new(1)].double_sided = true;
        assert_eq!(changed(painted), (true, vec![2, 3], vec![1], vec![1], false));
        let renamed = |scene: &mut Scene| scene.nodes[Id::new(1)].name = "c".into();
        assert_eq!(changed(renamed), (true, vec![0, 1], vec![], vec![], true));
        let retitled = |scene: &mut Scene| scene.metadata.title = "t".into();
        assert_eq!(changed(retitled), (true, vec![], vec![], vec![], false));
        let resaved = |scene: &mut Scene| scene.metadata.generator = "other".into();
        assert_eq!(changed(resaved), (false, vec![], vec![], vec![], false));
        let bits = |scene: &mut Scene| {
            let corners = Stream::from_f32(3, vec![-0., 0., 0., 1., 0., 0., 0., 1., 0.]);
            scene.meshes[Id::new(0)].primitives[0].set(Semantic::Position, corners);
        };
        assert_eq!(changed(bits), (true, vec![0, 1], vec![0], vec![], false));
    }

    #[test]
    fn the_width_of_indices_and_the_order_of_keys_say_nothing() {
        let narrower = |scene: &mut Scene| {
            let bytes = wire::Blob::memory(vec![0, 1, 2]);
            let narrow = Stream::new(bytes, 3, crate::Encoding::packed(Component::U8, 1));
            scene.meshes[Id::new(0)].primitives[0].indices = Some(Indices(narrow));
        };
        assert_eq!(changed(narrower), (false, vec![], vec![], vec![], false));
        let of = |keys: [&str; 2]| {
            let mut scene = Scene::new();
            keys.into_iter().for_each(|key| scene.extras.set(key, 1_i64));
            Fingerprints::of(&scene).file
        };
        assert_eq!(of(["a", "b"]), of(["b", "a"]));
        assert_ne!(of(["a", "b"]), of(["a", "c"]));
    }

    #[test]
    fn circles_of_nodes_end() {
        let mut scene = Scene::new();
        let (a, b) = (Id::new(0), Id::new(1));
        scene.nodes.add(Node { children: vec![b, a], ..Node::default() });
        scene.nodes.add(Node { children: vec![a], ..Node::default() });
        scene.scenes.push(SceneRoot { nodes: vec![a, Id::new(7)], ..SceneRoot::default() });
        assert_eq!(Fingerprints::of(&scene).nodes.len(), 2);
    }

    #[test]
    fn digits_come_back() {
        let print = Fingerprints::of(&Scene::new()).file;
        assert_eq!(print.to_string().len(), 32);
        assert_eq!(print.to_string().parse(), Ok(print));
        for odd in ["", "12", "+0000000000000000000000000000001", "zz000000000000000000000000000000"] {
            assert!(odd.parse::<Fingerprint>().is_err(), "{odd}");
        }
    }
}
