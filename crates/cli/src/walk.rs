//! The files below the paths that a user names.

use std::path::{Path, PathBuf};

use pentad::findings::{Error, Result};
use pentad::formats;

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
