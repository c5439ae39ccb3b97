//! What is done before a signal ends the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pentad::Watch;
use signals::Ending;

/// The files and folders that are on the way.
pub(crate) static ON_THE_WAY: OnTheWay = OnTheWay(Mutex::new((0, BTreeMap::new())));

/// How many were begun, and which of them each was.
pub(crate) struct OnTheWay(Mutex<(usize, BTreeMap<PathBuf, usize>)>);

impl Watch for OnTheWay {
    fn begin(&self, path: &Path) {
        let (begun, on_the_way) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *begun += 1;
        on_the_way.insert(path.to_owned(), *begun);
    }
    fn end(&self, path: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.remove(path);
    }
}

/// Has everything removed that is on the way when a signal ends the program.
pub(crate) fn clean_up_at_the_end() {
    // Without handlers a signal ends the program as it always would; that is no reason not to start.
    _ = signals::on_end(|ending| {
        let on_the_way = ON_THE_WAY.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut paths: Vec<(&PathBuf, &usize)> = on_the_way.1.iter().collect();
        // What was begun last goes first: files before their folders.
        paths.sort_by_key(|(_, begun)| std::cmp::Reverse(**begun));
        for (path, _) in paths {
            // Folders that are not empty hold what is somebody else's.
            _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir(path));
        }
        // The list stays locked: nothing new begins.
        std::mem::forget(on_the_way);
        // The browser of `hex` has a screen of its own.
        if ratatui::crossterm::terminal::is_raw_mode_enabled().unwrap_or(false) {
            ratatui::restore();
        }
        match ending {
            Ending::Asked => String::new(),
            Ending::Cut => "error: a file was cut short by another program while it was read\n".to_owned(),
        }
    });
}
