//! Documents and scenes: what a file says survives the way there and back.

use findings::Losses;
use formats::das2::{Das2, Document, Structure};
use formats::{Format, LiftCx, LowerCx, NoSource};
use scene::{Id, Scene};
use testing::{EveryFile, sample};

use crate::support::{read, write};

pub(crate) fn lift(doc: &Document) -> Scene {
    let mut cx = LiftCx::new(&EveryFile);
    let scene = Das2::lift(doc, &mut cx).expect("a scene");
    assert!(cx.losses.is_empty(), "{:?}", codes(&cx.losses));
    scene
}

/// The file that a scene becomes, read again, and what was lost.
pub(crate) fn lower(scene: &Scene, dialect: &'static str) -> (Document, Losses) {
    let lowered = testing::lower_in::<Das2>(scene, LowerCx::new(&EveryFile, dialect));
    (read(&write(&lowered.doc)), lowered.losses)
}

pub(crate) fn codes(losses: &Losses) -> Vec<&'static str> {
    losses.iter().map(|loss| loss.code).collect()
}

/// Everything but the names that one layout has and the map that the other has.
fn common(mut scene: Scene) -> Scene {
    scene.origin = None;
    scene.extras = Default::default();
    scene.animations.iter_mut().for_each(|animation| animation.name = Default::default());
    for material in scene.materials.iter_mut() {
        material.slots.retain(|slot| slot.role != scene::Role::Roughness);
        // A file by its path: there is one fewer.
        for slot in &mut material.slots {
            let image = scene.textures[slot.texture].image.expect("one");
            let scene::ImageSource::File { path, .. } = &scene.images[image].source else { panic!("a file") };
            material.properties.push((slot.role.name().into(), scene::Value::Text(path.clone())));
            slot.texture = Id::new(0);
        }
    }
    scene.textures.clear();
    scene.images.clear();
    scene
}

/// Asserts that a document means what a scene does, and that the way once more changes nothing.
fn assert_means(doc: &Document, scene: &Scene, what: &str) {
    let again = lift(doc);
    assert!(again == *scene, "{what}: another scene");
    let (second, _) = lower(&again, formats::Document::dialect(doc));
    assert!(write(&second) == write(doc), "{what} is another file the second time");
}

#[test]
fn everything_survives_its_own_layout() {
    for name in ["model", "triangle", "engine", "engine-triangle"] {
        let doc = read(&sample("das2", name));
        let scene = lift(&doc);
        let (again, losses) = lower(&scene, formats::Document::dialect(&doc));
        assert_eq!(codes(&losses), [""; 0], "{name}");
        let said = |doc: &Document| (doc.header.author_name.clone(), doc.header.comment.clone());
        assert_eq!(said(&again), said(&doc), "{name}");
        assert_means(&again, &scene, name);
    }
}

#[test]
fn everything_survives_the_other_layout_but_one_thing_each() {
    for (name, other, lost) in [("model", "engine", "LOSS-061"), ("engine", "spec", "LOSS-060")] {
        let scene = lift(&read(&sample("das2", name)));
        let (there, losses) = lower(&scene, other);
        assert_eq!(codes(&losses), [lost], "{name}");
        assert!(common(lift(&there)) == common(scene.clone()), "{name} as {other}");
        let back = lower(&lift(&there), formats::Document::dialect(&read(&sample("das2", name))));
        assert_eq!(codes(&back.1), [""; 0], "{name}");
        assert!(common(lift(&back.0)) == common(scene), "{name} as {other} and back");
    }
}

#[test]
fn a_mesh_group_is_a_mesh_and_its_meshes_are_parts() {
    let scene = lift(&read(&corpus::das2::model()));
    let names: Vec<String> = scene.meshes.iter().map(|mesh| mesh.name.to_string()).collect();
    assert_eq!(names, ["", "skinned", "morphed"], "a LOD, and the group it belongs to");
    let skinned = &scene.meshes[Id::new(1)];
    assert_eq!((skinned.primitives.len(), skinned.lods.len(), skinned.lods[0].mesh), (1, 1, Id::new(0)));
    let part = &skinned.primitives[0];
    // V counts from the bottom: (0, 0), (1, 0), (0, 1) and (0.5, 0.5), (1, 0.5), (0.5, 1).
    let uv = |set| part.get(&scene::Semantic::TexCoord(set)).expect("a set").to_f32();
    assert_eq!(uv(0), [0., 1., 1., 1., 0., 0.]);
    assert_eq!(uv(1), [0.5, 0.5, 1., 0.5, 0.5, 0.]);
    let material = &scene.materials[part.material.expect("one")];
    assert_eq!(material.slot(&scene::Role::BaseColor).map(|slot| slot.uv_set), Some(0));
    assert_eq!(material.slot(&scene::Role::SpecularColor).map(|slot| slot.uv_set), Some(1), "slot 7");
}

#[test]
fn joints_stand_below_the_node_that_binds_them() {
    let scene = lift(&read(&corpus::das2::model()));
    let skin = &scene.skins[Id::new(0)];
    let names: Vec<String> = skin.joints.iter().map(|joint| scene.nodes[*joint].name.to_string()).collect();
    assert_eq!(names, ["hip", "knee"]);
    assert_eq!(skin.root, Some(skin.joints[0]));
    assert_eq!(scene.nodes[Id::new(1)].children, [skin.joints[0]], "below the dancer");
    assert_eq!(scene.nodes[skin.joints[0]].children, [skin.joints[1]]);
    // Rows in the file, columns here: half a unit down.
    assert_eq!(skin.inverse_bind[1][13], -0.5);
}

#[test]
fn a_skeleton_that_two_nodes_bind_moves_both_and_stays_one() {
    let mut doc = read(&corpus::das2::model());
    let nodes = doc.structures.iter_mut().filter(|s| matches!(&***s, Structure::Node(_)));
    if let Some(Structure::Node(node)) = nodes.skip(3).map(|s| s.edit()).next() {
        (node.skeleton_id, node.mesh_group_id) = (0, 0);
    }
    let doc = read(&write(&doc));
    let scene = lift(&doc);
    assert_eq!(scene.skins.len(), 2);
    let turned = scene.animations[Id::new(0)].channels.iter().filter(|c| c.track == scene::Track::Rotation);
    assert_eq!(turned.count(), 2, "the knee below each of them");
    let (again, losses) = lower(&scene, "spec");
    assert_eq!(codes(&losses), [""; 0]);
    assert_eq!((again.parts().joints.len(), again.parts().skeletons.len()), (2, 1));
    assert_means(&again, &scene, "it");
}

#[test]
fn what_nothing_places_is_shown_and_placed_nowhere_again() {
    let mut doc = read(&corpus::das2::model());
    // The last node of the file, which alone is in the second scene, and every node that shows something.
    for structure in &mut doc.structures {
        if let Structure::Node(node) = structure.edit() {
            (node.mesh_group_id, node.skeleton_id) = (u32::MAX, u32::MAX);
        }
    }
    let doc = read(&write(&doc));
    let scene = lift(&doc);
    let unplaced = scene.nodes.iter().filter(|node| node.role == scene::NodeRole::Unplaced);
    assert_eq!(unplaced.count(), 3, "two groups and a skeleton");
    let (again, losses) = lower(&scene, "spec");
    assert_eq!(codes(&losses), [""; 0]);
    assert_eq!(again.parts().nodes.len(), doc.parts().nodes.len());
    assert_means(&again, &scene, "it");
}

#[test]
fn a_matrix_behind_a_transform_is_a_node_of_its_own() {
    let mut doc = read(&corpus::das2::model());
    for structure in &mut doc.structures {
        if let Structure::Node(node) = structure.edit()
            && node.name.text.to_string() == "elsewhere"
        {
            node.translation[1] = wire::F32(4.);
        }
    }
    let doc = read(&write(&doc));
    let scene = lift(&doc);
    let outer = &scene.nodes[Id::new(3)];
    let inner = &scene.nodes[outer.children[0]];
    assert!(outer.mesh.is_none() && inner.mesh.is_some());
    // Moved by (1, 2, 3) in the file's rows, and up by 4 before that.
    let placed = scene.placed(1);
    let (_, world) = placed.iter().find(|(id, _)| *id == outer.children[0]).expect("placed");
    assert_eq!(world.w_axis.truncate().to_array(), [1., 6., 3.]);
    let (again, losses) = lower(&scene, "spec");
    assert_eq!(codes(&losses), [""; 0]);
    assert_means(&again, &scene, "it");
}

#[test]
fn what_is_named_twice_means_the_same() {
    let mut doc = read(&corpus::das2::model());
    for structure in &mut doc.structures {
        match structure.edit() {
            Structure::Skeleton(skeleton) => skeleton.joints = vec![0, 1, 1].into(),
            Structure::MeshGroup(group) => group.meshes = vec![0, 1].into(),
            _ => {}
        }
    }
    let scene = lift(&read(&write(&doc)));
    let (again, losses) = lower(&scene, "spec");
    assert_eq!(codes(&losses), [""; 0]);
    assert_eq!(again.parts().joints.len(), 2);
    assert_means(&again, &scene, "it");
}

#[test]
fn indices_of_a_morph_target_are_left_aside_and_listed() {
    let mut doc = read(&corpus::das2::model());
    let scene = lift(&doc);
    for structure in &mut doc.structures {
        if let Structure::Mesh(mesh) = structure.edit()
            && let Some(target) = mesh.morph_targets.first_mut()
        {
            (target.index_buffer_id, target.index_buffer_offset) = (Some(0), 2);
        }
    }
    let mut cx = LiftCx::new(&NoSource);
    let again = Das2::lift(&read(&write(&doc)), &mut cx).expect("a scene");
    assert_eq!(codes(&cx.losses), ["LOSS-015"]);
    assert!(again.meshes == scene.meshes, "the vertices of its mesh, in the order of its mesh");
}

#[test]
fn joints_that_skeletons_share_become_joints_of_each() {
    let mut doc = read(&corpus::das2::model());
    let other = doc.parts().skeletons.len() as u32;
    let skeleton = doc.parts().skeletons[0].clone();
    // The node that only the second scene shows binds a skeleton of its own with the joints of the first.
    for structure in &mut doc.structures {
        if let Structure::Node(node) = structure.edit()
            && node.name.text.to_string() == "elsewhere"
        {
            (node.skeleton_id, node.mesh_group_id) = (other, 0);
        }
    }
    doc.push(Structure::Skeleton(skeleton));
    let doc = read(&write(&doc));
    let scene = lift(&doc);
    assert_eq!(scene.skins.len(), 2);
    let (again, losses) = lower(&scene, "spec");
    assert_eq!(codes(&losses), [""; 0]);
    let (was, is) = (doc.parts(), again.parts());
    assert_eq!((is.skeletons.len(), is.joints.len()), (2, was.joints.len() * 2));
    assert_means(&again, &scene, "it");
}

#[test]
fn counts_of_weights_say_nothing_elsewhere() {
    let mut doc = read(&corpus::das2::model());
    let scene = lift(&doc);
    for structure in &mut doc.structures {
        if let Structure::AnimationChannel(channel) = structure.edit()
            && channel.animation_target != formats::das2::AnimationTarget::WEIGHTS
        {
            channel.weight_count = 3;
        }
    }
    let again = lift(&read(&write(&doc)));
    assert!(again == scene);
    let (written, _) = lower(&again, "spec");
    let counts = written.parts().channels.iter().map(|channel| channel.weight_count).collect::<Vec<u32>>();
    assert!(counts.len() > 1 && counts.iter().all(|count| *count <= 1), "{counts:?}");
}
