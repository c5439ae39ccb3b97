//! How much a file grows by the source that travels in it, and that files from elsewhere come back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};

use common::lay;
use corpus::Kind;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pentad::formats::{self, das2, dragon};
use pentad::wire::Order;
use pentad::{Asset, Carry, ConvertOptions, File, convert, open};

/// What every source may take: where it is, and what it is.
const ENTRY: usize = 1 << 10;

/// In smaller files of DRAGON there are more GUIDs, heads of sections and settings than numbers: a GUID is sixteen bytes
/// that glTF does not foretell, and the real files have 25 sections in 4 KiB.
const LARGE: usize = 16 << 10;

/// Formats of games, and the folders of files of them.
const FORMATS: [&str; 5] = ["danmodel", "das2", "dgl2", "dgl3", "dragon"];

fn deflated(bytes: &[u8]) -> usize {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap().len()
}

/// Whether glTF says most of a file as the file does.
fn is_foretold(source: &Asset) -> bool {
    let document = source.document().as_any();
    let das2 = document.downcast_ref::<das2::Document>().map(|doc| doc.compression == das2::Compression::None);
    let dragon = document.downcast_ref::<dragon::Document>().map(|doc| doc.order == Order::Little);
    das2.or(dragon).unwrap_or(source.format().id == "dgl3")
}

fn to(id: &str, carry: Carry) -> ConvertOptions {
    ConvertOptions { carry, ..ConvertOptions::to(formats::by_id(id).unwrap()) }
}

/// What is wrong with the way of a file through GLB with the source on board.
fn fault(source: &Asset) -> Option<String> {
    let size = |carry| Some(convert(source, &to("glb", carry)).ok()?.to_vec().unwrap());
    let (plain, carrying) = (size(Carry::Nothing)?, size(Carry::Recipe)?);
    let bytes = source.file().bytes();
    let beside: usize = source
        .document()
        .named(&*source.source())
        .iter()
        .filter(|file| file.travels)
        .filter_map(|file| file.bytes.as_ref())
        .map(|bytes| bytes.len() + 512)
        .sum();
    let deflated = deflated(bytes);
    let mostly_numbers = is_foretold(source) && (source.format().id != "dragon" || bytes.len() >= LARGE);
    let room = if mostly_numbers { bytes.len() / 20 } else { bytes.len().min(deflated) };
    let grown = carrying.len() - plain.len();
    let glb = File::from_bytes("a.glb", carrying).read(&Default::default()).unwrap();
    let back = convert(&glb, &to(source.format().id, Carry::Nothing)).map(|back| back.to_vec().unwrap());
    match back {
        Err(error) => return Some(format!("it does not come back: {error}")),
        Ok(back) if back != bytes[..] => return Some("it comes back as other bytes".to_owned()),
        Ok(_) => {}
    }
    (grown > ENTRY + room + beside).then(|| format!("{} bytes grow by {grown}, deflated {deflated}", bytes.len()))
}

#[test]
fn a_source_takes_no_more_room_than_it_must() {
    let (mut seen, mut faults) = (0, Vec::new());
    for sample in corpus::samples().iter().filter(|sample| sample.kind != Kind::Bad) {
        if FORMATS.contains(&sample.format) {
            let folder = tempfile::tempdir().unwrap();
            let source = lay(folder.path(), sample);
            seen += 1;
            faults.extend(fault(&source).map(|fault| format!("{} {}: {fault}", sample.format, sample.name)));
        }
    }
    assert!(faults.is_empty() && seen > 100, "{seen}\n{}", faults.join("\n"));
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

#[test]
#[allow(clippy::print_stdout)]
fn files_from_elsewhere_come_back_byte_for_byte() {
    let Some(corpus) = std::env::var_os("PENTAD_CORPUS").map(PathBuf::from) else {
        println!("skipped: PENTAD_CORPUS is not set");
        return;
    };
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for folder in FORMATS.into_iter().chain(["literal", "scenes"]) {
        files(&corpus.join(folder), &mut all);
    }
    let mut seen = 0;
    for path in all {
        let Ok(source) = open(&path) else { continue };
        if FORMATS.contains(&source.format().id) {
            seen += 1;
            faults.extend(fault(&source).map(|fault| format!("{}: {fault}", path.display())));
            // None of the real files of DRAGON is large; these are mostly one mesh.
            if source.format().id == "das2" && is_foretold(&source) && source.file().bytes().len() >= LARGE {
                let dragon = convert(&source, &to("dragon", Carry::Nothing)).unwrap().to_vec().unwrap();
                let dragon = File::from_bytes("a.dragon", dragon).read(&Default::default()).unwrap();
                faults.extend(fault(&dragon).map(|fault| format!("{} as DRAGON: {fault}", path.display())));
            }
        }
    }
    assert!(faults.is_empty() && seen > 20, "{seen}\n{}", faults.join("\n"));
}
