//! What the statements of a model mean.

use super::*;

#[test]
fn numbers_are_rounded_once() {
    let doc = read(b"v 0.1 -0.000000 1e-3\nv 16777217 +.5 3.4028235e38\nvt .25\nvt 1 2 3\nvn 0 0 -1\n");
    let model = doc.model();
    assert_eq!(model.positions, [0.1, 0., 0.001, 16_777_216., 0.5, f32::MAX]);
    assert!(model.positions[1].is_sign_negative());
    assert_eq!(model.texcoords, [0.25, 0., 1., 2.]);
    assert_eq!(model.normals, [0., 0., -1.]);
}

#[test]
fn indices_count_from_one_or_backwards() {
    let text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nvt 0 0\nvn 0 0 1\nf -3/-1/-1 -2/1/1 3/-1/1\nv 9 9 9\nf -1 -2 1\n";
    let doc = read(text.as_bytes());
    let indices: Vec<_> = doc.model().corners.iter().map(|c| [c.v, c.vt, c.vn]).collect();
    let none = formats::obj::ABSENT;
    let expected = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, none, none], [2, none, none], [0, none, none]];
    assert_eq!(indices, expected);
}

#[test]
fn nothing_behind_a_slash_is_nothing() {
    let text = format!("{SQUARE}vt 0 0\nf 1/1 2/1/ 3/1/ 4/1\nusemtl a\nf 1/ 2// 3/ 4\n");
    let none = formats::obj::ABSENT;
    let corners: Vec<_> = read(text.as_bytes()).model().corners.iter().map(|c| [c.vt, c.vn]).collect();
    assert_eq!(corners, [[[0, none]; 4], [[none; 2]; 4]].concat());
    let found: Vec<_> = check(text.as_bytes()).iter().map(|finding| finding.rule.id).collect();
    assert_eq!(found, ["OBJ-017"], "nothing but the library is missing");
}

#[test]
fn lines_join_and_end_as_they_like() {
    let plain = read(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    for odd in [
        &b"v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nf 1 2 3\r\n"[..],
        b"v 0 0 0\rv 1 0 0\rv 1 1 0\rf 1 2 3",
        b"\xEF\xBB\xBFv 0 0 0\nv\t1\t0  0\t \n  v 1 1 0 # here\n\n\nf 1 2 3",
        b"v 0 0 \\\n0\nv \\\r\n 1 0 0\nv 1 1 0\nf 1 2\\\n\\\n3 # end \\\n",
    ] {
        let doc = read(odd);
        assert_eq!(doc.model().positions, plain.model().positions, "{}", odd.escape_ascii());
        assert_eq!(doc.model().corners, plain.model().corners, "{}", odd.escape_ascii());
        assert_eq!(written(&doc), odd);
        assert!(held(odd).check(None, &NoSource).is_empty(), "{:?}", held(odd).check(None, &NoSource));
    }
}

#[test]
fn quads_stay_quads_and_share_their_corners() {
    let scene = lift(format!("{SQUARE}v 2 0 0\nv 2 1 0\nf 1 2 3 4\nf 2 5 6 3\n").as_bytes());
    let [(name, primitives)] = &parts(&scene)[..] else { panic!("one object") };
    assert_eq!(name, "Default");
    let [quads] = primitives[..] else { panic!("one primitive") };
    assert_eq!(quads.topology, Topology::Quads);
    assert_eq!(order(quads), [0, 1, 2, 3, 1, 4, 5, 2]);
    assert_eq!(quads.vertex_count(), 6);
    assert!(quads.corners.is_empty());
}

#[test]
fn mixed_faces_are_polygons() {
    let scene = lift(format!("{SQUARE}v 2 2 0\nf 1 2 3\nf 1 2 3 4\nf 1 2 3 5 4\n").as_bytes());
    let polygons = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((polygons.topology, &polygons.corners[..]), (Topology::Polygons, &[3, 4, 5][..]));
    assert_eq!(order(polygons), [0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 4, 3]);
    assert_eq!(polygons.triangle_count(), 6);
}

#[test]
fn every_usemtl_opens_a_primitive_and_o_ends_it() {
    let text = format!(
        "{SQUARE}f 1 2 3\no A\nusemtl red\ns 1\nf 1 2 3\ng x\nf 1 3 4\nusemtl red\nf 2 3 4\nusemtl blue\no B\nf 1 2 4\n\
         o Empty\n"
    );
    let doc = held(text.as_bytes());
    let scene = doc.lift(&mut LiftCx::new(&NoSource)).unwrap();
    let faces: Vec<(String, Vec<usize>)> =
        parts(&scene).into_iter().map(|(name, p)| (name, p.iter().map(|p| order(p).len() / 3).collect())).collect();
    let expected = [("Default", vec![1]), ("A", vec![2, 1]), ("B", vec![1]), ("Empty", vec![])];
    assert_eq!(faces, expected.map(|(name, faces)| (name.to_owned(), faces)));
    let names: Vec<Vec<Option<String>>> = parts(&scene)
        .iter()
        .map(|(_, p)| p.iter().map(|p| p.material.map(|id| scene.materials[id].name.to_string())).collect())
        .collect();
    let (red, blue) = (Some("red".to_owned()), Some("blue".to_owned()));
    assert_eq!(names, [vec![None], vec![red.clone(), red], vec![blue], vec![]]);
    assert_eq!(scene.materials.len(), 2);

    let facts = doc.facts(true);
    let counts = facts.counts;
    assert_eq!((counts.nodes, counts.meshes, counts.primitives), (Some(4), Some(3), Some(4)));
    assert_eq!((counts.vertices, counts.triangles, counts.materials), (Some(4), Some(5), Some(2)));
    assert_eq!(facts.names.materials, [b"red".to_vec(), b"blue".to_vec()]);
    assert_eq!(facts.names.nodes.len(), 4);
}

#[test]
fn groups_and_smoothing_travel_with_the_primitive() {
    let text = format!("{SQUARE}o A\nf 1 2 3\ng x y\ns 7\nf 1 3 4\nf 1 2 4\ns off\nf 2 3 4\n");
    let scene = lift(text.as_bytes());
    let extras = &scene.meshes.iter().next().unwrap().primitives[0].extras;
    let from = |n: i64| ("from".to_owned(), Value::Int(n));
    let names = Value::List(vec!["x".into(), "y".into()]);
    let groups = Value::List(vec![Value::Map(vec![from(1), ("names".to_owned(), names)])]);
    assert_eq!(extras.get("obj.groups"), Some(&groups));
    let group = |at, n: i64| Value::Map(vec![from(at), ("group".to_owned(), Value::Int(n))]);
    assert_eq!(extras.get("obj.smoothing"), Some(&Value::List(vec![group(1, 7), group(3, 0)])));
}

#[test]
fn groups_are_nodes_where_there_is_no_o() {
    let text = format!("g none\n{SQUARE}f 1 2 3\ng a b\nf 1 2 3\ng c\nf 1 2 4\ng a b\nf 1 3 4\n");
    let scene = lift(text.as_bytes());
    let faces: Vec<_> = parts(&scene).into_iter().map(|(n, p)| (n, p.len(), order(p[0]).len() / 3)).collect();
    assert_eq!(faces, [("none".to_owned(), 1, 1), ("a b".to_owned(), 1, 2), ("c".to_owned(), 1, 1)]);
    let names = Value::List(vec!["a".into(), "b".into()]);
    assert_eq!(scene.nodes.iter().nth(1).unwrap().extras.get("obj.groups"), Some(&names));
}

#[test]
fn corners_are_welded_and_v_counts_from_the_bottom() {
    let text =
        format!("{SQUARE}vt 0 0\nvt 1 0.25\nvn 0 0 1\nf 1/1/1 2/2/1 3/1/1\nf 1/1/1 3/1/1 4/2/1\nf 1/2/1 2/2/1 3/1/1\n");
    let scene = lift(text.as_bytes());
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(order(primitive), [0, 1, 2, 0, 2, 3, 4, 1, 2]);
    let expected = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
    assert_eq!(corners(primitive)[..6], expected);
    assert_eq!(numbers(primitive, Semantic::TexCoord(0)), [0., 1., 1., 0.75, 0., 1., 1., 0.75, 1., 0.75]);
    assert_eq!(numbers(primitive, Semantic::Normal), [0., 0., 1.].repeat(5));
    assert!(primitive.get(&Semantic::TexCoord(0)).unwrap().encoding().flip_v);
}

#[test]
fn colors_of_vertices_are_a_stream() {
    let scene = lift(b"v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 .5\nf 1 2 3\n");
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(primitive.get(&Semantic::Color(0)).unwrap().count(), 3);
    assert_eq!(numbers(primitive, Semantic::Color(0)), [1., 0., 0., 0., 1., 0., 0., 0., 0.5]);
    let text = b"v 0 0 0\nv 1 0 0 0 1 0 .5\nv 1 1 0\nf 1 2 3\n";
    let scene = lift(text);
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(numbers(primitive, Semantic::Color(0)), [1., 1., 1., 1., 0., 1., 0., 0.5, 1., 1., 1., 1.]);
    let findings = check(text);
    assert_eq!((findings[0].rule.id, findings[0].count), ("OBJ-015", 2));
    assert_eq!(findings[0].place.span, Some(Span::file(0, 7)));
}

#[test]
fn lines_and_points_are_primitives_of_their_own() {
    let scene = lift(format!("{SQUARE}l 1 2 3\nf 1 2 3\np 1 4\nl 4 1\n").as_bytes());
    let [(_, primitives)] = &parts(&scene)[..] else { panic!("one object") };
    let drawn: Vec<_> = primitives.iter().map(|p| (p.topology, order(p))).collect();
    let expected = [
        (Topology::Lines, vec![0, 1, 1, 2, 3, 0]),
        (Topology::Triangles, vec![0, 1, 2]),
        (Topology::Points, vec![0, 1]),
    ];
    assert_eq!(drawn, expected);
    let scene = lift(format!("{SQUARE}l 1 2 3 4\n").as_bytes());
    let strip = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((strip.topology, order(strip)), (Topology::LineStrip, vec![0, 1, 2, 3]));
}

#[test]
fn fo_is_an_old_word_for_f() {
    assert_eq!(read(format!("{SQUARE}fo 1 2 3\n").as_bytes()).model().sizes, [3]);
}

#[test]
fn vertices_alone_are_points() {
    let scene = lift(SQUARE.as_bytes());
    let cloud = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((cloud.topology, cloud.vertex_count()), (Topology::Points, 4));
    assert_eq!(held(SQUARE.as_bytes()).facts(true).counts.primitives, Some(1));
}

#[test]
fn missing_texture_coordinates_become_zero_and_are_listed() {
    let text = format!("{SQUARE}vt .5 .5\nf 1/1 2/1 3\n");
    let mut cx = LiftCx::new(&NoSource);
    let scene = Obj::lift(&read(text.as_bytes()), &mut cx).unwrap();
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(numbers(primitive, Semantic::TexCoord(0)), [0.5, 0.5, 0.5, 0.5, 0., 1.]);
    let losses: Vec<_> = cx.losses.iter().map(|loss| (loss.code, loss.count)).collect();
    assert_eq!(losses, [("LOSS-018", 1), ("LOSS-064", 1)], "the fourth vertex is drawn nowhere");
    assert!(check(text.as_bytes()).iter().any(|finding| finding.rule.id == "OBJ-014"));
}

#[test]
fn statements_without_a_place_in_the_scene_are_losses() {
    let mut cx = LiftCx::new(&NoSource);
    Obj::lift(&read(b"v 0 0 0\nvp 1\nvp 2\nfoo bar\ncurv 0 1 1 2\np 1\n"), &mut cx).unwrap();
    let losses: Vec<_> = cx.losses.iter().map(|loss| (loss.what.as_str(), loss.count)).collect();
    assert_eq!(losses, [("vp statements", 2), ("foo statements", 1), ("curv statements", 1)]);
}

/// Rule, severity, bytes and count of every finding, in the order of the file.
fn places(text: &str) -> Vec<(&'static str, &str, u64)> {
    let mut findings = check(text.as_bytes());
    findings.sort_by_key(|finding| (finding.place.span.map(|span| span.offset), finding.rule.id));
    let word = |span: Span| &text[span.offset as usize..span.end() as usize];
    findings.iter().map(|f| (f.rule.id, f.place.span.map_or("", word), f.count)).collect()
}

#[test]
fn findings_point_at_the_word() {
    type Expected = &'static [(&'static str, &'static str, u64)];
    let cases: &[(&str, Expected)] = &[
        ("v 1 x 2\np 1\n", &[("OBJ-002", "x", 1)]),
        ("v 1,5 0 0\nv y 0 z\np 1 2\n", &[("OBJ-002", "1,5", 3)]),
        ("v 1 2\np 1\n", &[("OBJ-003", "v 1 2", 1)]),
        ("v 1 2 3 4 5 # c\np 1\n", &[("OBJ-003", "v 1 2 3 4 5", 1)]),
        ("v 0 0 0\nvn 0 1\np 1\n", &[("OBJ-003", "vn 0 1", 1)]),
        ("v 0 0 0\np 1 a/2\n", &[("OBJ-004", "a/2", 1)]),
        ("v 0 0 0\np 1 1/1/1/1\n", &[("OBJ-004", "1/1/1/1", 1)]),
        ("v 0 0 0\np 1 0\n", &[("OBJ-005", "0", 1)]),
        ("v 0 0 0\nv 1 0 0\nf 1 2\n", &[("OBJ-006", "f 1 2", 1)]),
        ("v 0 0 0\nl\np 1\n", &[("OBJ-006", "l", 1)]),
        ("v 0 0 0\no\np 1\n", &[("OBJ-007", "o", 1)]),
        ("v 0 0 0\ns smooth\np 1\n", &[("OBJ-009", "s smooth", 1)]),
        ("v 0 0 0\np 1 2 0\np -2\np 1//1\n", &[("OBJ-010", "2", 3), ("OBJ-005", "0", 1)]),
        ("v 0 0 0\nfoo 1\nbar\nfoo 2\np 1\n", &[("OBJ-011", "foo", 2), ("OBJ-011", "bar", 1)]),
        ("v 0 0 0\ncurv 0 1 1\nlod 3\np 1\n", &[("OBJ-012", "curv", 1), ("OBJ-013", "lod", 1)]),
        ("v 0 0 0\nv 1 nan 1e60\np 1 2\n", &[("OBJ-026", "nan", 2)]),
        ("v 0 0 0 .5\np 1\n", &[("OBJ-027", "v 0 0 0 .5", 1)]),
        ("v 0 0 0\nvn 0 0 1\nvn 0 2 0\np 1\n", &[("OBJ-028", "vn 0 2 0", 1)]),
        ("v 0 0 0 0 0 0\nv 0 0 0 255 0 0\np 1 2\n", &[("OBJ-029", "v 0 0 0 255 0 0", 1)]),
        ("v 0 0 0\nv 1 0 0\np 1\nf 1 1 2\n", &[("OBJ-030", "f 1 1 2", 1)]),
        ("v 0 0 0\nv 1 0 0\np 1\n", &[("OBJ-031", "v 1 0 0", 1)]),
        ("v 0 0 0\nusemtl a\np 1\nusemtl b\n", &[("OBJ-017", "usemtl a", 2)]),
    ];
    for (text, expected) in cases {
        assert_eq!(places(text), *expected, "{text:?}");
    }
}

#[test]
fn findings_name_line_and_statement() {
    let findings = check(b"# c\nv 0 0 0\nv 0 y 0\np 1 2\n");
    assert_eq!(findings[0].message, "line 3: \"y\" is not a number; it is read as 0");
    assert_eq!(findings[0].place.path, "statements[1][1]");
    assert_eq!(findings[0].severity, Severity::Error);
}

#[test]
fn name_that_is_not_utf8_is_kept_and_reported() {
    let text = b"v 0 0 0\no W\xFCrfel\np 1\n";
    let findings = check(text);
    assert_eq!((findings[0].rule.id, findings[0].place.span), ("OBJ-008", Some(Span::file(11, 1))));
    let scene = lift(text);
    assert_eq!(scene.nodes.iter().next().unwrap().name.bytes(), b"W\xFCrfel");
}

#[test]
fn faces_without_their_vertices_are_left_out() {
    let text = format!("{SQUARE}f 1 2 9\nf 1 2 3\nf 0 1 2\n");
    let (scene, findings) = lift_with(text.as_bytes(), &NoSource);
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(order(primitive), [0, 1, 2]);
    assert_eq!(findings[0].rule.id, "OBJ-010");
    assert_eq!(read(text.as_bytes()).model().corners[2].v, BAD);
}
