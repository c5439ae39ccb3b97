//! `docs/rules/` and `docs/losses/`: one page each, and an index.

use std::collections::BTreeMap;

use pentad::findings::{FILE_RULES, RuleInfo};
use pentad::formats::{self, FORMATS};
use pentad::scene::loss::LOSSES;

use super::{Files, NOTE, code, table};

pub(super) fn pages() -> Files {
    let mut files = Files::new();
    // Formats that are one folder share their rules.
    let rules: BTreeMap<&str, &RuleInfo> = formats::rules().into_iter().map(|rule| (rule.id, rule)).collect();
    for rule in rules.values() {
        files.insert(format!("docs/rules/{}.md", rule.id), rule_page(rule));
    }
    files.insert("docs/rules/README.md".to_owned(), rule_index());
    for loss in LOSSES {
        let page = format!("{NOTE}# {} {}\n\n{}\n", loss.code, loss.name, loss.page.markdown().trim_end());
        files.insert(format!("docs/losses/{}.md", loss.code), page);
    }
    files.insert("docs/losses/README.md".to_owned(), loss_index());
    files
}

fn rule_page(rule: &RuleInfo) -> String {
    let owners = FORMATS.iter().filter(|format| format.rules().iter().any(|own| own.id == rule.id));
    let owners: Vec<String> = owners.map(|f| format!("[{0}](../formats/{0}.md)", f.info().id)).collect();
    let format = if owners.is_empty() { "any".to_owned() } else { owners.join(", ") };
    let (severity, stage) = (rule.severity.name().to_owned(), rule.stage.name().to_owned());
    let facts =
        table(&["format", "severity", "stage", "since"], [vec![format, severity, stage, rule.since.to_owned()]]);
    format!("{NOTE}# {} {}\n\n{facts}\n{}\n", rule.id, rule.name, rule.page.markdown().trim_end())
}

fn rule_index() -> String {
    let mut page = format!(
        "{NOTE}# Rules\n\nWhat `pentad check` finds. `pentad explain ID` shows the same pages; `--ignore` and `--only` \
         take the id or the name.\n"
    );
    page += &format!("\n## Files of any format\n\n{}", rows(FILE_RULES.iter().copied()));
    let mut shown: Vec<&str> = Vec::new();
    for format in FORMATS.iter().map(|format| (format.info(), format.rules())) {
        let (info, rules) = format;
        if shown.contains(&info.prefix) {
            continue;
        }
        shown.push(info.prefix);
        let sharing = FORMATS.iter().map(|f| f.info()).filter(|other| other.prefix == info.prefix);
        let names: Vec<&str> = sharing.map(|info| info.name).collect();
        page += &format!("\n## {}\n\n{}", names.join(", "), rows(rules.into_iter()));
    }
    page
}

fn rows(rules: impl Iterator<Item = &'static RuleInfo>) -> String {
    let rows = rules.map(|rule| {
        let link = format!("[{0}]({0}.md)", rule.id);
        let what = rule.page.section("What it finds");
        vec![link, code(rule.name), rule.severity.name().to_owned(), rule.stage.name().to_owned(), what]
    });
    table(&["rule", "name", "severity", "stage", "what it finds"], rows)
}

fn loss_index() -> String {
    let rows = LOSSES.iter().map(|loss| {
        let link = format!("[{0}]({0}.md)", loss.code);
        vec![link, code(loss.name), loss.page.section("What is lost")]
    });
    let rows = table(&["loss", "name", "what is lost"], rows);
    format!(
        "{NOTE}# Losses\n\nWhat `pentad convert` may leave behind, and lists when it does; `--strict` refuses instead. \
         `pentad explain ID` shows the same pages.\n\n{rows}"
    )
}
