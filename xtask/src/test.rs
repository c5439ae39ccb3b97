//! `cargo xtask test`: everything that must hold, in one command.

use std::env;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::workspace::{cargo, output, packages, program, root, run as start};
use crate::{Result, editors, fuzz, generate, layers, new_format, sizes, validate, words};

/// How a step that did not fail ended.
pub(crate) enum Outcome {
    /// It was done; what there is to say about it.
    Done(String),
    /// It could not be done here, and why.
    Skipped(String),
}

impl Outcome {
    pub(crate) fn skipped(why: impl Into<String>) -> Result<Outcome> {
        Ok(Outcome::Skipped(why.into()))
    }
    fn done() -> Result<Outcome> {
        Ok(Outcome::Done(String::new()))
    }
}

type Step = fn() -> Result<Outcome>;

/// In the order that finds cheap faults first.
const STEPS: &[(&str, Step)] = &[
    ("fmt", fmt),
    ("layers", layers::check),
    ("sizes", sizes::check),
    ("words", words::check),
    ("gen", gen_check),
    ("clippy", clippy),
    ("tests", tests),
    ("doc", doc),
    ("features", features),
    ("no-c-compiler", no_c_compiler),
    ("wasm", wasm),
    ("new-format", new_format::check),
    ("gltf-validator", validate::check),
    ("editors", editors::check),
    ("fuzz", fuzz::smoke),
];

pub(crate) fn run(wanted: &[String]) -> Result {
    if let Some(unknown) = wanted.iter().find(|name| !STEPS.iter().any(|(step, _)| step == name)) {
        let known: Vec<&str> = STEPS.iter().map(|(step, _)| *step).collect();
        return Err(format!("there is no step {unknown}; there are {}", known.join(", ")).into());
    }
    let start = Instant::now();
    let mut lines = Vec::new();
    for (name, step) in STEPS.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| w == name)) {
        println!("== {name}");
        let begun = Instant::now();
        let result = step();
        let line = summary(name, &result, begun.elapsed());
        println!("== {line}\n");
        lines.push(line);
        if let Err(error) = result {
            lines.iter().for_each(|line| println!("{line}"));
            return Err(format!("{name}: {error}").into());
        }
    }
    lines.push(format!("{:<16} {:>7.1} s", "total", start.elapsed().as_secs_f64()));
    lines.iter().for_each(|line| println!("{line}"));
    Ok(())
}

fn summary(name: &str, result: &Result<Outcome>, took: Duration) -> String {
    let end = match result {
        Ok(Outcome::Done(note)) if note.is_empty() => "ok".to_owned(),
        Ok(Outcome::Done(note)) => format!("ok: {note}"),
        Ok(Outcome::Skipped(why)) => format!("skipped: {why}"),
        Err(_) => "FAILED".to_owned(),
    };
    format!("{name:<16} {:>7.1} s  {end}", took.as_secs_f64())
}

fn fmt() -> Result<Outcome> {
    start(&mut cargo("fmt --all --check"))?;
    Outcome::done()
}

fn gen_check() -> Result<Outcome> {
    generate::run(true)?;
    Outcome::done()
}

fn clippy() -> Result<Outcome> {
    start(&mut cargo("clippy --workspace --all-targets -- -D warnings"))?;
    Outcome::done()
}

fn tests() -> Result<Outcome> {
    let mut command = cargo("test --workspace");
    let note = match corpus() {
        Some(folder) => {
            command.env("PENTAD_CORPUS", folder);
            String::new()
        }
        None => "without real files, which PENTAD_CORPUS would name".to_owned(),
    };
    start(&mut command)?;
    Ok(Outcome::Done(note))
}

/// Real files to test with: the folder that is named, or the one that lies beside the project.
pub(crate) fn corpus() -> Option<PathBuf> {
    let beside = || root().join("../shared/corpus").canonicalize().ok();
    env::var_os("PENTAD_CORPUS").map(PathBuf::from).or_else(beside)
}

fn doc() -> Result<Outcome> {
    start(cargo("doc --workspace --no-deps --document-private-items").env("RUSTDOCFLAGS", "-D warnings"))?;
    Outcome::done()
}

/// Each format builds without the others. Clippy instead of check: it denies warnings without building everything
/// below once more. Dead code is allowed: without any format, what serves formats serves nobody.
fn features() -> Result<Outcome> {
    let packages = packages()?;
    let formats = packages.iter().find(|package| package["name"] == "pentad-formats");
    let features =
        formats.and_then(|package| package["features"].as_object()).ok_or("pentad-formats has no features")?;
    let names = features.keys().map(String::as_str).filter(|name| *name != "default");
    for name in std::iter::once("").chain(names) {
        let words = format!("clippy --quiet -p pentad-formats --no-default-features --features={name} --");
        start(cargo(&words).args(["-D", "warnings", "-A", "dead_code"]))?;
    }
    Ok(Outcome::Done(format!("{} features, and none", features.keys().filter(|name| *name != "default").count())))
}

/// Builds that must need no C compiler: the library as it is, and the program without what is written in C.
const WITHOUT_C: &[&str] = &[
    "-p pentad",
    "-p pentad-cli --no-default-features --features=danmodel,das2,dgl2,dgl3,dragon,gltf,mat,obj,ply,stl",
];

fn no_c_compiler() -> Result<Outcome> {
    for what in WITHOUT_C {
        // The `cc` crate starts these; rustc links with a program of its own choice.
        start(cargo(&format!("check --quiet {what}")).env("CC", "no-c-compiler").env("CXX", "no-c-compiler"))?;
    }
    Outcome::done()
}

fn wasm() -> Result<Outcome> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let installed = output(program("rustup").args(["target", "list", "--installed"])).unwrap_or_default();
    if !installed.lines().any(|line| line == TARGET) {
        return Outcome::skipped(format!("target {TARGET} is not installed"));
    }
    start(&mut cargo(&format!("check --quiet --target {TARGET} -p pentad-formats")))?;
    Outcome::done()
}

/// The names of a package's dependencies of one kind (`Value::Null` is the usual one).
pub(crate) fn dependencies<'a>(package: &'a Value, kind: &Value) -> Vec<&'a str> {
    let all = package["dependencies"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().filter(|d| d["kind"] == *kind).filter_map(|d| d["name"].as_str()).collect()
}
