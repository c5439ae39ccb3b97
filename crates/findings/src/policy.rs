use crate::{Finding, RuleInfo, tally};

/// Which findings count.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Rules to leave out, by id or name.
    pub ignore: Vec<String>,
    /// If not empty, the only rules to look at, by id or name.
    pub only: Vec<String>,
    /// Whether warnings fail a file.
    pub deny_warnings: bool,
}

impl Policy {
    /// Whether findings of this rule count.
    pub fn wants(&self, rule: &RuleInfo) -> bool {
        let named = |list: &[String]| list.iter().any(|r| r.eq_ignore_ascii_case(rule.id) || r == rule.name);
        !named(&self.ignore) && (self.only.is_empty() || named(&self.only))
    }

    /// Leaves out what does not count.
    pub fn apply(&self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| self.wants(finding.rule));
    }

    /// Whether these findings fail a file.
    pub fn fails(&self, findings: &[Finding]) -> bool {
        let [errors, warnings, _] = tally(findings);
        errors > 0 || (self.deny_warnings && warnings > 0)
    }
}
