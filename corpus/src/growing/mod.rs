//! Files that hold as many objects of one kind as are asked for: what shows whether time and memory grow with them.

mod scene;

use crate::{dgl1, dragon, fbx, obj};

/// A way to make a file with many objects of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Growing {
    /// What there are many of.
    pub what: &'static str,
    /// Id of its format.
    pub format: &'static str,
    /// One sentence: how the objects belong together.
    pub about: &'static str,
    /// Formats that have such objects, too: the same as they write it.
    pub held: &'static [&'static str],
    /// More than this is more than anyone has; four times as many are made of it, too.
    pub most: usize,
    /// Builds it with so many.
    pub bytes: fn(usize) -> Vec<u8>,
}

/// Every kind of object.
pub const GROWING: &[Growing] = &[
    glb("nodes", "Nodes side by side that draw one triangle.", 64_000, ALL, scene::nodes),
    glb(
        "nested nodes",
        "Each node is the parent of the next; the last draws.",
        16_000,
        &["das2", "gltf"],
        scene::nested,
    ),
    glb("meshes", "Each with its own triangle and its own node.", 64_000, ALL, scene::meshes),
    glb(
        "primitives",
        "Of one mesh, each with its own triangle.",
        64_000,
        &["danmodel", "das2", "dgl3", "dragon", "gltf", "obj"],
        scene::primitives,
    ),
    glb("materials", "Each on a mesh of its own, which share their triangle.", 64_000, MATERIALS, scene::materials),
    glb("names", "Nodes, meshes and materials that all have one name.", 32_000, ALL, scene::names),
    glb("animations", "Each moves the same node.", 32_000, MOVING, scene::animations),
    glb("moved nodes", "Each by an animation of its own.", 2_000, MOVING, scene::moved),
    glb("channels", "Of one animation, each on a node of its own.", 32_000, MOVING, scene::channels),
    glb("skins", "Each with a joint, a mesh node and nothing else of its own.", 16_000, MOVING, scene::skins),
    glb("skinned nodes", "They share a mesh and a skin of two joints.", 32_000, MOVING, scene::skinned),
    glb("joints", "Of one skin, in a chain of branches.", 32_000, MOVING, scene::joints),
    glb(
        "morph targets",
        "Of one triangle. Not DGL3, which plays them one behind the other: a weight for each at the time of each.",
        16_000,
        &["das2", "dragon", "gltf"],
        scene::targets,
    ),
    glb("instances", "Of one triangle, by EXT_mesh_gpu_instancing.", 256_000, &["dragon", "gltf"], scene::instances),
    glb("LODs", "Nodes with three levels of detail each.", 16_000, &["das2", "gltf"], scene::levels),
    glb("images", "PNG files inside, each in a material of its own.", 8_000, MATERIALS, scene::images),
    glb("missing files", "Images that are not where the file says.", 8_000, MATERIALS, scene::missing),
    glb("lights", "Each in a node of its own.", 32_000, &["dgl2", "dgl3", "dragon", "gltf"], scene::lights),
    glb("extras", "Members of one node's extras.", 128_000, &["gltf"], scene::extras),
    Growing {
        what: "voxels",
        format: "dragon",
        about: "Of one object, in a row with gaps.",
        held: &[],
        most: 256_000,
        bytes: dragon::voxels,
    },
    Growing { what: "keys", format: "mat", about: "That no engine reads.", most: 128_000, held: &[], bytes: keys },
    Growing {
        what: "groups",
        format: "obj",
        about: "Of one triangle each, all in one material.",
        held: &[],
        most: 64_000,
        bytes: obj::groups,
    },
    Growing { what: "models", format: "fbx", about: "With a mesh each.", most: 32_000, held: &[], bytes: fbx::models },
    Growing {
        what: "entities",
        format: "dgl1",
        about: "With a mesh each.",
        most: 64_000,
        held: &[],
        bytes: dgl1::entities,
    },
];

/// Every format that shows several meshes.
const ALL: &[&str] = &["danmodel", "das2", "dgl2", "dgl3", "dragon", "gltf", "obj", "ply", "stl"];
const MATERIALS: &[&str] = &["das2", "dgl2", "dgl3", "dragon", "gltf", "obj"];
const MOVING: &[&str] = &["das2", "dgl3", "dragon", "gltf"];

const fn glb(
    what: &'static str,
    about: &'static str,
    most: usize,
    held: &'static [&'static str],
    bytes: fn(usize) -> Vec<u8>,
) -> Growing {
    Growing { what, format: "glb", about, most, held, bytes }
}

fn keys(count: usize) -> Vec<u8> {
    (0..count).map(|key| format!("key{key}: {key}\n")).collect::<String>().into_bytes()
}
