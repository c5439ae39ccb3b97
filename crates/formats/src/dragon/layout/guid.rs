use std::fmt;
use std::hash::{Hash, Hasher};

use sha2::{Digest, Sha256};
use wire::{Fixed, Shape};
use zerocopy::ByteOrder;

/// What sections call each other: sixteen bytes that are never swapped. All zero stands for none.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guid(pub [u8; 16]);

/// All of it at once: derived, an array says its length first, which took a third of the time of `check`.
impl Hash for Guid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.0);
    }
}

impl Guid {
    /// None.
    pub const NONE: Guid = Guid([0; 16]);

    /// What the DRAGON section is called in every file.
    pub const FILE: Guid =
        Guid([0xAB, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A, 0xAB, 0xAB, 0xBB, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A, 0xAB, 0xBB]);

    /// The same number as .NET stores it: the first three groups turned round.
    pub const FILE_DOTNET: Guid =
        Guid([0x0A, 0x0D, 0xBB, 0xAB, 0x0A, 0x1A, 0xAB, 0xAB, 0xBB, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A, 0xAB, 0xBB]);

    /// The same number, last byte first.
    pub const FILE_REVERSED: Guid =
        Guid([0xBB, 0xAB, 0x0A, 0x1A, 0x0A, 0x0D, 0xBB, 0xBB, 0xAB, 0xAB, 0x0A, 0x1A, 0x0A, 0x0D, 0xBB, 0xAB]);

    /// Whether it stands for none.
    pub fn is_none(self) -> bool {
        self == Guid::NONE
    }

    /// What a new section is called: made from its kind, its place among those of its kind and its content, so that
    /// equal input gives equal names. `attempt` counts on where two came out the same.
    pub fn of(tag: [u8; 8], ordinal: u64, body: &[u8], attempt: u32) -> Guid {
        let mut hash = Sha256::new();
        hash.update(tag);
        hash.update(ordinal.to_le_bytes());
        hash.update(body);
        if attempt > 0 {
            hash.update(attempt.to_le_bytes());
        }
        let mut guid = [0; 16];
        guid.copy_from_slice(&hash.finalize()[..16]);
        Guid(guid)
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Fixed for Guid {
    type In<O: ByteOrder + Send + Sync + 'static> = [u8; 16];
    const SHAPE: &'static Shape = &Shape::Scalar { name: "guid", size: 16 };
    const SIZE: usize = 16;
    fn from_wire<O: ByteOrder + Send + Sync + 'static>(wire: &[u8; 16]) -> Guid {
        Guid(*wire)
    }
    fn to_wire<O: ByteOrder + Send + Sync + 'static>(self) -> [u8; 16] {
        self.0
    }
}
