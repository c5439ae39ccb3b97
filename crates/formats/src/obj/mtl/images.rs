//! The paths of images, as a library names them.

use scene::loss::*;
use scene::{Id, Image, Scene};

use crate::LowerCx;
use crate::images::Images;
use crate::obj::bridge::one_line;

/// The path of an image as a library names it; the image itself becomes a file if it has to.
pub(super) fn path(images: &mut Images, scene: &Scene, id: Id<Image>, cx: &mut LowerCx<'_>) -> Option<Vec<u8>> {
    let link = images.path(scene, id, cx)?;
    let name = nameable(link.bytes());
    if name != link.bytes() {
        let label = scene.images[id].subject(id);
        cx.lose(&LOSS_042, &label, 1, "path", "a path of MTL is one line and no option");
    }
    Some(name)
}

/// A path that is read as one, and not as an option.
fn nameable(path: &[u8]) -> Vec<u8> {
    let line = one_line(path);
    if line.starts_with(b"-") { [b"./", &line[..]].concat() } else { line }
}
