//! glTF 2.0: the exchange format of the Khronos Group, as `.gltf` (JSON with files beside it) and `.glb` (one file).
//!
//! One document, two containers: [`Gltf`] and [`Glb`] are registered apart because their files are recognised, named
//! and framed apart; everything behind the container is shared.
//!
//! | scene | glTF |
//! |---|---|
//! | scene roots, nodes | `scenes`, `nodes`; a transform that changes nothing is left out |
//! | mesh, primitive | `meshes`; a mesh without primitives is a note in the node's extras |
//! | positions, normals, tangents | 32-bit floats; streams that already are such are shared, not copied |
//! | texture coordinates, colours | likewise, or normalised bytes and shorts as the source has them |
//! | custom streams | `_NAME`; the source's name is carried |
//! | indices | 16 bits while every index is below 65535, else 32 |
//! | material | metallic-roughness, with `KHR_materials_specular`, `_unlit` and `_emissive_strength` as needed |
//! | no material | one shared material without metal: glTF's own default is black metal |
//! | texture slots | the slots of glTF, with `KHR_texture_transform`; others are carried and listed as losses |
//! | roughness, metal, occlusion of several images | one PNG; specular strength and opacity likewise, in alpha |
//! | images | PNG and JPEG byte for byte, others as PNG; in the binary chunk, beside the file or as data URIs |
//! | morph targets | `targets`, `weights`, `extras.targetNames` |
//! | skins, joints, weights | `skins`, sets of four joints and weights; floats, or normalised as the source has them |
//! | animations | channels and samplers; easings are splines where those are exact, else lines |
//! | tracks of other properties | `KHR_animation_pointer` to nodes of files that were glTF; others are carried |
//! | instances | `EXT_mesh_gpu_instancing` |
//! | levels of detail | `MSFT_lod`, shares of the screen in `extras.MSFT_screencoverage` |
//! | lights, cameras | `KHR_lights_punctual`, `cameras` |
//! | hidden node | `KHR_node_visibility` |
//! | the source itself | a buffer view that `extras.pentad.source` of the root names, if it is to travel |
//! | extras and unknown extensions of a glTF file | where they were, also inside of objects |
//! | everything else | `extras.pentad` of the nearest object; `docs/carry.md` lists every key |
//!
//! Voxels become faces, which `fit` lists; the way back makes cubes of them again.
//!
//! What [`fit`] changed to satisfy glTF (doubles, quads, normals without unit length) is listed; the source itself brings
//! it back, if it travels.
//!
//! ```
//! use formats::{LowerCx, Format, NoSource, gltf::Glb};
//! use scene::{Mesh, Named, Node, Primitive, Scene, Semantic, Stream, Topology};
//!
//! let corners = Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]);
//! let triangle = Primitive::new(Topology::Triangles).with(Semantic::Position, corners);
//! let mut scene = Scene::new();
//! let mesh = scene.meshes.add(Mesh { primitives: vec![triangle], ..Mesh::default() });
//! scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
//!
//! let package = Glb::lower(&scene, &mut LowerCx::new(&NoSource, "standard"))?;
//! let mut file = wire::Sink::default();
//! Glb::write(&package.document, &mut file)?;
//! assert_eq!(file.into_vec()[..4], *b"glTF");
//! # Ok::<(), findings::Error>(())
//! ```
//!
//! Decisions are in `SPEC.md` beside this file.

mod about;
mod bridge;
pub mod carry;
mod data;
mod dialect;
mod extensions;
mod keys;
mod layout;
mod places;
mod read;
mod rules;
pub mod schema;
mod write;

pub use dialect::Dialect;
pub(crate) use extensions::image_beyond;
pub use extensions::{EXTENSIONS, Elsewhere, Extension, ImageKind, Object, Use};
pub use layout::{Chunk, ChunkHeader, ChunkKind, Container, Document, Header, MAGIC};
pub use rules::RULES;

use findings::{Result, Rule, Source};
use scene::{Capabilities, Count, Hold, Named, Numbers, Owner, Role, Scene, SourceSpace, Topology};
use wire::{Blob, Sink};

use crate::carry::{Carried, Key};
use crate::{Format, Hint, Info, LiftCx, LowerCx, NamedFile, Package, ReadCx, Score};

/// glTF as JSON.
pub struct Gltf;

/// glTF as one binary file.
pub struct Glb;

/// Both are the same but for their container.
macro_rules! format {
    ($Name:ident, $container:expr, $info:expr) => {
        impl Format for $Name {
            const INFO: Info = $info;
            const MULTIPLIES: bool = true;
            const KEYS: &'static [Key] = keys::KEYS;
            const RULES: &'static [&'static Rule<Document>] = RULES;
            type Document = Document;

            fn probe(file: &Blob, _: &Hint) -> Score {
                read::probe(file, $container)
            }
            fn read(file: Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
                read::read(&file, $container, cx)
            }
            fn write(doc: &Document, out: &mut Sink) -> Result<()> {
                write::write(doc, out)
            }
            fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
                bridge::named(doc, source)
            }
            fn repack(doc: &Document, cx: &mut LowerCx<'_>) -> Result<Option<Package<Document>>> {
                bridge::repack(doc, $container, cx)
            }
            fn says_still(doc: &Document, other: &Document, beside: &dyn Source, beside_other: &dyn Source) -> bool {
                bridge::says_still(doc, other, beside, beside_other)
            }
            fn carried(doc: &Document, cx: &mut LiftCx<'_>) -> Option<Carried> {
                bridge::carried(doc, cx)
            }
            fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
                bridge::lift(doc, cx)
            }
            fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
                bridge::lower(scene, $container, cx)
            }
        }
    };
}
format!(Gltf, Container::Json, info("gltf", "glTF 2.0", "the Khronos exchange format as JSON", &["gltf"]));
format!(Glb, Container::Binary, info("glb", "glTF 2.0 binary", "the Khronos exchange format in one file", &["glb"]));

const fn info(id: &'static str, name: &'static str, about: &'static str, extensions: &'static [&'static str]) -> Info {
    Info {
        id,
        name,
        about,
        extensions,
        prefix: "GLTF",
        dialects: Dialect::INFOS,
        read: true,
        write: true,
        capabilities: CAPABILITIES,
        space: SPACE,
        options: &[crate::OptionInfo {
            name: "textures",
            value: "embed|copy|reference",
            about: "embed puts images into the file, copy writes them beside OUT, reference writes paths as they are \
                    (default embed for glb; for gltf what OUT finds stays where it is, the rest is copied)",
        }],
        tables: &[Header::TABLE, ChunkHeader::TABLE, ChunkKind::TABLE],
        spec: include_str!("SPEC.md"),
    }
}

const CAPABILITIES: Capabilities = Capabilities {
    topologies: &[
        Topology::Points,
        Topology::Lines,
        Topology::LineLoop,
        Topology::LineStrip,
        Topology::Triangles,
        Topology::TriangleStrip,
        Topology::TriangleFan,
    ],
    normals: Count::up_to(1),
    uv_sets: Count::up_to(u8::MAX),
    color_sets: Count::up_to(u8::MAX),
    tangents: Hold::Yes,
    joint_sets: Count::up_to(u8::MAX),
    custom_attributes: Hold::Yes,
    morph_targets: Hold::Yes,
    hierarchy: Hold::Yes,
    transforms: Hold::Yes,
    scenes: Hold::Yes,
    materials: Hold::Yes,
    textures: Hold::Yes,
    loose_images: Hold::Yes,
    texture_sets: &[
        Role::BaseColor,
        Role::Metallic,
        Role::Roughness,
        Role::Normal,
        Role::Occlusion,
        Role::Emission,
        Role::Specular,
        Role::SpecularColor,
    ],
    skins: Hold::Yes,
    animations: Hold::Yes,
    lights: Hold::Yes,
    cameras: Hold::Yes,
    instances: Hold::Yes,
    lods: Hold::Yes,
    sockets: Hold::Carried,
    visibility: Hold::Yes,
    names: Named::ALL,
    properties: Owner::ALL,
    metadata: &["title", "description", "author", "copyright", "comment", "project", "created", "raw"],
    carries: true,
    longest_text: usize::MAX,
    numbers: Numbers::Valid,
    ..Capabilities::NONE
};

const SPACE: SourceSpace = SourceSpace {
    up: scene::UpAxis::PosY,
    handedness: scene::Handedness::Right,
    unit: scene::Unit::Metre,
    uv_origin: scene::UvOrigin::Top,
};
