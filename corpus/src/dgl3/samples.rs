//! The samples: what a DGL3 file can hold, what real files get wrong, and what cannot be read.

use super::*;
use crate::bytes::patch;
use crate::{Kind, Sample, alone, never_complete};

/// Every sample, the default one first.
pub const SAMPLES: &[Sample] = &[
    Sample {
        about: "Meshes, light map coordinates, bones, morph frames, properties of all types and lights, by the document.",
        dialect: Some("spec"),
        // Without its lights it is a file that announces them.
        ..good("model", || model(true))
    },
    Sample { about: "The same model in the order that the engine reads.", ..good("engine", || model(false)) },
    Sample { about: "One triangle in 271 bytes.", ..good("one-triangle", one_triangle) },
    Sample {
        about: "A header and nothing else: the smallest file.",
        dialect: Some("spec"),
        ..good("empty", || Model::of(Vec::new(), Vec::new()).bytes())
    },
    Sample { about: "Two bones that bend a triangle.", ..good("skinned", || one(skinned()).bytes()) },
    Sample { about: "Two frames of a triangle.", ..good("morphed", || one(morphed()).bytes()) },
    Sample {
        about: "A mesh that no entity shows.",
        dialect: Some("spec"),
        ..good("unplaced", || Model::of(vec![triangle()], Vec::new()).bytes())
    },
    Sample {
        about: "Two lights announced and none there, as the exporter writes them.",
        ..odd("lights-missing", || Model { announced: Some(2), ..one(triangle()) }.bytes())
    },
    Sample {
        about: "Four bytes behind the last record.",
        complete_cuts: |file| vec![file.len() - 4],
        ..odd("tail", || Model { tail: b"tail".to_vec(), ..one(triangle()) }.bytes())
    },
    Sample { about: "A mesh and a scene in other files.", ..odd("external", external) },
    Sample { about: "Flags of -1 and 2, which mean yes.", ..odd("flags", flags) },
    Sample {
        about: "Names in Windows-1251, which is not UTF-8.",
        ..odd("names-cp1251", || {
            Model { name: b"\xEC\xE8\xF0".to_vec(), ..one(Mesh { name: b"\xEA\xF3\xE1".to_vec(), ..triangle() }) }
                .bytes()
        })
    },
    Sample {
        about: "Ids that are no positions, one of them twice.",
        ..odd("ids", || {
            let meshes = vec![Mesh { id: 7, ..triangle() }, Mesh { id: 7, name: b"n".to_vec(), ..triangle() }];
            let entities =
                vec![Entity { id: -3, mesh: 7, ..unmoved() }, Entity { name: b"f".to_vec(), mesh: 9, ..unmoved() }];
            Model::of(meshes, entities).bytes()
        })
    },
    Sample {
        about: "Objects without names and with the same.",
        ..odd("names", || {
            let meshes = vec![Mesh { name: Vec::new(), ..triangle() }, Mesh { id: 1, name: Vec::new(), ..triangle() }];
            Model::of(meshes, vec![unmoved(), Entity { id: 1, mesh: 1, ..unmoved() }]).bytes()
        })
    },
    Sample { about: "A mesh without vertices.", ..odd("no-vertices", || one(empty()).bytes()) },
    Sample {
        about: "A triangle of a vertex that does not exist.",
        ..odd("index", || one(Mesh { triangles: vec![[0, 1, 2], [0, 1, 3], [-1, 1, 2]], ..triangle() }).bytes())
    },
    Sample {
        about: "Positions and rotations that are no numbers, with odd bits.",
        ..odd("not-a-number", not_a_number)
    },
    Sample {
        about: "A scale and a rotation that could be each other.",
        ..odd("order-tie", || {
            // Scale and rotation from the seven numbers a a a a b b b, read either way: lengths are 1 within rounding.
            let even = Entity { rotation: [0.5; 4], scale: [0.5; 3], ..unmoved() };
            Model::of(vec![triangle()], vec![even]).bytes()
        })
    },
    Sample {
        about: "A skeleton whose bones are their own ancestors.",
        ..odd("bones-circle", || with_bones(vec![(1, [0.; 3]), (0, [0., 0.5, 0.])]).bytes())
    },
    Sample {
        about: "Weights of a bone that does not exist, and of none.",
        ..odd("weights", || {
            let mut mesh = skinned();
            if let Some(block) = &mut mesh.skeletal {
                block.weights[0] = vec![(0, 1.), (-1, 0.)];
                block.weights[1] = vec![(0, 0.5), (5, 0.5)];
            }
            one(mesh).bytes()
        })
    },
    Sample {
        about: "Animations without frames, without a rate and with frames of no bones.",
        ..odd("animations", || {
            let mut mesh = skinned();
            if let Some(block) = &mut mesh.skeletal {
                block.fps = 0;
                block.animations.extend([("none", Vec::new()), ("still", vec![Vec::new(); 3])]);
            }
            mesh.morph = Some(Morph { fps: -1, animations: vec![("none", Vec::new())] });
            one(mesh).bytes()
        })
    },
    Sample {
        about: "A light of kind 2 with a colour of 3.",
        ..odd("light", || {
            let light = Light { kind: 2, color: [3., 0., 0., 0.5], ..light() };
            Model { lights: vec![light], ..one(triangle()) }.bytes()
        })
    },
    Sample {
        about: "A property twice, one without a name, and a material that is a number.",
        ..odd("properties", || {
            let twice =
                [("p", Value::Int(1)), ("p", Value::Int(2)), ("", Value::Float(f32::NAN)), ("material", Value::Int(1))];
            let properties = twice.map(|(name, value)| (name.as_bytes().to_vec(), value)).to_vec();
            Model::of(vec![triangle()], vec![Entity { properties, ..unmoved() }]).bytes()
        })
    },
    bad("bad-magic", "A first word with a small d.", || patch(one_triangle(), 0, b"d")),
    bad("version-301", "A version that does not exist.", || patch(one_triangle(), 4, &301_i32.to_le_bytes())),
    bad("header-cut", "The first 30 bytes of a file.", || cut(30)),
    bad("name-negative", "A name of -1 bytes.", || patch(one_triangle(), 8, &[0xFF; 4])),
    bad("name-too-long", "A name that is longer than the file.", || patch(one_triangle(), 8, &[0x7F; 4])),
    bad("meshes-negative", "A file of -1 meshes.", || patch(one_triangle(), 22, &[0xFF; 4])),
    bad("meshes-too-many", "A file of two thousand million meshes.", || patch(one_triangle(), 22, &[0x7F; 4])),
    bad("vertices-too-many", "A mesh of two thousand million vertices.", || patch(one_triangle(), 47, &[0x7F; 4])),
    bad("triangles-negative", "A mesh of -1 triangles.", || patch(one_triangle(), 151, &[0xFF; 4])),
    bad("property-type", "A property of type 6.", || patch(one_triangle(), 248, &[6])),
    bad("entity-cut", "An entity that lost its last byte.", || cut(270)),
    bad("light-cut", "A light that lost its last byte.", || {
        let mut file = Model { lights: vec![light()], ..one(triangle()) }.bytes();
        file.pop();
        file
    }),
    bad("frames-of-nothing", "Frames of a mesh without vertices.", || {
        let frames = vec![(Vec::new(), Vec::new()); 2];
        one(Mesh { morph: Some(Morph { fps: 1, animations: vec![("a", frames)] }), ..empty() }).bytes()
    }),
    bad("weights-negative", "A vertex of -1 weights.", || patch(one(skinned()).bytes(), 207, &[0xFF; 4])),
];

const fn good(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    let (format, about) = ("dgl3", "");
    Sample {
        format,
        name,
        kind: Kind::Good,
        about,
        bytes,
        dialect: Some("engine"),
        complete_cuts: never_complete,
        beside: alone,
    }
}

const fn odd(name: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Odd, ..good(name, bytes) }
}

const fn bad(name: &'static str, about: &'static str, bytes: fn() -> Vec<u8>) -> Sample {
    Sample { kind: Kind::Bad, about, dialect: None, ..good(name, bytes) }
}

/// One mesh and an entity that shows it.
pub(super) fn one(mesh: Mesh) -> Model {
    Model::of(vec![mesh], vec![unmoved()])
}

/// A triangle that stands still: the file of the table above.
pub fn one_triangle() -> Vec<u8> {
    one(triangle()).bytes()
}

fn cut(size: usize) -> Vec<u8> {
    one_triangle()[..size].to_vec()
}

/// A mesh without vertices.
pub(super) fn empty() -> Mesh {
    let (vertices, normals, texcoords, triangles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Mesh { vertices, normals, texcoords, triangles, ..triangle() }
}

pub(super) fn with_bones(bones: Vec<(i32, [f32; 3])>) -> Model {
    let mut mesh = skinned();
    if let Some(block) = &mut mesh.skeletal {
        block.bones = bones;
    }
    one(mesh)
}

/// A mesh and a scene that are in other files.
pub fn external() -> Vec<u8> {
    let mesh = Mesh { external: Some(b"x.dgl3".to_vec()), ..triangle() };
    let scene = Entity { id: 1, name: b"s".to_vec(), external: Some(b"y.dgl3".to_vec()), mesh: -1, ..unmoved() };
    Model::of(vec![mesh], vec![unmoved(), scene]).bytes()
}

/// A mesh and a scene of these files.
pub fn naming(mesh: &str, scene: &str) -> Vec<u8> {
    let mesh = Mesh { external: Some(mesh.as_bytes().to_vec()), ..triangle() };
    let external = Some(scene.as_bytes().to_vec());
    let scene = Entity { id: 1, name: b"s".to_vec(), external, mesh: -1, position: [3., 0., 0.], ..unmoved() };
    Model::of(vec![mesh], vec![unmoved(), scene]).bytes()
}

/// A triangle for each of these materials.
pub fn of_materials(files: &[&str]) -> Vec<u8> {
    let link = |file: &str| vec![(b"material".to_vec(), Value::Text(file.as_bytes().to_vec()))];
    let entity = |(id, file): (i32, &&str)| Entity {
        id,
        name: format!("e{id}").into_bytes(),
        properties: link(file),
        ..unmoved()
    };
    Model::of(vec![triangle()], (0..).zip(files).map(entity).collect()).bytes()
}

fn flags() -> Vec<u8> {
    let file = one(morphed()).bytes();
    let file = patch(file, 171, &(-1_i32).to_le_bytes());
    let external = Entity { external: Some(b"x.dgl3".to_vec()), ..unmoved() };
    let with_entity = Model::of(vec![morphed()], vec![external]).bytes();
    // The entity's record begins behind the frames, at 340; its flag nine bytes on.
    let file = [&file[..340], &with_entity[340..]].concat();
    patch(file, 349, &2_i32.to_le_bytes())
}

fn not_a_number() -> Vec<u8> {
    let mut mesh = triangle();
    mesh.vertices[0][0] = f32::from_bits(0x7fc0_1234);
    mesh.normals[1][2] = f32::INFINITY;
    mesh.texcoords[2][0] = f32::NAN;
    let entity = Entity { rotation: [f32::NAN, 0., 0., 1.], scale: [1., 2., 1.], ..unmoved() };
    Model::of(vec![mesh], vec![entity]).bytes()
}

/// Everything a file can hold; with scales before rotations as the document says, or after them.
pub fn model(spec: bool) -> Vec<u8> {
    let named = |id: i32, name: &str, mesh: Mesh| Mesh { id, name: name.as_bytes().to_vec(), ..mesh };
    let square = Mesh {
        vertices: vec![[0., 0., 0.], [1., 0., 0.], [1., 0., -1.], [0., 0., -1.]],
        normals: vec![[0., 1., 0.]; 4],
        texcoords: vec![[0., 1.], [1., 1.], [1., 0.], [0., 0.]],
        lightmap: Some(vec![[0.25, 0.75], [0.5, 0.75], [0.5, 0.5], [0.25, 0.5]]),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..triangle()
    };
    let mut four = skinned();
    if let Some(block) = &mut four.skeletal {
        block.weights = vec![vec![(0, 0.25), (1, 0.25), (2, 0.25), (0, 0.25)]; 3];
        // A bone before its parent.
        block.bones = vec![(2, [0.25, 0., 0.]), (0, [0., 0.5, 0.]), (-1, [0., 0., 0.125])];
        let still: Moved = (2, UNTURNED, [0., 0., 0.125], [1.; 3]);
        let turned: Moved = (2, [0., 0.6, 0., 0.8], [0.5, 0., 0.125], [1., 1., 2.]);
        block.animations = vec![("turn", vec![vec![still], vec![turned], vec![still]]), ("rest", vec![Vec::new(); 2])];
    }
    let mut both = skinned();
    both.morph = morphed().morph;
    let entity = |id: i32, name: &str, mesh: i32, x: f32| Entity {
        id,
        name: name.as_bytes().to_vec(),
        mesh,
        position: [x, 0., 0.],
        ..unmoved()
    };
    let properties = vec![
        (b"int".to_vec(), Value::Int(-7)),
        (b"float".to_vec(), Value::Float(0.1)),
        (b"vec2".to_vec(), Value::Vec2([0.1, 0.2])),
        (b"vec3".to_vec(), Value::Vec3([0.1, 0.2, 0.3])),
        (b"material".to_vec(), Value::Text(b"__default__.mat".to_vec())),
        (b"vec4".to_vec(), Value::Vec4([0.1, 0.2, 0.3, 0.4])),
        ("kürzel".as_bytes().to_vec(), Value::Text("Kiste ★".as_bytes().to_vec())),
    ];
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let entities = vec![
        Entity { rotation: [0., half, 0., half], scale: [1., 2., 0.5], properties, ..entity(0, "floor", 0, 0.) },
        entity(1, "floor again", 0, 2.),
        entity(2, "worm", 1, 4.),
        entity(3, "worm's twin", 1, 5.),
        entity(4, "worm with four", 2, 6.),
        entity(5, "eye", 3, 8.),
        Entity { properties: Vec::new(), ..entity(6, "spawnPos", -1, 9.) },
    ];
    let lights = vec![
        Light { name: b"Lamp".to_vec(), ..light() },
        Light { id: 1, name: b"Sun".to_vec(), kind: 1, rotation: [half, 0., 0., half], ..light() },
    ];
    let meshes = vec![
        named(0, "Boden", square),
        named(1, "Wurm", skinned()),
        named(2, "Wurm mit vier", four),
        named(3, "Auge", both),
        named(4, "unplaced", triangle()),
    ];
    Model {
        name: "Szene ★".as_bytes().to_vec(),
        creator: b"corpus".to_vec(),
        data: vec![0, 1, 2, 0xFF],
        lights,
        spec,
        ..Model::of(meshes, entities)
    }
    .bytes()
}
