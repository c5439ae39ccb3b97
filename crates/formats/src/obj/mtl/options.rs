//! The options in front of a texture's file name.

use scene::{ColorChannel, UvTransform};

use crate::obj::lex::Cursor;

/// How a texture is laid on a mesh, and which of its channels count.
#[derive(Clone)]
pub(super) struct Options {
    pub(super) scale: [f32; 2],
    pub(super) offset: [f32; 2],
    /// What is added to the image's values, and what they are multiplied by, if that changes them.
    pub(super) values: Option<[f32; 2]>,
    pub(super) clamp: bool,
    pub(super) strength: f32,
    pub(super) channel: ColorChannel,
    /// Which side of a reflection map it is.
    pub(super) side: Option<Vec<u8>>,
    /// How many further ones there are, which say nothing that a scene has.
    pub(super) further: u64,
}

impl Options {
    /// Reads the options in front of a file name. The first word that looks like an option and is none is handed back,
    /// with the cursor before it.
    pub(super) fn read<'a>(cursor: &mut Cursor<'a>) -> (Options, Option<&'a [u8]>) {
        let mut options = Options {
            scale: [1.; 2],
            offset: [0.; 2],
            values: None,
            clamp: false,
            strength: 1.,
            channel: ColorChannel::All,
            side: None,
            further: 0,
        };
        let mut unknown = None;
        loop {
            cursor.blanks();
            let start = cursor.at;
            let Some(word) = cursor.next_word().filter(|word| word.starts_with(b"-")) else {
                cursor.at = start;
                break;
            };
            match word {
                b"-s" => options.scale = pair(&triple(cursor), options.scale),
                b"-o" => options.offset = pair(&triple(cursor), options.offset),
                b"-t" => {
                    triple(cursor);
                    options.further += 1;
                }
                b"-mm" => {
                    let values = [number(cursor).unwrap_or(0.), number(cursor).unwrap_or(1.)];
                    options.values = Some(values).filter(|values| *values != [0., 1.]);
                }
                b"-bm" => options.strength = number(cursor).unwrap_or(1.),
                b"-clamp" => options.clamp = cursor.next_word() == Some(b"on"),
                b"-imfchan" => {
                    options.channel = match cursor.next_word() {
                        Some(b"r") => ColorChannel::Red,
                        Some(b"g") => ColorChannel::Green,
                        Some(b"b") => ColorChannel::Blue,
                        Some(b"m") => ColorChannel::Alpha,
                        _ => ColorChannel::All,
                    };
                }
                b"-type" => options.side = cursor.next_word().map(<[u8]>::to_vec),
                b"-blendu" | b"-blendv" | b"-boost" | b"-cc" | b"-texres" | b"-colorspace" => {
                    cursor.next_word();
                    options.further += 1;
                }
                _ => {
                    cursor.at = start;
                    unknown = Some(word);
                    break;
                }
            }
        }
        (options, unknown)
    }

    /// The change of texture coordinates in the scene's space, where V counts from the top:
    /// 1 − (s·(1 − v) + o) = s·v + (1 − s − o).
    pub(super) fn transform(&self) -> Option<UvTransform> {
        let changes = self.scale != [1.; 2] || self.offset != [0.; 2];
        let offset = [self.offset[0], 1. - self.scale[1] - self.offset[1]];
        changes.then_some(UvTransform { offset, rotation: 0., scale: self.scale })
    }
}

/// A word that should be a number.
fn number(cursor: &mut Cursor<'_>) -> Option<f32> {
    let number = cursor.next_word().and_then(|word| fast_float2::parse::<f32, _>(word).ok());
    number.filter(|number| number.is_finite())
}

/// One to three numbers; what is no number is left for the file's name.
fn triple(cursor: &mut Cursor<'_>) -> Vec<f32> {
    let mut numbers = Vec::new();
    while numbers.len() < 3 {
        cursor.blanks();
        let start = cursor.at;
        match cursor.number() {
            Ok(number) if number.is_finite() && cursor.at > start => numbers.push(number),
            _ => {
                cursor.at = start;
                break;
            }
        }
    }
    numbers
}

fn pair(numbers: &[f32], default: [f32; 2]) -> [f32; 2] {
    std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(default[i]))
}
