//! The verb `hex`: document → fields and their bytes → rows, printed or browsed.

mod browser;
mod fields;
mod marks;
mod outline;
mod plain;
#[cfg(test)]
mod samples;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use pentad::File;
use pentad::findings::{Error, Finding, Result};

use crate::Exit;
use crate::common::Common;
use crate::output::Output;
use fields::{Address, Inside};
use marks::Marks;

/// Show bytes with the structure beside them
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad hex model.danmodel               browse it, on a terminal
  pentad hex model.danmodel | less        print it
  pentad hex model.danmodel pieces[0].vertices[3]
  pentad hex model.danmodel 0x4c

Printed, an array of more than 64 elements is one field until a path names it or an offset lies in it.
Fields that check finds something wrong with are marked; pentad check says more.
In the browser, ? lists the keys.")]
pub(crate) struct Args {
    /// File; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Part of the document, or an offset (decimal or 0x…)
    #[arg(value_name = "PATH|OFFSET")]
    place: Option<String>,
    /// Print it, even on a terminal
    #[arg(long)]
    plain: bool,
}

pub(crate) fn run(args: &Args, common: &Common, out: &mut Output) -> Result<Exit> {
    let Some((file, outline)) = super::outline(&args.file, common, out) else { return Ok(Exit::Failed) };
    let place = args.place.as_deref().map(|text| outline.path(text));
    let document = Inside::document(outline.tree, file.bytes().clone());
    let place = place.map(|text| Place::resolve(&text, &document)).transpose()?;
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if terminal && !args.plain && args.file != Path::new("-") {
        let format = outline.format.map_or("no known format", |format| format.name);
        let title = format!("{}  {format} ({})", file.name(), outline.dialect.unwrap_or("not readable"));
        browser::run(title, document, marks(&file, common, out), place, out.paint_out.on)?;
    } else {
        let paint = out.paint_out;
        plain::print(&document, &marks(&file, common, out), place, paint, &mut |line| {
            out.write(line.as_bytes());
            !out.is_closed()
        });
    }
    Ok(Exit::Done)
}

/// What is wrong with a file, byte by byte.
fn marks(file: &File, common: &Common, out: &Output) -> Marks {
    let findings = match file.read(&common.open_options()) {
        Ok(asset) => asset.check(None),
        Err(error) => vec![Finding::from(&error)],
    };
    Marks::new(&findings, out.verbose)
}

/// Where someone wants to look.
enum Place {
    /// A field.
    Field(Address),
    /// A byte of the file, and the field that owns it.
    Byte(u64, Address),
}

impl Place {
    fn resolve(text: &str, document: &Inside) -> Result<Place> {
        match offset(text) {
            Some(offset) => document.owner(offset).map(|owner| Place::Byte(offset, owner)).ok_or_else(|| {
                let size = document.body().bytes.len();
                Error::usage(format!("offset {offset:#x} ({offset}) lies outside the file"))
                    .with_help(format!("its {size} bytes end before {size:#x}"))
            }),
            None => document.find(text).map(Place::Field).ok_or_else(|| {
                Error::usage(format!("the document has no {text}"))
                    .with_help(format!("it has {}; an offset is decimal or 0x…", names(document)))
            }),
        }
    }
}

/// The number that `text` is, if it is one; too large a number is an offset too, one outside of every file.
fn offset(text: &str) -> Option<u64> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    is_number.then(|| u64::from_str_radix(digits, radix).unwrap_or(u64::MAX))
}

/// The first names of the document, as many as fit on a line.
fn names(document: &Inside) -> String {
    const MANY: usize = 12;
    let mut names: Vec<String> = (0..document.len().min(MANY)).filter_map(|i| Some(document.field(i)?.path)).collect();
    if document.len() > MANY {
        names.push("…".into());
    }
    if names.is_empty() { "no fields".into() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::{Place, offset, samples};

    #[test]
    fn numbers_are_offsets_and_names_are_not() {
        assert_eq!(offset("76"), Some(76));
        assert_eq!(offset("0x4C"), Some(76));
        assert_eq!(offset("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(offset("4c"), None);
        assert_eq!(offset("0x"), None);
        assert_eq!(offset(""), None);
    }

    #[test]
    fn place_outside_is_refused_with_what_there_is() {
        let document = samples::danmodel(3);
        let size = document.body().bytes.len();
        let error = Place::resolve(&size.to_string(), &document).err().unwrap();
        assert!(error.message().contains("outside the file"), "{error}");
        let error = Place::resolve("meshes[0]", &document).err().unwrap();
        assert_eq!(error.message(), "the document has no meshes[0]");
        assert!(error.help().unwrap().starts_with("it has header, pieces;"));
    }
}
