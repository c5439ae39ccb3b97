//! What is the same although it is stored otherwise: no false alarms, and none that is missing.

use super::*;

#[test]
fn animations_of_one_name_are_told_apart_by_their_order() {
    let named = |first: &str, second: &str| {
        let mut root = two_animations();
        root["animations"][0]["name"] = json!(first);
        root["animations"][1]["name"] = json!(second);
        root
    };
    let source = asset(&named("late", "late"));
    for target in ["das2", "dragon", "glb"] {
        let verified = written(&source, target);
        assert!(verified.holds && verified.samples > 1, "{target}: {verified:?}");
        assert!(verified.max_animated_error < TOLERANCE, "{target}: {verified:?}");
    }
    let compared = |other: &Json| verify(&source, &to("gltf"), &Losses::default(), &asset(other), TOLERANCE).unwrap();
    let mut swapped = named("late", "late");
    swapped["animations"].as_array_mut().unwrap().swap(0, 1);
    assert!(off(&compared(&swapped)).contains(&"max_animated_error"));
    assert_eq!(off(&compared(&named("late", "later"))), ["renamed_animations"], "one has another name");
}

/// The model with two copies of its first triangle, which stand about a node of their own place.
fn copied() -> Json {
    let mut root = model();
    root["extensionsUsed"].as_array_mut().unwrap().push(json!("EXT_mesh_gpu_instancing"));
    root["nodes"][0]["extensions"] = json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": 5 } } });
    root["animations"] = json!([]);
    root
}

#[test]
fn copies_stand_where_they_stand_wherever_their_node_does() {
    let source = asset(&copied());
    let verified = written(&source, "dragon");
    assert!(verified.holds && verified.elements == 3 && verified.missing_nodes == 0, "{verified:?}");
    let compared = |edit: &dyn Fn(&mut Json)| {
        let mut other = copied();
        edit(&mut other);
        verify(&source, &to("gltf"), &Losses::default(), &asset(&other), TOLERANCE).unwrap()
    };
    let moved = compared(&|root| root["nodes"][0]["translation"] = json!([1.0, 0.5, 0.0]));
    assert!(off(&moved).contains(&"max_position_error"), "{moved:?}");
    let renamed = compared(&|root| root["nodes"][0]["name"] = json!("other"));
    assert_eq!(off(&renamed), ["missing_nodes"]);
}

#[test]
fn joints_that_mirror_turn_no_corners_round() {
    let mirror = json!([-1.0, 1.0, 1.0]);
    let mut refused = Vec::new();
    for mirrored in [&[2][..], &[0], &[0, 2]] {
        let mut root = bent();
        mirrored.iter().for_each(|node: &usize| root["nodes"][*node]["scale"] = mirror.clone());
        let source = asset(&root);
        let targets = FORMATS.iter().map(|target| target.info()).filter(|info| info.read && info.write);
        for target in targets.filter(|info| info.id != "mat") {
            let verified = written(&source, target.id);
            if !verified.holds {
                refused.push(format!("{mirrored:?} as {}: {verified:?}", target.id));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    // The other side of the triangle is not the same.
    let mut root = bent();
    root["nodes"][2]["scale"] = mirror;
    root["nodes"][1].as_object_mut().unwrap().remove("mesh");
    root["animations"] = json!([]);
    let mut stl = convert(&asset(&root), &to("stl")).unwrap().to_vec().unwrap();
    let (first, second) = (84 + 12 + 12, 84 + 12 + 24);
    (0..12).for_each(|i| stl.swap(first + i, second + i));
    let stl = File::from_bytes("model.stl", stl).read(&Default::default()).unwrap();
    let verified = verify(&asset(&root), &to("stl"), &Losses::default(), &stl, TOLERANCE).unwrap();
    assert!(!verified.holds && off(&verified).contains(&"max_position_error"), "{verified:?}");
}
