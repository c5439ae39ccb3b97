//! GLB files that somebody edited.

#![allow(dead_code)]

use serde_json::{Map, Value as Json, json};

/// The JSON and the buffer of a GLB file.
pub(crate) fn opened(glb: &[u8]) -> (Json, Vec<u8>) {
    let size = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let buffer = glb.get(28 + size..).unwrap_or_default().to_vec();
    (serde_json::from_slice(&glb[20..20 + size]).unwrap(), buffer)
}

/// The GLB file of a JSON and a buffer.
pub(crate) fn closed(root: &Json, buffer: &[u8]) -> Vec<u8> {
    let mut text = root.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let chunk = |kind: &[u8; 4], data: &[u8]| [&(data.len() as u32).to_le_bytes(), &kind[..], data].concat();
    let mut chunks = chunk(b"JSON", &text);
    if !buffer.is_empty() {
        chunks.extend(chunk(b"BIN\0", buffer));
    }
    let size = (12 + chunks.len()) as u32;
    [b"glTF", &2_u32.to_le_bytes()[..], &size.to_le_bytes(), &chunks].concat()
}

/// The JSON of a GLB file, changed.
pub(crate) fn edited(glb: &[u8], edit: impl FnOnce(&mut Json)) -> Vec<u8> {
    let (mut root, buffer) = opened(glb);
    edit(&mut root);
    closed(&root, &buffer)
}

/// A list of the JSON, which may be missing.
pub(crate) fn list<'a>(root: &'a mut Json, key: &str) -> &'a mut Vec<Json> {
    if root[key].is_null() {
        root[key] = json!([]);
    }
    root[key].as_array_mut().unwrap()
}

/// The same model as programs write it that take a file apart: accessors in another order, each in a view of its own,
/// gaps between vertices and behind each view, transforms said otherwise, and the members of each object in another
/// order. Numbers in extras stay, as programs do not know them.
pub(crate) fn repacked(glb: &[u8]) -> Vec<u8> {
    let (mut root, buffer) = opened(glb);
    let mut store =
        Store { views: list(&mut root, "bufferViews").clone(), buffer, new: Vec::new(), packed: Vec::new() };
    let accessors = list(&mut root, "accessors");
    let last = accessors.len().saturating_sub(1) as u64;
    accessors.reverse();
    for accessor in accessors {
        if accessor["bufferView"].is_u64() {
            accessor["bufferView"] = store.put_elements(accessor);
            accessor.as_object_mut().unwrap().shift_remove("byteOffset");
        }
        for part in ["indices", "values"] {
            if let Some(sparse) = accessor.get_mut("sparse") {
                sparse[part]["bufferView"] = store.put_view(&sparse[part]["bufferView"]);
            }
        }
    }
    for image in list(&mut root, "images").iter_mut().filter(|image| image["bufferView"].is_u64()) {
        image["bufferView"] = store.put_view(&image["bufferView"]);
    }
    list(&mut root, "nodes").iter_mut().for_each(say_otherwise);
    each_accessor(&mut root, &mut |number| *number = json!(last - number.as_u64().unwrap()));
    root["bufferViews"] = Json::Array(store.new);
    root["buffers"] = json!([{ "byteLength": store.packed.len() }]);
    root.as_object_mut().unwrap().retain(|_, member| *member != json!([]));
    closed(&turned(root), &store.packed)
}

/// A matrix that moves alone is a translation, and a rotation that cannot be seen is none.
fn say_otherwise(node: &mut Json) {
    let numbers = |json: &Json| json.as_array().map_or(Vec::new(), |all| all.iter().filter_map(Json::as_f64).collect());
    let (matrix, rotation) = (numbers(&node["matrix"]), numbers(&node["rotation"]));
    let node = node.as_object_mut().unwrap();
    if !matrix.is_empty() && (0..12).all(|at| matrix[at] == f64::from(u8::from(at % 5 == 0))) {
        node.shift_remove("matrix");
        node.insert("translation".to_owned(), json!(matrix[12..15]));
    }
    if !rotation.is_empty() && rotation[..3].iter().all(|number| number.abs() < 3e-7) {
        node.shift_remove("rotation");
    }
}

struct Store {
    views: Vec<Json>,
    buffer: Vec<u8>,
    new: Vec<Json>,
    packed: Vec<u8>,
}

impl Store {
    /// Where a view begins, and what is said of it.
    fn view(&self, number: &Json) -> (usize, &Json) {
        let view = &self.views[number.as_u64().unwrap() as usize];
        (view["byteOffset"].as_u64().unwrap_or(0) as usize, view)
    }

    fn put(&mut self, bytes: &[u8], mut view: Json) -> Json {
        self.packed.resize((self.packed.len() + 8).next_multiple_of(16), 0xAA);
        let size = bytes.len();
        view["buffer"] = json!(0);
        view["byteOffset"] = json!(self.packed.len());
        view["byteLength"] = json!(size);
        self.packed.extend(bytes);
        self.new.push(view);
        json!(self.new.len() - 1)
    }

    fn put_view(&mut self, number: &Json) -> Json {
        let (at, view) = self.view(number);
        let bytes = self.buffer[at..at + view["byteLength"].as_u64().unwrap() as usize].to_vec();
        self.put(&bytes, json!({}))
    }

    fn put_elements(&mut self, accessor: &Json) -> Json {
        let (at, view) = self.view(&accessor["bufferView"]);
        let at = at + accessor["byteOffset"].as_u64().unwrap_or(0) as usize;
        let size = element_size(accessor);
        let stride = view["byteStride"].as_u64().map_or(size, |stride| stride as usize);
        // Vertices have gaps of several sizes, which other numbers may not have.
        let is_of_vertices = view["target"] == 34962;
        let gap = 4 * (1 + self.new.len() % 3) + size.next_multiple_of(4) - size;
        let gap = if is_of_vertices { gap } else { 0 };
        let mut bytes = Vec::new();
        for element in 0..accessor["count"].as_u64().unwrap() as usize {
            bytes.extend(&self.buffer[at + element * stride..][..size]);
            bytes.resize(bytes.len() + gap, 0x55);
        }
        let mut new = json!({});
        if !view["target"].is_null() {
            new["target"] = view["target"].clone();
        }
        if is_of_vertices {
            new["byteStride"] = json!(size + gap);
        }
        self.put(&bytes, new)
    }
}

fn element_size(accessor: &Json) -> usize {
    let kinds = [("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4), ("MAT4", 16)];
    let (_, numbers) = kinds.into_iter().find(|(kind, _)| accessor["type"] == *kind).unwrap();
    numbers * [1, 1, 2, 2, 0, 4, 4][accessor["componentType"].as_u64().unwrap() as usize - 5120]
}

/// Every number of an accessor outside of extras.
fn each_accessor(root: &mut Json, see: &mut dyn FnMut(&mut Json)) {
    let mut all = |object: Option<&mut Json>| {
        object.and_then(Json::as_object_mut).into_iter().flat_map(Map::values_mut).for_each(&mut *see);
    };
    for part in list(root, "meshes").iter_mut().flat_map(|mesh| list(mesh, "primitives")) {
        all(part.get_mut("attributes"));
        part.get_mut("targets").into_iter().flat_map(|t| t.as_array_mut().unwrap()).for_each(|t| all(Some(t)));
    }
    for node in list(root, "nodes") {
        all(node.pointer_mut("/extensions/EXT_mesh_gpu_instancing/attributes"));
    }
    let owners = [
        ("meshes", "primitives", "indices"),
        ("animations", "samplers", "input"),
        ("animations", "samplers", "output"),
    ];
    for (lists, inside, key) in owners {
        let owners = list(root, lists).iter_mut().flat_map(|owner| list(owner, inside));
        owners.filter_map(|owner| owner.get_mut(key)).for_each(&mut *see);
    }
    list(root, "skins").iter_mut().filter_map(|skin| skin.get_mut("inverseBindMatrices")).for_each(see);
}

/// The same with the members of each object the other way round.
fn turned(json: Json) -> Json {
    match json {
        Json::Array(all) => all.into_iter().map(turned).collect(),
        Json::Object(all) => Json::Object(all.into_iter().rev().map(|(key, member)| (key, turned(member))).collect()),
        other => other,
    }
}
