//! What must hold for any bytes at all, on samples and on samples that were damaged. The fuzz targets run the same
//! code on what libFuzzer makes up; this is the part of it that needs no nightly toolchain.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pentad::formats;

#[path = "../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub)] // It is public in the fuzz crate.
mod any_bytes;

/// Damaged copies of each sample; enough to meet every field of the small ones.
const COPIES: u64 = 200;

#[test]
fn samples_keep_every_promise() {
    for sample in corpus::samples().iter().filter(|sample| is_readable(sample.format)) {
        run(sample, "as it is", &(sample.bytes)());
    }
}

#[test]
fn damaged_samples_keep_every_promise() {
    for sample in corpus::samples().iter().filter(|sample| is_readable(sample.format)) {
        let whole = (sample.bytes)();
        for copy in 0..COPIES {
            run(sample, &format!("damaged copy {copy}"), &corpus::damaged(&whole, copy));
        }
    }
}

/// In text, most numbers are links: to a parent, a list, a span. One more or less leads to a neighbour.
#[test]
fn numbers_that_are_one_off_keep_every_promise() {
    for sample in corpus::samples().iter().filter(|sample| sample.format == "gltf" || sample.format == "glb") {
        let whole = (sample.bytes)();
        let digits = (0..whole.len().min(1 << 14)).filter(|at| whole[*at].is_ascii_digit());
        for (at, by) in digits.flat_map(|at| [(at, 1), (at, 9)]) {
            let mut bytes = whole.clone();
            bytes[at] = b'0' + (bytes[at] - b'0' + by) % 10;
            run(sample, &format!("with another digit at {at}"), &bytes);
        }
    }
}

fn is_readable(format: &str) -> bool {
    formats::by_id(format).is_some_and(|format| format.info().read)
}

fn run(sample: &corpus::Sample, which: &str, bytes: &[u8]) {
    let found = catch_unwind(AssertUnwindSafe(|| any_bytes::run(sample.format, bytes)));
    if found.is_err() {
        let hex: String = bytes.iter().take(512).map(|byte| format!("{byte:02x}")).collect();
        panic!("{} sample {:?}, {which}, {} bytes: {hex}", sample.format, sample.name, bytes.len());
    }
}
