use crate::transform::same_bits;
use crate::{Extras, Name};

/// A light; it shines along its node's −Z. Its numbers compare by their bits.
#[derive(Clone, Debug)]
pub struct Light {
    /// Its name.
    pub name: Name,
    /// What kind.
    pub kind: LightKind,
    /// Its colour.
    pub color: [f32; 3],
    /// Its strength, in the unit of its kind.
    pub intensity: f32,
    /// Distance at which it ends, if it does.
    pub range: Option<f32>,
    /// What travels along.
    pub extras: Extras,
}

impl PartialEq for Light {
    fn eq(&self, other: &Light) -> bool {
        let said = |l: &Light| (l.name.clone(), l.kind, l.intensity.to_bits(), l.range.map(f32::to_bits));
        said(self) == said(other) && same_bits(&self.color, &other.color) && self.extras == other.extras
    }
}

/// How a light shines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// In all directions from a point.
    Point,
    /// In one direction from far away.
    Directional,
    /// In a cone: angles from its axis in radians.
    Spot {
        /// Where it begins to fade.
        inner: f32,
        /// Where it ends.
        outer: f32,
    },
    /// From everywhere.
    Ambient,
    /// From an area.
    Area,
}
