//! A build without decoders knows nothing of images.

use scene::{ColorChannel, Image};
use wire::{Blob, Budget};

/// Nothing.
pub fn dimensions_of(_: &[u8], _: &str) -> Option<(u32, u32)> {
    None
}

/// Nothing.
pub fn rgba(_: &[u8], _: &str, _: &Budget) -> Option<((u32, u32), Vec<u8>)> {
    None
}

/// Nothing.
pub fn to_png(_: &Image, _: &Budget) -> Option<Blob> {
    None
}

/// Nothing.
pub fn channel(_: &Image, _: ColorChannel, _: f32, _: &Budget) -> Option<Blob> {
    None
}
