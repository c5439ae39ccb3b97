//! Findings as JUnit XML, which CI servers read: a test per file, which fails if the file does.

use super::terminal::{Paint, finding_line};
use crate::{Finding, Policy, Severity};

/// One run over several files.
pub fn report(files: &[(String, Vec<Finding>)], policy: &Policy) -> String {
    let failures = files.iter().filter(|(_, findings)| policy.fails(findings)).count();
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\"", files.len());
    let mut xml = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n");
    xml += &format!("  <testsuite name=\"pentad check\" {counts}>\n");
    for (file, findings) in files {
        xml += &case(file, findings, policy);
    }
    xml + "  </testsuite>\n</testsuites>"
}

fn case(file: &str, findings: &[Finding], policy: &Policy) -> String {
    let head = format!("    <testcase classname=\"pentad.check\" name=\"{}\"", text(file));
    // What fails the file comes first: findings are sorted by severity.
    let Some(first) = findings.first() else { return head + "/>\n" };
    let fails = |finding: &&Finding| policy.fails(std::slice::from_ref(*finding));
    let lines = |kept: &dyn Fn(&&Finding) -> bool| {
        let line = |finding| text(&finding_line(finding, file, true, Paint::default()));
        findings.iter().filter(kept).map(line).collect::<Vec<_>>().join("\n")
    };
    let mut xml = head + ">\n";
    if policy.fails(findings) {
        let kind = if first.severity == Severity::Error { "error" } else { "warning" };
        let (message, lines) = (text(&first.message), lines(&fails));
        xml += &format!("      <failure type=\"{kind}\" message=\"{message}\">{lines}</failure>\n");
    }
    let rest = lines(&|finding| !fails(finding));
    if !rest.is_empty() {
        xml += &format!("      <system-out>{rest}</system-out>\n");
    }
    xml + "    </testcase>\n"
}

/// Text in XML, which cannot hold most control characters.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\0'..' ' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FILE_001, FILE_005, Place};

    #[test]
    fn only_what_fails_a_file_is_a_failure() {
        let error = Finding::new(&FILE_001, Place::file(), "a <b> & \"c\"\u{1}");
        let warning = Finding::new(&FILE_005, Place::file(), "odd");
        let files = [
            ("bad.stl".to_owned(), vec![error, warning.clone()]),
            ("odd.stl".to_owned(), vec![warning]),
            ("good.stl".to_owned(), Vec::new()),
        ];
        let xml = report(&files, &Policy::default());
        assert!(xml.contains("<testsuites tests=\"3\" failures=\"1\" errors=\"0\">"), "{xml}");
        assert!(xml.contains("message=\"a &lt;b&gt; &amp; &quot;c&quot;\u{fffd}\""), "{xml}");
        assert!(xml.contains("name=\"good.stl\"/>"), "{xml}");
        assert_eq!((xml.matches("<failure ").count(), xml.matches("<system-out>").count()), (1, 2), "{xml}");
        let strict = report(&files, &Policy { deny_warnings: true, ..Policy::default() });
        assert_eq!((strict.matches("<failure ").count(), strict.matches("<system-out>").count()), (2, 0), "{strict}");
    }
}
