use std::fmt;

use crate::{Blob, Counted, Fault, FaultKind, Layout, Reader, Value, Writer};

/// Text as the file has it: bytes that should be UTF-8. Its length stands elsewhere.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text(Blob);

impl Text {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
    /// The bytes, shared.
    pub fn blob(&self) -> &Blob {
        &self.0
    }
    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The text, if the bytes are UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(Blob::memory(text.as_bytes().to_vec()))
    }
}
impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(Blob::memory(text.into_bytes()))
    }
}
impl From<Blob> for Text {
    fn from(bytes: Blob) -> Text {
        Text(bytes)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}
impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(&self.0), f)
    }
}

impl<C: Counted> Layout<C> for Text {
    const MIN_SIZE: usize = 0;
    fn read(r: &mut Reader<'_>, size: C) -> Result<Text, Fault> {
        let bytes = r.take_many(size, 1)?;
        r.note("text", || Value::Text(bytes.clone()));
        Ok(Text(bytes))
    }
    fn write(&self, w: &mut Writer<'_>, size: C) -> Result<(), Fault> {
        w.counted(self.len(), size.count(), size.counted_by().unwrap_or("the count"))?;
        w.blob(&self.0);
        Ok(())
    }
}

/// Text that ends with a byte 00, which is not part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CText(pub Text);

impl std::ops::Deref for CText {
    type Target = Text;
    fn deref(&self) -> &Text {
        &self.0
    }
}

impl Layout for CText {
    const MIN_SIZE: usize = 1;
    fn read(r: &mut Reader<'_>, (): ()) -> Result<CText, Fault> {
        let Some(size) = r.rest().iter().position(|&b| b == 0) else {
            return Err(Fault::new(FaultKind::Unterminated, r.rest().span()));
        };
        let bytes = r.take(size + 1)?.slice(..size);
        r.note("cstring", || Value::Text(bytes.clone()));
        Ok(CText(Text(bytes)))
    }
    fn write(&self, w: &mut Writer<'_>, (): ()) -> Result<(), Fault> {
        if let Some(at) = self.0.bytes().iter().position(|&b| b == 0) {
            return Err(Fault::value(w.here(), "text without a byte 00", format!("one at position {at}")));
        }
        w.blob(&self.0.0);
        w.fixed(0_u8);
        Ok(())
    }
}
