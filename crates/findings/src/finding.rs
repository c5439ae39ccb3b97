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
}

impl Finding {
    /// A finding with the severity and advice of its rule.
    pub fn new(rule: &'static RuleInfo, place: Place, message: impl Into<String>) -> Finding {
        let help = rule.page.section("Fix");
        Finding { rule, severity: rule.severity, place, message: message.into(), help, count: 1 }
    }
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
