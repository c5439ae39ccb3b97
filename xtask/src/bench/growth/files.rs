//! The files that are measured: made once for each format and number of objects.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use corpus::growing::Growing;
use pentad::formats;

use crate::Result;
use crate::bench::pentad;
use crate::workspace::target;

/// Where files of a kind are.
pub(super) struct Files<'a> {
    kind: &'a Growing,
    folder: PathBuf,
}

/// A file, or what the program said that did not make it.
pub(super) type Made = std::result::Result<PathBuf, String>;

impl<'a> Files<'a> {
    pub(super) fn new(kind: &'a Growing) -> Result<Files<'a>> {
        let folder = target("bench/growth")?.join(kind.what.replace(' ', "-"));
        _ = fs::remove_dir_all(&folder);
        Ok(Files { kind, folder })
    }

    /// The file with so many objects in this format: as its recipe says, or converted from that.
    pub(super) fn get(&mut self, format: &'static str, count: usize) -> Result<Made> {
        let folder = self.folder.join(format!("{count}-{format}"));
        let path = folder.join("model").with_extension(extension(format));
        if path.exists() {
            return Ok(Ok(path));
        }
        fs::create_dir_all(&folder)?;
        if format == self.kind.format {
            fs::write(&path, (self.kind.bytes)(count))?;
            return Ok(Ok(path));
        }
        let source = match self.get(self.kind.format, count)? {
            Ok(source) => source,
            Err(said) => return Ok(Err(said)),
        };
        let mut convert = Command::new(pentad());
        convert.args(["convert", "--quiet"]).args([&source, &path]).stdin(Stdio::null());
        let output = convert.output()?;
        Ok(if output.status.success() { Ok(path) } else { Err(last_line(&output.stderr)) })
    }

    /// Nothing is needed any more.
    pub(super) fn remove(self) -> Result {
        Ok(fs::remove_dir_all(self.folder)?)
    }
}

pub(super) fn extension(format: &str) -> &'static str {
    formats::by_id(format).and_then(|format| format.info().extensions.first()).copied().unwrap_or_default()
}

/// What a program says last is why it ended.
pub(super) fn last_line(said: &[u8]) -> String {
    String::from_utf8_lossy(said).lines().last().unwrap_or_default().to_owned()
}
