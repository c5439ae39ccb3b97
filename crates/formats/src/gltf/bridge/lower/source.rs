//! The file that the scene was made of, as it is, and what the scene says: whether it still does is what the way back
//! asks.

use findings::Result;
use scene::Fingerprints;
use serde_json::json;
use wire::Blob;

use super::Output;
use crate::carry::Original;
use crate::gltf::bridge::lift;
use crate::gltf::carry::{KEY, SOURCE, sha256};
use crate::gltf::layout::Document;
use crate::gltf::schema::{Accessor, Json, gl};
use crate::{Beside, BridgeCx, Package};

/// The extras of the root: where the bytes are.
pub(super) fn lower(out: &mut Output<'_, '_, '_>, original: &Original) -> Json {
    let mut entry = json!({ "format": original.format, "dialect": original.dialect });
    if let (Json::Object(entry), Json::Object(view)) = (&mut entry, lower_bytes(out, &original.bytes)) {
        entry.extend(view);
    }
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

/// Bytes in a view of their own. Programs that gather what accessors name leave other views out, so one names it.
pub(super) fn lower_bytes(out: &mut Output<'_, '_, '_>, bytes: &Blob) -> Json {
    let mut entry = json!({ "size": bytes.len(), "sha256": sha256(bytes) });
    // A view of no bytes is none in glTF.
    if !bytes.is_empty() && !out.cx.lean {
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

/// Adds what the scene says to whoever reads the document.
pub(super) fn print(package: &mut Package<Document>, original: &Original, cx: &BridgeCx<'_>) -> Result<()> {
    let prints = match &original.prints {
        Some(prints) => prints.clone(),
        None => {
            let beside = Beside::new(&package.side_files, cx.source);
            let mut reader = BridgeCx { limits: cx.limits.clone(), ..BridgeCx::new(&beside, cx.dialect) };
            Fingerprints::of(&lift(&package.document, &mut reader)?)
        }
    };
    let list = |prints: &[scene::Fingerprint]| prints.iter().map(ToString::to_string).collect::<Json>();
    let extras = package.document.root.edit().extras.as_mut();
    if let Some(entry) = extras.and_then(|extras| extras.get_mut(KEY)?.get_mut(SOURCE)) {
        entry["fingerprints"] = json!({
            "file": prints.file.to_string(),
            "nodes": list(&prints.nodes),
            "meshes": list(&prints.meshes),
            "materials": list(&prints.materials),
            "animations": list(&prints.animations),
        });
    }
    Ok(())
}
