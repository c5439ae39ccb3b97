//! What editors do to every file that they write is undone on the way back, where the file says how it was.

use formats::NoSource;
use formats::Options;
use formats::gltf::schema;
use formats::gltf::{Document, Glb};
use scene::*;

use crate::support::*;

/// A document made of a scene that came from one of the formats that have a way back.
fn written(scene: Scene) -> Document {
    let origin = Origin { format: "dgl3".to_owned(), dialect: "engine".to_owned() };
    package::<Glb>(&Scene { origin: Some(origin), ..scene }, &Options::default()).0.document
}

/// A node that shows a skinned mesh and holds its two joints, which have no names.
fn skinned() -> Scene {
    let mut scene = scene_of(vec![triangle()]);
    let tip = scene.nodes.add(Node::default());
    let root = scene.nodes.add(Node { children: vec![tip], ..Node::default() });
    let skin = scene.skins.add(Skin { joints: vec![root, tip], ..Skin::default() });
    let node = &mut scene.nodes[Id::new(0)];
    (node.name, node.skin, node.children) = ("worm".into(), Some(skin), vec![root]);
    let primitive = &mut scene.meshes[Id::new(0)].primitives[0];
    primitive.set(Semantic::Joints(0), Stream::from_u32(4, [0, 1, 0, 0].repeat(3)));
    primitive.set(Semantic::Weights(0), Stream::from_f32(4, [0.5, 0.5, 0., 0.].repeat(3)));
    scene
}

/// Blender makes the node that holds joints an armature, shows the mesh below it, and names everything.
fn as_blender(doc: &mut Document) {
    let root = doc.root.edit();
    let node = &mut root.nodes[0];
    let child = schema::Node {
        name: Some("Mesh_0".to_owned()),
        mesh: node.mesh.take(),
        skin: node.skin.take(),
        ..schema::Node::default()
    };
    let below = root.nodes.len();
    root.nodes[0].children.push(below);
    root.nodes.push(child);
    for (i, node) in root.nodes.iter_mut().enumerate() {
        node.name.get_or_insert_with(|| format!("Node_{i}"));
    }
}

#[test]
fn a_skinned_mesh_that_an_editor_moved_below_its_node_comes_back() {
    let mut doc = written(skinned());
    as_blender(&mut doc);
    let (back, findings) = lift_document(&doc, &NoSource);
    assert_eq!((back.nodes.len(), findings), (3, vec![]));
    let node = &back.nodes[Id::new(0)];
    assert_eq!((node.name.to_string(), node.mesh, node.skin), ("worm".to_owned(), Some(Id::new(0)), Some(Id::new(0))));
    assert_eq!(node.children.len(), 1, "the joints, and no mesh");
    assert!(back.nodes.iter().skip(1).all(|joint| joint.name.is_empty()));

    // One that somebody moved since stands somewhere of its own.
    doc.root.edit().nodes[3].translation = Some([schema::Real(1.), schema::Real(0.), schema::Real(0.)]);
    assert_eq!(lift_document(&doc, &NoSource).0.nodes.len(), 4);
}

#[test]
fn levels_of_detail_beside_the_joints_that_skin_them_come_back() {
    let mut scene = skinned();
    let coarse = scene.meshes.add(scene.meshes[Id::new(0)].clone());
    scene.meshes[Id::new(0)].lods = vec![Lod { mesh: coarse, coverage: None }];
    let mut doc = written(scene);
    let root = doc.root.edit();
    root.nodes[0].extensions.clear();
    root.extensions_used.clear();
    let level = root.nodes.len() - 1;
    root.nodes[0].children.push(level);
    as_blender(&mut doc);
    let (back, findings) = lift_document(&doc, &NoSource);
    assert_eq!((back.nodes.len(), findings), (3, vec![]));
    assert_eq!(back.meshes[back.nodes[Id::new(0)].mesh.unwrap()].lods.len(), 1);
}

#[test]
fn names_that_several_objects_have_lose_the_numbers_of_editors() {
    let mut scene = scene_of(vec![triangle()]);
    scene.nodes[Id::new(0)].name = "tree".into();
    for name in ["tree", "stone", ""] {
        scene.add_root(Node { name: name.into(), ..Node::default() });
    }
    let mut doc = written(scene);
    let names = |doc: &Document| {
        let back = lift_document(doc, &NoSource).0;
        back.nodes.iter().map(|node| node.name.to_string()).collect::<Vec<_>>()
    };
    for (node, name) in doc.root.edit().nodes.iter_mut().zip(["tree", "tree.001", "stone.001", "Node_3"]) {
        node.name = Some(name.to_owned());
    }
    // Nothing else was called stone, so that somebody made a copy of it.
    assert_eq!(names(&doc), ["tree", "tree", "stone.001", ""]);
}

#[test]
fn a_mesh_that_an_editor_made_two_of_is_one() {
    let mut scene = scene_of(vec![triangle()]);
    scene.meshes[Id::new(0)].name = "leaf".into();
    scene.add_root(Node { mesh: Some(Id::new(0)), ..Node::default() });
    let mut doc = written(scene);
    let root = doc.root.edit();
    let copy = schema::Mesh { name: Some("leaf.001".to_owned()), ..root.meshes[0].clone() };
    root.meshes.push(copy);
    root.nodes[1].mesh = Some(1);
    let (back, _) = lift_document(&doc, &NoSource);
    assert_eq!((back.meshes.len(), back.nodes[Id::new(1)].mesh), (1, Some(Id::new(0))));
    // Once they differ they are two.
    doc.root.edit().meshes[1].primitives[0].mode = Some(0);
    assert_eq!(lift_document(&doc, &NoSource).0.meshes.len(), 2);
}

#[test]
fn a_turn_of_axes_stays_exact_as_a_quaternion() {
    let mut scene = scene_of(vec![triangle()]);
    let turn = [1., 0., 0., 0., 0., 0., -1., 0., 0., 1., 0., 0., 0., 0., 0., 1.];
    let child = scene.scenes[0].nodes.remove(0);
    let axis =
        Node { name: "axis".into(), role: NodeRole::Axis, transform: Transform::Matrix(turn), ..Node::default() };
    scene.add_root(Node { children: vec![child], ..axis });
    let mut doc = written(scene);
    let node = &mut doc.root.edit().nodes[1];
    let half = std::f64::consts::FRAC_1_SQRT_2;
    (node.matrix, node.rotation) = (None, Some([-half, 0., 0., half].map(schema::Real)));
    let (back, _) = lift_document(&doc, &NoSource);
    assert_eq!(back.nodes[Id::new(1)].transform, Transform::Matrix(turn));
}

#[test]
fn what_editors_leave_out_is_told() {
    let mut scene = scene_of(vec![triangle()]);
    scene.meshes[Id::new(0)].name = "leaf".into();
    scene.meshes[Id::new(0)].extras.set("dgl3.id", 7);
    scene.metadata.copyright = "CC0".into();
    let mut doc = written(scene);
    let root = doc.root.edit();
    root.asset.generator = Some("gltfpack".to_owned());
    root.asset.copyright = None;
    (root.meshes[0].name, root.meshes[0].extras) = (None, None);
    let (back, findings) = lift_document(&doc, &NoSource);
    let told = |what: &str| findings.iter().filter(|f| f.starts_with("GLTF-050 ") && f.contains(what)).count();
    assert_eq!((findings.len(), told("names of meshes"), told("meshes with extras.pentad")), (2, 1, 1), "{findings:?}");
    assert_eq!(back.metadata.copyright.to_string(), "CC0", "no editor lets anybody take it away");
}
