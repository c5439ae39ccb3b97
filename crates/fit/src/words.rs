//! Names, properties and metadata the target has no field for.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use findings::{Losses, Subject, SubjectKind};
use scene::extras::{COPY, INSIDE, MIN_VERSION, NUMBER, REQUIRED};
use scene::loss::*;
use scene::{Channel, Extras, Id, Image, Name, Named, Node, Owner, Properties, Scene, Track, Value};

use super::Target;

/// Of nodes, meshes and their parts, which can stand in several places.
pub(super) fn fit_nodes_and_meshes(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    drop_names_of_objects(scene, target, losses);
    for (index, node) in scene.nodes.iter_mut().enumerate() {
        let place = node.subject(index);
        keep_words(Owner::Nodes, &place, &mut node.properties, &mut node.extras, target, losses);
    }
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let place = mesh.subject(index);
        keep_words(Owner::Meshes, &place, &mut mesh.properties, &mut mesh.extras, target, losses);
    }
    super::each_primitive(scene, |primitive, place| drop_extras(place, &mut primitive.extras, target, losses));
}

/// Of everything else.
pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    drop_names(scene, target, losses);
    drop_pointers(scene, target, losses);
    forget_sources(scene, target);
    let shown = scene.default_scene.unwrap_or(0);
    let properties = &mut scene.metadata.properties;
    for (index, root) in scene.scenes.iter_mut().enumerate() {
        let place = root.subject(index);
        // What users say about the scene is what they say about a file that has no other.
        if index == shown && target.can.properties.contains(&Owner::File) {
            keep_words(Owner::File, &place, properties, &mut root.extras, target, losses);
        }
        drop_extras(&place, &mut root.extras, target, losses);
    }
    if !target.can.properties.contains(&Owner::File) {
        drop_properties(&"file".into(), properties, target, losses);
    }
    drop_extras(&"file".into(), &mut scene.extras, target, losses);
    for (index, material) in scene.materials.iter_mut().enumerate() {
        let place = material.subject(index);
        keep_words(Owner::Materials, &place, &mut material.properties, &mut material.extras, target, losses);
    }
    let aside = (scene.textures.iter_mut().enumerate())
        .map(|(i, o)| (Owner::Textures, o.subject(i), &mut o.extras))
        .chain(scene.images.iter_mut().enumerate().map(|(i, o)| (Owner::Images, o.subject(i), &mut o.extras)))
        .chain(scene.skins.iter_mut().enumerate().map(|(i, o)| (Owner::Skins, o.subject(i), &mut o.extras)));
    let animations = scene.animations.iter_mut().enumerate();
    let animations = animations.map(|(i, o)| (Owner::Animations, o.subject(i), &mut o.extras));
    for (owner, place, extras) in aside.chain(animations) {
        keep_words_aside(owner, &place, extras, target, losses);
    }
    let lights = scene.lights.iter_mut().enumerate().map(|(i, o)| (o.subject(i), &mut o.extras));
    let cameras = scene.cameras.iter_mut().enumerate().map(|(i, o)| (o.subject(i), &mut o.extras));
    for (place, extras) in lights.chain(cameras) {
        drop_extras(&place, extras, target, losses);
    }
    drop_metadata(scene, target, losses);
}

/// Forgets extensions of textures that say no more than which image they show: the image itself is told of.
fn forget_sources(scene: &mut Scene, target: &Target) {
    if target.can.carries {
        return;
    }
    let number = |image: Id<Image>| scene.images.get(image)?.extras.get(NUMBER)?.as_int();
    for texture in scene.textures.iter_mut() {
        let Some(shown) = texture.image.and_then(number) else { continue };
        texture.extras.extensions.retain(|(_, said)| match said {
            Value::Map(said) => {
                !matches!(&said[..], [(key, source)] if key == "source" && source.as_int() == Some(shown))
            }
            _ => true,
        });
    }
}

/// Leaves out tracks that move a property which only a JSON pointer of a glTF file names.
fn drop_pointers(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    if target.can.carries {
        return;
    }
    let is_pointer = |channel: &Channel| matches!(&channel.track, Track::Other { word, .. } if word.starts_with('/'));
    for (index, animation) in scene.animations.iter_mut().enumerate() {
        let place = animation.subject(index);
        let count = animation.channels.extract_if(.., |channel| is_pointer(channel)).count();
        if count > 0 {
            let what = "tracks of the glTF extension KHR_animation_pointer";
            losses.add(&LOSS_054, place, count as u64, what, target.why("field for what they move"));
        }
    }
}

/// Lists the names of nodes and meshes that the target has no room for. They stay in the scene: options such as
/// `--danmaku-colored` choose objects by them.
fn drop_names_of_objects(scene: &Scene, target: &Target, losses: &mut Losses) {
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
        // One object that is called as its mesh keeps the name.
        let mut lost: BTreeMap<usize, (&Name, bool)> = BTreeMap::new();
        for (index, mesh, node) in shown.filter(|(_, mesh, _)| !mesh.name.is_empty()) {
            lost.entry(index).or_insert((&mesh.name, true)).1 &= mesh.name != *node.called(mesh);
        }
        for (index, (name, _)) in lost.into_iter().filter(|(_, (_, lost))| *lost) {
            losses.add(&LOSS_014, Subject::new(SubjectKind::Mesh, index, name), 1, "name of the mesh", why());
        }
    }
}

/// Lists the names of everything else that the target has no room for.
fn drop_names(scene: &Scene, target: &Target, losses: &mut Losses) {
    let mut lose = |named: Named, what: &str, place: Subject, count: usize| {
        if count > 0 && !target.can.names.contains(&named) {
            losses.add(&LOSS_014, place, count as u64, what, target.why("names for them"));
        }
    };
    let is_named = |name: &&Name| !name.is_empty();
    for (index, mesh) in scene.meshes.iter().enumerate() {
        let place = mesh.subject(index);
        let count = mesh.morphs.iter().map(|o| &o.name).filter(is_named).count();
        lose(Named::Morphs, "names of morph targets", place, count);
    }
    let mut each = |named: Named, kind: SubjectKind, names: &mut dyn Iterator<Item = (usize, &Name)>| {
        for (index, name) in names.filter(|(_, name)| is_named(name)) {
            lose(named, &format!("name of the {kind}"), Subject::new(kind, index, name), 1);
        }
    };
    each(Named::Materials, SubjectKind::Material, &mut scene.materials.iter().map(|o| &o.name).enumerate());
    each(Named::Textures, SubjectKind::Texture, &mut scene.textures.iter().map(|o| &o.name).enumerate());
    let images = scene.images.iter().enumerate().filter(|(_, image)| !image.is_named_by_its_file());
    each(Named::Images, SubjectKind::Image, &mut images.map(|(index, o)| (index, &o.name)));
    each(Named::Skins, SubjectKind::Skin, &mut scene.skins.iter().map(|o| &o.name).enumerate());
    each(Named::Animations, SubjectKind::Animation, &mut scene.animations.iter().map(|o| &o.name).enumerate());
    // What has its node's name, or a node without one, keeps it.
    let mut lights = BTreeMap::new();
    let mut cameras = BTreeMap::new();
    for node in scene.nodes.iter() {
        let keeps = |name: &Name| node.name.is_empty() || *name == node.name;
        if let Some((id, light)) = node.light.and_then(|id| Some((id, scene.lights.get(id)?))) {
            lights.entry(id.index()).or_insert((&light.name, false)).1 |= keeps(&light.name);
        }
        if let Some((id, camera)) = node.camera.and_then(|id| Some((id, scene.cameras.get(id)?))) {
            cameras.entry(id.index()).or_insert((&camera.name, false)).1 |= keeps(&camera.name);
        }
    }
    let lost = |(id, (name, kept)): (usize, (_, bool))| (!kept).then_some((id, name));
    each(Named::Lights, SubjectKind::Light, &mut lights.into_iter().filter_map(lost));
    each(Named::Cameras, SubjectKind::Camera, &mut cameras.into_iter().filter_map(lost));
}

/// What users and files say about a node that is left out.
pub(super) fn drop_node(place: &Subject, node: &mut Node, target: &Target, losses: &mut Losses) {
    drop_properties(place, &mut node.properties, target, losses);
    drop_extras(place, &mut node.extras, target, losses);
}

fn keep_words(
    owner: Owner,
    place: &Subject,
    properties: &mut Properties,
    extras: &mut Extras,
    target: &Target,
    losses: &mut Losses,
) {
    if target.can.properties.contains(&owner) {
        take_foreign(place, properties, extras, target, losses);
    } else {
        drop_properties(place, properties, target, losses);
    }
    drop_extras(place, extras, target, losses);
}

/// The same for what has no field for properties: the target's own word holds them, as pairs of key and value.
fn keep_words_aside(owner: Owner, place: &Subject, extras: &mut Extras, target: &Target, losses: &mut Losses) {
    if target.can.properties.contains(&owner) {
        let mut properties = Properties::new();
        take_foreign(place, &mut properties, extras, target, losses);
        if !properties.is_empty() {
            let key = format!("{}.properties", target.id);
            let mut pairs = match extras.get(&key) {
                Some(Value::List(pairs)) => pairs.clone(),
                _ => Vec::new(),
            };
            pairs.extend(properties.into_iter().map(|(key, value)| Value::List(vec![Value::Text(key), value])));
            extras.set(&key, Value::List(pairs));
        }
    }
    drop_extras(place, extras, target, losses);
}

/// Makes properties of what a foreign glTF file says beside its objects; who carries it leaves it where it is.
fn take_foreign(
    place: &Subject,
    properties: &mut Properties,
    extras: &mut Extras,
    target: &Target,
    losses: &mut Losses,
) {
    if target.can.carries {
        return;
    }
    let Some(Value::Map(_)) = &extras.foreign else { return };
    let Some(Value::Map(said)) = extras.foreign.take() else { return };
    let is_number = |value: &Value| value.as_f64().is_some();
    let mut names: HashSet<Vec<u8>> = properties.iter().map(|(name, _)| name.bytes().to_vec()).collect();
    for (key, value) in said {
        let holds = match &value {
            Value::Null | Value::Bytes(_) | Value::Map(_) => false,
            Value::List(list) => !list.is_empty() && list.iter().all(is_number),
            _ => true,
        };
        if !holds {
            let why = format!("properties of {} are truth values, numbers, vectors and texts", target.name);
            losses.add(&LOSS_015, place, 1, format!("extras {key}"), why);
        } else if !names.insert(key.as_bytes().to_vec()) {
            losses.add(&LOSS_015, place, 1, format!("extras {key}"), "a property has that name");
        } else {
            properties.push((key.into(), value));
        }
    }
}

fn drop_properties(place: &Subject, properties: &mut Properties, target: &Target, losses: &mut Losses) {
    for (name, _) in properties.drain(..) {
        losses.add(&LOSS_015, place, 1, format!("property {name}"), target.why("properties"));
    }
}

fn drop_extras(place: &Subject, extras: &mut Extras, target: &Target, losses: &mut Losses) {
    if target.can.carries {
        return;
    }
    let is_foreign = |key: &str| key != COPY && key.split('.').next() != Some(target.id);
    let foreign = extras.own.extract_if(.., |(key, _)| is_foreign(key));
    for (key, value) in foreign {
        // A number means something to glTF alone.
        if key == NUMBER {
            continue;
        }
        if let Some(whats) = inside(&key, &value) {
            whats.into_iter().for_each(|(what, why)| losses.add(&LOSS_015, place, 1, what, target.why(why)));
            continue;
        }
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

/// What objects of a glTF file say inside, by the pointers to it: extensions and extras, as if they stood beside.
fn inside(key: &str, value: &Value) -> Option<BTreeSet<(String, &'static str)>> {
    let Value::Map(all) = value else { return None };
    let said = |pointer: &str| match pointer.rsplit_once("/extensions/") {
        Some((_, name)) if !name.contains('/') => (format!("glTF extension {name}"), "extensions"),
        _ if pointer.ends_with("/extras") => ("glTF extras".to_owned(), "extras"),
        _ => (format!("what glTF says at {pointer}"), "such property"),
    };
    if key != INSIDE {
        return None;
    }
    // How a glTF file is to be read says nothing of what it shows; and a channel of an animation says things inside.
    let told = all.iter().filter(|(pointer, _)| ![REQUIRED, MIN_VERSION].contains(&&**pointer));
    let each = |(pointer, value): &(String, Value)| match pointer.parse::<usize>() {
        Ok(_) => inside(key, value).unwrap_or_default(),
        Err(_) => BTreeSet::from([said(pointer)]),
    };
    Some(told.flat_map(each).collect())
}

fn drop_metadata(scene: &mut Scene, target: &Target, losses: &mut Losses) {
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
