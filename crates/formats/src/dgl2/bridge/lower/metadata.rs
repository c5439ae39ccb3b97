//! What is said about the file as a whole → HEADER.

use scene::Scene;
use scene::loss::{LOSS_015, LOSS_042};
use wire::{Blob, Text};

use super::MOST_OF_A_NAME;
use super::text::Composer;
use crate::LowerCx;
use crate::dgl2::dialect::Dialect;
use crate::dgl2::layout::{Chunk, ChunkKind, Data};
use crate::names::speakable;

pub(super) fn lower(scene: &Scene, dialect: Dialect, cx: &mut LowerCx<'_>) -> Chunk {
    let title = &scene.metadata.title;
    let name = speakable(title, MOST_OF_A_NAME);
    if name != title.bytes() {
        cx.lose(&LOSS_042, "file", 1, "title", "DGL2 demands names that differ, in UTF-8");
    }
    let name = Text::from(Blob::memory(name));
    Chunk { kind: ChunkKind::HEADER, id: -1, name, data: Data::Bytes(data(scene, dialect, cx)) }
}

/// What a scene keeps of the data, or else properties of the file.
fn data(scene: &Scene, dialect: Dialect, cx: &mut LowerCx<'_>) -> Blob {
    let properties = &scene.metadata.properties;
    if scene.metadata.raw.is_empty() {
        let mut text = Composer::new(dialect, "file".into());
        text.properties(properties, |_| false);
        return text.finish(cx).blob().clone();
    }
    for (name, _) in properties {
        cx.lose(&LOSS_015, "file", 1, format!("property {name}"), "the header has data of another kind");
    }
    Blob::memory(scene.metadata.raw.clone())
}
