//! The byte map as someone looking at bytes meets it: fields with their path and their bytes, found by path, by offset
//! or one after another. Only what lies on the way is expanded.

use std::ops::Range;
use std::sync::Arc;

use pentad::findings::render::escape;
use pentad::wire::{Array, Blob, Node};

use crate::commands::show;

/// The way to a field: its index in the document, in that field, and so on.
pub(super) type Address = Vec<usize>;

/// The bytes that offsets count: the file, or what a field of it inflates to.
#[derive(Clone)]
pub(super) struct Body {
    pub(super) bytes: Blob,
    /// Path of the field that inflates to it; empty for the file.
    pub(super) of: Arc<str>,
}

impl Body {
    /// The offset of its first byte.
    pub(super) fn start(&self) -> u64 {
        self.bytes.span().offset
    }
}

/// A field of the document.
#[derive(Clone)]
pub(super) struct Field {
    pub(super) path: String,
    pub(super) node: Node,
    pub(super) body: Body,
}

impl Field {
    /// Which bytes of its body it has; none if its bytes are not at hand.
    pub(super) fn range(&self) -> Option<Range<usize>> {
        let (span, all) = (self.node.span, self.body.bytes.span());
        let start = usize::try_from(span.offset.checked_sub(all.offset)?).ok()?;
        let end = start.checked_add(usize::try_from(span.size).ok()?)?;
        (span.space == all.space && end <= self.body.bytes.len()).then_some(start..end)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.range().and_then(|range| self.body.bytes.as_ref().get(range)).unwrap_or_default()
    }

    /// Its value on one line.
    pub(super) fn value(&self) -> String {
        /// Room for a matrix of sixteen numbers.
        const LONG: usize = 240;
        let mut text = self.node.value.as_ref().map(show).unwrap_or_default();
        if let Some((cut, _)) = text.char_indices().nth(LONG) {
            text.truncate(cut);
            text.push('…');
        }
        escape(&text).into_owned()
    }

    /// `: type`, as it stands behind a name, and what an object of a list is called.
    pub(super) fn type_suffix(&self) -> String {
        let label = self.node.label().to_string();
        if self.node.ty.is_empty() {
            escape(&label).into_owned()
        } else {
            format!(": {}{}", escape(&self.node.ty), escape(&label))
        }
    }

    /// ` = value`, as it stands behind a type; empty if it has none.
    pub(super) fn value_suffix(&self) -> String {
        let value = if self.node.value.is_some() { format!(" = {}", self.value()) } else { String::new() };
        if self.node.shares { format!("{value} (shared)") } else { value }
    }
}

/// What lies inside a field, or in the whole document.
#[derive(Clone)]
pub(super) struct Inside {
    path: String,
    body: Body,
    children: Children,
}

#[derive(Clone)]
enum Children {
    Fields(Arc<Vec<Node>>),
    Elements(Array),
}

impl Inside {
    pub(super) fn document(tree: Vec<Node>, bytes: Blob) -> Inside {
        let body = Body { bytes, of: "".into() };
        Inside { path: String::new(), body, children: Children::Fields(Arc::new(tree)) }
    }

    /// What lies inside a field, if anything does.
    pub(super) fn of(field: &Field) -> Option<Inside> {
        let children = match field.node.as_array() {
            Some(array) => Children::Elements(array.clone()),
            // A unit that was read once can be read again; if not, it is shown as one piece.
            None => Children::Fields(field.node.shared_children().ok()?),
        };
        let body = match field.node.inflated() {
            Some(bytes) => Body { bytes: bytes.clone(), of: field.path.as_str().into() },
            None => field.body.clone(),
        };
        let inside = Inside { path: field.path.clone(), body, children };
        (inside.len() > 0).then_some(inside)
    }

    pub(super) fn body(&self) -> &Body {
        &self.body
    }

    pub(super) fn len(&self) -> usize {
        match &self.children {
            Children::Fields(nodes) => nodes.len(),
            Children::Elements(array) => array.count,
        }
    }

    /// Whether all fields inside have the same form.
    pub(super) fn is_array(&self) -> bool {
        matches!(self.children, Children::Elements(_))
    }

    pub(super) fn field(&self, index: usize) -> Option<Field> {
        let node = match &self.children {
            Children::Fields(nodes) => nodes.get(index)?.clone(),
            Children::Elements(array) => array.element(index)?,
        };
        let dot = if self.path.is_empty() || node.name.starts_with('[') { "" } else { "." };
        let path = format!("{}{dot}{}", self.path, node.name);
        Some(Field { path, node, body: self.body.clone() })
    }

    /// The field at the end of the way.
    pub(super) fn field_at(&self, address: &[usize]) -> Option<Field> {
        let (&last, way) = address.split_last()?;
        self.inside_at(way)?.field(last)
    }

    fn inside_at(&self, way: &[usize]) -> Option<Inside> {
        way.iter().try_fold(self.clone(), |inside, &index| Inside::of(&inside.field(index)?))
    }

    /// The way to the field that `path` names.
    pub(super) fn find(&self, path: &str) -> Option<Address> {
        let (index, rest) = self.step(path)?;
        let mut address = vec![index];
        if !rest.is_empty() {
            address.extend(Inside::of(&self.field(index)?)?.find(rest)?);
        }
        Some(address)
    }

    /// The field that the start of `path` names, and the rest of it.
    fn step<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        fn behind(rest: &str) -> Option<&str> {
            if rest.is_empty() || rest.starts_with('[') { Some(rest) } else { rest.strip_prefix('.') }
        }
        if let Children::Fields(nodes) = &self.children {
            let named = |node: &Node| behind(path.strip_prefix(node.name.as_str())?);
            if let Some(found) = nodes.iter().enumerate().find_map(|(i, node)| Some((i, named(node)?))) {
                return Some(found);
            }
        }
        let (digits, rest) = path.strip_prefix('[')?.split_once(']')?;
        let index = digits.parse().ok().filter(|&index| index < self.len())?;
        Some((index, behind(rest)?))
    }

    /// The way to the field that owns the byte at `offset`. What says one thing is one field.
    pub(super) fn owner(&self, offset: u64) -> Option<Address> {
        self.owner_or_group(offset).map(|(address, _)| address)
    }

    /// The owner and whether it is one: else the byte lies in a gap between the fields of the innermost group around it.
    fn owner_or_group(&self, offset: u64) -> Option<(Address, bool)> {
        let space = self.body.bytes.span().space;
        let owns = |node: &Node| {
            node.span.space == space && !node.shares && (node.span.offset..node.span.end()).contains(&offset)
        };
        let mut group = None;
        for index in self.candidates(offset) {
            let owning = match &self.children {
                Children::Fields(nodes) => nodes.get(index).is_some_and(owns),
                Children::Elements(_) => true,
            };
            let Some(field) = owning.then(|| self.field(index)).flatten() else { continue };
            let leaf = field.node.value.is_some() || field.node.inflated().is_some();
            let Some(inside) = (!leaf).then(|| Inside::of(&field)).flatten() else {
                return Some((vec![index], true));
            };
            // Groups may overlap where their parts lie scattered over the file: the first that has an owner wins.
            let (mut address, found) = inside.owner_or_group(offset).unwrap_or_default();
            address.insert(0, index);
            if found {
                return Some((address, true));
            }
            group.get_or_insert((address, false));
        }
        group
    }

    /// The fields that may own the byte at `offset`.
    fn candidates(&self, offset: u64) -> Range<usize> {
        let Children::Elements(array) = &self.children else { return 0..self.len() };
        let index = array.index_at(offset);
        index.map_or(0..0, |index| index..index + 1)
    }
}

/// Fields one after another, each before those inside it; whoever walks decides where to enter.
pub(super) struct Walk {
    levels: Vec<(Inside, usize)>,
}

impl Walk {
    /// A walk that begins with the field at `address`.
    pub(super) fn from(document: &Inside, address: &[usize]) -> Walk {
        let mut walk = Walk { levels: vec![(document.clone(), 0)] };
        for (depth, &index) in address.iter().enumerate() {
            walk.levels[depth].1 = index;
            if depth + 1 == address.len() {
                break;
            }
            let Some(inside) = walk.next().and_then(|field| Inside::of(&field)) else { break };
            walk.enter(inside);
        }
        walk
    }

    pub(super) fn next(&mut self) -> Option<Field> {
        while let Some((inside, next)) = self.levels.last_mut() {
            if let Some(field) = inside.field(*next) {
                *next += 1;
                return Some(field);
            }
            self.levels.pop();
        }
        None
    }

    /// Goes on inside the field it is at.
    pub(super) fn enter(&mut self, inside: Inside) {
        self.levels.push((inside, 0));
    }

    /// Leaves the outermost level for which `out` holds, and all inside it.
    pub(super) fn leave(&mut self, out: impl FnMut(&Inside) -> bool) {
        let mut out = out;
        if let Some(depth) = self.levels.iter().position(|(inside, _)| out(inside)) {
            self.levels.truncate(depth);
        }
    }

    /// The way to the field it is at.
    pub(super) fn address(&self) -> Address {
        self.levels.iter().map(|(_, next)| next.saturating_sub(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn path_at(document: &Inside, offset: u64) -> String {
        let address = document.owner(offset).expect("a byte of the file");
        document.field_at(&address).expect("an address of the document").path
    }

    #[test]
    fn every_byte_has_the_owner_that_a_path_finds() {
        let document = samples::danmodel(70);
        for offset in 0..document.body().bytes.len() as u64 {
            let path = path_at(&document, offset);
            let field = document.field_at(&document.find(&path).expect(&path)).expect(&path);
            assert_eq!(field.path, path);
            assert!(field.range().is_some_and(|range| range.contains(&(offset as usize))), "{path}");
        }
        assert_eq!(path_at(&document, 0x39 + 52 * 69 + 24), "pieces[0].vertices[69].uv");
        assert!(document.owner(document.body().bytes.len() as u64).is_none());
    }

    #[test]
    fn owner_of_a_compressed_byte_is_the_body() {
        let document = samples::compressed();
        assert_eq!(path_at(&document, 5), "body");
        assert_eq!(path_at(&document, 1), "header");
        let second = document.field_at(&[1, 1]).unwrap();
        assert_eq!((second.path.as_str(), second.bytes()), ("body.second", &b"456789"[..]));
        assert_eq!(&*second.body.of, "body");
    }

    #[test]
    fn walk_from_an_address_goes_on_behind_it() {
        let document = samples::danmodel(3);
        let mut walk = Walk::from(&document, &document.find("pieces[0].vertices[1].uv").unwrap());
        let paths: Vec<String> = std::iter::from_fn(|| walk.next()).take(3).map(|field| field.path).collect();
        let expected = ["vertices[1].uv", "vertices[1].normal", "vertices[2]"].map(|p| format!("pieces[0].{p}"));
        assert_eq!(paths, expected);
        assert_eq!(walk.address(), document.find("pieces[0].vertices[2]").unwrap());
    }

    #[test]
    fn unknown_paths_lead_nowhere() {
        let document = samples::danmodel(3);
        for path in ["", "piece", "pieces[1]", "pieces[0].vertices[3]", "pieces[", "pieces[x]", "header.nam", "[9]"] {
            assert!(document.find(path).is_none(), "{path}");
        }
    }
}
