//! Images: decoded within limits, converted to PNG, their channels taken apart and put together. Without the feature
//! `images` nothing can be decoded, and all of it answers so.

#[cfg(feature = "images")]
mod channel;
#[cfg(feature = "images")]
mod codec;
#[cfg(feature = "images")]
mod pack;
#[cfg(not(feature = "images"))]
mod without;

#[cfg(feature = "images")]
pub use self::{
    channel::{channel, split},
    codec::{dimensions, dimensions_of, pixel_hash, rgba, to_png},
    pack::{Packed, Source, pack},
};
#[cfg(not(feature = "images"))]
pub use without::{channel, dimensions_of, rgba, to_png};

/// MIME type and extension of PNG and JPEG, by the first bytes; what a file says about itself may lie.
pub fn kind(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => Some(("image/png", "png")),
        [0xFF, 0xD8, 0xFF, ..] => Some(("image/jpeg", "jpg")),
        _ => None,
    }
}

/// The name of a file without folder and extension.
pub fn stem(path: &str) -> &str {
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    last.rsplit_once('.').map_or(last, |(stem, _)| stem)
}
