//! Scene → document.

mod animations;
mod errors;
mod includes;
mod lights;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod plan;
mod poses;
mod skins;
mod tracks;
mod weights;

pub(in crate::dgl3) use includes::refer;

use std::collections::{HashMap, HashSet};

use findings::Result;
use scene::loss::*;
use scene::sample::Pose;
use scene::{Id, Light, Name, Node, Scene, undone};
use wire::{Blob, Kept, Text};

use super::keys::{ID, int};
use crate::dgl3::dialect::{self, Dialect};
use crate::dgl3::layout::{Document, Header, MAGIC, VERSION};
use crate::names::{Names, speakable};
use crate::{LowerCx, Package};
use materials::Materials;
use nodes::Entities;
use plan::{Plan, stand};

pub(in crate::dgl3) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let dialect = Dialect::named(cx.dialect)?;
    let mut referring = None;
    if includes::has_scenes(scene) {
        includes::refer(referring.insert(scene.clone()), cx);
    }
    let scene = referring.as_ref().unwrap_or(scene);
    let why = "DGL3 has translation, rotation and scale, so the rest is multiplied into the vertices";
    let (upright, losses) = fit::bake_shear(scene, why).unzip();
    let scene = upright.as_ref().unwrap_or(scene);
    cx.losses.extend(losses.unwrap_or_default());
    let rest = Pose::rest(scene);
    let mirrors = |place: Option<glam::DMat4>| place.is_some_and(|m| undone(&m).is_some() && m.determinant() < 0.);
    let turned = fit::reverse_skinned(scene, |id| mirrors(stand(scene, &rest, id)) != mirrors(rest.world(id)));
    let (turned, losses) = turned.unzip();
    let scene = turned.as_ref().unwrap_or(scene);
    cx.losses.extend(losses.unwrap_or_default());
    let plan = Plan::of(scene, &rest, cx);
    let mut doc = Document { dialect, ..Document::default() };
    let records = meshes::lower(scene, &plan, &rest, &mut doc, cx)?;
    let mut materials = Materials::new(dialect);
    let mut names = names();
    for placed in &plan.entities {
        let parts = placed.mesh.map_or(1, |mesh| records.parts(mesh));
        for part in 0..parts.max(1) {
            let record = placed.mesh.and_then(|mesh| records.find(placed.node, mesh, part));
            let mut entities = Entities { scene, materials: &mut materials, names: &mut names };
            let made = entities.entity(placed, record, part, &doc, cx);
            doc.entities.push(Kept::new(made));
        }
    }
    lower_lights(scene, &plan, &mut names, &mut doc, cx);
    set_header(scene, &mut doc, cx);
    lose_bone_names(scene, &plan, cx);
    cx.lose_loose_lights(scene, "lights of DGL3 have a place");
    materials.lose_rest(scene, cx);
    Ok(Package::new(doc, cx))
}

/// Names as such a file has them.
fn names() -> Names {
    Names::new("DGL3", i32::MAX as usize)
}

fn set_header(scene: &Scene, doc: &mut Document, cx: &mut LowerCx<'_>) {
    let title = &scene.metadata.title;
    let name = speakable(title, i32::MAX as usize);
    if name != title.bytes() {
        cx.lose(&LOSS_042, "file", 1, "title", "DGL3 demands names that differ, in UTF-8");
    }
    let count = |len: usize| i32::try_from(len).unwrap_or(i32::MAX);
    *doc.header.edit() = Header {
        magic: MAGIC,
        version: VERSION,
        name: Text::from(Blob::memory(name)),
        creator_name: dialect::creator(doc.dialect),
        data: Blob::memory(scene.metadata.raw.clone()),
        num_meshes: count(doc.meshes.len()),
        num_entities: count(doc.entities.len()),
        num_lights: count(doc.lights.len()),
    };
}

/// The lights of nodes.
fn lower_lights(scene: &Scene, plan: &Plan, names: &mut Names, doc: &mut Document, cx: &mut LowerCx<'_>) {
    let mut light_names = LightNames::default();
    for &(node, transform) in &plan.lights {
        let Some(id) = scene.nodes[node].light.filter(|id| scene.lights.get(*id).is_some()) else { continue };
        let light = &scene.lights[id];
        let label = light.subject(id);
        let mut made = lights::lower(light, &transform, &label, cx);
        made.light_id = int(&ID, &light.extras).unwrap_or(doc.lights.len() as i32);
        let (name, copy) = light_names.choose(&scene.nodes[node], id, light);
        made.name = names.name("Light", name, copy.into(), &label, cx);
        doc.lights.push(Kept::new(made));
    }
    light_names.lose_rest(scene, cx);
}

/// The names of lights that are in the file, and those that are not.
#[derive(Default)]
struct LightNames {
    kept: HashSet<Id<Light>>,
    lost: HashMap<Id<Light>, u64>,
}

impl LightNames {
    /// The name of a light: its node's, unless that has none or an entity bears it; and whether another has it already.
    fn choose<'a>(&mut self, node: &'a Node, id: Id<Light>, light: &'a Light) -> (&'a Name, bool) {
        if node.name.is_empty() || (node.mesh.is_some() && !light.name.is_empty()) || light.name == node.name {
            let copy = !self.kept.insert(id) && light.name != node.name;
            return (&light.name, copy);
        }
        *self.lost.entry(id).or_default() += u64::from(!light.name.is_empty());
        (&node.name, false)
    }

    fn lose_rest(&self, scene: &Scene, cx: &mut LowerCx<'_>) {
        for (id, light) in scene.lights.entries().filter(|(id, _)| !self.kept.contains(id)) {
            let Some(&count) = self.lost.get(&id).filter(|count| **count > 0) else { continue };
            let label = light.subject(id);
            cx.lose(&LOSS_014, &label, count, "name of a light beside its node's", "a light of DGL3 has one name");
        }
    }
}

fn lose_bone_names(scene: &Scene, plan: &Plan, cx: &mut LowerCx<'_>) {
    // A joint that shows something becomes an entity, which has a name.
    let nameless = |node: &&Node| !node.name.is_empty() && node.mesh.is_none() && node.light.is_none();
    for (id, skin) in scene.skins.entries().filter(|(id, _)| plan.skins.contains(id)) {
        let count = skin.joints.iter().filter_map(|&joint| scene.nodes.get(joint)).filter(nameless).count();
        if count > 0 {
            let label = skin.subject(id);
            cx.lose(&LOSS_014, &label, count as u64, "names of bones", "bones of DGL3 have none");
        }
    }
}

/// Whether something else bears the name of an object.
pub(super) fn is_copy(extras: &scene::Extras) -> bool {
    extras.get(scene::extras::COPY).is_some()
}
