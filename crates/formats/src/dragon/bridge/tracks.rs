//! What both ways know of tracks: a track is a value per frame.

/// What targets of morph tracks begin with; the name of the morph follows.
pub(super) const MORPH: &str = "MORPH:";

/// When a frame is shown, in seconds.
pub(super) fn time(frame: usize, rate: f32) -> f32 {
    (frame as f64 / f64::from(rate)) as f32
}
