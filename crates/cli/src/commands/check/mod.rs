mod fix;

use std::path::PathBuf;

use pentad::File;
use pentad::findings::render::{escape, sarif};
use pentad::findings::{Error, FILE_003, FILE_005, FILE_006, Finding, Place, Policy, Result, tally};
use pentad::formats::{self, AnyFormat, Info};
use pentad::report::{self, Checked};

use self::fix::{Fix, Fixing};
use crate::Exit;
use crate::common::Common;
use crate::output::Output;
use crate::walk::{Found, Walk};

/// Check files against every rule of their format
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad check model.danmodel
  pentad check models/ --deny warnings         for CI: exit 1 if anything is off
  pentad check model.danmodel --dialect engine would the real engine load it?
  pentad check models/ --sarif > pentad.sarif
  pentad check models/ --fix --dry-run         what would be mended
  pentad check model.danmodel --fix            mend what needs no judgement; model.danmodel.orig is the old file

In folders, files are models by their extension; -v names the others. Infos are counted; -v shows them.")]
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
    /// Mend what can be mended without judgement, in place; with =all, also by removing bytes that nothing names. The old
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

fn rule(name: &str) -> std::result::Result<String, String> {
    if formats::rules_named(name).is_empty() {
        return Err("no such rule; pentad explain --all lists them".to_owned());
    }
    Ok(name.to_owned())
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    let policy = Policy { ignore: args.ignore.clone(), only: args.only.clone(), deny_warnings: args.deny.is_some() };
    if let Some(asked) = &args.dialect
        && !formats::FORMATS.iter().any(|format| format.info().dialect(asked).is_some())
    {
        return Err(Error::usage(format!("no format has a dialect {asked}")).with_help("pentad formats lists them"));
    }
    if args.fix.is_some() {
        fix::check_paths(&args.paths)?;
    }
    let walk = Walk::below(&args.paths);
    let mut exit = if walk.errors.is_empty() { Exit::Done } else { Exit::Failed };
    walk.errors.iter().for_each(|error| out.error(error, "", None));
    let mut checked: Vec<Checked> = Vec::new();
    for found in &walk.files {
        let looked = File::open(&found.path).and_then(|file| {
            let (entry, error) = look(&file, found, args, common, &policy, out)?;
            Ok((file, entry, error))
        });
        let (file, entry, error) = match looked {
            Ok(looked) => looked,
            Err(error) => {
                out.error(&error, "", None);
                checked.push(unread(found.path.to_string_lossy().into_owned(), None, &error));
                exit = Exit::Failed;
                continue;
            }
        };
        let stopped = entry.findings.iter().any(|finding| finding.rule.id == FILE_003.id);
        if let Some(error) = &error {
            out.error(error, &entry.file, None);
        }
        if stopped || error.is_some() {
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
    let others = walk.others.len();
    if args.json {
        out.json(&report::check(&checked, others));
    } else if args.sarif {
        let files: Vec<_> = checked.iter().map(|checked| (checked.file.clone(), checked.findings.clone())).collect();
        out.json(&sarif::log(pentad::VERSION, &files));
    }
    if out.verbose {
        walk.others.iter().for_each(|path| out.remark(&format!("{}: no model", escape(&path.to_string_lossy()))));
    }
    let nothing = if checked.is_empty() { "no file was checked" } else { "" };
    let rest = match others {
        _ if out.verbose => String::new(),
        0 => String::new(),
        1 => "1 other file is no model by its extension (-v names it)".to_owned(),
        _ => format!("{others} other files are no models by their extensions (-v names them)"),
    };
    let said: Vec<&str> = [nothing, &rest].into_iter().filter(|words| !words.is_empty()).collect();
    if !said.is_empty() {
        out.remark(&said.join("; "));
    }
    Ok(exit)
}

/// Checks a file, after mending it if that is wanted; beside what was found, what could not be done.
fn look(
    file: &File,
    found: &Found,
    args: &Args,
    common: &Common,
    policy: &Policy,
    out: &Output,
) -> Result<(Checked, Option<Error>)> {
    let name = file.name().to_owned();
    let mut noticed = Vec::new();
    let format = if found.named {
        file.format()
    } else {
        if let Some(kind) = foreign(file) {
            noticed.push(kind);
            policy.apply(&mut noticed);
            return Ok((alone(name, None, noticed), None));
        }
        let format = file.format_by_name();
        noticed.extend(format.and_then(|format| misnamed(file, format)));
        policy.apply(&mut noticed);
        format
    };
    let mut asset = match file.read_as(format, &common.open_options()) {
        Ok(asset) => asset,
        Err(error) => {
            // Whatever was to be left out, a file that cannot be read is never a good one.
            let mut entry = unread(name, format.map(|format| format.info().id), &error);
            entry.findings.append(&mut noticed);
            return Ok((entry, None));
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
        format: Some(asset.format().id),
        dialect: Some(asset.document().dialect()),
        stored: report::stored(asset.document()),
        findings,
    };
    Ok((entry, failed))
}

fn extension(file: &File) -> Option<&str> {
    file.path()?.extension()?.to_str()
}

/// What is known about a file whose extension is not for models alone.
fn foreign(file: &File) -> Option<Finding> {
    let extension = extension(file)?;
    let kind = formats::foreign(file.bytes(), extension)?;
    let format = formats::by_extension(extension)?.info().name;
    Some(Finding::new(&FILE_006, Place::file(), format!("this is {kind}, not {format}; it was not checked")))
}

/// What is wrong with the extension of a file in this format.
fn misnamed(file: &File, format: &dyn AnyFormat) -> Option<Finding> {
    let extension = extension(file)?;
    let own = formats::by_extension(extension)?.info();
    let (is, says) = (format.info().name, own.name);
    let message = format!("the extension .{extension} is that of {says}, the content is {is}");
    (own.id != format.info().id).then(|| Finding::new(&FILE_005, Place::file(), message))
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
    alone(file, format, vec![Finding::from(error)])
}

/// A file of which nothing is known but this.
fn alone(file: String, format: Option<&'static str>, findings: Vec<Finding>) -> Checked {
    Checked { file, format, dialect: None, stored: Default::default(), findings }
}

fn print(checked: &Checked, file: &File, out: &mut Output) {
    let Checked { file: name, format, dialect, findings, .. } = checked;
    use pentad::findings::Severity;
    use pentad::findings::render::terminal;
    let verbose = out.verbose;
    if let Some(foreign) = findings.iter().find(|finding| finding.rule.id == FILE_006.id) {
        return out.line(format!("{}: {}", escape(name), foreign.message));
    }
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
