//! Objects that extensions call by their numbers remember them.

use std::collections::BTreeSet;

use scene::extras::NUMBER;
use scene::{Extras, Id, Track};

use super::super::numbers::{follow, pointed_at};
use super::Input;
use crate::gltf::extensions::{self, Object};
use crate::gltf::schema::Root;

/// What extensions call by numbers, in a file that has extensions which are only kept.
pub(super) type Called = BTreeSet<(Object, usize)>;

pub(super) fn called(root: &Root) -> Called {
    let mut called = Called::new();
    if root.extensions_used.iter().any(|name| !extensions::is_understood(name))
        && let Ok(mut json) = serde_json::to_value(root)
    {
        follow(&mut json, &mut |_, object, number| {
            called.insert((object, number));
            Some(number)
        });
    }
    called
}

/// Textures and images have the numbers of the file until materials are there.
pub(super) fn mark_images(input: &mut Input<'_, '_, '_>, called: &Called) {
    for (object, number) in called {
        let extras = match object {
            Object::Texture => input.scene.textures.iter_mut().nth(*number).map(|texture| &mut texture.extras),
            Object::Image => input.scene.images.iter_mut().nth(*number).map(|image| &mut image.extras),
            _ => None,
        };
        mark(extras, *number);
    }
}

/// Everything else, and what animations point at.
pub(super) fn mark_others(input: &mut Input<'_, '_, '_>, mut called: Called) {
    let channels = input.scene.animations.iter().flat_map(|animation| &animation.channels);
    let words = channels.filter_map(|channel| match &channel.track {
        Track::Other { word, .. } => pointed_at(word),
        _ => None,
    });
    called.extend(words.map(|(object, number, _)| (object, number)));
    for (object, number) in called {
        let scene = &mut input.scene;
        let extras = match object {
            Object::Texture | Object::Image => None,
            Object::Material => {
                input.made.materials.get(number).copied().flatten().map(|id| &mut scene.materials[id].extras)
            }
            Object::Node => input.made.nodes.get(number).copied().flatten().map(|id| &mut scene.nodes[id].extras),
            Object::Mesh => input.made.meshes.get(number).map(|shown| &mut scene.meshes[shown.mesh].extras),
            Object::Camera => Some(number)
                .filter(|number| *number < scene.cameras.len())
                .map(|number| &mut scene.cameras[Id::new(number)].extras),
            Object::Light => input.made.lights.get(number).copied().flatten().map(|id| &mut scene.lights[id].extras),
        };
        mark(extras, number);
    }
}

fn mark(extras: Option<&mut Extras>, number: usize) {
    if let (Some(extras), Ok(number)) = (extras, i64::try_from(number)) {
        extras.set(NUMBER, number);
    }
}
