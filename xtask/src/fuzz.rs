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
    /// Send random scenes to every format and back
    Scenes {
        /// Which ones: those below 200 are tried by `cargo xtask test`
        #[arg(long, default_value = "200..2200")]
        seeds: String,
        /// Only these formats
        formats: Vec<String>,
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
        Verb::Scenes { seeds, formats } => {
            let mut test = cargo("test --quiet -p pentad --test random -- --nocapture");
            start(test.env("PENTAD_SEEDS", seeds).env("PENTAD_WAYS", formats.join(",")))
        }
    }
}

/// The formats that have a target: all that can be read.
pub(crate) fn targets() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.info()).filter(|info| info.read).map(|info| info.id)
}

/// Every target on inputs that are the same each time, so that what passes once passes again: libFuzzer goes another way
/// with every run, even with a fixed seed. New inputs are tried by `cargo xtask fuzz run`.
pub(crate) fn smoke() -> Result<Outcome> {
    let inputs = std::env::var("PENTAD_FUZZ_INPUTS").map_or(Ok(1000), |text| text.parse())?;
    if inputs == 0 {
        return Outcome::skipped("PENTAD_FUZZ_INPUTS is 0");
    }
    let tools = match tools()? {
        Ok(tools) => tools,
        Err(missing) => return Outcome::skipped(missing),
    };
    let seeds = seeds();
    tools.build()?;
    for id in targets() {
        let folder = target("fuzz-inputs")?.join(id);
        write_inputs(&folder, seeds.iter().filter(|seed| seed.format == id), inputs)?;
        tools.fuzz(id, Until::Seen(&folder))?;
    }
    Ok(Outcome::Done(format!("{} targets, {inputs} inputs each", targets().count())))
}

/// When a target has run for long enough.
#[derive(Clone, Copy)]
enum Until<'a> {
    Seconds(u32),
    /// It has seen the files of this folder.
    Seen(&'a Path),
}

/// A file to start from.
struct Seed {
    format: &'static str,
    name: String,
    bytes: Vec<u8>,
}

/// Samples, and the pair of files of every rule.
fn seeds() -> Vec<Seed> {
    let samples = corpus::samples().into_iter().map(|sample| Seed {
        format: sample.format,
        name: format!("sample-{}", sample.name),
        bytes: (sample.bytes)(),
    });
    let cases = corpus::rule_cases().into_iter().flat_map(|case| {
        let formats = FORMATS.iter().filter(move |format| format.rules().iter().any(|rule| rule.id == case.rule));
        formats.map(|format| format.info().id).flat_map(move |format| {
            let seed = |end: &str, bytes: fn() -> Vec<u8>| {
                let name = format!("{}-{end}", case.rule);
                Seed { format, name, bytes: bytes() }
            };
            [seed("fail", case.fail), seed("pass", case.pass)]
        })
    });
    samples.chain(cases).collect()
}

/// Writes the seeds to where libFuzzer finds them and adds what it learns.
fn seed() -> Result<usize> {
    let seeds = seeds();
    for seed in &seeds {
        let folder = root().join("fuzz/corpus").join(seed.format);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(&seed.name), &seed.bytes)?;
    }
    Ok(seeds.len())
}

/// The first number of a damaged copy that no test has tried: `any_bytes.rs` takes those below.
const FIRST_COPY: u64 = 1000;

/// Fills a folder with `count` damaged copies of the seeds, in turn.
fn write_inputs<'a>(folder: &Path, seeds: impl Iterator<Item = &'a Seed> + Clone, count: usize) -> Result {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let rounds = (FIRST_COPY..).flat_map(|number| seeds.clone().map(move |seed| (number, seed)));
    for (number, seed) in rounds.take(count) {
        fs::write(folder.join(format!("{}-{number}", seed.name)), corpus::damaged(&seed.bytes, number))?;
    }
    Ok(())
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
    fn fuzz(&self, id: &str, until: Until<'_>) -> Result {
        let mut command = self.cargo_fuzz("run");
        // No sanitizer: the code has no `unsafe`, and without one a run sees twice as many inputs.
        command.args(["--sanitizer=none", id]);
        if let Until::Seen(folder) = until {
            command.arg(folder);
        }
        // An input takes about a millisecond, and a few megabytes: whatever reaches these limits trusts a number it read.
        command.args(["--", "-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1"]);
        command.arg(match until {
            Until::Seconds(seconds) => format!("-max_total_time={seconds}"),
            Until::Seen(_) => "-runs=0".to_owned(),
        });
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
