//! Images read and written, within what a run may make.

use std::borrow::Cow;
use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageFormat, ImageReader};
use scene::{Image, ImageSource};
use sha2::{Digest, Sha256};
use wire::{Blob, Budget, Held};

/// A reader of the bytes of an image: by the first of them, or by what it is called if those say nothing: a path or a
/// media type.
fn reader<'a>(bytes: &'a [u8], called: &str) -> Option<ImageReader<Cursor<&'a [u8]>>> {
    let named =
        || ImageFormat::from_path(called.replace('\\', "/")).ok().or_else(|| ImageFormat::from_mime_type(called));
    let format = image::guess_format(bytes).ok().or_else(named)?;
    Some(ImageReader::with_format(Cursor::new(bytes), format))
}

/// The bytes of an image, if there are any, and what it is called.
fn named(image: &Image) -> Option<(&Blob, String)> {
    let called = match &image.source {
        ImageSource::File { path, .. } => path.to_string(),
        ImageSource::Embedded { mime, .. } => mime.clone(),
    };
    Some((image.bytes()?, called))
}

/// Width and height, as the header has them.
pub fn dimensions(image: &Image) -> Option<(u32, u32)> {
    let (bytes, called) = named(image)?;
    dimensions_of(bytes, &called)
}

/// The same of the bytes of an image that is called so: a path or a media type.
pub fn dimensions_of(bytes: &[u8], called: &str) -> Option<(u32, u32)> {
    reader(bytes, called)?.into_dimensions().ok()
}

/// Bytes that a pixel takes while an image is worked on: as it was decoded, as eight bits per channel, and as a file.
const PER_PIXEL: u64 = 12;

/// Takes room for images of so many pixels for as long as they are there. What is refused is left out, and the run ends
/// when it asks its limits.
pub(super) fn room(size: (u32, u32), limits: &Budget) -> Option<Held> {
    limits.hold(u64::from(size.0) * u64::from(size.1) * PER_PIXEL).ok()
}

/// The image, and the room that it takes.
pub(super) fn decode(image: &Image, limits: &Budget) -> Option<(DynamicImage, Held)> {
    let (bytes, called) = named(image)?;
    decode_bytes(bytes, &called, limits)
}

fn decode_bytes(bytes: &[u8], called: &str, limits: &Budget) -> Option<(DynamicImage, Held)> {
    let held = room(dimensions_of(bytes, called)?, limits)?;
    let mut reader = reader(bytes, called)?;
    let mut most = image::Limits::no_limits();
    most.max_alloc = Some(limits.max_memory());
    reader.limits(most);
    Some((reader.decode().ok()?, held))
}

/// The size of an image that is called so, and its pixels as red, green, blue and alpha.
pub fn rgba(bytes: &[u8], called: &str, limits: &Budget) -> Option<((u32, u32), Vec<u8>)> {
    let (decoded, _held) = decode_bytes(bytes, called, limits)?;
    let pixels = decoded.into_rgba8();
    Some((pixels.dimensions(), pixels.into_raw()))
}

/// The image as PNG.
pub fn to_png(image: &Image, limits: &Budget) -> Option<Blob> {
    encode(&decode(image, limits)?.0)
}

/// What an image is known by again: its pixels, however they are stored.
pub fn pixel_hash(image: &Image, limits: &Budget) -> Option<String> {
    Some(hash_of(&decode(image, limits)?.0))
}

pub(super) fn hash_of(image: &DynamicImage) -> String {
    let start = [image.width(), image.height()].map(u32::to_le_bytes);
    let rows = image.as_rgba8().map_or_else(|| Cow::Owned(image.to_rgba8()), Cow::Borrowed);
    let hash = Sha256::new().chain_update(start.as_flattened()).chain_update(rows.as_raw()).finalize();
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// PNG of always the same bytes for the same pixels.
pub(super) fn encode(image: &DynamicImage) -> Option<Blob> {
    let mut file = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive);
    image.write_with_encoder(encoder).ok()?;
    Some(Blob::memory(file))
}
