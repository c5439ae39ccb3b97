//! The encodings of a PLY file.

use wire::Order;

use super::Ply;
use crate::{Engine, dialects};

dialects! {
    Ply;
    /// How the data is written.
    pub enum Dialect {
        BinaryLittleEndian {
            id: "binary-little-endian",
            about: "numbers, the least significant byte first",
            write: true,
            engine: Engine::None
        },
        BinaryBigEndian {
            id: "binary-big-endian",
            about: "numbers, the most significant byte first",
            write: true,
            engine: Engine::None
        },
        Ascii { id: "ascii", about: "text, a line for each row", write: true, engine: Engine::None },
    }
}

impl Dialect {
    /// The order of its numbers, unless they are text.
    pub fn order(self) -> Option<Order> {
        match self {
            Dialect::BinaryLittleEndian => Some(Order::Little),
            Dialect::BinaryBigEndian => Some(Order::Big),
            Dialect::Ascii => None,
        }
    }

    /// What the header calls it.
    pub(super) fn word(self) -> String {
        self.id().replace('-', "_")
    }

    pub(super) fn of_word(word: &[u8]) -> Option<Dialect> {
        Dialect::ALL.iter().copied().find(|dialect| dialect.word().as_bytes() == word)
    }
}
