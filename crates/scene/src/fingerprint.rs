//! What the objects of a scene say, each as a short number: whether an object is still what it was can be asked without
//! having what it was.
//!
//! Equal objects have equal fingerprints wherever they stand in their lists and however their numbers lie in memory.
//! Objects that an object names are part of it by their content, never by their position.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::{
    AlphaMode, Animation, Attribute, Camera, ColorChannel, Component, Ease, Easing, Extras, Filter, Forest, Id, Image,
    ImageSource, Interpolation, Light, LightKind, Material, Mesh, Name, Node, NodeRole, Primitive, Projection,
    Properties, Role, Scene, Shading, Skin, Stream, Texture, TextureProjection, Track, Transform, Value, Wrap,
};

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

/// What is being hashed. Everything has its length before it, so that no two ways to say something run together.
struct Ink(Sha256);

impl Ink {
    fn new(kind: &str) -> Ink {
        let mut ink = Ink(Sha256::new());
        ink.word(kind);
        ink
    }
    fn dry(self) -> Fingerprint {
        let [first @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = <[u8; 32]>::from(self.0.finalize());
        Fingerprint(first)
    }
    fn print(&mut self, print: Fingerprint) {
        self.0.update(print.0);
    }
    fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }
    fn word(&mut self, word: &str) {
        self.bytes(word.as_bytes());
    }
    fn name(&mut self, name: &Name) {
        self.bytes(name.bytes());
    }
    fn flag(&mut self, flag: bool) {
        self.number(flag.into());
    }
    fn floats(&mut self, floats: &[f32]) {
        self.number(floats.len() as u64);
        floats.iter().for_each(|float| self.0.update(float.to_bits().to_le_bytes()));
    }
    fn doubles(&mut self, doubles: &[f64]) {
        self.number(doubles.len() as u64);
        doubles.iter().for_each(|double| self.0.update(double.to_bits().to_le_bytes()));
    }
    fn whole(&mut self, numbers: &[u32]) {
        self.number(numbers.len() as u64);
        numbers.iter().for_each(|number| self.0.update(number.to_le_bytes()));
    }
    fn maybe<T>(&mut self, value: Option<T>, say: impl FnOnce(&mut Ink, T)) {
        self.flag(value.is_some());
        if let Some(value) = value {
            say(self, value);
        }
    }
    fn list<T>(&mut self, list: impl ExactSizeIterator<Item = T>, mut say: impl FnMut(&mut Ink, T)) {
        self.number(list.len() as u64);
        list.for_each(|item| say(self, item));
    }
    /// One of so many objects, by what it is.
    fn named<T>(&mut self, id: Option<Id<T>>, prints: &[Fingerprint]) {
        self.maybe(id.and_then(|id| prints.get(id.index())), |ink, print| ink.print(*print));
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.word("null"),
            Value::Bool(flag) => {
                self.word("bool");
                self.flag(*flag);
            }
            // A reader of JSON cannot tell the two.
            Value::Int(number) => {
                self.word("whole");
                self.bytes(&i128::from(*number).to_le_bytes());
            }
            Value::Uint(number) => {
                self.word("whole");
                self.bytes(&i128::from(*number).to_le_bytes());
            }
            Value::F32(number) => {
                self.word("f32");
                self.floats(&[*number]);
            }
            Value::F64(number) => {
                self.word("f64");
                self.doubles(&[*number]);
            }
            Value::Text(text) => {
                self.word("text");
                self.name(text);
            }
            Value::Bytes(bytes) => {
                self.word("bytes");
                self.bytes(bytes);
            }
            Value::List(list) => {
                self.word("list");
                self.list(list.iter(), Ink::value);
            }
            Value::Map(map) => {
                self.word("map");
                self.pairs(map);
            }
        }
    }

    /// Named values; programs that rewrite JSON may sort them.
    fn pairs(&mut self, pairs: &[(String, Value)]) {
        let mut sorted: Vec<_> = pairs.iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        self.list(sorted.into_iter(), |ink, (key, value)| {
            ink.word(key);
            ink.value(value);
        });
    }

    fn extras(&mut self, extras: &Extras) {
        self.pairs(&extras.own);
        self.maybe(extras.foreign.as_ref(), Ink::value);
        self.pairs(&extras.extensions);
    }

    fn properties(&mut self, properties: &Properties) {
        self.list(properties.iter(), |ink, (name, value)| {
            ink.name(name);
            ink.value(value);
        });
    }

    fn transform(&mut self, transform: &Transform) {
        match transform {
            Transform::Trs { translation, rotation, scale } => {
                self.word("trs");
                self.floats(translation);
                self.floats(rotation);
                self.floats(scale);
            }
            Transform::Matrix(columns) => {
                self.word("matrix");
                self.floats(columns);
            }
        }
    }

    fn stream(&mut self, stream: &Stream) {
        let encoding = stream.encoding();
        self.word(encoding.component.name());
        self.number(encoding.count.into());
        self.flag(encoding.normalised);
        match encoding.component {
            Component::F32 => self.floats(&stream.to_f32()),
            _ => self.doubles(&stream.to_f64()),
        }
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        self.list(attributes.iter(), |ink, attribute| {
            ink.word(&attribute.semantic.to_string());
            ink.stream(&attribute.stream);
        });
    }

    fn primitive(&mut self, primitive: &Primitive, materials: &[Fingerprint]) {
        self.word(primitive.topology.name());
        self.attributes(&primitive.attributes);
        self.maybe(primitive.indices.as_ref(), |ink, indices| ink.whole(&indices.to_vec()));
        self.whole(&primitive.corners);
        self.named(primitive.material, materials);
        self.list(primitive.targets.iter(), |ink, target| ink.attributes(&target.attributes));
        self.extras(&primitive.extras);
    }

    fn texture(&mut self, scene: &Scene, texture: &Texture) {
        let filter = |filter: Filter| match filter {
            Filter::Nearest => "nearest",
            Filter::Linear => "linear",
            Filter::Cubic => "cubic",
        };
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => "repeat",
            Wrap::Mirror => "mirror",
            Wrap::Clamp => "clamp",
            Wrap::Clip => "clip",
        };
        self.name(&texture.name);
        self.maybe(texture.image.and_then(|image| scene.images.get(image)), Ink::image);
        self.maybe(texture.magnify, |ink, magnify| ink.word(filter(magnify)));
        self.maybe(texture.reduce, |ink, (reduce, between)| {
            ink.word(filter(reduce));
            ink.maybe(between, |ink, between| ink.word(filter(between)));
        });
        texture.wrap.iter().for_each(|along| self.word(wrap(*along)));
        self.word(match texture.projection {
            TextureProjection::Flat => "flat",
            TextureProjection::Box => "box",
            TextureProjection::Sphere => "sphere",
            TextureProjection::Cube => "cube",
            TextureProjection::Cylinder => "cylinder",
        });
        self.extras(&texture.extras);
    }

    /// A picture in a file is that file, wherever it lies and whether it is there.
    fn image(&mut self, image: &Image) {
        self.name(&image.name);
        match &image.source {
            ImageSource::File { path, .. } => {
                self.word("file");
                self.name(path);
            }
            ImageSource::Embedded { mime, bytes } => {
                self.word("embedded");
                self.word(mime);
                self.bytes(bytes);
            }
        }
        self.extras(&image.extras);
    }

    fn light(&mut self, light: &Light) {
        self.name(&light.name);
        match light.kind {
            LightKind::Point => self.word("point"),
            LightKind::Directional => self.word("directional"),
            LightKind::Spot { inner, outer } => {
                self.word("spot");
                self.floats(&[inner, outer]);
            }
            LightKind::Ambient => self.word("ambient"),
            LightKind::Area => self.word("area"),
        }
        self.floats(&light.color);
        self.floats(&[light.intensity]);
        self.maybe(light.range, |ink, range| ink.floats(&[range]));
        self.extras(&light.extras);
    }

    fn camera(&mut self, camera: &Camera) {
        self.name(&camera.name);
        match camera.projection {
            Projection::Perspective { fov_y, aspect } => {
                self.word("perspective");
                self.floats(&[fov_y]);
                self.maybe(aspect, |ink, aspect| ink.floats(&[aspect]));
            }
            Projection::Orthographic { x, y } => {
                self.word("orthographic");
                self.floats(&[x, y]);
            }
        }
        self.floats(&[camera.near]);
        self.maybe(camera.far, |ink, far| ink.floats(&[far]));
        self.extras(&camera.extras);
    }
}

fn of_material(scene: &Scene, material: &Material) -> Fingerprint {
    let mut ink = Ink::new("material");
    ink.name(&material.name);
    match &material.shading {
        Shading::Pbr(pbr) => {
            ink.word("pbr");
            ink.floats(&pbr.base_color);
            ink.floats(&[pbr.metallic, pbr.roughness, pbr.specular]);
            ink.floats(&pbr.specular_color);
        }
        Shading::Phong(phong) => {
            ink.word("phong");
            [phong.diffuse, phong.specular, phong.ambient].iter().for_each(|color| ink.floats(color));
            ink.floats(&[phong.shininess]);
        }
        Shading::Unlit { color } => {
            ink.word("unlit");
            ink.floats(color);
        }
    }
    ink.floats(&material.emissive);
    ink.floats(&[material.emissive_strength]);
    match material.alpha_mode {
        AlphaMode::Opaque => ink.word("opaque"),
        AlphaMode::Mask(threshold) => {
            ink.word("mask");
            ink.floats(&[threshold]);
        }
        AlphaMode::Blend => ink.word("blend"),
        AlphaMode::Additive => ink.word("additive"),
    }
    ink.flag(material.double_sided);
    ink.list(material.slots.iter(), |ink, slot| {
        ink.flag(matches!(slot.role, Role::Other(_)));
        ink.word(slot.role.name());
        ink.maybe(scene.textures.get(slot.texture), |ink, texture| ink.texture(scene, texture));
        ink.word(match slot.channel {
            ColorChannel::All => "all",
            ColorChannel::Red => "red",
            ColorChannel::Green => "green",
            ColorChannel::Blue => "blue",
            ColorChannel::Alpha => "alpha",
        });
        ink.number(slot.uv_set.into());
        ink.floats(&[slot.strength]);
        ink.maybe(slot.transform, |ink, transform| {
            ink.floats(&transform.offset);
            ink.floats(&[transform.rotation]);
            ink.floats(&transform.scale);
        });
    });
    ink.properties(&material.properties);
    ink.extras(&material.extras);
    ink.dry()
}

/// A mesh without its coarser versions.
fn of_mesh(mesh: &Mesh, materials: &[Fingerprint]) -> Fingerprint {
    let mut ink = Ink::new("mesh");
    ink.name(&mesh.name);
    ink.list(mesh.primitives.iter(), |ink, primitive| ink.primitive(primitive, materials));
    ink.list(mesh.morphs.iter(), |ink, morph| {
        ink.name(&morph.name);
        ink.floats(&[morph.default, morph.min, morph.max]);
    });
    ink.properties(&mesh.properties);
    ink.extras(&mesh.extras);
    ink.dry()
}

fn with_levels(mesh: &Mesh, own: Fingerprint, plain: &[Fingerprint]) -> Fingerprint {
    if mesh.lods.is_empty() {
        return own;
    }
    let mut ink = Ink::new("levels");
    ink.print(own);
    ink.list(mesh.lods.iter(), |ink, level| {
        ink.named(Some(level.mesh), plain);
        ink.maybe(level.coverage, |ink, coverage| ink.floats(&[coverage]));
    });
    ink.dry()
}

struct Known<'a> {
    materials: &'a [Fingerprint],
    meshes: &'a [Fingerprint],
}

/// A node without its parents and its skin.
fn of_node(scene: &Scene, node: &Node, known: &Known<'_>) -> Fingerprint {
    let mut ink = Ink::new("node");
    ink.name(&node.name);
    ink.transform(&node.transform);
    ink.named(node.mesh, known.meshes);
    ink.named(node.material, known.materials);
    ink.floats(&node.weights);
    ink.maybe(node.instances.as_ref(), |ink, instances| {
        ink.list(instances.placements.iter(), |ink, placement| {
            ink.transform(&placement.transform);
            ink.named(placement.material, known.materials);
        });
    });
    ink.maybe(node.light.and_then(|light| scene.lights.get(light)), Ink::light);
    ink.maybe(node.camera.and_then(|camera| scene.cameras.get(camera)), Ink::camera);
    ink.maybe(node.socket.as_ref(), |ink, socket| ink.flag(socket.primary));
    ink.flag(node.visible);
    ink.word(match node.role {
        NodeRole::Own => "own",
        NodeRole::Axis => "axis",
        NodeRole::Unplaced => "unplaced",
    });
    ink.properties(&node.properties);
    ink.extras(&node.extras);
    ink.dry()
}

fn of_skin(skin: &Skin, placed: &[Fingerprint]) -> Fingerprint {
    let mut ink = Ink::new("skin");
    ink.name(&skin.name);
    ink.list(skin.joints.iter(), |ink, joint| ink.named(Some(*joint), placed));
    ink.floats(skin.inverse_bind.as_flattened());
    ink.named(skin.root, placed);
    ink.extras(&skin.extras);
    ink.dry()
}

fn of_animation(animation: &Animation, called: &[Fingerprint]) -> Fingerprint {
    let mut ink = Ink::new("animation");
    ink.name(&animation.name);
    ink.maybe(animation.frame_rate, |ink, rate| ink.floats(&[rate]));
    ink.list(animation.channels.iter(), |ink, channel| {
        ink.named(channel.node, called);
        match &channel.track {
            Track::Translation => ink.word("translation"),
            Track::Rotation => ink.word("rotation"),
            Track::Scale => ink.word("scale"),
            Track::Weights => ink.word("weights"),
            Track::Other { word, width } => {
                ink.word("other");
                ink.word(word);
                ink.number((*width).into());
            }
        }
        ink.floats(&channel.times);
        ink.floats(&channel.values);
        ink.interpolation(channel.interpolation);
        ink.flag(channel.relative);
    });
    ink.extras(&animation.extras);
    ink.dry()
}

impl Ink {
    fn interpolation(&mut self, interpolation: Interpolation) {
        match interpolation {
            Interpolation::Step => self.word("step"),
            Interpolation::Linear => self.word("linear"),
            Interpolation::Cubic => self.word("cubic"),
            Interpolation::Bezier { first, second } => {
                self.word("bezier");
                self.floats(&[first, second].concat());
            }
            Interpolation::Eased(easing, ease) => {
                self.word(match easing {
                    Easing::Sine => "sine",
                    Easing::Quadratic => "quadratic",
                    Easing::Cubic => "eased cubic",
                    Easing::Quartic => "quartic",
                    Easing::Quintic => "quintic",
                });
                self.word(match ease {
                    Ease::In => "in",
                    Ease::Out => "out",
                    Ease::InOut => "in-out",
                });
            }
        }
    }
}

/// The program that wrote a file last is no part of what it says.
fn of_file(scene: &Scene, nodes: &[Fingerprint]) -> Fingerprint {
    let mut ink = Ink::new("file");
    let metadata = &scene.metadata;
    let texts = [&metadata.title, &metadata.description, &metadata.author, &metadata.copyright, &metadata.comment];
    texts.into_iter().chain([&metadata.project]).for_each(|text| ink.name(text));
    ink.maybe(metadata.created, Ink::number);
    ink.bytes(&metadata.raw);
    ink.properties(&metadata.properties);
    let space = &scene.space;
    let words = [space.up.name(), space.handedness.name(), space.unit.name(), space.uv_origin.name()];
    words.into_iter().for_each(|word| ink.word(word));
    ink.list(scene.scenes.iter(), |ink, root| {
        ink.name(&root.name);
        ink.list(root.nodes.iter(), |ink, node| ink.named(Some(*node), nodes));
        ink.extras(&root.extras);
    });
    ink.maybe(scene.default_scene, |ink, shown| ink.number(shown as u64));
    ink.extras(&scene.extras);
    ink.dry()
}

/// Who stands below whom, and in which order that is told.
struct Tree {
    forest: Forest,
    /// Parents before their children.
    order: Vec<usize>,
}

impl Tree {
    fn of(scene: &Scene) -> Tree {
        let forest = Forest::of(scene);
        let order = forest.downwards();
        Tree { forest, order }
    }

    /// A fingerprint per node, of which each knows that of its parent.
    fn down(&self, mut say: impl FnMut(usize, Option<Fingerprint>) -> Fingerprint) -> Vec<Fingerprint> {
        let mut prints = vec![Fingerprint([0; 16]); self.order.len()];
        for &node in &self.order {
            prints[node] = say(node, self.forest.parents[node].map(|parent| prints[parent]));
        }
        prints
    }

    /// What every node is called: the names on the way to it, and which one it is of those called so.
    fn names(&self, scene: &Scene) -> Vec<Fingerprint> {
        let mut met = std::collections::HashMap::new();
        self.down(|node, parent| {
            let name = scene.nodes.get(Id::new(node)).map(|node| node.name.clone()).unwrap_or_default();
            let number = met.entry((parent, name.clone())).or_insert(0_u64);
            *number += 1;
            let mut ink = Ink::new("called");
            ink.maybe(parent, |ink, parent| ink.print(parent));
            ink.name(&name);
            ink.number(*number);
            ink.dry()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Channel, Indices, SceneRoot, Semantic, Topology};

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
