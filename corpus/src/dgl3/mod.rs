//! DGL3 files.
//!
//! The base of most recipes is [`one_triangle`], 271 bytes in the engine's order whose places are worth knowing by
//! heart; in the `spec` dialect scale and rotation change places (scale at 204, rotation at 216):
//!
//! | bytes | field | value |
//! |---|---|---|
//! | 0, 4 | magic, version | `DGL3`, 300 |
//! | 8, 12, 16 | name_size, creator_name_size, data_size | 1, 1, 0 |
//! | 20, 21 | name, creator_name | `t`, `c` |
//! | 22, 26, 30 | num_meshes, num_entities, num_lights | 1, 1, 0 |
//! | 34, 38, 42 | mesh_id, name_size, name | 0, 1, `m` |
//! | 43 | is_external | 0 |
//! | 47, 51, 87, 123 | num_vertices, vertices, normals, texcoords | 3 |
//! | 147 | have_lightmap_tex_coords | 0 |
//! | 151, 155 | num_triangles, triangles | 1, (0, 1, 2) |
//! | 167, 171 | has_skeletal_animation, has_morph_target_animation | 0, 0 |
//! | 175, 179, 183 | entity_id, name_size, name | 0, 1, `e` |
//! | 184, 188 | is_external, mesh_id | 0, 0 |
//! | 192, 204, 220 | position, rotation, scale | identity |
//! | 232 | num_custom_properties | 1 |
//! | 236, 240, 248 | name_size, name, property_type | 8, `material`, 5 |
//! | 252, 256 | value_size, value | 15, `__default__.mat` |

mod rule_cases;
mod samples;

pub use rule_cases::RULE_CASES;
pub use samples::{SAMPLES, external, model, naming, of_materials, one_triangle};

use crate::bytes::Bytes;

/// A file in the words of its document.
#[derive(Clone)]
struct Model {
    name: Vec<u8>,
    creator: Vec<u8>,
    data: Vec<u8>,
    meshes: Vec<Mesh>,
    entities: Vec<Entity>,
    lights: Vec<Light>,
    /// The number of lights, if it is not the true one.
    announced: Option<i32>,
    tail: Vec<u8>,
    /// Whether scales stand before rotations.
    spec: bool,
}

#[derive(Clone)]
struct Mesh {
    id: i32,
    name: Vec<u8>,
    external: Option<Vec<u8>>,
    vertices: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    lightmap: Option<Vec<[f32; 2]>>,
    triangles: Vec<[i32; 3]>,
    skeletal: Option<Skeletal>,
    morph: Option<Morph>,
}

#[derive(Clone)]
struct Skeletal {
    bones: Vec<(i32, [f32; 3])>,
    /// Bones and weights of every vertex; all of one length.
    weights: Vec<Vec<(i32, f32)>>,
    fps: i32,
    animations: Vec<(&'static str, Vec<Vec<Moved>>)>,
}

/// Where a bone is in a frame: bone, rotation, translation, scaling.
type Moved = (i32, [f32; 4], [f32; 3], [f32; 3]);

#[derive(Clone)]
struct Morph {
    fps: i32,
    animations: Vec<(&'static str, Vec<Frame>)>,
}

/// Positions and normals.
type Frame = (Vec<[f32; 3]>, Vec<[f32; 3]>);

#[derive(Clone)]
struct Entity {
    id: i32,
    name: Vec<u8>,
    external: Option<Vec<u8>>,
    mesh: i32,
    position: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
    properties: Vec<(Vec<u8>, Value)>,
}

#[derive(Clone)]
enum Value {
    Int(i32),
    Float(f32),
    Vec2([f32; 2]),
    Vec3([f32; 3]),
    Vec4([f32; 4]),
    Text(Vec<u8>),
}

#[derive(Clone)]
struct Light {
    id: i32,
    name: Vec<u8>,
    kind: i32,
    position: [f32; 3],
    rotation: [f32; 4],
    color: [f32; 4],
}

/// No turn.
const UNTURNED: [f32; 4] = [0., 0., 0., 1.];

impl Model {
    /// The file of the table above with these meshes and entities.
    fn of(meshes: Vec<Mesh>, entities: Vec<Entity>) -> Model {
        Model {
            name: b"t".to_vec(),
            creator: b"c".to_vec(),
            data: Vec::new(),
            meshes,
            entities,
            lights: Vec::new(),
            announced: None,
            tail: Vec::new(),
            spec: false,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut file = Bytes::default();
        file.raw(b"DGL3").le(300_i32);
        file.le_all(&[self.name.len() as i32, self.creator.len() as i32, self.data.len() as i32]);
        file.raw(&self.name).raw(&self.creator).raw(&self.data);
        file.le(self.meshes.len() as i32).le(self.entities.len() as i32);
        file.le(self.announced.unwrap_or(self.lights.len() as i32));
        self.meshes.iter().for_each(|mesh| mesh.put(&mut file));
        self.entities.iter().for_each(|entity| entity.put(&mut file, self.spec));
        self.lights.iter().for_each(|light| light.put(&mut file));
        file.raw(&self.tail).done()
    }
}

fn put_string(out: &mut Bytes, text: &[u8]) {
    out.le(text.len() as i32).raw(text);
}

fn put_all<const N: usize>(out: &mut Bytes, rows: &[[f32; N]]) {
    for row in rows {
        out.le_all(row);
    }
}

impl Mesh {
    fn put(&self, out: &mut Bytes) {
        out.le(self.id);
        put_string(out, &self.name);
        out.le(i32::from(self.external.is_some()));
        if let Some(file) = &self.external {
            return put_string(out, file);
        }
        out.le(self.vertices.len() as i32);
        put_all(out, &self.vertices);
        put_all(out, &self.normals);
        put_all(out, &self.texcoords);
        out.le(i32::from(self.lightmap.is_some()));
        put_all(out, self.lightmap.as_deref().unwrap_or_default());
        out.le(self.triangles.len() as i32);
        for triangle in &self.triangles {
            out.le_all(triangle);
        }
        out.le(i32::from(self.skeletal.is_some()));
        if let Some(block) = &self.skeletal {
            block.put(out);
        }
        out.le(i32::from(self.morph.is_some()));
        if let Some(block) = &self.morph {
            block.put(out);
        }
    }
}

impl Skeletal {
    fn put(&self, out: &mut Bytes) {
        out.le(self.bones.len() as i32);
        for (parent, place) in &self.bones {
            out.le(*parent).le_all(place);
        }
        out.le(self.weights.first().map_or(0, Vec::len) as i32);
        for vertex in &self.weights {
            let (bones, weights): (Vec<i32>, Vec<f32>) = vertex.iter().copied().unzip();
            out.le_all(&bones).le_all(&weights);
        }
        out.le(self.fps).le(self.animations.len() as i32);
        for (name, frames) in &self.animations {
            put_string(out, name.as_bytes());
            out.le(frames.len() as i32);
            for frame in frames {
                out.le(frame.len() as i32);
                for (bone, rotation, translation, scaling) in frame {
                    out.le(*bone).le_all(rotation).le_all(translation).le_all(scaling);
                }
            }
        }
    }
}

impl Morph {
    fn put(&self, out: &mut Bytes) {
        out.le(self.fps).le(self.animations.len() as i32);
        for (name, frames) in &self.animations {
            put_string(out, name.as_bytes());
            out.le(frames.len() as i32);
            for (vertices, normals) in frames {
                put_all(out, vertices);
                put_all(out, normals);
            }
        }
    }
}

impl Entity {
    fn put(&self, out: &mut Bytes, spec: bool) {
        out.le(self.id);
        put_string(out, &self.name);
        out.le(i32::from(self.external.is_some()));
        if let Some(file) = &self.external {
            put_string(out, file);
        }
        out.le(self.mesh).le_all(&self.position);
        if spec {
            out.le_all(&self.scale).le_all(&self.rotation);
        } else {
            out.le_all(&self.rotation).le_all(&self.scale);
        }
        out.le(self.properties.len() as i32);
        for (name, value) in &self.properties {
            put_string(out, name);
            match value {
                Value::Int(n) => out.le(0_i32).le(*n),
                Value::Float(n) => out.le(1_i32).le(*n),
                Value::Vec2(v) => out.le(2_i32).le_all(v),
                Value::Vec3(v) => out.le(3_i32).le_all(v),
                Value::Vec4(v) => out.le(4_i32).le_all(v),
                Value::Text(text) => out.le(5_i32).le(text.len() as i32).raw(text),
            };
        }
    }
}

impl Light {
    fn put(&self, out: &mut Bytes) {
        out.le(self.id);
        put_string(out, &self.name);
        out.le(self.kind).le_all(&self.position).le_all(&self.rotation).le_all(&self.color);
    }
}

/// A triangle in the plane of x and y that faces +z.
fn triangle() -> Mesh {
    Mesh {
        id: 0,
        name: b"m".to_vec(),
        external: None,
        vertices: vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]],
        normals: vec![[0., 0., 1.]; 3],
        texcoords: vec![[0., 1.], [1., 1.], [0., 0.]],
        lightmap: None,
        triangles: vec![[0, 1, 2]],
        skeletal: None,
        morph: None,
    }
}

/// An entity that shows mesh 0 where it is.
fn unmoved() -> Entity {
    Entity {
        id: 0,
        name: b"e".to_vec(),
        external: None,
        mesh: 0,
        position: [0.; 3],
        rotation: UNTURNED,
        scale: [1.; 3],
        properties: vec![(b"material".to_vec(), Value::Text(b"__default__.mat".to_vec()))],
    }
}

/// The triangle with two bones, of which one bends it.
///
/// | bytes | field | value |
/// |---|---|---|
/// | 167 | has_skeletal_animation | 1 |
/// | 171, 175, 191 | num_bones, bones | 2 |
/// | 207 | bone_weights_per_vertex | 2 |
/// | 211, 227, 243 | weights | two indices, then +8 two weights |
/// | 259, 263 | frames_per_second, num_animations | 24, 1 |
/// | 267, 271, 275 | animation_name_size, animation_name, num_frames | 4, `walk`, 2 |
/// | 279, 283, 327 | num_transformations, transformations | 2 |
/// | 371, 375 | num_transformations, transformations | 1 |
/// | 419 | has_morph_target_animation | 0 |
fn skinned() -> Mesh {
    let turned = [0., 0., 0.6, 0.8];
    let skeletal = Skeletal {
        bones: vec![(-1, [0.; 3]), (0, [0., 0.5, 0.])],
        weights: vec![vec![(0, 1.), (1, 0.)], vec![(0, 0.75), (1, 0.25)], vec![(0, 0.), (1, 1.)]],
        fps: 24,
        animations: vec![(
            "walk",
            vec![
                vec![(0, UNTURNED, [0.; 3], [1.; 3]), (1, UNTURNED, [0., 0.5, 0.], [1.; 3])],
                vec![(1, turned, [0., 0.5, 0.25], [1., 2., 1.])],
            ],
        )],
    };
    Mesh { skeletal: Some(skeletal), ..triangle() }
}

/// The triangle with an animation of two frames.
///
/// | bytes | field | value |
/// |---|---|---|
/// | 171 | has_morph_target_animation | 1 |
/// | 175, 179 | frames_per_second, num_animations | 12, 1 |
/// | 183, 187, 192 | animation_name_size, animation_name, num_frames | 5, `blink`, 2 |
/// | 196, 232 | vertices, normals | first frame |
/// | 268, 304 | vertices, normals | second frame |
fn morphed() -> Mesh {
    let base = triangle();
    let folded: Vec<[f32; 3]> = base.vertices.iter().map(|[x, y, _]| [*x, *y, x * 0.5]).collect();
    let tilted = vec![[-0.6, 0., 0.8]; 3];
    let frames = vec![(base.vertices.clone(), base.normals.clone()), (folded, tilted)];
    Mesh { morph: Some(Morph { fps: 12, animations: vec![("blink", frames)] }), ..base }
}

fn light() -> Light {
    Light { id: 0, name: b"l".to_vec(), kind: 0, position: [0., 4., 4.], rotation: UNTURNED, color: [1., 0.5, 0., 1.] }
}
