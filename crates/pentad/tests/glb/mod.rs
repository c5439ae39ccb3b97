//! GLB files that somebody edited.

use serde_json::Value as Json;

/// The JSON of a GLB file, changed.
pub(crate) fn edited(glb: &[u8], edit: impl FnOnce(&mut Json)) -> Vec<u8> {
    let size = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut root: Json = serde_json::from_slice(&glb[20..20 + size]).unwrap();
    edit(&mut root);
    let mut text = root.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &glb[20 + size..];
    let length = (20 + text.len() + rest.len()) as u32;
    let head = [&glb[..8], &length.to_le_bytes(), &(text.len() as u32).to_le_bytes(), b"JSON"].concat();
    [&head[..], &text, rest].concat()
}
