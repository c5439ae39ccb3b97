//! Bytes → document.

use std::sync::Arc;

use findings::{Error, Place, Result};
use wire::{Blob, Limit};

use super::dialect::Dialect;
use super::layout::{self, Document};
use super::rules::{FBX_001, FBX_002};
use super::scan::{self, MAGIC};
use crate::{Hint, ReadCx, Score};

/// How much of a text is looked at to recognise it.
const PROBED: usize = 4096;

/// Whatever their ratio, arrays may be this large.
const RATIO_FROM: u64 = 16 << 20;

fn is_text(file: &[u8]) -> bool {
    let head = &file[..file.len().min(PROBED)];
    !head.contains(&0) && memchr::memmem::find(head, b"FBXHeaderExtension:").is_some()
}

pub(super) fn probe(file: &Blob, hint: &Hint) -> Score {
    let named = hint.extension.as_deref().is_some_and(|extension| extension.eq_ignore_ascii_case("fbx"));
    match () {
        () if file.starts_with(MAGIC) => Score::SURE,
        () if is_text(file) => Score::LIKELY,
        () if named && file.starts_with(b"; FBX ") => Score::MAYBE,
        () => Score::NO,
    }
}

pub(super) fn read(file: Blob, cx: &ReadCx<'_>) -> Result<Document> {
    let dialect = if file.starts_with(MAGIC) { Dialect::Binary } else { Dialect::Ascii };
    let start = || Place::blob("", &file.slice(..file.len().min(16)));
    if dialect == Dialect::Ascii && !is_text(&file) && !file.starts_with(b"; FBX ") {
        let message = "an FBX starts with \"Kaydara FBX Binary\", or is a text with a node FBXHeaderExtension";
        return Err(Error::malformed(&FBX_001.info, start(), message));
    }
    let inflated = if dialect == Dialect::Binary { scan::inflated(&file) } else { 0 };
    let most = (file.len() as u64).saturating_mul(cx.limits.max_ratio).max(RATIO_FROM).min(cx.limits.max_inflate);
    if inflated > most {
        let message = format!("its arrays inflate to {inflated} bytes; {most} is as much as they may");
        return Err(Error::beyond(Limit::Inflate, start(), message));
    }
    cx.limits.charge(inflated).map_err(|exceeded| Error::exceeded(start(), exceeded))?;
    let limit = usize::try_from(cx.limits.room()).unwrap_or(usize::MAX);
    let memory = || ufbx::AllocatorOpts { memory_limit: limit, ..Default::default() };
    let axes = ufbx::CoordinateAxes::right_handed_y_up();
    let options = ufbx::LoadOpts {
        temp_allocator: memory(),
        result_allocator: memory(),
        file_format: ufbx::FileFormat::Fbx,
        // Transforms that only FBX knows become nodes.
        geometry_transform_handling: ufbx::GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: ufbx::InheritModeHandling::HelperNodes,
        // Lights and cameras look along -Z, as in the scene.
        target_camera_axes: axes,
        target_light_axes: axes,
        ..Default::default()
    };
    let scene = ufbx::load_memory(&file, options).map_err(|error| match error.type_ {
        ufbx::ErrorType::MemoryLimit | ufbx::ErrorType::AllocationLimit | ufbx::ErrorType::OutOfMemory => {
            Error::beyond(Limit::Memory, start(), format!("{limit} bytes are not enough for this file"))
        }
        _ => Error::malformed(&FBX_002.info, start(), format!("the file cannot be read: {}", &*error.description)),
    });
    let scan = move |file: &Blob| match dialect {
        Dialect::Binary => scan::binary(file),
        Dialect::Ascii => scan::text(file),
    };
    let scene = scene.map_err(|error| {
        let file = file.clone();
        error.having_read(move || {
            let mut nodes = scan(&file);
            nodes.retain(|node| node.whole && node.name != "footer");
            vec![layout::tree(&file, &nodes)]
        })
    })?;
    let nodes = scan(&file);
    Ok(Document { source: file, dialect, nodes: Arc::new(nodes), scene: Arc::new(scene) })
}
