/// How much a file may ask for. Everything that grows with a number in the file is checked against these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest inflated body, in bytes.
    pub max_inflate: u64,
    /// How many times its own size a compressed body may inflate to, once that is more than a few megabytes.
    pub max_ratio: u64,
    /// Deepest nesting of structures and of files that name other files.
    pub max_depth: u32,
    /// Most objects a reader builds out of structures that take no bytes of their own.
    pub max_objects: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_inflate: 4 << 30, max_ratio: 250, max_depth: 64, max_objects: 16 << 20 }
    }
}
