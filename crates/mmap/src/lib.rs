//! Maps a file into memory: with `signals` the only place of pentad where `unsafe` is allowed.
//!
//! A mapping is the file: if another program shortens the file while it is mapped, reading the lost pages ends the
//! process with a bus error. pentad never writes into a file it has mapped (it writes beside it and renames), and
//! reads small files into memory instead, so the risk is left to files that someone else is changing right now. The
//! command line turns the bus error into a sentence; other programs can have all files read into memory.

use std::fs::File;
use std::io;
use std::sync::Arc;

/// A read-only view of a whole file; its clones share it.
#[derive(Clone)]
pub struct Mapping(Arc<memmap2::Mmap>);

impl Mapping {
    /// Gives back the memory of all that was read so far. Whoever reads it again gets it from the file.
    pub fn release(&self) {
        // SAFETY: the mapping is of a file and read-only, so nothing but the file's own bytes can be given back, and
        // they are there again when they are next read.
        #[cfg(unix)]
        let _ = unsafe { self.0.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
}

impl AsRef<[u8]> for Mapping {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps `file` as it is now.
///
/// # Errors
/// What the operating system answers: the file is empty, is not a regular file, or there is no address space left.
pub fn map(file: &File) -> io::Result<Mapping> {
    // SAFETY: the mapping is private to this process and read-only, and no code of this workspace writes to a file in
    // place, so the bytes stay unchanged unless another program changes the file; the crate's docs state that risk.
    let mapping = unsafe { memmap2::Mmap::map(file)? };
    Ok(Mapping(Arc::new(mapping)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    #[test]
    fn mapped_file_shows_its_bytes() {
        let path = std::env::temp_dir().join(format!("pentad-mmap-{}", std::process::id()));
        let mut file = std::fs::File::create(&path).unwrap();
        file.write_all(b"five formats").unwrap();
        drop(file);
        let mapping = super::map(&std::fs::File::open(&path).unwrap()).unwrap();
        assert_eq!(mapping.as_ref(), b"five formats");
        drop(mapping);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn released_bytes_can_be_read_again() {
        let path = std::env::temp_dir().join(format!("pentad-mmap-released-{}", std::process::id()));
        std::fs::write(&path, [7; 50_000]).unwrap();
        let mapping = super::map(&std::fs::File::open(&path).unwrap()).unwrap();
        for _ in 0..2 {
            assert!(mapping.as_ref().iter().all(|&b| b == 7));
            mapping.release();
        }
        assert!(mapping.clone().as_ref().iter().all(|&b| b == 7));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn mapping_outlives_the_removed_file() {
        let path = std::env::temp_dir().join(format!("pentad-mmap-gone-{}", std::process::id()));
        std::fs::write(&path, [7; 5000]).unwrap();
        let mapping = super::map(&std::fs::File::open(&path).unwrap()).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(mapping.as_ref().iter().all(|&b| b == 7));
    }
}
