//! Samples on disk. Each test takes what it needs.

#![allow(dead_code)]

use std::path::Path;

use corpus::Sample;
use pentad::{Asset, formats, open};

pub(crate) fn sample(format: &str, name: &str) -> Sample {
    let found = corpus::samples().into_iter().find(|sample| (sample.format, sample.name) == (format, name));
    found.unwrap_or_else(|| panic!("there is no sample {format} {name}"))
}

/// A sample and the files beside it, on disk.
pub(crate) fn lay(folder: &Path, sample: &Sample) -> Asset {
    let extension = formats::by_id(sample.format).unwrap().info().extensions[0];
    for (name, bytes) in (sample.beside)() {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let path = folder.join(format!("source.{extension}"));
    std::fs::write(&path, (sample.bytes)()).unwrap();
    open(path).unwrap()
}
