//! DGL2 and DGL1: what the laws of every format do not say.

#![cfg(feature = "dgl2")]

mod real_files;

use findings::{Finding, Losses, Severity};
use formats::dgl2::dml::{Dml, TokenKind, value};
use formats::dgl2::{Chunk, ChunkKind, Data, Dgl2, Document, Form};
use formats::{Document as _, Format, Hint, LiftCx, LowerCx, NoSource, ReadCx, dgl1::Dgl1};
use scene::{AlphaMode, Extras, Material, Node, Primitive, Role, Scene, Semantic, Shading, UvOrigin};
use testing::EveryFile;
use wire::{Blob, F32, Kept, Sink, Text};

fn read(bytes: &[u8]) -> Document {
    testing::read::<Dgl2>(bytes)
}

fn write(doc: &Document) -> Vec<u8> {
    testing::write::<Dgl2>(doc)
}

fn lift(doc: &Document) -> Scene {
    Dgl2::lift(doc, &mut LiftCx::new(&EveryFile)).unwrap()
}

/// Through the scene into a dialect, with what that costs.
fn lower(scene: &Scene, dialect: &'static str) -> (Document, Losses) {
    let lowered = testing::lower_in::<Dgl2>(scene, LowerCx::new(&EveryFile, dialect));
    (lowered.doc, lowered.losses)
}

fn check(doc: &Document, asked: Option<&str>) -> Vec<Finding> {
    let mut all = Vec::new();
    for rule in Dgl2::RULES {
        let mut checker = findings::Checker::new(asked);
        checker.set_rule(&rule.info);
        if let Some(check) = rule.check {
            check(doc, &mut checker);
        }
        all.extend(checker.finish(&doc.tree()));
    }
    all
}

fn sample(name: &str) -> Vec<u8> {
    testing::sample("dgl2", name)
}

/// Hexadecimal digits, spaces and line breaks.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn chunks_read_as_written_by_hand() {
    let doc = read(&hex("0000 ffffffff 0200 00000000 4869
         0200 07000000 0100 7c000000 4d
           03000000
           0000803f 00000040 00004040  0000803f 00000040 00004040  0000803f 00000040 00004040
           00000000 00000000 0000803f  00000000 00000000 0000803f  00000000 00000000 0000803f
           0000003f 0000803e  0000003f 0000803e  0000003f 0000803e
           00000000 00000000  00000000 00000000  00000000 0000803f
         0400 00000000 0000 3e000000
           01000000 ffffffff 07000000
           0000803f 00000040 00004040
           00000000 00000000 00000000 0000803f
           0000803f 0000803f 00000040
           06000000 613d2231223b
         0300 03000000 0100 0a000000 53  06000000 613d2231223b
         0100 ffffffff 0000 00000000"));
    assert_eq!(doc.chunks.iter().map(|chunk| chunk.kind.0).collect::<Vec<_>>(), [0, 2, 4, 3, 1]);
    assert_eq!((doc.chunks[0].id, doc.chunks[0].name.to_string()), (-1, "Hi".to_owned()));
    let (_, chunk, mesh) = doc.meshes().next().unwrap();
    let triangle = mesh.triangles.get(0).unwrap();
    assert_eq!((chunk.id, triangle.material_id), (7, 3));
    assert_eq!(triangle.positions[2].map(F32::get), [1., 2., 3.]);
    assert_eq!(triangle.normals[1].map(F32::get), [0., 0., 1.]);
    assert_eq!(triangle.uv1[0].map(F32::get), [0.5, 0.25]);
    assert_eq!(triangle.uv2[2].map(F32::get), [0., 1.]);
    let (_, _, entity) = doc.entities().next().unwrap();
    assert_eq!((entity.kind.word(), entity.material_id, entity.mesh_id), (Some("point light"), -1, 7));
    assert_eq!(entity.scaling.map(F32::get), [1., 1., 2.]);
    assert_eq!(entity.text.to_string(), "a=\"1\";");
    let (_, _, material) = doc.materials().next().unwrap();
    assert_eq!((material.text_size, material.form(), doc.dialect()), (Some(6), Form::Engine, "engine"));
}

/// The header, one MATERIAL with these data, END.
fn material(data: &[u8]) -> Vec<u8> {
    let mut file = hex("0000 ffffffff 0000 00000000  0300 00000000 0000");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    file.extend(hex("0100 ffffffff 0000 00000000"));
    file
}

#[test]
fn material_form_is_found_per_chunk() {
    let form = |data: &[u8]| {
        let doc = read(&material(data));
        let (.., material) = doc.materials().next().map(|(_, _, m)| ((), m.clone())).unwrap();
        (material.form(), material.text.to_string(), material.slack.map_or(0, |slack| slack.len()))
    };
    assert_eq!(form(b""), (Form::Spec, String::new(), 0));
    assert_eq!(form(b"\0\0\0\0"), (Form::Engine, String::new(), 0));
    assert_eq!(form(b"\x05\0\0\0a=\"\";"), (Form::Engine, "a=\"\";".into(), 0));
    assert_eq!(form(b"\x03\0\0\0a=\"\";"), (Form::Engine, "a=\"".into(), 2));
    assert_eq!(form(b"\x63\0\0\0a=\"\";"), (Form::Engine, "a=\"\";".into(), 0));
    assert_eq!(form(b"a=\"\";"), (Form::Spec, "a=\"\";".into(), 0));
    assert_eq!(form(b"a=\""), (Form::Spec, "a=\"".into(), 0));
    assert_eq!(form(b"a=\"\xFF\";").0, Form::Spec);
}

#[test]
fn dialect_is_found_by_content() {
    let dialect = |data: &[u8]| read(&material(data)).dialect();
    assert_eq!(dialect(b""), "spec");
    assert_eq!(dialect(b"{a=\"1\";}"), "spec");
    assert_eq!(dialect(b"\0\0\0\0"), "engine");
    assert_eq!(dialect(b"\x06\0\0\0a=\"1\";"), "engine");
    assert_eq!(dialect(b"\x08\0\0\0{a=\"1\";}"), "engine-braced");
    assert_eq!(dialect(b"\x09\0\0\0\n{a=\"1\";}"), "engine-braced");
    let recognised = |bytes: Vec<u8>, extension: Option<&str>| {
        let hint = Hint { extension: extension.map(str::to_owned) };
        formats::recognise(&Blob::file(bytes), &hint).map(|format| format.info().id)
    };
    // No text, or `{}`: the extension decides.
    for data in [&b""[..], b"\x02\0\0\0{}"] {
        assert_eq!(recognised(material(data), None), Some("dgl2"));
        assert_eq!(recognised(material(data), Some("dgl")), Some("dgl1"));
    }
    assert_eq!(recognised(material(b"\x09\0\0\0{ \"a\": 1}"), Some("dgl2")), Some("dgl1"));
    assert_eq!(recognised(vec![0; 12], Some("dgl2")), None);
    // A wrong id of HEADER is a fault to report, not another format.
    let mut odd = material(b"");
    odd[2] = 0;
    assert_eq!(recognised(odd.clone(), Some("dgl2")), Some("dgl2"));
    assert_eq!(recognised(odd, None), None);
}

#[test]
fn tokens_cover_every_text() {
    let texts: [&[u8]; 8] = [
        b"",
        b" a = \"1\" ; b=\"\";",
        b"{ # note\n a=\"\\\"\"; } rest",
        b"a",
        b"a=",
        b"a=\"",
        b"{",
        b"\xFF\0=\"\r\n\";}",
    ];
    for text in texts {
        let dml = Dml::read(&Text::from(Blob::memory(text.to_vec())));
        let all: Vec<u8> = dml.tokens().iter().flat_map(|token| dml.bytes(&token.range).to_vec()).collect();
        assert_eq!(all, text, "{dml:?}");
    }
    let braced = Dml::read(&"{ # note\n a=\"\\\"\"; } rest".into());
    assert_eq!(braced.get("a"), Some(&b"\\\""[..]));
    assert!(braced.tokens().iter().any(|token| token.kind == TokenKind::Comment));
    // Bare texts have neither comments nor escapes.
    let bare = Dml::read(&"#a=\"\\\";".into());
    assert_eq!(bare.get("#a"), Some(&b"\\"[..]));
}

#[test]
fn changing_a_value_replaces_nothing_else() {
    let dml = Dml::read(&" a = \"1\" ;\n a=\"2\"; b=\"\u{e9}\"".into());
    assert_eq!(dml.with("a", b"34").unwrap().to_string(), " a = \"1\" ;\n a=\"34\"; b=\"\u{e9}\"");
    assert_eq!(dml.with("c", b"5").unwrap().to_string(), " a = \"1\" ;\n a=\"2\"; b=\"\u{e9}\";c=\"5\";");
    assert_eq!(dml.without("a").to_string(), " \n  b=\"\u{e9}\"");
    assert_eq!(Dml::read(&"{}".into()).with("a", b"1").unwrap().to_string(), "{a=\"1\";}");
    assert_eq!(Dml::read(&"".into()).with("a", b"").unwrap().to_string(), "a=\"\";");
}

#[test]
fn what_dml_cannot_say_is_refused() {
    let dml = Dml::read(&"".into());
    for (name, value) in [("a", "\""), ("", "1"), ("a b", "1"), ("a=", "1"), ("a;", "1"), ("{a", "1"), ("a\"", "1")] {
        let error = dml.with(name, value.as_bytes()).unwrap_err();
        assert_eq!(error.rule().id, "DML-006", "{name} {value}");
    }
    // The document rather than the text: a property that a foreign format allowed.
    let mut scene = lift(&read(&sample("engine")));
    let node = scene.nodes.ids().next().unwrap();
    scene.nodes[node].properties.push(("size".into(), "5\" pipe".into()));
    let (doc, losses) = lower(&scene, "engine");
    assert_eq!(losses.iter().map(|loss| loss.code).collect::<Vec<_>>(), ["LOSS-015"]);
    assert!(check(&doc, None).iter().all(|finding| finding.severity == Severity::Info));
}

#[test]
fn values_have_the_types_of_the_engine() {
    assert_eq!((value::int(b"12"), value::int(b"1.0"), value::int(b"")), (Some(12), None, None));
    assert_eq!(value::float(b"4.371138828673793e-08"), Some(4.371_139e-8));
    assert_eq!(
        [&b"1"[..], b"1.0", b"0", b"0.5", b"-2"].map(value::boolean),
        [true, true, false, false, true].map(Some)
    );
    assert_eq!(value::boolean(b"yes"), None);
    assert_eq!(value::vector(b" [ 1 , 2.5,-3 ] and more"), Some(vec![1., 2.5, -3.]));
    assert_eq!((value::array::<4>(b"[1, 2, 3]"), value::vector(b"[1, x]"), value::vector(b"1, 2")), (None, None, None));
    assert_eq!(value::texture(b"[a b.png, 1]"), (&b"a b.png"[..], Some(1)));
    for path in [&b"a.png"[..], b"[a.png]", b"[a,b.png, 0]", b"[a.png, 0] ", b"[a.png, x]"] {
        assert_eq!(value::texture(path), (path, None));
    }
}

#[test]
fn names_and_chunks_too_long_for_their_fields_are_not_written() {
    let mut doc = read(&sample("engine"));
    doc.chunks[0].edit().name = "x".repeat(65536).into();
    let error = Dgl2::write(&doc, &mut Sink::default()).unwrap_err();
    assert_eq!((error.rule().id, error.place().path.as_str()), ("DGL2-037", "chunks[0].name_size"));
}

#[test]
fn v_counts_as_the_text_and_the_images_say() {
    let origin = |name: &str| lift(&read(&sample(name))).space.uv_origin;
    assert_eq!(["model", "engine", "braced", "bottom"].map(origin), {
        use UvOrigin::{Bottom, Top};
        [Top, Top, Top, Bottom]
    });
    let uv =
        |scene: &Scene| scene.meshes.iter().next().unwrap().primitives[0].get(&Semantic::TexCoord(0)).unwrap().to_f32();
    let scene = lift(&read(&sample("bottom")));
    assert_eq!(uv(&scene), [0., 1., 1., 1., 0., 0.]);
    // Bare texts mean the top, so V is turned round on the way there.
    let (doc, losses) = lower(&scene, "spec");
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(doc.meshes().next().unwrap().2.triangles.get(0).unwrap().uv1[0].map(F32::get), [0., 1.]);
    assert_eq!(uv(&lift(&doc)), uv(&scene));
    let mut same = read(&sample("bottom"));
    Dgl2::transcode(&mut same, &mut LowerCx::new(&NoSource, "spec")).unwrap();
    assert_eq!(uv(&lift(&same)), uv(&scene));
}

#[test]
fn slots_have_roles() {
    let roles = |name: &str, material: usize| {
        let scene = lift(&read(&sample(name)));
        let slots = &scene.materials.iter().nth(material).unwrap().slots;
        slots.iter().map(|slot| (slot.role.clone(), slot.uv_set)).collect::<Vec<_>>()
    };
    // Materials are in file order: Glass, Wood, Wall.
    assert_eq!(roles("engine", 1), [(Role::BaseColor, 0), (Role::Normal, 0), (Role::Emission, 0)]);
    assert_eq!(roles("engine", 2), [(Role::BaseColor, 0), (Role::LightMap, 1)]);
    assert_eq!(roles("model", 2), [(Role::BaseColor, 0), (Role::LightMap, 1)]);
    // Braced without bbox: slot 1 can only be a light map.
    assert_eq!(roles("braced", 1), [(Role::BaseColor, 0), (Role::LightMap, 1)]);
}

#[test]
fn entities_become_nodes_lights_and_hidden_ones() {
    let scene = lift(&read(&sample("model")));
    let nodes: Vec<_> =
        scene.nodes.iter().map(|n| (n.name.to_string(), n.visible, n.light.is_some(), n.mesh.is_some())).collect();
    let expected = [
        ("Left", true, false, true),
        ("Right", false, false, true),
        ("Floor", true, false, true),
        ("Lamp", true, true, false),
        ("spawnPos", true, false, false),
        ("Tangents", true, false, false),
    ];
    assert_eq!(nodes, expected.map(|(name, v, l, m)| (name.to_owned(), v, l, m)));
    assert_eq!(scene.meshes.len(), 2, "a mesh that two entities show is one mesh");
    assert_eq!(scene.meshes.iter().next().unwrap().primitives.len(), 3, "one per material number");
    let glass = scene.materials.iter().next().unwrap();
    assert_eq!(glass.shading, Shading::Unlit { color: [0.2, 0.4, 1., 0.5] });
    assert!(glass.double_sided && glass.alpha_mode == scene::AlphaMode::Additive);
}

#[test]
fn the_engine_is_asked_what_it_would_load() {
    let errors = |name: &str| {
        let found = check(&read(&sample(name)), Some("engine"));
        let mut ids: Vec<_> = found.iter().filter(|f| f.severity == Severity::Error).map(|f| f.rule.id).collect();
        ids.dedup();
        ids
    };
    assert_eq!(errors("engine"), [] as [&str; 0]);
    assert_eq!(errors("braced"), ["DML-004"]);
    assert_eq!(errors("model"), ["DGL2-024", "DGL2-027"]);
}

/// What two scenes must have in common when they went through different dialects.
fn without_origin(scene: Scene) -> Scene {
    Scene { origin: None, ..scene }
}

#[test]
fn every_dialect_says_the_same() {
    for (name, dialect) in ["model", "engine", "one-triangle"].iter().flat_map(|n| ["spec", "engine"].map(|d| (n, d))) {
        let doc = read(&sample(name));
        let scene = without_origin(lift(&doc));
        let (lowered, losses) = lower(&lift(&doc), dialect);
        assert!(losses.is_empty(), "{name} {dialect}: {losses:?}");
        assert_eq!(lowered.dialect(), dialect);
        assert!(without_origin(lift(&read(&write(&lowered)))) == scene, "{name} in {dialect} is another scene");
        let mut transcoded = doc.clone();
        Dgl2::transcode(&mut transcoded, &mut LowerCx::new(&NoSource, dialect)).unwrap();
        assert_eq!(transcoded.dialect(), dialect);
        assert!(without_origin(lift(&transcoded)) == scene, "{name} transcoded to {dialect} is another scene");
        assert!(check(&lowered, None).iter().all(|finding| finding.severity == Severity::Info));
    }
}

#[test]
fn dgl1_becomes_dgl2() {
    let doc = Dgl1::read(Blob::file(corpus::dgl1::model()), &mut ReadCx::default()).unwrap();
    let scene = Dgl1::lift(&doc, &mut LiftCx::new(&EveryFile)).unwrap();
    assert_eq!(scene.space.uv_origin, UvOrigin::Bottom);
    for dialect in ["spec", "engine"] {
        let (lowered, losses) = lower(&scene, dialect);
        assert!(losses.is_empty(), "{losses:?}");
        let again = lift(&read(&write(&lowered)));
        assert_eq!(again.meshes.len(), 1);
        let slots = |scene: &Scene| scene.materials.iter().next().unwrap().slots.clone();
        assert_eq!(slots(&again), slots(&scene));
        let shading = |scene: &Scene| scene.materials.iter().next().unwrap().shading.clone();
        assert_eq!(shading(&again), shading(&scene));
        assert_eq!(again.lights.iter().next(), scene.lights.iter().next());
        assert!(check(&lowered, None).iter().all(|finding| finding.severity == Severity::Info));
    }
}

#[test]
fn editing_one_chunk_leaves_the_others_their_bytes() {
    let bytes = sample("odd-texts");
    let mut doc = read(&bytes);
    let last = doc.chunks.len() - 1;
    let old = doc.chunks[last].clone();
    *doc.chunks[last].edit() = Chunk { kind: ChunkKind::END, id: 5, ..Chunk::default() };
    assert_eq!(write(&doc)[..bytes.len() - 12], bytes[..bytes.len() - 12]);
    doc.chunks[last] = Kept::new(old.into_value());
    assert_eq!(write(&doc), bytes);
    assert!(matches!(doc.chunks[0].data, Data::Bytes(_)));
}

#[test]
fn material_of_a_foreign_node_goes_to_the_triangles() {
    use scene::{Material, Mesh, Node, Primitive, Semantic, Stream, Topology};
    let mut scene = Scene::new();
    let corners = Stream::from_f32(3, vec![0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    let triangle = Primitive::new(Topology::Triangles).with(Semantic::Position, corners);
    let mesh = scene.meshes.add(Mesh { primitives: vec![triangle], ..Mesh::default() });
    for name in ["red", "blue"] {
        let material = Some(scene.materials.add(Material { name: name.into(), ..Material::default() }));
        scene.add_root(Node { name: name.into(), mesh: Some(mesh), material, ..Node::default() });
    }
    let (doc, _) = lower(&scene, "engine");
    let meshes: Vec<i32> = doc.meshes().map(|(.., mesh)| mesh.triangles.iter().next().unwrap().material_id).collect();
    assert_eq!(meshes, [0, 1], "one mesh per material, and none that nothing shows");
    let entities: Vec<_> = doc.entities().map(|(.., entity)| (entity.mesh_id, entity.material_id)).collect();
    assert_eq!(entities, [(0, 0), (1, 1)], "entities say it, too");
}

/// What alpha does on each part of the mesh that a node shows.
fn alpha_modes(scene: &Scene, name: &str) -> Vec<Option<AlphaMode>> {
    let node = scene.nodes.iter().find(|node| node.name.as_str() == Some(name)).unwrap();
    let material = |id| scene.materials[id].alpha_mode;
    scene.meshes[node.mesh.unwrap()].primitives.iter().map(|part| part.material.map(material)).collect()
}

#[test]
fn a_transparent_entity_blends_and_an_opaque_one_with_the_same_material_does_not() {
    let doc = read(&sample("engine"));
    let scene = lift(&doc);
    // Wood, Glass, which adds whatever shows it, and no material; "Right" says transparent="1", "Left" says nothing.
    assert_eq!(alpha_modes(&scene, "Left"), [Some(AlphaMode::Opaque), Some(AlphaMode::Additive), None]);
    assert_eq!(alpha_modes(&scene, "Right"), [Some(AlphaMode::Blend), Some(AlphaMode::Additive), None]);
    assert_eq!(alpha_modes(&scene, "Floor"), [Some(AlphaMode::Opaque)]);
    let (back, losses) = lower(&scene, "engine");
    assert!(losses.is_empty() && lift(&back) == scene, "{losses:?}");
    assert_eq!((back.materials().count(), back.meshes().count()), (3, 2), "one material is one again");

    // If all that show a material are transparent it needs no variant.
    let mut all = doc.clone();
    for chunk in all.chunks.iter_mut().filter(|chunk| chunk.name.to_string() == "Left") {
        let Data::Entity(entity) = &mut chunk.edit().data else { continue };
        entity.text = Text::from("transparent=\"1\";").into();
    }
    let scene = lift(&all);
    assert_eq!((scene.materials.len(), scene.meshes.len()), (3, 2));
    assert_eq!(alpha_modes(&scene, "Left"), [Some(AlphaMode::Blend), Some(AlphaMode::Additive), None]);
}

#[test]
fn a_variant_that_was_edited_is_a_material_of_its_own() {
    let mut scene = lift(&read(&sample("engine")));
    let variant = scene.materials.ids().last().unwrap();
    assert_eq!(scene.materials[variant].name.as_str(), Some("Wood transparent"));
    scene.materials[variant].double_sided = true;
    let (doc, _) = lower(&scene, "engine");
    assert_eq!((doc.materials().count(), doc.meshes().count()), (4, 3));
    let again = lift(&doc);
    assert_eq!(alpha_modes(&again, "Left"), [Some(AlphaMode::Opaque), Some(AlphaMode::Additive), None]);
    assert_eq!(alpha_modes(&again, "Right"), [Some(AlphaMode::Blend), Some(AlphaMode::Additive), None]);
}

#[test]
fn opaque_parts_beside_blending_ones_stay_opaque() {
    let mut scene = lift(&read(&sample("one-triangle")));
    let (mesh, surface) = (scene.meshes.ids().next().unwrap(), scene.materials.ids().next().unwrap());
    let glass =
        Material { alpha_mode: AlphaMode::Blend, extras: Extras::default(), ..scene.materials[surface].clone() };
    let glass = scene.materials.add(glass);
    let mut both = scene.meshes[mesh].clone();
    both.primitives.push(Primitive { material: Some(glass), ..both.primitives[0].clone() });
    let both = scene.meshes.add(both);
    scene.add_root(Node { name: "Window".into(), mesh: Some(both), ..Node::default() });
    let again = lift(&lower(&scene, "engine").0);
    assert_eq!(alpha_modes(&again, "E"), [Some(AlphaMode::Opaque)]);
    assert_eq!(alpha_modes(&again, "Window"), [Some(AlphaMode::Opaque), Some(AlphaMode::Blend)]);
}
