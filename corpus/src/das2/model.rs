//! A file in the words of its document, in any of its layouts.

use super::pack::{self, Packing};
use crate::bytes::Bytes;

/// No reference.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Revision {
    Spec,
    HeadText,
    V2,
    V3,
    V4,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strings {
    Plain,
    Nul,
    Hash,
    HashNul,
    HashNulFilled,
}

#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) revision: Revision,
    pub(super) strings: Strings,
    pub(super) table: bool,
}

pub(super) const SPEC: Form = Form { revision: Revision::Spec, strings: Strings::Plain, table: false };
pub(super) const ENGINE: Form = Form { revision: Revision::V4, strings: Strings::Hash, table: false };

#[derive(Clone)]
pub(super) struct Model {
    pub(super) form: Form,
    pub(super) packing: Packing,
    pub(super) level: u8,
    /// Vertices, meshes, animations.
    pub(super) counts: [u32; 3],
    pub(super) parts: Vec<Part>,
}

// A recipe holds a handful of them.
#[allow(clippy::large_enum_variant)]
#[derive(Clone)]
pub(super) enum Part {
    Buffer(Vec<u8>),
    Mesh(Mesh),
    Group(&'static str, Vec<u32>),
    Node(Node),
    Scene(&'static str, Vec<u32>),
    Joint(Joint),
    Skeleton(&'static str, u32, Vec<u32>),
    Animation(&'static str, Vec<u32>),
    Channel(Channel),
    Phong(Phong),
    Pbr(Pbr),
}

/// Where an attribute is: buffer and offset.
pub(super) type At = Option<(u32, u32)>;

#[derive(Clone, Default)]
pub(super) struct Mesh {
    /// The number of the structure, if it is not the right one.
    pub(super) number: Option<u8>,
    pub(super) index: At,
    pub(super) draw: u32,
    pub(super) position: At,
    pub(super) normal: At,
    pub(super) uv: [At; 8],
    pub(super) color: At,
    pub(super) joints: [At; 8],
    pub(super) weights: [At; 8],
    /// Type and id.
    pub(super) material: Option<(u8, u32)>,
    pub(super) morphs: Vec<Morph>,
    pub(super) lods: Vec<Mesh>,
}

#[derive(Clone, Default)]
pub(super) struct Morph {
    pub(super) position: At,
    pub(super) normal: At,
    pub(super) uv: [At; 8],
    pub(super) color: At,
}

#[derive(Clone)]
pub(super) struct Node {
    pub(super) name: &'static str,
    pub(super) children: Vec<u32>,
    pub(super) group: u32,
    pub(super) skeleton: u32,
    pub(super) custom: [f32; 16],
    pub(super) rotation: [f32; 4],
    pub(super) translation: [f32; 3],
    pub(super) scale: f32,
}

#[derive(Clone)]
pub(super) struct Joint {
    pub(super) name: &'static str,
    pub(super) children: Vec<u32>,
    pub(super) inverse_bind: [f32; 16],
    pub(super) translation: [f32; 3],
}

#[derive(Clone)]
pub(super) struct Channel {
    pub(super) node: u32,
    pub(super) joint: u32,
    pub(super) target: u8,
    pub(super) interpolation: u8,
    pub(super) weights: u32,
    pub(super) times: Vec<f32>,
    pub(super) tangents: Vec<f32>,
    pub(super) values: Vec<f32>,
}

#[derive(Clone)]
pub(super) struct Phong {
    pub(super) name: &'static str,
    /// Diffuse, specular, emission.
    pub(super) maps: [&'static str; 3],
}

#[derive(Clone)]
pub(super) struct Pbr {
    pub(super) name: &'static str,
    /// Albedo, emission, roughness, metallic, occlusion.
    pub(super) maps: [&'static str; 5],
}

pub(super) const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

/// A node that shows group 0 where it is.
pub(super) fn node(name: &'static str) -> Node {
    Node {
        name,
        children: Vec::new(),
        group: 0,
        skeleton: NONE,
        custom: IDENTITY,
        rotation: [0., 0., 0., 1.],
        translation: [0.; 3],
        scale: 1.,
    }
}

/// The hash of the library, bit by bit: CRC-64 of ECMA-182, reflected, from 0, complemented.
fn hash(text: &[u8]) -> u64 {
    let mut crc = 0_u64;
    for byte in text {
        crc ^= u64::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xC96C_5795_D787_0F42 } else { crc >> 1 };
        }
    }
    !crc
}

struct Out {
    form: Form,
    bytes: Bytes,
}

impl Out {
    fn string(&mut self, text: &str) {
        self.bytes.le(text.len() as u16);
        if matches!(self.form.strings, Strings::Hash | Strings::HashNul | Strings::HashNulFilled) {
            self.bytes.le(hash(text.as_bytes()));
        }
        self.bytes.raw(text.as_bytes());
        let nul = match self.form.strings {
            Strings::Plain | Strings::Hash => false,
            Strings::Nul | Strings::HashNul => true,
            Strings::HashNulFilled => !text.is_empty(),
        };
        if nul {
            self.bytes.le(0_u8);
        }
    }

    /// The number of a structure: those of the tables are one less from the mesh group on.
    fn number(&mut self, heading: u8) {
        self.bytes.le(if self.form.table && heading > 3 { heading - 1 } else { heading });
    }

    fn list(&mut self, ids: &[u32]) {
        self.bytes.le(ids.len() as u32).le_all(ids);
    }

    /// An attribute with its buffer's id, if the layout has one.
    fn attribute(&mut self, at: At, with_id: bool) {
        if with_id {
            self.bytes.le(at.map_or(NONE, |at| at.0));
        }
        self.bytes.le(at.map_or(0, |at| at.1));
    }

    fn attributes(&mut self, all: &[At; 8], with_ids: bool) {
        if with_ids {
            self.bytes.le_all(&all.map(|at| at.map_or(NONE, |at| at.0)));
        }
        self.bytes.le_all(&all.map(|at| at.map_or(0, |at| at.1)));
    }

    fn mesh(&mut self, mesh: &Mesh) {
        let revision = self.form.revision;
        let ids = revision == Revision::Spec;
        self.bytes.le(mesh.number.unwrap_or(2));
        self.attribute(mesh.index, ids);
        self.bytes.le(mesh.draw);
        self.attribute(mesh.position, ids);
        self.attribute(mesh.normal, ids);
        self.attributes(&mesh.uv, ids);
        self.attribute(mesh.color, ids || revision == Revision::V2);
        self.attributes(&mesh.joints, ids);
        self.attributes(&mesh.weights, ids);
        let (ty, id) = mesh.material.unwrap_or((0, NONE));
        self.bytes.le(ty).le(id).le(mesh.morphs.len() as u32);
        for morph in &mesh.morphs {
            self.bytes.le(3_u8);
            if revision == Revision::V2 {
                self.bytes.raw(&[0xCC; 3]);
            }
            self.attribute(None, ids);
            self.attribute(morph.position, ids);
            self.attribute(morph.normal, ids);
            self.attributes(&morph.uv, ids || revision == Revision::HeadText);
            self.attribute(morph.color, ids || matches!(revision, Revision::HeadText | Revision::V2));
        }
        self.bytes.le(mesh.lods.len() as u32);
        mesh.lods.iter().for_each(|lod| self.mesh(lod));
    }

    fn node(&mut self, node: &Node) {
        self.number(5);
        self.string(node.name);
        self.list(&node.children);
        self.bytes.le(node.group).le(node.skeleton).le_all(&node.custom);
        self.bytes.le_all(&node.rotation).le_all(&node.translation).le(node.scale);
    }

    fn channel(&mut self, channel: &Channel) {
        self.number(10);
        self.bytes.le(channel.node).le(channel.joint).le(channel.target).le(channel.interpolation);
        let (keyframes, weights) = (channel.times.len() as u32, channel.weights);
        match self.form.revision {
            Revision::Spec | Revision::HeadText => self.bytes.le(keyframes).le(weights),
            _ => self.bytes.le(weights).le(keyframes),
        };
        self.bytes.le_all(&channel.times).le_all(&channel.tangents).le_all(&channel.values);
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Buffer(data) => {
                let older = matches!(self.form.revision, Revision::V2 | Revision::V3);
                self.bytes.le(u8::from(!older)).le(data.len() as u32).raw(data);
            }
            Part::Mesh(mesh) => self.mesh(mesh),
            Part::Group(name, ids) | Part::Scene(name, ids) => {
                self.number(if matches!(part, Part::Group(..)) { 4 } else { 6 });
                self.string(name);
                self.list(ids);
            }
            Part::Node(node) => self.node(node),
            Part::Joint(joint) => {
                self.number(7);
                self.string(joint.name);
                self.list(&joint.children);
                self.bytes
                    .le_all(&joint.inverse_bind)
                    .le_all(&[0_f32, 0., 0., 1.])
                    .le_all(&joint.translation)
                    .le(1_f32);
            }
            Part::Skeleton(name, parent, joints) => {
                self.number(8);
                self.string(name);
                self.bytes.le(*parent);
                self.list(joints);
            }
            Part::Animation(name, channels) => {
                self.number(9);
                if !matches!(self.form.revision, Revision::Spec | Revision::HeadText) {
                    self.string(name);
                }
                self.list(channels);
            }
            Part::Channel(channel) => self.channel(channel),
            Part::Phong(material) => {
                self.number(11);
                self.string(material.name);
                self.bytes.le_all(&[0.5_f32, 0.25, 0.125, 1.]).le_all(&[0.5_f32; 4]).le_all(&[0_f32, 0., 0., 1.]);
                material.maps.iter().for_each(|map| self.string(map));
            }
            Part::Pbr(material) => {
                self.number(12);
                self.string(material.name);
                self.bytes.le_all(&[0.75_f32, 0.5, 0.25, 1.]).le_all(&[0_f32, 0., 0., 1.]);
                self.bytes.le_all(&[0.5_f32, 0.25, 1.]);
                let has_roughness = !matches!(self.form.revision, Revision::V3 | Revision::V4);
                let [albedo, emission, roughness, metallic, occlusion] = material.maps;
                self.string(albedo);
                self.string(emission);
                if has_roughness {
                    self.string(roughness);
                }
                self.string(metallic);
                self.string(occlusion);
            }
        }
    }
}

impl Model {
    fn header(&self) -> Vec<u8> {
        let mut out = Out { form: self.form, bytes: Bytes::default() };
        out.bytes.raw(b"das2\0\0\0\0");
        out.string("a");
        out.string("c");
        out.bytes.le_all(&self.counts).le(0_u32);
        if self.form.revision == Revision::V2 {
            out.bytes.le(0_u32);
        }
        out.bytes.le(self.level).done()
    }

    fn body(&self, wanted: impl Fn(&Part) -> bool) -> Vec<u8> {
        let mut out = Out { form: self.form, bytes: Bytes::default() };
        self.parts.iter().filter(|part| wanted(part)).for_each(|part| out.part(part));
        out.bytes.done()
    }

    /// The structures alone, not compressed.
    pub(super) fn body_bytes(&self) -> Vec<u8> {
        self.body(|_| true)
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let is_buffer = |part: &Part| matches!(part, Part::Buffer(_));
        let body = match self.packing {
            Packing::None => self.body_bytes(),
            Packing::Zlib => pack::zlib(&self.body_bytes()),
            Packing::Zstd => pack::zstd(&self.body_bytes()),
            Packing::ZstdFrames => pack::zstd_frames(&self.body_bytes()),
            Packing::Split if self.form.revision == Revision::V3 => [self.body_bytes(), pack::zstd(b"")].concat(),
            Packing::Split => [self.body(|part| !is_buffer(part)), pack::zstd(&self.body(is_buffer))].concat(),
        };
        [self.header(), body].concat()
    }
}

/// The same model with all buffers in one, for layouts without ids.
pub(super) fn in_one_buffer(mut model: Model) -> Model {
    let mut starts = Vec::new();
    let mut all = Vec::new();
    for part in &model.parts {
        if let Part::Buffer(data) = part {
            starts.push(all.len() as u32);
            all.extend(data);
        }
    }
    let moved = |at: At| at.map(|(buffer, offset)| (0, starts[buffer as usize] + offset));
    fn rebase(mesh: &mut Mesh, moved: &dyn Fn(At) -> At) {
        for at in [&mut mesh.index, &mut mesh.position, &mut mesh.normal, &mut mesh.color] {
            *at = moved(*at);
        }
        for all in [&mut mesh.uv, &mut mesh.joints, &mut mesh.weights] {
            *all = all.map(moved);
        }
        for morph in &mut mesh.morphs {
            morph.position = moved(morph.position);
            morph.normal = moved(morph.normal);
            morph.color = moved(morph.color);
            morph.uv = morph.uv.map(moved);
        }
        mesh.lods.iter_mut().for_each(|lod| rebase(lod, moved));
    }
    let mut first = true;
    model.parts.retain_mut(|part| match part {
        Part::Buffer(data) if first => {
            *data = std::mem::take(&mut all);
            first = false;
            true
        }
        Part::Buffer(_) => false,
        Part::Mesh(mesh) => {
            rebase(mesh, &moved);
            true
        }
        _ => true,
    });
    model
}
