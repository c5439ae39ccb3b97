//! Whatever place a finding names, `dump` and `hex` find it.

mod common;

use std::collections::BTreeSet;

use common::{Desk, code, json, stderr};

/// The paths that `check` names in this file and that have bytes; elements of accessors of glTF lie in buffers.
fn paths(desk: &Desk, file: &str) -> BTreeSet<String> {
    let checked = json(&desk.run(&["check", "--json", file]));
    let findings = checked["files"][0]["findings"].as_array().unwrap().iter();
    let own = findings.map(|finding| &finding["place"]).filter(|place| place["file"].is_null());
    let paths = own.filter(|place| place["size"].as_u64().is_some_and(|size| size > 0)).map(|place| &place["path"]);
    let paths = paths.filter_map(|path| path.as_str()).filter(|path| !path.is_empty()).map(str::to_owned);
    paths.filter(|path| !(path.starts_with("accessors[") && path.contains("]["))).collect()
}

#[test]
fn what_check_names_dump_and_hex_show() {
    let desk = Desk::new();
    let mut seen = 0;
    for (i, case) in corpus::rule_cases().iter().enumerate() {
        let prefix = case.rule.split('-').next().unwrap();
        let file = match prefix {
            "OBJ" | "STL" | "PLY" | "MAT" => format!("{i}.{}", prefix.to_lowercase()),
            _ => format!("{i}.model"),
        };
        desk.write(&file, &(case.fail)());
        for path in paths(&desk, &file) {
            seen += 1;
            for verb in ["dump", "hex"] {
                let shown = desk.run(&[verb, &file, &path]);
                // Of a file that no format recognises `dump` shows what there is, and fails.
                assert!(!shown.stdout.is_empty(), "{verb} of a case of {} at {path}: {}", case.rule, stderr(&shown));
                assert!(verb == "dump" || code(&shown) == 0, "{path}: {}", stderr(&shown));
            }
        }
    }
    assert!(seen > 100, "only {seen} places were looked at");
}
