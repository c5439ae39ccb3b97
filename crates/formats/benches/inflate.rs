//! Reading a compressed das2 body against the crate that inflates it, alone, on the same bytes.
//!
//! `cargo bench -p pentad-formats --features zstd --bench inflate`

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use formats::das2::{Das2, Document};
use formats::{Format, LowerCx, NoSource, Options, ReadCx};
use wire::{Blob, Sink};

const BODY: u64 = 128 << 20;
const RUNS: usize = 7;

fn main() {
    let mut raw = Vec::new();
    corpus::das2::large(BODY, &mut raw).expect("memory takes everything");
    let doc = Das2::read(Blob::file(raw), &mut ReadCx::default()).expect("it can be read");
    println!("| body | packed, MB | inflated, MB | crate alone, MB/s | `read`, MB/s | of it |");
    println!("|---|---|---|---|---|---|");
    for (what, dialect) in [("zlib", "spec"), ("zstd", "engine")] {
        let packed = compressed(&doc, dialect);
        // What is in front of the body besides author and comment; the engine's strings are hashed.
        let strings = doc.header.author_name.text.bytes().len() + doc.header.comment.text.bytes().len();
        let body = &packed[strings + if dialect == "spec" { 29 } else { 45 }..];
        let alone = || if what == "zlib" { zlib(body) } else { zstd(body) };
        let size = alone().len();
        let (mut of_crate, mut of_read) = (Duration::MAX, Duration::MAX);
        // In turns, so that whatever else the machine does meets both.
        for _ in 0..RUNS {
            of_crate = of_crate.min(time(alone));
            let blob = Blob::file(packed.clone());
            of_read = of_read.min(time(|| Das2::read(blob.clone(), &mut ReadCx::default()).expect("it can be read")));
        }
        let speed = |time: Duration| size as f64 / 1e6 / time.as_secs_f64();
        let share = of_crate.as_secs_f64() / of_read.as_secs_f64() * 100.;
        let (packed, inflated) = (packed.len() as f64 / 1e6, size as f64 / 1e6);
        println!(
            "| {what} | {packed:.1} | {inflated:.1} | {:.0} | {:.0} | {share:.0} % |",
            speed(of_crate),
            speed(of_read)
        );
    }
}

fn compressed(doc: &Document, dialect: &'static str) -> Vec<u8> {
    let mut doc = doc.clone();
    let mut options = Options::default();
    options.set("level", "6");
    let mut cx = LowerCx::new(&NoSource, dialect);
    cx.options = &options;
    Das2::transcode(&mut doc, &mut cx).expect("it has that dialect");
    let mut sink = Sink::default();
    Das2::write(&doc, &mut sink).expect("it can be written");
    sink.into_vec()
}

/// In one call, into memory that is large enough: the fastest that the crates offer.
fn zlib(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(BODY as usize);
    let mut stream = flate2::Decompress::new(true);
    let end = stream.decompress_vec(body, &mut out, flate2::FlushDecompress::Finish);
    assert_eq!(end.expect("a zlib stream"), flate2::Status::StreamEnd);
    out
}

fn zstd(body: &[u8]) -> Vec<u8> {
    zstd::bulk::decompress(body, BODY as usize).expect("a zstd frame")
}

fn time<T>(work: impl Fn() -> T) -> Duration {
    let begun = Instant::now();
    black_box(work());
    begun.elapsed()
}
