use wire::{F32, Fault};

use crate::dragon::layout::fields::{BodyReader, Name, Part, Vec3, body};
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::layout::rotation::Rotation;
use crate::dragon::layout::words::{LightType, RotationType};
use crate::dragon::variants::reading::Local;

/// A light and where it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Light {
    /// How its rotation is stored.
    pub rotation_type: RotationType,
    /// The whole angle of a spot's cone, in degrees.
    pub fov: F32,
    /// Red, green and blue.
    pub color: Vec3,
    /// How strongly it shines.
    pub strength: F32,
    /// How it shines: `type` in the document.
    pub light_type: LightType,
    /// Where it is.
    pub position: Vec3,
    /// Where it looks: along its own -z.
    pub rotation: Rotation,
}

body! { @table [" A light and where it is."] Light {
    [" How its rotation is stored."] rotation_type "RotationType",
    [" The whole angle of a spot's cone, in degrees."] fov "f32",
    [" Red, green and blue."] color "vec3",
    [" How strongly it shines."] strength "f32",
    [" How it shines: `type` in the document."] light_type "LightType",
    [" Where it is."] position "vec3",
    [" Where it looks: along its own -z."] rotation "T",
} }

const TYPE: Name = Name("rotation_type", "");
const ROTATION: Name = Name("rotation", "rotation_offset");

/// Everything but rotations and their type: fov, color, strength, type, position.
const FIXED: usize = 33;

impl Part for Light {
    const NAME: &'static str = "Light";
    const MIN: usize = FIXED;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Light, Fault> {
        let (twice, late) = (r.is(Local::LIGHT2.and(Local::LIGHT_T2)), r.is(Local::LIGHT_LATE));
        if r.is(Local::LIGHT2.and(Local::LIGHT_NOTYPE)) {
            r.pass.rotation = type_by_size(r, if twice { 2 } else { 1 })?;
        } else if !late {
            r.rotation_type(TYPE)?;
        }
        let first = if twice { Some(r.rotation(Name("first_rotation", "first_rotation_offset"))?) } else { None };
        let mut light = Light {
            fov: r.fixed(Name("fov", ""))?,
            color: r.fixed(Name("color", ""))?,
            strength: r.fixed(Name("strength", ""))?,
            light_type: r.word(Name("light_type", ""))?,
            position: r.fixed(Name("position", ""))?,
            ..Light::default()
        };
        if late {
            r.rotation_type(TYPE)?;
        }
        light.rotation_type = r.pass.rotation;
        light.rotation = r.rotation(ROTATION)?;
        r.pass.first_rotation_differs = first.is_some_and(|first| first != light.rotation);
        Ok(light)
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.rotation_type(TYPE, &self.rotation_type)?;
        w.w.fixed(self.fov);
        w.w.fixed(self.color);
        w.w.fixed(self.strength);
        w.w.fixed(self.light_type);
        w.w.fixed(self.position);
        w.rotation(ROTATION, &self.rotation)
    }
}

/// Where no field says how rotations are stored, the size of the body does.
fn type_by_size(r: &BodyReader<'_, '_>, rotations: usize) -> Result<RotationType, Fault> {
    let size = r.r.remaining();
    let of = |kind: &RotationType| {
        let offset = if kind.is_matrix() && r.is(Local::MATOFF) { 4 } else { 0 };
        kind.floats().map(|floats| FIXED + rotations * (offset + floats * 4))
    };
    let fits = RotationType::EVERY.into_iter().find(|kind| of(kind) == Some(size));
    fits.ok_or_else(|| Fault::value(r.r.here(size), "a light of a known size", format!("{size} bytes")))
}
