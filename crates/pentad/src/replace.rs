//! One file in the place of another.

use std::fs;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use findings::{Error, Result};
use tempfile::NamedTempFile;

/// Whoever wants to know which files are on the way, to remove them if the program is ended before they are whole. The
/// library itself has no such list: it is one of the process.
pub trait Watch: Sync {
    /// This file, or folder, is about to be made, and is to go if nothing comes of it.
    fn begin(&self, path: &Path);
    /// It is gone, or it stays.
    fn end(&self, path: &Path);
}

/// Nobody is watching.
pub struct Nobody;

impl Watch for Nobody {
    fn begin(&self, _: &Path) {}
    fn end(&self, _: &Path) {}
}

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
pub fn replace(path: &Path, watch: &dyn Watch, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut replacement = Replacement::begin(path, watch)?;
    replacement.write(content)?;
    replacement.finish()
}

/// A file that is to take the place of another one, and has not yet.
pub struct Replacement<'w> {
    path: PathBuf,
    onto: Onto,
    watch: &'w dyn Watch,
}

enum Onto {
    /// A device or a pipe cannot be renamed over and is written to.
    Device(fs::File),
    /// A temporary file, and where it is going; nowhere once it is there.
    File(Option<NamedTempFile>, PathBuf),
}

impl<'w> Replacement<'w> {
    /// Begins one. A link is followed, to where its file is or would be, and stays.
    ///
    /// # Errors
    /// If nothing can be written there: there is no such folder, or a device is full.
    pub fn begin(path: &Path, watch: &'w dyn Watch) -> Result<Replacement<'w>> {
        let failed = |e| Error::io(format!("{} cannot be written", path.display()), e);
        let real = followed(path).map_err(failed)?;
        let there = real.metadata().ok();
        let onto = if there.as_ref().is_some_and(|m| !m.is_file() && !m.is_dir()) {
            let mut device = fs::OpenOptions::new().write(true).open(&real).map_err(failed)?;
            // A device that takes nothing says so when it is offered nothing.
            device.write(&[]).map_err(failed)?;
            Onto::Device(device)
        } else if real.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        } else {
            let folder = folder_of(&real);
            if !folder.is_dir() {
                let (path, folder) = (path.display(), folder.display());
                return Err(Error::usage(format!("{path} cannot be written: there is no folder {folder}")));
            }
            // The name of the temporary file is nobody's business: only what went wrong is told.
            Onto::File(Some(temporary(&folder, there, watch).map_err(|e| failed(e.kind().into()))?), real)
        };
        Ok(Replacement { path: path.to_owned(), onto, watch })
    }

    /// Whether room can be held for what is not known to its last byte: not where every byte arrives at once.
    pub fn holds_room(&self) -> bool {
        matches!(self.onto, Onto::File(..))
    }

    /// Writes the content, in place of any that was written before.
    ///
    /// # Errors
    /// If `content` fails, or the disk does not take all of it.
    pub fn write(&mut self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        self.fill(content)?;
        self.sync()
    }

    /// The same, while the disk need not have it yet: whoever fills many syncs them together.
    pub(crate) fn fill(&mut self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let write = || match &mut self.onto {
            Onto::File(Some(file), _) => {
                file.rewind()?;
                content(file)?;
                let end = file.stream_position()?;
                file.as_file().set_len(end)
            }
            Onto::File(None, _) => Ok(()),
            Onto::Device(device) => content(device),
        };
        write().map_err(|e| Error::io(format!("{} cannot be written", self.path.display()), e))
    }

    /// Waits until the disk has what was written.
    pub(crate) fn sync(&self) -> Result<()> {
        let Onto::File(Some(file), _) = &self.onto else { return Ok(()) };
        file.as_file().sync_all().map_err(|e| Error::io(format!("{} cannot be written", self.path.display()), e))
    }

    /// The folder that the file is in.
    #[cfg(target_os = "linux")]
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        match &self.onto {
            Onto::File(_, real) => Some(folder_of(real)),
            Onto::Device(_) => None,
        }
    }

    /// Puts the new file in the place of the old one.
    ///
    /// # Errors
    /// If it cannot be renamed; then the old file is still there.
    pub fn finish(mut self) -> Result<()> {
        let Onto::File(file, real) = &mut self.onto else { return Ok(()) };
        let Some(file) = file.take() else { return Ok(()) };
        let on_the_way = file.path().to_owned();
        let there = file.persist(real);
        self.watch.end(&on_the_way);
        there.map(|_| ()).map_err(|e| Error::io(format!("{} cannot be written", self.path.display()), e.error))
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        if let Onto::File(file, _) = &mut self.onto
            && let Some(file) = file.take()
        {
            let on_the_way = file.path().to_owned();
            // It goes with what held it.
            drop(file);
            self.watch.end(&on_the_way);
        }
    }
}

/// Where a path leads, over every link, also if there is nothing yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    /// As many as systems follow themselves.
    const LINKS: usize = 40;
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(real) = at.canonicalize() {
            return Ok(real);
        }
        // The name of an open pipe leads nowhere that has a path.
        if at.exists() {
            return Ok(at);
        }
        match fs::read_link(&at) {
            Ok(to) => at = folder_of(&at).join(to),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// A new file in a folder, with the permissions of the one it is for.
fn temporary(folder: &Path, like: Option<fs::Metadata>, watch: &dyn Watch) -> io::Result<NamedTempFile> {
    let mut new = fs::OpenOptions::new();
    new.read(true).write(true).create_new(true);
    let file = tempfile::Builder::new().prefix(".pentad-").make_in(folder, |path| {
        watch.begin(path);
        new.open(path).inspect_err(|_| watch.end(path))
    })?;
    if let Some(like) = like {
        // One that says no writes with its own.
        _ = file.as_file().set_permissions(like.permissions());
    }
    Ok(file)
}

/// Copies a file beside itself, as `NAME.orig`, and answers where the copy is. A file of that name stays as it is: one
/// with the same content is the copy, beside another one it is `NAME.orig.2`, and so on.
///
/// # Errors
/// If the file cannot be read or the copy not be written.
pub fn back_up(path: &Path, watch: &dyn Watch) -> Result<PathBuf> {
    let failed = |e| Error::io(format!("{} cannot be copied", path.display()), e);
    // A copy of what a link leads to lies beside that.
    let real = if path.is_symlink() { path.canonicalize().map_err(failed)? } else { path.to_owned() };
    let file = temporary(&folder_of(&real), real.metadata().ok(), watch).map_err(|e| failed(e.kind().into()))?;
    let on_the_way = file.path().to_owned();
    let copied = copy(&real, file);
    watch.end(&on_the_way);
    copied.map_err(failed)
}

/// Copies a file to the first name that is free, or that the same copy has already.
fn copy(real: &Path, mut file: NamedTempFile) -> io::Result<PathBuf> {
    io::copy(&mut fs::File::open(real)?, &mut file)?;
    file.as_file().sync_all()?;
    let mut number = 1;
    loop {
        let mut name = real.as_os_str().to_owned();
        name.push(if number == 1 { ".orig".to_owned() } else { format!(".orig.{number}") });
        let name = PathBuf::from(name);
        file = match file.persist_noclobber(&name) {
            Ok(_) => return Ok(name),
            Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => taken.file,
            Err(other) => return Err(other.error),
        };
        if is_same(&name, file.path()) {
            return Ok(name);
        }
        number += 1;
    }
}

/// Whether one file, not a link to one, is the same as the other, byte for byte.
fn is_same(one: &Path, other: &Path) -> bool {
    let is_file = fs::symlink_metadata(one).is_ok_and(|m| m.is_file());
    is_file && fs::read(one).ok().is_some_and(|bytes| fs::read(other).is_ok_and(|others| others == bytes))
}
