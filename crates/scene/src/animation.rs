use crate::transform::same_bits;
use crate::{Extras, Id, Name, Node};

/// What moves over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: Name,
    /// What moves.
    pub channels: Vec<Channel>,
    /// Frames per second, if the source counts frames.
    pub frame_rate: Option<f32>,
    /// What travels along.
    pub extras: Extras,
}

/// One property of one node over time. Keys compare by their bits.
#[derive(Clone, Debug)]
pub struct Channel {
    /// What moves; none if the source leaves it open.
    pub node: Option<Id<Node>>,
    /// Which of its properties.
    pub track: Track,
    /// Times of the keys in seconds.
    pub times: Vec<f32>,
    /// Values of the keys; with cubic interpolation in-tangent, value and out-tangent of each, as glTF has them.
    pub values: Vec<f32>,
    /// What lies between them.
    pub interpolation: Interpolation,
    /// Whether values are added to the rest pose instead of replacing it.
    pub relative: bool,
}

impl PartialEq for Channel {
    fn eq(&self, other: &Channel) -> bool {
        let said = |c: &Channel| (c.node, c.track.clone(), c.interpolation, c.relative);
        said(self) == said(other) && same_bits(&self.times, &other.times) && same_bits(&self.values, &other.values)
    }
}

/// A property that can move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Track {
    /// Three numbers.
    Translation,
    /// A quaternion, x y z w.
    Rotation,
    /// Three numbers.
    Scale,
    /// One number per morph target.
    Weights,
    /// Anything else: the source's word and its numbers per key.
    Other {
        /// The source's word.
        word: String,
        /// Numbers per key.
        width: u32,
    },
}

impl Track {
    /// The word reports use: glTF's, or the source's own.
    pub fn word(&self) -> &str {
        match self {
            Track::Translation => "translation",
            Track::Rotation => "rotation",
            Track::Scale => "scale",
            Track::Weights => "weights",
            Track::Other { word, .. } => word,
        }
    }
}

/// What lies between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interpolation {
    /// The earlier key.
    Step,
    /// A straight line; rotations turn evenly.
    Linear,
    /// Hermite splines with tangents, as glTF defines them.
    Cubic,
    /// A straight line walked unevenly: one Bezier curve from (0,0) to (1,1) for the whole track.
    Bezier {
        /// First control point.
        first: [f32; 2],
        /// Second control point.
        second: [f32; 2],
    },
    /// A straight line walked unevenly: an easing function.
    Eased(Easing, Ease),
}

/// The curve of an easing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Easing {
    /// Sine.
    Sine,
    /// Second power.
    Quadratic,
    /// Third power.
    Cubic,
    /// Fourth power.
    Quartic,
    /// Fifth power.
    Quintic,
}

/// Where an easing is slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ease {
    /// At the start.
    In,
    /// At the end.
    Out,
    /// At both.
    InOut,
}
