//! Where meshes stand.

use wire::{Bulk, F32, Fault, Fixed, record};

use crate::dragon::layout::fields::{BodyReader, Name, Part, Vec3, body};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::layout::rotation::Rotation;
use crate::dragon::layout::words::RotationType;
use crate::dragon::variants::reading::Local;

body! {
    /// A geometry that stands somewhere.
    pub struct Object: 61 {
        /// A MATERIAL instead of those of its meshes; none keeps them.
        material: Guid = fixed as "guid",
        /// The GEOMETRY.
        geometry: Guid = fixed as "guid",
        /// How its rotation is stored.
        rotation_type: RotationType = rotation_type as "RotationType",
        /// Where it is.
        position: Vec3 = fixed as "vec3",
        /// How it is turned.
        rotation: Rotation = rotation as "T",
        /// How large it is.
        scale: Vec3 = fixed as "vec3",
    }
}

/// A geometry that stands in many places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// How the rotations of all placements are stored.
    pub rotation_type: RotationType,
    /// The GEOMETRY.
    pub geometry: Guid,
    /// Its places, by material.
    pub instances: Vec<InstanceGroup>,
}

body! { @table [" A geometry that stands in many places."] Instance {
    [" How the rotations of all placements are stored."] rotation_type "RotationType",
    [" The GEOMETRY."] geometry "guid",
    [" How many instances."] count "u32",
    [" Its places, by material."] instances "-> InstanceGroup[count]",
} }

impl Part for Instance {
    const NAME: &'static str = "Instance";
    const MIN: usize = 21;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Instance, Fault> {
        let rotation_type = r.rotation_type(Name("rotation_type", ""))?;
        let geometry = r.fixed(Name("geometry", ""))?;
        let count = r.size("count")?;
        let instances = r.list_of(Name("instances", "instances_offset"), count, Local::NONE)?;
        Ok(Instance { rotation_type, geometry, instances })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.rotation_type(Name("rotation_type", ""), &self.rotation_type)?;
        w.w.fixed(self.geometry);
        w.size("count", self.instances.len())?;
        w.list(Name("instances", "instances_offset"), &self.instances)
    }
}

/// Places that share a material: `instance` in the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceGroup {
    /// A MATERIAL instead of those of the meshes; none keeps them.
    pub material: Guid,
    /// The places.
    pub placements: Placements,
}

body! { @table [" Places that share a material: `instance` in the document."] InstanceGroup {
    [" A MATERIAL instead of those of the meshes; none keeps them."] material "guid",
    [" How many placements."] count "u32",
    [" The places: `instance_placement` in the document."] placements "-> Placement[count]",
} }

impl Part for InstanceGroup {
    const NAME: &'static str = "InstanceGroup";
    const MIN: usize = 20;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<InstanceGroup, Fault> {
        let material = r.fixed(Name("material", ""))?;
        let count: u32 = r.fixed(Name("count", ""))?;
        let placements = Placements::read(r, Name("placements", "placements_offset"), count as usize)?;
        Ok(InstanceGroup { material, placements })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.w.fixed(self.material);
        w.size("count", self.placements.len())?;
        self.placements.write(Name("placements", "placements_offset"), w)
    }
}

macro_rules! placements {
    ($($(#[doc = $doc:literal])* $Variant:ident $Placement:ident $KIND:ident $floats:literal,)*) => {
        /// Where the instances of a geometry stand, by how their rotations are stored.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Placements {
            $($(#[doc = $doc])* $Variant(Bulk<$Placement>),)*
        }

        $(record! {
            /// Where a copy stands.
            pub struct $Placement {
                /// Where it is.
                position: [F32; 3],
                /// How it is turned.
                rotation: [F32; $floats],
                /// How large it is.
                scale: [F32; 3],
            }
        })*

        impl Placements {
            /// How their rotations are stored.
            pub fn kind(&self) -> RotationType {
                match self {
                    $(Placements::$Variant(_) => RotationType::$KIND,)*
                }
            }

            /// How many there are.
            pub fn len(&self) -> usize {
                match self {
                    $(Placements::$Variant(placements) => placements.len(),)*
                }
            }

            /// Whether there is none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Where they lie, if nobody has changed them.
            pub fn lies(&self) -> Option<wire::Span> {
                match self {
                    $(Placements::$Variant(placements) => placements.lies(),)*
                }
            }

            /// One of them: position, rotation and scale.
            pub fn get(&self, index: usize) -> Option<(Vec3, Rotation, Vec3)> {
                match self {
                    $(Placements::$Variant(placements) => {
                        placements.get(index).map(|p| (p.position, Rotation::$Variant(p.rotation), p.scale))
                    })*
                }
            }

            fn read(r: &mut BodyReader<'_, '_>, name: Name, count: usize) -> Result<Placements, Fault> {
                match r.pass.rotation {
                    $(RotationType::$KIND => {
                        if RotationType::$KIND.is_matrix() && r.is(Local::MATOFF) {
                            let apart: Vec<Apart> = r.list_of(name, count, Local::INLPLACE)?;
                            let placements = apart.into_iter().map(|Apart { position, rotation, scale }| {
                                let mut floats = [F32::default(); $floats];
                                floats.copy_from_slice(rotation.floats());
                                $Placement { position, rotation: floats, scale }
                            });
                            return Ok(Placements::$Variant(placements.collect::<Vec<_>>().into()));
                        }
                        r.bulk_of(name, count, Local::INLPLACE).map(Placements::$Variant)
                    })*
                    _ => Ok(Placements::default()),
                }
            }

            fn write<'d>(&'d self, name: Name, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
                if !self.is_empty() {
                    w.rotations_are(self.kind()).map_err(|fault| fault.inside(name.0))?;
                }
                match self {
                    $(Placements::$Variant(placements) => w.bulk(name, placements),)*
                }
            }
        }
    };
}
placements! {
    /// Angles.
    Euler Vec3Placement VEC3 3,
    /// Quaternions.
    Quaternion QuaternionPlacement VEC4 4,
    /// Matrices of 3 by 3.
    Matrix3 Matrix3Placement MAT3 9,
    /// Matrices of 4 by 4.
    Matrix4 Matrix4Placement MAT4 16,
}

impl Default for Placements {
    fn default() -> Placements {
        Placements::Quaternion(Bulk::default())
    }
}

const _: () = assert!(<QuaternionPlacement as Fixed>::SIZE == 40);

/// A placement whose matrix lies elsewhere.
struct Apart {
    position: Vec3,
    rotation: Rotation,
    scale: Vec3,
}

impl Part for Apart {
    const NAME: &'static str = "Placement";
    const MIN: usize = 28;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Apart, Fault> {
        let position = r.fixed(Name("position", ""))?;
        let rotation = r.rotation(Name("rotation", "rotation_offset"))?;
        Ok(Apart { position, rotation, scale: r.fixed(Name("scale", ""))? })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.w.fixed(self.position);
        w.rotation(Name("rotation", ""), &self.rotation)?;
        w.w.fixed(self.scale);
        Ok(())
    }
}
