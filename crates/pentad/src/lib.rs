//! Read, write, check, inspect and convert five small game-engine 3D formats.
//!
//! This crate is the one most programs name: [`open()`] a file of any format, ask it for its [`Asset::document`] (the
//! file as it is), its [`Asset::scene`] (what it means), its [`Asset::check`] (what is wrong with it), and
//! [`convert()`] it. The layers below are public too: [`formats`], [`scene`], [`findings`], [`wire`].
//!
//! ```
//! use pentad::{ConvertOptions, File, OpenOptions, convert};
//!
//! let file = File::from_bytes("model.danmodel", corpus::danmodel::one_triangle());
//! let asset = file.read(&OpenOptions::default())?;
//! assert_eq!(asset.format().id, "danmodel");
//! assert_eq!(asset.document().facts(true).counts.triangles, Some(1));
//!
//! let glb = pentad::formats::by_id("glb").unwrap();
//! let converted = convert(&asset, &ConvertOptions::to(glb))?;
//! assert!(converted.losses.is_empty());
//! let bytes = converted.to_vec()?;
//! assert_eq!(&bytes[..4], b"glTF");
//! # Ok::<(), findings::Error>(())
//! ```

mod convert;
mod engine;
mod links;
mod mend;
mod open;
mod out;
mod replace;
pub mod report;
mod restore;
mod save;
mod verify;

pub use convert::{Carry, ConvertOptions, Converted, convert};
pub use mend::{Mended, Mendings};
pub use open::{Asset, File, OpenOptions, Outline, open, open_with};
pub use replace::{Nobody, Replacement, Watch, back_up, replace};
pub use save::{SaveOptions, Saved, save, save_to};
pub use verify::{Measure, TOLERANCE, Unexplained, Verified, verify};

pub use ops::Corrections;
pub use {findings, fit, formats, ops, scene, wire};

/// The version of this library, as `asset.generator` and reports name it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
