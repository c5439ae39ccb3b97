//! The strings of structures.

use super::structure::Structure;
use super::text::DasString;

/// Calls `see` with every string of a structure and the name of its field.
pub(super) fn each_string(structure: &Structure, see: &mut dyn FnMut(&'static str, &DasString)) {
    match structure {
        Structure::MeshGroup(it) => see("name", &it.name),
        Structure::Node(it) => see("name", &it.name),
        Structure::Scene(it) => see("name", &it.name),
        Structure::SkeletonJoint(it) => see("name", &it.name),
        Structure::Skeleton(it) => see("name", &it.name),
        Structure::Animation(it) => it.name.iter().for_each(|name| see("name", name)),
        Structure::MaterialPhong(it) => {
            see("name", &it.name);
            it.maps().for_each(|(field, uri)| see(field, uri));
        }
        Structure::MaterialPbr(it) => {
            see("name", &it.name);
            it.maps().for_each(|(field, uri)| see(field, uri));
        }
        Structure::Buffer(_) | Structure::Mesh(_) | Structure::AnimationChannel(_) => {}
    }
}

/// Calls `change` with every string of a structure.
pub(super) fn each_string_mut(structure: &mut Structure, change: &mut dyn FnMut(&mut DasString)) {
    match structure {
        Structure::MeshGroup(it) => change(&mut it.name),
        Structure::Node(it) => change(&mut it.name),
        Structure::Scene(it) => change(&mut it.name),
        Structure::SkeletonJoint(it) => change(&mut it.name),
        Structure::Skeleton(it) => change(&mut it.name),
        Structure::Animation(it) => it.name.iter_mut().for_each(change),
        Structure::MaterialPhong(it) => {
            let maps = [&mut it.name, &mut it.diffuse_map_uri, &mut it.specular_map_uri, &mut it.emission_map_uri];
            maps.into_iter().for_each(change);
        }
        Structure::MaterialPbr(it) => {
            let maps = [&mut it.name, &mut it.albedo_map_uri, &mut it.emission_map_uri, &mut it.metallic_map];
            let maps = maps.into_iter().chain([&mut it.ambient_occlusion_map_uri]);
            maps.chain(&mut it.roughness_map).for_each(change);
        }
        Structure::Buffer(_) | Structure::Mesh(_) | Structure::AnimationChannel(_) => {}
    }
}
