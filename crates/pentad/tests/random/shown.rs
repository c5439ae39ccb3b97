//! What a file shows: triangles, lines and points in the world, and how each of them looks.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::gltf::{Gltf, Rows, extension, index, indices, items, number, numbers};
use super::pose::{self, Animation, IDENTITY, Matrix, Pose, determinant, point, product, turn};

/// A file and what is asked of it more than once.
pub(crate) struct Model {
    pub(crate) file: Gltf,
    pub(crate) meshes: Vec<Vec<Part>>,
    pub(crate) looks: Vec<Look>,
    pub(crate) animations: Vec<Animation>,
    pub(crate) parents: Vec<Option<usize>>,
    /// Nodes that stand in for others from afar.
    pub(crate) levels: Vec<usize>,
    binds: Vec<Vec<Matrix>>,
}

/// A primitive.
pub(crate) struct Part {
    pub(crate) mode: usize,
    pub(crate) material: Option<usize>,
    pub(crate) semantics: Vec<String>,
    pub(crate) targets: Vec<Target>,
    pub(crate) positions: Rows,
    normals: Option<Rows>,
    uvs: Vec<Rows>,
    colors: Option<Rows>,
    influences: Vec<(Rows, Rows)>,
    /// What it draws: one, two or three corners each.
    pub(crate) faces: Vec<Vec<usize>>,
    /// Corners that are no whole triangle.
    pub(crate) left_over: usize,
}

pub(crate) struct Target {
    pub(crate) positions: Option<Rows>,
    turns: bool,
}

/// A material as it looks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    pub(crate) base: [f64; 4],
    /// The alpha of the base colour as it is stored, whether it counts or not.
    pub(crate) stored_alpha: f64,
    pub(crate) metal: f64,
    pub(crate) rough: f64,
    pub(crate) emission: [f64; 3],
    pub(crate) alpha: String,
    pub(crate) sides: bool,
    pub(crate) unlit: bool,
    /// What extensions say of it that nothing here evaluates.
    pub(crate) extensions: Vec<String>,
    pub(crate) pictures: BTreeMap<&'static str, Picture>,
}

/// A texture in its role.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    /// What its image shows; `None` if that is not there.
    pub(crate) image: Option<u64>,
    pub(crate) texture: usize,
    set: usize,
    /// Offset, rotation, scale.
    moved: [f64; 5],
    pub(crate) strength: f64,
    /// Wrapping and filters.
    pub(crate) sampling: [usize; 4],
}

/// A triangle, a line or a point in the world.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) at: Vec<[f64; 3]>,
    /// Whether it has a front.
    pub(crate) oriented: bool,
    pub(crate) normals: Option<Vec<[f64; 3]>>,
    pub(crate) uvs: Vec<Vec<[f64; 2]>>,
    pub(crate) colors: Option<Vec<[f64; 4]>>,
    pub(crate) node: usize,
    pub(crate) mesh: usize,
    pub(crate) part: usize,
    pub(crate) material: Option<usize>,
}

impl Model {
    pub(crate) fn open(path: &std::path::Path) -> Model {
        let file = Gltf::open(path);
        let mut parents = vec![None; file.list("nodes").len()];
        let mut levels = Vec::new();
        for (at, node) in file.list("nodes").iter().enumerate() {
            indices(node, "children").into_iter().for_each(|child| parents[child] = Some(at));
            levels.extend(extension(node, "MSFT_lod").map(|lod| indices(lod, "ids")).unwrap_or_default());
        }
        for node in 0..parents.len() {
            let above = std::iter::successors(parents[node], |node| parents[*node]);
            assert!(above.take(parents.len()).count() < parents.len(), "node {node} stands below itself");
        }
        let parts = |mesh: &Json| items(mesh, "primitives").iter().map(|part| Part::of(&file, part)).collect();
        let meshes = file.list("meshes").iter().map(parts).collect();
        let looks = file.list("materials").iter().map(|material| Look::of(&file, material)).collect();
        let binds = file.list("skins").iter().map(|skin| binds(&file, skin)).collect();
        let animations = Animation::all(&file);
        Model { file, meshes, looks, animations, parents, levels, binds }
    }

    pub(crate) fn default_scene(&self) -> usize {
        index(&self.file.root, "scene").unwrap_or(0)
    }

    /// The matrix of every node in the world.
    pub(crate) fn worlds(&self, pose: &Pose) -> Vec<Matrix> {
        let mut out: Vec<Option<Matrix>> = vec![None; pose.local.len()];
        fn world(at: usize, model: &Model, pose: &Pose, out: &mut Vec<Option<Matrix>>) -> Matrix {
            if let Some(known) = out[at] {
                return known;
            }
            let above = model.parents[at].map_or(IDENTITY, |parent| world(parent, model, pose, out));
            let own = product(&above, &pose.local[at]);
            out[at] = Some(own);
            own
        }
        (0..pose.local.len()).map(|at| world(at, self, pose, &mut out)).collect()
    }

    /// The nodes that a scene shows.
    fn nodes_of(&self, scene: usize) -> Vec<usize> {
        let nodes = self.file.list("nodes");
        let mut open = self.file.list("scenes").get(scene).map(|scene| indices(scene, "nodes")).unwrap_or_default();
        let mut out = Vec::new();
        while let Some(at) = open.pop() {
            if self.is_hidden(&nodes[at]) || self.levels.contains(&at) {
                continue;
            }
            out.push(at);
            open.extend(indices(&nodes[at], "children"));
        }
        out.sort_unstable();
        out
    }

    pub(crate) fn is_hidden(&self, node: &Json) -> bool {
        extension(node, "KHR_node_visibility").is_some_and(|v| v["visible"] == false)
    }

    pub(crate) fn shown(&self, scene: usize, pose: &Pose) -> Vec<Piece> {
        self.pieces(&self.nodes_of(scene), pose)
    }

    /// What a scene does not show: hidden, or in another, or a level of detail.
    pub(crate) fn unshown(&self, scene: usize, pose: &Pose) -> Vec<Piece> {
        let shown = self.nodes_of(scene);
        let nodes: Vec<usize> = (0..self.parents.len()).filter(|node| !shown.contains(node)).collect();
        self.pieces(&nodes, pose)
    }

    fn pieces(&self, nodes: &[usize], pose: &Pose) -> Vec<Piece> {
        let worlds = self.worlds(pose);
        let mut out = Vec::new();
        for &at in nodes {
            let node = &self.file.list("nodes")[at];
            let Some(mesh) = index(node, "mesh") else { continue };
            let skin = index(node, "skin").map(|skin| {
                let joints = indices(&self.file.list("skins")[skin], "joints");
                let joint = |(joint, bind): (usize, &Matrix)| product(&worlds[joint], bind);
                joints.into_iter().zip(&self.binds[skin]).map(joint).collect::<Vec<_>>()
            });
            for copy in self.copies(node) {
                let world = product(&worlds[at], &copy);
                for (number, part) in self.meshes[mesh].iter().enumerate() {
                    let skin = skin.as_deref().filter(|_| !part.influences.is_empty());
                    part.show(&world, skin, &pose.weights[at], |piece| {
                        out.push(Piece { node: at, mesh, part: number, material: part.material, ..piece });
                    });
                }
            }
        }
        out
    }

    /// The places of a node's copies among what stands below it.
    pub(crate) fn copies(&self, node: &Json) -> Vec<Matrix> {
        let Some(attributes) = extension(node, "EXT_mesh_gpu_instancing").map(|copies| &copies["attributes"]) else {
            return vec![IDENTITY];
        };
        let rows = |name: &str| index(attributes, name).map(|accessor| self.file.accessor(accessor));
        let (t, r, s) = (rows("TRANSLATION"), rows("ROTATION"), rows("SCALE"));
        let count = [&t, &r, &s].into_iter().flatten().map(Rows::len).min().unwrap_or(0);
        let copy = |at: usize| {
            let t = t.as_ref().map_or([0.; 3], |rows| rows.row(at));
            let r = r.as_ref().map_or([0., 0., 0., 1.], |rows| rows.row(at));
            pose::trs(t, r, s.as_ref().map_or([1.; 3], |rows| rows.row(at)))
        };
        (0..count).map(copy).collect()
    }
}

fn binds(file: &Gltf, skin: &Json) -> Vec<Matrix> {
    let count = items(skin, "joints").len();
    match index(skin, "inverseBindMatrices") {
        None => vec![IDENTITY; count],
        Some(accessor) => {
            let rows = file.accessor(accessor);
            (0..count).map(|at| rows.row(at)).collect()
        }
    }
}

impl Part {
    fn of(file: &Gltf, part: &Json) -> Part {
        let attributes = &part["attributes"];
        let rows = |name: &str| index(attributes, name).map(|accessor| file.accessor(accessor));
        let sets = |word: &str| (0..).map_while(|set| rows(&format!("{word}_{set}"))).collect::<Vec<_>>();
        let positions = rows("POSITION").unwrap_or_default();
        let corners = match index(part, "indices") {
            Some(accessor) => file.accessor(accessor).values.iter().map(|index| *index as usize).collect(),
            None => (0..positions.len()).collect::<Vec<_>>(),
        };
        let mode = index(part, "mode").unwrap_or(4);
        let target = |target: &Json| Target {
            positions: index(target, "POSITION").map(|accessor| file.accessor(accessor)),
            turns: target.get("NORMAL").is_some(),
        };
        Part {
            mode,
            material: index(part, "material"),
            semantics: attributes.as_object().unwrap().keys().cloned().collect(),
            targets: items(part, "targets").iter().map(target).collect(),
            positions,
            normals: rows("NORMAL"),
            uvs: sets("TEXCOORD"),
            colors: rows("COLOR_0"),
            influences: sets("JOINTS").into_iter().zip(sets("WEIGHTS")).collect(),
            left_over: if mode == 4 { corners.len() % 3 } else { 0 },
            faces: faces(mode, &corners),
        }
    }

    fn show(&self, world: &Matrix, skin: Option<&[Matrix]>, weights: &[f64], mut out: impl FnMut(Piece)) {
        let moved = |at: usize| {
            let mut p: [f64; 3] = self.positions.row(at);
            for (target, weight) in self.targets.iter().zip(weights) {
                let Some(rows) = &target.positions else { continue };
                p.iter_mut().zip(rows.row::<3>(at)).for_each(|(p, delta)| *p += weight * delta);
            }
            match skin {
                None => point(world, p),
                Some(joints) => point(&self.bent(joints, at), p),
            }
        };
        let places: Vec<[f64; 3]> = (0..self.positions.len()).map(moved).collect();
        let size = volume(world);
        let turned = self.targets.iter().zip(weights).any(|(target, weight)| target.turns && *weight != 0.);
        let normals = self.normals.as_ref().filter(|_| skin.is_none() && size != 0. && !turned);
        for face in &self.faces {
            let mut face = face.clone();
            if face.len() == 3 && skin.is_none() && size < 0. {
                face.swap(1, 2);
            }
            out(Piece {
                at: face.iter().map(|&at| places[at]).collect(),
                oriented: skin.is_none() && size != 0.,
                normals: normals.map(|rows| face.iter().map(|&at| turn(world, rows.row(at))).collect()),
                uvs: self.uvs.iter().map(|rows| face.iter().map(|&at| rows.row(at)).collect()).collect(),
                colors: self.colors.as_ref().map(|rows| face.iter().map(|&at| color(rows, at)).collect()),
                node: 0,
                mesh: 0,
                part: 0,
                material: None,
            });
        }
    }

    /// The sum of what joints have to say about a vertex.
    fn influence(&self, at: usize) -> f64 {
        self.influences.iter().flat_map(|(_, weights)| weights.row::<4>(at)).sum()
    }

    /// Whether weights of some vertex do not add up to 1. Viewers show them as if they did.
    pub(crate) fn is_loose(&self) -> bool {
        !self.influences.is_empty() && (0..self.positions.len()).any(|at| (self.influence(at) - 1.).abs() > 1e-4)
    }

    /// What joints make of a vertex.
    fn bent(&self, joints: &[Matrix], at: usize) -> Matrix {
        let mut out = [0.; 16];
        let sum = self.influence(at);
        for (named, weights) in &self.influences {
            for (joint, weight) in named.row::<4>(at).into_iter().zip(weights.row::<4>(at)) {
                let matrix = &joints[joint as usize];
                out.iter_mut().zip(matrix).for_each(|(out, value)| *out += weight / sum * value);
            }
        }
        out
    }
}

/// How large a matrix makes what is shown, and whether it mirrors it; what is flat but for rounding is flat.
fn volume(m: &Matrix) -> f64 {
    let edge = |column: usize| (0..3).map(|row| m[column * 4 + row].powi(2)).sum::<f64>().sqrt();
    let size = determinant(m);
    if size.abs() <= 1e-6 * edge(0) * edge(1) * edge(2) { 0. } else { size }
}

fn color(rows: &Rows, at: usize) -> [f64; 4] {
    let [r, g, b] = rows.row(at);
    [r, g, b, if rows.width == 4 { rows.row::<4>(at)[3] } else { 1. }]
}

fn faces(mode: usize, corners: &[usize]) -> Vec<Vec<usize>> {
    let windows = |size: usize| corners.windows(size).map(<[usize]>::to_vec).collect::<Vec<_>>();
    match mode {
        0 => corners.iter().map(|&corner| vec![corner]).collect(),
        1 => corners.chunks_exact(2).map(<[usize]>::to_vec).collect(),
        2 => windows(2).into_iter().chain([vec![corners[corners.len() - 1], corners[0]]]).collect(),
        3 => windows(2),
        5 => {
            let mut faces = windows(3);
            faces.iter_mut().skip(1).step_by(2).for_each(|face| face.swap(1, 2));
            faces
        }
        6 => corners[1..].windows(2).map(|pair| vec![corners[0], pair[0], pair[1]]).collect(),
        _ => corners.chunks_exact(3).map(<[usize]>::to_vec).collect(),
    }
}

/// The roles of textures, and where a material has them.
pub(crate) const ROLES: [(&str, &str); 5] = [
    ("base colour", "/pbrMetallicRoughness/baseColorTexture"),
    ("metal and roughness", "/pbrMetallicRoughness/metallicRoughnessTexture"),
    ("normal", "/normalTexture"),
    ("occlusion", "/occlusionTexture"),
    ("emission", "/emissiveTexture"),
];

/// Extensions of materials that are part of how they look here.
const EVALUATED: [&str; 3] = ["KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_materials_specular"];

impl Look {
    fn of(file: &Gltf, material: &Json) -> Look {
        let pbr = &material["pbrMetallicRoughness"];
        let strength = extension(material, "KHR_materials_emissive_strength");
        let strength = strength.map_or(1., |strength| number(strength, "emissiveStrength", 1.));
        let mut alpha = material["alphaMode"].as_str().unwrap_or("OPAQUE").to_owned();
        if alpha == "MASK" {
            alpha = format!("MASK {:.5}", number(material, "alphaCutoff", 0.5));
        }
        let mut pictures = BTreeMap::new();
        for (role, path) in ROLES {
            if let Some(info) = material.pointer(path) {
                pictures.insert(role, Picture::of(file, info));
            }
        }
        let mut base = numbers(pbr, "baseColorFactor", [1.; 4]);
        let stored_alpha = base[3];
        if alpha == "OPAQUE" {
            // "The alpha value is ignored."
            base[3] = 1.;
        }
        let known = |name: &str| EVALUATED.contains(&name);
        let all = material["extensions"].as_object().into_iter().flatten();
        let others = all.filter(|(name, _)| !known(name));
        Look {
            base,
            stored_alpha,
            metal: number(pbr, "metallicFactor", 1.),
            rough: number(pbr, "roughnessFactor", 1.),
            emission: numbers(material, "emissiveFactor", [0.; 3]).map(|v| v * strength),
            alpha,
            sides: material["doubleSided"] == true,
            unlit: extension(material, "KHR_materials_unlit").is_some(),
            extensions: others.map(|(name, value)| format!("{name} {value}")).collect(),
            pictures,
        }
    }
}

impl Picture {
    fn of(file: &Gltf, info: &Json) -> Picture {
        let moved = extension(info, "KHR_texture_transform").unwrap_or(&Json::Null);
        let [x, y] = numbers(moved, "offset", [0.; 2]);
        let [width, height] = numbers(moved, "scale", [1.; 2]);
        let at = index(info, "index").unwrap();
        Picture {
            image: index(&file.list("textures")[at], "source").and_then(|image| file.image(image)),
            texture: at,
            set: index(moved, "texCoord").or_else(|| index(info, "texCoord")).unwrap_or(0),
            moved: [x, y, number(moved, "rotation", 0.), width, height],
            strength: number(info, "scale", number(info, "strength", 1.)),
            sampling: Picture::sampling(file, at),
        }
    }

    /// How a texture is wrapped and filtered; 0 where that is left to who shows it.
    pub(crate) fn sampling(file: &Gltf, texture: usize) -> [usize; 4] {
        let sampler = index(&file.list("textures")[texture], "sampler");
        let sampler = sampler.map_or(&Json::Null, |sampler| &file.list("samplers")[sampler]);
        let field = |key: &str, missing: usize| index(sampler, key).unwrap_or(missing);
        [field("wrapS", 10497), field("wrapT", 10497), field("magFilter", 0), field("minFilter", 0)]
    }

    /// Whether it has a transform of its own on a set of texture coordinates.
    pub(crate) fn moves(&self, set: usize) -> bool {
        self.set == set && self.moved != [0., 0., 0., 1., 1.]
    }

    /// Whether it lies by a set of texture coordinates.
    pub(crate) fn lies_by(&self, set: usize) -> bool {
        self.set == set
    }

    /// How it is laid: by which coordinates, and how they are moved.
    pub(crate) fn placement(&self) -> Vec<f64> {
        [&[self.set as f64], &self.moved[..]].concat()
    }

    /// Where the corners of a piece lie on it.
    pub(crate) fn laid(&self, piece: &Piece) -> Option<Vec<[f64; 2]>> {
        let [x, y, angle, width, height] = self.moved;
        let (sin, cos) = angle.sin_cos();
        let lay = |[u, v]: &[f64; 2]| {
            let (u, v) = (u * width, v * height);
            [u * cos + v * sin + x, v * cos - u * sin + y]
        };
        Some(piece.uvs.get(self.set)?.iter().map(lay).collect())
    }
}
