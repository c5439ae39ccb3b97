use std::path::PathBuf;

use pentad::findings::render::{escape, sarif};
use pentad::findings::{Error, FILE_003, Finding, Policy, Result, tally};
use pentad::formats::{self, Info};
use pentad::report::{self, Checked};
use pentad::{ConvertOptions, File, SaveOptions, convert, save};

use crate::Exit;
use crate::common::Common;
use crate::output::Output;

/// Check files against every rule of their format
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad check model.danmodel
  pentad check models/ --deny warnings         for CI: exit 1 if anything is off
  pentad check model.danmodel --dialect engine would the real engine load it?
  pentad check models/ --sarif > pentad.sarif
  pentad check model.danmodel --fix            mend what needs no judgement

Infos are counted; -v shows them.")]
pub(crate) struct Args {
    /// Files and folders; - is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Print one JSON document
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// Print a SARIF log
    #[arg(long)]
    sarif: bool,
    /// Ask whether the program behind this dialect would load the files
    #[arg(long, value_name = "D")]
    dialect: Option<String>,
    /// Fail on warnings too
    #[arg(long, value_name = "warnings", value_parser = ["warnings"])]
    deny: Option<String>,
    /// Leave out a rule, by id or name
    #[arg(long, value_name = "RULE", value_parser = rule)]
    ignore: Vec<String>,
    /// Look at this rule only, by id or name
    #[arg(long, value_name = "RULE", value_parser = rule)]
    only: Vec<String>,
    /// Mend what can be mended without judgement, in place
    #[arg(long)]
    fix: bool,
}

fn rule(name: &str) -> std::result::Result<String, String> {
    if formats::rules_named(name).is_empty() {
        return Err("no such rule; pentad explain --all lists them".to_owned());
    }
    Ok(name.to_owned())
}

/// One file to check; those found in folders are passed over if no format recognises them.
struct Candidate {
    path: PathBuf,
    named: bool,
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    let policy = Policy { ignore: args.ignore.clone(), only: args.only.clone(), deny_warnings: args.deny.is_some() };
    if let Some(asked) = &args.dialect
        && !formats::FORMATS.iter().any(|format| format.info().dialect(asked).is_some())
    {
        return Err(Error::usage(format!("no format has a dialect {asked}")).with_help("pentad formats lists them"));
    }
    let mut exit = Exit::Done;
    let mut skipped = 0;
    let mut checked: Vec<Checked> = Vec::new();
    for candidate in candidates(&args.paths, out, &mut exit) {
        let file = match File::open(&candidate.path) {
            Ok(file) => file,
            Err(error) => {
                let name = candidate.path.to_string_lossy().into_owned();
                out.error(&error, "", None);
                checked.push(unread(name, None, &error));
                exit = Exit::Failed;
                continue;
            }
        };
        if !candidate.named && !file.format().is_some_and(|format| format.info().read) {
            skipped += 1;
            continue;
        }
        let (entry, fatal) = check(&file, candidate.named, args, common, &policy, out)?;
        let stopped = entry.findings.iter().any(|finding| finding.rule.id == FILE_003.id);
        if stopped || fatal.is_some_and(|error| error.is_limit()) {
            exit = Exit::Failed;
        }
        if policy.fails(&entry.findings) {
            exit = exit.max(Exit::No);
        }
        if !args.json && !args.sarif {
            print(&entry, &file, out);
        }
        checked.push(entry);
    }
    if args.json {
        out.json(&report::check(&checked, skipped));
    } else if args.sarif {
        let files: Vec<_> = checked.into_iter().map(|checked| (checked.file, checked.findings)).collect();
        out.json(&sarif::log(pentad::VERSION, &files));
    } else if checked.is_empty() {
        out.remark(&format!("no file was checked; {skipped} that no format reads were passed over"));
    } else if skipped > 0 {
        let files = if skipped == 1 { "file that no format reads was" } else { "files that no format reads were" };
        out.remark(&format!("{skipped} {files} passed over"));
    }
    Ok(exit)
}

/// The files below the paths, folders in the order of their names.
fn candidates(paths: &[PathBuf], out: &Output, exit: &mut Exit) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut open: Vec<Candidate> =
        paths.iter().rev().map(|path| Candidate { path: path.clone(), named: true }).collect();
    while let Some(candidate) = open.pop() {
        // Links to folders are followed only where the user named them: a link may lead back up.
        let is_folder = candidate.path.is_dir() && (candidate.named || !candidate.path.is_symlink());
        if !is_folder {
            if candidate.named || candidate.path.is_file() {
                found.push(candidate);
            }
            continue;
        }
        match std::fs::read_dir(&candidate.path) {
            Ok(entries) => {
                let mut inside: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
                inside.sort();
                open.extend(inside.into_iter().rev().map(|path| Candidate { path, named: false }));
            }
            Err(error) => {
                let message = format!("{} cannot be opened", candidate.path.display());
                out.error(&Error::io(message, error), "", None);
                *exit = Exit::Failed;
            }
        }
    }
    found
}

fn check(
    file: &File,
    named: bool,
    args: &Args,
    common: &Common,
    policy: &Policy,
    out: &Output,
) -> Result<(Checked, Option<Error>)> {
    let name = file.name().to_owned();
    let format = file.format().map(|format| format.info());
    let mut asset = match file.read(&common.open_options()) {
        Ok(asset) => asset,
        Err(error) => {
            // Whatever was to be left out, a file that cannot be read is never a good one.
            return Ok((unread(name, format.map(|f| f.id), &error), Some(error)));
        }
    };
    if args.fix {
        let Some(path) = file.path() else {
            return Err(Error::usage("standard input cannot be mended in place"));
        };
        let mut document = asset.document().duplicate();
        let mended = document.fix(&|rule| policy.wants(rule));
        if !mended.is_empty() {
            let mut converted = convert(&asset, &ConvertOptions::to(asset.document().format()))?;
            converted.document = document;
            save(&converted, path, &SaveOptions::default())?;
            for (rule, count) in mended {
                out.remark(&format!("{}: mended {count} x {} {}", escape(&name), rule.id, rule.name));
            }
            asset = File::open(path)?.read(&common.open_options())?;
        }
    }
    let asked = match asked_dialect(args.dialect.as_deref(), asset.format()) {
        // In a folder of many formats the question is for those that can answer it.
        Err(_) if !named => None,
        asked => asked?,
    };
    let mut findings = asset.check(asked);
    policy.apply(&mut findings);
    let entry = Checked {
        file: name,
        format: Some(asset.format().id),
        dialect: Some(asset.document().dialect()),
        stored: report::stored(asset.document()),
        findings,
    };
    Ok((entry, None))
}

/// The dialect to ask about, if the format has a program that could answer.
fn asked_dialect<'a>(asked: Option<&'a str>, format: &Info) -> Result<Option<&'a str>> {
    let Some(asked) = asked else { return Ok(None) };
    if asked == "engine" && format.dialect("engine").is_none() {
        return Err(Error::usage(format!("no engine exists for {}", format.name)));
    }
    if format.dialect(asked).is_none() {
        let known: Vec<&str> = format.dialects.iter().map(|dialect| dialect.id).collect();
        return Err(Error::usage(format!("{} has no dialect {asked}", format.name))
            .with_help(format!("it has {}", known.join(", "))));
    }
    Ok(Some(asked))
}

/// A file that cannot be read, with the reason as the one thing found in it.
fn unread(file: String, format: Option<&'static str>, error: &Error) -> Checked {
    let findings = vec![Finding::from(error)];
    Checked { file, format, dialect: None, stored: Default::default(), findings }
}

fn print(checked: &Checked, file: &File, out: &mut Output) {
    let Checked { file: name, format, dialect, findings, .. } = checked;
    use pentad::findings::Severity;
    use pentad::findings::render::terminal;
    let verbose = out.verbose;
    for finding in findings.iter().filter(|f| verbose || f.severity > Severity::Info) {
        let text = terminal::finding(finding, file.name(), Some(file.bytes()), out.paint_out);
        out.line(text);
    }
    let [errors, warnings, infos] = tally(findings);
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let what = match (format, dialect) {
        (Some(format), Some(dialect)) => format!("{format}, dialect {dialect}"),
        (Some(format), None) => format!("{format}, not readable"),
        _ => "not recognised".to_owned(),
    };
    let hidden = if infos > 0 && !out.verbose { " (-v shows them)" } else { "" };
    out.line(format!(
        "{}: {what}: {}, {}, {}{hidden}",
        escape(name),
        plural(errors, "error"),
        plural(warnings, "warning"),
        plural(infos, "info"),
    ));
}
