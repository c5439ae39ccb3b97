use findings::{Result, RuleInfo};
use formats::{AnyDocument, Mend, ReadCx};
use wire::{Blob, Sink};

use crate::Asset;

/// Rules, and how many places each mended.
pub type Mendings = Vec<(&'static RuleInfo, u64)>;

/// A mended file that has not been written yet.
#[must_use]
pub struct Mended {
    /// The whole file; nothing if there is nothing to mend.
    pub bytes: Blob,
    /// What was mended.
    pub done: Mendings,
    /// What only [`Mend::All`] mends.
    pub left: Mendings,
}

impl Asset {
    /// Mends what can be mended without judgement, for every rule that is `wanted`. With [`Mend::Keep`] a file that would
    /// lose bytes, or its dialect, by being written anew is left as it is.
    ///
    /// # Errors
    /// If what is mended cannot be written, or could not be read any more.
    pub fn mend(&self, mend: Mend, wanted: &dyn Fn(&RuleInfo) -> bool) -> Result<Mended> {
        let mut document = self.document().duplicate();
        let done = document.fix(mend, wanted);
        let left = document.duplicate().fix(Mend::All, wanted);
        if done.is_empty() {
            return Ok(Mended { bytes: Blob::default(), done, left });
        }
        let mut sink = Sink::default();
        document.write(&mut sink)?;
        let bytes = Blob::file(sink.into_vec());
        let read = document.format().read(bytes.clone(), &mut ReadCx { limits: self.limits(), ..ReadCx::default() })?;
        let keeps = read.dialect() == self.document().dialect()
            && content(&*read, &bytes) >= content(self.document(), self.file().bytes());
        if mend == Mend::Keep && !keeps {
            let left = self.document().duplicate().fix(Mend::All, wanted);
            return Ok(Mended { bytes: Blob::default(), done: Mendings::new(), left });
        }
        Ok(Mended { bytes, done, left })
    }
}

/// How many bytes there are in a document: of a body that is compressed, those it inflates to.
fn content(document: &dyn AnyDocument, file: &Blob) -> usize {
    document.tree().iter().find_map(|node| Some(node.inflated()?.len())).unwrap_or(file.len())
}
