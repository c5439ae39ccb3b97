mod fix;
mod print;

use std::path::PathBuf;

use pentad::File;
use pentad::findings::render::{github, junit, sarif};
use pentad::findings::{ENGINE, Error, ErrorKind, FILE_003, FILE_005, Finding, Place, Policy, Result, grouped};
use pentad::formats::{self, AnyFormat, Info};
use pentad::report::{self, Checked};

use self::fix::{Fix, Fixing};
use crate::Exit;
use crate::common::Common;
use crate::output::Output;
use crate::walk::{Found, Walk};
use crate::words::{Offer, check_dialect, check_rule, dialects, rules, unknown};

/// Check files against every rule of their format
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad check model.danmodel
  pentad check models/ --deny warnings         for CI: exit 1 if anything is off
  pentad check model.danmodel --dialect engine would the real engine load it?
  pentad check models/ --format short          a line per finding
  pentad check models/ --sarif > pentad.sarif
  pentad check models/ --fix --dry-run         what would be mended
  pentad check model.danmodel --fix            mend what needs no judgement; model.danmodel.orig is the old file

In folders, files are models by their extension; -v names the others. Infos are counted; -v shows them, and a line for every file. -q shows errors only.")]
pub(crate) struct Args {
    /// Files and folders; - is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// How to print what was found
    #[arg(long, value_name = "STYLE", value_enum, default_value_t = Style::Full)]
    format: Style,
    /// Print one JSON document: --format json
    #[arg(long, conflicts_with_all = ["sarif", "format"])]
    json: bool,
    /// Print a SARIF log: --format sarif
    #[arg(long, conflicts_with = "format")]
    sarif: bool,
    /// Ask whether the program behind this dialect would load the files
    #[arg(long, value_name = "D", value_parser = Offer(dialects), hide_possible_values = true)]
    dialect: Option<String>,
    /// Fail on warnings too
    #[arg(long, value_name = "warnings", value_parser = ["warnings"])]
    deny: Option<String>,
    /// Leave out a rule, by id or name
    #[arg(long, value_name = "RULE", value_parser = Offer(rules), hide_possible_values = true)]
    ignore: Vec<String>,
    /// Look at this rule only, by id or name
    #[arg(long, value_name = "RULE", value_parser = Offer(rules), hide_possible_values = true)]
    only: Vec<String>,
    /// Mend what can be mended without judgement, in place; with =all, also by removing unused bytes. The old
    /// file is kept as NAME.orig
    #[arg(long, value_name = "all", num_args = 0..=1, require_equals = true, default_missing_value = "keep")]
    fix: Option<Fix>,
    /// Only say what --fix would mend
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// Keep no copy of the files that --fix mends
    #[arg(long, requires = "fix")]
    no_backup: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Style {
    /// A line per finding
    Short,
    /// With bytes and help
    Full,
    /// One document
    Json,
    /// A log for code-scanning services
    Sarif,
    /// XML for CI servers: a test per file
    Junit,
    /// Commands to GitHub Actions
    Github,
}

impl Args {
    fn style(&self) -> Style {
        match (self.json, self.sarif) {
            (true, _) => Style::Json,
            (_, true) => Style::Sarif,
            _ => self.format,
        }
    }

    /// Refuses words that mean nothing.
    fn check_words(&self) -> Result<()> {
        self.ignore.iter().chain(&self.only).try_for_each(|name| check_rule(name))?;
        if let Some(asked) = &self.dialect {
            let mut known = formats::FORMATS.iter().flat_map(|format| format.info().dialects).map(|dialect| dialect.id);
            if !known.clone().any(|id| id == asked) {
                let message = format!("no format has a dialect {asked}");
                return Err(unknown(message, asked, &mut known, "pentad formats lists them"));
            }
        }
        if self.fix.is_some() { fix::check_paths(&self.paths) } else { Ok(()) }
    }
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    args.check_words()?;
    let policy = Policy { ignore: args.ignore.clone(), only: args.only.clone(), deny_warnings: args.deny.is_some() };
    let walk = Walk::below(&args.paths);
    let mut exit = if walk.errors.is_empty() { Exit::Done } else { Exit::Failed };
    walk.errors.iter().for_each(|error| out.error(error, "", None));
    let mut checked: Vec<Checked> = Vec::new();
    for found in &walk.files {
        let (entry, file, error) = one(found, args, common, &policy, out);
        if let Some(error) = &error {
            // The machine's errors say which file they are about.
            out.error(error, if error.kind() == ErrorKind::Io { "" } else { &entry.file }, None);
        }
        let stopped = entry.findings.iter().any(|finding| finding.rule.id == FILE_003.id);
        if stopped || error.is_some() {
            exit = Exit::Failed;
        }
        if policy.fails(&entry.findings) {
            exit = exit.max(Exit::No);
        }
        // An error that was told need not be told again.
        if matches!(args.style(), Style::Short | Style::Full) && file.is_some() {
            print::file(&entry, file.as_ref(), args.style(), out);
        }
        checked.push(Checked { file_bytes: report::odd_path(Some(&found.path)), ..entry });
    }
    answer(&checked, walk.others.len(), args.style(), &policy, out);
    walk.tell_others("checked", out);
    Ok(exit)
}

/// Checks a file. What could not be done is told beside it; if that is all there is to say, there is no file.
fn one(
    found: &Found,
    args: &Args,
    common: &Common,
    policy: &Policy,
    out: &Output,
) -> (Checked, Option<File>, Option<Error>) {
    let looked = File::open(&found.path).and_then(|file| look(file, found, args, common, policy, out));
    looked
        .map(|(entry, file, error)| (entry, Some(file), error))
        .unwrap_or_else(|error| (unread(found.path.to_string_lossy().into_owned(), None, &error), None, Some(error)))
}

/// What is printed when all files have been looked at.
fn answer(checked: &[Checked], others: usize, style: Style, policy: &Policy, out: &mut Output) {
    let all = |one: &Checked| (one.file.clone(), one.findings.clone());
    let groups = |one: &Checked| (one.file.clone(), grouped(&one.findings));
    match style {
        Style::Short | Style::Full => print::total(checked, out),
        Style::Json => out.json(&report::check(checked, others)),
        Style::Sarif => out.json(&sarif::log(pentad::VERSION, &checked.iter().map(all).collect::<Vec<_>>())),
        Style::Junit => out.line(junit::report(&checked.iter().map(groups).collect::<Vec<_>>(), policy)),
        Style::Github => {
            for (file, findings) in checked.iter().map(groups) {
                findings.iter().for_each(|finding| out.line(github::line(&file, finding)));
            }
        }
    }
}

/// Checks a file, after mending it if that is wanted; beside what was found, the file as it is then, and what could not
/// be done.
fn look(
    file: File,
    found: &Found,
    args: &Args,
    common: &Common,
    policy: &Policy,
    out: &Output,
) -> Result<(Checked, File, Option<Error>)> {
    let name = file.name().to_owned();
    let mut noticed = Vec::new();
    if let Some(kind) = found.foreign(&file) {
        noticed.push(kind);
        policy.apply(&mut noticed);
        return Ok((alone(name, None, noticed), file, None));
    }
    let format = found.format(&file);
    noticed.extend(format.filter(|_| !found.named).and_then(|format| misnamed(&file, format)));
    policy.apply(&mut noticed);
    let mut asset = match file.read_as(format, &common.open_options()) {
        Ok(asset) => asset,
        Err(error) => {
            // Whatever was to be left out, a file that cannot be read is never a good one.
            let mut entry = unread(name, format.map(|format| format.info().id), &error);
            entry.findings.append(&mut noticed);
            return Ok((entry, file, None));
        }
    };
    let mut failed = None;
    if let Some(fix) = args.fix {
        let fixing = Fixing { fix, dry_run: args.dry_run, backup: !args.no_backup, policy, common };
        match fixing.mend(&asset, found.named, out) {
            Ok(mended) => asset = mended.unwrap_or(asset),
            Err(error) => failed = Some(error),
        }
    }
    let asked = match asked_dialect(args.dialect.as_deref(), asset.format()) {
        // In a folder of many formats the question is for those that can answer it.
        Err(_) if !found.named => None,
        asked => asked?,
    };
    let mut findings = asset.check(asked);
    policy.apply(&mut findings);
    findings.append(&mut noticed);
    pentad::findings::sort(&mut findings);
    let entry = Checked {
        file: name,
        file_bytes: None,
        format: Some(asset.format().id),
        dialect: Some(asset.document().dialect()),
        stored: report::stored(asset.document()),
        findings,
    };
    Ok((entry, asset.file().clone(), failed))
}

/// What is wrong with the extension of a file in this format.
fn misnamed(file: &File, format: &dyn AnyFormat) -> Option<Finding> {
    let extension = file.path()?.extension()?.to_str()?;
    let own = formats::by_extension(extension)?.info();
    let (is, says) = (format.info().name, own.name);
    let message = format!("the extension .{extension} is that of {says}, the content is {is}");
    (own.id != format.info().id).then(|| Finding::new(&FILE_005, Place::file(), message))
}

/// The dialect to ask about, if the format has a program that could answer.
fn asked_dialect<'a>(asked: Option<&'a str>, format: &Info) -> Result<Option<&'a str>> {
    let Some(asked) = asked else { return Ok(None) };
    if asked == ENGINE && format.dialect(asked).is_none() {
        return Err(Error::usage(format!("no engine exists for {}", format.name)));
    }
    check_dialect(asked, format).map(|()| Some(asked))
}

/// A file that cannot be read, with the reason as the one thing found in it.
fn unread(file: String, format: Option<&'static str>, error: &Error) -> Checked {
    alone(file, format, vec![Finding::from(error)])
}

/// A file of which nothing is known but this.
fn alone(file: String, format: Option<&'static str>, findings: Vec<Finding>) -> Checked {
    Checked { file, file_bytes: None, format, dialect: None, stored: Default::default(), findings }
}
