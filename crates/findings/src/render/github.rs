//! Findings as commands to GitHub Actions, which shows them beside the files.

use super::terminal::places;
use crate::{Finding, Severity};

/// One finding, as one line.
pub fn line(file: &str, finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    // What is found in a file that the model names is shown there.
    let at = finding.place.file.as_ref().map_or(file, |other| &other.0);
    let title = format!("{} {}", finding.rule.id, finding.rule.name);
    let text = [&[finding.message.clone()][..], &places(&finding.place)].concat().join("  ");
    let help = if finding.help.is_empty() { String::new() } else { format!("\n{}", finding.help) };
    format!("::{level} file={},title={}::{}", property(at), property(&title), data(&(text + &help)))
}

/// Text behind the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text inside it.
fn property(text: &str) -> String {
    data(&super::escape(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FILE_001, Place};

    #[test]
    fn text_stays_inside_its_command() {
        let mut finding = Finding::new(&FILE_001, Place::path("a"), "100 %\n::error::x");
        finding.help = "look".to_owned();
        let title = format!("{} {}", FILE_001.id, FILE_001.name);
        let expected = format!("::error file=a%3A%2C1.stl,title={title}::100 %25%0A::error::x  a%0Alook");
        assert_eq!(line("a:,1.stl", &finding), expected);
    }
}
