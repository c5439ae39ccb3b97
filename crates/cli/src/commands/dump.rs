use std::path::PathBuf;

use pentad::findings::render::escape;
use pentad::findings::{Error, Result};
use pentad::report::{self, DumpNode, Expand};

use super::grouped;
use crate::Exit;
use crate::common::Common;
use crate::output::Output;

/// Show the whole document as stored, each field with its bytes
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad dump model.danmodel
  pentad dump model.danmodel pieces[0]
  pentad dump model.danmodel pieces[0].vertices[3]
  pentad dump --json model.danmodel

Of a file that cannot be read, it shows what was read, then the fault, then the rest as unread bytes.
A long array is one line until --depth or a path asks for its elements. A long text is shortened; -v shows it whole.")]
pub(crate) struct Args {
    /// File; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Part of the document, as findings name it
    #[arg(value_name = "PATH")]
    path: Option<String>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
    /// Levels to show, elements of arrays included
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    let Some((file, outline)) = super::outline(&args.file, common, out) else { return Ok(Exit::Failed) };
    let dump = report::dump(&file, &outline, args.path.as_deref(), Expand { depth: args.depth })?;
    if args.json {
        out.json(&dump);
    } else {
        dump.tree.iter().for_each(|node| print(node, 0, out));
    }
    let limited = outline.error.as_ref().is_some_and(Error::is_limit);
    Ok(if outline.format.is_none() || limited { Exit::Failed } else { Exit::Done })
}

fn print(node: &DumpNode, level: usize, out: &mut Output) {
    if out.is_closed() {
        return;
    }
    let place = if node.space == "file" { "" } else { "inflated " };
    let range = format!("{place}{:08x}..{:08x}", node.offset, node.offset + node.size);
    let mut line = format!("{}  {}{}", out.paint_out.faint(&range), "  ".repeat(level), escape(&node.name));
    if !node.r#type.is_empty() {
        line.push_str(&out.paint_out.faint(&format!(": {}", escape(&node.r#type))));
    }
    line.push_str(&escape(&node.label.to_string()));
    out.write(line.as_bytes());
    if let Some(value) = node.value.as_ref().filter(|_| node.children.is_empty()) {
        out.write(b" = ");
        match value.as_text() {
            Some(text) if out.verbose => write_whole(&text, out),
            Some(text) => out.write(shortened_text(&text, LONG).as_bytes()),
            None => out.write(shortened(&listed(&value.to_json()), 0, most(out)).as_bytes()),
        }
    }
    let meaning = node.meaning.map(|meaning| format!(" {meaning}")).unwrap_or_default();
    out.line(meaning + if node.shares { " (shared)" } else { "" });
    node.children.iter().for_each(|child| print(&child, level + 1, out));
}

/// Longest value that is shown whole.
const LONG: usize = 160;

/// How much of a value is shown.
fn most(out: &Output) -> usize {
    if out.verbose { usize::MAX } else { LONG }
}

/// Prints a text as it is safe to print, without a copy: it may be most of the file.
fn write_whole(text: &str, out: &mut Output) {
    for part in ["\"", &escape(text), "\""] {
        out.write(part.as_bytes());
    }
}

/// A text in quotes that is safe to print. Of a long one, which may be most of the file, only the start is copied.
fn shortened_text(text: &str, most: usize) -> String {
    match most.checked_add(1).and_then(|most| text.char_indices().nth(most)) {
        Some((end, _)) => shortened(&format!("\"{}", &text[..end]), text[end..].chars().count() + 1, most),
        None => shortened(&format!("\"{text}\""), 0, most),
    }
}

/// A text that is safe to print; of a long one the start, and how much more there is: `behind` are not in it.
fn shortened(text: &str, behind: usize, most: usize) -> String {
    let mut room = most;
    let cut = text.char_indices().find(|(at, c)| {
        let takes = escape(&text[*at..*at + c.len_utf8()]).chars().count();
        let left = room.checked_sub(takes);
        room = left.unwrap_or(0);
        left.is_none()
    });
    match cut {
        Some((cut, _)) => {
            let more = grouped((text[cut..].chars().count() + behind) as u64);
            format!("{}… and {more} more characters (-v shows them)", escape(&text[..cut]))
        }
        None => escape(text).into_owned(),
    }
}

fn listed(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Array(values) => format!("({})", values.iter().map(listed).collect::<Vec<_>>().join(", ")),
        serde_json::Value::String(text) => format!("\"{text}\""),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{shortened, shortened_text};

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened("abc", 0, 3), "abc");
        assert_eq!(shortened("abcé", 0, 3), "abc… and 1 more characters (-v shows them)");
        // An escaped character takes five places or none.
        assert_eq!(shortened("ab\0\0", 0, 11), "ab\\u{0}… and 1 more characters (-v shows them)");
        assert_eq!(shortened("ab\0\0", 0, usize::MAX), "ab\\u{0}\\u{0}");
    }

    #[test]
    fn texts_of_which_only_the_start_is_copied_look_as_if_all_were() {
        for length in 0..20 {
            for text in ["é".repeat(length), "\0".repeat(length)] {
                for most in [5, 11, usize::MAX] {
                    let whole = shortened(&format!("\"{text}\""), 0, most);
                    assert_eq!(shortened_text(&text, most), whole, "{text:?}, {most}");
                }
            }
        }
    }
}
