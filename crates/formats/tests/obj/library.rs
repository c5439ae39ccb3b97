//! Materials and the files they lie in.

use super::*;
use formats::LowerCx;

pub(crate) const LIBRARY: &[u8] =
    b"# c\nnewmtl plain\nKa .1 .2 .3\nKd 1 .5 0.25\nKs .5\nKe 0 0 1\nNs 96\nNi 1.45\nd .5\nTr .9\nillum 2\n\
    map_Kd -s 2 3 -o .1 .2 0 -clamp on -mm 0 1 my wood.png\nbump -bm 0.3 -imfchan g wood.png\nKx what\n\
    newmtl metal\nKd 1 1 1\nPr 0.25\nmap_Pm metal.png\nTr 0.25\nNs 10\nmap_Ke glow.png\nPc 0.5\n\
    newmtl odd\nKd xyz 1 2 3\nKs a b c\nmap_d -foo alpha.png\nrefl -type cube_top top.png\n";

fn library() -> Files {
    Files::default()
        .with("a.mtl", LIBRARY)
        .with("my wood.png", b"wood")
        .with("wood.png", b"bump")
        .with("glow.png", b"g")
}

#[test]
fn materials_are_what_the_library_says() {
    let text = format!("mtllib a.mtl\n{SQUARE}usemtl metal\nf 1 2 3 4\nusemtl what\nf 1 2 3\n");
    let (scene, findings) = lift_with(text.as_bytes(), &library());
    let names: Vec<String> = scene.materials.iter().map(|m| m.name.to_string()).collect();
    assert_eq!(names, ["plain", "metal", "odd", "what"]);
    let material = |name: &str| scene.materials.iter().find(|m| m.name.as_str() == Some(name)).unwrap();

    let plain = material("plain");
    let Shading::Phong(phong) = plain.shading else { panic!("Phong") };
    assert_eq!(phong.diffuse, [1., 0.5, 0.25, 0.5]);
    assert_eq!((phong.ambient, phong.specular), ([0.1, 0.2, 0.3, 1.], [0.5, 0.5, 0.5, 1.]));
    assert_eq!((phong.shininess, plain.emissive), (96., [0., 0., 1.]));
    assert_eq!(plain.alpha_mode, AlphaMode::Blend);
    let properties: Vec<(String, &Value)> = plain.properties.iter().map(|(n, v)| (n.to_string(), v)).collect();
    let kept = [("Ni", Value::F32(1.45)), ("illum", Value::Int(2)), ("Kx", "what".into())];
    assert_eq!(properties, kept.each_ref().map(|(name, value)| ((*name).to_owned(), value)));

    let slot = plain.slot(&Role::BaseColor).unwrap();
    let texture = &scene.textures[slot.texture];
    assert_eq!(texture.wrap, [Wrap::Clamp; 2]);
    // From the bottom v' = 3v + 0.2; from the top that is 1 − (3(1 − v) + 0.2) = 3v − 2.2.
    let transform = UvTransform { offset: [0.1, 1. - 3. - 0.2], rotation: 0., scale: [2., 3.] };
    assert_eq!(slot.transform, Some(transform));
    let image = &scene.images[texture.image.unwrap()];
    assert_eq!(
        image.source,
        ImageSource::File { path: "my wood.png".into(), bytes: Some(Blob::memory(b"wood".to_vec())) }
    );
    let bump = plain.slot(&Role::Other("bump".to_owned())).unwrap();
    assert_eq!((bump.strength, bump.channel, bump.transform), (0.3, ColorChannel::Green, None));

    let metal = material("metal");
    let Shading::Pbr(pbr) = metal.shading else { panic!("PBR") };
    assert_eq!((pbr.base_color, pbr.roughness, pbr.metallic), ([1., 1., 1., 0.75], 0.25, 1.));
    assert_eq!(metal.emissive, [1.; 3]);
    let missing = &scene.images[scene.textures[metal.slot(&Role::Metallic).unwrap().texture].image.unwrap()];
    assert_eq!(missing.source, ImageSource::File { path: "metal.png".into(), bytes: None });

    let odd = material("odd");
    assert_eq!(odd.color(), [1.; 4]);
    assert!(odd.slot(&Role::Other("refl cube_top".to_owned())).is_some());

    let used: Vec<_> = scene.meshes.iter().next().unwrap().primitives.iter().map(|p| p.material).collect();
    assert_eq!(used.iter().map(|id| id.unwrap().index()).collect::<Vec<_>>(), [1, 3]);

    // A conversion tells what is missing; the rest is for `check`, which tells it all.
    let missing = [
        ("OBJ-025", "line 18: texture \"metal.png\" was not found"),
        ("OBJ-025", "line 26: texture \"-foo alpha.png\" was not found"),
        ("OBJ-025", "line 27: texture \"top.png\" was not found"),
    ];
    assert_eq!(said(&findings), missing);
    let expected = [
        ("OBJ-019", "line 8: no material library describes \"what\""),
        ("OBJ-021", "line 25: Ks needs 1 or 3 numbers, found \"a b c\""),
        ("OBJ-022", "line 24: Kd is not given as red, green and blue but as \"xyz 1 2 3\""),
        ("OBJ-023", "line 14: \"Kx\" is no statement of a material"),
        ("OBJ-024", "line 26: \"-foo\" is no option of a texture"),
    ];
    assert_eq!(said(&check_with(text.as_bytes(), &library())), [&expected[..], &missing[..]].concat());
}

#[test]
fn findings_point_into_the_library() {
    let library = "\u{FEFF}Kd 1\r\nnewmtl  red\r\nKd 1 0 # two\r\nKs \\\r\n x\r\nmap_Kd -s 2 \\\r\n-foo a\\\r\nb.png\r\nnewmtl red";
    let files = Files::default().with("a.mtl", library.as_bytes()).with("b.mtl", b"newmtl red\nNs\n");
    let text = format!("{SQUARE}mtllib a.mtl b.mtl\nusemtl red\nf 1 2 3 4\n");
    let findings = check_with(text.as_bytes(), &files);
    let place = |f: &Finding| {
        let span = f.place.span.expect("bytes");
        let (start, end) = (span.offset as usize, span.end() as usize);
        let file = f.place.file.as_ref().expect("a file").0.clone();
        let text = if file == "a.mtl" { &library[start..end] } else { &"newmtl red\nNs\n"[start..end] };
        (f.rule.id, file, f.place.path.clone(), text.to_owned())
    };
    let mut places: Vec<_> = findings.iter().map(place).collect();
    places.sort_unstable();
    let expected = [
        ("OBJ-020", "a.mtl", "red", "newmtl red"),
        ("OBJ-020", "b.mtl", "red", "newmtl red"),
        ("OBJ-021", "a.mtl", "red.Kd", "Kd 1 0 # two"),
        ("OBJ-021", "a.mtl", "red.Ks", "Ks \\\r\n x"),
        ("OBJ-021", "b.mtl", "red.Ns", "Ns"),
        ("OBJ-023", "a.mtl", "Kd", "Kd"),
        ("OBJ-024", "a.mtl", "red.map_Kd", "-foo"),
    ];
    let expected = expected.map(|(rule, file, path, text)| (rule, file.to_owned(), path.to_owned(), text.to_owned()));
    assert_eq!(places, expected, "a texture of a material that does not count is not missed");
}

#[test]
fn textures_lie_beside_the_library_that_names_them() {
    // The picture beside the model is another one than that of the folder `m`.
    let folders = Files::default()
        .with("m/a.mtl", "newmtl x\nmap_Kd p.png\nnewmtl y\nmap_Kd p.png\n")
        .with("b.mtl", "newmtl z\nmap_Kd p.png\n")
        .with("m/p.png", "inner")
        .with("p.png", "outer");
    let text = format!("mtllib m/a.mtl b.mtl\n{SQUARE}usemtl x\nf 1 2 3 4\n");
    let (scene, findings) = lift_with(text.as_bytes(), &folders);
    assert!(findings.is_empty() && check_with(text.as_bytes(), &folders).is_empty());
    let pictures: Vec<_> = scene.images.iter().map(|image| image.source.clone()).collect();
    let picture = |bytes: &[u8]| ImageSource::File { path: "p.png".into(), bytes: Some(Blob::memory(bytes.to_vec())) };
    assert_eq!(pictures, [picture(b"inner"), picture(b"outer")]);
    assert_eq!(scene.textures.len(), 2);
}

#[test]
fn normal_maps_are_those_that_say_so() {
    let library = b"newmtl a\nnorm n.png\nmap_Bump -bm 0.5 b.png\nnewmtl b\nmap_Kn n.png\nbump normal.png\n";
    let files = Files::default().with("a.mtl", library).with("n.png", "").with("b.png", "").with("normal.png", "");
    let (scene, _) = lift_with(format!("mtllib a.mtl\n{SQUARE}usemtl a\nf 1 2 3 4\n").as_bytes(), &files);
    let roles: Vec<Vec<&Role>> = scene.materials.iter().map(|m| m.slots.iter().map(|s| &s.role).collect()).collect();
    let (normal, bump) = (Role::Normal, Role::Other("bump".to_owned()));
    assert_eq!(roles, [[&normal, &bump], [&normal, &bump]]);
}

#[test]
fn comments_are_neither_scene_nor_loss() {
    let text = format!("# one\n{SQUARE}s 1 # two\nf 1 2 3 4 # three\n");
    let plain = format!("{SQUARE}s 1\nf 1 2 3 4\n");
    let mut cx = LiftCx::new(&NoSource);
    let scene = Obj::lift(&read(text.as_bytes()), &mut cx).expect("it can be lifted");
    assert!(scene == lift(plain.as_bytes()) && cx.losses.is_empty());
    assert!(check(text.as_bytes()).is_empty());
}

#[test]
fn libraries_may_be_several_and_have_blanks() {
    let red = b"newmtl x\nKd 1 0 0\n";
    let blue = b"Kd 1 1 1\nnewmtl x\nKd 0 0 1\nnewmtl y\n";
    let files = Files::default().with("red.mtl", red).with("blue.mtl", blue).with("two words.mtl", red);
    let body = format!("{SQUARE}usemtl x\nf 1 2 3 4\n");
    let (scene, findings) = lift_with(format!("mtllib red.mtl blue.mtl gone.mtl\n{body}").as_bytes(), &files);
    assert_eq!(scene.materials.iter().next().unwrap().color(), [0., 0., 1., 1.]);
    assert_eq!(scene.materials.len(), 2);
    let missing = ("OBJ-018", "line 1: material library \"gone.mtl\" was not found");
    assert_eq!(said(&findings), [missing]);
    let twice = ("OBJ-020", "line 2: material \"x\" is described twice; the last one counts");
    let early = ("OBJ-023", "line 1: \"Kd\" stands before any newmtl");
    let findings = check_with(format!("mtllib red.mtl blue.mtl gone.mtl\n{body}").as_bytes(), &files);
    assert_eq!(said(&findings), [missing, twice, early]);
    assert_eq!(findings[0].place.span, Some(Span::file(24, 8)), "the name that is missing, not all of them");
    let (scene, findings) = lift_with(format!("mtllib two words.mtl\n{body}").as_bytes(), &files);
    assert_eq!(scene.materials.iter().next().unwrap().color(), [1., 0., 0., 1.]);
    assert!(findings.is_empty());
    assert!(check_with(format!("mtllib two words.mtl\nmtllib two words.mtl\n{body}").as_bytes(), &files).is_empty());
}

#[test]
fn letter_case_of_a_library_does_not_matter() {
    let files = Files::default().with("a.mtl", b"NEWMTL x\nkd 0 1 0\nMAP_kd a.png\n").with("a.png", b"a");
    let (scene, findings) = lift_with(format!("mtllib a.mtl\n{SQUARE}usemtl x\nf 1 2 3\n").as_bytes(), &files);
    let material = scene.materials.iter().next().unwrap();
    assert_eq!((material.color(), material.slots.len(), findings.len()), ([0., 1., 0., 1.], 1, 0));
    assert!(check_with(format!("mtllib a.mtl\n{SQUARE}usemtl x\nf 1 2 3 4\n").as_bytes(), &files).is_empty());
}

#[test]
fn missing_library_leaves_white_materials() {
    let (scene, findings) = lift_with(format!("mtllib a.mtl\n{SQUARE}usemtl x\nf 1 2 3\n").as_bytes(), &NoSource);
    assert_eq!(findings.iter().map(|f| f.rule.id).collect::<Vec<_>>(), ["OBJ-018"]);
    assert_eq!(findings[0].place.span, Some(Span::file(7, 5)));
    let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
    assert_eq!(scene.materials[primitive.material.unwrap()].color(), [1.; 4]);
}

#[test]
fn changed_values_of_a_picture_are_told_where_they_are_not_seen() {
    let files = Files::default()
        .with("a.mtl", b"newmtl m\nmap_Kd -mm 0.1 2 a.png\nmap_Ks -mm 0 1 b.png\n")
        .with("a.png", b"a")
        .with("b.png", b"b");
    let text = format!("mtllib a.mtl\n{SQUARE}usemtl m\nf 1 2 3 4\n");
    let (mut scene, _) = lift_with(text.as_bytes(), &files);
    let values: Vec<_> = scene.textures.iter().map(|texture| texture.extras.get("obj.values").cloned()).collect();
    assert_eq!(values, [Some(Value::List(vec![Value::F32(0.1), Value::F32(2.)])), None]);
    let (_, losses) = testing::fitted(&scene, &formats::gltf::Glb::INFO);
    let told: Vec<_> =
        losses.iter().filter(|loss| loss.code == "LOSS-041").map(|loss| loss.subject.to_string()).collect();
    assert_eq!(told, ["texture 0"]);
    // Another way to lay it changes the options, and the values stay.
    let moved = UvTransform { offset: [0., -1.], rotation: 0., scale: [1., 2.] };
    scene.materials.iter_mut().flat_map(|material| &mut material.slots).for_each(|slot| slot.transform = Some(moved));
    let mut cx = LowerCx::new(&NoSource, "standard");
    let library = Obj::lower(&scene, &mut cx).unwrap().side_files.pop().unwrap().bytes;
    let library = String::from_utf8_lossy(&library).into_owned();
    assert!(library.contains("map_Kd -s 1 2 1 -o 0 0 0 -mm 0.1 2 a.png\n"), "{library}");
}
