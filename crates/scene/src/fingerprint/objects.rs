//! What is said of each kind of object.

use super::Fingerprint;
use super::ink::Ink;
use crate::{AlphaMode, Animation, ColorChannel, Material, Mesh, Node, NodeRole, Role, Scene, Shading, Skin, Track};

pub(super) fn of_material(scene: &Scene, material: &Material) -> Fingerprint {
    let mut ink = Ink::new("material");
    ink.name(&material.name);
    match &material.shading {
        Shading::Pbr(pbr) => {
            ink.word("pbr");
            ink.floats(&pbr.base_color);
            ink.floats(&[pbr.metallic, pbr.roughness, pbr.specular]);
            ink.floats(&pbr.specular_color);
        }
        Shading::Phong(phong) => {
            ink.word("phong");
            [phong.diffuse, phong.specular, phong.ambient].iter().for_each(|color| ink.floats(color));
            ink.floats(&[phong.shininess]);
        }
        Shading::Unlit { color } => {
            ink.word("unlit");
            ink.floats(color);
        }
    }
    ink.floats(&material.emissive);
    ink.floats(&[material.emissive_strength]);
    match material.alpha_mode {
        AlphaMode::Opaque => ink.word("opaque"),
        AlphaMode::Mask(threshold) => {
            ink.word("mask");
            ink.floats(&[threshold]);
        }
        AlphaMode::Blend => ink.word("blend"),
        AlphaMode::Additive => ink.word("additive"),
    }
    ink.flag(material.double_sided);
    ink.list(material.slots.iter(), |ink, slot| {
        ink.flag(matches!(slot.role, Role::Other(_)));
        ink.word(slot.role.name());
        ink.maybe(scene.textures.get(slot.texture), |ink, texture| ink.texture(scene, texture));
        ink.word(match slot.channel {
            ColorChannel::All => "all",
            ColorChannel::Red => "red",
            ColorChannel::Green => "green",
            ColorChannel::Blue => "blue",
            ColorChannel::Alpha => "alpha",
        });
        ink.number(slot.uv_set.into());
        ink.floats(&[slot.strength]);
        ink.maybe(slot.transform, |ink, transform| {
            ink.floats(&transform.offset);
            ink.floats(&[transform.rotation]);
            ink.floats(&transform.scale);
        });
    });
    ink.properties(&material.properties);
    ink.extras(&material.extras);
    ink.dry()
}

/// A mesh without its coarser versions.
pub(super) fn of_mesh(mesh: &Mesh, materials: &[Fingerprint]) -> Fingerprint {
    let mut ink = Ink::new("mesh");
    ink.name(&mesh.name);
    ink.list(mesh.primitives.iter(), |ink, primitive| ink.primitive(primitive, materials));
    ink.list(mesh.morphs.iter(), |ink, morph| {
        ink.name(&morph.name);
        ink.floats(&[morph.default, morph.min, morph.max]);
    });
    ink.properties(&mesh.properties);
    ink.extras(&mesh.extras);
    ink.dry()
}

pub(super) fn with_levels(mesh: &Mesh, own: Fingerprint, plain: &[Fingerprint]) -> Fingerprint {
    if mesh.lods.is_empty() {
        return own;
    }
    let mut ink = Ink::new("levels");
    ink.print(own);
    ink.list(mesh.lods.iter(), |ink, level| {
        ink.named(Some(level.mesh), plain);
        ink.maybe(level.coverage, |ink, coverage| ink.floats(&[coverage]));
    });
    ink.dry()
}

pub(super) struct Known<'a> {
    pub(super) materials: &'a [Fingerprint],
    pub(super) meshes: &'a [Fingerprint],
}

/// A node without its parents and its skin.
pub(super) fn of_node(scene: &Scene, node: &Node, known: &Known<'_>) -> Fingerprint {
    let mut ink = Ink::new("node");
    ink.name(&node.name);
    ink.transform(&node.transform);
    ink.named(node.mesh, known.meshes);
    ink.named(node.material, known.materials);
    ink.floats(&node.weights);
    ink.maybe(node.instances.as_ref(), |ink, instances| {
        ink.list(instances.placements.iter(), |ink, placement| {
            ink.transform(&placement.transform);
            ink.named(placement.material, known.materials);
        });
    });
    ink.maybe(node.light.and_then(|light| scene.lights.get(light)), Ink::light);
    ink.maybe(node.camera.and_then(|camera| scene.cameras.get(camera)), Ink::camera);
    ink.maybe(node.socket.as_ref(), |ink, socket| ink.flag(socket.primary));
    ink.flag(node.visible);
    ink.word(match node.role {
        NodeRole::Own => "own",
        NodeRole::Axis => "axis",
        NodeRole::Unplaced => "unplaced",
    });
    ink.properties(&node.properties);
    ink.extras(&node.extras);
    ink.dry()
}

pub(super) fn of_skin(skin: &Skin, placed: &[Fingerprint]) -> Fingerprint {
    let mut ink = Ink::new("skin");
    ink.name(&skin.name);
    ink.list(skin.joints.iter(), |ink, joint| ink.named(Some(*joint), placed));
    ink.floats(skin.inverse_bind.as_flattened());
    ink.named(skin.root, placed);
    ink.extras(&skin.extras);
    ink.dry()
}

pub(super) fn of_animation(animation: &Animation, called: &[Fingerprint]) -> Fingerprint {
    let mut ink = Ink::new("animation");
    ink.name(&animation.name);
    ink.maybe(animation.frame_rate, |ink, rate| ink.floats(&[rate]));
    ink.list(animation.channels.iter(), |ink, channel| {
        ink.named(channel.node, called);
        match &channel.track {
            Track::Translation => ink.word("translation"),
            Track::Rotation => ink.word("rotation"),
            Track::Scale => ink.word("scale"),
            Track::Weights => ink.word("weights"),
            Track::Other { word, width } => {
                ink.word("other");
                ink.word(word);
                ink.number((*width).into());
            }
        }
        ink.floats(&channel.times);
        ink.floats(&channel.values);
        ink.interpolation(channel.interpolation);
        ink.flag(channel.relative);
    });
    ink.extras(&animation.extras);
    ink.dry()
}

/// The program that wrote a file last is no part of what it says.
pub(super) fn of_file(scene: &Scene, nodes: &[Fingerprint]) -> Fingerprint {
    let mut ink = Ink::new("file");
    let metadata = &scene.metadata;
    let texts = [&metadata.title, &metadata.description, &metadata.author, &metadata.copyright, &metadata.comment];
    texts.into_iter().chain([&metadata.project]).for_each(|text| ink.name(text));
    ink.maybe(metadata.created, Ink::number);
    ink.bytes(&metadata.raw);
    ink.properties(&metadata.properties);
    let space = &scene.space;
    let words = [space.up.name(), space.handedness.name(), space.unit.name(), space.uv_origin.name()];
    words.into_iter().for_each(|word| ink.word(word));
    ink.list(scene.scenes.iter(), |ink, root| {
        ink.name(&root.name);
        ink.list(root.nodes.iter(), |ink, node| ink.named(Some(*node), nodes));
        ink.extras(&root.extras);
    });
    ink.maybe(scene.default_scene, |ink, shown| ink.number(shown as u64));
    ink.extras(&scene.extras);
    ink.dry()
}
