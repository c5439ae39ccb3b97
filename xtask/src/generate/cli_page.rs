//! `docs/cli.md`: every verb and option, from the definitions that `--help` prints.

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};

use super::{NOTE, code, sentence, table};

pub(super) fn page() -> String {
    let mut whole = cli::command();
    whole.build();
    let mut page = format!("{NOTE}# The command line\n\n{}\n", words(whole.get_long_about().or(whole.get_about())));
    page += &examples(&whole);
    page += "\n## Options of every verb\n\n";
    page += &arguments(whole.get_arguments().filter(|arg| arg.is_global_set()));
    for verb in whole.get_subcommands().filter(|verb| verb.get_name() != "help" && !verb.is_hide_set()) {
        page += &section(verb);
    }
    page
}

fn section(verb: &Command) -> String {
    let usage = verb.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let mut text = format!("\n## {}\n\n{}\n\n", verb.get_name(), sentence(&words(verb.get_about())));
    text += &format!("```text\n{usage}\n```\n");
    let mut own = verb.get_arguments().filter(|arg| !arg.is_global_set()).filter(is_shown).peekable();
    if own.peek().is_some() {
        text += "\n";
        text += &arguments(own);
    }
    text + &examples(verb)
}

fn is_shown(arg: &&Arg) -> bool {
    !arg.is_hide_set()
        && !matches!(
            arg.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        )
}

fn arguments<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
    let rows = args.map(|arg| vec![code(&signature(arg)), sentence(&description(arg))]);
    table(&["argument", "what"], rows)
}

/// `-j, --threads <N>`.
fn signature(arg: &Arg) -> String {
    let takes_value = arg.get_action().takes_values();
    let names = arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str());
    let value = names.collect::<Vec<_>>().join(" ");
    if arg.is_positional() {
        let many = if arg.get_num_args().is_some_and(|range| range.max_values() > 1) { "…" } else { "" };
        return if arg.is_required_set() { format!("{value}{many}") } else { format!("[{value}{many}]") };
    }
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let flags = short.into_iter().chain(long).collect::<Vec<_>>().join(", ");
    let optional = arg.get_num_args().is_some_and(|range| range.min_values() == 0);
    match takes_value && !value.is_empty() {
        true if optional => format!("{flags}[={value}]"),
        true => format!("{flags} {value}"),
        false => flags,
    }
}

fn description(arg: &Arg) -> String {
    // A line of a table has no lines.
    let mut text = words(arg.get_long_help().or(arg.get_help())).replace('\n', "<br>");
    if !arg.get_action().takes_values() {
        return text;
    }
    let values = arg.get_possible_values();
    let values: Vec<String> = values.iter().filter(|v| !v.is_hide_set()).map(|v| code(v.get_name())).collect();
    if !values.is_empty() && !arg.is_hide_possible_values_set() {
        text += &format!(": {}", values.join(", "));
    }
    let defaults: Vec<String> = arg.get_default_values().iter().map(|v| code(&v.to_string_lossy())).collect();
    if !defaults.is_empty() {
        text += &format!("; default {}", defaults.join(" "));
    }
    if matches!(arg.get_action(), ArgAction::Append) && !arg.is_positional() {
        text += "; may be given several times";
    }
    text
}

fn examples(command: &Command) -> String {
    let text = words(command.get_after_help());
    if text.is_empty() { text } else { format!("\n```text\n{}\n```\n", text.trim_end()) }
}

/// Help texts without colour.
fn words(text: Option<&StyledStr>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}
