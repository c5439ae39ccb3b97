#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use findings::{Error, Result};
use formats::Room;
use wire::Blob;

use crate::Converted;
use crate::links::check_inside;
use crate::out::OutFolder;
use crate::replace::{Nobody, Replacement, Watch, folder_of, replace};

/// How a file is written.
#[derive(Clone, Copy)]
pub struct SaveOptions {
    /// Whether side files that exist with other content are replaced, whosever they are.
    pub force: bool,
    /// Who wants to know which files are on the way.
    pub watch: &'static dyn Watch,
}

impl Default for SaveOptions {
    fn default() -> SaveOptions {
        SaveOptions { force: false, watch: &Nobody }
    }
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
/// If a side file exists with other content and belongs to another model or to nobody, or the disk says no.
pub fn save(converted: &Converted, path: impl AsRef<Path>, options: &SaveOptions) -> Result<Saved> {
    let path = path.as_ref();
    let sink = converted.to_sink()?;
    let folder = folder_of(path);
    let room = OutFolder::of(path, options.force, Vec::new());
    // All are looked at before the first is written: a refusal leaves nothing behind.
    let mut missing = Vec::new();
    for side_file in &converted.side_files {
        check_inside(&folder, &side_file.name)?;
        let beside = folder.join(&side_file.name);
        let there = std::fs::read(&beside).ok();
        if there.as_deref() == Some(&side_file.bytes[..]) {
            continue;
        }
        if there.is_some() && !room.takes(&side_file.name, &side_file.bytes) {
            return Err(Error::usage(format!("{} exists with other content", beside.display()))
                .with_help("--force replaces it"));
        }
        missing.push((beside, &side_file.bytes, there));
    }
    let mut files = vec![path.to_owned()];
    let (mut made, mut replaced, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    let write = || {
        let mut side_files = Vec::with_capacity(missing.len());
        for (beside, bytes, there) in missing {
            if let Some(below) = beside.parent().filter(|below| *below != folder && folder.is_dir()) {
                let new: Vec<_> = below.ancestors().take_while(|above| !above.exists()).map(Path::to_owned).collect();
                new.iter().rev().for_each(|folder| options.watch.begin(folder));
                folders.extend(new);
                std::fs::create_dir_all(below)
                    .map_err(|e| Error::io(format!("{} cannot be made", below.display()), e))?;
            }
            match there {
                Some(there) => replaced.push((beside.clone(), there)),
                None => {
                    // Without the main file nothing names it, whole or not.
                    options.watch.begin(&beside);
                    made.push(beside.clone());
                }
            }
            side_files.push((beside, bytes));
        }
        write_side_files(&side_files, options.watch)?;
        files.extend(side_files.into_iter().map(|(beside, _)| beside));
        replace(path, options.watch, |file| {
            sink.write_to(file)?;
            // All is there, and the main file is next: from here on they stay.
            made.iter().chain(&folders).for_each(|new| options.watch.end(new));
            Ok(())
        })
    };
    let written = write();
    made.iter().chain(&folders).for_each(|new| options.watch.end(new));
    if written.is_err() {
        // Files and folders that were not there and that are not named now; whatever cannot be removed stays.
        made.iter().for_each(|beside| _ = std::fs::remove_file(beside));
        replaced.iter().for_each(|(beside, there)| _ = replace(beside, options.watch, |file| file.write_all(there)));
        // The deepest of each tree comes first, and one that is not empty stays.
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
        folders.iter().for_each(|folder| _ = std::fs::remove_dir(folder));
    }
    written.map(|()| Saved { size: sink.size(), files })
}

/// Writes files. Waiting for the disk to have each of them would take most of the time, so it is waited for many.
fn write_side_files(files: &[(PathBuf, &Blob)], watch: &dyn Watch) -> Result<()> {
    /// So many are open at once: systems allow a few hundred.
    const AT_ONCE: usize = 128;
    for files in files.chunks(AT_ONCE) {
        let mut filled = Vec::with_capacity(files.len());
        for (path, bytes) in files {
            let mut replacement = Replacement::begin(path, watch)?;
            replacement.fill(|file| file.write_all(bytes))?;
            filled.push(replacement);
        }
        sync(&filled)?;
        filled.into_iter().try_for_each(Replacement::finish)?;
    }
    Ok(())
}

/// Waits until the disk has all of them. From some on, telling the file system once is faster: 20 000 files of 200 bytes
/// took 13 s one by one, sixteen of them at a time.
#[cfg(target_os = "linux")]
fn sync(filled: &[Replacement<'_>]) -> Result<()> {
    /// Others may have much to be written, too.
    const MANY: usize = 16;
    if filled.len() < MANY {
        return filled.iter().try_for_each(Replacement::sync);
    }
    let folders: BTreeSet<PathBuf> = filled.iter().filter_map(Replacement::folder).collect();
    folders.iter().try_for_each(|folder| {
        let synced = std::fs::File::open(folder).and_then(|folder| Ok(rustix::fs::syncfs(folder)?));
        synced.map_err(|e| Error::io(format!("files in {} cannot be written", folder.display()), e))
    })
}

/// Waits until the disk has all of them.
#[cfg(not(target_os = "linux"))]
fn sync(filled: &[Replacement<'_>]) -> Result<()> {
    filled.iter().try_for_each(Replacement::sync)
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
