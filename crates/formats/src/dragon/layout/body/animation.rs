use wire::{Bulk, CText, F32, Fault};

use crate::dragon::layout::fields::{BodyReader, Name, Part, body};
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::layout::words::{AnimationType, Sampling, Smoothing};
use crate::dragon::variants::reading::Local;

/// How one thing about a bone moves: frames of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AniTrack {
    /// What moves: `POSITION`, `ROTATION`, `SCALE` and other words.
    pub target: CText,
    /// What the numbers are measured from.
    pub animation_type: AnimationType,
    /// How it moves from frame to frame.
    pub sampling_type: Sampling,
    /// At which end that is eased.
    pub smoothing_type: Smoothing,
    /// The curve, if sampling_type is Bezier.
    pub bezier: Option<Bezier>,
    /// Numbers of one frame.
    pub width: u8,
    /// The numbers of all frames.
    pub data: Bulk<F32>,
}

/// The inner points of a curve from (0, 0) to (1, 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bezier {
    /// The second point.
    pub d1: [F32; 2],
    /// The third point.
    pub d2: [F32; 2],
}

body! { @table [" How one thing about a bone moves: frames of numbers."] AniTrack {
    [" What moves: `POSITION`, `ROTATION`, `SCALE` and other words."] target "cstring",
    [" What the numbers are measured from."] animation_type "AnimationType",
    [" How it moves from frame to frame."] sampling_type "Sampling",
    [" At which end that is eased."] smoothing_type "Smoothing",
    [" The second point of the curve, if sampling_type is Bezier."] d1 "vec2",
    [" The third point of the curve, if sampling_type is Bezier."] d2 "vec2",
    [" Numbers of one frame."] width "u8",
    [" The numbers of all frames."] data "-> f32[count]",
} }

impl AniTrack {
    /// How many whole frames there are.
    pub fn frames(&self) -> usize {
        self.data.len().checked_div(self.width.into()).unwrap_or(0)
    }
}

impl Part for AniTrack {
    const NAME: &'static str = "AniTrack";
    const MIN: usize = 3;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<AniTrack, Fault> {
        let target = r.text(Name("target", ""))?;
        let animation_type = r.word(Name("animation_type", ""))?;
        let mut track = AniTrack { target, animation_type, ..AniTrack::default() };
        if !r.pass.reading.of_2019 {
            track.sampling_type = r.word(Name("sampling_type", ""))?;
            track.smoothing_type = r.word(Name("smoothing_type", ""))?;
            let curved = track.sampling_type == Sampling::BEZIER;
            if curved || r.is(Local::DALL) {
                let bezier = Bezier { d1: r.fixed(Name("d1", ""))?, d2: r.fixed(Name("d2", ""))? };
                track.bezier = curved.then_some(bezier);
            }
        }
        track.width = r.fixed(Name("width", ""))?;
        let width = usize::from(track.width);
        let count = if r.is(Local::FRAMES) { r.pass.count.saturating_mul(width) } else { r.pass.count };
        r.pass.expect(width > 0 && count.is_multiple_of(width));
        track.data = r.bulk_of(Name("data", "data_offset"), count, Local::NONE)?;
        Ok(track)
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.text(Name("target", ""), &self.target)?;
        w.w.fixed(self.animation_type);
        w.w.fixed(self.sampling_type);
        w.w.fixed(self.smoothing_type);
        match (&self.bezier, self.sampling_type == Sampling::BEZIER) {
            (Some(Bezier { d1, d2 }), true) => {
                w.w.fixed(*d1);
                w.w.fixed(*d2);
            }
            (None, false) => {}
            (Some(_), false) => {
                return Err(Fault::value(w.w.here(), "no curve, as sampling is none", "one").inside("d1"));
            }
            (None, true) => return Err(Fault::value(w.w.here(), "a curve, as sampling is one", "none").inside("d1")),
        }
        w.w.fixed(self.width);
        w.bulk(Name("data", "data_offset"), &self.data)
    }
}
