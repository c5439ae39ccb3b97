//! Meshes: one geometry for every layout of vertices that their parts have.

mod rows;

use std::collections::HashMap;

use findings::{Result, Subject};
use scene::loss::*;
use scene::{Attribute, Id, Mesh, Name, Primitive, Properties, Semantic, Topology, Value};
use wire::F32;

use self::rows::{Layout, Rows, same_vertices};
use super::super::{ctext, keys, semantics};
use super::Lower;
use crate::dragon::layout::body::{self, Geometry, Indice, Indices, Morph, MorphTarget};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::words::DrawType;
use ops::StreamHashes;

/// The buffers of the parts of one layout.
#[derive(Clone)]
pub(super) struct Buffers {
    vertex: Guid,
    indice: Guid,
    meshes: Vec<body::Mesh>,
    /// First vertex and buffer of each morph.
    morphs: Vec<(u32, Guid)>,
}

/// What belongs together in one buffer.
#[derive(PartialEq)]
struct Sort {
    layout: Layout,
    targets: Vec<Layout>,
    indexed: bool,
}

impl Sort {
    fn of(primitive: &Primitive) -> Sort {
        Sort {
            layout: Layout::of(&primitive.attributes),
            targets: primitive.targets.iter().map(|target| Layout::of(&target.attributes)).collect(),
            indexed: primitive.indices.is_some(),
        }
    }
}

/// How a mesh is used: what it rests in, what moves it, and where things hang on it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Manner {
    pub(super) weights: Vec<u32>,
    pub(super) skeleton: Guid,
    pub(super) socket: Guid,
}

/// What meshes became.
#[derive(Default)]
pub(super) struct Written {
    /// By mesh: the names that its morphs are written with.
    pub(super) morph_names: Vec<Vec<Name>>,
    buffers: HashMap<Id<Mesh>, Vec<Buffers>>,
    geometries: HashMap<(Id<Mesh>, Manner), Vec<Guid>>,
}

impl Lower<'_, '_, '_> {
    /// The geometries that show a mesh in some manner.
    pub(super) fn geometries(&mut self, id: Id<Mesh>, manner: &Manner) -> Result<Vec<Guid>> {
        if let Some(known) = self.meshes.geometries.get(&(id, manner.clone())) {
            return Ok(known.clone());
        }
        let mesh = &self.scene.meshes[id];
        let label = mesh.subject(id);
        let source = self.source(id);
        let buffers = match self.meshes.buffers.get(&source) {
            Some(known) => known.clone(),
            None => {
                let made = match self.skins.skinned.contains(&source) {
                    true => self.buffers_of(mesh, &label)?,
                    false => {
                        let unbound = self.unbound(mesh, &label);
                        self.buffers_of(&unbound, &label)?
                    }
                };
                self.meshes.buffers.insert(source, made.clone());
                made
            }
        };
        let settings =
            self.sections.settings(&Default::default(), Vec::new(), &mesh.properties, &mesh.extras, &label, self.cx)?;
        let mut out = Vec::with_capacity(buffers.len());
        for (group, buffers) in buffers.into_iter().enumerate() {
            let body = Geometry {
                name: ctext(&mesh.name),
                vertex_buffer: buffers.vertex,
                indice_buffer: buffers.indice,
                morph_buffers: self.morph_section(id, &buffers, manner)?,
                skeleton: manner.skeleton,
                socket: manner.socket,
                meshes: buffers.meshes,
            };
            let wanted = keys::guid(&mesh.extras, keys::GUID).filter(|_| group == 0);
            out.push(self.sections.add(wanted, settings, body)?);
        }
        self.meshes.geometries.insert((id, manner.clone()), out.clone());
        Ok(out)
    }

    /// The mesh whose vertices a mesh shows.
    pub(super) fn source(&self, id: Id<Mesh>) -> Id<Mesh> {
        self.parted.get(&id).copied().unwrap_or(id)
    }

    /// A mesh whose vertices name no bones, as there are none.
    fn unbound(&mut self, mesh: &Mesh, label: &Subject) -> Mesh {
        let is_bone = |a: &Attribute| matches!(a.semantic, Semantic::Joints(_) | Semantic::Weights(_));
        let mut mesh = mesh.clone();
        let mut bound = 0;
        for primitive in &mut mesh.primitives {
            bound += u64::from(primitive.attributes.iter().any(is_bone));
            primitive.attributes.retain(|a| !is_bone(a));
        }
        if bound > 0 {
            self.cx.lose(&LOSS_002, label, bound, "joints and weights", "no skin says which joints they mean");
        }
        mesh
    }

    fn morph_section(&mut self, id: Id<Mesh>, buffers: &Buffers, manner: &Manner) -> Result<Guid> {
        let mesh = &self.scene.meshes[id];
        if mesh.morphs.is_empty() {
            return Ok(Guid::NONE);
        }
        let mut morphs = Vec::with_capacity(mesh.morphs.len());
        for (i, morph) in mesh.morphs.iter().enumerate() {
            let (index_offset, vertex_buffer) = buffers.morphs.get(i).copied().unwrap_or_default();
            let [min, max, default] = match manner.weights.get(i).map(|bits| f32::from_bits(*bits)) {
                Some(weight) => [morph.min.min(weight), morph.max.max(weight), weight],
                None => [morph.min, morph.max, morph.default],
            }
            .map(F32);
            let name = ctext(self.meshes.morph_names[id.index()].get(i).unwrap_or(&morph.name));
            morphs.push(MorphTarget { name, index_offset, vertex_buffer, min, max, default });
        }
        self.sections.add(None, Guid::NONE, Morph { morphs })
    }

    fn buffers_of(&mut self, mesh: &Mesh, label: &Subject) -> Result<Vec<Buffers>> {
        let mut sorts: Vec<(Sort, Vec<&Primitive>)> = Vec::new();
        for primitive in &mesh.primitives {
            let sort = Sort::of(primitive);
            match sorts.iter_mut().find(|(known, _)| *known == sort) {
                Some((_, parts)) => parts.push(primitive),
                None => sorts.push((sort, vec![primitive])),
            }
        }
        if sorts.len() > 1 {
            let why = "a geometry of DRAGON has one vertex buffer";
            self.cx.lose(&LOSS_072, label, sorts.len() as u64, "parts with other attributes", why);
        }
        if sorts.is_empty() {
            sorts.push((Sort { layout: Layout::of(&[]), targets: Vec::new(), indexed: false }, Vec::new()));
        }
        let mut out = Vec::with_capacity(sorts.len());
        for (sort, parts) in sorts {
            out.push(self.group(sort, &parts)?);
        }
        Ok(out)
    }

    fn group(&mut self, sort: Sort, parts: &[&Primitive]) -> Result<Buffers> {
        let names: Properties = sort.layout.samples.iter().map(|(layer, name)| sample(*layer, name)).collect();
        let has_vertices = sort.layout != Layout::of(&[]);
        let mut rows = Rows::new(sort.layout, self.order);
        let mut targets: Vec<Rows> = sort.targets.into_iter().map(|layout| Rows::new(layout, self.order)).collect();
        let mut placed: Vec<(usize, usize)> = Vec::with_capacity(parts.len());
        let mut fingerprints = StreamHashes::default();
        let mut alike: HashMap<u64, Vec<usize>> = HashMap::new();
        for (i, primitive) in parts.iter().enumerate() {
            let moved = primitive.targets.iter().flat_map(|target| &target.attributes);
            let alike = alike.entry(fingerprints.of(primitive.attributes.iter().chain(moved))).or_default();
            if let Some(same) = alike.iter().find(|other| same_vertices(parts[**other], primitive)) {
                placed.push(placed[*same]);
                continue;
            }
            alike.push(i);
            let count = primitive.vertex_count();
            placed.push((rows.len(), count));
            rows.add(&primitive.attributes, count);
            for (rows, target) in targets.iter_mut().zip(&primitive.targets) {
                rows.add(&target.attributes, count);
            }
        }
        let total = rows.len();
        let mut indices: Vec<u32> = Vec::new();
        let mut meshes = Vec::with_capacity(parts.len());
        for (primitive, (base, count)) in parts.iter().zip(placed) {
            let first = if sort.indexed { indices.len() } else { base };
            let drawn = match &primitive.indices {
                Some(order) => {
                    indices.extend(order.to_vec().into_iter().map(|index| moved(index, base, count, total)));
                    order.len()
                }
                None => count,
            };
            meshes.push(self.mesh(primitive, [base, count, first, drawn]));
        }
        let settings = self.sections.settings(
            &Default::default(),
            names,
            &Vec::new(),
            &Default::default(),
            &"vertex buffer".into(),
            self.cx,
        )?;
        let vertex = match has_vertices {
            true => self.sections.add(None, settings, rows.into_vertex())?,
            false => Guid::NONE,
        };
        let indice = match sort.indexed {
            true => self.sections.add(None, Guid::NONE, Indice { indices: narrow(indices) })?,
            false => Guid::NONE,
        };
        let mut morphs = Vec::with_capacity(targets.len());
        for rows in targets {
            let (first, vertex) = rows.trimmed();
            morphs.push((first, self.sections.add_morph(vertex)?));
        }
        Ok(Buffers { vertex, indice, meshes, morphs })
    }

    fn mesh(&self, primitive: &Primitive, [base, count, first, drawn]: [usize; 4]) -> body::Mesh {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let name = match keys::NAME.get(&primitive.extras) {
            Some(Value::Text(name)) => ctext(name),
            _ => Default::default(),
        };
        let material = primitive.material.and_then(|material| self.materials.materials.get(material.index()).copied());
        body::Mesh {
            name,
            material: material.unwrap_or_default(),
            draw_type: match primitive.topology {
                Topology::TriangleStrip => DrawType::TRIANGLE_STRIP,
                Topology::TriangleFan => DrawType::TRIANGLE_FAN,
                Topology::Quads => DrawType::QUADS,
                _ => DrawType::TRIANGLE,
            },
            vertex_offset: small(base),
            vertex_count: small(count),
            face_offset: small(first),
            face_count: small(drawn),
        }
    }
}

fn sample(layer: u32, name: &str) -> (scene::Name, Value) {
    (semantics::setting(layer).into(), Value::from(name))
}

/// An index into a buffer that holds more than its own vertices; one that names none stays one that names none.
fn moved(index: u32, base: usize, count: usize, total: usize) -> u32 {
    let to = if (index as usize) < count { base } else { total.saturating_sub(count) };
    u32::try_from(to).unwrap_or(u32::MAX).saturating_add(index)
}

fn narrow(indices: Vec<u32>) -> Indices {
    match indices.iter().max() {
        Some(largest) if *largest > u32::from(u16::MAX) => Indices::U32(indices.into()),
        _ => Indices::U16(indices.into_iter().map(|index| index as u16).collect::<Vec<_>>().into()),
    }
}
