use std::path::PathBuf;

use pentad::Asset;
use pentad::findings::{Error, Result};
use pentad::wire::{Node, Space, Span};

use super::show;
use crate::Exit;
use crate::common::Common;
use crate::output::Output;

/// Show bytes with the structure beside them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad hex model.danmodel               browse it, on a terminal
  pentad hex model.danmodel | less        print it
  pentad hex model.danmodel pieces[0].vertices[3]
  pentad hex model.danmodel 0x4c")]
pub(crate) struct Args {
    /// File; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Part of the document, or an offset (decimal or 0x…)
    #[arg(value_name = "PATH|OFFSET")]
    place: Option<String>,
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    let Some(asset) = super::open(&args.file, common, out) else { return Ok(Exit::Failed) };
    _ = (asset, &args.place);
    Ok(Exit::Done)
}
