//! The same document in another layout.

use formats::das2::{Attribute, Compression, Document, Kind, Mesh, Parts};
use formats::{Document as _, Format, LowerCx, NoSource, Options};
use testing::sample;

use crate::support::*;

fn codes(losses: &findings::Losses) -> Vec<&'static str> {
    losses.iter().map(|loss| loss.code).collect()
}

/// The bytes of every attribute of a mesh, its morph targets and LODs.
fn content(parts: &Parts<'_>, mesh: &Mesh, out: &mut Vec<Option<Vec<u8>>>) {
    let vertices = parts.vertex_count(mesh).expect("countable") as usize;
    for attribute in Attribute::all() {
        let count = if attribute == Attribute::Index { mesh.draw_count as usize } else { vertices };
        let bytes = |slot| parts.bytes(slot, count * attribute.size()).map(|bytes| bytes.to_vec());
        out.push(mesh.slot(attribute).and_then(bytes));
        out.extend(mesh.morph_targets.iter().map(|target| target.slot(attribute, mesh).and_then(bytes)));
    }
    mesh.multiple_lods.iter().for_each(|lod| content(parts, lod, out));
}

fn contents(doc: &Document) -> Vec<Option<Vec<u8>>> {
    let parts = doc.parts();
    let mut all = Vec::new();
    parts.meshes.iter().for_each(|mesh| content(&parts, mesh, &mut all));
    all
}

#[test]
fn the_documents_layout_becomes_the_librarys_and_loses_the_roughness_map() {
    let doc = read(&corpus::das2::model());
    let (other, losses) = transcode(&doc, "engine", &[]);
    assert_eq!(codes(&losses), ["LOSS-061"]);
    let other = read(&write(&other));
    assert_eq!((other.dialect(), other.parts().buffers.len()), ("engine", 1));
    assert!(contents(&doc) == contents(&other), "attributes changed");
    let (back, losses) = transcode(&other, "spec", &[]);
    assert!(losses.is_empty(), "{losses:?}");
    assert!(contents(&doc) == contents(&read(&write(&back))), "attributes changed on the way back");
}

#[test]
fn the_librarys_layout_becomes_the_documents_and_loses_animation_names() {
    let doc = read(&sample("das2", "engine"));
    let (other, losses) = transcode(&doc, "spec", &[]);
    assert_eq!(codes(&losses), ["LOSS-060"]);
    let other = read(&write(&other));
    assert_eq!(other.dialect(), "spec");
    assert!(contents(&doc) == contents(&other), "attributes changed");
    let (back, _) = transcode(&other, "engine", &[]);
    let mut doc = doc;
    doc.structures.retain(|structure| structure.kind() != Kind::ANIMATION);
    let mut back = read(&write(&back));
    back.structures.retain(|structure| structure.kind() != Kind::ANIMATION);
    assert!(doc == back, "only the names are lost");
}

#[test]
fn nothing_but_positions_begins_at_zero_in_the_librarys_layout() {
    // The first buffer holds indices: written as they are, they would begin at 0.
    let mut doc = read(&corpus::das2::model());
    let (first, second) = (doc.structures[0].clone(), doc.structures[1].clone());
    (doc.structures[0], doc.structures[1]) = (second, first);
    for i in [3, 4] {
        if let formats::das2::Structure::Mesh(mesh) = doc.structures[i].edit() {
            fn swap(mesh: &mut Mesh) {
                for attribute in Attribute::all() {
                    let slot = mesh
                        .slot(attribute)
                        .map(|slot| formats::das2::Slot { buffer: [1, 0, 2][slot.buffer as usize], ..slot });
                    mesh.set_slot(attribute, slot);
                }
                mesh.multiple_lods.iter_mut().for_each(swap);
            }
            swap(mesh);
        }
    }
    let before = contents(&doc);
    let (other, _) = transcode(&doc, "engine", &[]);
    let other = read(&write(&other));
    assert!(before == contents(&other), "attributes changed");
    for mesh in other.parts().meshes {
        let zero = Attribute::all().filter(|a| mesh.slot(*a).is_some_and(|slot| slot.offset == 0));
        assert!(zero.into_iter().all(|attribute| attribute == Attribute::Position));
    }
}

#[test]
fn layouts_that_are_only_read_become_the_one_that_stands_for_them() {
    for (name, dialect, written) in [
        ("table-ids", "spec-table-ids", "spec"),
        ("nul", "spec-nul", "spec"),
        ("hash", "spec-hash", "spec"),
        ("hash-nul", "spec-hash-nul", "spec"),
        ("head-text", "head-text", "spec"),
        ("v2", "v2", "engine"),
        ("v2-split", "v2", "engine"),
        ("v2-tail", "v2", "engine"),
        ("v3-tail", "v3", "engine"),
    ] {
        let doc = read(&sample("das2", name));
        assert_eq!(doc.dialect(), dialect);
        let (other, _) = transcode(&doc, dialect, &[("level", "3")]);
        let other = read(&write(&other));
        assert_eq!((other.dialect(), other.header.level), (written, 3), "{name}");
        assert!(contents(&doc) == contents(&other), "{name}: attributes changed");
    }
}

#[test]
fn a_level_changes_the_compression_and_nothing_else() {
    let doc = read(&corpus::das2::model());
    for level in ["1", "6", "9"] {
        let (other, losses) = transcode(&doc, "spec", &[("level", level)]);
        assert!(losses.is_empty());
        let again = read(&write(&other));
        assert_eq!((again.compression, again.header.level.to_string().as_str()), (Compression::Zlib, level));
        assert!(again.structures == doc.structures);
        let (back, _) = transcode(&again, "spec", &[("level", "0")]);
        assert!(write(&back) == corpus::das2::model(), "back to what it was");
    }
    let (engine, _) = transcode(&doc, "engine", &[("level", "9")]);
    assert_eq!(read(&write(&engine)).compression, Compression::Zstd);
}

#[test]
fn author_and_comment_are_set() {
    let doc = read(&corpus::das2::one_triangle());
    let (other, _) = transcode(&doc, "spec", &[("author", "Ada"), ("comment", "")]);
    let other = read(&write(&other));
    assert_eq!(other.header.author_name.text.to_string(), "Ada");
    assert!(other.header.comment.is_empty());
    assert!(other.structures == doc.structures);
}

#[test]
fn a_level_beyond_nine_is_refused() {
    let mut options = Options::default();
    options.set("level", "10");
    let mut cx = LowerCx { options: &options, ..LowerCx::new(&NoSource, "spec") };
    let error = formats::das2::Das2::transcode(&mut read(&corpus::das2::one_triangle()), &mut cx).expect_err("10");
    assert!(error.to_string().contains("0 to 9"), "{error}");
}

#[test]
fn compressed_bytes_are_kept_until_their_content_changes() {
    let bytes = sample("das2", "zstd-frames");
    let mut doc = read(&bytes);
    doc.header.edit().default_scene_index = 0;
    assert!(write(&doc) == bytes, "the same header again");
    if let formats::das2::Structure::Node(node) = doc.structures[3].edit() {
        node.scale = wire::F32(2.);
    }
    let changed = write(&doc);
    assert!(changed != bytes);
    assert_eq!(read(&changed).parts().nodes[0].scale.get(), 2.);
    if let formats::das2::Structure::Node(node) = doc.structures[3].edit() {
        node.scale = wire::F32(1.);
    }
    assert!(write(&doc) == bytes, "what was changed back is what it was");
}

#[test]
fn whoever_asks_for_a_dialect_gets_its_compression() {
    // An engine file whose body is compressed as the document says, and one whose level lies.
    let (zlib, _) = transcode(&read(&sample("das2", "engine")), "engine", &[("level", "6")]);
    let mut zlib = read(&write(&zlib));
    zlib.compression = Compression::Zlib;
    zlib.header.edit().comment = "anew".into();
    zlib.forget_raw();
    let zlib = read(&write(&zlib));
    assert_eq!((zlib.dialect(), zlib.compression), ("engine", Compression::Zlib));
    let (asked, _) = transcode(&zlib, "engine", &[]);
    assert_eq!(read(&write(&asked)).compression, Compression::Zstd);
    let mut raw = read(&sample("das2", "engine"));
    raw.header.edit().level = 9;
    raw.compression = Compression::None;
    let raw = read(&write(&raw));
    assert_eq!((raw.compression, raw.header.level), (Compression::None, 9));
    let (asked, _) = transcode(&raw, "engine", &[]);
    assert_eq!(read(&write(&asked)).header.level, 0);
}

#[test]
fn a_body_that_compresses_without_end_is_written_as_it_is() {
    let mut doc = Document::new(formats::das2::Form::ENGINE, 9);
    // Zeros beyond the size from which ratios count.
    let zeros = formats::das2::Buffer::new(wire::Blob::memory(vec![0; 24 << 20]));
    doc.push(formats::das2::Structure::Buffer(zeros));
    let again = read(&write(&doc));
    assert_eq!((again.compression, again.header.level), (Compression::None, 0));
}
