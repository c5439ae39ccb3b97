use std::fmt;

/// An address space: offsets of one say nothing about the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The file as it lies on disk.
    #[default]
    File,
    /// The bytes a compressed body inflates to.
    Inflated,
    /// Bytes made in memory; they have no place in any file.
    Memory,
}

impl Space {
    /// The word reports use.
    pub fn name(self) -> &'static str {
        match self {
            Space::File => "file",
            Space::Inflated => "inflated",
            Space::Memory => "memory",
        }
    }
}

/// A run of bytes in one address space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which bytes the offset counts.
    pub space: Space,
    /// First byte.
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
}

impl Span {
    /// A run of bytes of the file itself.
    pub fn file(offset: u64, size: u64) -> Span {
        Span { space: Space::File, offset, size }
    }

    /// No place in any file: things made or changed in memory.
    pub const NOWHERE: Span = Span { space: Space::Memory, offset: 0, size: 0 };

    /// The byte behind the last.
    pub fn end(&self) -> u64 {
        self.offset + self.size
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.offset, self.end());
        if self.space == Space::Inflated {
            write!(f, "inflated ")?;
        }
        if self.size == 0 {
            write!(f, "byte {start:#x} ({start})")
        } else {
            write!(f, "bytes {start:#x}..{end:#x} ({start}..{end})")
        }
    }
}
