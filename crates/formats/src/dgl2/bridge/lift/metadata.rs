//! HEADER → what is said about the file as a whole; and what no scene holds.

use findings::Subject;
use scene::loss::LOSS_026;
use scene::{Name, Properties, Scene};
use wire::{Blob, Text};

use super::super::values::typed;
use crate::LiftCx;
use crate::dgl2::dml::{Dml, Pair, Token, TokenKind};
use crate::dgl2::layout::{Chunk, ChunkKind, Data, Document, Language};

pub(super) fn lift(doc: &Document, scene: &mut Scene) {
    let Some(header) = doc.chunks.first().filter(|chunk| chunk.kind == ChunkKind::HEADER) else { return };
    scene.metadata.title = Name::from(header.name.bytes());
    let Data::Bytes(data) = &header.data else { return };
    match properties_of(data) {
        Some(properties) => scene.metadata.properties = properties,
        None => scene.metadata.raw = data.to_vec(),
    }
}

/// What the data of HEADER say, if they are nothing but properties. The document leaves it open what they are.
fn properties_of(data: &Blob) -> Option<Properties> {
    let dml = Dml::read(&Text::from(data.clone()));
    let plain = |token: &Token| !matches!(token.kind, TokenKind::Rest | TokenKind::Comment);
    let clean = dml.faults().is_empty() && dml.tokens().iter().all(plain) && std::str::from_utf8(data).is_ok();
    let pair = |pair: &Pair| (Name::from(dml.bytes(&pair.name)), typed(dml.bytes(&pair.value)));
    (clean && !dml.pairs().is_empty()).then(|| dml.pairs().iter().map(pair).collect())
}

/// Lists the bytes that say something which nobody knows.
pub(super) fn lose_unexplained(doc: &Document, cx: &mut LiftCx<'_>) {
    let mut lose = |place: Subject, size: u64, what: &str, why: &str| {
        if size > 0 {
            cx.report_unless_carried(&LOSS_026, place, size, what, why);
        }
    };
    for (i, chunk) in doc.chunks.iter().enumerate() {
        let place = || Subject::structure("chunk", i, "");
        if is_unknown(i, chunk) {
            lose(place(), chunk.data.size().max(1) as u64, "bytes of a chunk", "nobody knows what it says");
        }
        let slack = match &chunk.data {
            Data::Trimesh(mesh) => &mesh.slack,
            Data::Material(material) => &material.slack,
            Data::Entity(entity) => &entity.slack,
            Data::Bytes(_) => &None,
        };
        let size = slack.as_ref().map_or(0, |slack| slack.len() as u64);
        lose(place(), size, "bytes", "no field of the format owns them");
    }
    let texts = doc.texts().filter(|_| doc.language == Language::Dml);
    for (i, text) in texts {
        let place = Subject::structure("chunk", i, "");
        lose(
            place,
            Dml::read(text).unexplained(),
            "bytes of text",
            "a scene has no comments, and they are no property",
        );
    }
    lose("tail".into(), doc.tail.len() as u64, "bytes", "no field of the format owns them");
}

/// Whether a chunk is nothing that a scene has.
fn is_unknown(index: usize, chunk: &Chunk) -> bool {
    match (chunk.kind, &chunk.data) {
        (ChunkKind::HEADER, _) => index > 0,
        (ChunkKind::END, data) => data.size() > 0,
        (_, Data::Bytes(_)) => true,
        _ => false,
    }
}
