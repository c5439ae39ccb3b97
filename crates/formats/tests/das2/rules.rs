//! Findings beyond the pair of files that every rule has.

use formats::das2::{AnimationTarget, Attribute, Document, Structure};
use wire::F32;

use crate::support::*;

/// What is found in the model after a change that is not found before.
fn found_after(change: impl Fn(&mut Structure)) -> Vec<(&'static str, String)> {
    let seen = |doc: &Document| -> Vec<(&'static str, String)> {
        check(&write(doc), None).into_iter().map(|finding| (finding.rule.id, finding.message.to_string())).collect()
    };
    let mut doc = read(&corpus::das2::model());
    let before = seen(&doc);
    doc.structures.iter_mut().for_each(|structure| change(structure.edit()));
    seen(&doc).into_iter().filter(|found| !before.contains(found)).collect()
}

fn assert_found(found: &[(&'static str, String)], rule: &str, message: &str) {
    assert!(found.iter().any(|(id, text)| *id == rule && text.contains(message)), "{found:?}");
}

#[test]
fn meshes_without_positions_draw_nothing() {
    let found = found_after(|structure| {
        if let Structure::Mesh(mesh) = structure {
            mesh.set_slot(Attribute::Position, None);
        }
    });
    assert_found(&found, "DAS2-027", "there are no positions");
}

#[test]
fn weights_of_joints_are_errors() {
    let found = found_after(|structure| {
        if let Structure::AnimationChannel(channel) = structure
            && channel.animation_target == AnimationTarget::WEIGHTS
        {
            (channel.node_property_id, channel.joint_property_id) = (u32::MAX, 0);
        }
    });
    assert_found(&found, "DAS2-042", "weights belong to the morph targets of a node");
}

#[test]
fn skeletons_list_joints_once() {
    let twice = found_after(|structure| {
        if let Structure::Skeleton(skeleton) = structure {
            skeleton.joints = vec![0, 1, 1].into();
        }
    });
    assert_found(&twice, "DAS2-037", "joint 1 is in the list twice");
    let none = found_after(|structure| {
        if let Structure::Skeleton(skeleton) = structure {
            (skeleton.parent, skeleton.joints) = (u32::MAX, vec![].into());
        }
    });
    assert_found(&none, "DAS2-037", "no joints");
}

#[test]
fn morph_targets_move_by_numbers() {
    let doc = read(&corpus::das2::model());
    let parts = doc.parts();
    let moved = parts.meshes.iter().find_map(|mesh| mesh.morph_targets.first()?.slot(Attribute::Position, mesh));
    let moved = moved.expect("a morph target");
    let mut seen = 0;
    let mut doc = doc.clone();
    for structure in &mut doc.structures {
        if let Structure::Buffer(buffer) = structure.edit() {
            if seen == moved.buffer {
                let mut bytes = buffer.data.to_vec();
                bytes[moved.offset as usize..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
                *buffer = formats::das2::Buffer::new(wire::Blob::memory(bytes));
            }
            seen += 1;
        }
    }
    let found = check(&write(&doc), None);
    assert!(found.iter().any(|f| f.rule.id == "DAS2-030" && f.message.contains("a morph target moves")), "{found:?}");
}

#[test]
fn addresses_are_not_files() {
    let found = found_after(|structure| {
        if let Structure::MaterialPhong(material) = structure {
            material.diffuse = [F32(1.); 4];
            material.diffuse_map_uri = "http://example.org/wood.png".into();
        }
    });
    assert_found(&found, "DAS2-046", "is an address");
}

#[test]
fn circles_say_of_what() {
    let found = found_after(|structure| {
        if let Structure::SkeletonJoint(joint) = structure {
            joint.children = vec![0].into();
        }
    });
    assert_found(&found, "DAS2-035", "joint 0 is below itself");
}
