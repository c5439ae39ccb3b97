//! Images, by what is seen of them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ops::images::rgba;
use scene::{ColorChannel, ImageSource, Material, Role, Scene, Slot};
use wire::{Blob, Budget};

use super::attributes::number_error;

/// Half of what an image of eight bits can tell apart: a factor that was multiplied into one was rounded to it.
const ROUNDED: f64 = 0.5 / 255. + 1e-9;

/// Pixels, red green blue alpha.
pub(super) struct Pixels {
    size: (u32, u32),
    data: Vec<u8>,
}

/// Pixels that several compare; nothing of what cannot be decoded.
type Shared = Option<Rc<Pixels>>;

/// Images that were decoded already, by where their bytes are.
#[derive(Default)]
pub(super) struct Decoded(RefCell<HashMap<(usize, usize), Shared>>);

impl Decoded {
    fn get(&self, image: &HeldImage<'_>) -> Shared {
        let key = (image.bytes.as_ptr().addr(), image.bytes.len());
        self.0.borrow_mut().entry(key).or_insert_with(|| decode(image).map(Rc::new)).clone()
    }
}

/// An image in a role of a material.
struct HeldImage<'a> {
    slot: &'a Slot,
    bytes: &'a Blob,
    /// The path or MIME type that says what it is where its bytes do not.
    called: String,
}

/// What a material has in a role.
enum Held<'a> {
    Nothing,
    /// A file that was not found: nothing can be said about it.
    Unknown,
    Image(HeldImage<'a>),
}

fn held<'a>(scene: &'a Scene, material: &'a Material, role: &Role) -> Held<'a> {
    let Some(slot) = material.slot(role) else { return Held::Nothing };
    let image = scene.textures.get(slot.texture).and_then(|texture| scene.images.get(texture.image?));
    match image.map(|image| &image.source) {
        None => Held::Nothing,
        Some(ImageSource::File { bytes: None, .. }) => Held::Unknown,
        Some(ImageSource::File { path, bytes: Some(bytes) }) => {
            Held::Image(HeldImage { slot, bytes, called: path.to_string().replace('\\', "/") })
        }
        Some(ImageSource::Embedded { mime, bytes }) => Held::Image(HeldImage { slot, bytes, called: mime.clone() }),
    }
}

/// How two images of one role compare.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ImageError {
    /// The largest difference of a channel that counts; 1 if one is not there.
    pub(super) amount: f64,
    /// Whether they are of different sizes, so that pixels cannot be compared.
    pub(super) resized: bool,
}

/// A material in its scene, with what it multiplies images with.
pub(super) struct Seen<'a> {
    pub(super) scene: &'a Scene,
    pub(super) material: &'a Material,
    pub(super) factor: &'a [f32],
}

/// How what is seen in a role differs: image times factor.
pub(super) fn image_error(was: &Seen<'_>, is: &Seen<'_>, role: &Role, decoded: &Decoded) -> ImageError {
    let off = |amount: f64| ImageError { amount, resized: false };
    let (was_held, is_held) = (held(was.scene, was.material, role), held(is.scene, is.material, role));
    let (expected, found) = match (&was_held, &is_held) {
        (Held::Unknown, _) | (Held::Nothing, Held::Nothing | Held::Unknown) => return off(0.),
        (Held::Image(_), Held::Nothing | Held::Unknown) => return off(1.),
        (Held::Nothing, Held::Image(_)) if was.factor.is_empty() => return off(1.),
        (Held::Nothing, Held::Image(found)) => (None, found),
        (Held::Image(expected), Held::Image(found)) => (Some(expected), found),
    };
    if expected.is_some_and(|image| image.bytes == found.bytes && image.slot.channel == found.slot.channel) {
        return off(0.);
    }
    let pixels = expected.map(|image| decoded.get(image));
    let (Some(found_pixels), false) = (decoded.get(found), matches!(pixels, Some(None))) else { return off(1.) };
    let pixels = pixels.flatten();
    if pixels.as_ref().is_some_and(|pixels| pixels.size != found_pixels.size) {
        return ImageError { amount: 1., resized: true };
    }
    // What was neither multiplied nor made up is the same to the last bit.
    let same_factor = pixels.is_some() && was.factor == is.factor;
    let factor = |seen: &Seen<'_>, k: usize| seen.factor.get(k).map_or(1., |factor| f64::from(*factor));
    let (was_channels, is_channels) = (expected.map(|image| channels(role, image.slot)), channels(role, found.slot));
    let mut largest = 0_f64;
    for (i, pixel) in found_pixels.data.as_chunks::<4>().0.iter().enumerate() {
        for (k, &channel) in is_channels.iter().enumerate() {
            let (was_factor, is_factor) = if same_factor { (1., 1.) } else { (factor(was, k), factor(is, k)) };
            let texel = match (&pixels, was_channels) {
                (Some(pixels), Some(channels)) => {
                    f64::from(pixels.data[i * 4 + channels[k.min(channels.len() - 1)]]) / 255.
                }
                _ => 1.,
            };
            let shown = f64::from(pixel[channel]) / 255.;
            largest = largest.max(number_error((texel * was_factor).min(1.), (shown * is_factor).min(1.)));
        }
    }
    off(if same_factor || largest > ROUNDED { largest } else { 0. })
}

/// The channels of pixels that count in a role.
fn channels(role: &Role, slot: &Slot) -> &'static [usize] {
    let scalar = matches!(role, Role::Roughness | Role::Metallic | Role::Specular | Role::Occlusion | Role::Opacity);
    match (slot.channel, role) {
        (ColorChannel::Red, _) => &[0],
        (ColorChannel::Green, _) => &[1],
        (ColorChannel::Blue, _) => &[2],
        (ColorChannel::Alpha, _) => &[3],
        (ColorChannel::All, _) if scalar => &[0],
        (ColorChannel::All, Role::BaseColor) => &[0, 1, 2, 3],
        (ColorChannel::All, _) => &[0, 1, 2],
    }
}

fn decode(image: &HeldImage<'_>) -> Option<Pixels> {
    let (size, data) = rgba(image.bytes, &image.called, &Budget::default())?;
    Some(Pixels { size, data })
}
