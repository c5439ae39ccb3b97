//! Names, properties and metadata the target has no field for.

use std::collections::BTreeMap;

use findings::Losses;

use super::Target;
use crate::loss::*;
use crate::{Extras, Name, Named, Node, Properties, Scene};

/// The words of what can stand in several places: nodes, meshes and their parts.
pub(super) fn fit_shapes(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    drop_names_of_objects(scene, target, losses);
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        let place = Scene::label("node", index, &node.name);
        drop_words(&place, &mut node.properties, &mut node.extras, target, losses);
    }
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let place = Scene::label("mesh", index, &mesh.name);
        drop_words(&place, &mut mesh.properties, &mut mesh.extras, target, losses);
    }
    super::each_primitive(scene, |primitive, place| drop_extras(place, &mut primitive.extras, target, losses));
}

/// The words of everything else.
pub(super) fn fit(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    drop_names(scene, target, losses);
    let mut words = |place: &str, properties: &mut Properties, extras: &mut Extras| {
        drop_words(place, properties, extras, target, losses);
    };
    words("file", &mut scene.metadata.properties, &mut scene.extras);
    for (index, root) in scene.scenes.iter_mut().enumerate() {
        words(&Scene::label("scene", index, &root.name), &mut Properties::new(), &mut root.extras);
    }
    for (index, material) in scene.materials.iter_mut().enumerate() {
        words(&Scene::label("material", index, &material.name), &mut material.properties, &mut material.extras);
    }
    for (index, texture) in scene.textures.iter_mut().enumerate() {
        words(&Scene::label("texture", index, &texture.name), &mut Properties::new(), &mut texture.extras);
    }
    for (index, image) in scene.images.iter_mut().enumerate() {
        words(&Scene::label("image", index, &image.name), &mut Properties::new(), &mut image.extras);
    }
    let rest = (scene.skins.iter_mut().enumerate())
        .map(|(i, skin)| (Scene::label("skin", i, &skin.name), &mut skin.extras))
        .chain(
            scene
                .animations
                .iter_mut()
                .enumerate()
                .map(|(i, a)| (Scene::label("animation", i, &a.name), &mut a.extras)),
        )
        .chain(scene.lights.iter_mut().enumerate().map(|(i, l)| (Scene::label("light", i, &l.name), &mut l.extras)))
        .chain(scene.cameras.iter_mut().enumerate().map(|(i, c)| (Scene::label("camera", i, &c.name), &mut c.extras)));
    for (place, extras) in rest {
        words(&place, &mut Properties::new(), extras);
    }
    drop_metadata(scene, target, losses);
}

/// Lists the names of nodes and meshes that the target has no room for. They stay in the scene: options such as
/// `--danmaku-colored` choose objects by them.
fn drop_names_of_objects(scene: &Scene, target: &Target<'_>, losses: &mut Losses) {
    let why = || target.why("names for them");
    if !target.can.names.contains(&Named::Objects) {
        // What shows nothing goes with the hierarchy, which is told then.
        let stays = |node: &&Node| node.mesh.is_some() || !target.can.hierarchy.is_lost();
        let nodes = scene.nodes.iter().filter(stays).map(|o| &o.name);
        let objects = nodes.chain(scene.meshes.iter().map(|o| &o.name));
        let given = |name: &&Name| !name.is_empty() && scene.made_up_name.as_ref() != Some(name);
        let count = objects.filter(given).count();
        if count > 0 {
            losses.add(&LOSS_014, "", count as u64, "names of nodes and meshes", why());
        }
    } else if !target.can.names.contains(&Named::Meshes) {
        let shown =
            scene.nodes.iter().filter_map(|node| Some((node.mesh?.index(), scene.meshes.get(node.mesh?)?, node)));
        let lost = shown.filter(|(_, mesh, node)| !mesh.name.is_empty() && mesh.name != *node.called(mesh));
        for (index, name) in lost.map(|(index, mesh, _)| (index, &mesh.name)).collect::<BTreeMap<_, _>>() {
            losses.add(&LOSS_014, Scene::label("mesh", index, name), 1, "name of the mesh", why());
        }
    }
}

/// Lists the names of everything else that the target has no room for.
fn drop_names(scene: &Scene, target: &Target<'_>, losses: &mut Losses) {
    let mut lose = |named: Named, what: &str, place: String, count: usize| {
        if count > 0 && !target.can.names.contains(&named) {
            losses.add(&LOSS_014, place, count as u64, what, target.why("names for them"));
        }
    };
    let is_named = |name: &&Name| !name.is_empty();
    for (index, mesh) in scene.meshes.iter().enumerate() {
        let place = Scene::label("mesh", index, &mesh.name);
        let count = mesh.morphs.iter().map(|o| &o.name).filter(is_named).count();
        lose(Named::Morphs, "names of morph targets", place, count);
    }
    let mut each = |named: Named, kind: &str, names: &mut dyn Iterator<Item = (usize, &Name)>| {
        for (index, name) in names.filter(|(_, name)| is_named(name)) {
            lose(named, &format!("name of the {kind}"), Scene::label(kind, index, name), 1);
        }
    };
    each(Named::Materials, "material", &mut scene.materials.iter().map(|o| &o.name).enumerate());
    each(Named::Textures, "texture", &mut scene.textures.iter().map(|o| &o.name).enumerate());
    let images = scene.images.iter().enumerate().filter(|(_, image)| !image.is_named_by_its_file());
    each(Named::Images, "image", &mut images.map(|(index, o)| (index, &o.name)));
    each(Named::Skins, "skin", &mut scene.skins.iter().map(|o| &o.name).enumerate());
    each(Named::Animations, "animation", &mut scene.animations.iter().map(|o| &o.name).enumerate());
    // What has its node's name, or a node without one, keeps it.
    let mut lights = BTreeMap::new();
    let mut cameras = BTreeMap::new();
    for node in scene.nodes.iter().filter(|node| !node.name.is_empty()) {
        if let Some(id) = node.light
            && let Some(light) = scene.lights.get(id).filter(|light| light.name != node.name)
        {
            lights.insert(id.index(), &light.name);
        }
        if let Some(id) = node.camera
            && let Some(camera) = scene.cameras.get(id).filter(|camera| camera.name != node.name)
        {
            cameras.insert(id.index(), &camera.name);
        }
    }
    each(Named::Lights, "light", &mut lights.into_iter());
    each(Named::Cameras, "camera", &mut cameras.into_iter());
}

/// What users and files say about a node that is left out.
pub(super) fn drop_node(place: &str, node: &mut Node, target: &Target<'_>, losses: &mut Losses) {
    drop_properties(place, &mut node.properties, target, losses);
    drop_extras(place, &mut node.extras, target, losses);
}

fn drop_words(place: &str, properties: &mut Properties, extras: &mut Extras, target: &Target<'_>, losses: &mut Losses) {
    if target.can.properties.is_lost() {
        drop_properties(place, properties, target, losses);
    }
    drop_extras(place, extras, target, losses);
}

fn drop_properties(place: &str, properties: &mut Properties, target: &Target<'_>, losses: &mut Losses) {
    for (name, _) in properties.drain(..) {
        losses.add(&LOSS_015, place, 1, format!("property {name}"), target.why("properties"));
    }
}

fn drop_extras(place: &str, extras: &mut Extras, target: &Target<'_>, losses: &mut Losses) {
    if target.can.carries {
        return;
    }
    let foreign = extras.own.extract_if(.., |(key, _)| key.split('.').next() != Some(target.id));
    for (key, _) in foreign {
        let what = match key.split_once('.') {
            Some((format, word)) => format!("what only {format} says: {word}"),
            None => format!("property {key}"),
        };
        losses.add(&LOSS_015, place, 1, what, target.why("such property"));
    }
    if extras.foreign.take().is_some() {
        losses.add(&LOSS_015, place, 1, "glTF extras", target.why("extras"));
    }
    for (name, _) in extras.extensions.drain(..) {
        losses.add(&LOSS_015, place, 1, format!("glTF extension {name}"), target.why("extensions"));
    }
}

fn drop_metadata(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    let metadata = &mut scene.metadata;
    let keys = [
        ("title", &mut metadata.title),
        ("description", &mut metadata.description),
        ("author", &mut metadata.author),
        ("copyright", &mut metadata.copyright),
        ("comment", &mut metadata.comment),
        ("project", &mut metadata.project),
    ];
    for (key, value) in keys {
        if !value.is_empty() && !target.can.metadata.contains(&key) {
            losses.add(&LOSS_016, "file", 1, key, target.why("field for it"));
            *value = Name::default();
        }
    }
    if metadata.created.is_some() && !target.can.metadata.contains(&"created") {
        losses.add(&LOSS_016, "file", 1, "created", target.why("field for it"));
        metadata.created = None;
    }
    if !metadata.raw.is_empty() && !target.can.metadata.contains(&"raw") {
        losses.add(&LOSS_016, "file", 1, "header data", target.why("opaque header data"));
        metadata.raw.clear();
    }
}
