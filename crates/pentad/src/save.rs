use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Converted;
use findings::{Error, Result};

/// How a file is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaveOptions {
    /// Whether side files that exist with other content are replaced.
    pub force: bool,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Size of the main file.
    pub size: u64,
    /// Every file that was written, the main file first.
    pub files: Vec<PathBuf>,
}

/// Writes a converted file and the files beside it. Either all of it is there afterwards, or the old file is.
///
/// # Errors
/// If a side file exists with other content and is not to be replaced, or the disk says no.
pub fn save(converted: &Converted, path: impl AsRef<Path>, options: &SaveOptions) -> Result<Saved> {
    let path = path.as_ref();
    let sink = converted.to_sink()?;
    let folder = folder_of(path);
    // All are looked at before the first is written: a refusal leaves nothing behind.
    let mut missing = Vec::new();
    for side_file in &converted.side_files {
        let beside = folder.join(&side_file.name);
        match std::fs::read(&beside) {
            Ok(there) if there == side_file.bytes[..] => {}
            Ok(_) if !options.force => {
                return Err(Error::usage(format!("{} exists with other content", beside.display()))
                    .with_help("--force replaces it"));
            }
            _ => missing.push((beside, &side_file.bytes)),
        }
    }
    let mut files = vec![path.to_owned()];
    let (mut made, mut folders) = (Vec::new(), Vec::new());
    let write = || {
        for (beside, bytes) in missing {
            if let Some(below) = beside.parent().filter(|below| *below != folder && folder.is_dir()) {
                folders.extend(below.ancestors().take_while(|above| !above.exists()).map(Path::to_owned));
                std::fs::create_dir_all(below)
                    .map_err(|e| Error::io(format!("{} cannot be made", below.display()), e))?;
            }
            let new = !beside.exists();
            replace(&beside, |file| file.write_all(bytes))?;
            if new {
                made.push(beside.clone());
            }
            files.push(beside);
        }
        replace(path, |file| sink.write_to(file))
    };
    let written = write();
    if written.is_err() {
        // Files and folders that were not there and that nothing names now; whatever cannot be removed stays.
        made.iter().for_each(|beside| _ = std::fs::remove_file(beside));
        // The deepest of each tree comes first, and one that is not empty stays.
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
        folders.iter().for_each(|folder| _ = std::fs::remove_dir(folder));
    }
    written.map(|()| Saved { size: sink.size(), files })
}

/// Writes the main file alone to a stream.
///
/// # Errors
/// If the document cannot be written, or the stream says no.
pub fn save_to(converted: &Converted, out: &mut dyn Write) -> Result<()> {
    let sink = converted.to_sink()?;
    let written = sink.write_to(out).and_then(|()| out.flush());
    written.map_err(|e| Error::io("the output cannot be written", e))
}

fn folder_of(path: &Path) -> PathBuf {
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
pub fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let failed = |e| Error::io(format!("{} cannot be written", path.display()), e);
    // A link is followed; a device or a pipe cannot be renamed over and is written to.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        let mut device = std::fs::OpenOptions::new().write(true).open(&real).map_err(failed)?;
        return content(&mut device).map_err(failed);
    }
    if real.is_dir() {
        return Err(failed(std::io::ErrorKind::IsADirectory.into()));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pentad-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask narrows it, as for any new file; a file that is replaced keeps its own.
        let mode = real.metadata().map_or(0o666, |m| m.permissions().mode() & 0o777);
        builder.permissions(std::fs::Permissions::from_mode(mode));
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
    let mut file = builder.tempfile_in(folder).map_err(|e| failed(e.kind().into()))?;
    content(&mut file).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&real).map_err(|e| failed(e.error))?;
    Ok(())
}
