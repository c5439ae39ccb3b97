//! `cargo xtask new-format`: the folder of a format, from `xtask/template/`.

use std::fs;
use std::path::Path;

use crate::Result;
use crate::test::Outcome;
use crate::workspace::{cargo, root, run as start, target};

/// The files of a format.
const TEMPLATE: &[(&str, &str)] = &[
    ("mod.rs", include_str!("../template/mod.rs.txt")),
    ("dialect.rs", include_str!("../template/dialect.rs.txt")),
    ("layout.rs", include_str!("../template/layout.rs.txt")),
    ("read.rs", include_str!("../template/read.rs.txt")),
    ("write.rs", include_str!("../template/write.rs.txt")),
    ("rules.rs", include_str!("../template/rules.rs.txt")),
    ("bridge/mod.rs", include_str!("../template/bridge.rs.txt")),
    ("bridge/lift.rs", include_str!("../template/lift.rs.txt")),
    ("bridge/lower.rs", include_str!("../template/lower.rs.txt")),
    ("SPEC.md", include_str!("../template/SPEC.md.txt")),
];

/// The recipes of its files.
const RECIPES: &str = include_str!("../template/recipes.rs.txt");

/// Where a format is listed: the file, the line that a new one goes before, and what is written there.
const LISTS: &[(&str, &str, &str)] = &[
    ("crates/formats/src/lib.rs", "\npub use any::", "pub mod {{name}};\n"),
    (
        "crates/formats/src/lib.rs",
        "];\n\n/// The format with this id.",
        "    &any::Erased::<{{name}}::{{Name}}>::NEW,\n",
    ),
    ("corpus/src/lib.rs", "\nuse std::io;", "pub mod {{name}};\n"),
    (
        "corpus/src/lib.rs",
        "];\n\n/// Every sample of every format",
        "    Recipes::of({{name}}::SAMPLES, {{name}}::RULE_CASES),\n",
    ),
];

pub(crate) fn run(name: &str) -> Result {
    let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if !is_word {
        return Err(format!("{name} is no id: lower-case letters and digits, a letter first").into());
    }
    let folder = root().join("crates/formats/src").join(name);
    if folder.exists() {
        return Err(format!("crates/formats/src/{name} is there already").into());
    }
    write(&folder, name)?;
    fs::write(root().join("corpus/src").join(name).with_extension("rs"), fill(RECIPES, name))?;
    LISTS.iter().try_for_each(|list| enter(list, name))?;
    start(&mut cargo("fmt --all"))?;
    println!(
        "crates/formats/src/{name}/ and corpus/src/{name}.rs are written and listed in crates/formats/src/lib.rs and \
         corpus/src/lib.rs.\nIts tests fail until it is filled in; then run: cargo xtask gen, cargo xtask test"
    );
    Ok(())
}

/// Adds a format to a list.
fn enter((file, before, line): &(&str, &str, &str), name: &str) -> Result {
    let path = root().join(file);
    let text = fs::read_to_string(&path)?;
    let at = text.find(before).ok_or_else(|| format!("{file} has no list that ends with {before:?}"))?;
    let (head, tail) = text.split_at(at);
    fs::write(path, format!("{head}{}{tail}", fill(line, name)))?;
    Ok(())
}

fn write(folder: &Path, name: &str) -> Result {
    fs::create_dir_all(folder.join("bridge"))?;
    for (file, text) in TEMPLATE {
        fs::write(folder.join(file), fill(text, name))?;
    }
    Ok(())
}

fn fill(text: &str, name: &str) -> String {
    text.replace("{{name}}", name).replace("{{Name}}", &type_name(name)).replace("{{PREFIX}}", &prefix(name))
}

/// `dgl4` → `Dgl4`.
fn type_name(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

/// Of rule ids: four letters at most, as the others have.
fn prefix(name: &str) -> String {
    name.chars().take(4).collect::<String>().to_uppercase()
}

/// What the template needs of the crates around it.
const CHECK: &str = "//! A check.
pub use corpus::{Kind, RuleCase, Sample, SideFiles};
pub use formats::*;
pub mod recipes;
pub mod sixth;
fn alone() -> SideFiles {
    Vec::new()
}
fn never_complete(_: &[u8]) -> Vec<usize> {
    Vec::new()
}
";

/// The template compiles: in a crate that re-exports `formats`, so that its paths mean the same.
pub(crate) fn check() -> Result<Outcome> {
    const MANIFEST: &str = "[package]\nname = \"template\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n";
    let folder = target("template")?;
    let _ = fs::remove_dir_all(folder.join("src"));
    write(&folder.join("src/sixth"), "sixth")?;
    fs::write(folder.join("src/recipes.rs"), fill(RECIPES, "sixth"))?;
    fs::write(folder.join("src/lib.rs"), CHECK)?;
    for (file, before, _) in LISTS {
        if !fs::read_to_string(root().join(file))?.contains(before) {
            return Err(format!("{file} has no list that ends with {before:?}").into());
        }
    }
    let crates = ["wire", "findings", "scene", "formats"];
    let dependencies =
        crates.map(|name| format!("{name} = {{ package = \"pentad-{name}\", path = \"../../crates/{name}\" }}\n"));
    let corpus = "corpus = { package = \"pentad-corpus\", path = \"../../corpus\" }\n";
    // With the workspace's profiles, what lies below need not be built again.
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let profiles: String = manifest.split("[profile.").skip(1).map(|text| format!("\n[profile.{text}")).collect();
    fs::write(folder.join("Cargo.toml"), format!("{MANIFEST}{}{corpus}{profiles}", dependencies.concat()))?;
    // The versions that are here anyway.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let words = "clippy --quiet --offline --all-targets --target-dir target --manifest-path target/template/Cargo.toml";
    start(cargo(words).args(["--", "-D", "warnings"]))?;
    start(&mut cargo("fmt --check --manifest-path target/template/Cargo.toml"))?;
    Ok(Outcome::Done(String::new()))
}
