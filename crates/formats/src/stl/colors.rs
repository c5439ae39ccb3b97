//! Colours that two programs keep in the attribute of a facet: five bits each, in two orders.

use rayon::prelude::*;
use zerocopy::LE;

use super::layout::Binary;

/// What the attributes of a file mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coloring {
    /// All are 0, as they should be.
    None,
    /// Blue, green, red from the lowest bit on; the highest bit says that there is a colour.
    VisCam,
    /// Red, green, blue from the lowest bit on; the highest bit says that the facet has the colour of the whole.
    Magics {
        /// Of facets without one.
        whole: [f32; 4],
    },
    /// Something else.
    Unknown,
}

/// What the header of a Magics file says before four bytes of colour.
const MAGICS: &[u8] = b"COLOR=";

const HIGHEST: u16 = 0x8000;

impl Coloring {
    pub(super) fn of(binary: &Binary) -> Coloring {
        let words = words(binary);
        let words = || words.par_iter().with_min_len(1 << 14);
        let header = &binary.header[..];
        if let Some(found) = memchr::memmem::find(header, MAGICS)
            && let Some(&[r, g, b, a]) = header.get(found + MAGICS.len()..found + MAGICS.len() + 4)
        {
            return Coloring::Magics { whole: [r, g, b, a].map(|byte| f32::from(byte) / 255.) };
        }
        match () {
            () if words().all(|word| *word == 0) => Coloring::None,
            // A counter or a size would have facets with other bits and without this one.
            () if words().all(|word| *word == 0 || word & HIGHEST != 0) => Coloring::VisCam,
            () => Coloring::Unknown,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Coloring::None => "none",
            Coloring::VisCam => "viscam",
            Coloring::Magics { .. } => "magics",
            Coloring::Unknown => "unknown",
        }
    }

    /// The colour of a facet; white if it has none.
    fn color(self, word: u16) -> [f32; 4] {
        let five = |shift: u16| f32::from(word >> shift & 31) / 31.;
        let low = [five(0), five(5), five(10)];
        match self {
            Coloring::VisCam if word & HIGHEST != 0 => [low[2], low[1], low[0], 1.],
            Coloring::Magics { whole } if word & HIGHEST != 0 => whole,
            Coloring::Magics { .. } => [low[0], low[1], low[2], 1.],
            _ => [1.; 4],
        }
    }

    /// A colour for every corner, if there are any.
    pub(super) fn corners(self, binary: &Binary) -> Option<Vec<f32>> {
        if matches!(self, Coloring::None | Coloring::Unknown) {
            return None;
        }
        let words = words(binary);
        let mut out = vec![0.; words.len() * 12];
        out.par_chunks_mut(12).zip(&words).with_min_len(1 << 12).for_each(|(row, word)| {
            let color = self.color(*word);
            row.chunks_mut(4).for_each(|corner| corner.copy_from_slice(&color));
        });
        Some(out)
    }
}

/// The attribute of every facet.
pub(super) fn words(binary: &Binary) -> Vec<u16> {
    let facets = binary.view();
    facets.wire::<LE>().unwrap_or_default().par_iter().map(|facet| facet.attribute.get()).collect()
}
