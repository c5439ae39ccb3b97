//! The layouts a section may be in: the document taken canonically, and its alternatives.
//!
//! A [`Reading`] is a file-wide [`Base`] (how arrays name their elements) and a set of [`Local`] departures.

use crate::dragon::layout::kind::Kind;

/// How an array names its elements, in the whole file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Base {
    /// By their distance from the first byte of the number that says so.
    #[default]
    Field,
    /// Not at all: they stand there themselves.
    Inline,
    /// By their distance from behind the number.
    After,
    /// By their distance from the section's first byte.
    Section,
    /// By their distance from the first byte behind the section header.
    Body,
    /// By their distance from the first byte of the file.
    File,
}

impl Base {
    /// Every one, in the order in which they are tried.
    pub(crate) const ALL: [Base; 6] = [Base::Field, Base::Inline, Base::After, Base::Section, Base::Body, Base::File];

    /// What it costs to take it for the one that was meant.
    pub(crate) fn cost(self) -> u64 {
        u64::from(self != Base::Field)
    }

    /// Its id, unless it is the canonical one.
    pub(crate) fn id(self) -> Option<&'static str> {
        Some(match self {
            Base::Field => return None,
            Base::Inline => "V-INLINE",
            Base::After => "V-BASE4",
            Base::Section => "V-BASESEC",
            Base::Body => "V-BASEBODY",
            Base::File => "V-BASEFILE",
        })
    }
}

/// Departures of single sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Local(u32);

macro_rules! locals {
    ($($(#[doc = $doc:literal])* $NAME:ident $bit:literal $id:literal;)*) => {
        impl Local {
            $($(#[doc = $doc])* pub(crate) const $NAME: Local = Local(1 << $bit);)*
            const IDS: &'static [(Local, &'static str)] = &[$((Local::$NAME, $id),)*];
        }
    };
}

locals! {
    /// Reading goes on behind the elements of an array.
    SEQ 0 "V-SEQ";
    /// The attributes of a vertex buffer stand where their offset should.
    INLATTR 1 "V-INLATTR";
    /// The placements of an instance stand where their offset should.
    INLPLACE 2 "V-INLPLACE";
    /// The value of a setting stands where its offset should.
    INLVAL 3 "V-INLVAL";
    /// Voxels stand where their offset should.
    INLVOXEL 4 "V-INLINE";
    /// A vertex buffer counts vertices.
    VCOUNT 5 "V-VCOUNT";
    /// A track counts frames.
    FRAMES 6 "V-FRAMES";
    /// A track always has d1 and d2.
    DALL 7 "V-DALL";
    /// Bones always have position and scale.
    BONEALL 8 "V-BONEALL";
    /// Matrices are named by an offset.
    MATOFF 9 "V-MATOFF";
    /// An animation lists the names of tracks alone.
    ANIGUID 10 "V-ANIGUID";
    /// A light as printed: a rotation first and last, and no type.
    LIGHT2 11 "V-LIGHT2";
    /// A light with a type and two rotations.
    LIGHT_T2 12 "V-LIGHT-T2";
    /// A light with one rotation and no type.
    LIGHT_NOTYPE 13 "V-LIGHT-NOTYPE";
    /// A light whose type stands right before its rotation.
    LIGHT_LATE 14 "V-LIGHT-LATE";
    /// Of 2019: the meaning of an attribute is one byte.
    SEMANTIC8 15 "V-H36";
}

impl Local {
    /// None.
    pub(crate) const NONE: Local = Local(0);

    pub(crate) const fn and(self, other: Local) -> Local {
        Local(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Local) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn cost(self) -> u64 {
        u64::from(self.0.count_ones())
    }

    /// The ids of all departures.
    pub(crate) fn ids(self) -> impl Iterator<Item = &'static str> {
        Local::IDS.iter().filter(move |(local, _)| self.has(*local)).map(|(_, id)| *id)
    }
}

/// The layout a section is read in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) base: Base,
    pub(crate) local: Local,
    /// Whether the file is of 2019: fewer fields in GEOMETRY, TEXTURE and ANITRACK.
    pub(crate) of_2019: bool,
}

impl Reading {
    pub(crate) fn is_canonical(self) -> bool {
        self == Reading::default()
    }
}

/// The alternatives of a kind, cheapest first; the canonical layout comes before all of them.
pub(crate) fn alternatives(kind: Kind, of_2019: bool) -> &'static [Local] {
    const BONE: &[Local] = &[Local::BONEALL, Local::MATOFF, Local::BONEALL.and(Local::MATOFF)];
    const VERTEX: &[Local] =
        &[Local::VCOUNT, Local::SEQ, Local::INLATTR, Local::SEQ.and(Local::VCOUNT), Local::INLATTR.and(Local::VCOUNT)];
    const VERTEX_2019: &[Local] = &[
        Local::SEMANTIC8,
        Local::VCOUNT,
        Local::SEQ,
        Local::INLATTR,
        Local::SEMANTIC8.and(Local::VCOUNT),
        Local::SEMANTIC8.and(Local::SEQ),
        Local::SEMANTIC8.and(Local::INLATTR),
        Local::SEQ.and(Local::VCOUNT),
        Local::INLATTR.and(Local::VCOUNT),
        Local::SEMANTIC8.and(Local::SEQ).and(Local::VCOUNT),
        Local::SEMANTIC8.and(Local::INLATTR).and(Local::VCOUNT),
    ];
    const INSTANCE: &[Local] = &[
        Local::SEQ,
        Local::INLPLACE,
        Local::MATOFF,
        Local::SEQ.and(Local::MATOFF),
        Local::INLPLACE.and(Local::MATOFF),
    ];
    const TRACK: &[Local] = &[Local::FRAMES, Local::DALL, Local::FRAMES.and(Local::DALL)];
    const LIGHT: &[Local] = &[
        Local::LIGHT2,
        Local::LIGHT_T2,
        Local::LIGHT_NOTYPE,
        Local::LIGHT_LATE,
        Local::MATOFF,
        Local::LIGHT2.and(Local::MATOFF),
        Local::LIGHT_T2.and(Local::MATOFF),
        Local::LIGHT_NOTYPE.and(Local::MATOFF),
        Local::LIGHT_LATE.and(Local::MATOFF),
    ];
    match kind {
        Kind::Settings => &[Local::SEQ, Local::INLVAL],
        Kind::Skeleton => BONE,
        Kind::Vertex if of_2019 => VERTEX_2019,
        Kind::Vertex => VERTEX,
        Kind::Socket | Kind::Object => &[Local::MATOFF],
        Kind::Instance => INSTANCE,
        Kind::Light => LIGHT,
        Kind::VoxelObj => &[Local::INLVOXEL],
        Kind::Animate => &[Local::ANIGUID],
        Kind::AniTrack => TRACK,
        _ => &[],
    }
}
