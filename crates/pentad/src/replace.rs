//! One file in the place of another.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use findings::{Error, Result};
use tempfile::NamedTempFile;

pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Replaces a file by way of a temporary one in the same folder, synced before it is renamed: whoever looks sees the old
/// file or the new one, never half of it.
///
/// # Errors
/// If the folder cannot be written to, or `content` fails; then the old file is still there.
pub fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let failed = |e| Error::io(format!("{} cannot be written", path.display()), e);
    // A link is followed; a device or a pipe cannot be renamed over and is written to.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        let mut device = fs::OpenOptions::new().write(true).open(&real).map_err(failed)?;
        return content(&mut device).map_err(failed);
    }
    if real.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let folder = folder_of(&real);
    if !folder.is_dir() {
        return Err(Error::usage(format!(
            "{} cannot be written: there is no folder {}",
            path.display(),
            folder.display()
        )));
    }
    // The name of the temporary file is nobody's business: only what went wrong is told.
    let mut file = temporary(&folder, real.metadata().ok()).map_err(|e| failed(e.kind().into()))?;
    content(&mut file).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&real).map_err(|e| failed(e.error))?;
    Ok(())
}

/// A new file in a folder, with the permissions of the one it is for.
fn temporary(folder: &Path, like: Option<fs::Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pentad-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask narrows it, as for any new file; a file that is replaced keeps its own.
        let mode = like.map_or(0o666, |m| m.permissions().mode() & 0o777);
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder)
}

/// Copies a file beside itself, as `NAME.orig`, and answers where the copy is. A file of that name stays as it is: one
/// with the same content is the copy, beside another one it is `NAME.orig.2`, and so on.
///
/// # Errors
/// If the file cannot be read or the copy not be written.
pub fn back_up(path: &Path) -> Result<PathBuf> {
    let failed = |e| Error::io(format!("{} cannot be copied", path.display()), e);
    // A copy of what a link leads to lies beside that.
    let real = if path.is_symlink() { path.canonicalize().map_err(failed)? } else { path.to_owned() };
    let mut file = temporary(&folder_of(&real), real.metadata().ok()).map_err(|e| failed(e.kind().into()))?;
    let mut old = fs::File::open(&real).map_err(failed)?;
    io::copy(&mut old, &mut file).and_then(|_| file.as_file().sync_all()).map_err(failed)?;
    let mut name = real.into_os_string();
    name.push(".orig");
    let mut copy = PathBuf::from(&name);
    let mut number = 2;
    loop {
        file = match file.persist_noclobber(&copy) {
            Ok(_) => return Ok(copy),
            Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => taken.file,
            Err(other) => return Err(failed(other.error)),
        };
        if is_same(&copy, file.path()) {
            return Ok(copy);
        }
        let mut numbered = name.clone();
        numbered.push(format!(".{number}"));
        copy = PathBuf::from(numbered);
        number += 1;
    }
}

/// Whether one file, not a link to one, is the same as the other, byte for byte.
fn is_same(one: &Path, other: &Path) -> bool {
    let is_file = fs::symlink_metadata(one).is_ok_and(|m| m.is_file());
    is_file && fs::read(one).ok().is_some_and(|bytes| fs::read(other).is_ok_and(|others| others == bytes))
}
