//! What a primitive was before glTF's limits changed it, for the way back. Bulk data goes into the buffers; the JSON
//! only names it.

use scene::{Attribute, Indices, Stream, Topology};
use serde_json::json;
use wire::{Blob, Order};

use super::Output;
use crate::gltf::schema::{Json, Map};

/// A primitive as the source had it, so far as it changed.
#[derive(Default)]
pub(super) struct Original {
    pub(super) faces: Option<(Topology, Option<Indices>, Vec<u32>)>,
    /// Streams by the name glTF has for them.
    pub(super) attributes: Vec<(String, Stream)>,
}

impl Original {
    /// The entry of `extras.pentad`, if anything changed.
    pub(super) fn lower(self, out: &mut Output<'_, '_, '_>) -> Option<Json> {
        let mut all = Map::new();
        if let Some((topology, indices, corners)) = self.faces {
            all.insert("topology".into(), json!(topology.name()));
            if let Some(indices) = indices {
                all.insert("indices".into(), lower_stream(out, &indices.0));
            }
            if !corners.is_empty() {
                all.insert("corners".into(), lower_stream(out, &Stream::from_u32(1, corners)));
            }
        }
        if !self.attributes.is_empty() {
            let each = self.attributes.iter().map(|(name, stream)| (name.clone(), lower_stream(out, stream)));
            all.insert("attributes".into(), Json::Object(each.collect()));
        }
        (!all.is_empty()).then_some(Json::Object(all))
    }

    pub(super) fn remember(&mut self, name: &str, attribute: &Attribute) {
        if !self.attributes.iter().any(|(known, _)| known == name) {
            self.attributes.push((name.to_owned(), attribute.stream.clone()));
        }
    }
}

/// Stores a stream packed, otherwise as it is, and says how to read it.
pub(super) fn lower_stream(out: &mut Output<'_, '_, '_>, stream: &Stream) -> Json {
    let encoding = stream.encoding();
    let mut all = json!({
        "component": encoding.component.name(),
        "count": encoding.count,
        "elements": stream.len(),
        "order": if encoding.order == Order::Big { "big" } else { "little" },
    });
    // A buffer view of no bytes is none.
    if !stream.is_empty() && !out.cx.is_lean() {
        all["bufferView"] = json!(out.buffers.add(packed(stream), None, None));
    }
    for (key, set) in [("normalised", encoding.normalised), ("flip_v", encoding.flip_v)] {
        if set {
            all[key] = json!(true);
        }
    }
    all
}

fn packed(stream: &Stream) -> Blob {
    let encoding = stream.encoding();
    let size = encoding.element_size();
    if encoding.stride == size {
        return stream.data().slice(..stream.len() * size);
    }
    let mut rows = Vec::with_capacity(stream.len() * size);
    for i in 0..stream.len() {
        rows.extend_from_slice(&stream.data()[i * encoding.stride..][..size]);
    }
    Blob::memory(rows)
}
