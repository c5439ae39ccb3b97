//! Bones, what hangs on them, and what moves them.

use wire::{Bool8, Bulk, CText, F32, Fault, record};

use crate::dragon::layout::fields::{BodyReader, Name, Part, Vec3, body};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::layout::rotation::Rotation;
use crate::dragon::layout::words::RotationType;
use crate::dragon::variants::reading::Local;

body! {
    /// Bones at rest.
    pub struct Skeleton: 6 {
        /// What it is called.
        name: CText = text as "cstring",
        /// How the rotations of all bones are stored.
        rotation_type: RotationType = rotation_type as "RotationType",
        /// The bones.
        bones: Vec<Bone> = list as "-> Bone[count]",
    }
}

/// A bone at rest, relative to its parent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bone {
    /// What it is called.
    pub name: CText,
    /// Whether it is in use.
    pub enabled: Bool8,
    /// The bone it hangs on, -1 for none.
    pub parent: i32,
    /// Where it is; matrices leave no room for it.
    pub position: Option<Vec3>,
    /// How it is turned; a matrix of 4 by 4 is the whole transform.
    pub rotation: Rotation,
    /// How large it is; matrices leave no room for it.
    pub scale: Option<Vec3>,
}

body! { @table [" A bone at rest, relative to its parent."] Bone {
    [" What it is called."] name "cstring",
    [" Whether it is in use."] enabled "bool",
    [" The bone it hangs on, -1 for none."] parent "i32",
    [" Where it is, unless rotations are matrices."] position "vec3",
    [" How it is turned: T is rotation_type. A matrix of 4 by 4 is the whole transform."] rotation "T",
    [" How large it is, unless rotations are matrices."] scale "vec3",
} }

impl Part for Bone {
    const NAME: &'static str = "Bone";
    /// A name of nothing, and a matrix named by an offset.
    const MIN: usize = 10;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Bone, Fault> {
        let name = r.text(Name("name", ""))?;
        let enabled = r.truth(Name("enabled", ""))?;
        let parent = r.fixed(Name("parent", ""))?;
        let placed = !r.pass.rotation.is_matrix() || r.is(Local::BONEALL);
        let position = if placed { Some(r.fixed(Name("position", ""))?) } else { None };
        let rotation = r.rotation(Name("rotation", "rotation_offset"))?;
        let scale = if placed { Some(r.fixed(Name("scale", ""))?) } else { None };
        Ok(Bone { name, enabled, parent, position, rotation, scale })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.text(Name("name", ""), &self.name)?;
        w.w.fixed(self.enabled);
        w.w.fixed(self.parent);
        let placed = !self.rotation.kind().is_matrix();
        let present = |part: &Option<Vec3>, name: &str| match part {
            Some(part) if placed => Ok(Some(*part)),
            None if !placed => Ok(None),
            // Files that store them anyway are read; the canonical layout has no room.
            Some(_) => Ok(None),
            None => Err(Fault::value(w.w.here(), "a value, as rotations are no matrices", "none").inside(name)),
        };
        let (position, scale) = (present(&self.position, "position")?, present(&self.scale, "scale")?);
        position.into_iter().for_each(|position| w.w.fixed(position));
        w.rotation(Name("rotation", ""), &self.rotation)?;
        scale.into_iter().for_each(|scale| w.w.fixed(scale));
        Ok(())
    }
}

body! {
    /// A place where things can be attached.
    pub struct Socket: 37 {
        /// What it is called.
        name: CText = text as "cstring",
        /// How its rotation is stored.
        rotation_type: RotationType = rotation_type as "RotationType",
        /// Where it is, relative to its bone.
        offset: Vec3 = fixed as "vec3",
        /// How it is turned.
        rotation: Rotation = rotation as "T",
        /// The SKELETON.
        skeleton: Guid = fixed as "guid",
        /// The bone, -1 for none.
        bone: i32 = fixed as "i32",
    }
}

/// Tracks, and the bones they move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Animate {
    /// Frames per second.
    pub framerate: F32,
    /// The SKELETON.
    pub skeleton: Guid,
    /// The tracks.
    pub tracks: Bulk<Track>,
}

body! { @table [" Tracks, and the bones they move."] Animate {
    [" Frames per second."] framerate "f32",
    [" The SKELETON."] skeleton "guid",
    [" The tracks."] tracks "-> Track[count]",
} }

record! {
    /// A track and the bone it moves.
    pub struct Track {
        /// The bone, -1 for none.
        bone: i32,
        /// The ANITRACK.
        track: Guid,
    }
}

record! {
    /// A track that says nothing of bones.
    struct UnboundTrack {
        track: Guid,
    }
}

impl Part for Animate {
    const NAME: &'static str = "Animate";
    const MIN: usize = 20;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Animate, Fault> {
        let framerate = r.fixed(Name("framerate", ""))?;
        let skeleton = r.fixed(Name("skeleton", ""))?;
        let name = Name("tracks", "tracks_offset");
        let tracks = if r.is(Local::ANIGUID) {
            let tracks: Bulk<UnboundTrack> = r.bulk(name)?;
            let unbound: Vec<Track> = tracks.iter().map(|UnboundTrack { track }| Track { bone: -1, track }).collect();
            unbound.into()
        } else {
            r.bulk(name)?
        };
        Ok(Animate { framerate, skeleton, tracks })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.w.fixed(self.framerate);
        w.w.fixed(self.skeleton);
        w.bulk(Name("tracks", "tracks_offset"), &self.tracks)
    }
}
