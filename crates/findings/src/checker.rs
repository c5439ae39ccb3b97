use std::collections::HashMap;

use wire::{Budget, Node};

use crate::{FileId, Finding, NoSource, Place, RuleInfo, Severity, Source};

/// Most findings of one rule that are listed for one file; the rest is counted in the last of them.
pub const MAX_PER_RULE: usize = 64;

/// The dialect by whose name the user asks about the program behind a format.
pub const ENGINE: &str = "engine";

/// What repeated findings have in common: the rule, how bad it is, the file if it is not the model itself, the path
/// without its last index, and the cause.
type Family = (&'static str, Severity, Option<FileId>, [String; 3]);

/// Collects findings. Findings of one rule in one array are one finding with a count.
pub struct Checker<'a> {
    rule: Option<&'static RuleInfo>,
    /// The dialect the user asks about, if any.
    asked: Option<&'a str>,
    source: &'a dyn Source,
    limits: Budget,
    findings: Vec<Finding>,
    families: HashMap<Family, usize>,
    listed: HashMap<&'static str, usize>,
}

impl<'a> Checker<'a> {
    /// An empty list; `asked` is the dialect that `check --dialect` names.
    pub fn new(asked: Option<&'a str>) -> Checker<'a> {
        Checker {
            rule: None,
            asked,
            source: &NoSource,
            limits: Budget::default(),
            findings: Vec::new(),
            families: HashMap::new(),
            listed: HashMap::new(),
        }
    }

    /// The same list, with a place to look for the files a model names.
    pub fn with_source(self, source: &'a dyn Source) -> Checker<'a> {
        Checker { source, ..self }
    }

    /// The same list, for a run that may make so much.
    pub fn within(self, limits: Budget) -> Checker<'a> {
        Checker { limits, ..self }
    }

    /// How much may be made to find something.
    pub fn limits(&self) -> &Budget {
        &self.limits
    }

    /// Where the files that the model names are looked for.
    pub fn source(&self) -> &'a dyn Source {
        self.source
    }

    /// The rule that [`Checker::report`] speaks for.
    pub fn set_rule(&mut self, rule: &'static RuleInfo) {
        self.rule = Some(rule);
    }

    /// The rule that [`Checker::report`] speaks for, once it is set.
    pub fn rule(&self) -> Option<&'static RuleInfo> {
        self.rule
    }

    /// Whether the user asks if the program behind the format would load the file.
    pub fn asked_for_engine(&self) -> bool {
        self.asked == Some(ENGINE)
    }

    /// Reports with the severity of the rule.
    pub fn report(&mut self, place: Place, message: impl Into<String>) {
        self.report_many(place, 1, None, message);
    }

    /// Reports with a severity of its own.
    pub fn report_as(&mut self, severity: Severity, place: Place, message: impl Into<String>) {
        self.report_many(place, 1, Some(severity), message);
    }

    /// Reports something that was met `count` times, `place` being the first.
    pub fn report_count(&mut self, place: Place, count: u64, message: impl Into<String>) {
        self.report_many(place, count, None, message);
    }

    /// Reports something that was met `count` times, `place` being the first, with a severity of its own.
    pub fn report_count_as(&mut self, severity: Severity, place: Place, count: u64, message: impl Into<String>) {
        self.report_many(place, count, Some(severity), message);
    }

    fn report_many(&mut self, place: Place, count: u64, severity: Option<Severity>, message: impl Into<String>) {
        let Some(rule) = self.rule else { return };
        let mut finding = Finding::new(rule, place, message);
        finding.severity = severity.unwrap_or(rule.severity);
        finding.count = count;
        self.add(finding);
    }

    /// Adds a finding that someone else made.
    pub fn add(&mut self, finding: Finding) {
        let (before, behind) = finding.place.family();
        let words = [before.to_owned(), behind.to_owned(), finding.cause()];
        let family = (finding.rule.id, finding.severity, finding.place.file.clone(), words);
        if let Some(&same) = self.families.get(&family) {
            self.findings[same].count_in(finding);
            return;
        }
        let listed = self.listed.entry(finding.rule.id).or_default();
        if *listed == MAX_PER_RULE {
            if let Some(last) = self.findings.iter_mut().rev().find(|f| f.rule.id == finding.rule.id) {
                last.count_in(finding);
            }
            return;
        }
        *listed += 1;
        self.families.insert(family, self.findings.len());
        self.findings.push(finding);
    }

    /// The findings, with the bytes of every place that the tree knows.
    pub fn finish(self, tree: &[Node]) -> Vec<Finding> {
        self.finish_with(|| tree)
    }

    /// The same with a tree that is only made if a place needs it: it can be far larger than a file of many short parts.
    pub fn finish_with<T: AsRef<[Node]>>(self, tree: impl FnOnce() -> T) -> Vec<Finding> {
        let mut findings = self.findings;
        let mut unplaced = findings.iter_mut().filter(|f| f.place.span.is_none() && f.place.file.is_none()).peekable();
        if unplaced.peek().is_some() {
            let tree = tree();
            unplaced.for_each(|finding| finding.place.span = wire::locate(tree.as_ref(), &finding.place.path));
        }
        crate::sort(&mut findings);
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FILE_001;

    #[test]
    fn repeated_findings_of_one_array_are_counted() {
        let mut checker = Checker::new(None);
        checker.set_rule(&FILE_001);
        for i in 0..5 {
            checker.report(Place::path("pieces[0].vertices").nth(i).field("normal"), format!("at {i}"));
        }
        checker.report(Place::path("pieces[1].vertices[0].normal"), "elsewhere");
        let findings = checker.finish(&[]);
        assert_eq!(findings.len(), 2);
        assert_eq!((findings[0].count, findings[0].message.as_str()), (5, "at 0"));
    }

    #[test]
    fn same_path_in_two_files_is_two_places() {
        let mut checker = Checker::new(None);
        checker.set_rule(&FILE_001);
        for file in ["b.mtl", "a.mtl", "a.mtl"] {
            checker.report(Place::bytes("red", wire::Span::file(0, 1)).in_file(FileId(file.to_owned())), file);
        }
        checker.report(Place::bytes("red", wire::Span::file(9, 1)), "the model itself");
        let findings: Vec<_> = checker.finish(&[]).into_iter().map(|f| (f.message, f.count)).collect();
        let expected = [("the model itself", 1), ("a.mtl", 2), ("b.mtl", 1)];
        assert_eq!(findings, expected.map(|(file, count)| (file.to_owned(), count)));
    }

    #[test]
    fn findings_of_one_cause_list_what_they_are_about() {
        let mut checker = Checker::new(None);
        checker.set_rule(&FILE_001);
        let place = |i: usize| Place::path("entities").nth(i).field("properties");
        for (i, file) in ["white.mat", "dark oak.mat", "white.mat"].iter().enumerate() {
            checker.report(place(i), format!("material file \"{file}\" was not found"));
        }
        checker.report(place(3), "\"red.mat\" calls itself \"blue\"");
        let findings: Vec<_> = checker.finish(&[]).into_iter().map(|f| (f.count, f.subjects)).collect();
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(findings, [(3, names(&["white.mat", "dark oak.mat"])), (1, names(&["red.mat"]))]);
    }

    #[test]
    fn a_flood_is_counted_not_listed() {
        let mut checker = Checker::new(None);
        checker.set_rule(&FILE_001);
        for i in 0..1000 {
            checker.report(Place::path(format!("unit{i}")), "again");
        }
        let findings = checker.finish(&[]);
        assert_eq!(findings.len(), MAX_PER_RULE);
        assert_eq!(findings.iter().map(|f| f.count).sum::<u64>(), 1000);
    }
}
