use std::path::Path;

use findings::render::json::{Entry, PlaceEntry};
use findings::{Error, ErrorKind, Finding, Place, Result};
use formats::{Counts, Fact, FileKind, NamedFile};
use scene::ImageSource;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::tables::{self, AnimationRow, ImageRow, MaterialRow, MeshRow};
use super::{float, odd_bytes, odd_path, text};
use crate::{Asset, File};

/// `info --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Info {
    /// `pentad/info/1`.
    pub schema: &'static str,
    /// The path as given.
    pub file: String,
    /// Its bytes in hex, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<String>,
    /// Format id; null if no format recognises the content.
    pub format: Option<&'static str>,
    /// Dialect id; null if the file cannot be read.
    pub dialect: Option<&'static str>,
    /// Size of the file; null if it cannot be opened.
    pub bytes: Option<u64>,
    /// How many of everything the document stores; null where that needs a pass over the data (`--quick`), or if the
    /// file cannot be read.
    pub counts: Counts,
    /// World-space box in scene axes and metres; null when empty or with `--quick`.
    pub bounds: Option<Bounds>,
    /// Axes, unit and UV origin of the file; null if it cannot be read.
    pub space: Option<Space>,
    /// Names, one per object, empty for those without.
    pub names: Names,
    /// Textures the model names; null with `--quick`.
    pub textures: Option<NamedFiles>,
    /// Other files the model names: materials, libraries, buffers, meshes and scenes; null with `--quick`.
    pub files: Option<NamedFiles>,
    /// Every mesh of the scene; null with `--quick`.
    pub meshes: Option<Vec<MeshRow>>,
    /// Every material of the document; null if it cannot be read.
    pub materials: Option<Vec<MaterialRow>>,
    /// Every image, embedded or named; null with `--quick`.
    pub images: Option<Vec<ImageRow>>,
    /// Every animation of the scene; null with `--quick`.
    pub animations: Option<Vec<AnimationRow>>,
    /// Why the file cannot be read; then everything that would be known from reading it is null or empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorEntry>,
    /// Further facts of the format.
    #[serde(flatten)]
    pub further: Map<String, Json>,
}

/// A box.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bounds {
    /// Smallest corner.
    pub min: [f64; 3],
    /// Largest corner.
    pub max: [f64; 3],
}

/// Axes, unit and UV origin of a file.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Space {
    /// `+Y +Z +X -Y -Z -X`.
    pub up: &'static str,
    /// `right` or `left`.
    pub handedness: &'static str,
    /// `metre` or `unknown`.
    pub unit: &'static str,
    /// `top`, `bottom` or `unknown`.
    pub uv_origin: &'static str,
}

/// Names of a document's objects. A list `…_bytes` stands beside one in which some name is not UTF-8.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Default)]
#[allow(missing_docs)]
pub struct Names {
    pub meshes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meshes_bytes: Option<Vec<Option<String>>>,
    pub nodes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_bytes: Option<Vec<Option<String>>>,
    pub materials: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub materials_bytes: Option<Vec<Option<String>>>,
    pub animations: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub animations_bytes: Option<Vec<Option<String>>>,
}

/// Why a file cannot be read.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorEntry {
    /// Rule id; `explain` has its page.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub place: PlaceEntry,
    /// What to do about it.
    pub help: String,
}

impl From<&Error> for ErrorEntry {
    fn from(error: &Error) -> ErrorEntry {
        let Entry { rule, message, place, help, .. } = Entry::from(&Finding::from(error));
        // What the machine said is not part of the message.
        let message = if error.kind() == ErrorKind::Io { error.to_string() } else { message };
        ErrorEntry { rule, message, place, help }
    }
}

/// Files a model names.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedFiles {
    /// Those that were found.
    pub found: Vec<String>,
    /// Those that were not.
    pub missing: Vec<String>,
}

/// What a file is. A `quick` look touches structure only.
///
/// # Errors
/// If the document's parts contradict each other so that no scene can be made of them.
pub fn info(asset: &Asset, quick: bool) -> Result<Info> {
    let mut facts = asset.document().facts(!quick);
    let (scene, shown) = if quick { None } else { Some(asset.both_scenes()?) }.unzip();
    // Of a file that other programs show differently the box is what they show.
    let bounds = match shown.flatten().as_ref().or(scene.as_ref()) {
        Some(shown) => shown.bounds_within(&asset.limits()).map_err(|e| Error::exceeded(Place::file(), e))?,
        None => None,
    };
    let textures = scene.as_ref().map(|scene| {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for image in scene.images.iter() {
            match &image.source {
                ImageSource::File { path, bytes: Some(_) } => found.push(path.to_string()),
                ImageSource::File { path, bytes: None } => missing.push(path.to_string()),
                ImageSource::Embedded { .. } => found.push(image.name.to_string()),
            }
        }
        NamedFiles { found, missing }
    });
    let files = (!quick).then(|| {
        let named = asset.document().named(&*asset.source()).into_iter();
        let (found, missing): (Vec<_>, Vec<_>) =
            named.filter(|file| file.kind != FileKind::Texture).partition(|file| file.bytes.is_some());
        let paths = |files: Vec<NamedFile>| files.into_iter().map(|file| file.path).collect();
        NamedFiles { found: paths(found), missing: paths(missing) }
    });
    // Where textures are named in files beside the document, only the scene knows them.
    let named = textures.as_ref().map(|textures| {
        let mut all: Vec<&String> = textures.found.iter().chain(&textures.missing).collect();
        all.sort();
        all.dedup();
        all.len() as u64
    });
    facts.counts.textures = facts.counts.textures.or(named);
    facts.counts.images = facts.counts.images.or(named);
    let texts = |names: &[Vec<u8>]| names.iter().map(|name| text(name)).collect();
    let odd = |names: &[Vec<u8>]| {
        let hex: Vec<Option<String>> = names.iter().map(|name| odd_bytes(name)).collect();
        hex.iter().any(Option::is_some).then_some(hex)
    };
    let names = &facts.names;
    Ok(Info {
        schema: "pentad/info/1",
        file: asset.file().name().to_owned(),
        file_bytes: odd_path(asset.file().path()),
        format: Some(asset.format().id),
        dialect: Some(asset.document().dialect()),
        bytes: Some(asset.file().bytes().len() as u64),
        counts: facts.counts,
        bounds: bounds.map(|b| Bounds { min: b.min.to_array(), max: b.max.to_array() }),
        space: Some(Space {
            up: facts.space.up.name(),
            handedness: facts.space.handedness.name(),
            unit: facts.space.unit.name(),
            uv_origin: facts.space.uv_origin.name(),
        }),
        names: Names {
            meshes: texts(&names.meshes),
            meshes_bytes: odd(&names.meshes),
            nodes: texts(&names.nodes),
            nodes_bytes: odd(&names.nodes),
            materials: texts(&names.materials),
            materials_bytes: odd(&names.materials),
            animations: texts(&names.animations),
            animations_bytes: odd(&names.animations),
        },
        textures,
        files,
        meshes: scene.as_ref().map(|scene| tables::meshes(scene, &facts.meshes)),
        materials: Some(names.materials.iter().map(|name| MaterialRow { name: text(name) }).collect()),
        images: scene.as_ref().map(tables::images),
        animations: scene.as_ref().map(tables::animations),
        error: None,
        further: further(facts.further),
    })
}

/// What is known of a file that cannot be read, or not even opened.
pub fn unreadable(path: &Path, file: Option<&File>, error: &Error) -> Info {
    let format = file.and_then(File::format);
    Info {
        schema: "pentad/info/1",
        file: path.to_string_lossy().into_owned(),
        file_bytes: odd_path(Some(path)),
        format: format.map(|format| format.info().id),
        dialect: None,
        bytes: file.map(|file| file.bytes().len() as u64),
        counts: Counts::default(),
        bounds: None,
        space: None,
        names: Names::default(),
        textures: None,
        files: None,
        meshes: None,
        materials: None,
        images: None,
        animations: None,
        error: Some(ErrorEntry::from(error)),
        further: Map::new(),
    }
}

pub(super) fn further(facts: Vec<(&'static str, Fact)>) -> Map<String, Json> {
    let mut map = Map::new();
    for (key, fact) in facts {
        let value = match fact {
            Fact::Text(bytes) => {
                if let Some(hex) = odd_bytes(&bytes) {
                    map.insert(format!("{key}_bytes"), hex.into());
                }
                text(&bytes).into()
            }
            Fact::Count(count) => count.into(),
            Fact::Float(number) => float(number.to_string()),
            Fact::Words(words) => words.into(),
        };
        map.insert(key.to_owned(), value);
    }
    map
}
