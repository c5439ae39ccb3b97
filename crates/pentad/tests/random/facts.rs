//! What a file says beside what it shows: one fact per thing, with the objects that it is about.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::gltf::{extension, index, indices, items, number, numbers};
use super::pose::{self, Matrix};
use super::shown::{Look, Model, Picture};

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Aspect {
    // Of what is shown.
    Surface,
    SurfaceMadeUp,
    Thin,
    ThinMadeUp,
    Movement,
    Normals,
    Uvs,
    Colors,
    BaseColor,
    Metal,
    Roughness,
    Emission,
    Alpha,
    Sides,
    Lit,
    DefaultLook,
    Extension,
    Picture,
    PictureMadeUp,
    Laid,
    PictureStrength,
    Sampling,
    // Of objects.
    Name,
    Parent,
    Place,
    Hidden,
    Copies,
    Levels,
    Skin,
    Morphs,
    MorphNames,
    RestWeights,
    Light,
    LightSettings,
    Camera,
    Extras,
    Attribute,
    AttributeMadeUp,
    Mode,
    Image,
    Scene,
    Animation,
    Metadata,
    // Differences that need no words, but that make words true.
    Vertices,
    Stored,
    Unnamed,
    RigPlace,
    RigParent,
    CopiesAs,
    Carried,
    Said,
    Count,
    Parts,
    Channel,
    MaterialMadeUp,
    ColorsMadeUp,
    NotFound,
    Bits,
}

/// An object of a file as reports call it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Subject {
    pub(crate) kind: &'static str,
    pub(crate) index: usize,
    pub(crate) name: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(crate) aspect: Aspect,
    /// The names of the objects that it is about.
    pub(crate) names: Vec<String>,
    pub(crate) key: String,
    pub(crate) numbers: Vec<f64>,
    pub(crate) subjects: Vec<Subject>,
}

/// The lists of objects and the word for one of each.
pub(crate) const KINDS: [(&str, &str); 8] = [
    ("nodes", "node"),
    ("meshes", "mesh"),
    ("materials", "material"),
    ("skins", "skin"),
    ("cameras", "camera"),
    ("images", "image"),
    ("textures", "texture"),
    ("animations", "animation"),
];

fn name(json: &Json) -> String {
    json["name"].as_str().unwrap_or_default().to_owned()
}

pub(crate) fn lights(model: &Model) -> &[Json] {
    extension(&model.file.root, "KHR_lights_punctual").map_or(&[], |all| items(all, "lights"))
}

impl Model {
    pub(crate) fn has_light(&self, node: usize) -> bool {
        extension(&self.file.list("nodes")[node], "KHR_lights_punctual").is_some()
    }

    pub(crate) fn count_nodes(&self, called: &str) -> usize {
        self.file.list("nodes").iter().filter(|json| name(json) == called).count()
    }

    /// The nodes that have no name, hold nothing and stand nowhere in particular.
    pub(crate) fn bare_nodes(&self) -> Vec<Subject> {
        let is_bare = |json: &Json| json.as_object().is_some_and(|node| node.keys().all(|key| key == "extras"));
        let nodes = self.file.list("nodes").iter().enumerate().filter(|(_, json)| is_bare(json));
        nodes.map(|(at, _)| self.subject("node", at)).collect()
    }

    /// Names that several nodes have.
    pub(crate) fn shared_names(&self) -> impl Iterator<Item = String> {
        self.file.list("nodes").iter().map(name).filter(|called| self.count_nodes(called) > 1)
    }

    /// Whether a node that shows a mesh has its name.
    pub(crate) fn is_called_as_a_node(&self, mesh: &Subject) -> bool {
        let shows = |node: &Json| index(node, "mesh") == Some(mesh.index) && name(node) == mesh.name;
        mesh.kind == "mesh" && self.file.list("nodes").iter().any(shows)
    }

    pub(crate) fn subject(&self, kind: &'static str, index: usize) -> Subject {
        let json = match kind {
            "light" => &lights(self)[index],
            "scene" => &self.file.list("scenes")[index],
            "file" => &Json::Null,
            _ => {
                let (list, _) = KINDS.iter().find(|(_, word)| *word == kind).unwrap();
                &self.file.list(list)[index]
            }
        };
        Subject { kind, index, name: name(json) }
    }

    /// What each object is called, and its kind.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, String)> {
        let all = KINDS.iter().flat_map(|(list, kind)| self.file.list(list).iter().map(|json| (*kind, name(json))));
        let others = lights(self).iter().map(|json| ("light", name(json)));
        all.chain(others).chain(self.file.list("scenes").iter().map(|json| ("scene", name(json))))
    }

    /// A node, what it shows, what stands above it, and what it stands in for from afar.
    pub(crate) fn about_node(&self, node: usize) -> Vec<Subject> {
        let (mut nodes, mut out) = (vec![node], Vec::new());
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            self.about_one_node(node, &mut out);
            // A node that a broken file makes a level of itself is told of once.
            let is_finer =
                |other: &Json| extension(other, "MSFT_lod").is_some_and(|lod| indices(lod, "ids").contains(&node));
            let finer = self.file.list("nodes").iter().enumerate().filter(|(_, other)| is_finer(other));
            let new: Vec<usize> = finer.map(|(finer, _)| finer).filter(|finer| !nodes.contains(finer)).collect();
            nodes.extend(new);
            at += 1;
        }
        out
    }

    fn about_one_node(&self, node: usize, out: &mut Vec<Subject>) {
        let json = &self.file.list("nodes")[node];
        out.push(self.subject("node", node));
        out.extend(index(json, "mesh").map(|mesh| self.subject("mesh", mesh)));
        for (at, skin) in self.file.list("skins").iter().enumerate() {
            if index(json, "skin") == Some(at) || indices(skin, "joints").contains(&node) {
                out.push(self.subject("skin", at));
            }
        }
        out.extend(
            extension(json, "KHR_lights_punctual").and_then(|l| index(l, "light")).map(|l| self.subject("light", l)),
        );
        out.extend(index(json, "camera").map(|camera| self.subject("camera", camera)));
        let mut above = self.parents[node];
        while let Some(parent) = above {
            out.push(self.subject("node", parent));
            // What stands below a joint stands where the skeleton has it.
            for (at, skin) in self.file.list("skins").iter().enumerate() {
                if indices(skin, "joints").contains(&parent) {
                    out.push(self.subject("skin", at));
                }
            }
            above = self.parents[parent];
        }
        // What only another scene shows goes with it, and so does what no scene shows.
        let tops = |scene: &Json| indices(scene, "nodes");
        let mut top = node;
        while let Some(parent) = self.parents[top] {
            top = parent;
        }
        for (at, scene) in self.file.list("scenes").iter().enumerate() {
            if at != self.default_scene() && tops(scene).contains(&top) {
                out.push(self.subject("scene", at));
            }
        }
    }

    /// Whether a node shows only through a skin where it is: a joint, what carries joints, or what they bend.
    fn is_of_rig(&self, node: usize) -> bool {
        let json = &self.file.list("nodes")[node];
        let joints = self.file.list("skins").iter().flat_map(|skin| indices(skin, "joints"));
        // Where lights and cameras are is said of these.
        let holds = index(json, "mesh").is_some();
        let carries = |mut joint: usize| loop {
            if joint == node {
                return true;
            }
            let Some(parent) = self.parents[joint] else { return false };
            joint = parent;
        };
        index(json, "skin").is_some() || !holds && joints.into_iter().any(carries)
    }

    /// A texture or an image, and the materials that show it.
    pub(crate) fn about_picture(&self, kind: &'static str, at: usize) -> Vec<Subject> {
        let mut out = vec![self.subject(kind, at)];
        let textures = self.file.list("textures");
        for (texture, json) in textures.iter().enumerate() {
            if kind == "image" && index(json, "source") == Some(at) {
                out.push(self.subject("texture", texture));
            }
        }
        for (material, look) in self.looks.iter().enumerate() {
            let shows = |texture: usize| match kind {
                "texture" => texture == at,
                _ => index(&textures[texture], "source") == Some(at),
            };
            if look.pictures.values().any(|picture| shows(picture.texture)) {
                out.push(self.subject("material", material));
            }
        }
        out
    }

    /// A mesh and the nodes that show it.
    fn about_mesh(&self, mesh: usize) -> Vec<Subject> {
        let mut out = vec![self.subject("mesh", mesh)];
        for (at, node) in self.file.list("nodes").iter().enumerate() {
            if index(node, "mesh") == Some(mesh) {
                out.extend(self.about_node(at));
            }
        }
        out
    }

    /// What is said; of places, only what has to come back if it is the first of two files.
    pub(crate) fn facts(&self, first: bool) -> Vec<Fact> {
        let mut out = Facts(Vec::new());
        self.object_facts(&mut out);
        self.node_facts(first, &mut out);
        self.mesh_facts(&mut out);
        self.look_facts(&mut out);
        self.loose_facts(&mut out);
        for animation in 0..self.animations.len() {
            let subject = self.subject("animation", animation);
            let called = subject.name.clone();
            for channel in &self.animations[animation].channels {
                let mut about = vec![subject.clone()];
                about.extend(self.about_node(channel.node));
                let node = name(&self.file.list("nodes")[channel.node]);
                let key = format!("{} {} {}", channel.path, channel.interpolation, channel.times.len());
                let numbers = [&channel.values.values[..], &channel.times].concat();
                out.add(Aspect::Channel, [called.clone(), node], key, &numbers, about);
            }
        }
        out.0
    }

    /// Materials, whether anything shows them or not.
    fn look_facts(&self, out: &mut Facts) {
        for (at, look) in self.looks.iter().enumerate() {
            let about = self.about_material(at);
            let called = self.subject("material", at).name;
            let mut add = |aspect, key: &str, numbers: &[f64]| {
                out.add(aspect, [called.clone()], key, numbers, about.clone());
            };
            add(Aspect::BaseColor, "", &look.base);
            add(Aspect::Metal, "", &[look.metal]);
            add(Aspect::Roughness, "", &[look.rough]);
            add(Aspect::Emission, "", &look.emission);
            add(Aspect::Alpha, &look.alpha, &[]);
            add(Aspect::Said, "stored alpha", &[look.stored_alpha]);
            add(Aspect::Sides, &look.sides.to_string(), &[]);
            add(Aspect::Lit, &look.unlit.to_string(), &[]);
            for extension in &look.extensions {
                add(Aspect::Extension, extension, &[]);
            }
            for (role, picture) in &look.pictures {
                add(Aspect::Picture, &format!("{role} {:?}", picture.image), &[]);
                add(Aspect::PictureStrength, role, &[picture.strength]);
                add(Aspect::Sampling, role, &picture.sampling.map(|word| word as f64));
                add(Aspect::Said, role, &picture.placement());
            }
        }
    }

    /// Textures that no material shows.
    fn loose_facts(&self, out: &mut Facts) {
        for at in 0..self.file.list("textures").len() {
            let shows = |look: &Look| look.pictures.values().any(|picture| picture.texture == at);
            if !self.looks.iter().any(shows) {
                let sampling = Picture::sampling(&self.file, at).map(|word| word as f64);
                let called = self.subject("texture", at).name;
                out.add(Aspect::Sampling, [called], "texture", &sampling, self.about_picture("texture", at));
            }
        }
    }

    /// A material and what it shows.
    pub(crate) fn about_material(&self, material: usize) -> Vec<Subject> {
        let mut out = vec![self.subject("material", material)];
        for picture in self.looks[material].pictures.values() {
            out.push(self.subject("texture", picture.texture));
            let texture = &self.file.list("textures")[picture.texture];
            out.extend(index(texture, "source").map(|image| self.subject("image", image)));
        }
        out
    }

    /// Names and extras.
    fn object_facts(&self, out: &mut Facts) {
        let listed = KINDS.iter().map(|(list, word)| (*word, self.file.list(list)));
        let scenes = ("scene", self.file.list("scenes"));
        for (kind, list) in listed.chain([("light", lights(self)), scenes]) {
            for (at, json) in list.iter().enumerate() {
                let mut about = match kind {
                    "node" => self.about_node(at),
                    "mesh" => self.about_mesh(at),
                    "image" | "texture" => self.about_picture(kind, at),
                    _ => vec![self.subject(kind, at)],
                };
                if kind == "skin" {
                    let has = |node: &&Json| index(node, "skin") == Some(at);
                    let nodes = self.file.list("nodes").iter().enumerate().filter(|(_, node)| has(node));
                    nodes.for_each(|(node, _)| about.extend(self.about_node(node)));
                }
                if kind == "light" || kind == "camera" {
                    for (node, json) in self.file.list("nodes").iter().enumerate() {
                        let light = extension(json, "KHR_lights_punctual").and_then(|light| index(light, "light"));
                        if (kind == "light" && light == Some(at))
                            || (kind == "camera" && index(json, "camera") == Some(at))
                        {
                            about.extend(self.about_node(node));
                        }
                    }
                }
                let aspect = match kind {
                    "scene" if at != self.default_scene() => Aspect::Scene,
                    // To get a name is no loss.
                    _ if kind != "scene" && name(json).is_empty() => Aspect::Unnamed,
                    "animation" => Aspect::Animation,
                    _ if name(json).is_empty() => Aspect::Unnamed,
                    _ => Aspect::Name,
                };
                out.add(aspect, [name(json)], kind, &[], about.clone());
                out.extras(&json["extras"], kind, name(json), about);
            }
        }
        let file = vec![Subject { kind: "file", index: 0, name: String::new() }];
        let asset = &self.file.root["asset"];
        for (key, value) in asset.as_object().into_iter().flatten() {
            if !["version", "generator", "extras", "minVersion"].contains(&key.as_str()) {
                out.add(Aspect::Metadata, [], format!("{key} {value}"), &[], file.clone());
            }
        }
        out.extras(&asset["extras"], "file", String::new(), file);
        // Two images of one picture are as good as one.
        let mut pictures: BTreeMap<u64, Vec<Subject>> = BTreeMap::new();
        for image in 0..self.file.list("images").len() {
            if let Some(content) = self.file.image(image) {
                pictures.entry(content).or_default().extend(self.about_picture("image", image));
            }
        }
        for (content, about) in pictures {
            out.add(Aspect::Image, [], content.to_string(), &[], about);
        }
        let held = |light: usize| {
            let of = |node: &Json| extension(node, "KHR_lights_punctual").and_then(|light| index(light, "light"));
            self.file.list("nodes").iter().any(|node| of(node) == Some(light))
        };
        for light in (0..lights(self).len()).filter(|light| !held(*light)) {
            out.add(Aspect::Said, [], "light that no node has", &[], vec![self.subject("light", light)]);
        }
    }

    fn node_facts(&self, first: bool, out: &mut Facts) {
        let rest = pose::pose(&self.file, &[], 0.);
        let worlds = self.worlds(&rest);
        for (at, node) in self.file.list("nodes").iter().enumerate() {
            let called = name(node);
            let about = self.about_node(at);
            let mut add = |aspect, key: String, numbers: &[f64]| {
                out.add(aspect, [called.clone()], key, numbers, about.clone());
            };
            let rig = self.is_of_rig(at);
            if rig || !first {
                add(Aspect::RigPlace, String::new(), &worlds[at]);
            }
            add(Aspect::RigPlace, "among its siblings".into(), &rest.local[at]);
            if !(self.levels.contains(&at) || first && rig) {
                add(Aspect::Place, String::new(), &worlds[at]);
            }
            if self.is_hidden(node) {
                add(Aspect::Hidden, String::new(), &[]);
            }
            if extension(node, "EXT_mesh_gpu_instancing").is_some() {
                add(Aspect::Copies, self.copies(node).len().to_string(), &[]);
                add(Aspect::CopiesAs, self.copies(node).len().to_string(), &[]);
            }
            // Nodes below without a name are as good a way to say it.
            let nodes = self.file.list("nodes");
            let is_copy = |child: &usize| nodes[*child].get("mesh").is_some() && nodes[*child].get("name").is_none();
            let mut copies: BTreeMap<Option<usize>, usize> = BTreeMap::new();
            for child in indices(node, "children").iter().filter(|child| is_copy(child)) {
                *copies.entry(index(&nodes[*child], "mesh")).or_default() += 1;
            }
            // Any number of them may have stood there before.
            for count in copies.values().filter(|_| !first && index(node, "mesh").is_none()).flat_map(|most| 1..=*most)
            {
                add(Aspect::Copies, count.to_string(), &[]);
            }
            if let Some(levels) = extension(node, "MSFT_lod") {
                let faces = |level: usize| {
                    let mesh = index(&self.file.list("nodes")[level], "mesh")?;
                    Some(self.meshes[mesh].iter().map(|part| part.faces.len()).sum::<usize>())
                };
                let faces: Vec<Option<usize>> = indices(levels, "ids").into_iter().map(faces).collect();
                add(Aspect::Levels, format!("{faces:?}"), &[]);
            }
            if index(node, "skin").is_some() {
                add(Aspect::Skin, String::new(), &[]);
            }
            let weights = pose::rest_weights(&self.file, node);
            // A light may be an object of its own, beside what else its node holds.
            self.light_facts(node, &worlds[at], |aspect, key: String, numbers: &[f64]| {
                out.add(aspect, [], key, numbers, about.clone());
            });
            self.camera_facts(node, &worlds[at], |aspect, key: String, numbers: &[f64]| {
                out.add(aspect, [called.clone()], key, numbers, about.clone());
            });
            if weights.iter().any(|weight| *weight != 0.) {
                // A copy that stands in a node of its own is called as the node above.
                let above = self.parents[at].filter(|_| !first && called.is_empty()).map(|parent| name(&nodes[parent]));
                let called = above.unwrap_or_else(|| called.clone());
                out.add(Aspect::RestWeights, [called], "", &weights, about.clone());
            }
            if let Some(parent) = self.parents[at] {
                let pair = [called.clone(), name(&self.file.list("nodes")[parent])];
                // Bones are found among bones first: they may have lost their names.
                let bends = |skin: &Json| [at, parent].iter().all(|node| indices(skin, "joints").contains(node));
                let bones = self.file.list("skins").iter().any(bends);
                // A tree of bones stands in the world, wherever its root hangs, and so does what it bends.
                let (key, quiet) = (if bones { "bones" } else { "" }, rig && !bones);
                if quiet || !first {
                    out.add(Aspect::RigParent, pair.clone(), "", &[], about.clone());
                }
                if !(quiet && first) {
                    out.add(Aspect::Parent, pair, key, &[], about);
                }
            }
        }
    }

    /// Lights, where they stand.
    fn light_facts(&self, node: &Json, world: &Matrix, mut add: impl FnMut(Aspect, String, &[f64])) {
        let (ahead, place) = stands(world);
        if let Some(light) = extension(node, "KHR_lights_punctual").and_then(|light| index(light, "light")) {
            let light = &lights(self)[light];
            let kind = light["type"].as_str().unwrap_or_default().to_owned();
            let stand = match kind.as_str() {
                "directional" => ahead.to_vec(),
                "point" => place.to_vec(),
                _ => [ahead, place].concat(),
            };
            // A bone of its node's name may have the size that the light has not any more.
            add(Aspect::RigPlace, "of a light".to_owned(), world);
            add(Aspect::LightSettings, kind.clone(), &light_settings(light));
            add(Aspect::Light, kind, &stand);
        }
    }

    /// Cameras, where they stand.
    fn camera_facts(&self, node: &Json, world: &Matrix, mut add: impl FnMut(Aspect, String, &[f64])) {
        let (ahead, place) = stands(world);
        if let Some(camera) = index(node, "camera") {
            let camera = &self.file.list("cameras")[camera];
            let kind = camera["type"].as_str().unwrap_or_default();
            let lens = &camera[kind];
            let lens = ["yfov", "aspectRatio", "xmag", "ymag", "znear", "zfar"].map(|key| number(lens, key, -1.));
            add(Aspect::Camera, kind.to_owned(), &[&ahead[..], &place, &lens].concat());
        }
    }

    fn mesh_facts(&self, out: &mut Facts) {
        for (at, mesh) in self.file.list("meshes").iter().enumerate() {
            let about = self.about_mesh(at);
            let called = name(mesh);
            let mut add = |aspect, key: String| out.add(aspect, [called.clone()], key, &[], about.clone());
            let parts = &self.meshes[at];
            if let Some(count) = parts.first().map(|part| part.targets.len()).filter(|count| *count > 0) {
                add(Aspect::Morphs, count.to_string());
            }
            // Weights that every node has its own of are stored all the same.
            let weights = items(mesh, "weights");
            if weights.iter().any(|weight| weight.as_f64() != Some(0.)) {
                add(Aspect::Said, format!("weights {}", plain(&Json::from(weights))));
            }
            let names = items(&mesh["extras"], "targetNames");
            if !names.is_empty() {
                add(Aspect::MorphNames, Json::from(names).to_string());
            }
            add(Aspect::Parts, parts.len().to_string());
            for part in parts {
                add(Aspect::Vertices, part.positions.len().to_string());
                if part.is_loose() {
                    add(Aspect::Vertices, "weights that do not add up".to_owned());
                }
                if part.left_over > 0 {
                    add(Aspect::Vertices, "left over".to_owned());
                }
                let drawn: BTreeSet<usize> = part.faces.iter().flatten().copied().collect();
                if part.positions.len() > drawn.len() {
                    add(Aspect::Vertices, format!("{} that nothing draws", part.positions.len() - drawn.len()));
                }
                let moves = part.targets.iter().filter_map(|target| target.positions.as_ref());
                let bits: Vec<u64> = moves.flat_map(|rows| rows.values.iter().map(|v| v.to_bits())).collect();
                add(Aspect::Bits, format!("{bits:?}"));
                let semantics = part.semantics.iter();
                semantics.for_each(|semantic| add(Aspect::Stored, format!("{semantic} {}", part.mode)));
            }
            for part in items(mesh, "primitives") {
                out.extras(&part["extras"], "part", called.clone(), about.clone());
            }
        }
    }
}

/// The colour, strength, range and cone of a light.
fn light_settings(light: &Json) -> Vec<f64> {
    let color = numbers(light, "color", [1.; 3]);
    let spot = &light["spot"];
    let cone = [number(spot, "innerConeAngle", 0.), number(spot, "outerConeAngle", std::f64::consts::FRAC_PI_4)];
    let rest = [number(light, "intensity", 1.), number(light, "range", f64::MAX)];
    let cone = if light["type"] == "spot" { cone } else { [0.; 2] };
    [&color[..], &rest, &cone].concat()
}

/// Where something looks, and where it is. What is flat looks nowhere.
fn stands(world: &Matrix) -> ([f64; 3], [f64; 3]) {
    let ahead = pose::unit([-world[8], -world[9], -world[10]]);
    (if ahead == [0.; 3] { [f64::NAN; 3] } else { ahead }, [world[12], world[13], world[14]])
}

struct Facts(Vec<Fact>);

impl Facts {
    fn add(
        &mut self,
        aspect: Aspect,
        names: impl Into<Vec<String>>,
        key: impl Into<String>,
        numbers: &[f64],
        subjects: Vec<Subject>,
    ) {
        self.0.push(Fact { aspect, names: names.into(), key: key.into(), numbers: numbers.to_vec(), subjects });
    }

    /// One fact per key; what only pentad reads says nothing, and names of shapes are told elsewhere.
    fn extras(&mut self, extras: &Json, kind: &str, name: String, about: Vec<Subject>) {
        for (key, value) in extras.as_object().into_iter().flatten() {
            if key != "pentad" && key != "targetNames" {
                let said = format!("{kind} {key} {}", plain(value));
                self.add(Aspect::Extras, [name.clone()], said, &[], about.clone());
            }
        }
    }
}

/// JSON whose numbers are floats: 4 and 4.0 are the same to whoever reads them.
fn plain(value: &Json) -> String {
    match value {
        Json::Number(number) => (number.as_f64().unwrap_or_default() as f32).to_string(),
        Json::Array(list) => format!("[{}]", list.iter().map(plain).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}
