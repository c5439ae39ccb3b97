use std::collections::BTreeMap;

use serde::Serialize;

/// `formats --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Formats {
    /// `pentad/formats/1`.
    pub schema: &'static str,
    /// Every format of this build.
    pub formats: Vec<Format>,
}

/// One format.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Format {
    /// Its id.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// File extensions, without the dot.
    pub extensions: Vec<&'static str>,
    /// Whether this build reads it.
    pub read: bool,
    /// Whether this build writes it from any scene.
    pub write: bool,
    /// Its layouts.
    pub dialects: Vec<Dialect>,
    /// What it can hold, as this build writes it.
    pub capabilities: BTreeMap<&'static str, String>,
}

/// One layout.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dialect {
    /// Its id.
    pub id: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// Whether this build reads it.
    pub read: bool,
    /// Whether this build writes it.
    pub write: bool,
    /// Whether new files are written in it.
    pub default: bool,
}

/// Every format of this build.
pub fn formats() -> Formats {
    let formats = formats::FORMATS.iter().map(|format| {
        let info = format.info();
        let dialect = |(i, d): (usize, &formats::DialectInfo)| Dialect {
            id: d.id,
            about: d.about,
            read: info.read,
            write: info.write && d.write,
            default: i == 0,
        };
        Format {
            id: info.id,
            name: info.name,
            about: info.about,
            extensions: info.extensions.to_vec(),
            read: info.read,
            write: info.write,
            dialects: info.dialects.iter().enumerate().map(dialect).collect(),
            capabilities: info.capabilities.rows().into_iter().collect(),
        }
    });
    Formats { schema: "pentad/formats/1", formats: formats.collect() }
}
