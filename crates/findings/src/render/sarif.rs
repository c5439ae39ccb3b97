//! Findings as SARIF 2.1.0, which code-scanning services read.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Finding, RuleInfo, Severity};

/// One run of the tool over several files.
pub fn log(version: &str, files: &[(String, Vec<Finding>)]) -> Value {
    let mut rules: BTreeMap<&str, &RuleInfo> = BTreeMap::new();
    for (_, findings) in files {
        rules.extend(findings.iter().map(|f| (f.rule.id, f.rule)));
    }
    let ids: Vec<&str> = rules.keys().copied().collect();
    let results: Vec<Value> =
        files.iter().flat_map(|(file, findings)| findings.iter().map(|finding| result(file, finding, &ids))).collect();
    let rules: Vec<Value> = rules.values().map(|info| rule(info)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": { "name": "pentad", "version": version, "rules": rules } }, "results": results }],
    })
}

fn rule(info: &RuleInfo) -> Value {
    json!({
        "id": info.id,
        "name": info.name,
        "shortDescription": { "text": info.page.section("What it finds") },
        "fullDescription": { "text": info.page.section("Why it matters") },
        "help": { "text": info.page.section("Fix"), "markdown": info.page.markdown() },
        "defaultConfiguration": { "level": level(info.severity) },
        "properties": { "stage": info.stage.name() },
    })
}

fn result(file: &str, finding: &Finding, ids: &[&str]) -> Value {
    let file = finding.place.file.as_ref().map_or(file, |other| &other.0);
    let mut location = json!({ "artifactLocation": { "uri": uri(file) } });
    // A region speaks of bytes of the file; places inside a compressed body have none.
    if let Some(span) = finding.place.span.filter(|s| s.space == wire::Space::File) {
        location["region"] = json!({ "byteOffset": span.offset, "byteLength": span.size });
    }
    json!({
        "ruleId": finding.rule.id,
        "ruleIndex": ids.binary_search(&finding.rule.id).unwrap_or(0),
        "level": level(finding.severity),
        "message": { "text": format!("{}. {}", finding.message, finding.help) },
        "occurrenceCount": finding.count,
        "locations": [{
            "physicalLocation": location,
            "logicalLocations": [{ "fullyQualifiedName": finding.place.path }],
        }],
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A path as a relative reference: separators become slashes, everything a URI may not hold is escaped.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
