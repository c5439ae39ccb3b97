//! Whether a file still is what this version writes, byte for byte of what matters, but for a source that travels in it.

use wire::{Blob, Budget};

use crate::Source;
use crate::gltf::about;
use crate::gltf::carry::{KEY, SOURCE};
use crate::gltf::data::Data;
use crate::gltf::layout::Document;
use crate::gltf::schema::{Json, Root};

/// The source lies behind all else, so whatever comes before is compared.
pub(in crate::gltf) fn says_still(
    now: &Document,
    written: &Document,
    beside_now: &dyn Source,
    beside_written: &dyn Source,
) -> bool {
    let mut is = (*now.root).clone();
    is.accessors.truncate(written.root.accessors.len());
    is.buffer_views.truncate(written.root.buffer_views.len());
    let words = |root: Root| serde_json::to_string(&bare(root)).ok();
    words(is) == words((*written.root).clone()) && is_alike(now, written, beside_now, beside_written)
}

/// Without what differs between two files that say the same.
fn bare(mut root: Root) -> Root {
    root.asset.generator = None;
    root.buffers.clear();
    forget(&mut root.extras, &[KEY, SOURCE]);
    for scene in &mut root.scenes {
        forget(&mut scene.extras, &[KEY, about::FILE, about::HOLDS, about::SOURCE]);
    }
    root
}

/// Takes a key away, and the objects around it that hold nothing else.
fn forget(json: &mut Option<Json>, path: &[&str]) {
    fn inside(json: &mut Json, path: &[&str]) {
        let (Json::Object(all), [key, rest @ ..]) = (json, path) else { return };
        if let Some(inner) = all.get_mut(*key).filter(|_| !rest.is_empty()) {
            inside(inner, rest);
        }
        if rest.is_empty() || all.get(*key).is_some_and(is_empty) {
            all.shift_remove(*key);
        }
    }
    if let Some(json) = json {
        inside(json, path);
    }
    if json.as_ref().is_some_and(is_empty) {
        *json = None;
    }
}

fn is_empty(json: &Json) -> bool {
    json.as_object().is_some_and(|all| all.is_empty())
}

/// Whether the buffers begin with the same bytes.
fn is_alike(now: &Document, written: &Document, beside_now: &dyn Source, beside_written: &dyn Source) -> bool {
    let new = Data::new(now, beside_now, Budget::default());
    let old = Data::new(written, beside_written, Budget::default());
    let parts = |data: &Data<'_>, doc: &Document, at: usize| -> Option<Vec<Blob>> {
        let inside = doc.binary().filter(|_| at == 0 && doc.root.buffers[at].uri.is_none());
        match inside {
            Some(parts) => Some(parts.to_vec()),
            None => data.buffer(at).ok().map(|bytes| vec![bytes.bytes]),
        }
    };
    let mut all = 0..written.root.buffers.len();
    all.all(|at| {
        let new = (at < now.root.buffers.len()).then(|| parts(&new, now, at)).flatten();
        new.zip(parts(&old, written, at)).is_some_and(|(new, old)| begins_with(&new, &old))
    })
}

fn begins_with(all: &[Blob], start: &[Blob]) -> bool {
    let mut rest = all.iter().map(|part| &part[..]);
    let mut left: &[u8] = &[];
    for part in start {
        let mut wanted: &[u8] = part;
        while !wanted.is_empty() {
            if left.is_empty() {
                let Some(next) = rest.next() else { return false };
                left = next;
                continue;
            }
            let size = left.len().min(wanted.len());
            if left[..size] != wanted[..size] {
                return false;
            }
            (left, wanted) = (&left[size..], &wanted[size..]);
        }
    }
    true
}
