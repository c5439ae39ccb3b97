use std::path::{Component, Path};

use findings::{Error, Result};

/// Refuses a path below a folder that leads out of it by way of a link, also of one that leads nowhere yet: what lies
/// there is somebody else's. Anything but a file at its end is refused too.
///
/// # Errors
/// If it does.
pub(crate) fn check_inside(folder: &Path, name: &str) -> Result<()> {
    // A folder that is not there is told by whoever writes to it.
    let Ok(root) = folder.canonicalize() else { return Ok(()) };
    let mut path = folder.to_owned();
    for part in Path::new(name).components() {
        if !matches!(part, Component::Normal(_) | Component::CurDir) {
            return Err(Error::usage(format!("{name} leads out of {}", folder.display())));
        }
        path.push(part);
        // Below what is not there, there is nothing.
        let Ok(found) = path.symlink_metadata() else { return Ok(()) };
        if found.is_symlink() && !path.canonicalize().is_ok_and(|real| real.starts_with(&root)) {
            return Err(Error::usage(format!("{} is a link that leads out of its folder", path.display()))
                .with_help("nothing is written through it; remove the link, or write to another folder"));
        }
    }
    match path.metadata() {
        Ok(found) if !found.is_file() => Err(Error::usage(format!("{} is there, and is no file", path.display()))),
        _ => Ok(()),
    }
}
