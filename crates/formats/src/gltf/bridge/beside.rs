//! The files a document names: buffers and images that lie in its folder or below.

use std::collections::BTreeSet;

use findings::Source;

use super::lift::uri::{self, Target};
use crate::SideFile;
use crate::gltf::layout::Document;

pub(in crate::gltf) fn beside(doc: &Document, source: &dyn Source) -> Vec<SideFile> {
    let buffers = doc.root.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    let images = doc.root.images.iter().filter_map(|image| image.uri.as_deref());
    let mut seen = BTreeSet::new();
    let paths = buffers.chain(images).filter_map(|uri| match uri::resolve(uri) {
        Target::Path(name) => seen.insert(name.clone()).then_some(name),
        _ => None,
    });
    paths.filter_map(|name| SideFile::named(&name, source)).collect()
}
