use clap_complete::Shell;
use pentad::findings::Result;

use crate::output::Output;
use crate::{Exit, command};

/// Print completions for a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad completions bash > ~/.local/share/bash-completion/completions/pentad
  pentad completions fish > ~/.config/fish/completions/pentad.fish")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "pentad", &mut text);
    out.write(&text);
    Ok(Exit::Done)
}
