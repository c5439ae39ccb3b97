//! One channel of an image as an image of its own.

use image::{DynamicImage, GrayAlphaImage, GrayImage};
use scene::{ColorChannel, Image};
use wire::{Blob, Budget};

use super::codec::{decode, encode};

/// A channel of an image as a grey one, each value times a factor of 0 to 1.
pub fn channel(image: &Image, channel: ColorChannel, factor: f32, limits: &Budget) -> Option<Blob> {
    let (decoded, _held) = decode(image, limits)?;
    let mut values = plane(&decoded, channel);
    drop(decoded);
    if factor != 1. {
        values.iter_mut().for_each(|value| *value = (f32::from(*value) * factor).round() as u8);
    }
    encode(&DynamicImage::ImageLuma8(values))
}

/// A channel of an image as one of its own, in which each channel that may be asked for has those values; all channels
/// are its colours.
pub fn split(image: &Image, channel: ColorChannel, wanted: ColorChannel, limits: &Budget) -> Option<Blob> {
    let (decoded, _held) = decode(image, limits)?;
    encode(&match (channel, wanted) {
        (ColorChannel::All, _) => DynamicImage::ImageRgb8(decoded.to_rgb8()),
        (one, ColorChannel::Alpha) => {
            let values = plane(&decoded, one);
            let (width, height) = values.dimensions();
            let pixels = values.into_raw().into_iter().flat_map(|value| [value, value]).collect();
            DynamicImage::ImageLumaA8(GrayAlphaImage::from_raw(width, height, pixels)?)
        }
        (one, _) => DynamicImage::ImageLuma8(plane(&decoded, one)),
    })
}

/// One channel of an image; all of them mean that they are the same, as in a grey one.
pub(super) fn plane(image: &DynamicImage, channel: ColorChannel) -> GrayImage {
    let at = match channel {
        ColorChannel::All | ColorChannel::Red => 0,
        ColorChannel::Green => 1,
        ColorChannel::Blue => 2,
        ColorChannel::Alpha => 3,
    };
    if let DynamicImage::ImageLuma8(grey) = image
        && at < 3
    {
        return grey.clone();
    }
    let pixels = image.to_rgba8();
    let size = pixels.dimensions();
    let values = pixels.into_raw().into_iter().skip(at).step_by(4).collect();
    GrayImage::from_raw(size.0, size.1, values).unwrap_or_else(|| GrayImage::new(size.0, size.1))
}
