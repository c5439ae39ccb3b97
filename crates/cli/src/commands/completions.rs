use clap::builder::PossibleValue;
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
    if args.shell == Shell::Fish {
        text.extend(fish_words(&command()).into_bytes());
    }
    out.write(&text);
    Ok(Exit::Done)
}

/// What the generated completions for fish leave out: the words that verbs take without a flag.
fn fish_words(whole: &clap::Command) -> String {
    let mut lines = String::new();
    for verb in whole.get_subcommands() {
        for arg in verb.get_positionals() {
            let word = |value: &PossibleValue| {
                let help = value.get_help().map(|help| help.to_string().replace('\'', ""));
                format!("{}\\t'{}'", value.get_name(), help.unwrap_or_default())
            };
            let words: Vec<String> = arg.get_possible_values().iter().map(word).collect();
            if !words.is_empty() {
                let when = format!("__fish_pentad_using_subcommand {}", verb.get_name());
                lines += &format!("complete -c pentad -n \"{when}\" -f -a \"{}\"\n", words.join("\n"));
            }
        }
    }
    lines
}
