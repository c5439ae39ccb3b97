//! Scene → document.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use findings::{Error, Result, Subject};
use scene::loss::*;
use scene::sample::Pose;
use scene::{Id, Light, Mesh, Name, Node, NodeRole, Scene, Semantic, Skin, Transform, Value, undone};
use wire::{Blob, Flag32, Kept, Text};

use super::super::layout::{self, Body, Dialect, Document, Entity, External, Header, MAGIC, VERSION};
use super::super::read::order_of;
use super::entities::{Materials, entity};
use super::frames::{Moves, Rigs};
use super::outside::{self, EXTERNAL};
use super::{as_i32, dialect, lights, meshes, text};
use crate::names::{Names, speakable};
use crate::{Loaded, LowerCx, Package};

pub(in super::super) fn lower(scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Document>> {
    let dialect = dialect(cx.dialect)?;
    let mut referring = None;
    if outside::has_scenes(scene) {
        outside::refer(referring.insert(scene.clone()), cx);
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
    let own = scene.origin.as_ref().is_some_and(|origin| origin.format == "dgl3");
    let plan = Plan::of(scene, &rest, cx);
    let mut doc = Document { dialect, ..Document::default() };
    let records = lower_meshes(scene, &plan, &rest, own, &mut doc, cx)?;
    let mut materials = Materials::new(dialect);
    let mut names = names(own);
    for placed in &plan.entities {
        let parts = placed.mesh.map_or(1, |mesh| records.parts(mesh));
        for part in 0..parts.max(1) {
            let record = placed.mesh.and_then(|mesh| records.find(placed.node, mesh, part));
            let made = entity(scene, placed, record, part, &doc, &mut materials, &mut names, cx);
            doc.entities.push(Kept::new(made));
        }
    }
    let mut light_names = LightNames::default();
    for &(node, transform) in &plan.lights {
        let Some(id) = scene.nodes[node].light.filter(|id| scene.lights.get(*id).is_some()) else { continue };
        let light = &scene.lights[id];
        let label = light.subject(id);
        let mut made = lights::lower(light, &transform, &label, cx);
        made.light_id = as_i32(light.extras.get("dgl3.id")).unwrap_or(doc.lights.len() as i32);
        let (name, copy) = light_names.choose(&scene.nodes[node], id, light);
        made.name = names.name("Light", name, copy.into(), &label, cx);
        doc.lights.push(Kept::new(made));
    }
    light_names.lose_rest(scene, cx);
    let creator = if own { text(&scene.metadata.generator) } else { creator(dialect) };
    set_header(scene, own, &mut doc, creator, cx);
    lose_bone_names(scene, &plan, cx);
    cx.lose_loose_lights(scene, "lights of DGL3 have a place");
    materials.lose_rest(scene, cx);
    Ok(Package::new(doc, cx))
}

/// Names as such a file has them.
fn names(own: bool) -> Names {
    Names::new("DGL3", i32::MAX as usize, own)
}

/// Same document, other order of transforms; meshes and lights keep their bytes.
pub(in super::super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    if let Some(option) = cx.options.names().next() {
        return Err(Error::usage(format!("--{option} does not apply: frames of a DGL3 file are kept as they are"))
            .with_help("give it when converting from another format"));
    }
    let wanted = dialect(cx.dialect)?;
    if wanted != doc.dialect {
        doc.dialect = wanted;
        doc.entities.iter_mut().for_each(Kept::forget_raw);
        say_dialect(doc);
    }
    Ok(())
}

/// Lets a file say its dialect itself, if its content would be taken for the other one.
pub(in super::super) fn say_dialect(doc: &mut Document) {
    let seen = |entity: &Kept<Entity>| match doc.dialect {
        Dialect::Engine => entity.transform,
        Dialect::Spec => entity.transform.in_other_order(Dialect::Spec),
    };
    let (found, _) = order_of(&doc.header, doc.entities.iter().map(seen));
    if found != doc.dialect {
        doc.header.edit().creator_name = creator(doc.dialect);
    }
}

fn creator(dialect: Dialect) -> Text {
    format!("pentad {}", dialect.id()).into()
}

fn set_header(scene: &Scene, own: bool, doc: &mut Document, creator_name: Text, cx: &mut LowerCx<'_>) {
    let title = &scene.metadata.title;
    let name = if own { title.bytes().to_vec() } else { speakable(title, i32::MAX as usize) };
    if name != title.bytes() {
        cx.lose(&LOSS_042, "file", 1, "title", "DGL3 demands names that differ, in UTF-8");
    }
    let count = |len: usize| i32::try_from(len).unwrap_or(i32::MAX);
    let missing = as_i32(scene.extras.get("dgl3.num_lights")).filter(|n| *n > 0 && doc.lights.is_empty());
    *doc.header.edit() = Header {
        magic: MAGIC,
        version: VERSION,
        name: Text::from(Blob::memory(name)),
        creator_name,
        data: Blob::memory(scene.metadata.raw.clone()),
        num_meshes: count(doc.meshes.len()),
        num_entities: count(doc.entities.len()),
        num_lights: missing.unwrap_or(count(doc.lights.len())),
    };
    if !doc.entities.is_empty() {
        say_dialect(doc);
    }
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

/// What becomes an entity.
pub(super) struct Placed {
    pub(super) node: Id<Node>,
    pub(super) transform: Transform,
    /// Where parts stand that no joint holds, if that is elsewhere.
    pub(super) unbound: Option<Transform>,
    pub(super) mesh: Option<Id<Mesh>>,
    /// The file whose scene it stands for.
    pub(super) reference: Option<Name>,
}

/// What becomes what, in the order of the scene.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) entities: Vec<Placed>,
    pub(super) lights: Vec<(Id<Node>, Transform)>,
    /// Meshes that are written although no entity shows them, with the node that stood for them.
    unplaced: Vec<(Id<Node>, Id<Mesh>)>,
    /// Skins that bend something: their joints become bones.
    skins: HashSet<Id<Skin>>,
}

impl Plan {
    fn of(scene: &Scene, rest: &Pose, cx: &mut LowerCx<'_>) -> Plan {
        let tops = scene.scenes.get(scene.default_scene.unwrap_or(0)).map_or(&[][..], |root| &root.nodes);
        let tops: HashSet<Id<Node>> = tops.iter().copied().collect();
        let placed = scene.placed(scene.default_scene.unwrap_or(0));
        let mut plan =
            Plan { skins: placed.iter().filter_map(|(id, _)| skin_of(scene, *id)).collect(), ..Plan::default() };
        let joints: HashSet<Id<Node>> =
            plan.skins.iter().flat_map(|skin| &scene.skins[*skin].joints).copied().collect();
        let (bones, diagonal) = (Bones::of(scene, &plan.skins), OnceCell::new());
        for (id, world) in placed {
            let node = &scene.nodes[id];
            let label = node.subject(id);
            // What a bone shows is an entity or a light beside it, and hangs nowhere.
            let is_apart = |child: &Id<Node>| !bones.hang(id, *child) || shows(scene, *child);
            if node.role == NodeRole::Own && node.children.iter().any(is_apart) {
                cx.lose(&LOSS_008, &label, 1, "node with children", "DGL3 has no hierarchy");
            }
            let is_bone = joints.contains(&id) && !shows(scene, id);
            if is_bone || (node.light.is_some() && node.mesh.is_none()) {
                let why = format!("{} of DGL3 have none", if is_bone { "bones" } else { "lights" });
                for (name, _) in &node.properties {
                    cx.lose(&LOSS_015, &label, 1, &format!("property {name}"), &why);
                }
            }
            if is_bone {
                continue;
            }
            let reference = node.extras.get(EXTERNAL).and_then(Value::as_text).cloned();
            let elsewhere = stand(scene, rest, id).filter(|place| node.skin.is_some() && *place != world);
            let transform = match node.transform {
                // A root stands where it says, even if that is no number.
                trs @ Transform::Trs { .. } if tops.contains(&id) && elsewhere.is_none() => trs,
                _ => {
                    let world = elsewhere.unwrap_or(world);
                    let nearest = nearest(&world);
                    if !is_near(&nearest.matrix(), &world) {
                        let size = diagonal.get_or_init(|| rest.diagonal(scene));
                        let off = rest.apart(scene, id, &world, &nearest.matrix()) / size;
                        let why = "DGL3 has translation, rotation and scale";
                        cx.misplace(off, &label, 1, "shear of a transform", why);
                    }
                    nearest
                }
            };
            if node.light.is_some() {
                let (.., scale) = scene::sample::parts(&transform);
                if node.mesh.is_none() && scale.iter().any(|s| (s - 1.).abs() > 1e-5) {
                    cx.lose(&LOSS_009, &label, 1, "scale of a light", "lights of DGL3 have a position and a rotation");
                }
                // Where joints have its mesh, nothing else of the node stands.
                let transform = if elsewhere.is_some() { nearest(&world) } else { transform };
                plan.lights.push((id, aimed(transform, &world)));
            }
            // Materials are those of entities.
            let parts = |mesh: Id<scene::Mesh>| &scene.meshes[mesh].primitives;
            let bare = |mesh| node.material.is_none() && parts(mesh).iter().all(|part| part.material.is_none());
            match (node.role, node.mesh) {
                (NodeRole::Unplaced, Some(mesh)) if transform == Transform::default() && bare(mesh) => {
                    plan.unplaced.push((id, mesh));
                }
                (NodeRole::Axis, None) => {}
                (_, mesh) if mesh.is_some() || node.light.is_none() => {
                    let unbound = elsewhere.map(|_| nearest(&world));
                    plan.entities.push(Placed { node: id, transform, unbound, mesh, reference });
                }
                _ => {}
            }
        }
        plan
    }
}

/// The skin that bends what a node shows.
fn skin_of(scene: &Scene, node: Id<Node>) -> Option<Id<Skin>> {
    let node = &scene.nodes[node];
    let is_bound = |part: &scene::Primitive| part.get(&Semantic::Joints(0)).is_some();
    let bends = scene.meshes.get(node.mesh?)?.primitives.iter().any(is_bound);
    node.skin.filter(|skin| bends && scene.skins.get(*skin).is_some())
}

/// Whether a node shows something, or shines.
fn shows(scene: &Scene, node: Id<Node>) -> bool {
    scene.nodes.get(node).is_some_and(|node| node.mesh.is_some() || node.light.is_some())
}

/// Which skins each node has: the one that bends what it shows, and those whose joint it is.
struct Bones {
    skins: HashMap<Id<Node>, Vec<Id<Skin>>>,
    joints: HashMap<Id<Skin>, HashSet<Id<Node>>>,
}

impl Bones {
    fn of(scene: &Scene, skins: &HashSet<Id<Skin>>) -> Bones {
        let mut out = Bones { skins: HashMap::new(), joints: HashMap::new() };
        for (id, skin) in scene.skins.entries().filter(|(id, _)| skins.contains(id)) {
            let bones = skin.joints.iter().filter(|joint| !shows(scene, **joint));
            bones.for_each(|joint| out.skins.entry(*joint).or_default().push(id));
            out.joints.insert(id, skin.joints.iter().copied().collect());
        }
        for id in scene.nodes.ids() {
            if let Some(skin) = skin_of(scene, id).filter(|skin| skins.contains(skin)) {
                out.skins.entry(id).or_default().push(skin);
            }
        }
        out
    }

    /// Whether a child hangs below its parent in the file, too: as a bone of it.
    fn hang(&self, parent: Id<Node>, child: Id<Node>) -> bool {
        let has = |skin: &Id<Skin>| self.joints.get(skin).is_some_and(|joints| joints.contains(&child));
        self.skins.get(&parent).is_some_and(|skins| skins.iter().any(has))
    }
}

/// Where the entity of a node stands. What a skin bends may stand anywhere, but bones need a place that has an inverse.
pub(super) fn stand(scene: &Scene, rest: &Pose, node: Id<Node>) -> Option<glam::DMat4> {
    let bends = scene.nodes[node].skin.and_then(|skin| scene.skins.get(skin)).is_some_and(|s| !s.joints.is_empty());
    let place = rest.stand(scene, node)?;
    Some(if bends && undone(&place).is_none() { glam::DMat4::IDENTITY } else { place })
}

/// A transform whose −Z, along which lights shine, is where the world has it: a scale below zero turns it around.
fn aimed(transform: Transform, world: &glam::DMat4) -> Transform {
    let (translation, rotation, scale) = scene::sample::parts(&transform);
    let turn = glam::DQuat::from_array(rotation.map(f64::from)).normalize();
    let Some(ahead) = world.transform_vector3(glam::DVec3::NEG_Z).try_normalize() else { return transform };
    let found = turn * glam::DVec3::NEG_Z;
    if !found.is_finite() || found.distance(ahead) < 1e-6 {
        return transform;
    }
    let rotation = (glam::DQuat::from_rotation_arc(found, ahead) * turn).to_array().map(|v| v as f32);
    Transform::Trs { translation, rotation, scale }
}

/// A place in the world as a translation, rotation and scale.
fn nearest(world: &glam::DMat4) -> Transform {
    let (translation, rotation, scale) = scene::sample::decompose(world);
    Transform::Trs { translation, rotation, scale }
}

/// Whether two matrices say the same, but for rounding.
fn is_near(a: &glam::DMat4, b: &glam::DMat4) -> bool {
    let size = b.to_cols_array().iter().fold(1_f64, |most, v| most.max(v.abs()));
    (*a - *b).to_cols_array().iter().all(|v| v.abs() <= 1e-5 * size)
}

/// Which record of the file shows which part of a mesh at which node.
#[derive(Default)]
struct Records {
    found: HashMap<(Id<Node>, Id<Mesh>, usize), usize>,
    parts: HashMap<Id<Mesh>, usize>,
}

impl Records {
    fn find(&self, node: Id<Node>, mesh: Id<Mesh>, part: usize) -> Option<usize> {
        self.found.get(&(node, mesh, part)).copied()
    }
    fn parts(&self, mesh: Id<Mesh>) -> usize {
        self.parts.get(&mesh).copied().unwrap_or(0)
    }
}

fn lower_meshes(
    scene: &Scene,
    plan: &Plan,
    rest: &Pose,
    own: bool,
    doc: &mut Document,
    cx: &mut LowerCx<'_>,
) -> Result<Records> {
    let mut records = Records::default();
    let mut names = names(own);
    let mut rigs = Rigs::new(scene, rest, cx)?;
    let mut shown: HashMap<Id<Mesh>, Vec<Id<Node>>> = HashMap::new();
    for (node, mesh) in
        plan.entities.iter().filter_map(|p| Some((p.node, p.mesh?))).chain(plan.unplaced.iter().copied())
    {
        shown.entry(mesh).or_default().push(node);
    }
    for (id, mesh) in scene.meshes.entries() {
        let Some(nodes) = shown.get(&id) else { continue };
        let label = mesh.subject(id);
        let flags: Vec<Flag32> = match mesh.extras.get("dgl3.flags") {
            Some(Value::List(list)) => list.iter().map(|v| Flag32(as_i32(Some(v)).unwrap_or(0))).collect(),
            _ => Vec::new(),
        };
        let mut made = 0;
        for primitive in &mesh.primitives {
            let body = meshes::lower(primitive, &flags);
            let mut variants: HashMap<u64, Vec<(Moves, usize)>> = HashMap::new();
            for &node in nodes {
                let (moves, animations) = rigs.moves(node, id, primitive, cx)?;
                let alike = variants.entry(moves.fingerprint(primitive.vertex_count())).or_default();
                let record = match alike.iter().find(|(known, _)| *known == moves) {
                    Some((_, record)) => *record,
                    None => {
                        let moved = moves.add_to(&body, &flags);
                        let record = add_record(doc, mesh, &label, Some(&moved), made, &flags, &mut names, cx);
                        alike.push((moves, record));
                        made += 1;
                        rigs.arrivals.write(&animations);
                        record
                    }
                };
                records.found.insert((node, id, records.parts(id)), record);
            }
            *records.parts.entry(id).or_default() += 1;
        }
        let outside = mesh.extras.get(EXTERNAL).is_some();
        if made == 0 && !outside && nodes.iter().all(|node| plan.unplaced.contains(&(*node, id))) {
            cx.lose(&LOSS_024, &label, 1, "mesh that draws nothing", "nothing shows it");
        }
        if made == 0 && outside {
            let record = add_record(doc, mesh, &label, None, 0, &flags, &mut names, cx);
            records.found.extend(nodes.iter().map(|&node| ((node, id, 0), record)));
            records.parts.insert(id, 1);
        }
    }
    rigs.lose_rest(plan, cx);
    let entities = plan.entities.iter().filter_map(|placed| Some((placed.node, placed.mesh?)));
    let shown = entities.flat_map(|(node, mesh)| (0..records.parts(mesh)).map(move |part| (node, mesh, part)));
    number(doc, &shown.filter_map(|(node, mesh, part)| records.find(node, mesh, part)).collect());
    Ok(records)
}

/// Adds a mesh: a reference if the file it came from still says the same, the shape itself otherwise.
#[allow(clippy::too_many_arguments)]
fn add_record(
    doc: &mut Document,
    mesh: &Mesh,
    label: &Subject,
    body: Option<&Body>,
    copy: usize,
    flags: &[Flag32],
    names: &mut Names,
    cx: &mut LowerCx<'_>,
) -> usize {
    let position = doc.meshes.len();
    let name = names.name("Mesh", &mesh.name, copy + usize::from(is_copy(&mesh.extras)), label, cx);
    let external = match mesh.extras.get(EXTERNAL) {
        Some(Value::Text(file)) if copy == 0 => still_there(file, body, label, cx),
        _ => None,
    };
    let mesh_id = as_i32(mesh.extras.get("dgl3.id")).filter(|_| copy == 0).unwrap_or(position as i32);
    let is_external = flags.first().copied().filter(|flag| flag.is_set() == external.is_some());
    let made = layout::Mesh {
        mesh_id,
        name,
        is_external: is_external.unwrap_or(external.is_some().into()),
        external: external.as_ref().map(|file| External { external_filename: text(file) }),
        body: if external.is_some() { None } else { body.cloned() },
    };
    doc.meshes.push(Kept::new(made));
    position
}

/// What the file of a mesh is called where the model goes, if it says what the scene shows, or nothing is known of it.
fn still_there(file: &Name, body: Option<&Body>, label: &Subject, cx: &mut LowerCx<'_>) -> Option<Name> {
    use super::super::external::{Chain, load_mesh};
    let loaded = load_mesh(&text(file), &Chain::start(), cx.source, &cx.limits);
    let why = match (loaded, body) {
        (_, None) => return Some(file.clone()),
        (Err(_), Some(_)) => return None,
        (Ok(there), Some(body)) if there != *body => "it is not what the file says",
        (Ok(_), Some(_)) => {
            let Loaded::Found { bytes, .. } = cx.source.load(&file.to_string(), None) else { return None };
            match outside::link(file, &bytes, cx) {
                Some(link) => return Some(link),
                None => "the files that it names would not be found",
            }
        }
    };
    cx.lose(&LOSS_091, label, 1, "mesh of another file, written into this one", why);
    None
}

/// Ids as they were read while every mesh that an entity shows can be told by its own; else positions.
fn number(doc: &mut Document, shown: &HashSet<usize>) {
    let position = |i: usize| i32::try_from(i).unwrap_or(i32::MAX);
    let mut first = HashMap::new();
    for (i, mesh) in doc.meshes.iter().enumerate() {
        first.entry(mesh.mesh_id).or_insert(i);
    }
    let told = |i: usize| {
        let id = doc.meshes[i].mesh_id;
        id != -1 && first.get(&id) == Some(&i)
    };
    if !shown.iter().all(|&i| told(i)) {
        for (i, mesh) in doc.meshes.iter_mut().enumerate() {
            mesh.edit().mesh_id = position(i);
        }
    }
}
