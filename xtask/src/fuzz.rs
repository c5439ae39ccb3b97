//! `cargo xtask fuzz`: seeds from the corpus, and libFuzzer on every format.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use pentad::formats::FORMATS;

use crate::Result;
use crate::test::Outcome;
use crate::workspace::{cargo, have, output, program, root, run as start, target};

#[derive(clap::Subcommand)]
pub(crate) enum Verb {
    /// Write the files of the corpus crate to fuzz/corpus
    Seed,
    /// Run targets until something is found
    Run {
        /// Seconds for each
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// Only these formats
        targets: Vec<String>,
    },
}

pub(crate) fn run(verb: &Verb) -> Result {
    match verb {
        Verb::Seed => {
            println!("{} seeds", seed()?);
            Ok(())
        }
        Verb::Run { seconds, targets: wanted } => {
            let tools = tools()??;
            seed()?;
            tools.build()?;
            let is_wanted = |id: &&str| wanted.is_empty() || wanted.iter().any(|w| w == id);
            targets().filter(is_wanted).try_for_each(|id| tools.fuzz(id, Until::Seconds(*seconds)))
        }
    }
}

/// The formats that have a target: all that can be read.
pub(crate) fn targets() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.info()).filter(|info| info.read).map(|info| info.id)
}

/// Every target for a while, and the same inputs each time: what passes once passes again. New ones are tried by
/// `cargo xtask fuzz run`.
pub(crate) fn smoke() -> Result<Outcome> {
    let inputs = std::env::var("PENTAD_FUZZ_INPUTS").map_or(Ok(1000), |text| text.parse())?;
    if inputs == 0 {
        return Outcome::skipped("PENTAD_FUZZ_INPUTS is 0");
    }
    let tools = match tools()? {
        Ok(tools) => tools,
        Err(missing) => return Outcome::skipped(missing),
    };
    seed()?;
    tools.build()?;
    targets().try_for_each(|id| tools.fuzz(id, Until::Inputs(inputs)))?;
    Ok(Outcome::Done(format!("{} targets, {inputs} inputs each", targets().count())))
}

/// When a target has run for long enough.
#[derive(Clone, Copy)]
enum Until {
    Seconds(u32),
    /// With a fixed seed.
    Inputs(u32),
}

/// Samples, and the pair of files of every rule.
fn seed() -> Result<usize> {
    let mut seeds: Vec<(&str, String, Vec<u8>)> = Vec::new();
    for sample in corpus::samples() {
        seeds.push((sample.format, format!("sample-{}", sample.name), (sample.bytes)()));
    }
    for case in corpus::rule_cases() {
        for format in FORMATS.iter().filter(|format| format.rules().iter().any(|rule| rule.id == case.rule)) {
            seeds.push((format.info().id, format!("{}-fail", case.rule), (case.fail)()));
            seeds.push((format.info().id, format!("{}-pass", case.rule), (case.pass)()));
        }
    }
    for (format, name, bytes) in &seeds {
        let folder = root().join("fuzz/corpus").join(format);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)?;
    }
    Ok(seeds.len())
}

/// What fuzzing needs beside this workspace.
struct Tools {
    nightly: String,
    cargo_fuzz: PathBuf,
}

/// Installs what is missing, or says what cannot be had.
fn tools() -> Result<std::result::Result<Tools, String>> {
    let toolchains = output(program("rustup").args(["toolchain", "list"])).unwrap_or_default();
    let nightly =
        toolchains.lines().filter_map(|line| line.split_whitespace().next()).find(|t| t.starts_with("nightly"));
    let Some(nightly) = nightly else { return Ok(Err("no nightly toolchain".to_owned())) };
    if !have(&std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned())) {
        return Ok(Err("no C++ compiler, which libFuzzer needs".to_owned()));
    }
    let folder = target("tools")?;
    let cargo_fuzz = folder.join("bin").join(format!("cargo-fuzz{}", std::env::consts::EXE_SUFFIX));
    if !cargo_fuzz.exists() && start(cargo("install cargo-fuzz --locked --quiet --root").arg(&folder)).is_err() {
        return Ok(Err("cargo-fuzz could not be installed".to_owned()));
    }
    same_versions()?;
    if start(&mut cargo("fetch --quiet --manifest-path fuzz/Cargo.toml")).is_err() {
        return Ok(Err("libfuzzer-sys could not be fetched".to_owned()));
    }
    Ok(Ok(Tools { nightly: nightly.to_owned(), cargo_fuzz }))
}

/// Gives the fuzz workspace the versions of this one; cargo adds what only it needs.
fn same_versions() -> Result {
    let (ours, theirs) = (root().join("Cargo.lock"), root().join("fuzz/Cargo.lock"));
    let age = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    if age(&theirs).ok() < age(&ours).ok() {
        fs::copy(ours, theirs)?;
    }
    Ok(())
}

impl Tools {
    fn build(&self) -> Result {
        start(self.cargo_fuzz("build").arg("--sanitizer=none"))
    }

    /// libFuzzer talks a lot; only what it says about a find is worth reading.
    fn fuzz(&self, id: &str, until: Until) -> Result {
        let mut command = self.cargo_fuzz("run");
        // No sanitizer: the code has no `unsafe`, and without one a run sees twice as many inputs.
        command.args(["--sanitizer=none", id, "--"]);
        // An input takes about a millisecond, and a few megabytes: whatever reaches these limits trusts a number it read.
        command.args(["-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1"]);
        match until {
            Until::Seconds(seconds) => command.arg(format!("-max_total_time={seconds}")),
            Until::Inputs(inputs) => command.args(["-seed=1".to_owned(), format!("-runs={inputs}")]),
        };
        let begun = Instant::now();
        let run = command.output()?;
        let said = String::from_utf8_lossy(&run.stderr);
        if !run.status.success() {
            eprintln!("{said}");
            return Err(format!("the target {id} found something").into());
        }
        let count = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
        println!("{id}: {} inputs in {:.0} s", count.unwrap_or("?").trim(), begun.elapsed().as_secs_f64());
        Ok(())
    }

    fn cargo_fuzz(&self, verb: &str) -> Command {
        let mut command = program(&self.cargo_fuzz);
        // This program runs below a stable cargo, which names itself to its children.
        command.env_remove("CARGO").env_remove("RUSTC").env("RUSTUP_TOOLCHAIN", &self.nightly);
        command.args([verb, "--target-dir=target/fuzz"]);
        command
    }
}
