//! Bytes: the tree, damage, recognition.

use super::library::LIBRARY;
use super::*;

const SAMPLE: &[u8] = b"\xEF\xBB\xBF\r\n# sample\nmtllib a.mtl b.mtl\no One\nv 0 0 0\nv 1 0 0 0.5\n\nv 1 1 0 1 0 0\nvt 0 1\n\
    vn 0 0 1\nvp 1 2\nusemtl metal\ns 1\nf 1/1/1 2/1/1 \\\n 3/1/1\nf -1 -2 -3 -1\ng a b\nl 1 2 3\r\np 1\nwhat ever\ns off\n";

fn leaves(nodes: &[Node], out: &mut Vec<Span>) {
    for node in nodes {
        match node.children().expect("it was readable") {
            children if children.is_empty() => out.push(node.span),
            children => leaves(&children, out),
        }
    }
}

#[test]
fn every_byte_belongs_to_one_leaf() {
    for size in 0..=SAMPLE.len() {
        let Ok(doc) = Obj::read(Blob::file(SAMPLE[..size].to_vec()), &mut ReadCx::default()) else { continue };
        let mut spans = Vec::new();
        leaves(&formats::Document::tree(&doc), &mut spans);
        let mut at = 0;
        for span in spans {
            assert_eq!(span.offset, at, "of {size} bytes");
            at = span.end();
        }
        assert_eq!(at, size as u64);
    }
}

#[test]
fn tree_says_what_the_lines_are() {
    let tree = held(SAMPLE).tree();
    let children = tree[0].children().unwrap();
    let types: Vec<&str> = children.iter().map(|node| node.ty.as_str()).collect();
    let expected = [
        "byte order mark",
        "blank",
        "# x 1",
        "mtllib",
        "o",
        "v x 3",
        "vt x 1",
        "vn x 1",
        "vp x 1",
        "usemtl",
        "s",
        "f x 2",
        "g",
        "l x 1",
        "p x 1",
        "what x 1",
        "s",
    ];
    assert_eq!(types, expected);
    let found = wire::find(&tree, "statements[4]").unwrap();
    assert_eq!(found.value, Some(wire::Value::Text(Blob::memory(b"One".to_vec()))));
}

/// Everything that can be done with a document.
pub(crate) fn exercise(text: &[u8]) {
    let format = by_id("obj").expect("obj is registered");
    format.probe(&Blob::file(text.to_vec()), &Hint::default());
    let Ok(mut doc) = format.read(Blob::file(text.to_vec()), &mut ReadCx::default()) else { return };
    let files = Files::default().with("a.mtl", LIBRARY);
    doc.check(None, &files);
    doc.facts(true);
    leaves(&doc.tree(), &mut Vec::new());
    let mut cx = LiftCx::new(&files);
    let scene = doc.lift(&mut cx).expect("whatever can be read can be lifted");
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let count = primitive.vertex_count() as u32;
        assert!(order(primitive).iter().all(|&index| index < count));
        assert!(primitive.attributes.iter().all(|a| a.stream.len() == count as usize));
    }
    doc.forget_raw();
    let mut out = Sink::default();
    doc.write(&mut out).expect("text can be written");
    assert_eq!(out.into_vec(), text);
}

#[test]
fn no_damage_stops_the_program() {
    for size in 0..SAMPLE.len() {
        exercise(&SAMPLE[..size]);
    }
    for at in 0..SAMPLE.len() {
        for byte in [0, b'\n', b'\r', b'\\', b'/', b'-', b'9', b' ', b'#', 0xFF, SAMPLE[at] ^ 1, SAMPLE[at] ^ 0x20] {
            let mut damaged = SAMPLE.to_vec();
            damaged[at] = byte;
            exercise(&damaged);
        }
    }
}

#[test]
fn no_damage_to_a_library_stops_the_program() {
    let text = format!("mtllib a.mtl\n{SQUARE}usemtl metal\nf 1 2 3\n");
    let lift = |library: &[u8]| {
        let files = Files::default().with("a.mtl", library);
        check_with(text.as_bytes(), &files);
        Obj::lift(&read(text.as_bytes()), &mut LiftCx::new(&files)).expect("libraries stop nothing");
    };
    for at in 0..LIBRARY.len() {
        lift(&LIBRARY[..at]);
        for byte in [0, b'\n', b'\\', b'-', b' ', b'#', 0xFF, LIBRARY[at] ^ 1] {
            let mut damaged = LIBRARY.to_vec();
            damaged[at] = byte;
            lift(&damaged);
        }
    }
}

#[test]
fn huge_numbers_are_no_memory() {
    for text in [
        "v 0 0 0\nf 99999999999999999999 4294967295 4294967296\nf -99999999999999999999 -2147483649 -4294967297\n",
        "v 0 0 0\nf 4294967295/4294967294/4294967293 1/4294967295/4294967294 1\n",
        "s 99999999999999999999\nv 1e999999999 -1e99999999999999999999 1e-999999999\np 1\n",
    ] {
        exercise(text.as_bytes());
    }
    exercise(&[b"v 0 0 0\nf".to_vec(), b" 1".repeat(100_000), b"\n".to_vec()].concat());
    exercise(&[b"v 0 0 0\n".to_vec(), b"f 1 1 1/1\nusemtl\n".repeat(3_000)].concat());
    exercise(&[b"v 0 0 0\n".to_vec(), b"\\\n".repeat(100_000)].concat());
    exercise(&[SQUARE.as_bytes().to_vec(), b"vt 0 0\n".to_vec(), b"o x\nf 1/1 2 3\nwhat\n".repeat(10_000)].concat());
    let many: String = (0..20_000).map(|i| format!("o {i}\nf 1/1 2 3 9\nf 1/1 2 3\nx{i}\n")).collect();
    exercise(format!("{SQUARE}vt 0 0\n{many}").as_bytes());
    let crowded: String = (1..20_000).map(|i| format!("vt {i}\nf 1/{i} 1/{i} 1\n")).collect();
    exercise(format!("v 0 0 0\n{crowded}").as_bytes());
}

#[test]
fn long_lines_hide_no_file() {
    let probe = |text: &[u8], extension: Option<&str>| {
        Obj::probe(&Blob::file(text.to_vec()), &Hint { extension: extension.map(str::to_owned) })
    };
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for size in [5_000, 70_000, 500_000] {
        let name = "n".repeat(size);
        assert_eq!(probe(format!("o {name}\n{triangle}").as_bytes(), None), Score::LIKELY);
        assert_eq!(probe(format!("# {name}\ng {name}\n{triangle}").as_bytes(), Some("obj")), Score::LIKELY);
        assert_eq!(probe(format!("what {name}\n{triangle}").as_bytes(), Some("obj")), Score::NO);
    }
    let endless = format!("o {}\n{triangle}", "n".repeat(2 << 20));
    assert_eq!(probe(endless.as_bytes(), Some("obj")), Score::MAYBE, "a name that never ends is a name");
    assert_eq!(probe(endless.as_bytes(), None), Score::NO);
}

#[test]
fn probe_claims_nothing_else() {
    let probe = |text: &[u8], extension: Option<&str>| {
        Obj::probe(&Blob::file(text.to_vec()), &Hint { extension: extension.map(str::to_owned) })
    };
    for likely in
        [&b"v 0 0 0\n"[..], b"# c\n\n  v 0 0 0", b"\xEF\xBB\xBFmtllib a.mtl\no x\n", b"o x\nv 1 2 3\nf 1 1 1\n"]
    {
        assert_eq!(probe(likely, None), Score::LIKELY, "{}", likely.escape_ascii());
    }
    let odd = b"v 0 0 0\nvcolor 1\n";
    assert_eq!(probe(odd, None), Score::MAYBE);
    for no in [
        &b""[..],
        b"\n\n",
        b"# a shell script\necho\n",
        b"# comments\n",
        b"newmtl x\nKd 1 1 1\n",
        b"{ \"asset\": {} }",
        b"solid x\nfacet normal 0 0 1\n",
        b"ply\nformat ascii 1.0\n",
        b"v 0 0 0\n\0",
        b"v hello\n",
        b"o weh\n",
        b"glTF\x02\0\0\0",
    ] {
        assert_eq!(probe(no, None), Score::NO, "{}", no.escape_ascii());
    }
    assert_eq!(probe(b"# comments\n", Some("OBJ")), Score::MAYBE);
    assert_eq!(probe(b"o weh\n", Some("obj")), Score::MAYBE);
    assert_eq!(probe(&[b"v 0 0 0\n".repeat(600), b"\0".to_vec()].concat(), None), Score::LIKELY);
}

#[test]
fn what_is_no_obj_is_refused() {
    for (text, message) in [
        (&b""[..], "no line of this file is an OBJ statement: it is empty"),
        (
            b"glTF\x02\0\0\0",
            "no line of this file is an OBJ statement; it starts with \"glTF\\u{2}\\u{0}\\u{0}\\u{0}\"",
        ),
    ] {
        let error = Obj::read(Blob::file(text.to_vec()), &mut ReadCx::default()).expect_err("no OBJ");
        assert_eq!((error.rule().id, error.message()), ("OBJ-001", message));
    }
    assert_eq!(check(b"# nothing\n")[0].rule.id, "OBJ-016");
}

#[test]
fn every_rule_has_a_page() {
    for (i, rule) in formats::obj::RULES.iter().enumerate() {
        assert_eq!(rule.info.id, format!("OBJ-{:03}", i + 1));
        let headings: Vec<_> = rule.info.page.headings().collect();
        assert_eq!(headings, ["What it finds", "Why it matters", "Example", "Fix"], "{}", rule.info.id);
        assert!(headings.iter().all(|heading| !rule.info.page.section(heading).is_empty()), "{}", rule.info.id);
    }
}
