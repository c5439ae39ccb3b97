//! Channels of several images in one.

use image::{DynamicImage, GrayImage, RgbImage, RgbaImage, imageops};
use scene::{ColorChannel, Image};
use wire::{Blob, Budget, Held};

use super::channel::plane;
use super::codec::{decode, dimensions, encode, hash_of, room};

/// What one channel of a new image is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source<I> {
    /// One value everywhere.
    Fill(u8),
    /// A channel of an image.
    Of(I, ColorChannel),
}

/// A new image.
pub struct Packed {
    /// It as PNG.
    pub png: Blob,
    /// What it is known by again: see [`super::pixel_hash`].
    pub hash: String,
    /// Width and height.
    pub size: (u32, u32),
    /// For each of its channels: the size that its source had, and whether that had more than eight bits.
    pub sources: Vec<Option<((u32, u32), bool)>>,
}

/// One image of three or four channels, as large as the largest of its sources.
pub fn pack(channels: &[Source<&Image>], limits: &Budget) -> Option<Packed> {
    let sizes: Vec<(u32, u32)> = channels
        .iter()
        .filter_map(|channel| match channel {
            Source::Fill(_) => None,
            Source::Of(image, _) => dimensions(image),
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
                    let (decoded, held) = decode(image, limits)?;
                    last = Some((key, decoded, held));
                }
                let (_, decoded, _) = last.as_ref()?;
                Some((plane(decoded, *channel), decoded.color().bytes_per_pixel() > decoded.color().channel_count()))
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
    let image = match count {
        3 => DynamicImage::ImageRgb8(RgbImage::from_raw(size.0, size.1, pixels)?),
        _ => DynamicImage::ImageRgba8(RgbaImage::from_raw(size.0, size.1, pixels)?),
    };
    Some(Packed { png: encode(&image)?, hash: hash_of(&image), size, sources })
}
