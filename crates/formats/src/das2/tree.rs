//! Which byte is what.

use wire::{Blob, Kept, Node, Space, Span};

use super::document::{Compression, Document};
use super::form::Kind;
use super::layout::ORDER;
use super::structure::Structure;

pub(super) fn tree(doc: &Document) -> Vec<Node> {
    tree_with(doc, None)
}

/// A structure behind the others that is not whole: its kind, and what there is of it.
pub(super) type Cut = (Kind, Vec<Node>);

/// The same with a structure that is not whole.
pub(super) fn tree_with(doc: &Document, cut: Option<Cut>) -> Vec<Node> {
    let lists = |wanted: &dyn Fn(Kind) -> bool| lists(doc, wanted, cut.as_ref());
    let header = doc.header.node("header", ORDER, doc.form);
    let stored = doc.stored.as_ref();
    let body = match doc.compression {
        Compression::None | Compression::Zlib | Compression::Zstd => lists(&|_| true),
        Compression::Split | Compression::Tail => {
            let mut lists_before = lists(&|kind| !doc.in_frames(kind));
            let inside = lists(&|kind| doc.in_frames(kind));
            let packed = stored.map_or(Span::NOWHERE, |stored| stored.packed.span());
            let frames = Node::group("frames", "zstd frames", packed, inside);
            lists_before.push(inflating(frames, stored.map(|stored| &stored.inflated)));
            lists_before
        }
    };
    let ty = match doc.compression {
        Compression::Zlib => "zlib stream",
        Compression::Zstd => "zstd frames",
        Compression::None | Compression::Split | Compression::Tail => "structures",
    };
    let packed = stored.filter(|_| !matches!(doc.compression, Compression::Split | Compression::Tail));
    let span = match packed {
        Some(stored) => stored.packed.span(),
        None => around(&body),
    };
    let body = Node::group("body", ty, span, body);
    vec![header, inflating(body, packed.map(|stored| &stored.inflated))]
}

fn inflating(node: Node, inflated: Option<&Blob>) -> Node {
    match inflated {
        Some(inflated) => node.inflating_to(inflated.clone()),
        None => node,
    }
}

/// A list per kind, named by their ids.
fn lists(doc: &Document, wanted: &dyn Fn(Kind) -> bool, cut: Option<&Cut>) -> Vec<Node> {
    let list = |kind: Kind| {
        let own = doc.structures.iter().filter(|structure| structure.kind() == kind);
        let own = own.enumerate().map(|(id, structure)| node(doc, structure, kind, id));
        let cut = cut.filter(|(cut, _)| *cut == kind).map(|(_, nodes)| nodes.as_slice()).unwrap_or_default();
        let items: Vec<Node> = own.chain(cut.iter().cloned()).collect();
        (!items.is_empty()).then(|| Node::list(kind.list(), kind.word().unwrap_or_default(), items))
    };
    Kind::TOP.into_iter().filter(|kind| wanted(*kind)).filter_map(list).collect()
}

fn node(doc: &Document, structure: &Kept<Structure>, kind: Kind, id: usize) -> Node {
    let mut node = structure.node(format!("[{id}]"), ORDER, (doc.form, kind));
    node.ty = kind.word().unwrap_or_default().to_owned();
    node
}

fn around(nodes: &[Node]) -> Span {
    let placed = nodes.iter().map(|node| node.span).filter(|span| span.space == Space::File);
    let both = |a: Span, b: Span| {
        let offset = a.offset.min(b.offset);
        Span { offset, size: a.end().max(b.end()) - offset, ..a }
    };
    placed.reduce(both).unwrap_or(Span::NOWHERE)
}
