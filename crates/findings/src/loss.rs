use std::collections::HashMap;
use std::fmt;

use crate::Page;

/// A kind of loss: what a conversion may leave behind, explained once for all targets.
#[derive(Debug)]
pub struct LossInfo {
    /// `LOSS-007`, never reused.
    pub code: &'static str,
    /// Readable name: `materials-dropped`.
    pub name: &'static str,
    /// Its page.
    pub page: Page,
}

/// Something a conversion left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// `LOSS-007`.
    pub code: &'static str,
    /// Readable name.
    pub name: &'static str,
    /// What is gone or changed.
    pub what: String,
    /// Which object of the scene.
    pub place: String,
    /// Why the target cannot hold it.
    pub why: String,
    /// How many of them.
    pub count: u64,
    /// What to do instead.
    pub help: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.code, self.place, self.what)?;
        if self.count > 1 {
            write!(f, " (x{})", self.count)?;
        }
        Ok(())
    }
}

/// The losses of one conversion, in the order they happened, counted per kind and object.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Losses {
    list: Vec<Loss>,
    /// Where each kind, object and thing is in the list: a file may have as many objects as bytes.
    places: HashMap<(&'static str, String, String), usize>,
}

impl Losses {
    /// Records a loss; the same one again at the same object is counted.
    pub fn add(
        &mut self,
        info: &'static LossInfo,
        place: impl Into<String>,
        count: u64,
        what: impl Into<String>,
        why: impl Into<String>,
    ) {
        let (place, what) = (place.into(), what.into());
        let new = self.list.len();
        let at = *self.places.entry((info.code, place.clone(), what.clone())).or_insert(new);
        if at < new {
            self.list[at].count += count;
            return;
        }
        let help = info.page.section("Fix");
        self.list.push(Loss { code: info.code, name: info.name, what, place, why: why.into(), count, help });
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The losses.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.list.iter()
    }

    /// Adds the losses of a further step.
    pub fn extend(&mut self, other: Losses) {
        for loss in other.list {
            self.places.entry((loss.code, loss.place.clone(), loss.what.clone())).or_insert(self.list.len());
            self.list.push(loss);
        }
    }
}

impl<'a> IntoIterator for &'a Losses {
    type Item = &'a Loss;
    type IntoIter = std::slice::Iter<'a, Loss>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
