//! DanModel against bytes written down by hand, against its own ledger (`src/danmodel/SPEC.md`), and against facts that
//! an independent reader measured.
#![cfg(feature = "danmodel")]

use findings::{ErrorKind, Finding, Losses, Result};
use formats::danmodel::{DanModel, Dialect, Document, Header, MAGIC, Mode, Piece, Vertices};
use formats::{Document as _, Format, LiftCx, LowerCx, NoSource, Options, ReadCx};
use scene::{Scene, Semantic, Stream};
use testing::Files;
use wire::{Blob, Bool8, Bulk, F32, F64, Kept, Layout, Order, Reader, Sink, Span, Writer};

/// Hex with spaces and line breaks, as one writes it down.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn try_read(bytes: &[u8]) -> Result<(Document, Vec<Finding>)> {
    let mut cx = ReadCx::default();
    let doc = DanModel::read(Blob::file(bytes.to_vec()), &mut cx)?;
    let found = cx.findings.finish(&doc.tree());
    Ok((doc, found))
}

fn read(bytes: &[u8]) -> Document {
    try_read(bytes).expect("readable").0
}

fn write(doc: &Document) -> Vec<u8> {
    let mut sink = Sink::default();
    DanModel::write(doc, &mut sink).expect("writable");
    sink.into_vec()
}

/// Everything that reading and checking find, through the registry as users have it.
fn check(bytes: &[u8]) -> Vec<Finding> {
    let mut cx = ReadCx::default();
    let format = formats::by_id("danmodel").expect("registered");
    match format.read(Blob::file(bytes.to_vec()), &mut cx) {
        Ok(doc) => cx.findings.finish(&doc.tree()).into_iter().chain(doc.check(None, &NoSource)).collect(),
        Err(error) => vec![Finding::from(&error)],
    }
}

fn lift(doc: &Document) -> Scene {
    DanModel::lift(doc, &mut LiftCx::new(&NoSource)).expect("liftable")
}

fn lower(scene: &Scene, dialect: &'static str, options: &Options) -> (Document, Losses) {
    let lowered = testing::lower_in::<DanModel>(scene, LowerCx { options, ..LowerCx::new(&NoSource, dialect) });
    (lowered.doc, lowered.losses)
}

fn transcode(doc: &mut Document, dialect: &'static str, options: &Options) -> (Result<()>, Losses) {
    let mut cx = LowerCx { options, ..LowerCx::new(&NoSource, dialect) };
    let result = DanModel::transcode(doc, &mut cx);
    (result, cx.losses)
}

fn options(pairs: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    pairs.iter().for_each(|(name, value)| options.set(name, *value));
    options
}

/// `DanmakuCore DanModel`, version 1.
const START: &str = "0014 44616e6d616b75436f7265 20 44616e4d6f64656c 0001";

/// A coloured LINES piece of two vertices: 9 + 2 x 52 = 113 bytes.
const COLORED_LINES: &str = "00000001 00000002 01
    3ff0000000000000 c000000000000000 3fe0000000000000  3fd0000000000000 3fe8000000000000  00000000 3f800000 00000000
    0000000000000000 8000000000000000 4008000000000000  3ff0000000000000 0000000000000000  bf800000 00000000 00000000";

/// A plain POINTS piece of one vertex: 9 + 68 = 77 bytes.
const PLAIN_POINT: &str = "00000000 00000001 00
    3ff0000000000000 4000000000000000 4008000000000000  3fe0000000000000 3fd0000000000000
    3f800000 3f000000 3e800000 3f400000  00000000 00000000 3f800000";

#[test]
fn header_reads_as_written_by_hand() {
    // Name "ab", description "é", no author, no pieces, alpha 0.3, length 0.
    let engine = hex(&format!("{START} 0002 6162 0002 c3a9 0000 00000000 3e99999a 00000000"));
    let doc = read(&engine);
    assert_eq!(doc.dialect, Dialect::Engine);
    assert_eq!((doc.header.magic.to_string().as_str(), doc.header.version), (MAGIC, 1));
    assert_eq!(doc.header.name.as_str(), Some("ab"));
    assert_eq!(doc.header.description.as_str(), Some("é"));
    assert!(doc.header.author.is_empty());
    assert_eq!(doc.header.danmaku_alpha, Some(F32(0.3)));
    assert_eq!((doc.header.piece_count, doc.header.model_length, doc.pieces.len()), (0, 0, 0));
    assert_eq!(doc.header.at(), Some(Span::file(0, 46)));

    // The length counts the pieces only, from behind its field: 77 = 0x4d.
    let spec = hex(&format!("{START} 0000 0000 0001 41 00000001 0000004d {PLAIN_POINT}"));
    let doc = read(&spec);
    assert_eq!(doc.dialect, Dialect::Spec);
    assert_eq!(doc.header.author.as_str(), Some("A"));
    assert_eq!(doc.header.danmaku_alpha, None);
    assert_eq!((doc.header.piece_count, doc.header.model_length), (1, 77));
    assert_eq!(doc.pieces[0].at(), Some(Span::file(39, 77)));

    for (bytes, mut doc) in [(&engine, read(&engine)), (&spec, doc)] {
        doc.forget_raw();
        assert_eq!(write(&doc), *bytes);
    }
}

#[test]
fn header_is_declared_once_for_both_dialects() {
    let bytes = hex(&format!("{START} 0000 0000 0000 00000001 3e99999a 00000009"));
    let header = Header::read(&mut Reader::new(&Blob::file(bytes.clone()), Order::Big), Dialect::Engine).unwrap();
    assert_eq!(header.danmaku_alpha, Some(F32(0.3)));
    let mut sink = Sink::default();
    header.write(&mut Writer::new(&mut sink, Order::Big), Dialect::Engine).unwrap();
    assert_eq!(sink.into_vec(), bytes);
    // A header with an alpha cannot slip into the dialect that has no room for one.
    let fault = header.write(&mut Writer::new(&mut Sink::default(), Order::Big), Dialect::Spec).unwrap_err();
    assert_eq!(fault.path(), "danmaku_alpha");
}

#[test]
fn plain_piece_reads_as_written_by_hand() {
    let file = Blob::file(hex(PLAIN_POINT));
    let piece = Piece::read(&mut Reader::new(&file, Order::Big), ()).unwrap();
    assert_eq!((piece.mode, piece.danmaku_colored), (Mode::POINTS, Bool8(0)));
    let Vertices::Plain(vertices) = &piece.vertices else { panic!("{piece:?}") };
    let vertex = vertices.get(0).unwrap();
    assert_eq!(vertex.position, [1., 2., 3.].map(F64));
    assert_eq!(vertex.uv, [0.5, 0.25].map(F64));
    assert_eq!(vertex.color, [1., 0.5, 0.25, 0.75].map(F32));
    assert_eq!(vertex.normal, [0., 0., 1.].map(F32));
    assert_eq!(vertices.len(), 1);
}

#[test]
fn colored_piece_has_short_vertices() {
    let file = Blob::file(hex(COLORED_LINES));
    assert_eq!(file.len(), 113);
    let piece = Piece::read(&mut Reader::new(&file, Order::Big), ()).unwrap();
    assert_eq!((piece.mode, piece.danmaku_colored), (Mode::LINES, Bool8(1)));
    let Vertices::Colored(vertices) = &piece.vertices else { panic!("{piece:?}") };
    let [a, b] = [vertices.get(0).unwrap(), vertices.get(1).unwrap()];
    assert_eq!((a.position, a.uv), ([1., -2., 0.5].map(F64), [0.25, 0.75].map(F64)));
    assert_eq!(a.normal, [0., 1., 0.].map(F32));
    assert_eq!((b.position, b.uv), ([0., -0., 3.].map(F64), [1., 0.].map(F64)));
    assert_eq!(b.normal, [-1., 0., 0.].map(F32));

    let mut sink = Sink::default();
    let made = Piece { vertices: Vertices::Colored(vec![a, b].into()), ..piece };
    made.write(&mut Writer::new(&mut sink, Order::Big), ()).unwrap();
    assert_eq!(sink.into_vec(), hex(COLORED_LINES));
}

#[test]
fn flag_and_vertices_that_contradict_each_other_are_not_written() {
    let mut piece = read(&hex(&format!("{START} 0000 0000 0000 00000001 0000004d {PLAIN_POINT}"))).pieces.remove(0);
    piece.edit().danmaku_colored = Bool8(1);
    let fault = piece.write(&mut Writer::new(&mut Sink::default(), Order::Big), ()).unwrap_err();
    assert_eq!(fault.path(), "vertices");
}

#[test]
fn modes_are_those_of_opengl() {
    // The numbers of glBegin; the document describes 2 as open and 3 as closed, and spells 5 and 6 with an S too many.
    let words = [
        "POINTS",
        "LINES",
        "LINE_LOOP",
        "LINE_STRIP",
        "TRIANGLES",
        "TRIANGLE_STRIP",
        "TRIANGLE_FAN",
        "QUADS",
        "QUAD_STRIP",
        "POLYGON",
    ];
    assert_eq!(Mode::ALL.len(), words.len());
    for (number, word) in (0..).zip(words) {
        assert_eq!(Mode(number).word(), Some(word));
        let topology = Mode(number).topology().unwrap();
        assert_eq!(topology.name(), word.to_lowercase().replace('_', "-"));
        assert_eq!(Mode::of(topology), Some(Mode(number)));
    }
    assert_eq!(Mode(2).topology(), Some(scene::Topology::LineLoop), "2 is closed");
    assert_eq!(Mode(3).topology(), Some(scene::Topology::LineStrip), "3 is open");
    assert_eq!((Mode(10).topology(), Mode(-1).word()), (None, None));
}

#[test]
fn dialect_is_found_by_content() {
    let texts = "0000 0000 0000";
    let cases = [
        ("a piece, no alpha", format!("{texts} 00000001 0000004d {PLAIN_POINT}"), Dialect::Spec),
        ("a piece, alpha 0.3", format!("{texts} 00000001 3e99999a 0000004d {PLAIN_POINT}"), Dialect::Engine),
        ("alpha minus zero", format!("{texts} 00000001 80000000 0000004d {PLAIN_POINT}"), Dialect::Engine),
        ("an alpha like a length", format!("{texts} 00000001 00000051 0000004d {PLAIN_POINT}"), Dialect::Engine),
        ("nothing, no alpha", format!("{texts} 00000000 00000000"), Dialect::Spec),
        ("nothing, alpha 0", format!("{texts} 00000000 00000000 00000000"), Dialect::Engine),
        // Both lengths hold here; only one leaves room for a piece.
        ("mode 5 without vertices", format!("{texts} 00000001 00000009 00000005 00000000 00"), Dialect::Spec),
        // Without an alpha there would be slack.
        ("no slack wins", format!("{texts} 00000001 0000000d 00000009 00000000 00000000 00"), Dialect::Engine),
        // With an alpha there would be a tail of 73 bytes, and no piece in four.
        ("a tail", format!("{texts} 00000001 0000004d {PLAIN_POINT} 00"), Dialect::Spec),
        ("a tail behind an alpha", format!("{texts} 00000001 3e99999a 0000004d {PLAIN_POINT} 00"), Dialect::Engine),
    ];
    for (what, rest, dialect) in cases {
        let (doc, found) = try_read(&hex(&format!("{START} {rest}"))).expect(what);
        assert_eq!(doc.dialect, dialect, "{what}");
        assert!(!found.iter().any(|finding| finding.rule.id == "DAN-011"), "{what} is not ambiguous");
    }
}

#[test]
fn tie_between_dialects_is_told_and_decided_by_the_number() {
    let texts = "0000 0000 0000";
    let cases = [
        // A length of 5 around five bytes of slack, or an alpha and a length of 1.
        (format!("{texts} 00000000 00000005 00000001 00"), Dialect::Spec),
        // Nothing and a tail in both; zero is no length worth writing, but an alpha.
        (format!("{texts} 00000000 00000000 00000000 00"), Dialect::Engine),
    ];
    for (rest, dialect) in cases {
        let (doc, found) = try_read(&hex(&format!("{START} {rest}"))).unwrap();
        assert_eq!(doc.dialect, dialect, "{rest}");
        assert!(found.iter().any(|finding| finding.rule.id == "DAN-011"), "{rest}");
    }
}

#[test]
fn error_of_a_cut_file_speaks_of_its_dialect() {
    let spec = hex(&format!("{START} 0000 0000 0000 00000001 0000004d {PLAIN_POINT}"));
    let error = try_read(&spec[..spec.len() - 1]).unwrap_err();
    assert_eq!(error.place().span, Some(Span::file(34, 4)), "{error}");
    assert!(error.message().contains("77"), "{error}");
    let engine = hex(&format!("{START} 0000 0000 0000 00000001 3e99999a 0000004d {PLAIN_POINT}"));
    let error = try_read(&engine[..engine.len() - 1]).unwrap_err();
    assert_eq!(error.place().span, Some(Span::file(38, 4)), "{error}");
    assert!(error.message().contains("77"), "{error}");
}

#[test]
fn odd_flag_survives() {
    let piece = COLORED_LINES.replacen("00000002 01", "00000002 80", 1);
    let bytes = hex(&format!("{START} 0000 0000 0000 00000001 3e99999a 00000071 {piece}"));
    let mut doc = read(&bytes);
    assert_eq!(doc.pieces[0].danmaku_colored, Bool8(0x80));
    doc.forget_raw();
    assert_eq!(write(&doc), bytes);
    let (lowered, losses) = lower(&lift(&doc), "engine", &Options::default());
    assert_eq!(lowered.pieces[0].danmaku_colored, Bool8(1), "through the scene");
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn slack_and_tail_survive() {
    let bytes = hex(&format!("{START} 0000 0000 0000 00000001 3e99999a 00000050 {PLAIN_POINT} a1a2a3 b1b2"));
    let mut doc = read(&bytes);
    assert_eq!((&doc.slack[..], &doc.tail[..]), (&[0xA1, 0xA2, 0xA3][..], &[0xB1, 0xB2][..]));
    doc.forget_raw();
    assert_eq!(write(&doc), bytes);

    // Never written anew: neither from a scene nor without being told so.
    let mut cx = LiftCx::new(&NoSource);
    let scene = DanModel::lift(&doc, &mut cx).unwrap();
    let lost: Vec<_> = cx.losses.iter().map(|loss| (loss.code, loss.subject.to_string(), loss.count)).collect();
    assert_eq!(lost, [("LOSS-026", "slack".to_owned(), 3), ("LOSS-026", "tail".to_owned(), 2)]);
    let (lowered, _) = lower(&scene, "engine", &Options::default());
    assert!(lowered.slack.is_empty() && lowered.tail.is_empty());
}

#[test]
fn v_counts_from_the_bottom() {
    let scene = lift(&read(&hex(&format!("{START} 0000 0000 0000 00000001 0000004d {PLAIN_POINT}"))));
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    // The file says v = 0.25 from the bottom; scenes count from the top.
    assert_eq!(primitive.get(&Semantic::TexCoord(0)).unwrap().to_f64(), [0.5, 0.75]);
    assert_eq!(scene.space.uv_origin, scene::UvOrigin::Bottom);
}

#[test]
fn every_mode_tells_which_vertex_counts_fit_it() {
    // By mode, the counts up to 8 that make whole primitives; none at all is another rule's business.
    let fitting: [&[usize]; 10] = [
        &[1, 2, 3, 4, 5, 6, 7, 8],
        &[2, 4, 6, 8],
        &[2, 3, 4, 5, 6, 7, 8],
        &[2, 3, 4, 5, 6, 7, 8],
        &[3, 6],
        &[3, 4, 5, 6, 7, 8],
        &[3, 4, 5, 6, 7, 8],
        &[4, 8],
        &[4, 6, 8],
        &[3, 4, 5, 6, 7, 8],
    ];
    let vertex = hex(PLAIN_POINT)[9..].to_vec();
    for (mode, fitting) in (0_i32..).zip(fitting) {
        for count in 1..=8_usize {
            let mut bytes = hex(&format!("{START} 0000 0000 0000 00000001 3e99999a"));
            bytes.extend((9 + count as i32 * 68).to_be_bytes());
            bytes.extend(mode.to_be_bytes());
            bytes.extend((count as i32).to_be_bytes());
            bytes.push(0);
            (0..count).for_each(|_| bytes.extend(&vertex));
            let misfit = check(&bytes).iter().any(|finding| finding.rule.id == "DAN-015");
            assert_eq!(misfit, !fitting.contains(&count), "mode {mode} with {count} vertices");
        }
    }
}

#[test]
fn question_about_the_engine_makes_a_missing_alpha_an_error() {
    let format = formats::by_id("danmodel").unwrap();
    let file = Blob::file(corpus::danmodel::model(None));
    let doc = format.read(file, &mut ReadCx::default()).unwrap();
    let severity = |asked| doc.check(asked, &NoSource).iter().find(|f| f.rule.id == "DAN-012").map(|f| f.severity);
    assert_eq!(severity(None), Some(findings::Severity::Info));
    assert_eq!(severity(Some("spec")), Some(findings::Severity::Info));
    assert_eq!(severity(Some("engine")), Some(findings::Severity::Error));
}

#[test]
fn transcoding_keeps_the_bytes_of_pieces() {
    let (spec, engine) = (corpus::danmodel::model(None), corpus::danmodel::model(Some(0.3)));
    let mut doc = read(&spec);
    let (result, losses) = transcode(&mut doc, "engine", &Options::default());
    result.unwrap();
    assert!(losses.is_empty(), "{losses:?}");
    assert!(doc.pieces.iter().all(|piece| piece.raw().is_some()), "pieces go out as they came in");
    assert_eq!(write(&doc), engine);
    let (result, losses) = transcode(&mut doc, "spec", &Options::default());
    result.unwrap();
    assert!(losses.is_empty(), "the usual alpha is no loss: {losses:?}");
    assert_eq!(write(&doc), spec);
}

#[test]
fn transcoding_lists_an_alpha_that_must_go() {
    let mut doc = read(&corpus::danmodel::model(Some(0.75)));
    let (result, losses) = transcode(&mut doc, "spec", &Options::default());
    result.unwrap();
    let lost: Vec<_> = losses.iter().map(|loss| (loss.code, loss.what.as_str())).collect();
    assert_eq!(lost, [("LOSS-015", "danmaku_alpha 0.75")]);
    assert_eq!(write(&doc), corpus::danmodel::model(None));
}

#[test]
fn transcoding_to_the_same_dialect_changes_nothing() {
    let bytes = corpus::danmodel::model(Some(0.75));
    let mut doc = read(&bytes);
    let (result, losses) = transcode(&mut doc, "engine", &Options::default());
    result.unwrap();
    assert!(losses.is_empty() && doc.header.raw().is_some());
    assert_eq!(write(&doc), bytes);
    assert_eq!(transcode(&mut doc, "binary", &Options::default()).0.unwrap_err().kind(), ErrorKind::Usage);
}

#[test]
fn name_option_edits_only_the_header() {
    let bytes = corpus::danmodel::model(Some(0.3));
    let before = read(&bytes);
    let mut doc = before.clone();
    transcode(&mut doc, "engine", &options(&[("name", "Stern"), ("author", "ich")])).0.unwrap();
    let after = read(&write(&doc));
    assert_eq!((after.header.name.as_str(), after.header.author.as_str()), (Some("Stern"), Some("ich")));
    assert_eq!(after.header.description, before.header.description);
    assert_eq!(after.header.danmaku_alpha, before.header.danmaku_alpha);
    let pieces = |doc: &Document| -> Vec<Blob> { doc.pieces.iter().map(|p| p.raw().unwrap().clone()).collect() };
    assert_eq!(pieces(&after), pieces(&before));

    let refused = transcode(&mut doc, "engine", &options(&[("danmaku-colored", "Outer")])).0.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
}

#[test]
fn string_too_long_for_its_length_is_not_written() {
    // DAN-025: lengths are signed 16-bit numbers.
    let mut doc = read(&corpus::danmodel::one_triangle());
    doc.header.edit().description = "x".repeat(32767).into();
    let longest = write(&doc);
    assert_eq!(read(&longest).header.description.len(), 32767);
    doc.header.edit().description = "x".repeat(32768).into();
    let error = DanModel::write(&doc, &mut Sink::default()).unwrap_err();
    assert_eq!((error.rule().id, error.kind()), ("DAN-025", ErrorKind::Unrepresentable));
    assert_eq!(error.place().path, "header.description_length");
    assert!(error.message().contains("32768"), "{error}");
}

#[test]
fn model_too_large_for_its_length_is_not_written() {
    // DAN-026: 33 pieces of 64 MiB that share their vertices, so that they cost the memory of one, and that untouched.
    let vertices = Blob::memory(vec![0_u8; 64 << 20]);
    let piece = || {
        let vertices = Vertices::Plain(Bulk::view(vertices.clone(), Order::Big));
        Kept::new(Piece { mode: Mode::POINTS, vertices, ..Piece::default() })
    };
    let mut doc = read(&corpus::danmodel::one_triangle());
    doc.pieces = (0..31).map(|_| piece()).collect();
    let mut sink = Sink::default();
    DanModel::write(&doc, &mut sink).expect("31 x 64 MiB still fit");
    assert!(sink.size() > 31 * ((64 << 20) - 68));
    doc.pieces.extend([piece(), piece()]);
    let error = DanModel::write(&doc, &mut Sink::default()).unwrap_err();
    assert_eq!((error.rule().id, error.kind()), ("DAN-026", ErrorKind::Unrepresentable));
    assert_eq!(error.place().path, "pieces");
}

fn rows(piece: &Piece) -> Blob {
    match &piece.vertices {
        Vertices::Plain(vertices) => vertices.to_blob(Order::Big),
        Vertices::Colored(vertices) => vertices.to_blob(Order::Big),
    }
}

#[test]
fn vertices_that_nobody_touched_stay_in_the_file() {
    let file = Blob::file(corpus::danmodel::model(Some(0.3)));
    let doc = DanModel::read(file.clone(), &mut ReadCx::default()).unwrap();
    let (lowered, _) = lower(&lift(&doc), "spec", &Options::default());
    let mut at = file.len();
    for (piece, source) in lowered.pieces.iter().zip(&doc.pieces).rev() {
        let rows = rows(piece);
        at -= rows.len();
        assert_eq!(rows.as_ptr(), file[at..].as_ptr(), "{:?} was copied", piece.mode);
        assert_eq!(rows.as_ptr(), self::rows(source).as_ptr());
        at -= 9;
    }
}

#[test]
fn interleaved_vertices_are_the_same_bytes() {
    let doc = read(&corpus::danmodel::model(Some(0.3)));
    for semantic in [Semantic::Position, Semantic::TexCoord(0), Semantic::Normal] {
        let mut scene = lift(&doc);
        for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            // The same numbers elsewhere and in another byte order: no row is whole any more.
            let stream = primitive.get(&semantic).unwrap();
            let count = stream.count() as u8;
            let moved = match semantic {
                Semantic::Normal => Stream::from_f32(count, stream.to_f32()),
                _ => Stream::from_f64(count, stream.to_f64()),
            };
            primitive.set(semantic.clone(), moved);
        }
        let (lowered, losses) = lower(&scene, "engine", &Options::default());
        assert!(losses.is_empty(), "{losses:?}");
        for (piece, source) in lowered.pieces.iter().zip(&doc.pieces) {
            assert_ne!(rows(piece).as_ptr(), rows(source).as_ptr(), "the test did not take the other way");
            assert_eq!(rows(piece)[..], rows(source)[..], "{semantic} of {:?}", piece.mode);
        }
    }
}

#[test]
fn chosen_objects_take_the_colour_of_the_shot() {
    let mut scene = lift(&read(&corpus::danmodel::one_triangle()));
    scene.nodes.iter_mut().for_each(|node| node.name = "Outer".into());
    let (plain, _) = lower(&scene, "engine", &Options::default());
    assert_eq!(plain.pieces[0].danmaku_colored, Bool8(0));
    let (colored, losses) = lower(&scene, "engine", &options(&[("danmaku-colored", "Outer")]));
    assert_eq!(colored.pieces[0].danmaku_colored, Bool8(1));
    assert_eq!(rows(&colored.pieces[0]).len(), 3 * 52);
    let codes: Vec<&str> = losses.iter().map(|loss| loss.code).collect();
    assert_eq!(codes, ["LOSS-014"], "white is what a coloured piece has anyway; names are what goes");
    let mut cx = LowerCx { options: &options(&[("danmaku-colored", "Inner")]), ..LowerCx::new(&NoSource, "engine") };
    let error = DanModel::lower(&scene, &mut cx).err().expect("there is no such object");
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.help().is_some_and(|help| help.contains("Outer")), "{error}");
}

#[test]
fn large_file_is_valid() {
    let mut bytes = Vec::new();
    corpus::danmodel::large(1 << 20, &mut bytes).unwrap();
    assert_eq!(bytes.len() as u64, corpus::danmodel::large_size(1 << 20));
    let doc = read(&bytes);
    assert_eq!(doc.dialect, Dialect::Engine);
    let found = check(&bytes);
    assert!(found.is_empty(), "{found:?}");
    // A full shell and the beginning of the next, of the other kind.
    let mut two = Vec::new();
    corpus::danmodel::large(70 << 20, &mut two).unwrap();
    let doc = DanModel::read(Blob::file(two), &mut ReadCx::default()).unwrap();
    let pieces: Vec<_> = doc.pieces.iter().map(|piece| (piece.danmaku_colored.0, piece.vertices.len())).collect();
    assert_eq!(pieces.len(), 2);
    assert_eq!((pieces[0], pieces[1].0), ((0, 992_016), 1));
}

#[test]
fn default_sample_leaves_nothing_to_tell() {
    // Faces of every mode agree with their normals, doubles are floats, colours are no keys: not even an info.
    let found = check(&corpus::danmodel::model(Some(0.3)));
    assert!(found.is_empty(), "{found:?}");
    let found: Vec<_> = check(&corpus::danmodel::model(None)).iter().map(|finding| finding.rule.id).collect();
    assert_eq!(found, ["DAN-012"], "without an alpha the mod cannot load it, which is not the file's fault");
}

#[test]
fn face_turned_round_is_noticed_in_every_mode() {
    // All normals of the sample backwards: every triangle of every surface is against them.
    let mut doc = read(&corpus::danmodel::model(Some(0.3)));
    let mut expected = 0;
    for piece in &mut doc.pieces {
        expected += piece.mode.topology().map_or(0, |topology| topology.triangles(piece.vertices.len() as u64));
        let backwards = |normal: [F32; 3]| normal.map(|n| F32(-n.get()));
        match &mut piece.edit().vertices {
            Vertices::Plain(bulk) => bulk.to_mut().iter_mut().for_each(|v| v.normal = backwards(v.normal)),
            Vertices::Colored(bulk) => bulk.to_mut().iter_mut().for_each(|v| v.normal = backwards(v.normal)),
        }
    }
    let found = check(&write(&doc));
    let turned: u64 = found.iter().filter(|finding| finding.rule.id == "DAN-022").map(|finding| finding.count).sum();
    // 2 triangles, 2 of the strip, 4 of the fan, 4 of two quads, 4 of the quad strip, 3 of the polygon.
    assert_eq!((turned, expected), (19, 19));
}

#[cfg(feature = "obj")]
mod from_obj {
    //! What the mod's converter ignores or refuses, and what becomes of it here.

    use formats::obj::Obj;

    use super::*;

    /// The document, and every loss as code, place, what and count.
    fn convert(text: &'static str, library: &'static str) -> (Document, Vec<(String, String, String, u64)>) {
        let source = Files::default().with("a.mtl", library);
        let doc = Obj::read(Blob::file(text), &mut ReadCx::default()).expect("an OBJ");
        let mut cx = LiftCx::new(&source);
        let scene = Obj::lift(&doc, &mut cx).expect("liftable");
        let (document, more) = lower(&scene, "engine", &Options::default());
        let mut losses = cx.losses;
        losses.extend(more);
        let loss = |l: &findings::Loss| (l.code.to_owned(), l.subject.to_string(), l.what.clone(), l.count);
        (document, losses.iter().map(loss).collect())
    }

    fn expect(losses: &[(String, String, String, u64)], expected: &[(&str, &str, &str, u64)]) {
        let losses: Vec<_> = losses.iter().map(|(code, at, what, n)| (&code[..], &at[..], &what[..], *n)).collect();
        assert_eq!(losses, expected);
    }

    fn plain(piece: &Piece) -> Vec<formats::danmodel::PlainVertex> {
        let Vertices::Plain(vertices) = &piece.vertices else { panic!("{piece:?}") };
        vertices.iter().collect()
    }

    #[test]
    fn opacity_becomes_vertex_alpha() {
        let library = "newmtl glass\nKd 1 0.5 0\nd 0.25\nnewmtl stone\nKd 0.5 0.5 0.5\nd 1\n";
        let text = "mtllib a.mtl\no window\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n\
                    usemtl glass\nf 1/1/1 2/1/1 3/1/1\nusemtl stone\nf 3/1/1 2/1/1 1/1/1\n";
        let (doc, losses) = convert(text, library);
        let colors: Vec<Vec<_>> =
            doc.pieces.iter().map(|piece| plain(piece).iter().map(|v| v.color).collect()).collect();
        let expected = [vec![[1., 0.5, 0., 0.25].map(F32); 3], vec![[0.5, 0.5, 0.5, 1.].map(F32); 3]];
        assert_eq!(colors, expected);
        let but_color = "all of a material but its colour";
        expect(
            &losses,
            &[
                ("LOSS-014", "", "names of nodes and meshes", 2),
                ("LOSS-006", "material \"glass\"", but_color, 1),
                ("LOSS-006", "material \"stone\"", but_color, 1),
            ],
        );
    }

    #[test]
    fn obj_without_normals_lists_what_was_made_up() {
        // A pentagon that faces +z, without material, texture coordinates and normals.
        let text = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\ns 1\nf 1 2 3 4 5\n";
        let (doc, losses) = convert(text, "");
        assert_eq!((doc.pieces.len(), doc.pieces[0].mode), (1, Mode::TRIANGLES));
        let vertices = plain(&doc.pieces[0]);
        assert_eq!(vertices.len(), 9, "three triangles");
        for vertex in vertices {
            assert_eq!((vertex.normal, vertex.uv), ([0., 0., 1.].map(F32), [0., 0.].map(F64)));
            assert_eq!(vertex.color, [1.; 4].map(F32));
        }
        let mesh = "mesh \"Default\"";
        expect(
            &losses,
            &[
                ("LOSS-019", mesh, "polygons made triangles", 1),
                // Of the five corners of the source, whatever becomes of them.
                ("LOSS-018", mesh, "normals computed from the faces", 5),
                ("LOSS-018", mesh, "texture coordinates set to zero", 5),
                ("LOSS-015", mesh, "what only obj says: smoothing", 1),
            ],
        );
    }
}

mod golden {
    //! Real files and facts about them that an independent reader measured.

    use serde_json::Value;
    use testing::corpus_dir;

    use super::*;

    fn facts(folder: &std::path::Path, name: &str) -> Vec<Value> {
        let own = |fact: &Value| fact["file"].as_str().is_some_and(|file| file.ends_with(".danmodel"));
        testing::golden(folder, name).into_iter().filter(own).collect()
    }

    /// Numbers as JSON has them; what is no number is a word there.
    fn numbers(value: &Value) -> Option<Vec<f64>> {
        value.as_array()?.iter().map(Value::as_f64).collect()
    }

    fn extent(values: &[f64], width: usize) -> (Vec<f64>, Vec<f64>) {
        let fold = |k: usize, start: f64, pick: fn(f64, f64) -> f64| {
            values.iter().skip(k).step_by(width).copied().fold(start, pick)
        };
        let low = (0..width).map(|k| fold(k, f64::INFINITY, f64::min)).collect();
        (low, (0..width).map(|k| fold(k, f64::NEG_INFINITY, f64::max)).collect())
    }

    fn count_of(found: &[Finding], rule: &str, place: &str) -> u64 {
        let of = found.iter().filter(|f| f.rule.id == rule && f.place.path.starts_with(place));
        of.map(|finding| finding.count).sum()
    }

    #[test]
    fn files_are_as_measured() {
        let Some(folder) = corpus_dir() else { return };
        let facts = facts(&folder, "danmodel.json");
        assert!(facts.len() >= 13, "only {} facts", facts.len());
        for fact in facts {
            let name = fact["file"].as_str().unwrap();
            let bytes = std::fs::read(folder.join("danmodel").join(name)).expect(name);
            if fact.get("error").is_some() {
                let worst = check(&bytes).iter().map(|finding| finding.severity).max();
                assert_eq!(worst, Some(findings::Severity::Error), "{name}");
            } else {
                compare(name, &bytes, &fact);
            }
        }
    }

    fn compare(name: &str, bytes: &[u8], fact: &Value) {
        let doc = read(bytes);
        let found = check(bytes);
        assert_eq!(write(&doc), bytes, "{name}");
        let engine = fact["layout"] == "alpha";
        assert_eq!(doc.dialect == Dialect::Engine, engine, "{name}");
        assert_eq!(doc.header.danmaku_alpha.map(|a| f64::from(a.get())), fact["danmaku_alpha"].as_f64(), "{name}");
        let texts = [&doc.header.name, &doc.header.description, &doc.header.author].map(|text| text.as_str());
        assert_eq!(texts, [&fact["name"], &fact["description"], &fact["author"]].map(Value::as_str), "{name}");
        let numbers_of = [
            (i64::from(doc.header.version), "version"),
            (i64::from(doc.header.piece_count), "piece_count"),
            (i64::from(doc.header.model_length), "model_length"),
            (doc.header.at().unwrap().end() as i64, "data_offset"),
            (doc.slack.len() as i64, "unused_in_data"),
            (doc.tail.len() as i64, "trailing_after_data"),
            (bytes.len() as i64, "size"),
        ];
        for (number, key) in numbers_of {
            assert_eq!(Some(number), fact[key].as_i64(), "{name}: {key}");
        }
        let pieces = fact["pieces"].as_array().unwrap();
        assert_eq!(doc.pieces.len(), pieces.len(), "{name}");
        let scene = lift(&doc);
        for (i, (piece, fact)) in doc.pieces.iter().zip(pieces).enumerate() {
            let what = format!("{name} piece {i}");
            let at = wire::locate(&doc.tree(), &format!("pieces[{i}]")).unwrap();
            assert_eq!((Some(at.offset), Some(at.size)), (fact["offset"].as_u64(), fact["bytes"].as_u64()), "{what}");
            assert_eq!(Some(i64::from(piece.mode.0)), fact["mode"].as_i64(), "{what}");
            assert_eq!(piece.mode.word(), fact["mode_name"].as_str(), "{what}");
            assert_eq!(Some(u64::from(piece.danmaku_colored.0)), fact["flag_byte"].as_u64(), "{what}");
            assert_eq!(Some(piece.danmaku_colored.is_set()), fact["danmaku_color"].as_bool(), "{what}");
            assert_eq!(Some(piece.vertices.len() as u64), fact["vertices"].as_u64(), "{what}");
            let mesh = scene.nodes.iter().nth(i).and_then(|node| node.mesh).unwrap();
            compare_numbers(&what, &scene.meshes[mesh].primitives[0], fact);

            let place = format!("pieces[{i}]");
            let off = |rule| count_of(&found, rule, &place);
            assert_eq!(off("DAN-015") > 0, fact["remainder"] != 0, "{what}: left-over vertices");
            // The other reader counts what is no number as inexact; to the rule it is another's business.
            if numbers(&fact["bbox_min"]).is_some() {
                assert_eq!(off("DAN-023") == 0, fact["doubles_exact_f32"] == true, "{what}: doubles");
            }
            assert_eq!(Some(off("DAN-022")), fact["winding_opposes_normal"].as_u64(), "{what}: winding");
            let lengths = numbers(&fact["normal_len"]).unwrap();
            assert_eq!(off("DAN-021") == 0, lengths.iter().all(|n| (n - 1.).abs() <= 1e-3), "{what}: normals");
        }
    }

    fn compare_numbers(what: &str, primitive: &scene::Primitive, fact: &Value) {
        assert_eq!(Some(primitive.triangle_count()), fact["triangles"].as_u64(), "{what}");
        let positions = primitive.get(&Semantic::Position).unwrap().to_f64();
        // Stored coordinates count from the bottom.
        let uvs = primitive.get(&Semantic::TexCoord(0)).unwrap().flipped().to_f64();
        for (values, width, low, high) in [(positions, 3, "bbox_min", "bbox_max"), (uvs, 2, "uv_min", "uv_max")] {
            let measured = (numbers(&fact[low]), numbers(&fact[high]));
            if let (Some(min), Some(max)) = measured {
                assert_eq!(extent(&values, width), (min, max), "{what}: {low}");
            }
        }
        let normals = primitive.get(&Semantic::Normal).unwrap().to_f64();
        let lengths: Vec<f64> = normals.chunks(3).map(|n| n.iter().map(|v| v * v).sum::<f64>().sqrt()).collect();
        let ((low, high), measured) = (extent(&lengths, 1), numbers(&fact["normal_len"]).unwrap());
        assert!((low[0] - measured[0]).abs() < 1e-6 && (high[0] - measured[1]).abs() < 1e-6, "{what}: normals");
        let colors = primitive.get(&Semantic::Color(0)).map(|stream| stream.to_f64());
        assert_eq!(colors.is_some(), fact.get("colors").is_some(), "{what}: colours");
        let mut distinct: Vec<Vec<f64>> = colors.unwrap_or_default().chunks(4).map(<[f64]>::to_vec).collect();
        distinct.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        distinct.dedup();
        let listed = fact.get("colors").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for color in listed.iter().filter_map(numbers) {
            assert!(distinct.contains(&color), "{what}: no vertex is {color:?}");
        }
    }

    #[test]
    fn literal_files_are_in_their_dialects() {
        let Some(folder) = corpus_dir() else { return };
        let facts = facts(&folder, "literal.json");
        assert!(facts.len() >= 13, "only {} facts", facts.len());
        for fact in facts {
            let name = fact["file"].as_str().unwrap();
            let bytes = std::fs::read(folder.join("literal").join(name)).expect(name);
            let doc = try_read(&bytes).map(|(doc, _)| doc);
            assert_eq!(Some(doc.is_ok()), fact["readable"].as_bool(), "{name}");
            let Ok(doc) = doc else { continue };
            assert_eq!(write(&doc), bytes, "{name}");
            if let Some(dialect) = fact["dialect"].as_str() {
                assert_eq!(doc.dialect(), dialect, "{name}");
            }
        }
    }
}
