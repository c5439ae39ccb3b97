use std::path::PathBuf;

use pentad::findings::{Error, Result};

use crate::Exit;
use crate::output::Output;

/// Write a small model that uses everything a format has
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad sample danmodel                        writes sample.danmodel
  pentad sample danmodel model.danmodel --kind engine
  pentad sample danmodel --kind list            names every kind")]
pub(crate) struct Args {
    /// Format id
    #[arg(value_name = "FORMAT")]
    format: String,
    /// File to write; - is standard output
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,
    /// Which sample; `list` names them
    #[arg(long, value_name = "K")]
    kind: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit> {
    _ = (&args.format, &args.output, &args.kind, out);
    Err(Error::usage("no samples yet"))
}
