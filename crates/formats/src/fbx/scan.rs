//! Where the nodes at the top of a file are. The reader of the content keeps no places, so this finds them.

use super::layout::TopNode;

/// What a binary file starts with.
pub(super) const MAGIC: &[u8] = b"Kaydara FBX Binary  \0";

/// The magic, two bytes of no meaning, and the version.
const HEADER_SIZE: usize = MAGIC.len() + 6;

/// From this version on, sizes have 64 bits.
const WIDE_FROM: u32 = 7500;

/// The nodes of a binary file; what is no node is one of its own, called `header` or `footer`.
pub(super) fn binary(file: &[u8]) -> Vec<TopNode> {
    let header = HEADER_SIZE.min(file.len());
    let mut nodes = vec![TopNode { name: "header".into(), at: 0..header, whole: file.len() >= HEADER_SIZE }];
    let version =
        file.get(header - header.min(4)..header).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    let width = if version >= WIDE_FROM { 8 } else { 4 };
    let mut at = header;
    while let Some(end) = file.get(at..at + width).map(number) {
        let name_at = at + 3 * width + 1;
        let size = file.get(name_at - 1).map_or(0, |&size| usize::from(size));
        let Some(name) = file.get(name_at..name_at + size).filter(|name| !name.is_empty()) else { break };
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        if end <= at {
            break;
        }
        let whole = end <= file.len();
        let name = findings::render::escape(&String::from_utf8_lossy(name)).into_owned();
        nodes.push(TopNode { name, at: at..end.min(file.len()), whole });
        at = end.min(file.len());
    }
    if at < file.len() {
        nodes.push(TopNode { name: "footer".into(), at: at..file.len(), whole: true });
    }
    nodes
}

/// How many bytes the compressed arrays of a binary file inflate to, as far as it can be walked: nodes inside of others
/// follow their properties.
pub(super) fn inflated(file: &[u8]) -> u64 {
    let version = file.get(HEADER_SIZE - 4..HEADER_SIZE).map_or(0, number);
    let width = if version >= u64::from(WIDE_FROM) { 8 } else { 4 };
    let (mut at, mut sum) = (HEADER_SIZE, 0_u64);
    while let Some(head) = file.get(at..at + 3 * width + 1) {
        let properties = usize::try_from(number(&head[2 * width..3 * width])).unwrap_or(usize::MAX);
        let start = at + head.len() + usize::from(head[3 * width]);
        let Some(end) = start.checked_add(properties).filter(|end| *end <= file.len()) else { break };
        sum = sum.saturating_add(inflated_of(&file[start..end]));
        at = end;
    }
    sum
}

/// The same of the properties of one node.
fn inflated_of(mut properties: &[u8]) -> u64 {
    let mut sum = 0_u64;
    while let Some((kind, rest)) = properties.split_first() {
        let word = |at: usize| rest.get(at..at + 4).map(number);
        let array = |size: u64| {
            let (count, packed, stored) = (word(0)?, word(4)? == 1, word(8)?);
            let inflated = if packed { count.saturating_mul(size) } else { 0 };
            Some((12 + if packed { stored } else { count.saturating_mul(size) }, inflated))
        };
        let found = match kind {
            b'C' | b'B' => Some((1, 0)),
            b'Y' => Some((2, 0)),
            b'I' | b'F' => Some((4, 0)),
            b'D' | b'L' => Some((8, 0)),
            b'S' | b'R' => word(0).map(|size| (4 + size, 0)),
            b'b' | b'c' => array(1),
            b'i' | b'f' => array(4),
            b'd' | b'l' => array(8),
            _ => None,
        };
        let Some((size, inflated)) = found else { break };
        sum = sum.saturating_add(inflated);
        properties = usize::try_from(size).ok().and_then(|size| rest.get(size..)).unwrap_or_default();
    }
    sum
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Nodes that hold others in every file.
pub(super) const SECTIONS: [&str; 2] = ["Objects", "Connections"];

/// The nodes of a text, each with the comments and blanks behind it.
pub(super) fn text(file: &[u8]) -> Vec<TopNode> {
    let mut nodes: Vec<TopNode> = Vec::new();
    let (mut depth, mut at, mut word) = (0_usize, 0, 0..0);
    let mut open = None;
    while let Some(&byte) = file.get(at) {
        match byte {
            b';' => at += line(&file[at..]),
            b'"' => {
                let rest = &file[at + 1..];
                at += 1 + memchr::memchr(b'"', rest).unwrap_or(rest.len());
            }
            b'{' => {
                depth += 1;
                if let Some(node) = open.and_then(|open: usize| nodes.get_mut(open)) {
                    node.whole = true;
                }
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    open = None;
                }
            }
            b':' if depth == 0 && !word.is_empty() => {
                let name = findings::render::escape(&String::from_utf8_lossy(&file[word.clone()])).into_owned();
                if let Some(last) = nodes.last_mut() {
                    last.at.end = word.start;
                }
                let start = if nodes.is_empty() { 0 } else { word.start };
                open = Some(nodes.len());
                // These are never without content.
                let whole = !SECTIONS.contains(&&name[..]);
                nodes.push(TopNode { name, at: start..file.len(), whole });
                word = 0..0;
            }
            b if b.is_ascii_alphanumeric() || b == b'_' => {
                word = if word.end == at { word.start..at + 1 } else { at..at + 1 };
            }
            _ => {}
        }
        at += 1;
    }
    if let Some(open) = open.filter(|_| depth > 0) {
        nodes[open].whole = false;
    }
    if nodes.is_empty() && !file.is_empty() {
        nodes.push(TopNode { name: "text".into(), at: 0..file.len(), whole: true });
    }
    nodes
}

/// Bytes up to the end of the line.
fn line(rest: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(nodes: &[TopNode]) -> Vec<(&str, std::ops::Range<usize>, bool)> {
        nodes.iter().map(|node| (&node.name[..], node.at.clone(), node.whole)).collect()
    }

    #[test]
    fn braces_in_strings_and_comments_do_not_count() {
        let nodes = text(b"; { \nA: 1\nB: \"{\" {\n C: 2\n}\n;x\nD: {");
        assert_eq!(found(&nodes), [("A", 0..10, true), ("B", 10..30, true), ("D", 30..34, false)]);
    }

    #[test]
    fn binary_nodes_end_where_they_say() {
        // Version 7400; a node of 16 bytes called A, then the end of the list.
        let mut file = [MAGIC, &[0x1A, 0, 0xE8, 0x1C, 0, 0]].concat();
        file.extend([41, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, b'A']);
        assert_eq!(file.len(), 41);
        file.extend([0; 13]);
        assert_eq!(found(&binary(&file)), [("header", 0..27, true), ("A", 27..41, true), ("footer", 41..54, true)]);
        assert_eq!(found(&binary(&file[..40]))[1..], [("footer", 27..40, true)]);
        file[27] = 99;
        assert_eq!(found(&binary(&file))[1], ("A", 27..54, false));
    }
}
