//! The file that a model was made of, if it travels along and is what it was.

use findings::Place;
use scene::{Fingerprint, Fingerprints};
use wire::{Blob, Budget};

use super::data::Data;
use crate::carry::Carried;
use crate::gltf::about;
use crate::gltf::carry::{KEY, SOURCE, sha256};
use crate::gltf::layout::Document;
use crate::gltf::rules::GLTF_040;
use crate::gltf::schema::{Accessor, Json, gl};
use crate::{BridgeCx, ReadCx, SideFile, is_below};

/// Most files that a source may have beside it.
const MOST_FILES: usize = 4096;

/// The entry in the root's extras.
pub(super) fn entry(root: Option<&Json>) -> Option<&Json> {
    root?.get(KEY)?.get(SOURCE)
}

pub(in crate::gltf) fn carried(doc: &Document, cx: &mut BridgeCx<'_>) -> Option<Carried> {
    let Some(entry) = entry(doc.root.extras.as_ref()) else {
        let said = about::said(&doc.root, |extras| super::Carried::new(extras).take(about::FILE));
        if said.is_some_and(|(_, words)| words.contains_key(about::CARRIED)) {
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
    let prints = entry.get("fingerprints").and_then(fingerprints).ok_or("the fingerprints are in no known form")?;
    let format = crate::by_id(id).filter(|format| format.info().read);
    let format = format.ok_or_else(|| format!("there is no format \"{id}\" to read it in"))?;
    let bytes = bytes(entry, data)?;
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
    Ok(Carried { bytes, document, beside, prints })
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

fn fingerprints(json: &Json) -> Option<Fingerprints> {
    let print = |json: &Json| json.as_str()?.parse::<Fingerprint>().ok();
    let list = |key: &str| json.get(key)?.as_array()?.iter().map(print).collect::<Option<Vec<_>>>();
    Some(Fingerprints {
        file: print(json.get("file")?)?,
        nodes: list("nodes")?,
        meshes: list("meshes")?,
        materials: list("materials")?,
        animations: list("animations")?,
    })
}
