//! Who watches a save knows of every file on the way before it is there, and of none afterwards.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pentad::{ConvertOptions, SaveOptions, Watch, back_up, convert, formats, replace, save};

/// The paths in the order they were begun, and whether each was ended.
#[derive(Default)]
struct Log(Mutex<Vec<(PathBuf, bool)>>);

impl Log {
    fn new() -> &'static Log {
        Box::leak(Box::default())
    }
    fn open(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap().iter().filter(|(_, ended)| !ended).map(|(path, _)| path.clone()).collect()
    }
    fn seen(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

impl Watch for Log {
    fn begin(&self, path: &Path) {
        assert!(!path.exists(), "{} is there already", path.display());
        self.0.lock().unwrap().push((path.to_owned(), false));
    }
    fn end(&self, path: &Path) {
        self.0.lock().unwrap().iter_mut().filter(|(known, _)| known == path).for_each(|(_, ended)| *ended = true);
    }
}

#[test]
fn a_replaced_file_is_watched_while_it_is_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let (log, path) = (Log::new(), folder.path().join("a.txt"));
    replace(&path, log, |file| {
        assert_eq!(log.open().len(), 1);
        assert!(log.open()[0].exists());
        file.write_all(b"new")
    })
    .unwrap();
    assert_eq!((log.open().len(), log.seen()), (0, 1));
    let failed = replace(&path, log, |_| Err(std::io::ErrorKind::StorageFull.into()));
    assert!(failed.is_err());
    assert_eq!((log.open().len(), log.seen()), (0, 2));
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    assert_eq!(back_up(&path, log).unwrap(), folder.path().join("a.txt.orig"));
    assert_eq!((log.open().len(), log.seen()), (0, 3));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn side_files_and_their_folders_are_watched_until_the_main_file_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let asset = common::lay(folder.path(), &common::sample("obj", "model"));
    let converted = convert(&asset, &ConvertOptions::to(formats::by_id("gltf").unwrap())).unwrap();
    assert!(!converted.side_files.is_empty());
    let (log, out) = (Log::new(), folder.path().join("out"));
    std::fs::create_dir(&out).unwrap();
    // A folder stands where the main file should be, and it is written last.
    std::fs::create_dir(out.join("a.gltf")).unwrap();
    assert!(save(&converted, out.join("a.gltf"), &SaveOptions { watch: log, ..SaveOptions::default() }).is_err());
    assert!(log.seen() > converted.side_files.len());
    assert_eq!(log.open(), [""; 0].map(PathBuf::from));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1, "nothing but the folder is left");

    let log = Log::new();
    save(&converted, out.join("b.gltf"), &SaveOptions { watch: log, ..SaveOptions::default() }).unwrap();
    assert_eq!(log.open(), [""; 0].map(PathBuf::from));
    assert!(converted.side_files.iter().all(|file| out.join(&file.name).is_file()));
}
