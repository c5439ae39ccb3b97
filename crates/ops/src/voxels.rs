//! Cubes as meshes: faces between neighbours are left out, and what lies in one plane
//! and looks alike becomes one rectangle.

use std::collections::{BTreeMap, BTreeSet};

use scene::{
    AlphaMode, Encoding, Id, Material, Mesh, Name, Pbr, Primitive, Scene, Semantic, Shading, Stream, Topology, Voxel,
    VoxelMaterial, Voxels,
};

/// A cube's place: whole units, and the rest as bits, which only cubes of one grid share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    rest: [u64; 3],
    whole: [i64; 3],
}

impl Cell {
    fn of(position: [f32; 3]) -> Option<Cell> {
        /// Floats from here on have no neighbours one unit away.
        const FARTHEST: f32 = 16_777_216.;
        if !position.iter().all(|v| v.abs() < FARTHEST) {
            return None;
        }
        let position = position.map(f64::from);
        let whole = position.map(|v| v.floor() as i64);
        Some(Cell { rest: position.map(|v| (v - v.floor()).to_bits()), whole })
    }

    fn neighbour(self, side: Side) -> Cell {
        let mut cell = self;
        cell.whole[side.axis] += if side.positive { 1 } else { -1 };
        cell
    }
}

/// A side of a cube.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    axis: usize,
    positive: bool,
}

/// Faces that may become one: of one material and colour, in one plane of one grid.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Plane {
    material: Option<u32>,
    color: u32,
    side: Side,
    rest: [u64; 3],
    depth: i64,
}

/// A rectangle of faces: first corner and size along the two other axes.
struct Rectangle {
    at: [i64; 2],
    size: [i64; 2],
}

/// The faces of cubes, as a mesh whose materials are added to a scene, and which material of the cubes each part has.
pub fn voxels_to_mesh(object: &Voxels, scene: &mut Scene) -> (Mesh, Vec<Option<u32>>) {
    let mut cells: BTreeMap<Cell, &Voxel> = BTreeMap::new();
    for voxel in &object.voxels {
        if let Some(cell) = Cell::of(voxel.position) {
            cells.entry(cell).or_insert(voxel);
        }
    }
    let mut planes: BTreeMap<Plane, BTreeSet<[i64; 2]>> = BTreeMap::new();
    for (cell, voxel) in &cells {
        for side in (0..3).flat_map(|axis| [false, true].map(|positive| Side { axis, positive })) {
            if !cells.contains_key(&cell.neighbour(side)) {
                let (material, color, rest) = (voxel.material, voxel.color, cell.rest);
                let plane = Plane { material, color, side, rest, depth: cell.whole[side.axis] };
                let [u, v] = across(side.axis).map(|axis| cell.whole[axis]);
                planes.entry(plane).or_default().insert([v, u]);
            }
        }
    }
    let mut parts: BTreeMap<Option<u32>, Part> = BTreeMap::new();
    for (plane, faces) in planes {
        let color = object.palette.get(plane.color as usize).copied().unwrap_or([255; 4]);
        let part = parts.entry(plane.material).or_default();
        for rectangle in rectangles(faces) {
            part.add(&plane, &rectangle, color);
        }
    }
    let mut mesh = Mesh { name: object.name.clone(), ..Mesh::default() };
    let materials = parts.keys().copied().collect();
    for (material, part) in parts {
        let said = material.and_then(|material| object.materials.get(material as usize));
        let material = scene.materials.add(look(said, part.clear));
        mesh.primitives.push(part.into_primitive(material));
    }
    (mesh, materials)
}

/// The axes of a face, so that they and the one it looks along are right-handed.
fn across(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// Covers faces by rectangles: as wide as they go, then as high. Faces come row by row.
fn rectangles(mut faces: BTreeSet<[i64; 2]>) -> Vec<Rectangle> {
    let mut out = Vec::new();
    while let Some(&[v, u]) = faces.first() {
        let width = (u..).take_while(|u| faces.contains(&[v, *u])).count() as i64;
        let full = |v: &i64| (u..u + width).all(|u| faces.contains(&[*v, u]));
        let height = (v..).take_while(full).count() as i64;
        for v in v..v + height {
            for u in u..u + width {
                faces.remove(&[v, u]);
            }
        }
        out.push(Rectangle { at: [u, v], size: [width, height] });
    }
    out
}

/// The faces of one material.
#[derive(Default)]
struct Part {
    positions: Vec<f32>,
    normals: Vec<f32>,
    colors: Vec<u8>,
    indices: Vec<u32>,
    /// Whether some colour lets light through.
    clear: bool,
}

impl Part {
    fn add(&mut self, plane: &Plane, rectangle: &Rectangle, color: [u8; 4]) {
        let Side { axis, positive } = plane.side;
        let rest = plane.rest.map(f64::from_bits);
        let mut normal = [0.; 3];
        normal[axis] = if positive { 1. } else { -1. };
        let first = (self.positions.len() / 3) as u32;
        for [right, up] in [[0, 0], [1, 0], [1, 1], [0, 1]] {
            let mut corner = [0.; 3];
            corner[axis] = plane.depth as f64 + rest[axis] + if positive { 0.5 } else { -0.5 };
            for (k, other) in across(axis).into_iter().enumerate() {
                let along = rectangle.at[k] + rectangle.size[k] * [right, up][k];
                corner[other] = along as f64 + rest[other] - 0.5;
            }
            self.positions.extend(corner.map(|v| v as f32));
            self.normals.extend(normal);
            self.colors.extend(color);
        }
        let order = if positive { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
        self.indices.extend(order.map(|corner| first + corner));
        self.clear |= color[3] < 255;
    }

    fn into_primitive(self, material: Id<Material>) -> Primitive {
        let encoding = Encoding { normalised: true, ..Encoding::packed(scene::Component::U8, 4) };
        let colors = Stream::new(wire::Blob::memory(self.colors), self.positions.len() / 3, encoding);
        let mut primitive = Primitive::new(Topology::Triangles)
            .with(Semantic::Position, Stream::from_f32(3, self.positions))
            .with(Semantic::Normal, Stream::from_f32(3, self.normals))
            .with(Semantic::Color(0), colors);
        primitive.indices = Some(self.indices.into());
        primitive.material = Some(material);
        primitive
    }
}

/// How cubes look: rough and no metal, unless their material says otherwise. Words that say nothing about looks are
/// properties.
fn look(said: Option<&VoxelMaterial>, clear: bool) -> Material {
    const ALPHA: [&str; 2] = ["alpha", "opacity"];
    const EMISSION: [&str; 2] = ["emission", "emissive"];
    const METAL: [&str; 2] = ["metal", "metallic"];
    const ROUGHNESS: [&str; 2] = ["roughness", "rough"];
    let values = said.map_or(&[][..], |said| &said.values);
    let is = |name: &Name, words: [&str; 2]| words.iter().any(|word| name.to_string().eq_ignore_ascii_case(word));
    let number = |words: [&str; 2]| {
        values.iter().find(|(name, _)| is(name, words)).and_then(|(_, value)| value.as_f64()).map(|v| v as f32)
    };
    let alpha = number(ALPHA).unwrap_or(1.);
    let emissive = number(EMISSION).unwrap_or(0.);
    let pbr = Pbr {
        base_color: [1., 1., 1., alpha],
        metallic: number(METAL).unwrap_or(0.),
        roughness: number(ROUGHNESS).unwrap_or(1.),
        ..Pbr::default()
    };
    let other = values.iter().filter(|(name, _)| ![ALPHA, EMISSION, METAL, ROUGHNESS].iter().any(|w| is(name, *w)));
    let given = said.map_or(&[][..], |said| &said.properties);
    Material {
        name: said.map_or_else(Name::default, |said| said.name.clone()),
        properties: given.iter().chain(other).cloned().collect(),
        shading: Shading::Pbr(pbr),
        emissive: [emissive; 3],
        alpha_mode: if clear || alpha < 1. { AlphaMode::Blend } else { AlphaMode::Opaque },
        ..Material::default()
    }
}
