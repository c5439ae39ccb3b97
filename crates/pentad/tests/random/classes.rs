//! Small files of kinds that once came out wrong, each held to the law on every way.

use std::path::Path;

use serde_json::{Value as Json, json};

/// A glTF file that is put together by hand.
struct File {
    root: Json,
    bytes: Vec<u8>,
}

impl File {
    fn new() -> File {
        File { root: json!({ "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [] }] }), bytes: vec![] }
    }

    fn add(&mut self, list: &str, item: Json) -> usize {
        let items = self.root.as_object_mut().unwrap().entry(list).or_insert_with(|| json!([]));
        items.as_array_mut().unwrap().push(item);
        items.as_array().unwrap().len() - 1
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let from = self.bytes.len();
        self.bytes.extend(bytes);
        self.add("bufferViews", json!({ "buffer": 0, "byteOffset": from, "byteLength": bytes.len() }))
    }

    fn floats<const N: usize>(&mut self, kind: &str, rows: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let end = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|k| rows.iter().map(|row| row[k]).reduce(pick).unwrap()).collect()
        };
        let (min, max) = (end(f32::min), end(f32::max));
        let count = rows.len();
        let item =
            json!({ "bufferView": view, "componentType": 5126, "count": count, "type": kind, "min": min, "max": max });
        self.add("accessors", item)
    }

    fn bytes4(&mut self, rows: &[[u8; 4]]) -> usize {
        let view = self.view(rows.as_flattened());
        self.add("accessors", json!({ "bufferView": view, "componentType": 5121, "count": rows.len(), "type": "VEC4" }))
    }

    /// Three triangles that no turn brings to themselves, so far along the first axis.
    fn part(&mut self, x: f32) -> Json {
        let corners = [
            [0., 0., 0.],
            [1., 0., 0.],
            [0., 1., 0.],
            [1., 0., 0.],
            [1., 1., 0.5],
            [0., 1., 0.],
            [0., 0., 1.],
            [1., 0.25, 1.],
            [1., 0., 0.],
        ];
        let positions = self.floats("VEC3", &corners.map(|[a, b, c]: [f32; 3]| [a + x, b, c]));
        let normals = self.floats("VEC3", &[[0., 0., 1.]; 9]);
        let uvs = self.floats("VEC2", &corners.map(|[a, b, c]| [a * 0.5 + c * 0.25, b]));
        json!({ "attributes": { "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs } })
    }

    fn mesh(&mut self, name: &str, mut parts: Vec<Json>, material: Json) -> usize {
        let material = self.add("materials", material);
        parts.iter_mut().for_each(|part| part["material"] = json!(material));
        self.add("meshes", json!({ "name": name, "primitives": parts }))
    }

    /// A node at the top.
    fn top(&mut self, node: Json) -> usize {
        let node = self.add("nodes", node);
        self.root["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(node));
        node
    }

    fn save(mut self, folder: &Path, name: &str) -> std::path::PathBuf {
        self.root["buffers"] = json!([{ "uri": format!("{name}.bin"), "byteLength": self.bytes.len() }]);
        std::fs::write(folder.join(format!("{name}.bin")), &self.bytes).unwrap();
        let path = folder.join(format!("{name}.gltf"));
        std::fs::write(&path, self.root.to_string()).unwrap();
        path
    }

    /// Moves one property of a node back and forth.
    fn animate<const N: usize>(&mut self, name: Option<&str>, node: usize, path: &str, values: [[f32; N]; 3]) {
        let input = self.floats("SCALAR", &[[0.], [0.75], [2.]]);
        let output = self.floats(["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1], &values);
        let mut animation = json!({
            "samplers": [{ "input": input, "output": output }],
            "channels": [{ "sampler": 0, "target": { "node": node, "path": path } }],
        });
        if let Some(name) = name {
            animation["name"] = json!(name);
        }
        self.add("animations", animation);
    }

    /// A skin of two joints away from the origin.
    fn skin(&mut self) -> (usize, usize) {
        let upper = self.add("nodes", json!({ "name": "upper", "translation": [0, 1, 0] }));
        let lower = self.top(json!({ "name": "lower", "translation": [3, 1, 0], "children": [upper] }));
        let bind = |y: f32| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -y, 0., 1.];
        let binds = self.floats("MAT4", &[bind(0.), bind(1.)]);
        (self.add("skins", json!({ "name": "skin", "joints": [lower, upper], "inverseBindMatrices": binds })), upper)
    }
}

const QUARTER: f32 = std::f32::consts::FRAC_1_SQRT_2;
const TURNS: [[f32; 4]; 3] = [[0., 0., 0., 1.], [0., 0., QUARTER, QUARTER], [0., 0., 0., 1.]];

fn plain(name: &str) -> Json {
    json!({ "name": name, "pbrMetallicRoughness": { "metallicFactor": 0.25 } })
}

/// One mesh with a skinned part and one that stands at the node, which is not where the joints are.
fn mixed(shared: bool, moves: bool) -> File {
    let mut file = File::new();
    let (skin, upper) = file.skin();
    let mut skinned = file.part(0.);
    let joints = file.bytes4(&[[0, 1, 0, 0]; 9]);
    let shares = [1., 0.5, 0.25, 0., 0.75, 1., 0.5, 0.25, 0.];
    let weights = file.floats("VEC4", &shares.map(|share| [share, 1. - share, 0., 0.]));
    skinned["attributes"]["JOINTS_0"] = json!(joints);
    skinned["attributes"]["WEIGHTS_0"] = json!(weights);
    let apart = file.part(2.);
    let mesh = file.mesh("mixed", vec![skinned, apart], plain("look"));
    let node = json!({ "name": "body", "mesh": mesh, "skin": skin, "translation": [5, 0, 2], "rotation": [0, QUARTER, 0, QUARTER] });
    let node = file.top(node);
    if shared {
        file.top(json!({ "name": "statue", "mesh": mesh, "translation": [-4, 0, 0] }));
    }
    if moves {
        file.animate(Some("bend"), upper, "rotation", TURNS);
        file.animate(Some("walk"), node, "translation", [[5., 0., 2.], [5., 3., 2.], [5., 0., 2.]]);
    }
    file
}

/// A mesh below a stretched node, turned against it, once more below that, and elsewhere as it is.
fn sheared() -> File {
    let mut file = File::new();
    let part = file.part(0.);
    let mesh = file.mesh("box", vec![part], plain("look"));
    let turn = json!([0, 0, 0.6, 0.8]);
    let inner = file.add("nodes", json!({ "name": "inner", "mesh": mesh, "rotation": turn, "scale": [1, 2, 1] }));
    let child =
        json!({ "name": "child", "mesh": mesh, "rotation": turn, "translation": [1, 0, 0], "children": [inner] });
    let child = file.add("nodes", child);
    file.top(json!({ "name": "stretched", "scale": [3, 1, 1], "children": [child] }));
    file.top(json!({ "name": "other", "mesh": mesh, "translation": [0, 4, 0] }));
    file
}

/// Two sets of coordinates that are one accessor, and normals that are the positions.
fn shared_bytes() -> File {
    let mut file = File::new();
    let mut twice = file.part(0.);
    twice["attributes"]["TEXCOORD_1"] = twice["attributes"]["TEXCOORD_0"].clone();
    let one = file.mesh("twice", vec![twice], plain("one"));
    file.top(json!({ "name": "twice", "mesh": one }));
    let ball = [[0., 0., 1.], [1., 0., 0.], [0., 1., 0.], [0.6, 0.8, 0.], [0., 0.6, 0.8], [0.8, 0., 0.6]];
    let positions = file.floats("VEC3", &ball);
    let uvs = file.floats("VEC2", &ball.map(|[x, y, _]| [x, y]));
    let round = json!({ "attributes": { "POSITION": positions, "NORMAL": positions, "TEXCOORD_0": uvs } });
    let ball = file.mesh("ball", vec![round], plain("two"));
    file.top(json!({ "name": "ball", "mesh": ball, "translation": [3, 0, 0] }));
    file
}

/// Two animations without names, and cameras that glTF takes.
fn nameless() -> File {
    let mut file = File::new();
    let part = file.part(0.);
    let mesh = file.mesh("box", vec![part], plain("look"));
    let node = file.top(json!({ "name": "box", "mesh": mesh }));
    file.animate(None, node, "rotation", TURNS);
    file.animate(None, node, "translation", [[0.; 3], [1., 0., 2.], [0.; 3]]);
    for (name, near) in [("close", 1e-7), ("usual", 0.1)] {
        let lens = json!({ "yfov": 0.00005, "znear": near, "zfar": 8 });
        let camera = file.add("cameras", json!({ "name": name, "type": "perspective", "perspective": lens }));
        file.top(json!({ "name": format!("{name} eye"), "camera": camera }));
    }
    file
}

/// Parts without a material, one of them beside a part that has one.
fn without_material() -> File {
    let mut file = File::new();
    let bare = file.part(0.);
    let bare = file.add("meshes", json!({ "name": "bare", "primitives": [bare] }));
    file.top(json!({ "name": "bare", "mesh": bare }));
    let (one, mut other) = (file.part(0.), file.part(2.));
    other["material"] = json!(file.add("materials", plain("look")));
    let both = file.add("meshes", json!({ "name": "both", "primitives": [one, other] }));
    file.top(json!({ "name": "both", "mesh": both, "translation": [3, 0, 0] }));
    file
}

impl File {
    /// A texture with an image of its own.
    fn texture(&mut self, name: &str, sampler: Option<Json>) -> usize {
        let shade = name.len() as u8;
        let image = self.view(&corpus::png::png(2, &[[shade, 2, 3], [200, shade, 50], [9, 9, 9], [shade, 0, 0]]));
        let image = self.add("images", json!({ "name": name, "bufferView": image, "mimeType": "image/png" }));
        let mut texture = json!({ "source": image });
        if let Some(sampler) = sampler {
            texture["sampler"] = json!(self.add("samplers", sampler));
        }
        self.add("textures", texture)
    }

    /// A mesh of its own for a material.
    fn show(&mut self, name: &str, part: Json, material: Json) {
        let mesh = self.mesh(name, vec![part], material);
        let x = self.root["nodes"].as_array().map_or(0, Vec::len) * 2;
        self.top(json!({ "name": name, "mesh": mesh, "translation": [x, 0, 0] }));
    }
}

/// Every way to filter, and none.
fn filters() -> File {
    let mut file = File::new();
    for mag in [None, Some(9728), Some(9729)] {
        for min in [None, Some(9728), Some(9729), Some(9984), Some(9985), Some(9986), Some(9987)] {
            let mut sampler = json!({});
            mag.into_iter().for_each(|mag| sampler["magFilter"] = json!(mag));
            min.into_iter().for_each(|min| sampler["minFilter"] = json!(min));
            let name = format!("filter {mag:?} {min:?}").replace(['(', ')'], "");
            let texture = file.texture(&name, Some(sampler));
            let material =
                json!({ "name": name, "pbrMetallicRoughness": { "baseColorTexture": { "index": texture } } });
            let part = file.part(0.);
            file.show(&name, part, material);
        }
    }
    file
}

/// Textures on a second set of coordinates: alone, beside one on the first set, on a set of zeros and on a repeated one.
fn second_sets() -> File {
    let mut file = File::new();
    let (one, two) = (file.texture("one", None), file.texture("two-two", None));
    let rows: [[f32; 2]; 9] = std::array::from_fn(|at| [at as f32 / 9., 1. - at as f32 / 9.]);
    let (other, zeros) = (file.floats("VEC2", &rows), file.floats("VEC2", &[[0.; 2]; 9]));
    let alone =
        json!({ "name": "alone", "pbrMetallicRoughness": { "baseColorTexture": { "index": one, "texCoord": 1 } } });
    let beside = json!({
        "name": "beside",
        "pbrMetallicRoughness": { "baseColorTexture": { "index": one }, "metallicFactor": 0 },
        "occlusionTexture": { "index": two, "texCoord": 1 },
        "emissiveTexture": { "index": two, "texCoord": 1 },
        "emissiveFactor": [1, 1, 1],
    });
    for (name, set, material) in [
        ("alone", Some(other), &alone),
        ("beside", Some(other), &beside),
        ("zeros", Some(zeros), &alone),
        ("zeros-beside", Some(zeros), &beside),
        ("repeated", None, &alone),
    ] {
        let mut part = file.part(0.);
        let first = part["attributes"]["TEXCOORD_0"].clone();
        part["attributes"]["TEXCOORD_1"] = set.map_or(first, |set| json!(set));
        let mut material = material.clone();
        material["name"] = json!(name);
        file.show(name, part, material);
    }
    file
}

/// Materials without names, each with something that some targets cannot hold.
fn unnamed_materials() -> File {
    let mut file = File::new();
    let settings = [
        json!({ "pbrMetallicRoughness": { "metallicFactor": 0, "baseColorFactor": [1, 0.5, 0.25, 1] } }),
        json!({ "alphaMode": "MASK", "pbrMetallicRoughness": { "metallicFactor": 0.25 } }),
        json!({ "doubleSided": true, "pbrMetallicRoughness": { "metallicFactor": 0.5 } }),
        json!({ "emissiveFactor": [0.5, 0, 0], "pbrMetallicRoughness": { "metallicFactor": 0.75 } }),
    ];
    for (at, material) in settings.into_iter().enumerate() {
        let part = file.part(0.);
        file.show(&format!("box {at}"), part, material);
    }
    file
}

#[test]
fn files_of_kinds_that_came_out_wrong_obey_the_law() {
    let files = [
        ("mixed", mixed(false, false)),
        ("mixed-shared", mixed(true, false)),
        ("mixed-moving", mixed(false, true)),
        ("sheared", sheared()),
        ("shared-bytes", shared_bytes()),
        ("nameless", nameless()),
        ("without-material", without_material()),
        ("filters", filters()),
        ("second-sets", second_sets()),
        ("unnamed-materials", unnamed_materials()),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    for (name, file) in files {
        let source = file.save(folder.path(), name);
        for way in super::ways() {
            let breaches = super::breaches(&source, way).unwrap_or_else(|error| vec![error.to_string()]);
            found.extend(breaches.into_iter().map(|breach| format!("{name} to {} {}: {breach}", way.0, way.1)));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
