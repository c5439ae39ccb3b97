//! `cargo xtask new-format`: the folder of a format, from `xtask/template/`.

use std::fs;
use std::path::Path;

use crate::Result;
use crate::test::Outcome;
use crate::workspace::{cargo, root, run as start, target};

/// The files of a format.
const TEMPLATE: &[(&str, &str)] = &[
    ("mod.rs", include_str!("../template/mod.rs.txt")),
    ("layout.rs", include_str!("../template/layout.rs.txt")),
    ("read.rs", include_str!("../template/read.rs.txt")),
    ("write.rs", include_str!("../template/write.rs.txt")),
    ("rules.rs", include_str!("../template/rules.rs.txt")),
    ("bridge.rs", include_str!("../template/bridge.rs.txt")),
    ("SPEC.md", include_str!("../template/SPEC.md.txt")),
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
    let (kind, prefix) = (type_name(name), prefix(name));
    println!(
        "crates/formats/src/{name}/ is written. Its tests fail until it is filled in. Now add:

  crates/formats/Cargo.toml, [features]        {name} = []
  crates/pentad/Cargo.toml, [features]         {name} = [\"formats/{name}\"]   and to default
  crates/cli/Cargo.toml, [features]            {name} = [\"pentad/{name}\"]   and to default
  crates/formats/src/lib.rs, beside the others #[cfg(feature = \"{name}\")]
                                               pub mod {name};
  crates/formats/src/lib.rs, FORMATS           #[cfg(feature = \"{name}\")]
                                               &any::Erased::<{name}::{kind}>::NEW,
  corpus/src/lib.rs                            pub mod {name};   and its SAMPLES and RULE_CASES ({prefix}-…) to the lists

then run: cargo xtask gen, cargo xtask test"
    );
    Ok(())
}

fn write(folder: &Path, name: &str) -> Result {
    fs::create_dir_all(folder)?;
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

/// The template compiles: in a crate that re-exports `formats`, so that its paths mean the same.
pub(crate) fn check() -> Result<Outcome> {
    const MANIFEST: &str = "[package]\nname = \"template\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n";
    let folder = target("template")?;
    let _ = fs::remove_dir_all(folder.join("src"));
    write(&folder.join("src/sixth"), "sixth")?;
    fs::write(folder.join("src/lib.rs"), "//! A check.\npub use formats::*;\npub mod sixth;\n")?;
    let crates = ["wire", "findings", "scene", "formats"];
    let dependencies =
        crates.map(|name| format!("{name} = {{ package = \"pentad-{name}\", path = \"../../crates/{name}\" }}\n"));
    let corpus = "\n[dev-dependencies]\ncorpus = { package = \"pentad-corpus\", path = \"../../corpus\" }\n";
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
