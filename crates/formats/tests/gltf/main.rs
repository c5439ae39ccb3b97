//! glTF as it is written: numbers checked by a parser of its own, files by the Khronos validator.
//!
//! The validator runs if `PENTAD_GLTF_VALIDATOR` names a folder where `npm i gltf-validator` was run; files of the
//! corpus are converted if `PENTAD_CORPUS` names its folder.
#![cfg(feature = "gltf")]
// Tests say what they skip.
#![allow(clippy::print_stdout)]

mod animations;
mod copies;
mod corpus;
mod edited;
mod editors;
mod extensions;
mod files;
mod geometry;
mod inside;
mod lifting;
mod nodes;
mod packing;
mod repack;
mod skins;
mod support;
mod surfaces;
