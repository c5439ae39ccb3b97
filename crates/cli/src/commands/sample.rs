use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use corpus::{Kind, LargeSample, Sample};
use pentad::findings::render::escape;
use pentad::findings::{Error, Result};
use pentad::formats;

use crate::Exit;
use crate::output::{Output, Stream};
use crate::signals::ON_THE_WAY;
use crate::words::{Offer, kinds, sampled, sampled_ids, unknown};

/// Write a small model that uses everything a format has
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad sample danmodel                         writes sample.danmodel
  pentad sample danmodel model.danmodel --kind engine
  pentad sample obj models/lantern.obj           and sample.mtl, sample.png beside it
  pentad sample danmodel --kind list             names every kind
  pentad sample danmodel big.danmodel --kind large-1gib")]
pub(crate) struct Args {
    /// Format id
    #[arg(value_name = "FORMAT", value_parser = Offer(sampled))]
    format: String,
    /// File to write; - is standard output
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,
    /// Which sample; `list` names them
    #[arg(long, value_name = "K", value_parser = Offer(kinds), hide_possible_values = true)]
    kind: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit> {
    let samples: Vec<Sample> = corpus::samples().into_iter().filter(|s| s.format == args.format).collect();
    let large: Vec<LargeSample> = corpus::large_samples().into_iter().filter(|s| s.format == args.format).collect();
    let Some(default) = samples.first() else { return Err(no_samples(&args.format)) };
    let kind = args.kind.as_deref().unwrap_or(default.name);
    if kind == "list" {
        for sample in &samples {
            let verdict = match sample.kind {
                Kind::Good => "good",
                Kind::Odd => "odd",
                Kind::Bad => "bad",
            };
            out.line(format!("{:<22} {verdict:<5} {}", sample.name, sample.about));
        }
        for sample in &large {
            out.line(format!("{:<22} large {}", sample.name, sample.about));
        }
        return Ok(Exit::Done);
    }
    let path = args.output.clone().unwrap_or_else(|| default_path(&args.format));
    if let Some(sample) = samples.iter().find(|sample| sample.name == kind) {
        write_sample(&path, sample, out)?;
    } else if let Some(sample) = large.iter().find(|sample| sample.name == kind) {
        write(&path, sample.write)?;
    } else {
        let known = samples.iter().map(|sample| sample.name).chain(large.iter().map(|sample| sample.name));
        return Err(unknown(format!("{} has no sample {kind}", args.format), kind, known, "--kind list names them"));
    }
    if path != Path::new("-") {
        out.remark(&format!("wrote {}", escape(&path.to_string_lossy())));
    }
    Ok(Exit::Done)
}

/// Writes a sample and the files it names. Their names are its own and not the user's, so a file that is there already
/// is not replaced.
fn write_sample(path: &Path, sample: &Sample, out: &Output) -> Result<()> {
    let beside = if path == Path::new("-") { Vec::new() } else { (sample.beside)() };
    let beside: Vec<_> = beside.into_iter().map(|(name, bytes)| (path.with_file_name(name), bytes)).collect();
    for (side_file, bytes) in &beside {
        let taken = std::fs::read(side_file).is_ok_and(|there| there != *bytes);
        if taken || side_file == path {
            let message = format!("the sample needs {}, which is something else", side_file.display());
            return Err(Error::usage(message).with_help("write the sample to another folder"));
        }
    }
    for (side_file, bytes) in &beside {
        write(side_file, |to| to.write_all(bytes))?;
        out.remark(&format!("wrote {}", escape(&side_file.to_string_lossy())));
    }
    let bytes = (sample.bytes)();
    write(path, |to| to.write_all(&bytes))
}

fn no_samples(format: &str) -> Error {
    let known = sampled_ids();
    let what = if formats::by_id(format).is_some() { "has no samples" } else { "is no format" };
    let otherwise = format!("there are samples of {}", known.join(", "));
    unknown(format!("{format} {what}"), format, known, &otherwise)
}

fn default_path(format: &str) -> PathBuf {
    let extension = formats::by_id(format).and_then(|format| format.info().extensions.first().copied());
    PathBuf::from(format!("sample.{}", extension.unwrap_or(format)))
}

fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let failed = |e| Error::io(format!("{} cannot be written", path.display()), e);
    if path == Path::new("-") {
        let mut stdout = Stream(io::stdout());
        return content(&mut stdout).and_then(|()| stdout.flush()).map_err(failed);
    }
    pentad::replace(path, &ON_THE_WAY, |file| {
        let mut file = BufWriter::with_capacity(1 << 20, file);
        content(&mut file)?;
        file.flush()
    })
}
