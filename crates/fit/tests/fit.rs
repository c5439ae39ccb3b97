//! What each step of `fit` does to a scene, and what it says about it.

use findings::Losses;
use fit::{Target, fit};
use scene::*;
use wire::Budget;

/// A target that holds everything.
const ALL: Capabilities = Capabilities {
    topologies: &Topology::ALL,
    doubles: true,
    normals: Count::up_to(1),
    uv_sets: Count::up_to(8),
    color_sets: Count::up_to(8),
    tangents: Hold::Yes,
    joint_sets: Count::up_to(8),
    custom_attributes: Hold::Yes,
    morph_targets: Hold::Yes,
    hierarchy: Hold::Yes,
    up_axes: Hold::Yes,
    transforms: Hold::Yes,
    scenes: Hold::Yes,
    materials: Hold::Yes,
    textures: Hold::Yes,
    loose_images: Hold::Yes,
    skins: Hold::Yes,
    animations: Hold::Yes,
    lights: Hold::Yes,
    cameras: Hold::Yes,
    instances: Hold::Yes,
    voxels: Hold::Yes,
    lods: Hold::Yes,
    sockets: Hold::Yes,
    visibility: Hold::Yes,
    names: Named::ALL,
    properties: Owner::ALL,
    metadata: &["title", "description", "author", "copyright", "comment", "project", "created", "raw"],
    carries: true,
    ..Capabilities::NONE
};

fn target(can: Capabilities) -> Target {
    Target::new("target", "Target", can)
}

fn fitted(scene: &Scene, can: Capabilities) -> (Scene, Vec<String>) {
    let mut losses = Losses::default();
    let fitted = fit(scene, &target(can), &Budget::default(), &mut losses).expect("it is small");
    (
        fitted,
        losses.iter().map(|loss| format!("{} {}: {} x{}", loss.code, loss.subject, loss.what, loss.count)).collect(),
    )
}

fn triangle() -> Primitive {
    let positions = vec![0., 0., 0., 1., 0., 0., 0., 1., 0.];
    Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f32(3, positions))
}

/// A triangle below a moved node.
fn family() -> Scene {
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(Mesh { name: "sail".into(), primitives: vec![triangle()], ..Mesh::default() });
    let child = scene.nodes.add(Node { name: "sail".into(), mesh: Some(mesh), ..Node::default() });
    let moved = Transform::Trs { translation: [5., 0., 0.], rotation: [0., 0., 0., 1.], scale: [-2., 1., 1.] };
    scene.add_root(Node { name: "mast".into(), transform: moved, children: vec![child], ..Node::default() });
    scene
}

fn only_mesh(scene: &Scene) -> &Mesh {
    let node = scene.nodes.iter().find(|node| node.mesh.is_some()).unwrap();
    &scene.meshes[node.mesh.unwrap()]
}

#[test]
fn a_target_that_holds_everything_changes_nothing() {
    let scene = family();
    let (same, losses) = fitted(&scene, ALL);
    assert_eq!(same, scene);
    assert!(losses.is_empty(), "{losses:?}");
    let before = only_mesh(&scene).primitives[0].get(&Semantic::Position).unwrap().data().as_ptr();
    let after = only_mesh(&same).primitives[0].get(&Semantic::Position).unwrap().data().as_ptr();
    assert_eq!(before, after, "vertex data stays shared");
}

#[test]
fn a_mirrored_transform_is_baked_with_its_faces_turned_round() {
    let (flat, losses) =
        fitted(&family(), Capabilities { hierarchy: Hold::No, up_axes: Hold::No, transforms: Hold::No, ..ALL });
    let expected = ["LOSS-008 node \"mast\": node with children x1", "LOSS-009 node \"sail\": transform x1"];
    assert_eq!(losses, expected);
    assert_eq!(flat.scenes[0].nodes.len(), 1);
    let primitive = &only_mesh(&flat).primitives[0];
    let positions = primitive.get(&Semantic::Position).unwrap().to_f32();
    assert_eq!(positions, [5., 0., 0., 3., 0., 0., 5., 1., 0.]);
    assert_eq!(primitive.indices.as_ref().unwrap().to_vec(), [0, 2, 1], "a mirror turns the winding");
}

#[test]
fn a_turn_of_axes_is_no_loss() {
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(Mesh { primitives: vec![triangle()], ..Mesh::default() });
    let child = scene.nodes.add(Node { mesh: Some(mesh), ..Node::default() });
    let up = UpAxis::PosZ.turn();
    let columns: Vec<f32> = (0..3).flat_map(|c| [up[0][c], up[1][c], up[2][c], 0.]).chain([0., 0., 0., 1.]).collect();
    let turn = Transform::Matrix(columns.try_into().unwrap());
    scene.add_root(Node { role: NodeRole::Axis, transform: turn, children: vec![child], ..Node::default() });
    let (flat, losses) =
        fitted(&scene, Capabilities { hierarchy: Hold::No, up_axes: Hold::No, transforms: Hold::No, ..ALL });
    assert!(losses.is_empty(), "{losses:?}");
    let positions = only_mesh(&flat).primitives[0].get(&Semantic::Position).unwrap().to_f32();
    assert_eq!(positions, [0., 0., 0., 1., 0., 0., 0., 0., -1.]);
}

#[test]
fn a_material_leaves_its_colour_to_the_vertices() {
    let mut scene = family();
    let pbr = Pbr { base_color: [1., 0.5, 0.25, 0.5], ..Pbr::default() };
    let red = Material { name: "red".into(), shading: Shading::Pbr(pbr), ..Material::default() };
    let red = scene.materials.add(red);
    scene.meshes.iter_mut().for_each(|mesh| mesh.primitives[0].material = Some(red));
    let (plain, losses) = fitted(&scene, Capabilities { materials: Hold::No, ..ALL });
    assert_eq!(losses, ["LOSS-006 material \"red\": all of a material but its colour x1"]);
    let colors = only_mesh(&plain).primitives[0].get(&Semantic::Color(0)).unwrap().to_f32();
    assert_eq!(colors, [1., 0.5, 0.25, 0.5].repeat(3));
}

#[test]
fn what_a_target_demands_is_made_up_and_said() {
    let demands = Capabilities { normals: Count::exactly(1), uv_sets: Count::exactly(1), ..ALL };
    let (filled, losses) = fitted(&family(), demands);
    let expected = [
        "LOSS-018 mesh \"sail\": normals computed from the faces x3",
        "LOSS-018 mesh \"sail\": texture coordinates set to zero x3",
    ];
    assert_eq!(losses, expected);
    let normals = only_mesh(&filled).primitives[0].get(&Semantic::Normal).unwrap().to_f32();
    assert_eq!(normals, [0., 0., 1.].repeat(3));
}

#[test]
fn indices_are_resolved_for_targets_without_them() {
    let mut scene = family();
    scene.meshes.iter_mut().for_each(|mesh| mesh.primitives[0].indices = Some(vec![2, 1, 0, 0, 1, 2].into()));
    let (soup, losses) = fitted(&scene, Capabilities { indices: Indexing::Never, ..ALL });
    assert!(losses.is_empty(), "{losses:?}");
    let primitive = &only_mesh(&soup).primitives[0];
    assert!(primitive.indices.is_none());
    let xs: Vec<f32> = primitive.get(&Semantic::Position).unwrap().to_f32().chunks(3).map(|p| p[0]).collect();
    assert_eq!(xs, [0., 1., 0., 0., 1., 0.]);
}

#[test]
fn values_are_made_valid() {
    let mut scene = family();
    let primitive = &mut scene.meshes.iter_mut().next().unwrap().primitives[0];
    primitive.set(Semantic::Position, Stream::from_f64(3, vec![0.1, 0., 0., f64::NAN, 0., 0., 0., 1e300, 0.]));
    primitive.set(Semantic::Normal, Stream::from_f32(3, vec![0., 0., 2., 0., 0., 0., 0., 0., 1.]));
    primitive.set(Semantic::Color(0), Stream::from_f32(3, vec![2., 0., 0., 0., -1., 0., 0., 0., 1.]));
    let (valid, losses) = fitted(&scene, Capabilities { doubles: false, numbers: Numbers::Valid, ..ALL });
    let expected = [
        "LOSS-021 mesh \"sail\": POSITION set to zero x2",
        "LOSS-022 mesh \"sail\": NORMAL changed x2",
        "LOSS-023 mesh \"sail\": COLOR_0 clamped x2",
        "LOSS-020 mesh \"sail\": POSITION rounded x1",
    ];
    assert_eq!(losses, expected);
    let primitive = &only_mesh(&valid).primitives[0];
    assert_eq!(primitive.get(&Semantic::Position).unwrap().to_f32(), [0.1, 0., 0., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(primitive.get(&Semantic::Color(0)).unwrap().to_f32(), [1., 0., 0., 0., 0., 0., 0., 0., 1.]);
}

#[test]
fn objects_without_a_word_are_listed_one_by_one() {
    let mut scene = family();
    scene.animations.add(Animation { name: "sway".into(), ..Animation::default() });
    scene.skins.add(Skin::default());
    scene.nodes.iter_mut().next().unwrap().visible = false;
    scene.metadata.author = "someone".into();
    let can =
        Capabilities { animations: Hold::No, skins: Hold::No, visibility: Hold::No, names: &[], metadata: &[], ..ALL };
    let expected = [
        "LOSS-001 animation \"sway\": animation x1",
        "LOSS-028 node \"sail\": hidden node x1",
        "LOSS-014 : names of nodes and meshes x3",
        "LOSS-002 skin 0: skin x1",
        "LOSS-016 file: author x1",
    ];
    assert_eq!(fitted(&scene, can).1, expected);
}

#[test]
fn names_are_listed_where_the_target_has_none() {
    let mut scene = Scene::new();
    let file = |path: &str| ImageSource::File { path: path.into(), bytes: None };
    let image = |name: &str, path| Image { name: name.into(), source: file(path), extras: Extras::default() };
    let picture = scene.images.add(image("oak", "wood/planks.png"));
    scene.images.add(image("planks", "wood/planks.png"));
    scene.textures.add(Texture { name: "deck".into(), ..Texture::new(picture) });
    scene.skins.add(Skin { name: "rig".into(), ..Skin::default() });
    scene.animations.add(Animation { name: "sway".into(), ..Animation::default() });
    let light = |name: &str| Light {
        name: name.into(),
        kind: LightKind::Point,
        color: [1.; 3],
        intensity: 1.,
        range: None,
        extras: Extras::default(),
    };
    let lamp = scene.lights.add(light("bulb"));
    scene.nodes.add(Node { name: "lamp".into(), light: Some(lamp), ..Node::default() });
    let glow = scene.lights.add(light("glow"));
    scene.nodes.add(Node { light: Some(glow), ..Node::default() });
    let expected = [
        "LOSS-014 : names of nodes and meshes x1",
        "LOSS-014 texture \"deck\": name of the texture x1",
        "LOSS-014 image \"oak\": name of the image x1",
        "LOSS-014 skin \"rig\": name of the skin x1",
        "LOSS-014 animation \"sway\": name of the animation x1",
        "LOSS-014 light \"bulb\": name of the light x1",
    ];
    assert_eq!(fitted(&scene, Capabilities { names: &[], ..ALL }).1, expected);
    assert!(fitted(&scene, ALL).1.is_empty());
}

#[test]
fn pictures_that_nothing_shows_are_listed_and_left_out() {
    let mut scene = Scene::new();
    let mut image = |name: &str| {
        let source = ImageSource::File { path: format!("{name}.png").into(), bytes: None };
        scene.images.add(Image { name: name.into(), source, extras: Extras::default() })
    };
    let (loose, alone, shown) = (image("loose"), image("alone"), image("shown"));
    let _ = alone;
    scene.textures.add(Texture::new(loose));
    let texture = scene.textures.add(Texture::new(shown));
    scene.textures.add(Texture::new(shown));
    let slot =
        Slot { role: Role::BaseColor, texture, channel: ColorChannel::All, uv_set: 0, strength: 1., transform: None };
    scene.materials.add(Material { slots: vec![slot], ..Material::default() });
    let (fitted, losses) = fitted(&scene, Capabilities { loose_images: Hold::No, ..ALL });
    let expected = [
        "LOSS-007 texture 0: texture that no material shows x1",
        "LOSS-007 texture 2: texture that no material shows x1",
        "LOSS-007 image \"alone\": image that no material shows x1",
    ];
    assert_eq!(losses, expected);
    let texture = fitted.materials.iter().next().unwrap().slots[0].texture;
    let image = fitted.textures[texture].image.unwrap();
    assert_eq!((fitted.textures.len(), fitted.images.len()), (1, 1));
    assert_eq!(fitted.images[image].name, Name::from("shown"));
}

#[test]
fn keys_of_the_target_itself_are_no_loss() {
    let mut scene = family();
    scene.extras.set("target.alpha", 1);
    scene.extras.set("other.flag", 1);
    let (_, losses) = fitted(&scene, Capabilities { carries: false, ..ALL });
    assert_eq!(losses, ["LOSS-015 file: what only other says: flag x1"]);
}

#[test]
fn extras_go_with_a_word_wherever_they_are() {
    let mut scene = family();
    let mesh = scene.meshes.iter_mut().next().unwrap();
    mesh.primitives[0].extras.set("obj.groups", "walls");
    mesh.primitives.push(triangle());
    mesh.primitives[1].extras.set("obj.smoothing", 1);
    mesh.primitives[1].extras.set("target.own", 1);
    let source = ImageSource::File { path: "a.png".into(), bytes: None };
    let image = scene.images.add(Image { name: Name::default(), source, extras: Extras::default() });
    let mut texture = Texture::new(image);
    texture.extras.set("obj.options", "-clamp on");
    scene.textures.add(texture);
    let (bare, losses) = fitted(&scene, Capabilities { carries: false, ..ALL });
    let expected = [
        "LOSS-015 mesh \"sail\" part 0: what only obj says: groups x1",
        "LOSS-015 mesh \"sail\" part 1: what only obj says: smoothing x1",
        "LOSS-015 texture 0: what only obj says: options x1",
    ];
    assert_eq!(losses, expected);
    let left: Vec<_> = only_mesh(&bare).primitives.iter().flat_map(|p| p.extras.own.clone()).collect();
    assert_eq!(left, [("target.own".to_owned(), Value::Int(1))]);
    assert_eq!(fitted(&scene, ALL), (scene, Vec::new()), "targets that carry them do so");
}

#[test]
fn faces_of_vertices_that_do_not_exist_are_left_out_and_listed() {
    let drawn = |topology, indices: &[u32]| {
        let mut scene = family();
        let primitive = &mut scene.meshes[Id::new(0)].primitives[0];
        (primitive.topology, primitive.indices) = (topology, Some(indices.to_vec().into()));
        let (fitted, losses) = fitted(&scene, Capabilities { carries: false, ..ALL });
        let primitive = &only_mesh(&fitted).primitives[0];
        (primitive.topology, primitive.indices.as_ref().unwrap().to_vec(), losses)
    };
    let listed = |what: &str| vec![format!("LOSS-043 mesh \"sail\": {what}")];
    assert_eq!(drawn(Topology::Triangles, &[0, 1, 2]), (Topology::Triangles, vec![0, 1, 2], vec![]));
    let found = drawn(Topology::Triangles, &[0, 1, 2, 0, 3, 1, 2, 1, 0]);
    assert_eq!(found, (Topology::Triangles, vec![0, 1, 2, 2, 1, 0], listed("triangles x1")));
    let found = drawn(Topology::TriangleStrip, &[0, 1, 2, u32::MAX]);
    assert_eq!(found, (Topology::Triangles, vec![0, 1, 2], listed("triangles x1")));
    assert_eq!(drawn(Topology::LineLoop, &[0, 1, 9]), (Topology::Lines, vec![0, 1], listed("lines x2")));
    assert_eq!(drawn(Topology::Points, &[7, 2]), (Topology::Points, vec![2], listed("points x1")));
}

/// Without a hierarchy and several scenes.
const FLAT: Capabilities = Capabilities {
    hierarchy: Hold::No,
    up_axes: Hold::No,
    transforms: Hold::No,
    scenes: Hold::No,
    visibility: Hold::No,
    properties: &[],
    metadata: &[],
    carries: false,
    normals: Count::exactly(1),
    ..ALL
};

/// A triangle that is shown, and below no scene a node with a child that holds another one.
fn backstage() -> Scene {
    let mut scene = Scene::new();
    let mesh = |name: &str| Mesh { name: name.into(), primitives: vec![triangle()], ..Mesh::default() };
    let (sail, spare) = (scene.meshes.add(mesh("sail")), scene.meshes.add(mesh("spare")));
    scene.add_root(Node { name: "sail".into(), mesh: Some(sail), ..Node::default() });
    let child = scene.nodes.add(Node { name: "spare".into(), mesh: Some(spare), ..Node::default() });
    let moved = Transform::Trs { translation: [5., 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    scene.nodes.add(Node { name: "store".into(), transform: moved, children: vec![child], ..Node::default() });
    scene
}

#[test]
fn nodes_that_no_scene_shows_are_left_out_and_listed_where_nothing_can_be_hidden() {
    let (flat, losses) = fitted(&backstage(), FLAT);
    let expected = [
        "LOSS-034 node \"store\": nodes that no scene shows x2",
        "LOSS-018 mesh \"sail\": normals computed from the faces x3",
    ];
    assert_eq!(losses, expected, "nothing is said about a mesh that is not written");
    assert_eq!(flat.meshes.iter().map(|mesh| mesh.name.to_string()).collect::<Vec<_>>(), ["sail"]);
    assert_eq!(flat.nodes.len(), 1);
}

#[test]
fn nodes_that_no_scene_shows_are_hidden_where_nodes_can_be() {
    let can = Capabilities { transforms: Hold::Yes, visibility: Hold::Yes, normals: Count::up_to(1), ..FLAT };
    let (flat, losses) = fitted(&backstage(), can);
    assert_eq!(losses, ["LOSS-008 node \"store\": node with children x1"]);
    let told = |node: &Node| (node.name.to_string(), node.visible, node.transform.matrix().w_axis.x);
    let expected = [("sail".to_owned(), true, 0.), ("store".to_owned(), false, 5.), ("spare".to_owned(), false, 5.)];
    assert_eq!(flat.nodes.iter().map(told).collect::<Vec<_>>(), expected);
    assert_eq!(flat.scenes[0].nodes.len(), 3);
}

#[test]
fn what_no_scene_shows_stays_where_scenes_are_lists_of_nodes() {
    let scene = backstage();
    let (same, losses) = fitted(&scene, ALL);
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(same, scene);
}

#[test]
fn joints_that_no_scene_shows_stay_with_their_skin() {
    let mut scene = backstage();
    let joints = vec![Id::new(1)];
    let skin = scene.skins.add(Skin { joints, ..Skin::default() });
    let shown = scene.scenes[0].nodes[0];
    scene.nodes[shown].skin = Some(skin);
    let (flat, losses) = fitted(&scene, Capabilities { transforms: Hold::Yes, normals: Count::up_to(1), ..FLAT });
    assert!(losses.is_empty(), "{losses:?}");
    let joint = flat.skins.iter().next().unwrap().joints[0];
    assert_eq!(flat.nodes[joint].name.to_string(), "spare");
}

#[test]
fn words_of_nodes_and_scenes_that_vanish_are_listed() {
    let mut scene = family();
    let mast = scene.scenes[0].nodes[0];
    scene.nodes[mast].extras.foreign = Some(Value::Int(1));
    scene.nodes[mast].properties.push(("team".into(), "red".into()));
    scene.scenes[0].name = "harbour".into();
    scene.scenes[0].extras.foreign = Some(Value::Int(2));
    scene.skins.add(Skin { name: "bones".into(), ..Skin::default() });
    scene.skins.iter_mut().for_each(|skin| skin.extras.foreign = Some(Value::Int(3)));
    let (_, losses) = fitted(&scene, Capabilities { normals: Count::up_to(1), ..FLAT });
    let expected = [
        "LOSS-014 scene \"harbour\": name of the scene x1",
        "LOSS-015 node \"mast\": property team x1",
        "LOSS-015 node \"mast\": glTF extras x1",
        "LOSS-008 node \"mast\": node with children x1",
        "LOSS-009 node \"sail\": transform x1",
        "LOSS-015 scene \"harbour\": glTF extras x1",
        "LOSS-015 skin \"bones\": glTF extras x1",
    ];
    assert_eq!(losses, expected);
}

#[test]
fn the_name_of_the_only_scene_becomes_the_title_of_a_file_without_one() {
    let mut scene = family();
    scene.scenes[0].name = "harbour".into();
    let can = Capabilities { scenes: Hold::No, ..ALL };
    let (titled, losses) = fitted(&scene, can);
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(titled.metadata.title.to_string(), "harbour");
    scene.metadata.title = "ships".into();
    let (titled, losses) = fitted(&scene, can);
    assert_eq!(losses, ["LOSS-014 scene \"harbour\": name of the scene x1"]);
    assert_eq!(titled.metadata.title.to_string(), "ships");
}

#[test]
fn a_mesh_whose_transform_is_baked_is_told_of_once() {
    let (_, losses) = fitted(&family(), FLAT);
    assert!(losses.contains(&"LOSS-018 mesh \"sail\": normals computed from the faces x3".to_owned()), "{losses:?}");
}

/// Three copies of a strip below a node, and the same strip once more.
fn copies() -> Scene {
    let mut scene = Scene::new();
    let at = |x: f32| Transform::Trs { translation: [x, 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    let mut strip = triangle().with(Semantic::TexCoord(1), Stream::from_f32(2, vec![0.; 6]));
    strip.topology = Topology::TriangleStrip;
    strip.extras.set("other.part", 1);
    let mut mesh = Mesh { name: "plank".into(), primitives: vec![strip], ..Mesh::default() };
    mesh.extras.set("other.shape", 1);
    mesh.properties.push(("wood".into(), 1.into()));
    let mesh = Some(scene.meshes.add(mesh));
    let placements = [1., 2., 3.].map(|x| Placement { transform: at(x), material: None }).into();
    scene.add_root(Node {
        name: "deck".into(),
        mesh,
        instances: Some(Instances { placements }),
        transform: at(5.),
        ..Node::default()
    });
    scene.add_root(Node { name: "spare".into(), mesh, transform: at(9.), ..Node::default() });
    scene
}

#[test]
fn a_shape_that_stands_in_many_places_is_told_of_once() {
    let can = Capabilities {
        topologies: &[Topology::Triangles],
        instances: Hold::No,
        uv_sets: Count::up_to(1),
        properties: &[],
        names: &[],
        carries: false,
        ..FLAT
    };
    let (flat, losses) = fitted(&copies(), can);
    assert_eq!(flat.nodes.iter().filter(|node| node.mesh.is_some()).count(), 4);
    let of_shapes: Vec<&String> = losses.iter().filter(|loss| !loss.contains("node \"")).collect();
    let expected = [
        "LOSS-019 mesh \"plank\": triangle-strip made triangles x1",
        "LOSS-017 mesh \"plank\": TEXCOORD_1 x1",
        "LOSS-018 mesh \"plank\": normals computed from the faces x3",
        "LOSS-014 : names of nodes and meshes x3",
        "LOSS-015 mesh \"plank\": property wood x1",
        "LOSS-015 mesh \"plank\": what only other says: shape x1",
        "LOSS-015 mesh \"plank\": what only other says: part x1",
    ];
    assert_eq!(of_shapes, expected);
}

#[test]
fn the_name_of_a_mesh_beside_that_of_its_nodes_is_told_once() {
    let can = Capabilities { instances: Hold::No, names: &[Named::Objects], ..ALL };
    let (_, losses) = fitted(&copies(), can);
    assert!(losses.contains(&"LOSS-014 mesh \"plank\": name of the mesh x1".to_owned()), "{losses:?}");
    let mut alike = copies();
    alike.nodes.iter_mut().for_each(|node| node.name = "plank".into());
    assert!(!fitted(&alike, can).1.iter().any(|loss| loss.starts_with("LOSS-014")));
}

#[test]
fn numbers_that_are_not_finite_become_zero_where_they_must_be_finite() {
    let mut scene = Scene::new();
    let positions = vec![f32::NAN, 0., 0., 1., f32::INFINITY, 0., 0., 1., 3.];
    let mut primitive = Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f32(3, positions));
    // Not of unit length, which is nobody's business here.
    primitive.set(Semantic::Normal, Stream::from_f32(3, vec![0., 0., 2., 0., 0., 2., 0., 0., 2.]));
    let mesh = scene.meshes.add(Mesh { name: "sail".into(), primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    let (finite, losses) = fitted(&scene, Capabilities { numbers: Numbers::Finite, ..ALL });
    assert_eq!(losses, ["LOSS-021 mesh \"sail\": POSITION set to zero x2"]);
    let positions = only_mesh(&finite).primitives[0].get(&Semantic::Position).unwrap().to_f32();
    assert_eq!(positions, [0., 0., 0., 1., 0., 0., 0., 1., 3.]);
    let (same, losses) = fitted(&scene, ALL);
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(same, scene);
}

#[test]
fn digits_that_baking_computes_are_no_loss() {
    let mut scene = family();
    let turn = std::f32::consts::FRAC_PI_8;
    for node in scene.nodes.iter_mut().filter(|node| node.mesh.is_some()) {
        let rotation = [0., turn.sin(), 0., turn.cos()];
        node.transform = Transform::Trs { translation: [0.1, 0.2, 0.3], rotation, scale: [0.7; 3] };
    }
    let can = Capabilities { transforms: Hold::No, hierarchy: Hold::No, doubles: false, ..ALL };
    let (back, losses) = fitted(&scene, can);
    assert!(losses.iter().all(|loss| !loss.starts_with("LOSS-020")), "{losses:?}");
    let positions = only_mesh(&back).primitives[0].get(&Semantic::Position).unwrap();
    assert_eq!(positions.encoding().component, Component::F32);
}

/// A triangle with UVs of 0 to 4096, and a material whose textures are laid out so.
fn laid_out(layouts: &[(Role, u8, Option<UvTransform>)]) -> Scene {
    let mut scene = Scene::new();
    let source = ImageSource::File { path: "a.png".into(), bytes: None };
    let image = scene.images.add(Image { name: "".into(), source, extras: Extras::default() });
    let texture = scene.textures.add(Texture::new(image));
    let slot = |(role, uv_set, transform): &(Role, u8, Option<UvTransform>)| Slot {
        role: role.clone(),
        texture,
        channel: ColorChannel::All,
        uv_set: *uv_set,
        strength: 1.,
        transform: *transform,
    };
    let slots = layouts.iter().map(slot).collect();
    let material = scene.materials.add(Material { name: "tile".into(), slots, ..Material::default() });
    let mut primitive = triangle().with(Semantic::TexCoord(0), Stream::from_f32(2, vec![0., 0., 4096., 0., 0., 4096.]));
    primitive.material = Some(material);
    let mesh = scene.meshes.add(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

/// What the sets of the only primitive say, and which set each texture uses.
fn uvs(scene: &Scene) -> (Vec<Vec<f32>>, Vec<u8>) {
    let primitive = &scene.meshes[Id::new(0)].primitives[0];
    let sets = (0..8).map_while(|set| primitive.get(&Semantic::TexCoord(set)).map(Stream::to_f32)).collect();
    let slots = &scene.materials[Id::new(0)].slots;
    assert!(slots.iter().all(|slot| slot.transform.is_none()));
    (sets, slots.iter().map(|slot| slot.uv_set).collect())
}

const SMALL: Option<UvTransform> =
    Some(UvTransform { offset: [0.5, 0.], rotation: 0., scale: [1. / 4096., 1. / 4096.] });

#[test]
fn transforms_of_textures_are_baked_where_all_of_a_set_agree() {
    let scene = laid_out(&[(Role::Emission, 0, SMALL), (Role::BaseColor, 0, SMALL)]);
    let (fitted, losses) = fitted(&scene, Capabilities { carries: false, ..ALL });
    assert_eq!(uvs(&fitted), (vec![vec![0.5, 0., 1.5, 0., 0.5, 1.]], vec![0, 0]));
    assert_eq!(losses, [""; 0]);
}

#[test]
fn a_turn_of_a_texture_is_baked_as_the_extension_defines_it() {
    // A quarter turn moves U to minus V, and V to U, as V points down.
    let turn = UvTransform { offset: [0., 1.], rotation: std::f32::consts::FRAC_PI_2, scale: [1. / 4096.; 2] };
    let scene = laid_out(&[(Role::BaseColor, 0, Some(turn))]);
    let (fitted, _) = fitted(&scene, Capabilities { carries: false, ..ALL });
    let found = uvs(&fitted).0[0].iter().map(|v| (v * 1e6).round() / 1e6).collect::<Vec<_>>();
    assert_eq!(found, [0., 1., 0., 0., 1., 1.]);
}

#[test]
fn a_texture_that_is_laid_out_differently_gets_a_set_of_its_own_where_there_is_room() {
    let scene = laid_out(&[(Role::Emission, 0, None), (Role::BaseColor, 0, SMALL)]);
    let (fitted, losses) =
        fitted(&scene, Capabilities { carries: false, texture_sets: &[Role::BaseColor, Role::Emission], ..ALL });
    let sets = vec![vec![0.5, 0., 1.5, 0., 0.5, 1.], vec![0., 0., 4096., 0., 0., 4096.]];
    assert_eq!(uvs(&fitted), (sets, vec![1, 0]));
    assert_eq!(losses, [""; 0]);
}

#[test]
fn a_texture_that_is_laid_out_differently_is_a_loss_of_a_size_where_there_is_no_room() {
    let scene = laid_out(&[(Role::Emission, 0, None), (Role::BaseColor, 0, SMALL)]);
    let mut losses = Losses::default();
    let can = Capabilities { carries: false, ..ALL };
    let fitted = fit(&scene, &target(can), &Budget::default(), &mut losses).expect("it is small");
    assert_eq!(uvs(&fitted), (vec![vec![0.5, 0., 1.5, 0., 0.5, 1.]], vec![0, 0]));
    let losses: Vec<_> = losses.iter().map(|loss| (loss.code, loss.size.map(f64::round))).collect();
    // The corner at 4096 lies at 1.5.
    assert_eq!(losses, [("LOSS-041", Some(4095.))]);
}

/// The same with a second set of coordinates.
fn laid_out_by_two_sets(layouts: &[(Role, u8, Option<UvTransform>)]) -> Scene {
    let mut scene = laid_out(layouts);
    let second = Stream::from_f32(2, vec![0., 0., 1., 0., 0., 1.]);
    scene.meshes[Id::new(0)].primitives[0].set(Semantic::TexCoord(1), second);
    scene
}

#[test]
fn coordinates_of_the_texture_that_is_seen_most_change_places_with_the_set_that_is_read() {
    let scene = laid_out_by_two_sets(&[(Role::Normal, 1, None), (Role::BaseColor, 1, None)]);
    let (fitted, losses) = fitted(&scene, Capabilities { carries: false, ..ALL });
    let sets = vec![vec![0., 0., 1., 0., 0., 1.], vec![0., 0., 4096., 0., 0., 4096.]];
    assert_eq!(uvs(&fitted), (sets, vec![0, 0]));
    assert_eq!(losses, [""; 0]);
}

#[test]
fn a_texture_on_other_coordinates_is_left_out_with_its_light_and_its_coordinates_stay() {
    let mut scene = laid_out_by_two_sets(&[(Role::Emission, 1, SMALL), (Role::BaseColor, 0, SMALL)]);
    scene.materials[Id::new(0)].emissive = [1.; 3];
    let (fitted, losses) = fitted(&scene, Capabilities { carries: false, ..ALL });
    let small = 1. / 4096.;
    let sets = vec![vec![0.5, 0., 1.5, 0., 0.5, 1.], vec![0.5, 0., 0.5 + small, 0., 0.5, small]];
    assert_eq!(uvs(&fitted), (sets, vec![0]));
    assert_eq!(fitted.materials[Id::new(0)].emissive, [0.; 3]);
    let codes: Vec<&str> = losses.iter().map(|loss| &loss[..8]).collect();
    assert_eq!(codes, ["LOSS-007", "LOSS-092"]);
}

#[test]
fn parts_without_a_material_get_the_one_that_their_source_takes_for_granted() {
    let mut scene = laid_out(&[]);
    scene.meshes[Id::new(0)].primitives[0].material = None;
    scene.default_material = Some(Material::default());
    let (with, _) = fitted(&scene, Capabilities { carries: false, ..ALL });
    let material = with.meshes[Id::new(0)].primitives[0].material.unwrap();
    assert_eq!(with.materials[material].pbr().metallic, 1.);
    let (without, losses) = fitted(&scene, Capabilities { carries: false, materials: Hold::No, ..ALL });
    assert!(without.materials.iter().next().is_none() && losses.len() == 1, "only \"tile\" is lost: {losses:?}");
}

#[test]
fn nodes_that_replace_a_material_bake_its_transforms_for_themselves() {
    let mut scene = laid_out(&[(Role::BaseColor, 0, SMALL)]);
    let plain = scene.materials.add(Material { slots: Vec::new(), ..Material::default() });
    scene.add_root(Node { mesh: Some(Id::new(0)), material: Some(plain), ..Node::default() });
    let (fitted, _) = fitted(&scene, Capabilities { carries: false, ..ALL });
    let first = |mesh: Option<Id<Mesh>>| {
        fitted.meshes[mesh.unwrap()].primitives[0].get(&Semantic::TexCoord(0)).unwrap().to_f32()[2]
    };
    let meshes: Vec<f32> = fitted.nodes.iter().map(|node| first(node.mesh)).collect();
    assert_eq!(meshes, [1.5, 4096.]);
}
