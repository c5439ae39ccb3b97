//! Which field owns which byte.

use std::collections::BTreeMap;

use wire::{Node, Space, Span};

/// The bytes of every field with nothing inside. Arrays are one field; fields that share bytes own none.
fn leaves(nodes: &[Node], out: &mut BTreeMap<Space, Vec<(Span, String)>>, path: &str) {
    for node in nodes.iter().filter(|node| !node.shares) {
        let path = format!("{path}.{}", node.name);
        let children = node.children().unwrap_or_else(|fault| panic!("{path} cannot be expanded: {fault}"));
        // A compressed body owns its bytes; what is inside lies in what they inflate to.
        if node.is_leaf() {
            out.entry(node.span.space).or_default().push((node.span, path.clone()));
        }
        if let Some(inflated) = node.inflated() {
            let end = Span { offset: inflated.span().end(), size: 0, ..inflated.span() };
            out.entry(end.space).or_default().push((end, format!("{path}, inflated,")));
        }
        leaves(&children, out, &path);
    }
}

/// Holds a byte map to what `dump` promises: per address space, every byte belongs to one leaf.
pub fn assert_covered(tree: &[Node], size: u64) {
    let mut spaces = BTreeMap::new();
    leaves(tree, &mut spaces, "");
    spaces.entry(Space::File).or_default();
    for (space, mut spans) in spaces {
        // What a body inflates to ends somewhere; other fields without bytes say nothing.
        spans.retain(|(span, path)| span.size > 0 || path.ends_with(", inflated,"));
        assert!(space != Space::Memory || spans.is_empty(), "fields of a file that are not in it: {spans:?}");
        spans.sort();
        let mut end = 0;
        for (span, path) in &spans {
            assert_eq!(span.offset, end, "{path} does not begin where the field before it ends ({})", space.name());
            end = span.end();
        }
        assert!(space != Space::File || end == size, "fields end at {end}, the file at {size}");
    }
}
