//! FBX: the exchange format of Autodesk's programs, binary or text. It is read, by `ufbx`, and not written.
//!
//! A file is a tree of nodes; objects have ids, and connections say what belongs to what. The content is what `ufbx`
//! makes of it; where the nodes at the top of the tree are is found out here, so that every byte has its place.
//!
//! `ufbx` is written in C. The feature `fbx` is on for the command line and off for the library.
//!
//! ```
//! use formats::{Document, Format, ReadCx, fbx::Fbx};
//!
//! let file = wire::Blob::file(corpus::fbx::triangle());
//! let doc = Fbx::read(file, &mut ReadCx::default())?;
//! assert_eq!(doc.facts(true).counts.triangles, Some(1));
//! # Ok::<(), findings::Error>(())
//! ```

mod bridge;
mod dialect;
mod layout;
mod read;
mod rules;
mod scan;
mod write;

pub use dialect::Dialect;
pub use layout::{Document, TopNode};
pub use rules::RULES;

use findings::{Result, Rule};
use scene::{Capabilities, Count, Hold, Indexing, Named, Owner, Scene, SourceSpace, Topology};
use wire::{Blob, Sink};

use crate::{Format, Hint, Info, LiftCx, ReadCx, Score};

/// The format.
pub struct Fbx;

impl Format for Fbx {
    const INFO: Info = Info {
        id: "fbx",
        name: "Autodesk FBX",
        about: "models, skeletons and animations of Maya, 3ds Max, Blender and game engines; read only",
        extensions: &["fbx"],
        prefix: "FBX",
        dialects: Dialect::INFOS,
        read: true,
        write: false,
        capabilities: Capabilities {
            topologies: &[Topology::Triangles, Topology::Quads, Topology::Polygons],
            indices: Indexing::Always,
            doubles: true,
            normals: Count::up_to(1),
            uv_sets: Count::up_to(u8::MAX),
            color_sets: Count::up_to(u8::MAX),
            joint_sets: Count::up_to(u8::MAX),
            morph_targets: Hold::Yes,
            hierarchy: Hold::Yes,
            transforms: Hold::Yes,
            materials: Hold::Yes,
            textures: Hold::Yes,
            loose_images: Hold::Yes,
            skins: Hold::Yes,
            animations: Hold::Yes,
            lights: Hold::Yes,
            cameras: Hold::Yes,
            lods: Hold::Yes,
            visibility: Hold::Yes,
            names: Named::ALL,
            properties: &[Owner::Nodes],
            ..Capabilities::NONE
        },
        space: SourceSpace {
            up: scene::UpAxis::PosY,
            handedness: scene::Handedness::Right,
            unit: scene::Unit::Metre,
            uv_origin: scene::UvOrigin::Bottom,
        },
        options: &[],
        tables: &[&layout::NODES],
        spec: include_str!("SPEC.md"),
    };
    const MULTIPLIES: bool = true;
    const RULES: &'static [&'static Rule<Document>] = RULES;
    type Document = Document;

    fn probe(file: &Blob, hint: &Hint) -> Score {
        read::probe(file, hint)
    }
    fn read(file: Blob, cx: &mut ReadCx<'_>) -> Result<Document> {
        read::read(file, cx)
    }
    fn write(doc: &Document, out: &mut Sink) -> Result<()> {
        write::write(doc, out);
        Ok(())
    }
    fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
        bridge::lift(doc, cx)
    }
}
