//! The `pentad` command.

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os())
}
