//! The file that a model was made of, if it travels along and is what it was.

use findings::Place;
use wire::{Blob, Budget};

use crate::carry::{Carried, Shaped};
use crate::gltf::about;
use crate::gltf::carry::{KEY, SOURCE, sha256};
use crate::gltf::data::Data;
use crate::gltf::layout::Document;
use crate::gltf::rules::GLTF_040;
use crate::gltf::schema::{Accessor, Json, Map, gl};
use crate::restore::recipe;
use crate::{LiftCx, ReadCx, SideFile, is_below};

/// Most files that a source may have beside it.
const MOST_FILES: usize = 4096;

/// The entry in the root's extras.
pub(super) fn entry(root: Option<&Json>) -> Option<&Json> {
    root?.get(KEY)?.get(SOURCE)
}

pub(in crate::gltf) fn carried(doc: &Document, cx: &mut LiftCx<'_>) -> Option<Carried> {
    let Some(entry) = entry(doc.root.extras.as_ref()) else {
        let said = about::said(&doc.root, |extras| super::Carried::new(extras).take(about::FILE));
        let held = |(_, mut words): (usize, Map<String, Json>)| {
            super::earlier::make_present(&mut words);
            words.get(about::HOLDS)?.get(about::SOURCE).cloned()
        };
        if said.and_then(held).is_some() {
            cx.find(
                &GLTF_040,
                Place::path("extras"),
                "the source that travelled in the file is gone: another program left it out",
            );
        }
        return None;
    };
    let data = Data::new(doc, cx.source, cx.limits.clone());
    match read(entry, &data, &cx.limits) {
        Ok(carried) => Some(carried),
        Err(why) => {
            let place = Place::path("extras").field(KEY).field(SOURCE);
            cx.find(&GLTF_040, place, format!("{why}; it is ignored"));
            None
        }
    }
}

fn read(entry: &Json, data: &Data<'_>, limits: &Budget) -> Result<Carried, String> {
    let word = |key: &str| entry.get(key).and_then(Json::as_str).ok_or_else(|| format!("{key} is no text"));
    let (id, dialect) = (word("format")?, word("dialect")?);
    let format = crate::by_id(id).filter(|format| format.info().read);
    let format = format.ok_or_else(|| format!("there is no format \"{id}\" to read it in"))?;
    let stored = bytes(entry, data)?;
    let recipe = entry.get("recipe");
    let bytes = match recipe {
        None => stored,
        Some(recipe) => made(recipe, &stored, data, limits)?,
    };
    let mut cx = ReadCx { limits: limits.clone(), ..ReadCx::default() };
    let document = format.read(bytes.clone(), &mut cx).map_err(|error| format!("it cannot be read: {error}"))?;
    if document.dialect() != dialect {
        return Err(format!("it is said to be in dialect \"{dialect}\", and is in {}", document.dialect()));
    }
    let files = match entry.get("beside") {
        None => &[][..],
        Some(files) => {
            files.as_array().filter(|files| files.len() <= MOST_FILES).ok_or("beside is no list of files")?
        }
    };
    let beside = files.iter().map(|file| {
        let name = file.get("name").and_then(Json::as_str).filter(|name| is_below(name));
        let name = name.ok_or("a file beside it has no name that leads below")?.to_owned();
        Ok(SideFile { name, bytes: self::bytes(file, data)? })
    });
    let beside = beside.collect::<Result<_, String>>()?;
    Ok(Carried { bytes, document, beside, shaped: shaped(entry), whole: recipe.is_none() })
}

/// Bytes by their hash: programs that know nothing of them number buffer views anew, and put what accessors name into
/// larger ones.
pub(super) fn bytes(entry: &Json, data: &Data<'_>) -> Result<Blob, String> {
    let number = |json: &Json| json.as_u64().and_then(|number| usize::try_from(number).ok());
    let size = entry.get("size").and_then(number).ok_or("size is no number")?;
    let hash = entry.get("sha256").and_then(Json::as_str).ok_or("sha256 is no text")?;
    let view = match entry.get("bufferView") {
        None => None,
        Some(json) => Some(number(json).ok_or("bufferView is no number")?),
    };
    if size == 0 {
        return Ok(Blob::default());
    }
    let views = &data.root.buffer_views;
    let others = (0..views.len()).filter(|other| Some(*other) != view);
    let fits = |view: &usize| views.get(*view).is_some_and(|view| view.byte_length == size);
    let whole = view.into_iter().chain(others).filter(fits).filter_map(|view| data.view(view).ok());
    let accessors = data.root.accessors.iter().enumerate();
    let bytes = |accessor: &Accessor| accessor.component_type == gl::UNSIGNED_BYTE && accessor.kind == "SCALAR";
    let named = accessors.filter(|(_, accessor)| accessor.count == size && bytes(accessor));
    let parts = named.filter_map(|(i, _)| data.stream(i).ok()).filter(|stream| stream.encoding().stride == 1);
    let parts = parts.filter_map(|stream| stream.data().get(0, size));
    let mut found = whole.map(|view| view.bytes).chain(parts).filter(|bytes| sha256(bytes) == hash);
    // What is read is a file of its own: places in it count from its first byte.
    let found = found.next().map(|bytes| Blob::file(bytes.into_bytes()));
    found.ok_or_else(|| format!("no buffer view has its {size} bytes"))
}

/// A source that was made of what the file says and of a rest. Where somebody changed what the file says, it differs.
fn made(entry: &Json, packed: &[u8], data: &Data<'_>, limits: &Budget) -> Result<Blob, String> {
    let size = entry.get("size").and_then(Json::as_u64).ok_or("size is no number")?;
    let hash = entry.get("sha256").and_then(Json::as_str).ok_or("sha256 is no text")?;
    if size > limits.max_inflate {
        return Err(format!("it has {size} bytes, and --max-inflate allows {}", limits.max_inflate));
    }
    let charged = limits.charge(size.saturating_mul(2));
    charged.map_err(|exceeded| exceeded.to_string())?;
    let size = usize::try_from(size).map_err(|_| "size is no number")?;
    let accessors = data.root.accessors.len();
    let made = recipe::read(packed, size, accessors, |at| data.stream(at).ok()).ok_or("its recipe leads nowhere")?;
    if made.is_foretold && sha256(&made.bytes) != hash {
        return Err("it is not what it was".to_owned());
    }
    Ok(Blob::file(made.bytes))
}

/// Options that shaped the file; earlier versions did not say them.
fn shaped(entry: &Json) -> Shaped {
    let words = entry.get("options").and_then(Json::as_object);
    let word = |(key, word): (&String, &Json)| Some((key.clone(), word.as_str()?.to_owned()));
    words.into_iter().flatten().filter_map(word).collect()
}
