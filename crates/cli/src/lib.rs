//! The command line. Each verb is a file in `commands/`: what was typed (`Args`), and `run`, which does it.
//!
//! Help, man pages and completions come from [`command`]; options of a target format come from the registry.

mod commands;
mod common;
mod output;
mod signals;
mod walk;
mod words;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use pentad::findings::render::terminal;

pub use common::Common;
use output::{Output, Stream};

/// Read, check, inspect and convert small game-engine 3D formats.
#[derive(Parser)]
#[command(
    name = "pentad",
    version,
    about,
    long_about = "Reads, writes, checks, inspects and converts small game-engine 3D formats.\n\n\
        Formats are recognised by content; `pentad formats` lists them. Exit codes: 0 done; 1 done, and the answer is \
        no (errors found, a loss under --strict, an error under --verify); 2 it could not be done.",
    after_help = EXAMPLES,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  pentad sample danmodel model.danmodel    write a small model to play with
  pentad info model.danmodel               what it is
  pentad check model.danmodel              what is wrong with it, down to the byte
  pentad convert model.danmodel model.glb  for Blender, Godot, Bevy, three.js
  pentad explain DAN-013                   what a finding means";

#[derive(Subcommand)]
enum Command {
    Info(commands::info::Args),
    Check(commands::check::Args),
    Explain(commands::explain::Args),
    Dump(commands::dump::Args),
    Hex(commands::hex::Args),
    Convert(commands::convert::Args),
    Formats(commands::formats::Args),
    Sample(commands::sample::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    /// Done.
    Done = 0,
    /// Done, and the answer is no.
    No = 1,
    /// It could not be done.
    Failed = 2,
}

/// The whole command line, for help, man pages, completions and the reference page.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    signals::clean_up_at_the_end();
    let parsed = command().try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(show(&error) as u8),
    };
    let mut out = Output::new(&cli.common);
    cli.common.set_threads();
    let exit = match cli.command {
        Command::Info(args) => commands::info::run(&args, &cli.common, &mut out),
        Command::Check(args) => commands::check::run(&args, &cli.common, &mut out),
        Command::Explain(args) => commands::explain::run(&args, &mut out),
        Command::Dump(args) => commands::dump::run(&args, &cli.common, &mut out),
        Command::Hex(args) => commands::hex::run(&args, &cli.common, &mut out),
        Command::Convert(args) => commands::convert::run(&args, &cli.common, &mut out),
        Command::Formats(args) => commands::formats::run(&args, &mut out),
        Command::Sample(args) => commands::sample::run(&args, &mut out),
        Command::Completions(args) => commands::completions::run(&args, &mut out),
        Command::Man(args) => commands::man::run(&args, &mut out),
    };
    let exit = exit.unwrap_or_else(|error| {
        out.message(terminal::error(&error, "", None, out.paint).trim_end());
        Exit::Failed
    });
    ExitCode::from(out.finish(exit) as u8)
}

/// Prints help, or what is wrong with what was typed.
fn show(error: &clap::Error) -> Exit {
    let asked_for = error.exit_code() == 0;
    // An empty write tells whether there is anyone to print to.
    let there = if asked_for { Stream(io::stdout()).write(&[]).map(|_| ()) } else { Ok(()) };
    let printed = there.and_then(|()| error.print()).and_then(|()| io::stdout().flush());
    if asked_for && output::is_written(printed.err(), Default::default()) { Exit::Done } else { Exit::Failed }
}
