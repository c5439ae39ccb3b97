//! Accessors that say which of their elements differ.

use scene::{Component, Encoding, Stream};
use serde::Deserialize;
use wire::Blob;

use super::{Data, Found, Trouble};
use crate::gltf::rules::{GLTF_003, GLTF_014, GLTF_021};
use crate::gltf::schema::Json;

#[derive(Deserialize)]
struct Sparse {
    count: usize,
    indices: Indices,
    values: Values,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Indices {
    buffer_view: usize,
    #[serde(default)]
    byte_offset: usize,
    component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Values {
    buffer_view: usize,
    #[serde(default)]
    byte_offset: usize,
}

/// The stream with the elements that differ.
pub(super) fn apply(data: &Data<'_>, stream: Stream, json: &Json, path: &str) -> Found<Stream> {
    let path = format!("{path}.sparse");
    let sparse = Sparse::deserialize(json).map_err(|error| Trouble::new(&GLTF_003, &path, error.to_string()))?;
    let encoding = Encoding { stride: stream.encoding().element_size(), ..*stream.encoding() };
    let at = format!("{path}.indices");
    let component = super::component(sparse.indices.component_type);
    let Some(component @ (Component::U8 | Component::U16 | Component::U32)) = component else {
        let message = format!("indices of component type {} are unknown", sparse.indices.component_type);
        return Err(Trouble::new(&GLTF_021, at, message));
    };
    let Indices { buffer_view: view, byte_offset: offset, .. } = sparse.indices;
    let size = component.size();
    let bytes = data.elements(&data.view(view)?.bytes, offset, sparse.count, size, size, &at, view)?;
    let indices = Stream::new(bytes, sparse.count, Encoding::packed(component, 1)).to_u32();
    let at = format!("{path}.values");
    let Values { buffer_view: view, byte_offset: offset } = sparse.values;
    let size = encoding.stride;
    let values = data.elements(&data.view(view)?.bytes, offset, sparse.count, size, size, &at, view)?;

    data.make(&path, 0, (stream.len() * size) as u64)?;
    let mut out = vec![0; stream.len() * size];
    for (i, row) in out.chunks_exact_mut(size).enumerate() {
        row.copy_from_slice(&stream.data()[i * stream.encoding().stride..][..size]);
    }
    for (&index, value) in indices.iter().zip(values.chunks_exact(size)) {
        let Some(row) = out.chunks_exact_mut(size).nth(index as usize) else {
            let message = format!("element {index} is replaced, and there are {}", stream.len());
            return Err(Trouble::new(&GLTF_014, format!("{path}.indices"), message));
        };
        row.copy_from_slice(value);
    }
    Ok(Stream::new(Blob::memory(out), stream.len(), encoding))
}
