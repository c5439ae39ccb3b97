use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::{Error, Place, RuleInfo, Severity};

/// Something worth knowing about a file that could be read.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule it belongs to.
    pub rule: &'static RuleInfo,
    /// How bad it is here.
    pub severity: Severity,
    /// Where it is; the first place if it was found several times.
    pub place: Place,
    /// What was expected and what was there.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// How often it was found in this place.
    pub count: u64,
    /// What it is about, where the message names something or several are counted; not all of very many.
    pub subjects: Vec<String>,
}

/// Most subjects of one finding that are listed.
const MAX_SUBJECTS: usize = 64;

impl Finding {
    /// A finding with the severity and advice of its rule.
    pub fn new(rule: &'static RuleInfo, place: Place, message: impl Into<String>) -> Finding {
        let help = rule.page.section("Fix");
        let message = message.into();
        let subjects = quoted(&message).map(str::to_owned).into_iter().collect();
        Finding { rule, severity: rule.severity, place, message, help, count: 1, subjects }
    }

    /// Why it was found: the message without what it is about, and without its numbers.
    pub(crate) fn cause(&self) -> String {
        let mut cause = String::with_capacity(self.message.len());
        let mut is_quoted = false;
        for word in self.message.split(' ') {
            let was_quoted = is_quoted;
            is_quoted ^= word.matches('"').count() % 2 == 1;
            let is_number = |c: char| c.is_ascii_digit();
            let odd = ["nan", "inf"].iter().any(|odd| word.to_ascii_lowercase().contains(odd));
            if !was_quoted && !word.contains('"') && !odd && !word.contains(is_number) {
                cause.push_str(word);
            }
            cause.push(' ');
        }
        // However many words a name has, it is one name.
        cause.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Counts one more of the same kind and cause.
    pub(crate) fn count_in(&mut self, other: Finding) {
        if self.subjects.is_empty() && other.place.path != self.place.path {
            self.subjects.push(self.place.path.clone());
        }
        let subjects = if other.subjects.is_empty() { vec![other.place.path] } else { other.subjects };
        for subject in subjects {
            if self.subjects.len() < MAX_SUBJECTS && !subject.is_empty() && !self.subjects.contains(&subject) {
                self.subjects.push(subject);
            }
        }
        self.count += other.count;
    }
}

/// The first name in quotes.
fn quoted(message: &str) -> Option<&str> {
    message.split('"').nth(1).filter(|name| !name.is_empty())
}

impl From<&Error> for Finding {
    fn from(error: &Error) -> Finding {
        let mut finding = Finding::new(error.rule(), error.place().clone(), error.message());
        finding.severity = Severity::Error;
        if let Some(help) = error.help() {
            finding.help = help.to_owned();
        }
        finding
    }
}

/// The same findings, those of one rule and cause in one file as one: the first, with the subjects of all.
pub fn grouped<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Finding> {
    let mut groups: Vec<Finding> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for finding in findings {
        let kind = (finding.rule.id, finding.severity, finding.place.file.clone(), finding.cause());
        match known.entry(kind) {
            Entry::Occupied(group) => groups[*group.get()].count_in(finding.clone()),
            Entry::Vacant(new) => {
                new.insert(groups.len());
                groups.push(finding.clone());
            }
        }
    }
    groups
}

/// How many errors, warnings and infos there are.
pub fn tally(findings: &[Finding]) -> [usize; 3] {
    [Severity::Error, Severity::Warning, Severity::Info].map(|s| findings.iter().filter(|f| f.severity == s).count())
}

/// The order reports use: the worst first, then by place, the model before the files it names.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let bytes = |f: &Finding| f.place.span.map(|s| (s.space, s.offset));
        let severity = b.severity.cmp(&a.severity);
        let place = || a.place.file.cmp(&b.place.file).then_with(|| bytes(a).cmp(&bytes(b)));
        severity.then_with(place).then_with(|| a.rule.id.cmp(b.rule.id))
    });
}
