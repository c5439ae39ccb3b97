//! Meshes and scenes of other files: a model goes on to name a file as long as that says what the scene shows. What
//! changed since is written into the model itself.

use std::collections::HashSet;

use findings::Loaded;
use scene::loss::LOSS_091;
use scene::{Id, Mesh, Name, Node, Scene, SceneRoot, Skin, Value};
use wire::Blob;

use super::super::keys::{EXTERNAL, INCLUDED, INCLUDES, forget};
use super::super::twin;
use crate::dgl3::external::named;
use crate::dgl3::read;
use crate::file_name::safe_name;
use crate::images::safe_path;
use crate::{LowerCx, ReadCx, Textures, below};

/// Says of a material that it is in a file which the model goes on to name, between fitting and writing.
pub(super) const ELSEWHERE: &str = "dgl3.elsewhere";

/// Whether some node has the scene of another file below it.
pub(super) fn has_scenes(scene: &Scene) -> bool {
    scene.nodes.iter().any(|node| INCLUDES.get(&node.extras).is_some())
}

/// Takes out the scenes of other files that say still what the scene shows; the others are the model's own from now on.
pub(in crate::dgl3) fn refer(scene: &mut Scene, cx: &mut LowerCx<'_>) {
    let includes = |node: &Node| INCLUDES.get(&node.extras).is_some() && INCLUDED.get(&node.extras).is_none();
    let tops: Vec<Id<Node>> = scene.nodes.entries().filter(|(_, node)| includes(node)).map(|(id, _)| id).collect();
    let mut gone = HashSet::new();
    for top in tops {
        match still_said(scene, top, cx) {
            Ok(link) => {
                let parts = parts(scene, top);
                gone.extend(below_all(scene, &parts));
                let node = &mut scene.nodes[top];
                node.children.retain(|child| !parts.contains(child));
                forget(&mut node.extras, &INCLUDES);
                EXTERNAL.set(&mut node.extras, Value::Text(link));
            }
            Err(why) => {
                if let Some(why) = why {
                    let label = scene.nodes[top].subject(top);
                    cx.lose(&LOSS_091, &label, 1, "scene of another file, written into this one", why);
                }
                adopt(scene, top);
            }
        }
    }
    take_out(scene, &gone);
}

/// The name of the file whose scene stands below a node, if it says what stands there; else why it does not, if it is
/// there at all.
fn still_said(scene: &Scene, top: Id<Node>, cx: &mut LowerCx<'_>) -> Result<Name, Option<&'static str>> {
    let Some(Value::Text(file)) = EXTERNAL.get(&scene.nodes[top].extras) else { return Err(None) };
    let Loaded::Found { bytes, id } = cx.source.load(&file.to_string(), None) else { return Err(None) };
    let doc = read::read(&bytes, &mut ReadCx { limits: cx.limits.clone(), ..ReadCx::default() });
    if !doc.is_ok_and(|doc| twin::says(&doc, &id, part(scene, top), cx)) {
        return Err(Some("it is not what the file says"));
    }
    link(file, &bytes, cx).ok_or(Some("the files that it names would not be found"))
}

/// What a file that the model goes on to name is called where the model goes; nothing if it would be of no use there.
pub(super) fn link(file: &Name, bytes: &Blob, cx: &mut LowerCx<'_>) -> Option<Name> {
    let path = file.to_string();
    let stays = match cx.textures {
        Textures::Reference => true,
        Textures::Near => cx.side_files.room().holds(&path, bytes),
        _ => false,
    };
    if stays {
        return Some(file.clone());
    }
    let wanted = match below(&path) {
        Some(path) => safe_path(&path),
        None => {
            let doc = read::read(bytes, &mut ReadCx { limits: cx.limits.clone(), ..ReadCx::default() }).ok()?;
            if !named(&doc, cx.source).is_empty() {
                return None;
            }
            safe_name(path.rsplit(['/', '\\', ':']).next()?)
        }
    };
    let name = cx.side_files.share(&wanted, bytes.clone());
    Some(if name == path.replace('\\', "/") { file.clone() } else { name.as_str().into() })
}

fn is_included(node: &Node) -> bool {
    INCLUDED.get(&node.extras).is_some()
}

/// The nodes of the file that stand below one that names it.
fn parts(scene: &Scene, top: Id<Node>) -> Vec<Id<Node>> {
    let children = scene.nodes[top].children.iter().copied();
    children.filter(|child| scene.nodes.get(*child).is_some_and(is_included)).collect()
}

/// Nodes and everything below them.
fn below_all(scene: &Scene, tops: &[Id<Node>]) -> HashSet<Id<Node>> {
    let mut open = tops.to_vec();
    let mut out = HashSet::new();
    while let Some(id) = open.pop() {
        if let Some(node) = scene.nodes.get(id).filter(|_| out.insert(id)) {
            open.extend(&node.children);
        }
    }
    out
}

/// What stands below a node as a scene of its own. Objects keep their positions, which others name; those that are not
/// in it are empty.
fn part(scene: &Scene, top: Id<Node>) -> Scene {
    let tops = parts(scene, top);
    let inside = below_all(scene, &tops);
    let outside: HashSet<Id<Node>> = scene.nodes.ids().filter(|id| !inside.contains(id)).collect();
    let mut part = scene.clone();
    take_out(&mut part, &outside);
    part.scenes = vec![SceneRoot { nodes: tops, ..SceneRoot::default() }];
    part.default_scene = Some(0);
    part
}

/// Makes what stands below a node the model's own.
fn adopt(scene: &mut Scene, top: Id<Node>) {
    let number = INCLUDES.get(&scene.nodes[top].extras).cloned();
    for node in scene.nodes.iter_mut().filter(|node| INCLUDED.get(&node.extras) == number.as_ref()) {
        // A file that was not there is named still.
        if INCLUDES.get(&node.extras).is_some() {
            [INCLUDES, EXTERNAL].iter().for_each(|key| forget(&mut node.extras, key));
        }
        forget(&mut node.extras, &INCLUDED);
    }
    [INCLUDES, EXTERNAL].iter().for_each(|key| forget(&mut scene.nodes[top].extras, key));
}

/// Empties nodes, and what they alone showed.
fn take_out(scene: &mut Scene, gone: &HashSet<Id<Node>>) {
    if gone.is_empty() {
        return;
    }
    let stays = || scene.nodes.entries().filter(|(id, _)| !gone.contains(id)).map(|(_, node)| node);
    let meshes: HashSet<Id<Mesh>> = stays().filter_map(|node| node.mesh).collect();
    let shown = meshes.iter().flat_map(|mesh| &scene.meshes[*mesh].primitives).filter_map(|part| part.material);
    let materials: HashSet<_> = stays().filter_map(|node| node.material).chain(shown).collect();
    let elsewhere: Vec<_> = gone.iter().filter_map(|id| scene.nodes[*id].material).collect();
    for id in elsewhere.into_iter().filter(|id| !materials.contains(id)) {
        scene.materials[id].extras.set(ELSEWHERE, Value::Bool(true));
    }
    let hidden: HashSet<usize> =
        gone.iter().filter_map(|id| scene.nodes[*id].mesh).filter(|id| !meshes.contains(id)).map(Id::index).collect();
    hidden.iter().for_each(|mesh| scene.meshes[Id::new(*mesh)] = Mesh::default());
    let all: Vec<_> = scene.animations.iter().cloned().collect();
    scene.animations.clear();
    for mut animation in all {
        let before = animation.channels.len();
        animation.channels.retain(|channel| channel.node.is_none_or(|node| !gone.contains(&node)));
        if before == 0 || !animation.channels.is_empty() {
            scene.animations.add(animation);
        }
    }
    for skin in scene.skins.iter_mut().filter(|skin| skin.joints.iter().any(|joint| gone.contains(joint))) {
        *skin = Skin::default();
    }
    for node in scene.nodes.iter_mut() {
        node.children.retain(|child| !gone.contains(child));
    }
    gone.iter().for_each(|id| scene.nodes[*id] = Node::default());
}
