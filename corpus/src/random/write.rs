//! Plan → glTF. Lists come in an order that has nothing to do with how they were thought up.

use super::json::{Object, list, text};
use super::plan::*;
use crate::bytes::Bytes;
use crate::chance::Chance;

/// A file and those beside it.
pub(super) struct Written {
    pub(super) file: Vec<u8>,
    pub(super) beside: Vec<(String, Vec<u8>)>,
}

pub(super) fn write(plan: &Plan, chance: &mut Chance) -> Written {
    let mut out = Out {
        scenes: Order::of(plan.scenes.len(), chance),
        nodes: Order::of(plan.nodes.len(), chance),
        meshes: Order::of(plan.meshes.len(), chance),
        skins: Order::of(plan.skins.len(), chance),
        animations: Order::of(plan.animations.len(), chance),
        materials: Order::of(plan.materials.len(), chance),
        textures: Order::of(plan.textures.len(), chance),
        images: Order::of(plan.images.len(), chance),
        lights: Order::of(plan.lights.len(), chance),
        cameras: Order::of(plan.cameras.len(), chance),
        ..Out::default()
    };
    let json = out.root(plan);
    let bin = out.bin.done();
    let file = if plan.packed { crate::gltf::glb(&json, &bin) } else { json.into_bytes() };
    if !plan.packed && !bin.is_empty() {
        out.beside.push((BIN.to_owned(), bin));
    }
    Written { file, beside: out.beside }
}

const BIN: &str = "numbers.bin";

/// A list in another order.
#[derive(Default)]
struct Order {
    /// By new place, the old one.
    old: Vec<usize>,
    /// By old place, the new one.
    new: Vec<usize>,
}

impl Order {
    fn of(count: usize, chance: &mut Chance) -> Order {
        let old = chance.order(count);
        let mut new = vec![0; count];
        old.iter().enumerate().for_each(|(now, &was)| new[was] = now);
        Order { old, new }
    }

    fn now(&self, old: usize) -> usize {
        self.new[old]
    }

    fn all(&self, old: &[usize]) -> Vec<usize> {
        old.iter().map(|&old| self.now(old)).collect()
    }
}

#[derive(Default)]
struct Out {
    scenes: Order,
    nodes: Order,
    meshes: Order,
    skins: Order,
    animations: Order,
    materials: Order,
    textures: Order,
    images: Order,
    lights: Order,
    cameras: Order,
    accessors: Vec<String>,
    views: Vec<String>,
    samplers: Vec<String>,
    bin: Bytes,
    beside: Vec<(String, Vec<u8>)>,
    used: Vec<&'static str>,
}

fn fields(object: &mut Object, fields: &[(&'static str, String)]) {
    fields.iter().for_each(|(key, value)| _ = object.put(key, value));
}

fn words(object: &mut Object, words: &Words) {
    object.maybe("name", words.name.as_deref().map(text)).maybe("extras", words.extras.as_deref());
}

impl Out {
    fn root(&mut self, plan: &Plan) -> String {
        let scenes: Vec<String> = self.scenes.old.iter().map(|&s| self.scene(&plan.scenes[s])).collect();
        let nodes = self.each(|out| out.nodes.old.clone(), |out, n| out.node(plan, n));
        let meshes = self.each(|out| out.meshes.old.clone(), |out, m| out.mesh(&plan.meshes[m]));
        let skins = self.each(|out| out.skins.old.clone(), |out, s| out.skin(&plan.skins[s]));
        let animations = self.each(|out| out.animations.old.clone(), |out, a| out.animation(&plan.animations[a]));
        let materials = self.each(|out| out.materials.old.clone(), |out, m| out.material(&plan.materials[m]));
        let textures = self.each(|out| out.textures.old.clone(), |out, t| out.texture(&plan.textures[t]));
        let images = self.each(|out| out.images.old.clone(), |out, i| out.image(&plan.images[i]));
        let lights = self.each(|out| out.lights.old.clone(), |_, l| thing(&plan.lights[l]));
        let cameras = self.each(|out| out.cameras.old.clone(), |_, c| thing(&plan.cameras[c]));
        let mut asset = Object::default();
        asset.put("version", text("2.0")).maybe("copyright", plan.copyright.as_deref().map(text));
        asset.maybe("extras", plan.extras.as_deref());
        let mut root = Object::default();
        root.put("asset", asset.done());
        root.maybe("scene", plan.default_scene.map(|scene| self.scenes.now(scene)));
        root.some("scenes", &scenes).some("nodes", &nodes).some("meshes", &meshes).some("skins", &skins);
        root.some("animations", &animations).some("materials", &materials).some("textures", &textures);
        root.some("samplers", &self.samplers).some("images", &images).some("cameras", &cameras);
        if !lights.is_empty() {
            let lights = Object::default().put("lights", list(&lights)).done();
            let lights = Object::default().put(self.uses("KHR_lights_punctual"), lights).done();
            root.put("extensions", lights);
        }
        root.some("accessors", &self.accessors).some("bufferViews", &self.views);
        if self.bin.len() > 0 {
            let mut buffer = Object::default();
            buffer.put("byteLength", self.bin.len()).maybe("uri", (!plan.packed).then(|| text(BIN)));
            root.put("buffers", list(&[buffer.done()]));
        }
        if plan.quantised {
            let required = text(self.uses("KHR_mesh_quantization"));
            root.put("extensionsRequired", list(&[required]));
        }
        self.used.sort_unstable();
        self.used.dedup();
        let used: Vec<String> = self.used.iter().map(|name| text(name)).collect();
        root.some("extensionsUsed", &used).done()
    }

    fn each(&mut self, order: fn(&Out) -> Vec<usize>, mut one: impl FnMut(&mut Out, usize) -> String) -> Vec<String> {
        order(self).into_iter().map(|at| one(self, at)).collect()
    }

    fn uses(&mut self, extension: &'static str) -> &'static str {
        self.used.push(extension);
        extension
    }

    fn scene(&self, root: &Root) -> String {
        let mut out = Object::default();
        words(&mut out, &root.words);
        out.some("nodes", &self.nodes.all(&root.nodes)).done()
    }

    fn node(&mut self, plan: &Plan, at: usize) -> String {
        let node = &plan.nodes[at];
        let mut out = Object::default();
        words(&mut out, &node.words);
        let children: Vec<usize> = (0..plan.nodes.len()).filter(|&n| plan.nodes[n].parent == Some(at)).collect();
        out.some("children", &self.nodes.all(&children));
        match &node.place {
            Place::Origin => {}
            Place::Trs(trs) => {
                out.put("translation", list(&trs.translation)).put("rotation", list(&trs.rotation));
                out.put("scale", list(&trs.scale));
            }
            Place::Matrix(trs) => _ = out.put("matrix", list(&trs.matrix().map(|v| v as f32))),
        }
        out.maybe("mesh", node.mesh.map(|m| self.meshes.now(m))).maybe("skin", node.skin.map(|s| self.skins.now(s)));
        out.maybe("camera", node.camera.map(|c| self.cameras.now(c))).some("weights", &node.weights);
        let mut extensions = Object::default();
        if let Some(light) = node.light {
            let light = Object::default().put("light", self.lights.now(light)).done();
            extensions.put(self.uses("KHR_lights_punctual"), light);
        }
        if node.hidden {
            extensions.put(self.uses("KHR_node_visibility"), Object::default().put("visible", false).done());
        }
        if !node.levels.is_empty() {
            let ids = Object::default().put("ids", list(&self.nodes.all(&node.levels))).done();
            extensions.put(self.uses("MSFT_lod"), ids);
        }
        if !node.instances.is_empty() {
            let values = |of: fn(&Trs) -> Vec<f32>| node.instances.iter().flat_map(of).collect::<Vec<f32>>();
            let mut attributes = Object::default();
            attributes.put("TRANSLATION", self.accessor(&Numbers::floats(3, values(|c| c.translation.to_vec())), None));
            attributes.put("ROTATION", self.accessor(&Numbers::floats(4, values(|c| c.rotation.to_vec())), None));
            attributes.put("SCALE", self.accessor(&Numbers::floats(3, values(|c| c.scale.to_vec())), None));
            let instancing = Object::default().put("attributes", attributes.done()).done();
            extensions.put(self.uses("EXT_mesh_gpu_instancing"), instancing);
        }
        if !extensions.is_empty() {
            out.put("extensions", extensions.done());
        }
        out.done()
    }

    fn mesh(&mut self, mesh: &Mesh) -> String {
        let parts: Vec<String> = mesh.parts.iter().map(|part| self.part(part)).collect();
        let mut out = Object::default();
        let mut said = mesh.words.clone();
        if !mesh.target_names.is_empty() {
            let names: Vec<String> = mesh.target_names.iter().map(|name| text(name)).collect();
            let own = said.extras.take().unwrap_or_default();
            let own = own.strip_prefix('{').and_then(|own| own.strip_suffix('}')).unwrap_or_default();
            let comma = if own.is_empty() { "" } else { "," };
            said.extras = Some(format!("{{\"targetNames\":{}{comma}{own}}}", list(&names)));
        }
        words(&mut out, &said);
        out.put("primitives", list(&parts)).some("weights", &mesh.weights).done()
    }

    fn part(&mut self, part: &Part) -> String {
        let mut out = Object::default();
        let attributes = self.attributes(&part.attributes);
        out.put("attributes", attributes);
        if part.mode != 4 {
            out.put("mode", part.mode);
        }
        if let Some((indices, bytes)) = &part.indices {
            let numbers = Numbers {
                width: 1,
                values: indices.iter().map(|&index| index as f32).collect(),
                stored: Stored::Whole { bytes: *bytes, shares: false },
                bounds: false,
            };
            out.put("indices", self.accessor(&numbers, Some(34963)));
        }
        out.maybe("material", part.material.map(|m| self.materials.now(m)));
        let targets: Vec<String> = part.targets.iter().map(|target| self.attributes(target)).collect();
        out.some("targets", &targets).maybe("extras", part.extras.as_deref()).done()
    }

    fn attributes(&mut self, attributes: &[(String, Numbers)]) -> String {
        let mut out = Object::default();
        for (name, numbers) in attributes {
            out.put(name, self.accessor(numbers, Some(34962)));
        }
        out.done()
    }

    fn skin(&mut self, skin: &Skin) -> String {
        let mut out = Object::default();
        words(&mut out, &skin.words);
        out.put("joints", list(&self.nodes.all(&skin.joints)));
        out.maybe("skeleton", skin.root.map(|root| self.nodes.now(root)));
        if !skin.binds.is_empty() {
            let values = skin.binds.iter().flatten().map(|&v| v as f32).collect();
            out.put("inverseBindMatrices", self.accessor(&Numbers::floats(16, values), None));
        }
        out.done()
    }

    fn animation(&mut self, animation: &Animation) -> String {
        let mut out = Object::default();
        words(&mut out, &animation.words);
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for channel in &animation.channels {
            let mut sampler = Object::default();
            let times = Numbers { bounds: true, ..Numbers::floats(1, channel.times.clone()) };
            sampler.put("input", self.accessor(&times, None)).put("output", self.accessor(&channel.values, None));
            if channel.interpolation != "LINEAR" {
                sampler.put("interpolation", text(channel.interpolation));
            }
            let mut target = Object::default();
            target.put("node", self.nodes.now(channel.node)).put("path", text(channel.path));
            channels.push(Object::default().put("sampler", samplers.len()).put("target", target.done()).done());
            samplers.push(sampler.done());
        }
        out.put("channels", list(&channels)).put("samplers", list(&samplers)).done()
    }

    fn material(&mut self, material: &Material) -> String {
        let mut out = Object::default();
        words(&mut out, &material.words);
        fields(&mut out, &material.fields);
        let mut pbr = Object::default();
        fields(&mut pbr, &material.pbr);
        for slot in &material.slots {
            let mut info = Object::default();
            info.put("index", self.textures.now(slot.texture));
            if slot.uv > 0 {
                info.put("texCoord", slot.uv);
            }
            fields(&mut info, &slot.fields);
            if let Some(transform) = &slot.transform {
                let transform = Object::default().put(self.uses("KHR_texture_transform"), transform).done();
                info.put("extensions", transform);
            }
            let in_pbr = matches!(slot.role, "baseColorTexture" | "metallicRoughnessTexture");
            let owner = if in_pbr { &mut pbr } else { &mut out };
            owner.put(slot.role, info.done());
        }
        if !pbr.is_empty() {
            out.put("pbrMetallicRoughness", pbr.done());
        }
        let mut extensions = Object::default();
        for (name, value) in &material.extensions {
            extensions.put(self.uses(name), value);
        }
        if !extensions.is_empty() {
            out.put("extensions", extensions.done());
        }
        out.done()
    }

    fn texture(&mut self, texture: &Texture) -> String {
        let mut out = Object::default();
        words(&mut out, &texture.words);
        out.put("source", self.images.now(texture.image));
        if let Some(sampler) = &texture.sampler {
            let mut all = Object::default();
            fields(&mut all, sampler);
            out.put("sampler", self.samplers.len());
            self.samplers.push(all.done());
        }
        out.done()
    }

    fn image(&mut self, image: &Image) -> String {
        let mut out = Object::default();
        words(&mut out, &image.words);
        match &image.home {
            Home::View => {
                let view = self.view(&image.bytes, None);
                out.put("bufferView", view).put("mimeType", text("image/png"));
            }
            Home::Uri => _ = out.put("uri", text(&format!("data:image/png;base64,{}", base64(&image.bytes)))),
            Home::File(name) => {
                out.put("uri", text(&name.replace(' ', "%20")));
                if self.beside.iter().all(|(known, _)| known != name) {
                    self.beside.push((name.clone(), image.bytes.clone()));
                }
            }
            Home::Missing(name) => _ = out.put("uri", text(name)),
        }
        out.done()
    }

    fn accessor(&mut self, numbers: &Numbers, target: Option<u32>) -> usize {
        let mut bytes = Bytes::default();
        let count = numbers.values.len() / numbers.width;
        let kind = match numbers.width {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        let mut out = Object::default();
        let mut stride = None;
        match numbers.stored {
            Stored::Float => {
                bytes.le_all(&numbers.values);
                out.put("componentType", 5126);
            }
            Stored::Whole { bytes: size, shares } => {
                // Vertices start at multiples of four bytes.
                let row = numbers.width * size;
                let step = if target == Some(34962) { row.next_multiple_of(4) } else { row };
                stride = (step != row).then_some(step);
                let most = [255., 65535., 4294967295.][size / 2];
                for values in numbers.values.chunks(numbers.width) {
                    for value in values {
                        let whole = if shares { (value * most).round() } else { *value };
                        bytes.raw(&(whole as u32).to_le_bytes()[..size]);
                    }
                    bytes.raw(&[0; 4][..step - row]);
                }
                out.put("componentType", [5121, 5123, 5125][size / 2]);
                if shares {
                    out.put("normalized", true);
                }
            }
        }
        let view = self.view_of(&bytes.done(), target, stride);
        out.put("bufferView", view).put("count", count).put("type", text(kind));
        if numbers.bounds {
            let column = |at: usize| numbers.values.iter().skip(at).step_by(numbers.width).copied();
            let least: Vec<f32> = (0..numbers.width).map(|at| column(at).fold(f32::MAX, f32::min)).collect();
            let most: Vec<f32> = (0..numbers.width).map(|at| column(at).fold(f32::MIN, f32::max)).collect();
            out.put("min", list(&least)).put("max", list(&most));
        }
        self.accessors.push(out.done());
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.view_of(bytes, target, None)
    }

    fn view_of(&mut self, bytes: &[u8], target: Option<u32>, stride: Option<usize>) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.raw(&[0]);
        }
        let mut out = Object::default();
        out.put("buffer", 0).put("byteOffset", self.bin.len()).put("byteLength", bytes.len());
        out.maybe("target", target).maybe("byteStride", stride);
        self.bin.raw(bytes);
        self.views.push(out.done());
        self.views.len() - 1
    }
}

fn thing(thing: &Thing) -> String {
    let mut out = Object::default();
    words(&mut out, &thing.words);
    fields(&mut out, &thing.fields);
    out.done()
}

impl Numbers {
    pub(super) fn floats(width: usize, values: Vec<f32>) -> Numbers {
        Numbers { width, values, stored: Stored::Float, bounds: false }
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            out.push(if digit <= chunk.len() { DIGITS[value as usize] as char } else { '=' });
        }
    }
    out
}
