//! The files below the paths that a user names.

use std::path::{Path, PathBuf};

use pentad::File;
use pentad::findings::render::escape;
use pentad::findings::{Error, FILE_006, Finding, Place, Result};
use pentad::formats::{self, AnyFormat};

use crate::output::Output;

/// One file.
pub(crate) struct Found {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Whether the user named it; else its extension is what makes it a model.
    pub(crate) named: bool,
}

/// What there is below some paths.
#[derive(Default)]
pub(crate) struct Walk {
    /// Files that are models by their extension, or that the user named; folders in the order of their names.
    pub(crate) files: Vec<Found>,
    /// Whatever else lies in the folders.
    pub(crate) others: Vec<PathBuf>,
    /// Folders that cannot be looked into.
    pub(crate) errors: Vec<Error>,
}

impl Walk {
    pub(crate) fn below(paths: &[PathBuf]) -> Walk {
        let mut walk = Walk::default();
        let mut open: Vec<Found> = paths.iter().rev().map(|path| Found { path: path.clone(), named: true }).collect();
        while let Some(found) = open.pop() {
            // Links to folders are followed only where the user named them: a link may lead back up.
            if found.path.is_dir() && (found.named || !found.path.is_symlink()) {
                match entries(&found.path) {
                    Ok(inside) => open.extend(inside.into_iter().rev().map(|path| Found { path, named: false })),
                    Err(error) => walk.errors.push(error),
                }
            } else if found.named || (is_model(&found.path) && found.path.is_file()) {
                walk.files.push(found);
            } else {
                walk.others.push(found.path);
            }
        }
        walk
    }
}

impl Walk {
    /// Says what else lies in the folders, and if there was nothing to look at.
    pub(crate) fn tell_others(&self, looked_at: &str, out: &Output) {
        if out.verbose {
            self.others.iter().for_each(|path| out.remark(&format!("{}: no model", escape(&path.to_string_lossy()))));
        }
        let nothing = if self.files.is_empty() { format!("no file was {looked_at}") } else { String::new() };
        let rest = match self.others.len() {
            _ if out.verbose => String::new(),
            0 => String::new(),
            1 => "1 other file is no model by its extension (-v names it)".to_owned(),
            others => format!("{others} other files are no models by their extensions (-v names them)"),
        };
        let said: Vec<String> = [nothing, rest].into_iter().filter(|words| !words.is_empty()).collect();
        if !said.is_empty() {
            out.remark(&said.join("; "));
        }
    }
}

impl Found {
    /// What is known about a file whose extension is not for models alone. Whoever names a file asks about it.
    pub(crate) fn foreign(&self, file: &File) -> Option<Finding> {
        let extension = self.path.extension()?.to_str().filter(|_| !self.named)?;
        let kind = formats::foreign(file.bytes(), extension)?;
        let format = formats::by_extension(extension)?.info().name;
        Some(Finding::new(&FILE_006, Place::file(), format!("this is {kind}, not {format}; it was not looked at")))
    }

    /// The format that a file is taken for.
    pub(crate) fn format(&self, file: &File) -> Option<&'static dyn AnyFormat> {
        if self.named { file.format() } else { file.format_by_name() }
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |e| Error::io(format!("{} cannot be opened", folder.display()), e);
    let mut inside = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        inside.push(entry.map_err(failed)?.path());
    }
    inside.sort();
    Ok(inside)
}

/// Whether the extension belongs to a format.
fn is_model(path: &Path) -> bool {
    path.extension().and_then(|e| e.to_str()).and_then(formats::by_extension).is_some_and(|format| format.info().read)
}
