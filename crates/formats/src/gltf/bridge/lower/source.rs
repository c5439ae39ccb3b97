//! The file that the scene was made of, as it is, and what else shaped the file that is made: the way back makes it again.

use scene::{Encoding, Stream};
use serde_json::json;
use wire::Blob;

use super::Output;
use crate::carry::Original;
use crate::gltf::carry::{KEY, SOURCE, sha256};
use crate::gltf::data::Element;
use crate::gltf::schema::{Accessor, Json, Map, gl};
use crate::restore::recipe;

/// The extras of the root: where the bytes are.
pub(super) fn lower(out: &mut Output<'_, '_, '_>, original: &Original) -> Json {
    let mut entry = json!({ "format": original.format, "dialect": original.dialect });
    let recipe = if original.whole { None } else { recipe::write(&original.bytes, &streams(out)) };
    let stored = match recipe {
        None => original.bytes.clone(),
        Some(recipe) => {
            entry["recipe"] = json!({ "size": original.bytes.len(), "sha256": sha256(&original.bytes) });
            Blob::memory(recipe)
        }
    };
    if let (Json::Object(entry), Json::Object(view)) = (&mut entry, lower_bytes(out, &stored)) {
        entry.extend(view);
    }
    let shaped = original.shaped.iter().map(|(key, word)| (key.clone(), json!(word)));
    entry["options"] = Json::Object(shaped.collect::<Map<_, _>>());
    entry["pentad"] = json!(env!("CARGO_PKG_VERSION"));
    if !original.beside.is_empty() {
        let file = |file: &crate::SideFile| {
            let mut view = lower_bytes(out, &file.bytes);
            view["name"] = json!(file.name);
            view
        };
        entry["beside"] = original.beside.iter().map(file).collect();
    }
    json!({ KEY: { SOURCE: entry } })
}

/// The streams of the scene, and what was written of them.
fn streams(out: &Output<'_, '_, '_>) -> Vec<(Stream, usize, Stream)> {
    let one = |(at, stored): (usize, Stream)| {
        let accessor = &out.root.accessors[at];
        let view = accessor.buffer_view?;
        let element = Element::of(accessor)?;
        let packed = Encoding::packed(element.component, u8::try_from(element.count()).ok()?);
        let stride = out.buffers.stride(view).unwrap_or(packed.stride);
        let bytes = out.buffers.view(view)?.clone();
        Some((stored, at, Stream::new(bytes, accessor.count, Encoding { stride, ..packed })))
    };
    out.streams.written().into_iter().filter_map(one).collect()
}

/// Bytes in a view of their own. Programs that gather what accessors name leave other views out, so one names it.
pub(super) fn lower_bytes(out: &mut Output<'_, '_, '_>, bytes: &Blob) -> Json {
    let mut entry = json!({ "size": bytes.len(), "sha256": sha256(bytes) });
    // A view of no bytes is none in glTF.
    if !bytes.is_empty() && !out.cx.is_lean() {
        let view = out.buffers.add(bytes.clone(), None, None);
        out.root.accessors.push(Accessor {
            buffer_view: Some(view),
            component_type: gl::UNSIGNED_BYTE,
            count: bytes.len(),
            kind: "SCALAR".to_owned(),
            ..Accessor::default()
        });
        entry["bufferView"] = json!(view);
    }
    entry
}
