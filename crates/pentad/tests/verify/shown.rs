//! What counts is what is shown: by which scene, where, which side of it, with which image on it.

use super::*;

/// The model in two scenes, the moving triangle in the second.
fn two_scenes() -> Json {
    let mut root = model();
    root["scenes"] = json!([{ "nodes": [0, 2] }, { "nodes": [1] }]);
    root
}

#[test]
fn every_scene_shows_its_own() {
    let compared = |other: &Json| {
        verify(&asset(&two_scenes()), &to("gltf"), &Losses::default(), &asset(other), TOLERANCE).unwrap()
    };
    let same = compared(&two_scenes());
    assert!(same.holds && same.elements == 2, "{same:?}");
    // The same triangles, but one scene shows both.
    let moved = compared(&model());
    assert!(!moved.holds && (moved.missing_elements, moved.extra_elements) == (1, 1), "{moved:?}");
    // Stored, and shown by nobody.
    let mut unseen = two_scenes();
    unseen["scenes"][1]["nodes"] = json!([]);
    let unseen = compared(&unseen);
    assert!(!unseen.holds && unseen.missing_elements == 1, "{unseen:?}");
    // One of three copies is not there.
    let mut twice = model();
    twice["nodes"].as_array_mut().unwrap().push(json!({ "mesh": 0, "translation": [0.0, 0.0, 4.0] }));
    twice["scenes"][0]["nodes"] = json!([0, 1, 2, 3]);
    let once = verify(&asset(&twice), &to("gltf"), &Losses::default(), &asset(&model()), TOLERANCE).unwrap();
    assert!(!once.holds && (once.elements, once.missing_elements) == (3, 1), "{once:?}");
}

#[test]
fn a_skin_below_a_node_of_other_handedness_shows_its_other_side() {
    let mut mirrored = bent();
    mirrored["nodes"][0]["scale"] = json!([-1.0, 1.0, 1.0]);
    for (source, written) in [(&bent(), &mirrored), (&mirrored, &bent())] {
        let verified = verify(&asset(source), &to("gltf"), &Losses::default(), &asset(written), TOLERANCE).unwrap();
        assert!(!verified.holds && off(&verified).contains(&"max_position_error"), "{verified:?}");
    }
}

#[test]
fn a_mesh_of_which_joints_move_a_part_alone_holds() {
    let mut mixed = bent();
    let mut plain = mixed["meshes"][0]["primitives"][0].clone();
    let attributes = plain["attributes"].as_object_mut().unwrap();
    attributes.retain(|name, _| !name.starts_with("JOINTS") && !name.starts_with("WEIGHTS"));
    mixed["meshes"][0]["primitives"].as_array_mut().unwrap().push(plain);
    mixed["nodes"][0]["translation"] = json!([0.0, 0.0, 0.0]);
    let group = convert(&asset(&mixed), &to("das2")).unwrap().to_vec().unwrap();
    let group = File::from_bytes("model.das2", group).read(&Default::default()).unwrap();
    for source in [asset(&mixed), group] {
        let targets = FORMATS.iter().map(|target| target.info()).filter(|info| info.read && info.write);
        for target in targets.filter(|info| info.id != "mat") {
            let verified = written(&source, target.id);
            assert!(verified.holds && verified.elements == 4, "{}: {verified:?}", target.id);
        }
    }
    // The joint stands elsewhere than the node, which only the plain part follows.
    mixed["nodes"][2]["translation"] = json!([0.0, 0.0, 2.0]);
    for target in ["das2", "dgl3", "dgl2", "stl", "glb"] {
        let verified = written(&asset(&mixed), target);
        assert!(verified.holds && verified.elements == 4, "{target}: {verified:?}");
    }
}

#[test]
fn a_recoloured_piece_has_lost_its_colours_and_nothing_else() {
    let source = asset(&model());
    let mut options = to("danmodel");
    options.options.set("danmaku-colored", "still");
    let converted = convert(&source, &options).unwrap();
    let file = File::from_bytes("model.danmodel", converted.to_vec().unwrap());
    let written = file.read(&Default::default()).unwrap();
    let verified = verify(&source, &options, &converted.losses, &written, TOLERANCE).unwrap();
    assert!(verified.holds && verified.explained.contains(&Measure::MaxColorError), "{verified:?}");
}

/// One pixel, red and blue.
const PIXELS: [&str; 2] = [
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4wcAAAAJcAMlDyBJGAAAAAElFTkSuQmCC",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYDgBAADMAMkncsFaAAAAAElFTkSuQmCC",
];

fn painted(pixel: &str) -> Json {
    let mut root = model();
    root["images"] = json!([{ "uri": format!("data:image/png;base64,{pixel}") }]);
    root["textures"] = json!([{ "source": 0 }]);
    root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0 });
    root
}

#[test]
fn images_are_compared_by_their_pixels() {
    let source = asset(&painted(PIXELS[0]));
    let compared = |other: &Json| verify(&source, &to("gltf"), &Losses::default(), &asset(other), TOLERANCE).unwrap();
    assert!(compared(&painted(PIXELS[0])).holds);
    let blue = compared(&painted(PIXELS[1]));
    assert!(!blue.holds && off(&blue) == ["max_image_error"], "{blue:?}");
    // 200 of 255.
    assert!((blue.max_image_error - 200. / 255.).abs() < 1e-6, "{blue:?}");
    let bare = compared(&model());
    assert!(!bare.holds && off(&bare) == ["max_image_error"], "{bare:?}");
    for target in ["das2", "dragon", "dgl2", "dgl3", "glb"] {
        let verified = written(&source, target);
        assert!(verified.holds && verified.max_image_error == 0., "{target}: {verified:?}");
    }
}

#[test]
fn voxels_are_compared_one_by_one() {
    let find = |name: &str| corpus::samples().into_iter().find(|s| s.format == "dragon" && s.name == name).unwrap();
    let read = |bytes: Vec<u8>| File::from_bytes("source.dragon", bytes).read(&Default::default()).unwrap();
    let source = read((find("model").bytes)());
    let verified = verify(&source, &to("dragon"), &Losses::default(), &source, TOLERANCE).unwrap();
    let scene = source.scene().unwrap();
    let voxels: usize = scene.nodes.iter().filter_map(|node| Some(scene.voxels[node.voxels?].voxels.len())).sum();
    assert!(verified.holds && voxels > 0 && verified.elements >= voxels as u64, "{verified:?}");
    // A file without them, or with faces instead of one of them, is another.
    let without = read((find("one-triangle").bytes)());
    let verified = verify(&source, &to("dragon"), &Losses::default(), &without, TOLERANCE).unwrap();
    assert!(!verified.holds && verified.missing_elements > 0, "{verified:?}");
}

#[test]
fn animations_without_names_are_told_apart_by_their_order() {
    let mut nameless = two_animations();
    let animations = nameless["animations"].as_array_mut().unwrap();
    animations.iter_mut().for_each(|animation| _ = animation.as_object_mut().unwrap().remove("name"));
    let source = asset(&nameless);
    for target in ["das2", "dragon", "dgl3", "glb"] {
        let verified = written(&source, target);
        assert!(verified.holds && verified.samples > 1 && verified.missing_animations == 0, "{target}: {verified:?}");
    }
    let mut swapped = nameless.clone();
    swapped["animations"].as_array_mut().unwrap().swap(0, 1);
    let swapped = verify(&source, &to("gltf"), &Losses::default(), &asset(&swapped), TOLERANCE).unwrap();
    assert!(!swapped.holds && off(&swapped) == ["max_animated_error"], "{swapped:?}");
}
