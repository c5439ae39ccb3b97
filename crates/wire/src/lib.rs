//! Bytes ⇄ fields. This crate knows no format.
//!
//! A format declares each structure of its document once, in the order of the document:
//!
//! * [`record!`] for structures of fixed size. Arrays of them are viewed in place ([`Bulk`]), never decoded up front.
//! * [`layout!`] for everything else: strings, counts, conditions.
//! * [`wire_enum!`] for numbers with names; unknown numbers stay what they are.
//!
//! One declaration yields the struct, [`Layout::read`], [`Layout::write`], the byte map that `dump` and `hex` show
//! ([`Node`]) and the [`Table`] that the reference pages print.
//!
//! Four types carry a document: [`Blob`] (shared bytes that know their place in the file), [`Bulk`] (an array, viewed
//! or owned), [`Kept`] (a unit that remembers the bytes it came from until it is edited) and [`Text`] (bytes first,
//! UTF-8 second). None has a lifetime.
//!
//! ```
//! use wire::{layout, Blob, Count, F32, Layout, Order, Reader, Text};
//!
//! layout! {
//!     /// A name and a weight.
//!     pub struct Label {
//!         let name_size: Count<u16> = name.len(),
//!         name: Text{name_size},
//!         /// Kilograms.
//!         weight: F32,
//!     }
//! }
//!
//! let file = Blob::file(b"\x03\x00abc\x00\x00\x80\x3f".to_vec());
//! let label = Label::read(&mut Reader::new(&file, Order::Little), ()).unwrap();
//! assert_eq!(label.name.to_string(), "abc");
//! assert_eq!(label.weight.get(), 1.0);
//!
//! let cut = Label::read(&mut Reader::new(&file.slice(0..7), Order::Little), ()).unwrap_err();
//! assert_eq!(cut.to_string(), "weight at 0x5 (5): needs 4 bytes, 2 remain");
//! ```

mod array;
mod blob;
mod bulk;
mod fault;
mod fixed;
mod kept;
mod label;
mod layout;
mod limits;
mod reader;
mod record;
mod sink;
mod span;
mod text;
mod tree;
mod wire_enum;

pub use array::Array;
pub use blob::Blob;
pub use bulk::Bulk;
pub use fault::{Fault, FaultKind};
pub use fixed::{Bool8, Count, CountField, Counted, F32, F64, Fixed, Flag32, FromMemory, Named, Order, View};
pub use kept::Kept;
pub use label::Label;
pub use layout::{Layout, Row, Table};
pub use limits::{Budget, Exceeded, Held, Limit, Limits, MEMORY, MEMORY_PER_INPUT};
pub use reader::{Reader, Unit};
pub use sink::{Mark, Sink, Writer};
pub use span::{Space, Span};
pub use text::{CText, Text};
pub use tree::{Element, Member, Node, Shape, Value, find, in_order, locate, outline};

#[doc(hidden)]
pub mod macros {
    //! What the macros of this crate expand to; not for use by hand.
    pub use zerocopy;
    pub use zerocopy::ByteOrder;
}
