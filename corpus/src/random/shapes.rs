//! Meshes: parts, attributes, morph targets, and what joints bend.

use super::draw::{Draw, Feature};
use super::plan::{Mesh, Numbers, Part, Stored};

const POINTS: usize = 0;
const LINES: usize = 1;
const LINE_LOOP: usize = 2;
const LINE_STRIP: usize = 3;
const TRIANGLES: usize = 4;
const STRIP: usize = 5;
const FAN: usize = 6;

const MOST_FACES: usize = 5;

impl Draw<'_> {
    pub(super) fn meshes(&mut self) {
        for _ in 0..self.chance.between(1, 3) {
            let joints = if self.roll(Feature::Skins, 60) { self.chance.between(1, 3) } else { 0 };
            let mesh = self.mesh(joints);
            self.plan.meshes.push(mesh);
        }
    }

    pub(super) fn mesh(&mut self, joints: usize) -> Mesh {
        let mut mesh = Mesh { words: self.words("mesh"), joints, ..Mesh::default() };
        mesh.targets = if self.roll(Feature::Morphs, 60) { self.chance.between(1, 3) } else { 0 };
        if mesh.targets > 0 && self.roll(Feature::MorphNames, 80) {
            mesh.target_names = (0..mesh.targets).map(|at| format!("morph-{at}")).collect();
        }
        if mesh.targets > 0 && self.roll(Feature::MorphWeights, 70) {
            mesh.weights = (0..mesh.targets).map(|_| self.share()).collect();
        }
        let sets = if joints > 0 && self.roll(Feature::ManyInfluences, 50) { 2 } else { 1 };
        for _ in 0..if self.has(Feature::Parts) { self.chance.between(1, 3) } else { 1 } {
            let part = self.part(joints, sets, mesh.targets);
            mesh.parts.push(part);
        }
        mesh
    }

    fn part(&mut self, joints: usize, sets: usize, targets: usize) -> Part {
        let mode = if self.roll(Feature::Thin, 40) {
            *self.chance.one_of(&[POINTS, LINES, LINE_LOOP, LINE_STRIP])
        } else if self.roll(Feature::Strips, 60) {
            *self.chance.one_of(&[STRIP, FAN])
        } else {
            TRIANGLES
        };
        let faces = self.chance.between(1, MOST_FACES);
        let corners = match mode {
            TRIANGLES => faces * 3,
            LINES => faces * 2,
            _ => faces + 2,
        };
        let vertices = if self.has(Feature::Unindexed) && mode == TRIANGLES { corners } else { corners.min(faces + 2) };
        let indices = (!self.has(Feature::Unindexed)).then(|| self.indices(mode, faces, corners, vertices));
        let vertices = match &indices {
            Some(_) if self.roll(Feature::Unused, 60) => vertices + 2,
            Some(_) => vertices,
            None => corners,
        };
        let bytes = *self.chance.one_of(&[1, 2, 4]);
        let mut part = Part { mode, indices: indices.map(|list| (list, bytes)), ..Part::default() };
        let or_none = usize::from(self.chance.percent(50));
        let material = self.chance.below((self.plan.materials.len() + or_none).max(1));
        part.material = (material < self.plan.materials.len()).then_some(material);
        part.extras = self.extras();
        self.attributes(&mut part, vertices);
        self.influences(&mut part, vertices, joints, sets);
        for _ in 0..targets {
            let target = self.target(&part, vertices);
            part.targets.push(target);
        }
        part
    }

    /// Corners that name each other's vertices, every vertex at least once. Triangles have three different ones.
    fn indices(&mut self, mode: usize, faces: usize, corners: usize, vertices: usize) -> Vec<u32> {
        if mode != TRIANGLES {
            return (0..corners as u32).map(|at| at % vertices as u32).collect();
        }
        let turn = self.chance.percent(50);
        let corners = (0..faces as u32).flat_map(|at| if turn { [at + 2, at, at + 1] } else { [at, at + 1, at + 2] });
        // A corner too many is no face.
        corners.chain((faces == MOST_FACES).then_some(0)).collect()
    }

    fn attributes(&mut self, part: &mut Part, vertices: usize) {
        let positions = self.positions(part, vertices);
        part.attributes.push(("POSITION".to_owned(), Numbers { bounds: true, ..Numbers::floats(3, positions) }));
        let is_surface = part.mode >= TRIANGLES;
        let tangents = self.roll(Feature::Tangents, 60);
        if is_surface && (self.roll(Feature::Normals, 70) || tangents) {
            let normals = (0..vertices).flat_map(|_| self.unit()).collect();
            part.attributes.push(("NORMAL".to_owned(), Numbers::floats(3, normals)));
            if tangents {
                let tangent = |draw: &mut Draw<'_>| {
                    let [x, y, z] = draw.unit();
                    [x, y, z, *draw.chance.one_of(&[1., -1.])]
                };
                let tangents = (0..vertices).flat_map(|_| tangent(self)).collect();
                part.attributes.push(("TANGENT".to_owned(), Numbers::floats(4, tangents)));
            }
        }
        let slots = part.material.map_or(&[][..], |material| &self.plan.materials[material].slots);
        let needed = slots.iter().map(|slot| slot.uv + 1).max().unwrap_or(0);
        let more = if self.has(Feature::ManyUvs) { self.chance.below(4) } else { self.chance.below(2) };
        for set in 0..needed.max(more) {
            let numbers = if self.chance.percent(20) {
                let values = (0..vertices * 2).map(|_| f32::from(self.chance.byte()) / 255.).collect();
                Numbers { width: 2, values, stored: Stored::Whole { bytes: 1, shares: true }, bounds: false }
            } else {
                Numbers::floats(2, (0..vertices * 2).map(|_| self.number(2.)).collect())
            };
            part.attributes.push((format!("TEXCOORD_{set}"), numbers));
        }
        if self.roll(Feature::Colors, 60) {
            let width = self.chance.between(3, 4);
            let stored = *self.chance.one_of(&[
                Stored::Float,
                Stored::Whole { bytes: 1, shares: true },
                Stored::Whole { bytes: 2, shares: true },
            ]);
            let values = (0..vertices * width).map(|_| self.share()).collect();
            part.attributes.push(("COLOR_0".to_owned(), Numbers { width, values, stored, bounds: false }));
        }
        if self.roll(Feature::Custom, 60) {
            let values = (0..vertices).map(|_| self.number(8.)).collect();
            part.attributes.push(("_HEAT".to_owned(), Numbers::floats(1, values)));
        }
    }

    /// Positions of vertices; those that stand in a face, which is no line.
    fn positions(&mut self, part: &Part, vertices: usize) -> Vec<f32> {
        loop {
            let rows: Vec<[f32; 3]> = (0..vertices).map(|_| self.vector(2.)).collect();
            let row = |at: u32| rows[at as usize].map(f64::from);
            let corners: Vec<u32> = match &part.indices {
                Some((indices, _)) => indices.clone(),
                None => (0..vertices as u32).collect(),
            };
            let faces: Vec<[u32; 3]> = match part.mode {
                TRIANGLES => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
                STRIP => corners.windows(3).map(|c| [c[0], c[1], c[2]]).collect(),
                FAN => corners.windows(2).skip(1).map(|c| [corners[0], c[0], c[1]]).collect(),
                _ => Vec::new(),
            };
            let area = |[a, b, c]: [u32; 3]| {
                let side = |to: u32| [0, 1, 2].map(|axis| row(to)[axis] - row(a)[axis]);
                let (u, v) = (side(b), side(c));
                let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
                cross.iter().map(|v| v * v).sum::<f64>().sqrt()
            };
            if faces.into_iter().all(|face| area(face) > 0.2) {
                return rows.into_iter().flatten().collect();
            }
        }
    }

    /// Weights in sixteenths, which add up to 1 without a rest; in large meshes to less, which no file should say.
    fn influences(&mut self, part: &mut Part, vertices: usize, joints: usize, sets: usize) {
        if joints == 0 {
            return;
        }
        let loose = self.has(Feature::LooseWeights) && vertices > MOST_FACES + 2;
        let mut columns = vec![(Vec::new(), Vec::new()); sets];
        for _ in 0..vertices {
            let mut left = if loose { 12 } else { 16 };
            let order = self.chance.order(joints);
            let mut row = vec![(0, 0); sets * 4];
            let used = joints.min(sets * 4).min(self.chance.between(1, 4));
            for (at, joint) in order.into_iter().take(used).enumerate() {
                let weight = if at + 1 == used { left } else { self.chance.below(left + 1) };
                left -= weight;
                // With two sets, the second is used as well.
                let place = if sets == 2 && at % 2 == 1 { 4 + at / 2 } else { at };
                row[place] = if weight == 0 { (0, 0) } else { (joint, weight) };
            }
            for (set, four) in row.chunks(4).enumerate() {
                columns[set].0.extend(four.iter().map(|(joint, _)| *joint as f32));
                columns[set].1.extend(four.iter().map(|(_, weight)| *weight as f32 / 16.));
            }
        }
        let bytes = self.chance.between(1, 2);
        for (set, (named, weights)) in columns.into_iter().enumerate() {
            let stored = Stored::Whole { bytes, shares: false };
            let named = Numbers { width: 4, values: named, stored, bounds: false };
            part.attributes.push((format!("JOINTS_{set}"), named));
            part.attributes.push((format!("WEIGHTS_{set}"), Numbers::floats(4, weights)));
        }
    }

    fn target(&mut self, part: &Part, vertices: usize) -> Vec<(String, Numbers)> {
        let moved = (0..vertices).flat_map(|_| if self.chance.percent(30) { [0.; 3] } else { self.vector(1.) });
        let moved: Vec<f32> = moved.collect();
        let mut out = vec![("POSITION".to_owned(), Numbers { bounds: true, ..Numbers::floats(3, moved) })];
        if part.attributes.iter().any(|(name, _)| name == "NORMAL") && self.chance.percent(40) {
            let turned = (0..vertices).flat_map(|_| self.vector(0.25)).collect();
            out.push(("NORMAL".to_owned(), Numbers::floats(3, turned)));
        }
        out
    }
}
