//! What travels is declared: every key in the extras of every scene, for the kind of object that has it.

use std::collections::BTreeSet;

use formats::carry::{Key, Owner};
use formats::{AnyFormat, FORMATS, LiftCx, NoSource, ReadCx};
use scene::extras::{COPY, NUMBER};
use scene::{Extras, Scene};
use wire::Blob;

/// Formats that do not declare their keys yet.
const UNDECLARED: &[&str] = &[];

/// More than so many nobody knows.
const MOST: usize = 60;

fn declared() -> Vec<&'static Key> {
    FORMATS.iter().flat_map(|format| format.keys()).collect()
}

/// The extras of every object, and what it is.
fn all(scene: &Scene) -> Vec<(Owner, &Extras)> {
    let mut all = vec![(Owner::Asset, &scene.extras)];
    all.extend(scene.scenes.iter().map(|o| (Owner::Scene, &o.extras)));
    all.extend(scene.nodes.iter().map(|o| (Owner::Node, &o.extras)));
    all.extend(scene.meshes.iter().map(|o| (Owner::Mesh, &o.extras)));
    let parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    all.extend(parts.map(|o| (Owner::Primitive, &o.extras)));
    all.extend(scene.materials.iter().map(|o| (Owner::Material, &o.extras)));
    all.extend(scene.textures.iter().map(|o| (Owner::Texture, &o.extras)));
    all.extend(scene.images.iter().map(|o| (Owner::Image, &o.extras)));
    all.extend(scene.lights.iter().map(|o| (Owner::Light, &o.extras)));
    all.extend(scene.cameras.iter().map(|o| (Owner::Camera, &o.extras)));
    all.extend(scene.skins.iter().map(|o| (Owner::Skin, &o.extras)));
    all.extend(scene.animations.iter().map(|o| (Owner::Animation, &o.extras)));
    all.extend(scene.voxels.iter().map(|o| (Owner::Voxels, &o.extras)));
    all
}

/// Keys of a file's scene that no format declares.
fn undeclared(format: &dyn AnyFormat, file: Blob) -> BTreeSet<String> {
    let Ok(doc) = format.read(file, &mut ReadCx::default()) else { return BTreeSet::new() };
    let Ok(scene) = doc.lift(&mut LiftCx::new(&NoSource)) else { return BTreeSet::new() };
    let keys = declared();
    let is_known = |owner: Owner, name: &str| {
        let waits = UNDECLARED.iter().any(|id| name.split('.').next() == Some(id));
        // Neither travels.
        waits || [COPY, NUMBER].contains(&name) || keys.iter().any(|key| key.name == name && key.of.contains(&owner))
    };
    let each = |(owner, extras): (Owner, &Extras)| {
        let odd = extras.own.iter().filter(|(name, _)| !is_known(owner, name));
        odd.map(|(name, _)| format!("{name} of {owner:?}")).collect::<Vec<_>>()
    };
    all(&scene).into_iter().flat_map(each).collect()
}

#[test]
fn every_key_of_a_sample_is_declared() {
    for sample in corpus::samples() {
        let Some(format) = formats::by_id(sample.format) else { continue };
        let odd = undeclared(format, Blob::file((sample.bytes)()));
        assert!(odd.is_empty(), "{} sample {}: {odd:?}", sample.format, sample.name);
    }
}

#[test]
fn every_key_of_a_real_file_is_declared() {
    let Some(corpus) = testing::corpus_dir() else { return };
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let format = FORMATS.iter().find(|format| format.info().extensions.contains(&extension));
            match format {
                _ if path.is_dir() => folders.push(path),
                Some(format) => {
                    let odd = undeclared(*format, Blob::file(std::fs::read(&path).unwrap()));
                    assert!(odd.is_empty(), "{}: {odd:?}", path.display());
                }
                None => {}
            }
        }
    }
}

#[test]
fn keys_are_few_and_called_after_their_format() {
    let keys = declared();
    let names: BTreeSet<&str> = keys.iter().map(|key| key.name).collect();
    assert!(names.len() <= MOST, "{} keys", names.len());
    for format in FORMATS.iter().filter(|format| !["gltf", "glb"].contains(&format.info().id)) {
        for key in format.keys() {
            let prefix = format!("{}.", format.info().id);
            assert!(key.name.starts_with(&prefix) || !key.name.contains('.'), "{}", key.name);
        }
    }
    assert!(keys.iter().all(|key| !key.of.is_empty() && !key.about.is_empty()));
}
