use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::{Aspect, AttributeKind, Page, Subject};

/// How grave a loss is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A number moved by less than [`ROUNDING`].
    Rounding,
    /// Something looks or behaves differently.
    Changed,
    /// Something is gone.
    Dropped,
}

/// Below this share of its own size, or of the model's, the move of a number is rounding.
pub const ROUNDING: f64 = 1e-5;

/// How far numbers moved at most, each as a share of its own size where that is large; infinite where one was none.
pub fn moved_by(was: &[f32], is: &[f32]) -> f64 {
    let share = |(was, is): (&f32, &f32)| {
        let (was, is) = (f64::from(*was), f64::from(*is));
        if was.is_finite() { (was - is).abs() / was.abs().max(1.) } else { f64::INFINITY }
    };
    was.iter().zip(is).map(share).fold(0., f64::max)
}

impl Level {
    /// All of them, the gravest first.
    pub const ALL: [Level; 3] = [Level::Dropped, Level::Changed, Level::Rounding];

    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Rounding => "rounding",
            Level::Changed => "changed",
            Level::Dropped => "dropped",
        }
    }
}

/// A kind of loss: what a conversion may leave behind, explained once for all targets.
#[derive(Debug)]
pub struct LossInfo {
    /// `LOSS-007`, never reused.
    pub code: &'static str,
    /// Readable name: `materials-dropped`.
    pub name: &'static str,
    /// How grave it is where nothing was measured.
    pub level: Level,
    /// Its page.
    pub page: Page,
}

/// Something a conversion left behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// `LOSS-007`.
    pub code: &'static str,
    /// Readable name.
    pub name: &'static str,
    /// How grave it is.
    pub level: Level,
    /// What is gone or changed.
    pub what: String,
    /// Which attribute of vertices that is, if it is one.
    pub attribute: Option<AttributeKind>,
    /// Which object of the scene.
    pub subject: Subject,
    /// Why the target cannot hold it.
    pub why: String,
    /// How many of them.
    pub count: u64,
    /// How far off it is at most, as a share of the number's own size or of the model's, where that was measured.
    pub size: Option<f64>,
    /// What to do instead.
    pub help: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.code, self.subject, self.what)?;
        if self.count > 1 {
            write!(f, " (x{})", self.count)?;
        }
        Ok(())
    }
}

/// What makes two losses the same: their kind, how grave they are, the object, and what is lost of it.
type Key = (&'static str, Level, Subject, String);

/// The losses of one conversion, in the order they happened, counted per kind and object.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Losses {
    list: Vec<Loss>,
    /// Where each kind, object and thing is in the list: a file may have as many objects as bytes.
    places: HashMap<Key, usize>,
}

/// Losses of one kind and cause, and the objects that they are about.
#[derive(Clone, Debug)]
pub struct LossGroup<'a> {
    /// The first of them.
    pub first: &'a Loss,
    /// How many there are.
    pub count: u64,
    /// How far off the worst of them is, where that was measured.
    pub size: Option<f64>,
    /// What is gone or changed, each once.
    pub whats: Vec<&'a str>,
    /// The objects, each once.
    pub subjects: Vec<&'a Subject>,
}

impl Losses {
    /// Records a loss; the same one again at the same object is counted.
    pub fn add(
        &mut self,
        info: &'static LossInfo,
        subject: impl Into<Subject>,
        count: u64,
        what: impl Into<Aspect>,
        why: impl Into<String>,
    ) {
        self.put(info.level, None, info, subject, count, what, why);
    }

    /// Records a loss whose size is known, as a share of the number's own size or of the model's: one that is too small
    /// to matter is rounding, whatever its kind. One that is infinite has no size: something was nowhere.
    pub fn add_measured(
        &mut self,
        info: &'static LossInfo,
        size: f64,
        subject: impl Into<Subject>,
        count: u64,
        what: impl Into<Aspect>,
        why: impl Into<String>,
    ) {
        let level = if size < ROUNDING { Level::Rounding } else { info.level };
        self.put(level, Some(size).filter(|size| size.is_finite()), info, subject, count, what, why);
    }

    /// Records a loss that is more or less grave than others of its kind.
    pub fn add_at(
        &mut self,
        level: Level,
        info: &'static LossInfo,
        subject: impl Into<Subject>,
        count: u64,
        what: impl Into<Aspect>,
        why: impl Into<String>,
    ) {
        self.put(level, None, info, subject, count, what, why);
    }

    #[allow(clippy::too_many_arguments)]
    fn put(
        &mut self,
        level: Level,
        size: Option<f64>,
        info: &'static LossInfo,
        subject: impl Into<Subject>,
        count: u64,
        what: impl Into<Aspect>,
        why: impl Into<String>,
    ) {
        let (subject, Aspect { text: what, attribute }) = (subject.into(), what.into());
        let new = self.list.len();
        let at = *self.places.entry((info.code, level, subject.clone(), what.clone())).or_insert(new);
        if let Some(known) = self.list.get_mut(at) {
            known.count += count;
            known.size = worse(known.size, size);
            return;
        }
        let help = info.page.section("Fix");
        self.list.push(Loss {
            code: info.code,
            name: info.name,
            level,
            what,
            attribute,
            subject,
            why: why.into(),
            count,
            size,
            help,
        });
    }

    /// The gravest level of all losses; nothing if nothing was lost.
    pub fn gravest(&self) -> Option<Level> {
        self.list.iter().map(|loss| loss.level).max()
    }

    /// How many lines of [`Losses::groups`] there are of each level that occurs, the gravest first.
    pub fn tally(&self) -> Vec<(Level, usize)> {
        let groups = self.groups();
        let of = |level| groups.iter().filter(|group| group.first.level == level).count();
        Level::ALL.into_iter().map(|level| (level, of(level))).filter(|(_, count)| *count > 0).collect()
    }

    /// The losses by kind and cause, the gravest first.
    pub fn groups(&self) -> Vec<LossGroup<'_>> {
        self.grouped(|loss| (loss.level, loss.code, loss.why.as_str(), ""))
    }

    /// The losses by kind, cause and thing, the gravest first: one of these is one entry of a report.
    pub fn entries(&self) -> Vec<LossGroup<'_>> {
        self.grouped(|loss| (loss.level, loss.code, loss.why.as_str(), loss.what.as_str()))
    }

    fn grouped<'a>(&'a self, key: impl Fn(&'a Loss) -> (Level, &'a str, &'a str, &'a str)) -> Vec<LossGroup<'a>> {
        let mut groups: Vec<LossGroup<'a>> = Vec::new();
        let mut at = HashMap::new();
        let (mut whats, mut subjects) = (HashSet::new(), HashSet::new());
        for loss in &self.list {
            let index = *at.entry(key(loss)).or_insert(groups.len());
            if index == groups.len() {
                groups.push(LossGroup { first: loss, count: 0, size: None, whats: Vec::new(), subjects: Vec::new() });
            }
            let group = &mut groups[index];
            group.count += loss.count;
            group.size = worse(group.size, loss.size);
            if whats.insert((index, loss.what.as_str())) {
                group.whats.push(&loss.what);
            }
            let is_named = !(loss.subject.is_file() && loss.subject.name.is_empty());
            if is_named && subjects.insert((index, &loss.subject)) {
                group.subjects.push(&loss.subject);
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.first.level));
        groups
    }

    /// Leaves out what is said again about a file in which everything should still be: it was not lost on the way there.
    pub fn leave_out_repeated(&mut self, again: &Losses) {
        let said: HashSet<(&str, &str, &str)> =
            again.iter().map(|loss| (loss.code, loss.what.as_str(), loss.why.as_str())).collect();
        let all = std::mem::take(&mut self.list);
        self.places.clear();
        let lost = |loss: &Loss| !said.contains(&(loss.code, loss.what.as_str(), loss.why.as_str()));
        self.extend(Losses { list: all.into_iter().filter(lost).collect(), ..Losses::default() });
    }

    /// Leaves out what another list says of the same objects.
    pub fn leave_out_same(&mut self, other: &Losses) {
        let told = |loss: &Loss| (loss.code, loss.subject.to_string(), loss.what.clone());
        let said: HashSet<(&str, String, String)> = other.iter().map(told).collect();
        let all = std::mem::take(&mut self.list);
        self.places.clear();
        let list = all.into_iter().filter(|loss| !said.contains(&told(loss))).collect();
        self.extend(Losses { list, ..Losses::default() });
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
            self.places
                .entry((loss.code, loss.level, loss.subject.clone(), loss.what.clone()))
                .or_insert(self.list.len());
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

/// The larger of two sizes, of which either may not have been measured.
fn worse(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    static SCALES: LossInfo =
        LossInfo { code: "LOSS-900", name: "scales", level: Level::Changed, page: Page(&["## Fix", "None."]) };
    static NAMES: LossInfo =
        LossInfo { code: "LOSS-901", name: "names", level: Level::Dropped, page: Page(&["## Fix", "None."]) };

    #[test]
    fn noise_is_rounding_whatever_its_kind() {
        let mut losses = Losses::default();
        losses.add_measured(&SCALES, 7.9e-7, "skin 0", 3, "scales", "one number");
        assert_eq!(losses.gravest(), Some(Level::Rounding));
        losses.add_measured(&SCALES, 0.2, "skin 0", 1, "scales", "one number");
        assert_eq!(losses.gravest(), Some(Level::Changed));
        assert_eq!(losses.tally(), [(Level::Changed, 1), (Level::Rounding, 1)]);
    }

    #[test]
    fn one_line_per_kind_and_cause_names_every_subject_the_gravest_first() {
        let mut losses = Losses::default();
        losses.add_measured(&SCALES, 0.1, "skin 0", 1, "scales", "one number");
        losses.add_measured(&SCALES, 0.3, "skin 1", 1, "scales", "one number");
        losses.add(&NAMES, "node 1", 1, "name", "none held");
        losses.add(&NAMES, "node 2", 1, "name", "none held");
        losses.add(&NAMES, "node 2", 1, "comment", "none held");
        losses.add(&NAMES, "node 3", 1, "name", "too long");
        let groups = losses.groups();
        let named = |group: &LossGroup<'_>| group.subjects.iter().map(ToString::to_string).collect::<Vec<_>>();
        let lines: Vec<_> = groups.iter().map(|g| (g.first.code, g.count, named(g), g.size)).collect();
        let expected = [
            ("LOSS-901", 3, vec!["node 1".to_owned(), "node 2".to_owned()], None),
            ("LOSS-901", 1, vec!["node 3".to_owned()], None),
            ("LOSS-900", 2, vec!["skin 0".to_owned(), "skin 1".to_owned()], Some(0.3)),
        ];
        assert_eq!(lines, expected);
        assert_eq!(groups[0].whats, ["name", "comment"]);
        assert_eq!(losses.entries().len(), 4);
    }
}
