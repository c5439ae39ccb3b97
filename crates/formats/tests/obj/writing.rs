//! What is written.

use super::*;
use formats::LowerCx;
use testing::Lowered;

/// The text and the side files of a scene, and what was lost on the way.
fn lowered(scene: &Scene) -> (String, Vec<formats::SideFile>, Losses) {
    let Lowered { doc, files, losses } = testing::lower::<Obj>(scene, "standard");
    (String::from_utf8(written(&doc)).unwrap(), files, losses)
}

const HEAD: &str = "# Wavefront OBJ, written by pentad\n";

fn codes(losses: &Losses) -> Vec<&'static str> {
    losses.iter().map(|loss| loss.code).collect()
}

fn node_with(primitives: Vec<Primitive>) -> Scene {
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(scene::Mesh { primitives, ..Default::default() });
    scene.add_root(scene::Node { mesh: Some(mesh), ..Default::default() });
    scene
}

fn triangle(positions: [f32; 9]) -> Primitive {
    Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f32(3, positions.to_vec()))
}

#[test]
fn seams_share_positions_and_copies_stay_copies() {
    // Four vertices: two differ in nothing but their normals, two in nothing at all.
    let positions = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.5], [0., 0., 0.], [1., 0., 0.]].concat();
    let normals = [[0., 0., 1.], [0., 0., 1.], [0., 0., 1.], [1., 0., 0.], [0., 0., 1.]].concat();
    let mut primitive = Primitive::new(Topology::Triangles)
        .with(Semantic::Position, Stream::from_f32(3, positions))
        .with(Semantic::Normal, Stream::from_f32(3, normals));
    primitive.indices = Some(vec![0, 1, 2, 3, 4, 2].into());
    let (text, files, losses) = lowered(&node_with(vec![primitive.clone()]));
    let expected =
        "o Default\nv 0 0 0\nv 1 0 0\nv 0 1 0.5\nv 1 0 0\nvn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//1\nf 1//2 4//1 3//1\n";
    assert_eq!(text, format!("{HEAD}{expected}"));
    assert!(files.is_empty() && losses.is_empty());
    let again = lift(text.as_bytes());
    let same = &again.meshes.iter().next().unwrap().primitives[0];
    assert_eq!((&same.attributes, &same.indices), (&primitive.attributes, &primitive.indices));
}

#[test]
fn v_is_written_from_the_bottom() {
    let uv = Stream::from_f32(2, vec![0., 0., 1., 0.25, 0.5, 1.]);
    let primitive = triangle([0., 0., 0., 1., 0., 0., 0., 1., 0.]).with(Semantic::TexCoord(0), uv);
    let (text, ..) = lowered(&node_with(vec![primitive]));
    assert!(text.contains("vt 0 1\nvt 1 0.75\nvt 0.5 0\n"), "{text}");
    assert!(text.ends_with("f 1/1 2/2 3/3\n"), "{text}");
}

#[test]
fn part_without_material_behind_one_with_gets_a_white_one() {
    let mut scene = node_with(vec![triangle([0.; 9]), triangle([1.; 9]), triangle([2.; 9])]);
    let pbr = scene::Pbr { base_color: [1., 0.5, 0., 0.25], metallic: 0.5, roughness: 0.125, ..Default::default() };
    let material = scene::Material {
        name: "red\nhot".into(),
        shading: Shading::Pbr(pbr),
        alpha_mode: AlphaMode::Blend,
        emissive: [0.5, 0., 0.],
        emissive_strength: 2.,
        double_sided: true,
        ..Default::default()
    };
    let id = scene.materials.add(material);
    scene.meshes.iter_mut().next().unwrap().primitives[1].material = Some(id);
    let (text, files, losses) = lowered(&scene);
    let statements: Vec<&str> = text.lines().filter(|line| !line.starts_with('v')).collect();
    let expected = [
        HEAD.trim_end(),
        "mtllib model.mtl",
        "o Default",
        "f 1 2 3",
        "usemtl red_hot",
        "f 4 5 6",
        "usemtl none",
        "f 7 8 9",
    ];
    assert_eq!(statements, expected);
    let library = "newmtl red_hot\nKd 1 0.5 0\nPr 0.125\nPm 0.5\nKe 1 0 0\nd 0.25\nnewmtl none\nKd 1 1 1\n";
    assert_eq!((&files[0].name[..], &files[0].bytes[..]), ("model.mtl", library.as_bytes()));
    assert_eq!(codes(&losses), ["LOSS-042", "LOSS-041", "LOSS-080"]);
}

#[test]
fn groups_and_smoothing_are_written_where_they_began() {
    let body = "o A\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\ng x y\ns 7\nf 1 3 4\nf 1 2 4\ng\ns off\nf 2 3 4\n";
    assert_eq!(lowered(&lift(body.as_bytes())).0, format!("{HEAD}{body}"));
    let groups = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\ng a b\nv 0 1 0\nv 0 0 0\nv 1 0 0\nf 4 5 6\n";
    assert_eq!(lowered(&lift(groups.as_bytes())).0, format!("{HEAD}{groups}"), "no o where there was none");
    let lines = "o A\nv 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2\nl 2 3\ng x\nl 3 1\nl 1 3\n";
    assert_eq!(lowered(&lift(lines.as_bytes())).0, format!("{HEAD}{lines}"));
}

#[test]
fn faces_of_vertices_that_are_not_there_are_left_out_and_listed() {
    let mut primitive = triangle([0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    primitive.indices = Some(vec![0, 1, 2, 0, 1, 9, 2].into());
    let (text, _, losses) = lowered(&node_with(vec![primitive, triangle([0.; 9])]));
    assert!(text.contains("f 1 2 3\nusemtl none\n"), "{text}");
    let told: Vec<(&str, u64)> = losses.iter().map(|loss| (loss.code, loss.count)).collect();
    // The second triangle names vertex 9, the third has one corner, and the other part needs a material of its own.
    assert_eq!(told, [("LOSS-043", 1), ("LOSS-033", 1), ("LOSS-080", 1)]);
    let mut nothing = triangle([0.; 9]);
    nothing.indices = Some(vec![0, 1].into());
    let (text, _, losses) = lowered(&node_with(vec![nothing]));
    assert_eq!((&text[..], &codes(&losses)[..]), (&format!("{HEAD}o Default\n")[..], &["LOSS-024"][..]));
}

/// A scene whose material shows a picture that is in the model, and one of another folder.
fn with_pictures() -> Scene {
    let mut scene = node_with(vec![triangle([0.; 9])]);
    let mut add = |source: ImageSource, role: Role, channel: ColorChannel| {
        let image = scene.images.add(scene::Image { name: "a:b".into(), source, extras: Default::default() });
        let texture = scene.textures.add(scene::Texture::new(image));
        Slot { role, texture, channel, uv_set: 0, strength: 1., transform: None }
    };
    let inside = ImageSource::Embedded { mime: "image/png".into(), bytes: Blob::memory(b"\x89PNG1".to_vec()) };
    let outside = ImageSource::File { path: "..\\up\\n.jpg".into(), bytes: Some(Blob::memory(b"jpg".to_vec())) };
    let gone = ImageSource::File { path: "-gone.png".into(), bytes: None };
    let slots = vec![
        add(inside, Role::BaseColor, ColorChannel::All),
        add(outside, Role::Roughness, ColorChannel::Green),
        add(gone, Role::Normal, ColorChannel::All),
    ];
    scene.materials.add(scene::Material { name: "m".into(), slots, ..Default::default() });
    scene
}

#[test]
fn pictures_lie_beside_the_model_under_safe_names() {
    let (_, files, losses) = lowered(&with_pictures());
    let names: Vec<_> = files.iter().map(|file| (&file.name[..], file.bytes.len())).collect();
    assert_eq!(names[..2], [("a_b.png", 5), ("n.jpg", 3)]);
    let maps = "map_Kd a_b.png\nmap_Pr -imfchan g n.jpg\nnorm ./-gone.png\n";
    assert!(files[2].bytes.ends_with(maps.as_bytes()), "{}", String::from_utf8_lossy(&files[2].bytes));
    let changed: Vec<_> = losses.iter().map(|loss| (loss.code, loss.count)).collect();
    // The names of the two that have files, the name that the new file cannot have, the file that is not there, and the
    // path that would be an option.
    assert_eq!(changed, [("LOSS-014", 2), ("LOSS-042", 1), ("LOSS-030", 1), ("LOSS-042", 1)]);
}

#[test]
fn pictures_that_are_only_named_write_no_file() {
    let scene = with_pictures();
    let mut cx = LowerCx { textures: formats::Textures::Reference, ..LowerCx::new(&NoSource, "standard") };
    let package = Obj::lower(&scene, &mut cx).unwrap();
    let library = &package.side_files.last().unwrap().bytes;
    assert!(library.ends_with(b"map_Pr -imfchan g ..\\up\\n.jpg\nnorm ./-gone.png\n"));
}

#[test]
fn libraries_and_pictures_go_where_the_model_goes() {
    let files = Files::default().with("a.mtl", b"newmtl x\nmap_Kd t.png\nmap_Ks ../up.png\n").with("t.png", b"png");
    let files = files.with("../up.png", b"up");
    let doc = read(format!("mtllib a.mtl gone.mtl\n{SQUARE}usemtl x\nf 1 2 3 4\n").as_bytes());
    let named = Obj::named(&doc, &files).into_iter().map(|file| (file.path, file.bytes.is_some()));
    let expected = [("a.mtl", true), ("t.png", true), ("../up.png", true), ("gone.mtl", false)];
    assert_eq!(named.collect::<Vec<_>>(), expected.map(|(name, found)| (name.to_owned(), found)));
}

#[test]
fn alpha_of_a_picture_is_said_by_map_d() {
    let mut scene = with_pictures();
    scene.materials.iter_mut().next().unwrap().alpha_mode = AlphaMode::Mask(0.5);
    let (_, files, losses) = lowered(&scene);
    let library = String::from_utf8_lossy(&files[2].bytes).into_owned();
    assert!(library.contains("\nmap_d -imfchan m a_b.png\nmap_Kd a_b.png\n"), "{library}");
    assert!(losses.iter().any(|loss| loss.what == "threshold of the alpha mask"));
}

#[test]
fn made_up_names_colours_and_lost_blending_are_listed() {
    let mut red = triangle([0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    red.set(Semantic::Color(0), Stream::from_f32(3, [1., 0., 0.].repeat(3)));
    let mut scene = node_with(vec![red]);
    let plain = scene.meshes.add(scene::Mesh { primitives: vec![triangle([f32::NAN; 9])], ..Default::default() });
    scene.add_root(scene::Node { mesh: Some(plain), ..Default::default() });
    scene.materials.add(scene::Material { alpha_mode: scene::AlphaMode::Blend, ..Default::default() });
    let (text, _, losses) = lowered(&scene);
    assert!(!text.contains("NaN") && text.contains("v 0 0 0 1 1 1\n"), "{text}");
    let told: Vec<(&str, u64)> = losses.iter().map(|loss| (loss.code, loss.count)).collect();
    // Three vertices are no numbers and get white; the material has no name, and blends with an alpha of 1.
    assert_eq!(told, [("LOSS-021", 3), ("LOSS-042", 1), ("LOSS-041", 1), ("LOSS-018", 3)]);
}
