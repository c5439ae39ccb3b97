//! Copies of meshes, and coarser ones.

use formats::gltf::Glb;
use formats::gltf::schema::Root;
use formats::{Format, LiftCx, NoSource, Options};
use scene::*;
use serde_json::json;

use crate::support::*;

fn at(translation: [f32; 3]) -> Placement {
    let transform = Transform::Trs { translation, rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    Placement { transform, material: None }
}

fn copied(placements: Vec<Placement>) -> Scene {
    let mut scene = scene_of(vec![triangle()]);
    scene.nodes[Id::new(0)].instances = Some(Instances { placements });
    scene
}

#[test]
fn copies_are_instances() {
    let turned = [0., 0., -2., 0., 0., 1., 0., 0., 1., 0., 0., 0., 4., 5., 6., 1.];
    let matrix = Placement { transform: Transform::Matrix(turned), material: None };
    let (parsed, losses) = glb("instances", &copied(vec![at([1., 2., 3.]), matrix]));
    assert_eq!(losses, [""; 0]);
    let node = &parsed.json["nodes"][0];
    let attributes = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    assert_eq!(parsed.floats(&attributes["TRANSLATION"]), [1., 2., 3., 4., 5., 6.]);
    assert_eq!(parsed.floats(&attributes["SCALE"]), [1., 1., 1., 2., 1., 1.]);
    let rotations = parsed.floats(&attributes["ROTATION"]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert!(rotations[4..].iter().zip([0., half, 0., half]).all(|(a, b)| (a - b).abs() < 1e-6), "{rotations:?}");
    assert_eq!(parsed.json["extensionsUsed"], json!(["EXT_mesh_gpu_instancing"]));
}

#[test]
fn copies_in_rest_say_only_how_many_they_are() {
    let (parsed, losses) = glb("plain-instances", &copied(vec![Placement::default(); 3]));
    assert_eq!(losses, [""; 0]);
    let attributes = &parsed.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    assert_eq!(attributes.as_object().unwrap().len(), 1);
    assert_eq!(parsed.floats(&attributes["TRANSLATION"]), [0.; 9]);
}

#[test]
fn sheared_copies_are_the_nearest_ones() {
    let sheared = [2., 0., 0., 0., 1., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    let copies = vec![Placement { transform: Transform::Matrix(sheared), material: None }, at([f32::NAN, 1., 0.])];
    let (parsed, losses) = glb("sheared-instances", &copied(copies));
    let expected =
        ["LOSS-021 node 0: transforms of instances", "LOSS-031 node 0: placements replaced by the nearest ones"];
    assert_eq!(losses, expected);
    let node = &parsed.json["nodes"][0];
    let attributes = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    assert_eq!(parsed.floats(&attributes["TRANSLATION"]), [0., 0., 0., 0., 1., 0.]);
    assert_eq!(parsed.floats(&attributes["SCALE"]), [2., 1., 1., 1., 1., 1.]);
}

#[test]
fn copies_of_another_material_stand_in_a_node_below() {
    let mut scene = copied(vec![at([1., 0., 0.]), at([2., 0., 0.]), at([3., 0., 0.]), at([4., 0., 0.])]);
    let red = scene.materials.add(Material { name: "red".into(), ..Material::default() });
    for other in [1, 3] {
        scene.nodes[Id::new(0)].instances.as_mut().unwrap().placements[other].material = Some(red);
    }
    let (parsed, losses) = glb("instance-materials", &scene);
    assert_eq!(losses, [""; 0]);
    let [node, below] = [&parsed.json["nodes"][0], &parsed.json["nodes"][1]];
    assert_eq!((&node["children"], &node["mesh"], &below["mesh"]), (&json!([1]), &json!(0), &json!(1)));
    assert_eq!(parsed.primitive(1)["material"], 0);
    assert_eq!(below["extras"]["pentad"]["role"], "instances");
    let attributes = &below["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    assert_eq!(parsed.floats(&attributes["TRANSLATION"]), [2., 0., 0., 4., 0., 0.]);
}

#[test]
fn copies_that_somebody_moved_are_nodes_of_their_own() {
    let mut scene = copied(vec![at([1., 0., 0.]), at([2., 0., 0.]), at([3., 0., 0.]), at([4., 0., 0.])]);
    let red = scene.materials.add(Material { name: "red".into(), ..Material::default() });
    for other in [1, 3] {
        scene.nodes[Id::new(0)].instances.as_mut().unwrap().placements[other].material = Some(red);
    }
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let mut doc = package.document;
    let copies = |doc: &formats::gltf::Document| {
        let scene = Glb::lift(doc, &mut LiftCx::new(&NoSource)).unwrap();
        scene.nodes.iter().map(|node| node.instances.as_ref().map(|all| all.placements.len())).collect::<Vec<_>>()
    };
    assert_eq!(copies(&doc), [Some(4)]);
    doc.root.edit().nodes[1].translation = Some([0., 9., 0.].map(formats::gltf::schema::Real));
    assert_eq!(copies(&doc), [Some(2), Some(2)]);
}

#[test]
fn copies_that_somebody_changed_are_nodes_of_their_own() {
    let mut scene = copied(vec![at([1., 0., 0.]), at([2., 0., 0.])]);
    let red = scene.materials.add(Material { name: "red".into(), ..Material::default() });
    scene.nodes[Id::new(0)].instances.as_mut().unwrap().placements[1].material = Some(red);
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    // Nodes 1 and 2 are the copies; mesh 1 is mesh 0 in red.
    let lifted = |edit: &dyn Fn(&mut Root)| {
        let mut doc = package.document.clone();
        edit(doc.root.edit());
        let (scene, findings) = lift_document(&doc, &NoSource);
        let copies = |node: &Node| node.instances.as_ref().map_or(0, |all| all.placements.len());
        let copies: Vec<usize> = scene.nodes.iter().map(copies).collect();
        let findings: Vec<String> = findings.iter().map(|f| f.split(" contradicts").next().unwrap().into()).collect();
        (copies, scene, findings)
    };
    let (copies, whole, findings) = lifted(&|_| ());
    assert_eq!((copies, whole.meshes.len(), findings), (vec![2], 1, vec![]));

    let of_meshes: [&dyn Fn(&mut Root); 7] = [
        &|root| root.meshes[1].primitives[0].mode = Some(0),
        &|root| root.meshes[0].primitives[0].mode = Some(0),
        &|root| root.meshes[1].name = Some("mine".into()),
        &|root| root.meshes[1].extras.as_mut().unwrap()["mine"] = json!(1),
        &|root| root.meshes[1].primitives[0].extras = Some(json!({"mine": 1})),
        &|root| root.meshes[1].primitives.push(Default::default()),
        &|root| root.meshes[1].primitives[0].material = None,
    ];
    for (number, edit) in of_meshes.into_iter().enumerate() {
        let (copies, scene, findings) = lifted(edit);
        assert_eq!((copies, scene.meshes.len()), (vec![1, 0], 2), "{number}");
        let own = &scene.nodes[Id::new(1)];
        assert_eq!((own.mesh, own.transform), (Some(Id::new(1)), at([2., 0., 0.]).transform), "{number}");
        assert!(findings.contains(&"GLTF-036 meshes[1].extras.pentad: role".to_owned()), "{number}: {findings:?}");
    }
    let (_, points, _) = lifted(of_meshes[0]);
    let drawn: Vec<Topology> = points.meshes.iter().map(|mesh| mesh.primitives[0].topology).collect();
    assert_eq!(drawn, [Topology::Triangles, Topology::Points]);

    let of_nodes: [&dyn Fn(&mut Root); 4] = [
        &|root| root.nodes[2].name = Some("mine".into()),
        &|root| root.nodes[2].extras.as_mut().unwrap()["mine"] = json!(1),
        &|root| root.nodes[2].weights = vec![formats::gltf::schema::Real(1.)],
        &|root| drop(root.nodes[2].extensions.insert("MINE_word".into(), json!({}))),
    ];
    for (number, edit) in of_nodes.into_iter().enumerate() {
        let (copies, scene, _) = lifted(edit);
        assert_eq!((copies, scene.meshes.len()), (vec![1, 0], 1), "{number}");
        let own = &scene.nodes[Id::new(1)];
        assert_eq!((own.mesh, own.material), (Some(Id::new(0)), Some(red)), "{number}");
    }
    // A mesh that somebody gave to the node above is shown beside the copies.
    let (copies, scene, _) = lifted(&|root| root.nodes[0].mesh = Some(0));
    assert_eq!((copies, scene.nodes[Id::new(0)].mesh), (vec![0, 0, 0], Some(Id::new(0))));
}

#[test]
fn a_single_copy_is_a_node_below() {
    let (parsed, losses) = glb("instance-single", &copied(vec![at([1., 0., 0.])]));
    assert_eq!(losses, [""; 0]);
    let below = json!({"mesh": 0, "translation": [1, 0, 0], "extras": {"pentad": {"role": "instance"}}});
    assert_eq!(parsed.json["nodes"], json!([{"children": [1]}, below]));
    assert_eq!(parsed.json.get("extensionsUsed"), None);
}

/// Blender 5.0 stops at an instanced mesh with morph targets; nodes are read by everything.
#[test]
fn copies_of_a_shape_that_morphs_are_nodes_and_come_back() {
    let mut scene = copied(vec![at([1., 0., 0.]), at([2., 0., 0.])]);
    let delta = Attribute { semantic: Semantic::Position, stream: Stream::from_f32(3, vec![0.5; 9]) };
    scene.meshes[Id::new(0)].primitives[0].targets = vec![MorphTarget { attributes: vec![delta] }];
    scene.meshes[Id::new(0)].morphs = vec![MorphRange { name: "wide".into(), default: 0., min: 0., max: 1. }];
    scene.nodes[Id::new(0)].weights = vec![0.25];
    let (parsed, losses) = glb("morphing-instances", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.json.get("extensionsUsed"), None);
    let copy = |x: u32| {
        let extras = json!({"pentad": {"role": "instance"}});
        json!({"mesh": 0, "weights": [0.25], "translation": [x, 0, 0], "extras": extras})
    };
    assert_eq!(parsed.json["nodes"], json!([{"children": [1, 2]}, copy(1), copy(2)]));
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let again = Glb::lift(&package.document, &mut LiftCx::new(&NoSource)).unwrap();
    let node = &again.nodes[Id::new(0)];
    assert_eq!((node.instances.clone(), &node.weights), (scene.nodes[Id::new(0)].instances.clone(), &vec![0.25]));
}

#[test]
fn no_copies_show_nothing() {
    let (parsed, losses) = glb("no-instances", &copied(Vec::new()));
    assert_eq!(losses, ["LOSS-010 node 0: empty list of instances"]);
    assert_eq!(parsed.json["nodes"], json!([{}]));
}

#[test]
fn coarser_meshes_are_levels_of_detail() {
    let mut scene = scene_of(vec![triangle()]);
    let coarse = |scene: &mut Scene, coverage| Lod { mesh: scene.meshes.add(mesh_of(vec![triangle()])), coverage };
    let lods = vec![coarse(&mut scene, Some(0.5)), coarse(&mut scene, Some(0.25))];
    scene.meshes[Id::new(0)].lods = lods;
    let place = Transform::Trs { translation: [1., 2., 3.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    scene.nodes[Id::new(0)].transform = place;
    let (parsed, losses) = glb("lods", &scene);
    assert_eq!(losses, [""; 0]);
    let mark = |level: u32| {
        let level = json!({"of": "node-0", "number": level, "at": {"translation": [1, 2, 3]}});
        json!({"pentad": {"role": "lod", "level": level}})
    };
    let coarse = |mesh: u32| json!({"mesh": mesh, "translation": [1, 2, 3], "extras": mark(mesh - 1)});
    let fine = json!({
        "mesh": 0,
        "translation": [1, 2, 3],
        "extensions": {"MSFT_lod": {"ids": [1, 2]}},
        "extras": {"MSFT_screencoverage": [0.5, 0.25, 0], "pentad": {"level": {"group": "node-0"}}},
    });
    assert_eq!(parsed.json["nodes"], json!([fine, coarse(1), coarse(2)]));
    assert_eq!(parsed.json["scenes"], json!([{"nodes": [0]}]));
}

#[test]
fn levels_of_detail_without_a_share_carry_what_is_known() {
    let mut scene = scene_of(vec![triangle()]);
    let lod = |scene: &mut Scene, coverage, part| Lod { mesh: scene.meshes.add(mesh_of(vec![part])), coverage };
    let empty = Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f32(3, vec![]));
    let lods = [(Some(0.5), triangle()), (None, triangle()), (None, empty)];
    let lods = lods.into_iter().map(|(coverage, part)| lod(&mut scene, coverage, part)).collect();
    scene.meshes[Id::new(0)].lods = lods;
    let (parsed, losses) = glb("lods-in-part", &scene);
    let expected = [
        "LOSS-024 mesh 3: part that draws nothing",
        "LOSS-024 mesh 3: mesh that draws nothing",
        "LOSS-012 node 0: level of detail",
    ];
    assert_eq!(losses, expected);
    let node = &parsed.json["nodes"][0];
    assert_eq!(node["extensions"]["MSFT_lod"], json!({"ids": [1, 2]}));
    let level = json!({"group": "node-0", "coverage": [{"f32": 0.5}, null]});
    assert_eq!(node["extras"], json!({"pentad": {"level": level}}));
}

#[test]
fn words_at_a_level_of_detail_are_lost_and_told() {
    let mut scene = scene_of(vec![triangle()]);
    let mesh = scene.meshes.add(mesh_of(vec![triangle()]));
    scene.meshes[Id::new(0)].lods = vec![Lod { mesh, coverage: None }];
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let losses = |doc: &formats::gltf::Document| {
        let mut cx = LiftCx::new(&NoSource);
        let scene = Glb::lift(doc, &mut cx).unwrap();
        assert_eq!((scene.nodes.len(), scene.meshes[Id::new(0)].lods.len()), (1, 1));
        cx.losses.iter().map(|loss| format!("{} {}: {}", loss.code, loss.subject, loss.what)).collect::<Vec<_>>()
    };
    let mut doc = package.document;
    assert_eq!(losses(&doc), [""; 0]);
    doc.root.edit().nodes[1].extras.as_mut().unwrap()["mine"] = json!(1);
    assert_eq!(losses(&doc), ["LOSS-015 nodes[1]: glTF extras"]);
}

#[test]
fn a_level_of_detail_that_somebody_moved_is_a_mesh_that_was_moved() {
    let mut scene = scene_of(vec![triangle()]);
    let mesh = scene.meshes.add(mesh_of(vec![triangle()]));
    scene.meshes[Id::new(0)].lods = vec![Lod { mesh, coverage: None }];
    let place = Transform::Trs { translation: [2., 0., 0.], rotation: [0., 0., 0., 1.], scale: [2.; 3] };
    scene.nodes[Id::new(0)].transform = place;
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let places = |edit: &dyn Fn(&mut formats::gltf::schema::Root)| {
        let mut doc = package.document.clone();
        edit(doc.root.edit());
        let scene = Glb::lift(&doc, &mut LiftCx::new(&NoSource)).unwrap();
        assert_eq!((scene.nodes.len(), scene.meshes.len()), (1, 2));
        let lod = scene.meshes[Id::new(0)].lods[0].mesh;
        let places = |mesh| scene.meshes[mesh].primitives[0].get(&Semantic::Position).unwrap().to_f64();
        (places(Id::new(0)), places(lod))
    };
    let to = |place: [f64; 3]| Some(place.map(formats::gltf::schema::Real));
    let own = triangle().get(&Semantic::Position).unwrap().to_f64();
    assert_eq!(places(&|_| ()), (own.clone(), own.clone()));
    // Programs that know nothing of levels move the node alone.
    assert_eq!(places(&|root| root.nodes[0].translation = to([5., 5., 5.])), (own.clone(), own.clone()));
    // By 3, 5, 5 in the world is half of that in a mesh that is shown twice as large.
    let moved: Vec<f64> = own.iter().zip([1.5, 2.5, 2.5].iter().cycle()).map(|(own, by)| own + by).collect();
    assert_eq!(places(&|root| root.nodes[1].translation = to([5., 5., 5.])), (own.clone(), moved));
    assert_eq!(
        places(&|root| root.nodes.iter_mut().for_each(|node| node.translation = to([5., 5., 5.]))),
        (own.clone(), own)
    );
}

/// A mesh with a coarser version, whose node somebody changed.
fn edited_level(edit: impl FnOnce(&mut formats::gltf::schema::Node)) -> (Scene, Vec<String>) {
    let mut scene = scene_of(vec![triangle()]);
    let mesh = scene.meshes.add(mesh_of(vec![triangle()]));
    scene.meshes[Id::new(0)].lods = vec![Lod { mesh, coverage: None }];
    scene.nodes[Id::new(0)].transform =
        Transform::Trs { translation: [2., 0., 0.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let mut doc = package.document;
    edit(&mut doc.root.edit().nodes[1]);
    lift_document(&doc, &NoSource)
}

#[test]
fn levels_of_detail_may_have_names_and_keep_them() {
    let (scene, findings) = edited_level(|node| (node.name, node.extras) = (Some("oak, far".to_owned()), None));
    assert_eq!(findings, [""; 0]);
    assert_eq!((scene.nodes.len(), scene.meshes[Id::new(0)].lods.len()), (1, 1));
    let (parsed, losses) = glb("named-levels", &scene);
    assert_eq!(losses, [""; 0]);
    let nodes = &parsed.json["nodes"];
    assert_eq!(nodes[1]["name"], "oak, far");
    assert_eq!(nodes[0]["extras"], json!({"pentad": {"level": {"group": "node-0"}}}));

    let (scene, findings) = edited_level(|node| node.name = Some("Mesh_0".to_owned()));
    assert_eq!((findings, scene.meshes[Id::new(0)].lods.len()), (Vec::new(), 1));
    assert!(scene.nodes[Id::new(0)].extras.is_empty(), "a program called it so: {:?}", scene.nodes[Id::new(0)].extras);
}

#[test]
fn a_level_of_detail_that_became_a_node_leaves_no_words_behind() {
    let (scene, findings) = edited_level(|node| _ = node.extensions.insert("EXT_own".to_owned(), json!({})));
    assert_eq!((scene.nodes.len(), findings.len()), (2, 1), "{findings:?}");
    assert!(findings[0].starts_with("GLTF-036 nodes[1].extras.pentad: role "), "{findings:?}");
    assert_eq!(scene.nodes[Id::new(1)].extras.own, []);
}

#[test]
fn levels_of_detail_survive_programs_that_drop_the_extension() {
    let mut scene = scene_of(vec![triangle()]);
    let mesh = scene.meshes.add(mesh_of(vec![triangle()]));
    scene.meshes[Id::new(0)].lods = vec![Lod { mesh, coverage: None }];
    let (package, ..) = package::<Glb>(&scene, &Options::default());
    let mut doc = package.document;
    let root = doc.root.edit();
    root.nodes[0].extensions.clear();
    root.extensions_used.clear();
    // Blender shows what no scene names, calls it something, and numbers it anew.
    root.nodes[1].name = Some("Mesh_0".to_owned());
    root.nodes.swap(0, 1);
    root.scenes[0].nodes = vec![0, 1];
    let mut cx = LiftCx::new(&NoSource);
    let lifted = Glb::lift(&doc, &mut cx).unwrap();
    assert_eq!((lifted.nodes.len(), lifted.scenes[0].nodes.len()), (1, 1));
    assert_eq!(lifted.meshes[lifted.nodes[Id::new(0)].mesh.unwrap()].lods.len(), 1);

    // Two nodes that claim the same levels: nobody knows whose they are.
    let copy = doc.root.nodes[1].clone();
    doc.root.edit().nodes.push(copy);
    let lifted = Glb::lift(&doc, &mut LiftCx::new(&NoSource)).unwrap();
    assert_eq!(lifted.nodes.len(), 3);
}
