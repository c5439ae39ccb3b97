//! Names that the format cannot hold.

use findings::Subject;
use scene::loss::*;
use scene::{ImageSource, Name, Scene};

use crate::LowerCx;

/// Takes the NULs out of names: texts of the format end at one.
pub(super) fn clean(scene: &mut Scene, cx: &mut LowerCx<'_>) {
    let mut clean = |subject: Subject, name: &mut Name| {
        if !name.bytes().contains(&0) {
            return;
        }
        let bytes: Vec<u8> = name.bytes().iter().copied().filter(|byte| *byte != 0).collect();
        *name = Name::from(bytes.as_slice());
        cx.lose(&LOSS_042, &subject, 1, format!("it is now {name}"), "a text of DRAGON ends at its first NUL");
    };
    for (i, node) in scene.nodes.iter_mut().enumerate() {
        clean(node.subject(i), &mut node.name);
    }
    for (i, mesh) in scene.meshes.iter_mut().enumerate() {
        clean(mesh.subject(i), &mut mesh.name);
        mesh.morphs
            .iter_mut()
            .enumerate()
            .for_each(|(i, morph)| clean(Subject::structure("morph", i, &morph.name), &mut morph.name));
    }
    for (i, material) in scene.materials.iter_mut().enumerate() {
        clean(material.subject(i), &mut material.name);
    }
    for (i, texture) in scene.textures.iter_mut().enumerate() {
        clean(texture.subject(i), &mut texture.name);
    }
    for (i, image) in scene.images.iter_mut().enumerate() {
        let subject = image.subject(i);
        clean(subject.clone(), &mut image.name);
        if let ImageSource::File { path, .. } = &mut image.source {
            clean(subject, path);
        }
    }
    for (i, skin) in scene.skins.iter_mut().enumerate() {
        clean(skin.subject(i), &mut skin.name);
    }
    for (i, animation) in scene.animations.iter_mut().enumerate() {
        clean(animation.subject(i), &mut animation.name);
    }
    for (i, light) in scene.lights.iter_mut().enumerate() {
        clean(light.subject(i), &mut light.name);
    }
    for (i, voxels) in scene.voxels.iter_mut().enumerate() {
        clean(voxels.subject(i), &mut voxels.name);
        for (i, material) in voxels.materials.iter_mut().enumerate() {
            let subject = Subject::structure("voxel material", i, &material.name);
            clean(subject.clone(), &mut material.name);
            material.values.iter_mut().for_each(|(word, _)| clean(subject.clone(), word));
        }
    }
    let metadata = &mut scene.metadata;
    for text in [&mut metadata.project, &mut metadata.copyright, &mut metadata.author] {
        clean("file".into(), text);
    }
}
