//! The byte map: which field owns which bytes. Nothing of it is stored in a document; it is made by reading a unit's
//! bytes again when someone looks, and long arrays stay one node until an element is asked for.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use zerocopy::{BE, FromBytes, LE};

use crate::array::Elements;
use crate::{Array, Blob, Fault, Fixed, Order, Span};

/// A field of a document and its bytes.
#[derive(Clone)]
pub struct Node {
    /// The field's name, or `[i]` inside an array.
    pub name: String,
    /// Its type, in the words of the reference pages.
    pub ty: String,
    /// Its bytes.
    pub span: Span,
    /// What they say, if they say one thing.
    pub value: Option<Value>,
    /// Whether another field owns these bytes.
    pub shares: bool,
    inside: Inside,
    inflated: Option<Arc<Blob>>,
}

#[derive(Clone)]
enum Inside {
    Nothing,
    Children(Arc<Vec<Node>>),
    Array(Array),
    Lazy(Arc<Expand>),
}

type Expand = dyn Fn() -> Result<Vec<Node>, Fault> + Send + Sync;

/// What a field of the byte map is called inside its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element<'a> {
    /// A named field.
    Field(&'a str),
    /// An element of an array.
    Index(usize),
}

/// The form of a fixed-size value, for showing it without knowing its type.
#[derive(Debug)]
pub enum Shape {
    /// A number.
    Scalar {
        /// Its type.
        name: &'static str,
        /// Its bytes.
        size: usize,
    },
    /// A number with names.
    Enum {
        /// Its type.
        name: &'static str,
        /// The number below the names.
        of: &'static Shape,
        /// The name of a number.
        word: fn(i64) -> Option<&'static str>,
    },
    /// A fixed number of equal values.
    List {
        /// Their form.
        of: &'static Shape,
        /// How many.
        count: usize,
    },
    /// A [`crate::record!`].
    Record {
        /// Its type.
        name: &'static str,
        /// Its bytes.
        size: usize,
        /// Its fields, in order.
        members: &'static [Member],
    },
}

/// One field of a [`Shape::Record`].
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its form.
    pub shape: &'static Shape,
}

impl Shape {
    /// Bytes it takes.
    pub const fn size(&self) -> usize {
        match self {
            Shape::Scalar { size, .. } | Shape::Record { size, .. } => *size,
            Shape::Enum { of, .. } => of.size(),
            Shape::List { of, count } => of.size() * *count,
        }
    }

    fn value(&self, bytes: &[u8], order: Order) -> Value {
        match self {
            Shape::Scalar { name, .. } => scalar(name, bytes, order),
            Shape::Enum { of, word, .. } => match of.value(bytes, order) {
                Value::Signed(raw) => Value::Named { raw, word: word(raw) },
                Value::Unsigned(raw) => Value::Named { raw: raw as i64, word: word(raw as i64) },
                other => other,
            },
            Shape::List { of, .. } => Value::List(bytes.chunks(of.size().max(1)).map(|b| of.value(b, order)).collect()),
            Shape::Record { members, .. } => {
                let mut rest = bytes;
                let mut values = Vec::new();
                for member in *members {
                    let (head, tail) = rest.split_at(member.shape.size().min(rest.len()));
                    values.push(member.shape.value(head, order));
                    rest = tail;
                }
                Value::List(values)
            }
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Scalar { name, .. } | Shape::Enum { name, .. } | Shape::Record { name, .. } => f.write_str(name),
            Shape::List { of, count } => write!(f, "{of}[{count}]"),
        }
    }
}

fn scalar(name: &str, bytes: &[u8], order: Order) -> Value {
    fn read<T: Fixed + Into<Value>>(bytes: &[u8], order: Order) -> Option<Value> {
        Some(match order {
            Order::Little => T::from_wire::<LE>(&T::In::<LE>::read_from_bytes(bytes).ok()?).into(),
            Order::Big => T::from_wire::<BE>(&T::In::<BE>::read_from_bytes(bytes).ok()?).into(),
        })
    }
    let value = match name {
        "u8" | "bool8" => read::<u8>(bytes, order),
        "i8" => read::<i8>(bytes, order),
        "u16" => read::<u16>(bytes, order),
        "i16" => read::<i16>(bytes, order),
        "u32" => read::<u32>(bytes, order),
        "i32" | "flag32" => read::<i32>(bytes, order),
        "u64" => read::<u64>(bytes, order),
        "i64" => read::<i64>(bytes, order),
        "f32" => read::<crate::F32>(bytes, order),
        "f64" => read::<crate::F64>(bytes, order),
        _ => None,
    };
    value.unwrap_or_else(|| Value::Bytes(Blob::memory(bytes.to_vec())))
}

/// What a field says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number that cannot be negative.
    Unsigned(u64),
    /// A number that can.
    Signed(i64),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// Text: bytes that should be UTF-8.
    Text(Blob),
    /// Bytes.
    Bytes(Blob),
    /// A number that has a name, or should have one.
    Named {
        /// The number.
        raw: i64,
        /// Its name, if it has one.
        word: Option<&'static str>,
    },
    /// Several values.
    List(Vec<Value>),
}

impl Node {
    /// A field with nothing inside.
    pub fn leaf(name: impl Into<String>, ty: impl Into<String>, span: Span) -> Node {
        Node {
            name: name.into(),
            ty: ty.into(),
            span,
            value: None,
            shares: false,
            inside: Inside::Nothing,
            inflated: None,
        }
    }

    /// A field that holds others.
    pub fn group(name: impl Into<String>, ty: impl Into<String>, span: Span, children: Vec<Node>) -> Node {
        Node { inside: Inside::Children(Arc::new(children)), ..Node::leaf(name, ty, span) }
    }

    /// A field whose parts are found only when someone looks.
    pub fn lazy(
        name: impl Into<String>,
        ty: impl Into<String>,
        span: Span,
        expand: impl Fn() -> Result<Vec<Node>, Fault> + Send + Sync + 'static,
    ) -> Node {
        Node { inside: Inside::Lazy(Arc::new(expand)), ..Node::leaf(name, ty, span) }
    }

    /// Units of one kind that follow each other: named `[0]`, `[1]`, …
    pub fn list(name: impl Into<String>, ty: &str, items: Vec<Node>) -> Node {
        let ty = format!("{ty}[{}]", items.len());
        Node::group(name, ty, around(&items), items)
    }

    /// A fixed-size value, shown by its shape.
    pub fn shaped(name: impl Into<String>, bytes: &Blob, shape: &'static Shape, order: Order) -> Node {
        let node = Node::leaf(name, shape.to_string(), bytes.span());
        match shape {
            Shape::Record { members, .. } => {
                let mut at = 0;
                let children = members.iter().map(|member| {
                    let size = member.shape.size();
                    let part = bytes.slice(at..at + size);
                    at += size;
                    Node::shaped(member.name, &part, member.shape, order)
                });
                Node { inside: Inside::Children(Arc::new(children.collect())), ..node }
            }
            Shape::List { of, count } => Node {
                value: Some(shape.value(bytes, order)),
                inside: Inside::Array(Array::equal(bytes, of, order, *count)),
                ..node
            },
            _ => node.with_value(shape.value(bytes, order)),
        }
    }

    /// An array of fixed-size values: one node, whatever its length.
    pub fn array(name: impl Into<String>, bytes: &Blob, shape: &'static Shape, order: Order, count: usize) -> Node {
        let ty = format!("{shape}[{count}]");
        let inside = Inside::Array(Array::equal(bytes, shape, order, count));
        Node { inside, ..Node::leaf(name, ty, bytes.span()) }
    }

    /// An array of parts of any size, `[0]`, `[1]`, …, which follow each other: one node, whatever its length. `expand`
    /// finds the parts when someone asks for one.
    pub fn parts(
        name: impl Into<String>,
        ty: impl Into<String>,
        span: Span,
        count: usize,
        expand: impl Fn() -> Vec<Node> + Send + Sync + 'static,
    ) -> Node {
        let inside = Inside::Array(Array { elements: Elements::parts(expand), count });
        Node { inside, ..Node::leaf(name, ty, span) }
    }

    /// The same field, with what it says.
    pub fn with_value(mut self, value: Value) -> Node {
        self.value = Some(value);
        self
    }

    /// The same field, whose bytes another one owns.
    pub fn sharing(mut self) -> Node {
        self.shares = true;
        self
    }

    /// The same field, whose bytes inflate to `bytes`; the fields inside count their offsets there.
    pub fn inflating_to(mut self, bytes: Blob) -> Node {
        self.inflated = Some(Arc::new(bytes));
        self
    }

    /// What its bytes inflate to, if it is a compressed body.
    pub fn inflated(&self) -> Option<&Blob> {
        self.inflated.as_deref()
    }

    /// The array it is, if it is one.
    pub fn as_array(&self) -> Option<&Array> {
        match &self.inside {
            Inside::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The fields inside, one level down; the elements of an array are not among them.
    ///
    /// # Errors
    /// If the unit's bytes cannot be read again, which only a unit that was never readable can cause.
    pub fn children(&self) -> Result<Vec<Node>, Fault> {
        self.shared_children().map(Arc::unwrap_or_clone)
    }

    /// The fields inside, as [`Node::children`], shared: a list of a million units is not copied to look at one.
    ///
    /// # Errors
    /// As there.
    pub fn shared_children(&self) -> Result<Arc<Vec<Node>>, Fault> {
        match &self.inside {
            Inside::Nothing | Inside::Array(_) => Ok(Arc::default()),
            Inside::Children(children) => Ok(children.clone()),
            Inside::Lazy(expand) => expand().map(Arc::new),
        }
    }

    /// Whether [`Node::children`] may find any.
    pub fn has_children(&self) -> bool {
        match &self.inside {
            Inside::Nothing | Inside::Array(_) => false,
            Inside::Children(children) => !children.is_empty(),
            Inside::Lazy(_) => true,
        }
    }

    /// Whether it owns its bytes itself: nothing is inside, or what is inside lies in what its bytes inflate to.
    pub fn is_leaf(&self) -> bool {
        !self.has_children() || self.inflated.is_some()
    }

    /// One field or element inside.
    pub fn child(&self, element: Element<'_>) -> Option<Node> {
        match (element, &self.inside) {
            (Element::Index(index), Inside::Array(array)) => array.element(index),
            (_, Inside::Children(children)) => pick(children, element).cloned(),
            (_, Inside::Lazy(expand)) => pick(&expand().ok()?, element).cloned(),
            _ => None,
        }
    }

    pub(crate) fn set_children(&mut self, children: Vec<Node>) {
        if !children.is_empty() {
            self.inside = Inside::Children(Arc::new(children));
        }
    }

    pub(crate) fn adopt(&mut self, other: Node) {
        self.ty = other.ty;
        self.value = other.value;
        self.inside = other.inside;
        self.inflated = other.inflated;
    }
}

/// Which field owns which byte of something that could not be read to its end: what was read, then the fault, then
/// the rest.
pub fn outline(mut read: Vec<Node>, mut fault: Node, all: &Blob) -> Vec<Node> {
    fn packed(nodes: &mut [Node], space: crate::Space) -> Option<&mut Node> {
        nodes.iter_mut().find_map(|node| {
            if node.inflated().is_some_and(|inflated| inflated.span().space == space) {
                return Some(node);
            }
            let Inside::Children(children) = &mut node.inside else { return None };
            packed(Arc::make_mut(children).as_mut_slice(), space)
        })
    }
    let span = all.span();
    if fault.span.space == span.space {
        let start = fault.span.offset.clamp(span.offset, span.end());
        fault.span = Span { offset: start, size: fault.span.end().clamp(start, span.end()) - start, ..span };
        read.push(fault);
    } else if let Some(node) = packed(&mut read, fault.span.space) {
        let inside = node.children().unwrap_or_default();
        let bytes = node.inflated().cloned().unwrap_or_default();
        node.set_children(outline(inside, fault, &bytes));
    } else {
        read.push(Node { span: Span { offset: span.end(), size: 0, ..span }, ..fault });
    }
    settle(&mut read, all, "unread");
    read
}

/// Gives every byte of `all` to one leaf: where leaves overlap, the first owns the bytes and the later ones share them;
/// bytes of no leaf become leaves of their own, called `gap`.
pub(crate) fn settle(nodes: &mut Vec<Node>, all: &Blob, gap: &str) {
    fn visit(node: &mut Node, owned: &mut BTreeMap<u64, u64>) {
        let packed = node.inflated.is_some();
        if let Inside::Children(children) = &mut node.inside
            && !packed
        {
            return Arc::make_mut(children).iter_mut().for_each(|child| visit(child, owned));
        }
        let (start, end) = (node.span.offset, node.span.end());
        if start == end {
            return;
        }
        // Owned runs never overlap, so the last one that starts before the end is the only one to look at.
        node.shares = owned.range(..end).next_back().is_some_and(|(_, &owned_end)| owned_end > start);
        if !node.shares {
            owned.insert(start, end);
        }
    }
    let mut owned = BTreeMap::new();
    nodes.iter_mut().for_each(|node| visit(node, &mut owned));
    let span = all.span();
    let mut at = span.offset;
    for (start, end) in owned.into_iter().chain([(span.end(), span.end())]) {
        if start > at {
            let unused = all.slice((at - span.offset) as usize..(start - span.offset) as usize);
            nodes.push(Node { ty: format!("{gap} bytes"), ..unused.node(gap, "") });
        }
        at = at.max(end);
    }
}

/// Fields one behind the other, where one that holds nothing is behind the one before it.
pub fn in_order(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut at = Span { space: crate::Space::File, ..Span::NOWHERE };
    for node in &mut nodes {
        if node.span == Span::NOWHERE {
            node.span = at;
        }
        at = Span { offset: node.span.end(), size: 0, ..node.span };
    }
    nodes
}

fn around(nodes: &[Node]) -> Span {
    let mut placed = nodes.iter().map(|n| n.span).filter(|span| span.space != crate::Space::Memory);
    let Some(first) = placed.next() else { return Span::NOWHERE };
    let both = |a: Span, b: Span| {
        let offset = a.offset.min(b.offset);
        Span { offset, size: a.end().max(b.end()) - offset, ..a }
    };
    placed.fold(first, both)
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} at {}", self.name, self.ty, self.span)
    }
}

/// The field that `path` names (`pieces[1].vertices[3].position`), expanding only what lies on the way.
pub fn find(tree: &[Node], path: &str) -> Option<Node> {
    let (node, whole) = walk(tree, path)?;
    whole.then_some(node)
}

/// The bytes of the field that `path` names, or of the innermost field around it that is known.
pub fn locate(tree: &[Node], path: &str) -> Option<Span> {
    walk(tree, path).map(|(node, _)| node.span).filter(|span| span.space != crate::Space::Memory)
}

/// The innermost known field on the way, and whether it is the one that was asked for.
fn walk(tree: &[Node], path: &str) -> Option<(Node, bool)> {
    let mut steps = steps(path);
    let Element::Field(first) = steps.next()?? else { return None };
    let mut node = tree.iter().find(|n| n.name == first)?.clone();
    for step in steps {
        match step.and_then(|step| node.child(step)) {
            Some(inner) => node = inner,
            None => return Some((node, false)),
        }
    }
    Some((node, true))
}

/// A child by name; elements of a list are named `[i]` and mostly stand at position i.
fn pick<'a>(children: &'a [Node], element: Element<'_>) -> Option<&'a Node> {
    match element {
        Element::Field(name) => children.iter().find(|child| child.name == name),
        Element::Index(index) => {
            let name = format!("[{index}]");
            let there = children.get(index).filter(|child| child.name == name);
            there.or_else(|| children.iter().find(|child| child.name == name))
        }
    }
}

/// Splits a path; `None` stands for a part that is not well formed.
fn steps(path: &str) -> impl Iterator<Item = Option<Element<'_>>> {
    path.split('.').flat_map(|part| {
        let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        let field = (!name.is_empty()).then_some(Some(Element::Field(name)));
        let indices = indices.split_terminator(']').map(|i| {
            let digits = i.strip_prefix('[')?;
            digits.parse().ok().map(Element::Index)
        });
        field.into_iter().chain(indices)
    })
}
