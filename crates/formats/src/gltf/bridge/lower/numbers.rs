//! Numbers in extensions that are only kept follow the objects that they call.

use std::collections::{BTreeMap, HashMap};

use scene::Extras;
use scene::extras::NUMBER;
use scene::loss::LOSS_055;

use super::super::numbers;
use super::Output;
use crate::gltf::extensions::Object;

/// Where objects are that extensions call by their numbers.
#[derive(Default)]
pub(super) struct Now(HashMap<(Object, usize), Option<usize>>);

impl Now {
    fn add<'e>(&mut self, object: Object, all: impl Iterator<Item = &'e Extras>, at: impl Fn(usize) -> Option<usize>) {
        for (index, extras) in all.enumerate() {
            let number = extras.get(NUMBER).and_then(|number| usize::try_from(number.as_int()?).ok());
            if let Some(number) = number {
                self.0.entry((object, number)).or_insert(at(index));
            }
        }
    }

    /// Where everything will be that has its place before nodes are written.
    pub(super) fn of(out: &Output<'_, '_, '_>) -> Now {
        let scene = out.scene;
        let mut now = Now::default();
        let listed = |list: &[Option<usize>], index: usize| list.get(index).copied().flatten();
        now.add(Object::Texture, scene.textures.iter().map(|o| &o.extras), |i| listed(&out.images.called_textures, i));
        now.add(Object::Image, scene.images.iter().map(|o| &o.extras), |i| listed(&out.images.images, i));
        now.add(Object::Material, scene.materials.iter().map(|o| &o.extras), Some);
        now.add(Object::Node, scene.nodes.iter().map(|o| &o.extras), Some);
        now.add(Object::Mesh, scene.meshes.iter().map(|o| &o.extras), |i| listed(&out.meshes.at, i));
        now.add(Object::Camera, scene.cameras.iter().map(|o| &o.extras), Some);
        now.add(Object::Light, scene.lights.iter().map(|o| &o.extras), |i| listed(&out.nodes.lights, i));
        now
    }

    /// Where an object is that had this number.
    pub(super) fn at(&self, object: Object, number: usize) -> Option<usize> {
        self.0.get(&(object, number)).copied().flatten()
    }
}

/// Gives every number in such extensions its new value.
pub(super) fn follow(out: &mut Output<'_, '_, '_>) {
    let now = Now::of(out);
    if now.0.is_empty() {
        return;
    }
    let Ok(mut json) = serde_json::to_value(&out.root) else { return };
    let mut gone: BTreeMap<String, u64> = BTreeMap::new();
    numbers::follow(&mut json, &mut |name, object, number| {
        let at = now.at(object, number);
        if at.is_none() {
            *gone.entry(name.to_owned()).or_default() += 1;
        }
        at
    });
    if let Ok(root) = serde_json::from_value(json) {
        out.root = root;
    }
    for (name, count) in gone {
        out.cx.lose(&LOSS_055, "file", count, format!("what {name} says of objects"), "they are not there any more");
    }
}
