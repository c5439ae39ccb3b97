//! Scene → document.

mod animations;
mod materials;
mod meshes;
mod nodes;
mod plan;
mod skeletons;
mod streams;

use findings::{Error, Result};
use scene::Scene;

use super::super::document::Document;
use super::super::form::Form;
use super::super::layout::{Animation, Buffer};
use super::super::structure::Structure;
use super::super::transcode;
use super::super::write::DEFAULT_LEVEL;
use super::placement::Kept;
use super::{number, string};
use crate::{LowerCx, Package};

pub(in super::super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let form = match cx.dialect {
        "spec" => Form::SPEC,
        "engine" => Form::ENGINE,
        other => {
            return Err(Error::usage(format!("das2 cannot be written in dialect \"{other}\""))
                .with_help("it can be written in spec, engine"));
        }
    };
    let kept = Kept::of(scene);
    let level = transcode::level(cx)?.or(kept.level).unwrap_or(DEFAULT_LEVEL);
    let own = scene.origin.as_ref().is_some_and(|origin| origin.format == "das2");
    let mut lower = Lower { scene, cx, form, own };
    let mut plan = plan::Plan::of(&lower);
    let why = "what is skinned stands at its joints in das2";
    let leaves = |id| nodes::is_moved(&lower, &plan, id);
    let (parted, losses) = fit::split_skinned(scene, why, leaves, ops::seat_below).unzip();
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
    let surfaces = materials::lower(&mut lower);
    let shapes = meshes::lower(&mut lower, &plan, &surfaces, &kept)?;
    let skeletons = skeletons::lower(&mut lower, &plan);
    let placed = nodes::lower(&mut lower, &plan, &shapes, &skeletons);
    let movements = animations::lower(&mut lower, &plan, &placed, &skeletons);

    let mut doc = Document::new(form, level);
    let mut push = |structures: Vec<Structure>| {
        for mut structure in structures {
            hash_no_name(&mut structure, form);
            doc.push(structure);
        }
    };
    push(shapes.buffers.into_iter().map(|data| Structure::Buffer(Buffer::new(data))).collect());
    push(shapes.meshes.into_iter().map(|mesh| Structure::Mesh(Box::new(mesh))).collect());
    push(shapes.groups.into_iter().map(Structure::MeshGroup).collect());
    push(placed.nodes.into_iter().map(|node| Structure::Node(Box::new(node))).collect());
    push(placed.scenes.into_iter().map(Structure::Scene).collect());
    push(skeletons.joints.into_iter().map(|joint| Structure::SkeletonJoint(Box::new(joint))).collect());
    push(skeletons.skeletons.into_iter().map(Structure::Skeleton).collect());
    push(movements.animations.into_iter().map(Structure::Animation).collect());
    push(movements.channels.into_iter().map(|channel| Structure::AnimationChannel(Box::new(channel))).collect());
    push(surfaces.phong.into_iter().map(|material| Structure::MaterialPhong(Box::new(material))).collect());
    push(surfaces.pbr.into_iter().map(|material| Structure::MaterialPbr(Box::new(material))).collect());

    if !(own && kept.uncounted) {
        doc.fill_counters();
    }
    let metadata = &scene.metadata;
    let header = doc.header.edit();
    header.author_name = cx.options.get("author").map_or_else(|| string(&metadata.author), Into::into);
    header.comment = cx.options.get("comment").map_or_else(|| string(&metadata.comment), Into::into);
    let first = u32::try_from(scene.default_scene.unwrap_or(0)).unwrap_or(0);
    header.default_scene_index = number(&scene.extras, "das2.default_scene").unwrap_or(first);
    Ok(Package::new(doc, cx))
}

struct Lower<'s, 'c, 'x> {
    scene: &'s Scene,
    cx: &'c mut LowerCx<'x>,
    form: Form,
    /// Whether the scene was such a file: what was read is kept, right or wrong.
    own: bool,
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

/// Puts what was numbered into the order of the numbers; equal things of one number are one. Answers the number of
/// each. Where the numbers leave gaps or disagree, everything is numbered as it comes.
fn arrange<T: PartialEq>(items: Vec<(usize, T)>) -> (Vec<T>, Vec<u32>) {
    let count = items.iter().map(|(wanted, _)| wanted + 1).max().unwrap_or(0);
    let mut first: Vec<Option<usize>> = vec![None; if count <= items.len() { count } else { 0 }];
    let mut agreed = count <= items.len();
    for (i, (wanted, item)) in items.iter().enumerate() {
        match first.get(*wanted).copied() {
            Some(Some(known)) => agreed &= items[known].1 == *item,
            Some(None) => first[*wanted] = Some(i),
            None => agreed = false,
        }
    }
    let whole: Option<Vec<usize>> = first.into_iter().collect();
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    match whole.filter(|_| agreed) {
        Some(order) => {
            let numbers = items.iter().map(|(wanted, _)| narrow(*wanted)).collect();
            let mut items: Vec<Option<T>> = items.into_iter().map(|(_, item)| Some(item)).collect();
            (order.into_iter().filter_map(|i| items[i].take()).collect(), numbers)
        }
        None => {
            let numbers = (0..items.len()).map(narrow).collect();
            (items.into_iter().map(|(_, item)| item).collect(), numbers)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::arrange;

    #[test]
    fn things_get_their_numbers_back_if_these_make_sense() {
        assert_eq!(arrange(vec![(1, 'b'), (0, 'a'), (1, 'b')]), (vec!['a', 'b'], vec![1, 0, 1]));
        assert_eq!(arrange(vec![(1, 'b'), (1, 'a')]), (vec!['b', 'a'], vec![0, 1]), "two things of one number");
        assert_eq!(arrange(vec![(2, 'b'), (0, 'a')]), (vec!['b', 'a'], vec![0, 1]), "a gap");
        assert_eq!(arrange(vec![(9, 'b')]), (vec!['b'], vec![0]));
        assert_eq!(arrange::<char>(vec![]), (vec![], vec![]));
    }
}
