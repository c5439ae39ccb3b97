//! Containers, side files, and documents that are read back.

use findings::ErrorKind;
use formats::gltf::{Chunk, ChunkKind, Container, Document, Glb, Gltf};
use formats::{Document as _, Format, Hint, LowerCx, NoSource, Options, ReadCx, Score};
use serde_json::Value as Json;
use testing::assert_covered;
use wire::{Blob, Sink};

use crate::support::*;

#[test]
fn json_has_its_files_beside_it() {
    let cx = LowerCx { stem: "old oak", ..LowerCx::new(&NoSource, "standard") };
    let (package, file, losses) = package_in::<Gltf>(&textured(), cx);
    assert_eq!(losses, TEXTURE_LOSSES);
    let names: Vec<_> = package.side_files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["textures/wood grain.png", "old oak.bin"]);
    let json: Json = serde_json::from_slice(&file).unwrap();
    assert_eq!(json["buffers"][0]["uri"], "old%20oak.bin");
    assert_eq!(json["images"][0]["uri"], "textures/wood%20grain.png");
    let folder = folder("beside");
    std::fs::create_dir_all(folder.join("textures")).unwrap();
    for side in &package.side_files {
        std::fs::write(folder.join(&side.name), &side.bytes).unwrap();
    }
    std::fs::write(folder.join("old oak.gltf"), &file).unwrap();
    validate(&[folder.join("old oak.gltf")]);
    let text = String::from_utf8(file).unwrap();
    assert!(text.starts_with("{\n  \"asset\": {\n    \"version\": \"2.0\",\n"), "{text}");
    assert!(text.contains("\n    {\"buffer\": 0, \"byteLength\": "), "{text}");
    assert!(text.ends_with("  ]\n}\n"), "{text}");
}

#[test]
fn json_for_a_pipe_is_one_file() {
    let cx = LowerCx { embed: true, ..LowerCx::new(&NoSource, "standard") };
    let (package, file, losses) = package_in::<Gltf>(&textured(), cx);
    assert_eq!(losses, TEXTURE_LOSSES);
    assert!(package.side_files.is_empty());
    let json: Json = serde_json::from_slice(&file).unwrap();
    assert!(json["buffers"][0]["uri"].as_str().unwrap().starts_with("data:application/octet-stream;base64,"));
    assert!(json["images"][0]["uri"].as_str().unwrap().starts_with("data:image/png;base64,iVBORw0KGgo"));
    let path = folder("pipe").join("model.gltf");
    std::fs::write(&path, &file).unwrap();
    validate(&[path]);
}

#[test]
fn glb_beyond_four_gibibytes_is_refused_naming_gltf() {
    let part = Blob::memory(vec![0; 1 << 24]);
    let bin = Chunk { kind: ChunkKind::BIN, data: vec![part; 256] };
    let doc = Document { container: Container::Binary, chunks: vec![bin], ..Document::default() };
    let error = Glb::write(&doc, &mut Sink::default()).unwrap_err();
    assert_eq!((error.rule().id, error.kind()), ("GLTF-006", ErrorKind::Usage));
    assert!(error.help().unwrap().contains(".gltf"));
}

#[test]
fn output_is_the_same_every_time() {
    let (_, first, _) = package::<Glb>(&textured(), &Options::default());
    let (_, second, _) = package::<Glb>(&textured(), &Options::default());
    assert_eq!(first, second);
}

#[test]
fn written_files_read_back_as_the_same_document() {
    let (glb, file, _) = package::<Glb>(&textured(), &Options::default());
    let read = Glb::read(Blob::file(file.clone()), &mut ReadCx::default()).unwrap();
    assert!(read == glb.document);
    assert_eq!(testing::write::<Glb>(&read), file);
    let counts = read.facts(true).counts;
    assert_eq!((counts.vertices, counts.triangles, counts.images), (Some(3), Some(1), Some(1)));
    let mut anew = read.clone();
    anew.forget_raw();
    assert_eq!(testing::write::<Glb>(&anew), file);

    let (gltf, file, _) = package::<Gltf>(&textured(), &Options::default());
    let read = Gltf::read(Blob::file(file.clone()), &mut ReadCx::default()).unwrap();
    assert!(read == gltf.document);
    assert_eq!(testing::write::<Gltf>(&read), file);
}

#[test]
fn odd_glb_survives_and_every_byte_is_owned() {
    let (_, mut file, _) = package::<Glb>(&scene_of(vec![triangle()]), &Options::default());
    file.extend([3, 0, 0, 0, b'X', b'Y', b'Z', b'!', 7, 7, 7, 1, 2]);
    let length = file.len() as u32;
    file[8..12].copy_from_slice(&length.to_le_bytes());
    file.extend([9; 5]);
    let mut cx = ReadCx::default();
    let doc = Glb::read(Blob::file(file.clone()), &mut cx).unwrap();
    assert_eq!((doc.chunks.len(), doc.slack.len(), doc.tail.len()), (2, 2, 5));
    assert_eq!(testing::write::<Glb>(&doc), file);
    assert_covered(&doc.tree(), file.len() as u64);
    let rules: Vec<_> = cx.findings.finish(&doc.tree()).iter().map(|f| f.rule.id).collect();
    assert_eq!(rules, ["GLTF-005", "GLTF-005"]);
}

#[test]
fn damaged_files_say_where() {
    let (_, file, _) = package::<Glb>(&scene_of(vec![triangle()]), &Options::default());
    let read = |bytes: &[u8]| Glb::read(Blob::file(bytes.to_vec()), &mut ReadCx::default());
    for size in 0..file.len() {
        assert!(read(&file[..size]).is_err(), "{size}");
    }
    let mut broken = file.clone();
    broken[21] = b'!';
    let error = read(&broken).unwrap_err();
    assert_eq!((error.rule().id, error.place().span.unwrap().offset), ("GLTF-003", 21));
    let mut old = file.clone();
    let at = old.windows(5).position(|w| w == b"\"2.0\"").unwrap();
    old[at + 1] = b'1';
    assert_eq!(read(&old).unwrap_err().rule().id, "GLTF-004");
    let mut short = file;
    short[12] = 0xFF;
    short[13] = 0xFF;
    assert_eq!(read(&short).unwrap_err().rule().id, "GLTF-002");
}

#[test]
fn probes_know_their_own_and_nothing_else() {
    let score = |bytes: &[u8]| {
        let blob = Blob::file(bytes.to_vec());
        (Gltf::probe(&blob, &Hint::default()), Glb::probe(&blob, &Hint::default()))
    };
    assert_eq!(score(b"glTF\x02\0\0\0"), (Score::NO, Score::SURE));
    assert_eq!(score(b"\xEF\xBB\xBF {\"nodes\": [{}], \"asset\": {\"version\": \"2.0\"}}"), (Score::SURE, Score::NO));
    let others: [&[u8]; 6] = [
        b"",
        b"{",
        b"glT",
        b"{\"asset\": {\"name\": 1}, \"version\": \"2.0\"}",
        b"[{\"asset\": {\"version\": \"2.0\"}}]",
        b"{\"metadata\": {\"version\": \"4.5\"}, \"x\": \"asset\"}",
    ];
    for other in others {
        assert_eq!(score(other), (Score::NO, Score::NO), "{}", String::from_utf8_lossy(other));
    }
}
