//! The files a document names: buffers and images.

use std::collections::HashSet;

use findings::Source;

use crate::gltf::data::uri;
use crate::gltf::layout::Document;
use crate::{FileKind, NamedFile};

pub(in crate::gltf) fn named(doc: &Document, source: &dyn Source) -> Vec<NamedFile> {
    let buffers = doc.root.buffers.iter().filter_map(|buffer| Some((buffer.uri.as_deref()?, FileKind::Part)));
    let images = doc.root.images.iter().filter_map(|image| Some((image.uri.as_deref()?, FileKind::Texture)));
    let mut seen = HashSet::new();
    let found = buffers.chain(images).filter_map(|(uri, kind)| {
        let name = uri::path(uri)?;
        if !seen.insert(name.clone()) {
            return None;
        }
        // A file may be called as the URI spells it.
        let found = Some(NamedFile::find(&name, "", kind, source)).filter(|found| found.bytes.is_some());
        let spelled = || Some(NamedFile::find(uri, "", kind, source)).filter(|found| found.bytes.is_some());
        let missing = || NamedFile { path: name.clone(), kind, travels: true, bytes: None };
        Some(NamedFile { travels: true, ..found.or_else(spelled).unwrap_or_else(missing) })
    });
    found.collect()
}
