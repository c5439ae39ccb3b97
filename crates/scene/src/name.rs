use std::fmt;

/// A name: bytes that should be UTF-8. It is shown lossily and kept exactly.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Vec<u8>);

impl Name {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Whether the bytes are UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
    /// Its first bytes, so many at most; UTF-8 is not cut inside of a character.
    pub fn start(&self, most: usize) -> Name {
        let most = most.min(self.0.len());
        let most = self.as_str().map_or(most, |text| text.floor_char_boundary(most));
        Name(self.0[..most].to_vec())
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name(text.as_bytes().to_vec())
    }
}
impl From<String> for Name {
    fn from(text: String) -> Name {
        Name(text.into_bytes())
    }
}
impl From<&[u8]> for Name {
    fn from(bytes: &[u8]) -> Name {
        Name(bytes.to_vec())
    }
}
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(&self.0), f)
    }
}
