use std::path::{Path, PathBuf};

use clap::{ArgMatches, FromArgMatches};
use pentad::findings::render::{escape, escape_json, terminal};
use pentad::findings::{Error, ErrorKind, Level, Losses, Result, Severity};
use pentad::formats::{self, AnyFormat, FORMATS, Options};
use pentad::report::{self, End};
use pentad::scene::loss::LOSS_032;
use pentad::scene::{UpAxis, UvOrigin};
use pentad::{
    Asset, Carry, ConvertOptions, Converted, Corrections, File, Measure, Replacement, SaveOptions, Saved, Unexplained,
    Verified, convert, save, verify,
};

use crate::Exit;
use crate::common::Common;
use crate::output::Output;
use crate::signals::ON_THE_WAY;
use crate::words::{Offer, check_dialect, dialects, targets, unknown};

/// Convert a file to another format, or to another dialect of its own
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad convert model.danmodel model.glb
  pentad convert model.danmodel copy.danmodel                   the same bytes
  pentad convert model.danmodel model.danmodel --dialect engine in place
  pentad convert heart.obj heart.danmodel --dialect engine --danmaku-colored Outer_OuterMesh
  pentad convert model.danmodel - --to glb | other-tool
  pentad convert model.danmodel model.glb --carry
  pentad convert model.glb again.danmodel                       the bytes of model.danmodel, if model.glb is unchanged

What the target cannot hold is listed; --strict refuses it before anything is written.")]
pub(crate) struct Args {
    /// File to read; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write; - is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Format to write, if the extension of OUT does not say it
    #[arg(long, value_name = "FORMAT", value_parser = Offer(targets))]
    to: Option<String>,
    /// Dialect to write
    #[arg(long, value_name = "D", value_parser = Offer(dialects), hide_possible_values = true)]
    dialect: Option<String>,
    /// Write what the engine cannot load all the same, where its dialect is asked for
    #[arg(long)]
    keep_unloadable: bool,
    /// Write nothing if anything would be dropped or changed; with =all, not even if a number would be rounded
    #[arg(long, value_name = "all", num_args = 0..=1, require_equals = true, default_missing_value = "losses")]
    strict: Option<Strict>,
    /// Let the source file itself travel in OUT, which is .gltf or .glb: the way back gives its very bytes; with =whole,
    /// also after a program that puts buffers together anew
    #[arg(long, value_name = "whole", num_args = 0..=1, require_equals = true, default_missing_value = "recipe")]
    carry: Option<Carried>,
    /// Write .gltf or .glb without extras.pentad: smaller, and the way back has only what glTF itself says
    #[arg(long, conflicts_with = "carry")]
    no_extras: bool,
    /// Read what was written and compare it with IN; exit 1 if it is off by more than the tolerance
    #[arg(long)]
    verify: bool,
    /// How far OUT may be off, as a share of the bounding box's diagonal: for --verify (default 1e-5), and between the
    /// frames that dragon stores (default 1e-3)
    #[arg(long, value_name = "X", value_parser = factor, allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// Write a JSON report of everything lost and noticed
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Replace side files that exist with other content, whosever they are
    #[arg(long)]
    force: bool,
    /// Write nothing if OUT exists
    #[arg(long)]
    no_clobber: bool,
    /// Which way is up in IN: +Y +Z +X -Y -Z -X
    #[arg(long, value_name = "AXIS", value_parser = axis, allow_hyphen_values = true)]
    up: Option<UpAxis>,
    /// Unit of IN: mm cm m in ft, or metres per unit
    #[arg(long, value_name = "U", value_parser = unit, allow_negative_numbers = true)]
    unit: Option<f64>,
    /// Factor on everything
    #[arg(long, value_name = "X", value_parser = factor, allow_negative_numbers = true)]
    scale: Option<f64>,
    /// Where the first row of textures is in IN
    #[arg(long, value_name = "top|bottom", value_parser = uv_origin)]
    uv_origin: Option<UvOrigin>,
    #[command(flatten)]
    target: TargetOptions,
}

/// Which losses `--strict` refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Strict {
    /// What is dropped or changed
    #[value(hide = true)]
    Losses,
    /// Rounded numbers too
    All,
}

/// How the source travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Carried {
    /// As what OUT does not say already
    #[value(hide = true)]
    Recipe,
    /// As it is
    Whole,
}

impl Strict {
    fn refuses(self, losses: &Losses) -> bool {
        losses.gravest().is_some_and(|level| self == Strict::All || level > Level::Rounding)
    }
}

/// Options of the target format: one flag for each that some format declares.
struct TargetOptions(Options);

impl clap::Args for TargetOptions {
    fn augment_args(mut command: clap::Command) -> clap::Command {
        for (name, value, about) in declared() {
            let arg = clap::Arg::new(name).long(name).value_name(value).help(about).help_heading("Target options");
            // -Z is an axis and no flag.
            command = command.arg(arg.allow_hyphen_values(value == "AXIS").allow_negative_numbers(value != "AXIS"));
        }
        command
    }
    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for TargetOptions {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let mut options = Options::default();
        for (name, ..) in declared() {
            if let Some(value) = matches.get_one::<String>(name) {
                options.set(name, value.as_str());
            }
        }
        Ok(TargetOptions(options))
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

const TOLERANCE: &str = "tolerance";

/// The options of the target; the tolerance is one of them where the target stores frames.
fn target_options(args: &Args, target: &dyn AnyFormat) -> Result<Options> {
    let mut options = args.target.0.clone();
    let Some(tolerance) = args.tolerance else { return Ok(options) };
    if target.info().options.iter().any(|option| option.name == TOLERANCE) {
        options.set(TOLERANCE, tolerance.to_string());
    } else if !args.verify {
        return Err(Error::usage("--tolerance does not apply: nothing is measured")
            .with_help("it goes with --verify, or with a target that stores frames"));
    }
    Ok(options)
}

/// Every option that some format declares: name, value, and what it is for in each format.
fn declared() -> Vec<(&'static str, &'static str, String)> {
    // Name, the longest list of values, and what it says for which formats.
    type Said = Vec<(&'static str, Vec<&'static str>)>;
    let mut all: Vec<(&'static str, &'static str, Said)> = Vec::new();
    for info in FORMATS.iter().map(|format| format.info()) {
        // One flag says it for targets and for --verify.
        for option in info.options.iter().filter(|option| option.name != TOLERANCE) {
            let at = all.iter().position(|(name, ..)| *name == option.name).unwrap_or_else(|| {
                all.push((option.name, option.value, Vec::new()));
                all.len() - 1
            });
            let (_, value, said) = &mut all[at];
            if option.value.len() > value.len() {
                *value = option.value;
            }
            match said.iter_mut().find(|(about, _)| *about == option.about) {
                Some((_, ids)) => ids.push(info.id),
                None => said.push((option.about, vec![info.id])),
            }
        }
    }
    let words = |said: Said| {
        let one = |(about, ids): (&str, Vec<&str>)| format!("For {}: {about}", ids.join(", "));
        said.into_iter().map(one).collect::<Vec<_>>().join("\n")
    };
    all.into_iter().map(|(name, value, said)| (name, value, words(said))).collect()
}

fn axis(text: &str) -> std::result::Result<UpAxis, String> {
    let named = |up: &UpAxis| up.name().eq_ignore_ascii_case(text) || up.name()[1..].eq_ignore_ascii_case(text);
    // Z alone means +Z: the positive axes come first.
    UpAxis::ALL.into_iter().find(named).ok_or_else(|| "one of +Y +Z +X -Y -Z -X".to_owned())
}

fn unit(text: &str) -> std::result::Result<f64, String> {
    match text {
        "mm" => Ok(0.001),
        "cm" => Ok(0.01),
        "m" => Ok(1.),
        "in" => Ok(0.0254),
        "ft" => Ok(0.3048),
        number => factor(number).map_err(|_| "one of mm cm m in ft, or a number of metres".to_owned()),
    }
}

fn factor(text: &str) -> std::result::Result<f64, String> {
    text.parse().ok().filter(|x: &f64| x.is_finite() && *x > 0.).ok_or_else(|| "a number above zero".to_owned())
}

fn uv_origin(text: &str) -> std::result::Result<UvOrigin, String> {
    match text {
        "top" => Ok(UvOrigin::Top),
        "bottom" => Ok(UvOrigin::Bottom),
        _ => Err("top or bottom".to_owned()),
    }
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    let target = target(args)?;
    args.dialect.as_deref().map_or(Ok(()), |asked| check_dialect(asked, target.info()))?;
    let target_options = target_options(args, target)?;
    check_report(args)?;
    if args.no_clobber && args.output.symlink_metadata().is_ok() {
        return Err(Error::usage(format!("{} exists", args.output.display())).with_help("--no-clobber leaves it alone"));
    }
    let Some(asset) = super::open(&args.input, common, out) else { return Ok(Exit::Failed) };
    let to_stdout = args.output == Path::new("-");
    let options = options(args, target, target_options, to_stdout);
    // What cannot be compared is not written either: a file may be repacked without a scene.
    let comparable = |converted| if args.verify { asset.scene().map(|_| converted) } else { Ok(converted) };
    let mut converted = match convert(&asset, &options).and_then(comparable) {
        Ok(converted) => converted,
        Err(error) if error.kind() == ErrorKind::Usage => return Err(error),
        Err(error) => {
            out.error(&error, asset.file().name(), Some(asset.file()));
            return Ok(Exit::Failed);
        }
    };
    if to_stdout {
        let names: Vec<String> = converted.side_files.drain(..).map(|file| file.name).collect();
        for name in names {
            let why = "standard output is one stream";
            converted.losses.add(&LOSS_032, &name, 1, "side file not written", why);
        }
    }
    check_side_files(args, &converted)?;
    let refused = args.strict.is_some_and(|strict| strict.refuses(&converted.losses));
    let mut report = args.report.as_deref().map(|path| Report::begin(path, &asset, &converted, args)).transpose()?;
    let (saved, written) = if refused || to_stdout {
        let sink = converted.to_sink()?;
        if !refused {
            out.write_sink(&sink);
        }
        let verified = args.verify && !refused;
        let saved = Saved { size: sink.size(), files: Vec::new() };
        (saved, verified.then(|| File::from_bytes("-", sink.into_vec())))
    } else {
        let saved = save(&converted, &args.output, &SaveOptions { force: args.force, watch: &ON_THE_WAY })?;
        (saved, args.verify.then(|| File::open(&args.output)).transpose()?)
    };
    tell(&converted, &asset, refused, out);
    if !refused {
        tell_written(&saved, &converted.losses, out);
        converted.notes.iter().for_each(|note| out.remark(&format!("  note: {note}")));
    }
    let verified = match written {
        Some(file) => {
            let written = file.read(&common.open_options())?;
            let tolerance = args.tolerance.unwrap_or(pentad::TOLERANCE);
            Some(verify(&asset, &options, &converted.losses, &written, tolerance)?)
        }
        None => None,
    };
    if let Some(verified) = &verified {
        tell_verified(verified, out);
    }
    let holds = verified.as_ref().is_none_or(|verified| verified.holds);
    if let Some(report) = report.take() {
        report.finish(verified, &saved)?;
    }
    Ok(if refused || !holds { Exit::No } else { Exit::Done })
}

/// What the library is asked for.
fn options(args: &Args, target: &'static dyn AnyFormat, target_options: Options, to_stdout: bool) -> ConvertOptions {
    ConvertOptions {
        dialect: args.dialect.clone(),
        options: target_options,
        corrections: Corrections { up: args.up, unit: args.unit, scale: args.scale, uv_origin: args.uv_origin },
        stem: stem(&args.output),
        out: (!to_stdout).then(|| args.output.clone()),
        force: args.force,
        embed: to_stdout,
        carry: match args.carry {
            None => Carry::Nothing,
            Some(Carried::Recipe) => Carry::Recipe,
            Some(Carried::Whole) => Carry::Whole,
        },
        no_extras: args.no_extras,
        keep_unloadable: args.keep_unloadable,
        ..ConvertOptions::to(target)
    }
}

fn target(args: &Args) -> Result<&'static dyn AnyFormat> {
    if let Some(id) = &args.to {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.info().id).collect();
        let otherwise = format!("there are {}", known.join(", "));
        return formats::by_id(id).ok_or_else(|| unknown(format!("there is no format {id}"), id, known, &otherwise));
    }
    if args.output == Path::new("-") {
        return Err(Error::usage("standard output has no extension").with_help("--to names the format to write"));
    }
    let extension = args.output.extension().and_then(|e| e.to_str()).unwrap_or_default();
    formats::by_extension(extension).ok_or_else(|| {
        let known = FORMATS.iter().flat_map(|format| format.info().extensions).copied();
        let message = format!("the extension of {} belongs to no format", args.output.display());
        unknown(message, extension, known, "--to names the format to write")
    })
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| *stem != "-").unwrap_or("model").to_owned()
}

fn tell(converted: &Converted, asset: &Asset, refused: bool, out: &Output) {
    let read = asset.findings().iter().filter(|finding| finding.severity > Severity::Info);
    for finding in read.chain(&converted.findings) {
        out.finding(finding, asset.file());
    }
    for group in converted.losses.groups() {
        out.remark(&terminal::loss(&group, out.verbose, out.paint));
    }
    if refused {
        let total = total(&converted.losses);
        out.message(&format!("nothing was written: --strict allows no such loss; {total}"));
    }
}

/// What was written, and how much was lost on the way.
fn tell_written(saved: &Saved, losses: &Losses, out: &Output) {
    let Some((main, beside)) = saved.files.split_first() else {
        if !losses.is_empty() {
            out.remark(&total(losses));
        }
        return;
    };
    let folder = match main.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut line = format!("wrote {} ({})", main.display(), size(saved.size));
    for path in beside {
        line += &format!(", {}", path.strip_prefix(folder).unwrap_or(path).display());
    }
    if !losses.is_empty() {
        line += &format!("; {}", total(losses));
    }
    out.remark(&escape(&line));
}

/// `2 losses (1 dropped, 1 rounding)`.
fn total(losses: &Losses) -> String {
    let tally = losses.tally();
    let all: usize = tally.iter().map(|(_, count)| count).sum();
    let levels: Vec<String> = tally.iter().map(|(level, count)| format!("{count} {}", level.name())).collect();
    format!("{all} {} ({})", if all == 1 { "loss" } else { "losses" }, levels.join(", "))
}

/// A size for people: `140 KB`.
fn size(bytes: u64) -> String {
    let units = ["KB", "MB", "GB"];
    let Some(step) = (0..units.len()).rev().find(|step| bytes >= 1000_u64.pow(*step as u32 + 1)) else {
        return format!("{bytes} bytes");
    };
    let value = bytes as f64 / 1000_f64.powi(step as i32 + 1);
    if value < 10. { format!("{value:.1} {}", units[step]) } else { format!("{value:.0} {}", units[step]) }
}

/// A line per measure, and the answer.
fn tell_verified(verified: &Verified, out: &Output) {
    for measure in Measure::ALL {
        let value = verified.value(measure);
        let off = match (value > verified.bound(measure), verified.explained.contains(&measure)) {
            (true, true) => "  explained by the losses",
            (true, false) => "  too much",
            _ => "",
        };
        if out.verbose || !off.is_empty() || measure == Measure::MaxPositionError {
            let value = match value {
                _ if measure.is_count() => value.to_string(),
                f64::MAX => "beyond measure".to_owned(),
                _ => format!("{value:.1e}"),
            };
            out.remark(&format!("{:<20} {value}{off}", measure.key().replace('_', " ")));
        }
    }
    for Unexplained { measure, amount, r#where } in &verified.unexplained {
        let amount = if measure.is_count() { amount.to_string() } else { format!("{amount:.1e}") };
        out.remark(&format!("  {} {amount}: {}", measure.key().replace('_', " "), escape(r#where)));
    }
    let answer = if verified.holds { "verified" } else { "the output is not what it should be" };
    let (elements, samples, tolerance) = (verified.elements, verified.samples, verified.tolerance);
    let line = format!("{answer}: {elements} elements, {samples} moments, tolerance {tolerance:e} of the diagonal");
    if verified.holds { out.remark(&line) } else { out.message(&line) }
}

/// A report that is written when all is known; that it can be is known before OUT is written.
struct Report<'a> {
    file: Replacement<'static>,
    asset: &'a Asset,
    converted: &'a Converted,
    output: &'a Path,
}

impl<'a> Report<'a> {
    fn begin(path: &Path, asset: &'a Asset, converted: &'a Converted, args: &'a Args) -> Result<Report<'a>> {
        let file = Replacement::begin(path, &ON_THE_WAY)?;
        let mut report = Report { file, asset, converted, output: &args.output };
        if report.file.holds_room() {
            let files = converted.side_files.iter().map(|file| args.output.with_file_name(&file.name));
            let files = std::iter::once(args.output.clone()).chain(files).collect();
            report.write(None, &Saved { size: u64::MAX, files })?;
        }
        Ok(report)
    }

    fn finish(mut self, verified: Option<Verified>, saved: &Saved) -> Result<()> {
        self.write(verified, saved)?;
        self.file.finish()
    }

    fn write(&mut self, verified: Option<Verified>, saved: &Saved) -> Result<()> {
        let (asset, converted) = (self.asset, self.converted);
        let source = End {
            file: asset.file().name().to_owned(),
            file_bytes: report::odd_path(asset.file().path()),
            format: asset.format().id.to_owned(),
            dialect: asset.document().dialect().to_owned(),
            bytes: asset.file().bytes().len() as u64,
        };
        let target = End {
            file: self.output.to_string_lossy().into_owned(),
            file_bytes: report::odd_path(Some(self.output)),
            format: converted.document.format().info().id.to_owned(),
            dialect: converted.document.dialect().to_owned(),
            bytes: saved.size,
        };
        let report = report::conversion(source, target, &converted.losses, &converted.findings, &converted.notes);
        let written = saved.files.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let report = report::Conversion { written, verified, ..report };
        let text = serde_json::to_string_pretty(&report).map_err(|e| Error::usage(e.to_string()))? + "\n";
        self.file.write(|file| file.write_all(escape_json(&text).as_bytes()))
    }
}

/// Refuses a report that would take the place of a file that belongs to OUT.
fn check_side_files(args: &Args, converted: &Converted) -> Result<()> {
    let Some(report) = &args.report else { return Ok(()) };
    let folder =
        |path: &Path| path.parent().map(|parent| Path::new(".").join(parent)).and_then(|p| p.canonicalize().ok());
    let beside = folder(report) == folder(&args.output);
    match converted.side_files.iter().find(|file| beside && report.file_name() == Some(file.name.as_ref())) {
        Some(file) => Err(Error::usage(format!("--report would replace {}, which belongs to OUT", file.name))),
        None => Ok(()),
    }
}

/// Refuses a report that would replace the model it reports on, before anything is written.
fn check_report(args: &Args) -> Result<()> {
    let Some(report) = &args.report else { return Ok(()) };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if report == Path::new("-") {
        return Err(Error::usage("the report is written to a file, not to standard output"));
    }
    if [&args.input, &args.output].iter().any(|model| real(model) == real(report)) {
        return Err(Error::usage(format!("--report would replace {}", report.display())));
    }
    Ok(())
}
