use clap_mangen::Man;
use pentad::findings::{Error, Result};

use crate::output::Output;
use crate::words::unknown;
use crate::{Exit, command};

/// Print the man page
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad man | man -l -
  pentad man convert > pentad-convert.1")]
pub(crate) struct Args {
    /// A verb with a page of its own
    #[arg(value_name = "VERB")]
    verb: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit> {
    let mut whole = command();
    whole.build();
    let page = match &args.verb {
        None => whole.clone(),
        Some(verb) => whole.find_subcommand(verb).cloned().ok_or_else(|| {
            let verbs = whole.get_subcommands().map(clap::Command::get_name);
            unknown(format!("there is no verb {verb}"), verb, verbs, "pentad --help lists them")
        })?,
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).map_err(|e| Error::io("the man page cannot be made", e))?;
    out.write(&text);
    Ok(Exit::Done)
}
