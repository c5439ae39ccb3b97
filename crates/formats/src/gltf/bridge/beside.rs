//! The files a document names: buffers and images that lie in its folder or below.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use findings::{Loaded, Source};

use super::lift::uri::{self, Target};
use crate::SideFile;
use crate::gltf::layout::Document;

pub(in crate::gltf) fn beside(doc: &Document, source: &dyn Source) -> Vec<SideFile> {
    let buffers = doc.root.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    let images = doc.root.images.iter().filter_map(|image| image.uri.as_deref());
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for uri in buffers.chain(images) {
        let Target::Path(name) = uri::resolve(uri) else { continue };
        if !is_below(&name) || !seen.insert(name.clone()) {
            continue;
        }
        if let Loaded::Found { bytes, .. } = source.load(&name, None) {
            out.push(SideFile { name, bytes });
        }
    }
    out
}

/// Whether a path leads nowhere but down.
fn is_below(path: &str) -> bool {
    !path.is_empty()
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}
