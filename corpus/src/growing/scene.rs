//! Scenes of many objects, as GLB.

use std::fmt::Write as _;

use crate::png::png;

/// The lists of a glTF file, as text, and its bytes.
#[derive(Default)]
pub(super) struct Scene {
    lists: Vec<(&'static str, Vec<String>)>,
    bytes: Vec<u8>,
    /// Members beside the lists.
    further: String,
}

impl Scene {
    /// Puts an object into a list, and says its number.
    fn add(&mut self, list: &'static str, object: impl Into<String>) -> usize {
        let place = self.lists.iter().position(|(name, _)| *name == list).unwrap_or(self.lists.len());
        if place == self.lists.len() {
            self.lists.push((list, Vec::new()));
        }
        let objects = &mut self.lists[place].1;
        objects.push(object.into());
        objects.len() - 1
    }

    /// A view of bytes.
    fn view(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.add("bufferViews", format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{}}}"#, bytes.len()))
    }

    fn floats(&mut self, kind: &str, width: usize, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let rows = numbers.chunks(width);
        let edge = |pick: fn(f32, f32) -> f32| {
            let all: Vec<_> = (0..width).map(|at| rows.clone().map(|row| row[at]).reduce(pick).unwrap_or(0.)).collect();
            format!("{all:?}")
        };
        let (least, most) = (edge(f32::min), edge(f32::max));
        let count = rows.len();
        self.add(
            "accessors",
            format!(
                r#"{{"bufferView":{view},"componentType":5126,"count":{count},"type":"{kind}","min":{least},"max":{most}}}"#
            ),
        )
    }

    fn positions(&mut self, x: f32) -> usize {
        self.floats("VEC3", 3, &[x, 0., 0., x + 1., 0., 0., x, 1., 0.])
    }

    /// A mesh of one primitive with these members behind its positions.
    fn mesh(&mut self, name: &str, positions: usize, further: &str) -> usize {
        let name = if name.is_empty() { String::new() } else { format!(r#""name":"{name}","#) };
        self.add("meshes", format!(r#"{{{name}"primitives":[{{"attributes":{{"POSITION":{positions}{further}}}]}}"#))
    }

    /// A mesh of a triangle, without anything else.
    fn triangle(&mut self) -> usize {
        let positions = self.positions(0.);
        self.mesh("", positions, "}")
    }

    fn node(&mut self, members: impl Into<String>) -> usize {
        let members: String = members.into();
        self.add("nodes", format!("{{{members}}}"))
    }

    /// Nodes at places of their own that draw a mesh.
    fn drawn(&mut self, count: usize, mesh: usize, further: &str) -> usize {
        (0..count)
            .for_each(|at| _ = self.node(format!(r#""name":"n{at}","mesh":{mesh},"translation":[{at},0,0]{further}"#)));
        count
    }

    /// A clip that moves this node, or these nodes.
    fn animation(&mut self, name: &str, nodes: std::ops::Range<usize>, times: usize, values: usize) {
        let channels: Vec<String> =
            nodes.map(|node| format!(r#"{{"sampler":0,"target":{{"node":{node},"path":"translation"}}}}"#)).collect();
        let channels = channels.join(",");
        let samplers = format!(r#""samplers":[{{"input":{times},"output":{values}}}]"#);
        self.add("animations", format!(r#"{{"name":"{name}","channels":[{channels}],{samplers}}}"#));
    }

    fn times_and_values(&mut self) -> (usize, usize) {
        (self.floats("SCALAR", 1, &[0., 1.]), self.floats("VEC3", 3, &[0., 0., 0., 0., 1., 0.]))
    }

    /// Joints and weights of three vertices, which belong to the first joint; text behind the positions.
    fn weighted(&mut self) -> String {
        let view = self.view(&[0; 12]);
        let joints =
            self.add("accessors", format!(r#"{{"bufferView":{view},"componentType":5121,"count":3,"type":"VEC4"}}"#));
        let weights = self.floats("VEC4", 4, &[1., 0., 0., 0.].repeat(3));
        format!(r#","JOINTS_0":{joints},"WEIGHTS_0":{weights}}}"#)
    }

    /// The file, in which the first nodes are the roots.
    fn glb(self, roots: usize) -> Vec<u8> {
        let mut json = format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":{:?}}}],"buffers":[{{"byteLength":{}}}]{}"#,
            (0..roots).collect::<Vec<_>>(),
            self.bytes.len(),
            self.further,
        );
        for (name, objects) in &self.lists {
            _ = write!(json, r#","{name}":[{}]"#, objects.join(","));
        }
        json.push('}');
        json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
        let size = 12 + 8 + json.len() + 8 + self.bytes.len();
        let word = |number: usize| (number as u32).to_le_bytes();
        [
            &b"glTF\x02\0\0\0"[..],
            &word(size),
            &word(json.len()),
            b"JSON",
            json.as_bytes(),
            &word(self.bytes.len()),
            b"BIN\0",
            &self.bytes,
        ]
        .concat()
    }
}

pub(super) fn nodes(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let mesh = scene.triangle();
    let roots = scene.drawn(count, mesh, "");
    scene.glb(roots)
}

pub(super) fn nested(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let mesh = scene.triangle();
    for at in 1..count {
        scene.node(format!(r#""name":"n{at}","translation":[0,0.001,0],"children":[{at}]"#));
    }
    scene.node(format!(r#""name":"last","mesh":{mesh}"#));
    scene.glb(1)
}

pub(super) fn meshes(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    for at in 0..count {
        let positions = scene.positions(at as f32);
        let mesh = scene.mesh(&format!("m{at}"), positions, "}");
        scene.node(format!(r#""name":"n{at}","mesh":{mesh}"#));
    }
    scene.glb(count)
}

pub(super) fn primitives(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let primitives: Vec<String> =
        (0..count).map(|at| format!(r#"{{"attributes":{{"POSITION":{}}}}}"#, scene.positions(at as f32))).collect();
    scene.add("meshes", format!(r#"{{"primitives":[{}]}}"#, primitives.join(",")));
    scene.node(r#""mesh":0"#);
    scene.glb(1)
}

/// A scene of meshes that have a material each; what they are called, and further members of the materials.
fn painted(count: usize, mut scene: Scene, name: fn(usize) -> String, further: impl Fn(usize) -> String) -> Vec<u8> {
    let positions = scene.positions(0.);
    for at in 0..count {
        let (name, shade) = (name(at), at as f64 / count as f64);
        let further = further(at);
        scene.add(
            "materials",
            format!(
                r#"{{"name":"{name}","pbrMetallicRoughness":{{"baseColorFactor":[{shade},0.5,0.5,1],"metallicFactor":0{further}}}}}"#
            ),
        );
        let mesh = scene.mesh(&name, positions, &format!(r#"}},"material":{at}"#));
        scene.node(format!(r#""name":"{name}","mesh":{mesh},"translation":[{at},0,0]"#));
    }
    scene.glb(count)
}

pub(super) fn materials(count: usize) -> Vec<u8> {
    painted(count, Scene::default(), |at| format!("o{at}"), |_| String::new())
}

pub(super) fn names(count: usize) -> Vec<u8> {
    painted(count, Scene::default(), |_| "same".to_owned(), |_| String::new())
}

/// A scene of materials with a texture each.
fn textured(count: usize, image: impl Fn(&mut Scene, usize) -> String) -> Vec<u8> {
    let mut scene = Scene::default();
    for at in 0..count {
        let image = image(&mut scene, at);
        scene.add("images", image);
        scene.add("textures", format!(r#"{{"source":{at}}}"#));
    }
    painted(count, scene, |at| format!("o{at}"), |at| format!(r#","baseColorTexture":{{"index":{at}}}"#))
}

pub(super) fn images(count: usize) -> Vec<u8> {
    textured(count, |scene, at| {
        let [red, green, blue, _] = (at as u32).to_le_bytes();
        let view = scene.view(&png(1, &[[red, green, blue]]));
        format!(r#"{{"name":"i{at}","mimeType":"image/png","bufferView":{view}}}"#)
    })
}

pub(super) fn missing(count: usize) -> Vec<u8> {
    textured(count, |_, at| format!(r#"{{"uri":"no/where/{at}.png"}}"#))
}

pub(super) fn animations(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let mesh = scene.triangle();
    scene.drawn(1, mesh, "");
    let (times, values) = scene.times_and_values();
    (0..count).for_each(|at| scene.animation(&format!("a{at}"), 0..1, times, values));
    scene.glb(1)
}

pub(super) fn moved(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let mesh = scene.triangle();
    let roots = scene.drawn(count, mesh, "");
    let (times, values) = scene.times_and_values();
    (0..count).for_each(|at| scene.animation(&format!("a{at}"), at..at + 1, times, values));
    scene.glb(roots)
}

pub(super) fn channels(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let mesh = scene.triangle();
    let roots = scene.drawn(count, mesh, "");
    let (times, values) = scene.times_and_values();
    scene.animation("all", 0..count, times, values);
    scene.glb(roots)
}

pub(super) fn skins(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let (positions, weighted) = (scene.positions(0.), scene.weighted());
    let mesh = scene.mesh("", positions, &weighted);
    for at in 0..count {
        let joint = scene.node(format!(r#""name":"j{at}","translation":[{at},0,0]"#));
        let skin = scene.add("skins", format!(r#"{{"joints":[{joint}]}}"#));
        scene.node(format!(r#""name":"n{at}","mesh":{mesh},"skin":{skin}"#));
    }
    scene.glb(2 * count)
}

pub(super) fn skinned(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let (positions, weighted) = (scene.positions(0.), scene.weighted());
    let mesh = scene.mesh("", positions, &weighted);
    scene.add("skins", r#"{"joints":[0,1]}"#);
    (0..2).for_each(|at| _ = scene.node(format!(r#""name":"j{at}""#)));
    scene.drawn(count, mesh, r#","skin":0"#);
    scene.glb(2 + count)
}

pub(super) fn joints(count: usize) -> Vec<u8> {
    /// How many joints hang from one before the next one of the chain.
    const BRANCH: usize = 100;
    let mut scene = Scene::default();
    let (positions, weighted) = (scene.positions(0.), scene.weighted());
    let mesh = scene.mesh("", positions, &weighted);
    scene.add("skins", format!(r#"{{"joints":{:?}}}"#, (1..=count).collect::<Vec<_>>()));
    scene.node(format!(r#""name":"body","mesh":{mesh},"skin":0"#));
    let branches = count.div_ceil(BRANCH);
    for at in 1..=count {
        let below: Vec<usize> = (BRANCH * (at - 1) + 2..=BRANCH * at + 1).filter(|joint| *joint <= count).collect();
        let children =
            if below.is_empty() || at > branches { String::new() } else { format!(r#","children":{below:?}"#) };
        scene.node(format!(r#""name":"j{at}","translation":[0,0.5,0]{children}"#));
    }
    scene.glb(2)
}

pub(super) fn targets(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let positions = scene.positions(0.);
    let targets: Vec<String> =
        (0..count).map(|at| format!(r#"{{"POSITION":{}}}"#, scene.positions(at as f32))).collect();
    let mesh = scene.mesh("", positions, &format!(r#"}},"targets":[{}]"#, targets.join(",")));
    scene.node(format!(r#""mesh":{mesh}"#));
    scene.glb(1)
}

pub(super) fn instances(count: usize) -> Vec<u8> {
    let mut scene =
        Scene { further: r#","extensionsUsed":["EXT_mesh_gpu_instancing"]"#.to_owned(), ..Scene::default() };
    let mesh = scene.triangle();
    let places: Vec<f32> = (0..count).flat_map(|at| [at as f32, 0., 0.]).collect();
    let places = scene.floats("VEC3", 3, &places);
    let instancing = format!(r#""EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{places}}}}}"#);
    scene.node(format!(r#""mesh":{mesh},"extensions":{{{instancing}}}"#));
    scene.glb(1)
}

pub(super) fn levels(count: usize) -> Vec<u8> {
    let mut scene = Scene { further: r#","extensionsUsed":["MSFT_lod"]"#.to_owned(), ..Scene::default() };
    let mesh = scene.triangle();
    for at in 0..count {
        let (second, third) = (count + 2 * at, count + 2 * at + 1);
        let levels = format!(r#""extensions":{{"MSFT_lod":{{"ids":[{second},{third}]}}}}"#);
        let coverage = r#""extras":{"MSFT_screencoverage":[0.5,0.2,0.01]}"#;
        scene.node(format!(r#""name":"n{at}","mesh":{mesh},"translation":[{at},0,0],{levels},{coverage}"#));
    }
    for at in 0..2 * count {
        scene.node(format!(r#""name":"l{at}","mesh":{mesh},"translation":[{},0,0]"#, at / 2));
    }
    scene.glb(count)
}

pub(super) fn lights(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let lights: Vec<String> =
        (0..count).map(|at| format!(r#"{{"type":"point","name":"l{at}","intensity":{at}}}"#)).collect();
    scene.further = format!(
        r#","extensionsUsed":["KHR_lights_punctual"],"extensions":{{"KHR_lights_punctual":{{"lights":[{}]}}}}"#,
        lights.join(",")
    );
    let mesh = scene.triangle();
    scene.node(format!(r#""mesh":{mesh}"#));
    for at in 0..count {
        let light = format!(r#""extensions":{{"KHR_lights_punctual":{{"light":{at}}}}}"#);
        scene.node(format!(r#""name":"n{at}","translation":[{at},0,0],{light}"#));
    }
    scene.glb(count + 1)
}

pub(super) fn extras(count: usize) -> Vec<u8> {
    let mut scene = Scene::default();
    let mesh = scene.triangle();
    let members: Vec<String> = (0..count).map(|at| format!(r#""key{at}":{at}"#)).collect();
    scene.node(format!(r#""mesh":{mesh},"extras":{{{}}}"#, members.join(",")));
    scene.glb(1)
}
