//! Pixels: pictures of other kinds as PNG, and channels of several pictures in one.

use std::borrow::Cow;
use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::imageops;
use image::{DynamicImage, GrayAlphaImage, GrayImage, ImageFormat, ImageReader, RgbImage, RgbaImage};
use scene::{ColorChannel, Image, ImageSource};
use wire::{Blob, Budget, Held};

use crate::gltf::carry::sha256_of;

/// The bytes of an image, if there are any.
pub(super) fn bytes(image: &Image) -> Option<&Blob> {
    match &image.source {
        ImageSource::File { bytes, .. } => bytes.as_ref(),
        ImageSource::Embedded { bytes, .. } => Some(bytes),
    }
}

/// The name of a file without folder and extension.
pub(super) fn stem(path: &str) -> &str {
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    last.rsplit_once('.').map_or(last, |(stem, _)| stem)
}

/// A reader for the picture: by its first bytes, or by its name if those say nothing.
fn reader(image: &Image) -> Option<ImageReader<Cursor<&[u8]>>> {
    let bytes = bytes(image)?;
    let named = match &image.source {
        ImageSource::File { path, .. } => ImageFormat::from_path(path.to_string().replace('\\', "/")).ok(),
        ImageSource::Embedded { mime, .. } => ImageFormat::from_mime_type(mime),
    };
    let format = image::guess_format(bytes).ok().or(named)?;
    Some(ImageReader::with_format(Cursor::new(&bytes[..]), format))
}

/// Whether the picture can probably be decoded: its header can.
pub(super) fn is_known(image: &Image) -> bool {
    size(image).is_some()
}

/// Width and height, as the header has them.
fn size(image: &Image) -> Option<(u32, u32)> {
    reader(image)?.into_dimensions().ok()
}

/// Bytes that a pixel takes while a picture is worked on: as it was decoded, as eight bits per channel, and as a file.
const PER_PIXEL: u64 = 12;

/// Takes room for pictures of so many pixels for as long as they are there. What is refused is left out, and the run ends
/// when it asks its limits.
fn room(size: (u32, u32), limits: &Budget) -> Option<Held> {
    limits.hold(u64::from(size.0) * u64::from(size.1) * PER_PIXEL).ok()
}

/// The picture, and the room that it takes.
fn decode(image: &Image, limits: &Budget) -> Option<(DynamicImage, Held)> {
    let held = room(size(image)?, limits)?;
    let mut reader = reader(image)?;
    let mut most = image::Limits::no_limits();
    most.max_alloc = Some(limits.max_memory());
    reader.limits(most);
    Some((reader.decode().ok()?, held))
}

/// The picture as PNG.
pub(crate) fn converted(image: &Image, limits: &Budget) -> Option<Blob> {
    encode(&decode(image, limits)?.0)
}

/// What a picture is known by again: its pixels, however they are stored.
pub(super) fn print(image: &Image, limits: &Budget) -> Option<String> {
    Some(print_of(&decode(image, limits)?.0))
}

fn print_of(picture: &DynamicImage) -> String {
    let start = [picture.width(), picture.height()].map(u32::to_le_bytes);
    let rows = picture.as_rgba8().map_or_else(|| Cow::Owned(picture.to_rgba8()), Cow::Borrowed);
    sha256_of([start.as_flattened(), rows.as_raw()])
}

/// PNG of always the same bytes for the same pixels.
fn encode(picture: &DynamicImage) -> Option<Blob> {
    let mut file = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive);
    picture.write_with_encoder(encoder).ok()?;
    Some(Blob::memory(file))
}

/// What one channel of a new picture is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source<I> {
    /// One value everywhere.
    Fill(u8),
    /// A channel of a picture.
    Of(I, ColorChannel),
}

/// A new picture.
pub(super) struct Packed {
    pub(super) png: Blob,
    /// See [`print()`].
    pub(super) print: String,
    pub(super) size: (u32, u32),
    /// For each of its channels: the size that its source had, and whether that had more than eight bits.
    pub(super) sources: Vec<Option<((u32, u32), bool)>>,
}

/// One picture of three or four channels, as large as the largest of its sources.
pub(super) fn pack(channels: &[Source<&Image>], limits: &Budget) -> Option<Packed> {
    let sizes: Vec<(u32, u32)> = channels
        .iter()
        .filter_map(|channel| match channel {
            Source::Fill(_) => None,
            Source::Of(image, _) => size(image),
        })
        .collect();
    let size = (sizes.iter().map(|size| size.0).max()?, sizes.iter().map(|size| size.1).max()?);
    let _held = room(size, limits)?;
    let mut planes = Vec::new();
    let mut last: Option<(*const Image, DynamicImage, Held)> = None;
    for channel in channels {
        planes.push(match channel {
            Source::Fill(_) => None,
            Source::Of(image, channel) => {
                let key = std::ptr::from_ref(*image);
                if last.as_ref().is_none_or(|(known, ..)| *known != key) {
                    drop(last.take());
                    let (picture, held) = decode(image, limits)?;
                    last = Some((key, picture, held));
                }
                let (_, picture, _) = last.as_ref()?;
                Some((plane(picture, *channel), picture.color().bytes_per_pixel() > picture.color().channel_count()))
            }
        });
    }
    drop(last);
    let sources = planes.iter().map(|p| p.as_ref().map(|(plane, deep)| (plane.dimensions(), *deep))).collect();
    let scaled = planes.into_iter().zip(channels).map(|(plane, channel)| match (plane, channel) {
        (Some((plane, _)), _) if plane.dimensions() == size => plane,
        (Some((plane, _)), _) => imageops::resize(&plane, size.0, size.1, imageops::FilterType::Triangle),
        (None, Source::Fill(value)) => GrayImage::from_pixel(size.0, size.1, image::Luma([*value])),
        (None, Source::Of(..)) => GrayImage::new(size.0, size.1),
    });
    let planes: Vec<Vec<u8>> = scaled.map(GrayImage::into_raw).collect();
    let count = planes.len();
    let mut pixels = vec![0; planes[0].len() * count];
    for (at, plane) in planes.iter().enumerate() {
        pixels.iter_mut().skip(at).step_by(count).zip(plane).for_each(|(pixel, value)| *pixel = *value);
    }
    let picture = match count {
        3 => DynamicImage::ImageRgb8(RgbImage::from_raw(size.0, size.1, pixels)?),
        _ => DynamicImage::ImageRgba8(RgbaImage::from_raw(size.0, size.1, pixels)?),
    };
    Some(Packed { png: encode(&picture)?, print: print_of(&picture), size, sources })
}

/// One channel of a picture; all of them mean that they are the same, as in a grey one.
fn plane(picture: &DynamicImage, channel: ColorChannel) -> GrayImage {
    let at = match channel {
        ColorChannel::All | ColorChannel::Red => 0,
        ColorChannel::Green => 1,
        ColorChannel::Blue => 2,
        ColorChannel::Alpha => 3,
    };
    if let DynamicImage::ImageLuma8(grey) = picture
        && at < 3
    {
        return grey.clone();
    }
    let pixels = picture.to_rgba8();
    let size = pixels.dimensions();
    let values = pixels.into_raw().into_iter().skip(at).step_by(4).collect();
    GrayImage::from_raw(size.0, size.1, values).unwrap_or_else(|| GrayImage::new(size.0, size.1))
}

/// A channel of an image as a grey one, each value times a factor of 0 to 1.
pub(crate) fn scaled(image: &Image, channel: ColorChannel, factor: f32, limits: &Budget) -> Option<Blob> {
    let (picture, _held) = decode(image, limits)?;
    let mut values = plane(&picture, channel);
    drop(picture);
    if factor != 1. {
        values.iter_mut().for_each(|value| *value = (f32::from(*value) * factor).round() as u8);
    }
    encode(&DynamicImage::ImageLuma8(values))
}

/// A channel of a picture as one of its own, in which each channel that may be asked for has those values; all channels
/// are its colours.
pub(super) fn split(image: &Image, channel: ColorChannel, wanted: ColorChannel, limits: &Budget) -> Option<Blob> {
    let (picture, _held) = decode(image, limits)?;
    encode(&match (channel, wanted) {
        (ColorChannel::All, _) => DynamicImage::ImageRgb8(picture.to_rgb8()),
        (one, ColorChannel::Alpha) => {
            let values = plane(&picture, one);
            let (width, height) = values.dimensions();
            let pixels = values.into_raw().into_iter().flat_map(|value| [value, value]).collect();
            DynamicImage::ImageLumaA8(GrayAlphaImage::from_raw(width, height, pixels)?)
        }
        (one, _) => DynamicImage::ImageLuma8(plane(&picture, one)),
    })
}
