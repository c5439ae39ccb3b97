//! Edits of files whose structures do not stand as a writer would put them: the others stay, and all of them mean what
//! the edited scene does.

use formats::Format;
use formats::das2::{Das2, Document, Kind, Structure};
use formats::restore::Three;
use scene::{Id, Node, Scene, Transform};

use crate::bridge::{lift, lower};
use crate::support::{read, write};

/// The sample that has everything, changed as a file.
fn odd(change: impl FnOnce(&mut Document)) -> Document {
    let mut doc = read(&corpus::das2::model());
    change(&mut doc);
    read(&write(&doc))
}

/// The kinds and numbers of what an edit changes or adds; nothing if nothing of the origin can stay.
fn edited(origin: &Document, edit: impl FnOnce(&mut Scene)) -> Vec<(Kind, usize)> {
    let mut scene = lift(origin);
    let base = lower(&scene, "spec").0;
    edit(&mut scene);
    let ours = lower(&scene, "spec").0;
    let merged = Das2::merge(Three { origin, base: &base, ours: &ours }).expect("they correspond").document;
    let merged = read(&write(&merged));
    // What it means is what ours does, however it is stored.
    let said = |doc: &Document| lift(&lower(&lift(doc), "spec").0);
    assert!(said(&merged) == said(&ours), "it means something else");
    let list = |doc: &Document, kind: Kind| -> Vec<Structure> {
        doc.structures.iter().map(|structure| (**structure).clone()).filter(|own| own.kind() == kind).collect()
    };
    let changed = |kind: Kind| {
        let (was, is) = (list(origin, kind), list(&merged, kind));
        assert!(is.len() >= was.len());
        (0..is.len()).filter(move |at| was.get(*at) != is.get(*at)).map(move |at| (kind, at))
    };
    Kind::TOP.into_iter().flat_map(changed).collect()
}

fn node<'s>(scene: &'s mut Scene, name: &str) -> &'s mut Node {
    scene.nodes.iter_mut().find(|node| node.name.to_string() == name).expect("a node")
}

fn moved(node: &mut Node) {
    node.transform = Transform::Trs { translation: [7., 8., 9.], rotation: [0., 0., 0., 1.], scale: [1.; 3] };
}

fn place(scene: &Scene, name: &str) -> usize {
    scene.nodes.iter().position(|node| node.name.to_string() == name).expect("a node")
}

#[test]
fn numbers_of_the_file_stay() {
    // Meshes, joints and channels in the opposite order.
    let origin = odd(|doc| {
        let counts = [Kind::MESH, Kind::SKELETON_JOINT, Kind::ANIMATION_CHANNEL];
        let count = |kind| doc.structures.iter().filter(|own| own.kind() == kind).count() as u32;
        let [meshes, joints, channels] = counts.map(count);
        let turned = |ids: &mut wire::Bulk<u32>, count: u32| {
            *ids = ids.iter().map(|id| count - 1 - id).collect::<Vec<u32>>().into();
        };
        for structure in &mut doc.structures {
            match structure.edit() {
                Structure::MeshGroup(group) => turned(&mut group.meshes, meshes),
                Structure::SkeletonJoint(joint) => turned(&mut joint.children, joints),
                Structure::Animation(animation) => turned(&mut animation.animation_channels, channels),
                Structure::Skeleton(skeleton) => {
                    turned(&mut skeleton.joints, joints);
                    skeleton.parent = joints - 1 - skeleton.parent;
                }
                Structure::AnimationChannel(channel) if channel.joint_property_id != u32::MAX => {
                    channel.joint_property_id = joints - 1 - channel.joint_property_id;
                }
                _ => {}
            }
        }
        let all = std::mem::take(&mut doc.structures);
        let (turned, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|own| counts.contains(&own.kind()));
        doc.structures = others;
        doc.structures.extend(turned.into_iter().rev());
    });
    assert_eq!(edited(&origin, |_| {}), []);
    assert_eq!(edited(&origin, |scene| moved(node(scene, "elsewhere"))).len(), 1);
    let knee = edited(&origin, |scene| moved(node(scene, "knee")));
    assert_eq!(knee, [(Kind::SKELETON_JOINT, 0)], "the second joint is the first of the file");
}

#[test]
fn what_groups_share_is_parted_where_somebody_parts_it() {
    let origin = odd(|doc| {
        for structure in &mut doc.structures {
            if let Structure::MeshGroup(group) = structure.edit() {
                group.meshes = vec![0, 1].into();
            }
        }
    });
    assert_eq!(edited(&origin, |_| {}), []);
    let renamed = edited(&origin, |scene| {
        let named = scene.meshes.iter_mut().find(|mesh| !mesh.name.is_empty());
        named.expect("a mesh with a name").name = "another".into();
    });
    assert_eq!(renamed, [(Kind::MESH_GROUP, 0)]);
    // Both of two that are one.
    let both = edited(&origin, |scene| {
        for mesh in scene.meshes.iter_mut().filter(|mesh| !mesh.name.is_empty()) {
            mesh.primitives[1].material = None;
        }
    });
    assert!(both.contains(&(Kind::MESH, 1)), "{both:?}");
    // One of two that were one: it is a mesh of its own, and its group names it.
    let parted = edited(&origin, |scene| {
        let last = scene.meshes.ids().last().expect("a mesh");
        scene.meshes[last].primitives[0].material = None;
    });
    let meshes = origin.parts().meshes.len();
    assert!(parted.contains(&(Kind::MESH, meshes)) && parted.contains(&(Kind::MESH_GROUP, 1)), "{parted:?}");
    assert!(parted.iter().all(|unit| unit.0 == Kind::BUFFER || unit.0 == Kind::MESH_GROUP || unit.1 == meshes));
}

#[test]
fn a_node_of_two_transforms_stays_one_until_somebody_changes_it() {
    let origin = odd(|doc| {
        for structure in &mut doc.structures {
            if let Structure::Node(node) = structure.edit()
                && node.name.text.to_string() == "elsewhere"
            {
                node.translation[1] = wire::F32(4.);
            }
        }
    });
    assert_eq!(edited(&origin, |_| {}), []);
    let at = place(&lift(&origin), "elsewhere");
    let nodes = origin.parts().nodes.len();
    let outer = edited(&origin, |scene| moved(node(scene, "elsewhere")));
    assert_eq!(outer, [(Kind::NODE, at), (Kind::NODE, nodes)]);
    let inner = edited(&origin, |scene| {
        let inner = scene.nodes[Id::new(at)].children[0];
        moved(&mut scene.nodes[inner]);
    });
    assert_eq!(inner, [(Kind::NODE, at), (Kind::NODE, nodes)]);
}

#[test]
fn what_nothing_names_stays_when_something_else_changes() {
    let origin = odd(|doc| {
        for structure in &mut doc.structures {
            match structure.edit() {
                Structure::Animation(animation) => animation.animation_channels = vec![].into(),
                Structure::Node(node) => node.skeleton_id = u32::MAX,
                _ => {}
            }
        }
        doc.structures.retain(|own| own.kind() != Kind::SKELETON && own.kind() != Kind::MESH_GROUP);
        doc.structures.retain(|own| own.kind() != Kind::SCENE);
        for structure in &mut doc.structures {
            if let Structure::Node(node) = structure.edit() {
                node.mesh_group_id = u32::MAX;
            }
        }
    });
    assert_eq!(edited(&origin, |_| {}), []);
    assert_eq!(edited(&origin, |scene| moved(node(scene, "elsewhere"))).len(), 1);
}
