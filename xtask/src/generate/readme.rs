//! The support matrix of `README.md`, between its two marks.

use std::fs;

use pentad::formats::FORMATS;

use super::{Files, between, code, table, yes};
use crate::Result;
use crate::workspace::root;

pub(super) fn readme() -> Result<Files> {
    let Ok(text) = fs::read_to_string(root().join("README.md")) else { return Ok(Files::new()) };
    let new = between(&text, "<!-- formats -->", "<!-- /formats -->", &format!("\n{}\n", matrix()));
    Ok(new.map(|text| ("README.md".to_owned(), text)).into_iter().collect())
}

/// Which formats there are, and what those that can be written hold.
fn matrix() -> String {
    let infos: Vec<_> = FORMATS.iter().map(|format| format.info()).collect();
    let rows = infos.iter().map(|info| {
        let name = format!("[{}](docs/formats/{}.md)", info.name, info.id);
        let extensions: Vec<String> = info.extensions.iter().map(|e| code(&format!(".{e}"))).collect();
        let dialects: Vec<String> = info.dialects.iter().map(|dialect| code(dialect.id)).collect();
        vec![code(info.id), name, extensions.join(" "), yes(info.read), yes(info.write), dialects.join(" ")]
    });
    let formats = table(&["id", "format", "files", "read", "write", "dialects, the default first"], rows);

    let written: Vec<_> = infos.iter().filter(|info| info.write).collect();
    let columns: Vec<_> = written.iter().map(|info| info.capabilities.rows()).collect();
    let keys = columns.first().map_or(&[][..], Vec::as_slice).iter().map(|(key, _)| key.replace('_', " "));
    let rows = keys.enumerate().filter_map(|(i, key)| {
        let cells: Vec<String> = columns.iter().map(|rows| rows[i].1.clone()).collect();
        // What takes a list is told on the pages of the formats.
        let is_short = cells.iter().all(|cell| cell.split(' ').count() < 4);
        let cells = cells.into_iter().map(|cell| if cell.is_empty() { yes(false) } else { cell });
        is_short.then(|| std::iter::once(key).chain(cells).collect())
    });
    let head: Vec<&str> = std::iter::once("can hold").chain(written.iter().map(|info| info.id)).collect();
    format!("{formats}\n{}", table(&head, rows))
}
