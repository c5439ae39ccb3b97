//! What the library at its last commit would make of a file.

use findings::Severity;

use crate::support::*;

fn errors(bytes: &[u8], asked: Option<&str>) -> Vec<&'static str> {
    let mut found = check(bytes, asked);
    found.retain(|finding| finding.severity == Severity::Error);
    rules(&found)
}

fn sample(name: &str) -> Vec<u8> {
    let found = corpus::samples().into_iter().find(|s| s.format == "das2" && s.name == name);
    (found.expect("a sample").bytes)()
}

#[test]
fn the_library_loads_a_plain_triangle_of_its_own_layout() {
    assert!(errors(&corpus::das2::engine_triangle(), Some("engine")).is_empty());
    assert!(errors(&sample("zstd"), Some("engine")).is_empty());
    assert!(errors(&sample("zstd-frames"), Some("engine")).is_empty());
}

#[test]
fn the_library_fails_where_it_is_known_to() {
    for (name, rule) in [
        ("triangle", "DAS2-050"),
        ("engine-zlib", "DAS2-050"),
        ("engine", "DAS2-050"),
        ("level-lies", "DAS2-013"),
        ("converter", "DAS2-008"),
        ("v3", "DAS2-050"),
    ] {
        assert!(errors(&sample(name), Some("engine")).contains(&rule), "{name}");
    }
    // None of that is a fault of a file in its own dialect.
    for name in ["triangle", "engine-zlib", "engine", "v3", "v2", "head-text", "table-ids", "nul", "hash"] {
        let found = check(&sample(name), None);
        assert!(found.iter().all(|finding| finding.severity == Severity::Info), "{name}: {found:?}");
    }
}
