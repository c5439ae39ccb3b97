use findings::{Error, Result};
use scene::{Capabilities, SourceSpace};
use wire::Table;

/// What a format says about itself. Help texts, the support matrix and the reference pages are made from it.
pub struct Info {
    /// Its id: `danmodel`.
    pub id: &'static str,
    /// Its name: `DanmakuCore DanModel`.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// File extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// Prefix of its rule ids.
    pub prefix: &'static str,
    /// Its layouts, the one for new files first.
    pub dialects: &'static [DialectInfo],
    /// Whether this build reads it.
    pub read: bool,
    /// Whether this build writes it from a scene.
    pub write: bool,
    /// What it can hold, as this build writes it.
    pub capabilities: Capabilities,
    /// Its axes, unit and UV origin.
    pub space: SourceSpace,
    /// Options that concern files written in it.
    pub options: &'static [OptionInfo],
    /// Its structures, in the order of its document.
    pub tables: &'static [&'static Table],
    /// The ledger of its document's contradictions.
    pub spec: &'static str,
}

impl Info {
    /// What scenes are made to fit that are to be written in it.
    pub const fn target(&self) -> fit::Target {
        fit::Target::new(self.id, self.name, self.capabilities)
    }

    /// The dialect of newly written files.
    pub fn default_dialect(&self) -> &'static str {
        self.dialects.first().map_or("standard", |dialect| dialect.id)
    }

    /// The dialect that a changed file of dialect `id` goes out in: its own where that can be written, else the one
    /// that stands in for it.
    pub fn written(&self, id: &str) -> &'static str {
        match self.dialect(id) {
            Some(dialect) if dialect.write => dialect.id,
            Some(DialectInfo { engine: Engine::Fails { instead }, .. }) => instead,
            _ => self.default_dialect(),
        }
    }

    /// A dialect by its id.
    pub fn dialect(&self, id: &str) -> Option<&'static DialectInfo> {
        self.dialects.iter().find(|dialect| dialect.id == id)
    }

    /// What is said to who asks for a dialect that there is not.
    pub fn no_dialect(&self, asked: &str) -> Error {
        Error::usage(format!("{} has no dialect {asked}", self.name))
            .with_help(format!("it has {}", ids(self.dialects.iter())))
    }

    /// The dialect that is asked for, to be written.
    ///
    /// # Errors
    /// If it cannot be written; the help lists those that can.
    pub fn writable_dialect(&self, asked: &str) -> Result<&'static DialectInfo> {
        self.dialect(asked).filter(|dialect| dialect.write).ok_or_else(|| {
            Error::usage(format!("{} cannot be written in dialect \"{asked}\"", self.name)).with_help(format!(
                "it can be written in {}",
                ids(self.dialects.iter().filter(|dialect| dialect.write))
            ))
        })
    }
}

fn ids<'a>(dialects: impl Iterator<Item = &'a DialectInfo>) -> String {
    dialects.map(|dialect| dialect.id).collect::<Vec<_>>().join(", ")
}

/// The dialects of a format as a type, the one for new files first: the enum with `id` and `named`, and the table for
/// its [`Info`].
#[macro_export]
macro_rules! dialects {
    (
        $Format:ty;
        $(#[$meta:meta])*
        pub enum $Name:ident {
            $($Dialect:ident { id: $id:literal, about: $about:literal, write: $write:literal, engine: $engine:expr },)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Name {
            $(#[doc = concat!("`", $id, "`: ", $about, ".")] $Dialect,)*
        }

        impl $Name {
            /// All of them, the one for new files first.
            pub const ALL: &'static [$Name] = &[$($Name::$Dialect),*];
            pub(crate) const INFOS: &'static [$crate::DialectInfo] = &[$(
                $crate::DialectInfo { id: $id, about: $about, write: $write, engine: $engine },
            )*];

            /// Its id.
            pub const fn id(self) -> &'static str {
                match self {
                    $($Name::$Dialect => $id,)*
                }
            }

            /// The dialect with this id.
            ///
            /// # Errors
            /// If there is none.
            pub fn named(id: &str) -> findings::Result<$Name> {
                match id {
                    $($id => Ok($Name::$Dialect),)*
                    other => Err(<$Format as $crate::Format>::INFO.no_dialect(other)),
                }
            }
        }

        impl Default for $Name {
            fn default() -> $Name {
                $Name::ALL[0]
            }
        }
    };
}

/// One concrete byte layout of a format.
pub struct DialectInfo {
    /// Its id.
    pub id: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// Whether it can be written.
    pub write: bool,
    /// What the program behind the format makes of it.
    pub engine: Engine,
}

/// What the program behind a format makes of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// It loads it.
    Loads,
    /// It loads it, but for some of what the format holds: files that are made for it do without.
    LoadsWithout(&'static [Lack]),
    /// It cannot load it; the dialect it does load is named.
    Fails {
        /// The dialect to write instead; a dialect that cannot be written becomes this one when a file is changed.
        instead: &'static str,
    },
    /// There is no such program, or there are many.
    None,
}

/// What a program cannot load although its format holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Skins, morph targets and animations.
    Animations,
    /// Images that are not PNG.
    OtherImages,
    /// Images with a comma or brackets in their names.
    ListedNames,
}

/// An option for files written in a format: `--author NAME`.
#[derive(PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name, without dashes.
    pub name: &'static str,
    /// What stands behind it.
    pub value: &'static str,
    /// One sentence about it.
    pub about: &'static str,
}

/// The option of formats that name images by their paths.
pub const TEXTURES: OptionInfo = OptionInfo {
    name: "textures",
    value: "copy|reference",
    about: "copy writes what the model names beside OUT, reference writes paths as they are (default: what OUT finds \
            stays where it is, the rest is copied)",
};
