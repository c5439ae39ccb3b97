//! Arrays of the byte map, which are one node until someone asks for an element.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::{Blob, Node, Order, Shape};

/// An array that has not been expanded.
#[derive(Clone, Debug)]
pub struct Array {
    pub(crate) elements: Elements,
    /// Number of elements.
    pub count: usize,
}

#[derive(Clone)]
pub(crate) enum Elements {
    /// Values of one form.
    Equal { bytes: Blob, shape: &'static Shape, order: Order },
    /// Parts that differ in size: lines of a text.
    Parts { found: Arc<OnceLock<Vec<Node>>>, expand: Arc<dyn Fn() -> Vec<Node> + Send + Sync> },
}

impl Elements {
    pub(crate) fn parts(expand: impl Fn() -> Vec<Node> + Send + Sync + 'static) -> Elements {
        Elements::Parts { found: Arc::default(), expand: Arc::new(expand) }
    }
}

impl fmt::Debug for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elements::Equal { bytes, shape, order } => write!(f, "{shape}, {order:?}, at {}", bytes.span()),
            Elements::Parts { .. } => f.write_str("parts"),
        }
    }
}

impl Array {
    pub(crate) fn equal(bytes: &Blob, shape: &'static Shape, order: Order, count: usize) -> Array {
        Array { elements: Elements::Equal { bytes: bytes.clone(), shape, order }, count }
    }

    /// Bytes one element takes, if all take as many.
    pub fn element_size(&self) -> Option<usize> {
        match &self.elements {
            Elements::Equal { shape, .. } => Some(shape.size()),
            Elements::Parts { .. } => None,
        }
    }

    /// One element.
    pub fn element(&self, index: usize) -> Option<Node> {
        match &self.elements {
            Elements::Equal { bytes, shape, order } => {
                let size = shape.size();
                let bytes = bytes.get(index.checked_mul(size)?, size)?;
                (index < self.count).then(|| Node::shaped(format!("[{index}]"), &bytes, shape, *order))
            }
            Elements::Parts { found, expand } => found.get_or_init(|| expand()).get(index).cloned(),
        }
    }

    /// Which element has the byte at `offset`.
    pub fn index_at(&self, offset: u64) -> Option<usize> {
        let index = match &self.elements {
            Elements::Equal { bytes, shape, .. } => {
                let behind = offset.checked_sub(bytes.span().offset)?.checked_div(shape.size() as u64)?;
                usize::try_from(behind).ok()?
            }
            Elements::Parts { found, expand } => {
                let parts = found.get_or_init(|| expand());
                let index = parts.partition_point(|part| part.span.end() <= offset);
                parts.get(index).filter(|part| part.span.offset <= offset).map(|_| index)?
            }
        };
        (index < self.count).then_some(index)
    }
}
