//! The formats. Each folder has the same files, and each file is a step of the same way:
//!
//! ```text
//!          read.rs              bridge/lift           bridge/lower             write.rs
//! bytes ─────────────▶ Document ─────────────▶ Scene ──────────────▶ Document ─────────────▶ bytes
//!                         │ layout.rs     what it is made of
//!                         │ dialect.rs    which layouts it has
//!                         │ rules.rs      what can be wrong with it
//!                         │ transcode.rs  one dialect → another
//!                         └ units.rs      what an edit changes as a whole, for `restore`
//! ```
//!
//! A format is one folder and one line of [`FORMATS`]. Everything else (recognition, the command line, the support
//! matrix, the reference pages, fuzz targets, the laws in `tests/every_format.rs`) iterates that list.

mod any;
pub mod carry;
mod context;
#[cfg(any(feature = "obj", feature = "ply", feature = "stl"))]
mod decimal;
mod facts;
#[cfg(any(feature = "das2", feature = "dgl2", feature = "dragon", feature = "gltf", feature = "mat", feature = "obj"))]
mod file_name;
mod foreign;
mod format;
#[cfg(any(feature = "das2", feature = "dgl2", feature = "dragon", feature = "gltf", feature = "mat", feature = "obj"))]
mod images;
mod info;
mod loadable;
#[cfg(any(feature = "dgl2", feature = "dgl3"))]
mod names;
pub mod restore;
mod side_files;
mod source;

#[cfg(feature = "danmodel")]
pub mod danmodel;
#[cfg(feature = "das2")]
pub mod das2;
#[cfg(feature = "dgl2")]
pub mod dgl1;
#[cfg(feature = "dgl2")]
pub mod dgl2;
#[cfg(feature = "dgl3")]
pub mod dgl3;
#[cfg(feature = "dragon")]
pub mod dragon;
#[cfg(feature = "fbx")]
pub mod fbx;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "mat")]
pub mod mat;
#[cfg(feature = "obj")]
pub mod obj;
#[cfg(feature = "ply")]
pub mod ply;
#[cfg(feature = "stl")]
pub mod stl;

pub use any::{AnyDocument, AnyFormat, FAULT, Mend, outline, recognise, recognise_named, rules, rules_named};
pub use context::{Extras, Factors, LiftCx, LowerCx, Options, ReadCx};
pub use facts::{Counts, Fact, Facts, MeshSize, Names};
pub use findings::{FileId, Loaded, NoSource, Source};
pub use foreign::foreign;
pub use format::{Document, FileKind, Format, Hint, NamedFile, Package, Score, SideFile, below, is_below};
pub use info::{DialectInfo, Engine, Info, Lack, OptionInfo, TEXTURES};
pub use loadable::{decode_images, make_images_loadable};
pub use side_files::{NoRoom, Room, SideFiles, Textures, same_name};
pub use source::{Beside, Folder};

/// Every format this build knows.
pub static FORMATS: &[&dyn AnyFormat] = &[
    #[cfg(feature = "danmodel")]
    &any::Erased::<danmodel::DanModel>::NEW,
    #[cfg(feature = "das2")]
    &any::Erased::<das2::Das2>::NEW,
    #[cfg(feature = "dgl2")]
    &any::Erased::<dgl2::Dgl2>::NEW,
    #[cfg(feature = "dgl2")]
    &any::Erased::<dgl1::Dgl1>::NEW,
    #[cfg(feature = "dgl3")]
    &any::Erased::<dgl3::Dgl3>::NEW,
    #[cfg(feature = "dragon")]
    &any::Erased::<dragon::Dragon>::NEW,
    #[cfg(feature = "gltf")]
    &any::Erased::<gltf::Gltf>::NEW,
    #[cfg(feature = "gltf")]
    &any::Erased::<gltf::Glb>::NEW,
    #[cfg(feature = "mat")]
    &any::Erased::<mat::Mat>::NEW,
    #[cfg(feature = "obj")]
    &any::Erased::<obj::Obj>::NEW,
    #[cfg(feature = "fbx")]
    &any::Erased::<fbx::Fbx>::NEW,
    #[cfg(feature = "ply")]
    &any::Erased::<ply::Ply>::NEW,
    #[cfg(feature = "stl")]
    &any::Erased::<stl::Stl>::NEW,
];

/// The format with this id.
pub fn by_id(id: &str) -> Option<&'static dyn AnyFormat> {
    FORMATS.iter().copied().find(|format| format.info().id == id)
}

/// The format that uses this file extension, without its dot and in any case.
pub fn by_extension(extension: &str) -> Option<&'static dyn AnyFormat> {
    let matches = |format: &&&dyn AnyFormat| format.info().extensions.iter().any(|e| e.eq_ignore_ascii_case(extension));
    FORMATS.iter().find(matches).copied()
}
