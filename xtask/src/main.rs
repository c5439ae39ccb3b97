//! The project's own commands; `cargo xtask --help` lists them. One file per verb.

mod bench;
mod editors;
mod fuzz;
mod generate;
mod layers;
mod new_format;
mod sizes;
mod test;
mod validate;
mod words;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The project's own commands
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run every check, in order, up to the first that fails
    Test {
        /// Only these steps
        steps: Vec<String>,
    },
    /// Write the reference pages, the JSON Schemas and the fuzz targets from the registry
    Gen {
        /// Write nothing; fail if anything differs
        #[arg(long)]
        check: bool,
    },
    /// Fuzz the formats
    Fuzz {
        #[command(subcommand)]
        verb: fuzz::Verb,
    },
    /// Write the folder of a new format
    NewFormat {
        /// Its id, which is the name of its module: `dgl4`
        name: String,
    },
    /// Count the lines of the crates outside of their tests
    Lines {
        /// At this revision instead of as they are
        revision: Option<String>,
    },
    /// Measure time and memory on a large file, or how they grow with the number of objects
    Bench {
        /// The format of the large file; or growth, which writes docs/performance.md
        #[arg(default_value = "danmodel")]
        what: String,
        /// With growth: only these objects
        kinds: Vec<String>,
    },
}

fn main() -> ExitCode {
    let done = match Xtask::parse().verb {
        Verb::Test { steps } => test::run(&steps),
        Verb::Gen { check } => generate::run(check),
        Verb::Fuzz { verb } => fuzz::run(&verb),
        Verb::NewFormat { name } => new_format::run(&name),
        Verb::Lines { revision } => sizes::lines(revision.as_deref()),
        Verb::Bench { what, kinds } => bench::run(&what, &kinds),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
