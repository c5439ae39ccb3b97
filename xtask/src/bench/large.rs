//! Time and memory on a large file, as a Markdown table.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Result;
use crate::workspace::target;

const RUNS: usize = 5;
const STARTS: usize = 20;

/// Formats for which another program that converts them is measured, too.
const ASSIMP_READS: &[&str] = &["obj"];

/// How often memory is looked at while a program runs.
const LOOK_EVERY: Duration = Duration::from_millis(1);

pub(super) fn run(format: &str) -> Result {
    let folder = target("bench")?;
    let model = sample(&folder, format)?;
    let size = warm(&model)?;
    let pentad = super::pentad();
    let at = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let own = format!("out.{format}");
    let (input, copy) = (model.to_string_lossy().into_owned(), at("copy"));
    let convert = |output: &str| vec!["convert".to_owned(), "--quiet".to_owned(), input.clone(), at(output)];
    let pentad = |args: &[String]| command(&pentad, args);

    let copied = best(RUNS, || command(Path::new("cp"), &[input.clone(), copy.clone()]))?;
    // pentad writes a file out before it takes its name, which cp does not.
    let synced = best(RUNS, || {
        let both = "cp \"$0\" \"$1\" && sync \"$1\"".to_owned();
        command(Path::new("sh"), &["-c".to_owned(), both, input.clone(), copy.clone()])
    })?;
    fs::remove_file(&copy)?;
    let mut rows = vec![
        Row { what: "`cp`".to_owned(), time: copied, memory: None },
        Row { what: "`cp` and `sync`".to_owned(), time: synced, memory: None },
    ];
    for (what, args) in [
        ("`info --quick`", vec!["info".to_owned(), "--quick".to_owned(), input.clone()]),
        ("`info`", vec!["info".to_owned(), input.clone()]),
        ("`check`", vec!["check".to_owned(), input.clone()]),
        (&*format!("`convert` to {format}"), convert(&own)),
        ("`convert` to glb", convert("out.glb")),
    ] {
        match best(RUNS, || pentad(&args)) {
            Ok(time) => rows.push(Row { what: what.to_owned(), time, memory: peak_memory(pentad(&args))? }),
            Err(error) => println!("{what}: {error}"),
        }
    }
    if ASSIMP_READS.contains(&format) {
        rows.extend(assimp(&input, &at("out-of-assimp.glb"))?);
    }
    for output in [&*own, "out.glb", "out-of-assimp.glb"] {
        _ = fs::remove_file(folder.join(output));
    }
    let version = ["--version".to_owned()];
    let started = best(STARTS, || pentad(&version))?;
    println!(
        "\n{} bytes in the page cache; best of {RUNS}; start-up {:.1} ms, best of {STARTS}\n",
        size,
        millis(started)
    );
    println!(
        "| what | ms | GB/s | times `cp` | times `cp` and `sync` | peak anonymous memory, MB | of the file | \
         with mapped files, MB |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    rows.iter().for_each(|row| println!("{}", row.line(size, copied, synced)));
    Ok(())
}

/// The other program's way from the same file to the same format; nothing where it is not installed.
fn assimp(input: &str, output: &str) -> Result<Option<Row>> {
    let args = ["export", input, output, "-fglb2"].map(str::to_owned);
    let assimp = || command(Path::new("assimp"), &args);
    if let Err(error) = command(Path::new("assimp"), &["version".to_owned()]).status() {
        println!("assimp: skipped, {error}");
        return Ok(None);
    }
    let what = "`assimp export` to glb".to_owned();
    Ok(Some(Row { what, time: best(RUNS, assimp)?, memory: peak_memory(assimp())? }))
}

struct Row {
    what: String,
    time: Duration,
    /// Where the system tells.
    memory: Option<Memory>,
}

/// The most memory that a run held, in bytes.
#[derive(Clone, Copy, Default)]
struct Memory {
    /// What it allocated, without the pages of mapped files, which cost nothing that the system could not take back.
    anonymous: u64,
    /// All of it.
    resident: u64,
}

impl Row {
    fn line(&self, size: u64, copied: Duration, synced: Duration) -> String {
        let seconds = self.time.as_secs_f64();
        let ratio = |to: Duration| seconds / to.as_secs_f64();
        let megabytes = |of: fn(&Memory) -> u64| {
            self.memory.map(|memory| format!("{:.1}", of(&memory) as f64 / 1e6)).unwrap_or_default()
        };
        let (anonymous, resident) = (megabytes(|memory| memory.anonymous), megabytes(|memory| memory.resident));
        let share = |memory: Memory| format!("{:.1} %", memory.anonymous as f64 / size as f64 * 100.);
        let share = self.memory.map(share).unwrap_or_default();
        let speed = size as f64 / seconds / 1e9;
        let (what, ms) = (&self.what, millis(self.time));
        let (copy, sync) = (ratio(copied), ratio(synced));
        format!("| {what} | {ms:.1} | {speed:.2} | {copy:.2} | {sync:.2} | {anonymous} | {share} | {resident} |")
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The large sample; written once.
fn sample(folder: &Path, format: &str) -> Result<PathBuf> {
    let large = corpus::large_samples();
    let sample = large
        .iter()
        .find(|sample| sample.format == format)
        .ok_or_else(|| format!("the corpus has no large sample of {format}"))?;
    let path = folder.join(sample.name).with_extension(sample.format);
    if !path.exists() {
        println!("writing {}", path.display());
        let unfinished = path.with_extension("part");
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
        (sample.write)(&mut out)?;
        out.flush()?;
        fs::rename(unfinished, &path)?;
    }
    Ok(path)
}

/// Brings the whole file into the page cache, and says how large it is.
fn warm(path: &Path) -> Result<u64> {
    Ok(io::copy(&mut File::open(path)?, &mut io::sink())?)
}

fn command(program: &Path, args: &[String]) -> Command {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The shortest of several runs: everything that makes a run longer is noise.
fn best(runs: usize, command: impl Fn() -> Command) -> Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let begun = Instant::now();
        let status = command().status()?;
        best = best.min(begun.elapsed());
        if !status.success() {
            return Err(format!("ended with {status}").into());
        }
    }
    Ok(best)
}

fn peak_memory(mut command: Command) -> Result<Option<Memory>> {
    let mut child = command.spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak: Option<Memory> = None;
    while child.try_wait()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let bytes = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key))?;
            line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|n| n * 1024)
        };
        if let (Some(anonymous), Some(resident)) = (bytes("RssAnon:"), bytes("VmHWM:")) {
            let before = peak.unwrap_or_default();
            let (anonymous, resident) = (anonymous.max(before.anonymous), resident.max(before.resident));
            peak = Some(Memory { anonymous, resident });
        }
        sleep(LOOK_EVERY);
    }
    Ok(peak)
}
