//! Scene → document.

mod animations;
mod buffers;
mod materials;
mod meshes;
mod nodes;
mod plan;
mod skins;
mod streams;

use findings::Result;
use scene::Scene;

use super::super::dialect::Dialect;
use super::super::document::Document;
use super::super::form::Form;
use super::super::layout::{Animation, Buffer};
use super::super::structure::Structure;
use super::super::transcode;
use super::super::write::DEFAULT_LEVEL;
use super::string;
use crate::{LowerCx, Package};

pub(in super::super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let form = Dialect::named(cx.dialect)?.form();
    let level = transcode::level(cx)?.unwrap_or(DEFAULT_LEVEL);
    let mut lower = Lower { scene, cx, form };
    let mut plan = plan::Plan::of(&lower);
    let why = "what is skinned stands at its joints in das2";
    let leaves = |id| nodes::is_moved(&lower, &plan, id);
    let (parted, losses) = fit::split_skinned(scene, why, leaves, ops::put_below).unzip();
    let scene = parted.as_ref().unwrap_or(scene);
    if let Some(losses) = losses {
        lower.cx.losses.extend(losses);
        lower.scene = scene;
        plan = plan::Plan::of(&lower);
    }
    let turned = fit::reverse_skinned(scene, |id| nodes::is_turned(&lower, &plan, id));
    let (turned, losses) = turned.unzip();
    lower.scene = turned.as_ref().unwrap_or(scene);
    lower.cx.losses.extend(losses.unwrap_or_default());
    let materials = materials::lower(&mut lower);
    let meshes = meshes::lower(&mut lower, &plan, &materials)?;
    let skeletons = skins::lower(&mut lower, &plan);
    let nodes = nodes::lower(&mut lower, &plan, &meshes, &skeletons);
    let animations = animations::lower(&mut lower, &nodes, &skeletons);

    let mut doc = Document::new(form, level);
    let mut push = |structures: Vec<Structure>| {
        for mut structure in structures {
            hash_no_name(&mut structure, form);
            doc.push(structure);
        }
    };
    push(meshes.buffers.into_iter().map(|data| Structure::Buffer(Buffer::new(data))).collect());
    push(meshes.meshes.into_iter().map(|mesh| Structure::Mesh(Box::new(mesh))).collect());
    push(meshes.groups.into_iter().map(Structure::MeshGroup).collect());
    push(nodes.nodes.into_iter().map(|node| Structure::Node(Box::new(node))).collect());
    push(nodes.scenes.into_iter().map(Structure::Scene).collect());
    push(skeletons.joints.into_iter().map(|joint| Structure::SkeletonJoint(Box::new(joint))).collect());
    push(skeletons.skeletons.into_iter().map(Structure::Skeleton).collect());
    push(animations.animations.into_iter().map(Structure::Animation).collect());
    push(animations.channels.into_iter().map(|channel| Structure::AnimationChannel(Box::new(channel))).collect());
    push(materials.phong.into_iter().map(|material| Structure::MaterialPhong(Box::new(material))).collect());
    push(materials.pbr.into_iter().map(|material| Structure::MaterialPbr(Box::new(material))).collect());

    doc.fill_counters();
    let metadata = &scene.metadata;
    let header = doc.header.edit();
    header.author_name = cx.options.get("author").map_or_else(|| string(&metadata.author), Into::into);
    header.comment = cx.options.get("comment").map_or_else(|| string(&metadata.comment), Into::into);
    header.default_scene_index = u32::try_from(scene.default_scene.unwrap_or(0)).unwrap_or(0);
    Ok(Package::new(doc, cx))
}

struct Lower<'s, 'c, 'x> {
    scene: &'s Scene,
    cx: &'c mut LowerCx<'x>,
    form: Form,
}

/// The library hashes names that are not there as 0, and other empty strings as they are.
fn hash_no_name(structure: &mut Structure, form: Form) {
    let name = match structure {
        Structure::MeshGroup(it) => &mut it.name,
        Structure::Node(it) => &mut it.name,
        Structure::Scene(it) => &mut it.name,
        Structure::SkeletonJoint(it) => &mut it.name,
        Structure::Skeleton(it) => &mut it.name,
        Structure::Animation(Animation { name: Some(name), .. }) => name,
        _ => return,
    };
    if name.is_empty() && form.strings.hashed() {
        name.hash = Some(0);
    }
}
