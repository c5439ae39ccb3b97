//! A model that uses everything the format has, in every reading of its document.

use super::*;

/// How the parts of a model depart from the canonical reading.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// Told by the ASSET section, so that two models differ.
    pub(super) label: &'static str,
    /// How rotations are stored: 1 vec3, 2 vec4, 3 mat3, 4 mat4.
    pub(super) rotation: u8,
    pub(super) light: Light,
    /// VERTEX counts vertices.
    pub(super) vertices_counted: bool,
    /// ANITRACK counts frames.
    pub(super) frames_counted: bool,
    /// ANITRACK always has d1 and d2.
    pub(super) curve_always: bool,
    /// Bones always have position and scale.
    pub(super) bones_whole: bool,
    /// Matrices are named by offsets.
    pub(super) matrices_apart: bool,
    /// ANIMATE lists guids alone.
    pub(super) tracks_unbound: bool,
    pub(super) attributes_there: bool,
    pub(super) placements_there: bool,
    pub(super) values_there: bool,
    pub(super) voxels_there: bool,
    /// Fewer fields, no MORPH and IMAGE.
    pub(super) of_2019: bool,
    /// Of 2019: the meaning of an attribute is one byte.
    pub(super) short_semantics: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Light {
    Canonical,
    /// As printed: a rotation first and last, no type.
    Twice,
    TypedTwice,
    Untyped,
    Late,
}

pub(super) const PLAIN: Ways = Ways {
    label: "pentad",
    rotation: 2,
    light: Light::Canonical,
    vertices_counted: false,
    frames_counted: false,
    curve_always: false,
    bones_whole: false,
    matrices_apart: false,
    tracks_unbound: false,
    attributes_there: false,
    placements_there: false,
    values_there: false,
    voxels_there: false,
    of_2019: false,
    short_semantics: false,
};

const BASE: u8 = 3;
pub(super) const MORPHED: u8 = 4;
const SKELETON: u8 = 2;
const SETTINGS: u8 = 1;
pub(super) const NAMES: u8 = 24;
const INDICES: u8 = 5;
const MORPH: u8 = 6;
const IMAGE: u8 = 7;
const TEXTURE: u8 = 8;
const MATERIAL: u8 = 9;
const SOCKET: u8 = 10;
const GEOMETRY: u8 = 11;
const PALETTE: u8 = 16;
const VOXEL_MATERIAL: u8 = 17;
const SHIFT: u8 = 19;
const TURN: u8 = 20;

/// Half of the square root of two.
const H: f32 = std::f32::consts::FRAC_1_SQRT_2;

impl Ways {
    fn there(&self, there: bool, elements: Vec<Part>) -> Part {
        if there { Part::There(elements) } else { Part::Array(elements) }
    }

    /// A quarter turn about z, as it is stored.
    fn turn(&self) -> Vec<Part> {
        let matrix = |numbers: &[f32]| {
            let numbers = floats(numbers);
            if self.matrices_apart { vec![Part::Array(numbers)] } else { numbers }
        };
        match self.rotation {
            1 => floats(&[0., 0., std::f32::consts::FRAC_PI_2]),
            2 => floats(&[0., 0., H, H]),
            3 => matrix(&[0., 1., 0., -1., 0., 0., 0., 0., 1.]),
            _ => matrix(&[0., 1., 0., 0., -1., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]),
        }
    }

    fn pair(&self, key: &str, kind: &str, size: u32, value: Vec<Part>) -> Vec<Part> {
        vec![text(key), text(kind), u32(size), self.there(self.values_there, value)]
    }

    fn settings(&self) -> Section {
        let pairs = [
            self.pair("name", "string", 6, vec![Part::Raw(b"Dragon".to_vec())]),
            self.pair("unit_scale", "float32", 4, vec![f32(0.5)]),
            self.pair("offset", "vec3", 12, floats(&[1., 2., 3.])),
            self.pair("flags", "uint16", 4, vec![u16(1), u16(0x203)]),
        ];
        section(b"SETTINGS", SETTINGS, 4, vec![Part::Array(pairs.concat())])
    }

    fn skeleton(&self) -> Section {
        let bone = |name: &str, parent: i32, position: &[f32]| {
            let whole = self.rotation <= 2 || self.bones_whole;
            let part = |numbers: &[f32]| if whole { floats(numbers) } else { Vec::new() };
            let mut parts = vec![text(name), u8(1), i32(parent)];
            parts.extend(part(position));
            parts.extend(self.turn());
            parts.extend(part(&[1., 1., 1.]));
            parts
        };
        let bones = [bone("root", -1, &[0., 0., 0.]), bone("tip", 0, &[0., 1., 0.])];
        section(b"SKELETON", SKELETON, 2, vec![text("rig"), u8(self.rotation), Part::Array(bones.concat())])
    }

    fn attribute(&self, kind: u8, semantic: u32, normalized: u8, width: u8, count: u8, layer: u32) -> Vec<Part> {
        let meaning = if self.short_semantics { u8(semantic as u8) } else { u32(semantic) };
        vec![u8(kind), meaning, u8(normalized), u8(width), u8(count), u32(layer)]
    }

    fn vertex(&self, number: u8, stride: usize, attributes: Vec<Vec<Part>>, rows: Vec<Vec<Part>>) -> Section {
        let count = if self.vertices_counted { rows.len() } else { rows.len() * stride };
        let parts = vec![
            u32(stride as u32),
            u32(attributes.len() as u32),
            self.there(self.attributes_there, attributes.concat()),
            Part::Array(rows.concat()),
        ];
        section(b"VERTEX__", number, count, parts)
    }

    /// Four corners of a square: every type and width of numbers, two layers of texture coordinates, padding.
    fn base(&self) -> Section {
        let attributes = vec![
            self.attribute(1, 0, 0, 4, 3, 0),
            self.attribute(2, 3, 1, 2, 3, 0),
            self.attribute(3, 5, 1, 2, 2, 0),
            self.attribute(1, 5, 0, 2, 2, 1),
            self.attribute(3, 10, 1, 1, 4, 0),
            self.attribute(3, 2, 0, 1, 2, 0),
            self.attribute(3, 1, 1, 1, 2, 0),
        ];
        let row = |x: f32, y: f32| {
            let mut parts = floats(&[x, y, 0.]);
            parts.extend([u16(0), u16(0), u16(0x7FFF)]);
            parts.extend([x, y].map(|v| u16(if v > 0. { 0xFFFF } else { 0 })));
            // Half floats: 1 is 3C00.
            parts.extend([x, y].map(|v| u16(if v > 0. { 0x3C00 } else { 0 })));
            parts.extend([u8(255), u8(128), u8(0), u8(255)]);
            parts.extend([u8(0), u8(1), u8(255 - 85), u8(85)]);
            parts.push(Part::Raw(vec![0xEE; 2]));
            parts
        };
        self.vertex(BASE, 36, attributes, vec![row(0., 0.), row(1., 0.), row(1., 1.), row(0., 1.)])
    }

    fn morphed(&self) -> Section {
        let row = |z: f32| floats(&[0., 0., z]);
        self.vertex(MORPHED, 12, vec![self.attribute(1, 0, 0, 4, 3, 0)], vec![row(0.25), row(0.5)])
    }

    fn indices(&self) -> Section {
        let numbers = [0, 1, 2, 0, 2, 3, 0, 1, 2, 3, 0, 1, 3, 2, 0, 1, 2, 3].map(u16);
        section(b"INDICE__", INDICES, 18, vec![u8(2), Part::Array(numbers.to_vec())])
    }

    fn morph(&self) -> Section {
        let parts = [vec![text("bulge"), u32(2), guid(g(MORPHED))], floats(&[-1., 1., 0.25])];
        section(b"MORPH___", MORPH, 1, vec![Part::Array(parts.concat())])
    }

    fn texture(&self) -> Section {
        let parts = if self.of_2019 {
            vec![text("textures\\scales.png")]
        } else {
            vec![u8(1), u8(0), u8(1), u8(0), guid(g(IMAGE))]
        };
        section(b"TEXTURE_", TEXTURE, 0, parts)
    }

    fn material(&self) -> Section {
        let slots = vec![text("albedo"), guid(g(TEXTURE)), text("heat"), guid(g(TEXTURE))];
        section(b"MATERIAL", MATERIAL, 2, vec![text("scales"), text("pbr"), Part::Array(slots)])
    }

    fn socket(&self) -> Section {
        let mut parts = vec![text("mouth"), u8(self.rotation)];
        parts.extend(floats(&[0., 0.5, 0.]));
        parts.extend(self.turn());
        parts.extend([guid(g(SKELETON)), i32(1)]);
        section(b"SOCKET__", SOCKET, 0, parts)
    }

    fn geometry(&self) -> Section {
        let mesh = |name: &str, kind: u8, first: u32, count: u32| {
            vec![text(name), guid(g(MATERIAL)), u8(kind), u32(0), u32(4), u32(first), u32(count)]
        };
        let meshes =
            [mesh("triangles", 0, 0, 6), mesh("quads", 3, 6, 4), mesh("strip", 1, 10, 4), mesh("fan", 2, 14, 4)];
        let mut parts = vec![text("body"), guid(g(BASE)), guid(g(INDICES))];
        if !self.of_2019 {
            parts.push(guid(g(MORPH)));
        }
        parts.extend([guid(g(SKELETON)), guid(g(SOCKET)), Part::Array(meshes.concat())]);
        section(b"GEOMETRY", GEOMETRY, 4, parts)
    }

    fn object(&self) -> Section {
        let mut parts = vec![guid(NONE), guid(g(GEOMETRY)), u8(self.rotation)];
        parts.extend(floats(&[1., 0., -2.]));
        parts.extend(self.turn());
        parts.extend(floats(&[2., 2., 2.]));
        let section = section(b"OBJECT__", 12, 0, parts);
        Section { settings: if self.of_2019 { NONE } else { g(NAMES) }, ..section }
    }

    fn instance(&self) -> Section {
        let placement = |x: f32| {
            let mut parts = floats(&[x, 0., 0.]);
            parts.extend(self.turn());
            parts.extend(floats(&[1., 1., 1.]));
            parts
        };
        let group = |material: [u8; 16], at: &[f32]| {
            let placements: Vec<Vec<Part>> = at.iter().map(|x| placement(*x)).collect();
            vec![guid(material), u32(at.len() as u32), self.there(self.placements_there, placements.concat())]
        };
        let groups = [group(NONE, &[3., 4.]), group(g(MATERIAL), &[5.])];
        section(b"INSTANCE", 13, 2, vec![u8(self.rotation), guid(g(GEOMETRY)), u32(2), Part::Array(groups.concat())])
    }

    fn light(&self, number: u8, kind: u8, fov: f32) -> Section {
        let typed = u8(self.rotation);
        let mut parts = Vec::new();
        match self.light {
            Light::Canonical => parts.push(typed.clone()),
            Light::Twice => parts.extend(self.turn()),
            Light::TypedTwice => {
                parts.push(typed.clone());
                parts.extend(self.turn());
            }
            Light::Untyped | Light::Late => {}
        }
        parts.push(f32(fov));
        parts.extend(floats(&[1., 0.5, 0.25]));
        parts.extend([f32(10.), u8(kind)]);
        parts.extend(floats(&[0., 3., 0.]));
        if self.light == Light::Late {
            parts.push(typed);
        }
        parts.extend(self.turn());
        section(b"LIGHT___", number, 0, parts)
    }

    fn voxels(&self) -> Section {
        let voxel = |x: f32, color: u32| {
            let mut parts = floats(&[x, 0., 0.]);
            parts.extend([guid(g(VOXEL_MATERIAL)), u32(color)]);
            parts
        };
        let voxels = [voxel(0., 0), voxel(1., 1), voxel(3., 1)].concat();
        section(b"VOXELOBJ", 18, 3, vec![guid(g(PALETTE)), self.there(self.voxels_there, voxels)])
    }

    fn track(&self, number: u8, target: &str, sampling: u16, width: u8, data: &[f32]) -> Section {
        let mut parts = vec![text(target), u8(0)];
        if !self.of_2019 {
            parts.extend([u16(sampling), u8(3)]);
            if sampling == 7 || self.curve_always {
                parts.extend(floats(&[0.25, 0., 0.75, 1.]));
            }
        }
        parts.extend([u8(width), Part::Array(floats(data))]);
        let count = if self.frames_counted { data.len() / usize::from(width) } else { data.len() };
        section(b"ANITRACK", number, count, parts)
    }

    fn animate(&self) -> Section {
        let track = |bone: i32, track: u8| {
            let bone = if self.tracks_unbound { Vec::new() } else { vec![i32(bone)] };
            [bone, vec![guid(g(track))]].concat()
        };
        let tracks = [track(0, SHIFT), track(1, TURN)];
        section(b"ANIMATE_", 21, 2, vec![f32(24.), guid(g(SKELETON)), Part::Array(tracks.concat())])
    }

    /// Every kind of section, but those that 2019 does not have.
    pub(super) fn sections(&self) -> Vec<Section> {
        let asset = vec![text(self.label), text("CC0"), text("Æsop"), u64(1_577_836_800)];
        let slots = vec![text("roughness"), f32(0.5), text("metal"), f32(0.)];
        let named = self.pair("name", "string", 7, vec![Part::Raw(b"perched".to_vec())]);
        let mut sections = vec![self.settings()];
        if !self.of_2019 {
            sections.push(section(b"SETTINGS", NAMES, 1, vec![Part::Array(named)]));
        }
        sections.extend([section(b"ASSET___", 23, 0, asset), self.skeleton(), self.base()]);
        sections.extend([self.morphed(), self.indices()]);
        if !self.of_2019 {
            sections.extend([self.morph(), section(b"IMAGE___", IMAGE, 0, vec![text("textures\\scales.png")])]);
        }
        sections.extend([self.texture(), self.material(), self.socket(), self.geometry(), self.object()]);
        sections.extend([self.instance(), self.light(14, 0, 45.), self.light(15, 1, 45.)]);
        sections.push(section(b"VOXELPLT", PALETTE, 2, vec![Part::Array(vec![u32(0xFF00_80FF), u32(0x80FF_FFFF)])]));
        sections.push(section(b"VOXELMAT", VOXEL_MATERIAL, 2, vec![Part::Array(slots)]));
        sections.push(self.voxels());
        sections.push(self.track(SHIFT, "POSITION", 0, 3, &[0., 0., 0., 0., 1., 0.]));
        sections.push(self.track(TURN, "ROTATION", 7, 4, &[0., 0., 0., 1., 0., 0., H, H]));
        sections.push(self.animate());
        sections.push(section(b"ASSETREF", 22, 0, vec![text("parts.dragon")]));
        sections.push(Section { guid: NONE, ..section(b"________", 0, 0, Vec::new()) });
        sections
    }
}
