//! Transforms of texture coordinates, for targets whose textures have none: they are baked into the coordinates. A
//! texture that is laid out differently from the others of its set gets a set of its own where the target has room.
//! Where textures cannot choose their set, the texture that is seen most brings its coordinates to the set that the
//! target reads, and one that lies by other coordinates is left out: it would show its pixels in the wrong places.

use std::collections::{BTreeMap, BTreeSet};

use findings::{Losses, ROUNDING, Subject};
use ops::{MeshUsers, texcoord_distance, transform_texcoords};
use scene::loss::{LOSS_007, LOSS_041, LOSS_092};
use scene::{Id, Material, Primitive, Role, Scene, Semantic, Slot, UvTransform};

use super::Target;

/// How a texture is laid out: by which set of coordinates, and how they are moved.
type Layout = (u8, Option<UvTransform>);

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    // A format that has transforms of its own keeps them in its own files.
    if target.can.carries || target.can.uv_sets.max == 0 || target.is_own(scene) {
        return;
    }
    let is_moved = |slot: &Slot| slot.transform.is_some_and(|transform| !transform.is_none());
    let lies_elsewhere = |slot: &Slot| home(slot, target) != slot.uv_set;
    let changes = |material: &Material| material.slots.iter().any(|slot| is_moved(slot) || lies_elsewhere(slot));
    if !scene.materials.iter().any(changes) {
        return;
    }
    give_own_meshes(scene, changes);
    for (index, id) in scene.materials.ids().enumerate().collect::<Vec<_>>() {
        if changes(&scene.materials[id]) {
            let place = scene.materials[id].subject(index);
            bake(scene, id, target, &place, losses);
        }
    }
}

/// Gives nodes that replace the materials of their mesh a mesh of their own, where coordinates change: what is baked for
/// one material is wrong for another.
fn give_own_meshes(scene: &mut Scene, changes: impl Fn(&Material) -> bool) {
    let mut users = MeshUsers::of(scene);
    for id in scene.nodes.ids().collect::<Vec<_>>() {
        let node = &scene.nodes[id];
        let (Some(material), Some(mesh)) = (node.material, node.mesh.and_then(|mesh| scene.meshes.get(mesh))) else {
            continue;
        };
        let materials = mesh.primitives.iter().filter_map(|primitive| primitive.material).chain([material]);
        if !materials.filter_map(|id| scene.materials.get(id)).any(&changes) {
            continue;
        }
        for primitive in users.own_mesh(scene, id).into_iter().flat_map(|mesh| &mut mesh.primitives) {
            primitive.material = Some(material);
        }
        scene.nodes[id].material = None;
    }
}

fn layout(slot: &Slot) -> Layout {
    (slot.uv_set, slot.transform.filter(|transform| !transform.is_none()))
}

/// Whether the target lets a texture of that role choose its set of coordinates.
fn chooses(slot: &Slot, target: &Target) -> bool {
    target.can.texture_sets.contains(&slot.role)
}

/// Whether the target has room for a texture of that role. Who knows for each texture what it is for has none for others,
/// and tells.
fn stays(slot: &Slot, target: &Target) -> bool {
    target.can.texture_sets.is_empty() || chooses(slot, target)
}

/// The set of coordinates that a texture is to lie by.
fn home(slot: &Slot, target: &Target) -> u8 {
    match &slot.role {
        _ if !target.can.texture_sets.is_empty() || target.can.textures.is_lost() => slot.uv_set,
        // What a slot without a known role is for, only its own format knows.
        Role::Other(_) => slot.uv_set,
        role => role.usual_uv_set(),
    }
}

/// Where a texture of a material goes.
struct Planned {
    role: Role,
    /// How it is laid out.
    layout: Layout,
    /// The set of coordinates that it lies by from now on.
    home: u8,
    /// How that set is laid out then: by the first texture that came there.
    has: Layout,
    /// How far that is from its own layout, in sizes of the image.
    far: f64,
}

impl Planned {
    fn owns_its_set(&self) -> bool {
        self.layout == self.has
    }
}

fn plan(material: &Material, taken: &BTreeSet<u8>, target: &Target) -> Vec<Planned> {
    let mut slots = material.slots_by_weight();
    // What the target leaves out needs no coordinates.
    slots.retain(|slot| stays(slot, target));
    let mut taken: BTreeSet<u8> = taken.iter().copied().chain(slots.iter().map(|slot| slot.uv_set)).collect();
    let mut homes: BTreeMap<u8, Layout> = BTreeMap::new();
    let mut planned: Vec<Planned> = Vec::new();
    for slot in slots {
        let (layout, wanted) = (layout(slot), home(slot, target));
        let known = planned.iter().find(|known| known.layout == layout);
        let free = || (0..target.can.uv_sets.max).find(|set| !taken.contains(set));
        let home = match (known, homes.get(&wanted)) {
            (Some(known), _) if chooses(slot, target) => known.home,
            (_, Some(has)) if *has != layout && chooses(slot, target) => free().unwrap_or(wanted),
            _ => wanted,
        };
        taken.insert(home);
        let has = *homes.entry(home).or_insert(layout);
        planned.push(Planned { role: slot.role.clone(), layout, home, has, far: 0. });
    }
    planned
}

fn bake(scene: &mut Scene, id: Id<Material>, target: &Target, place: &Subject, losses: &mut Losses) {
    let mut parts: Vec<&mut Primitive> = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).collect();
    parts.retain(|primitive| primitive.material == Some(id));
    let sets =
        parts.iter().flat_map(|primitive| &primitive.attributes).filter_map(|attribute| match attribute.semantic {
            Semantic::TexCoord(set) => Some(set),
            _ => None,
        });
    let mut planned = plan(&scene.materials[id], &sets.collect(), target);
    for primitive in &mut parts {
        lay(primitive, &mut planned);
    }
    let material = &mut scene.materials[id];
    let mut lost = Vec::new();
    for slot in &mut material.slots {
        let Some(planned) = planned.iter().find(|planned| planned.role == slot.role) else { continue };
        (slot.uv_set, slot.transform) = (planned.home, None);
        if planned.owns_its_set() || target.can.textures.is_lost() {
            continue;
        }
        if planned.has.0 != planned.layout.0 && planned.far > ROUNDING {
            lost.push(slot.role.clone());
            continue;
        }
        let what = format!("{} texture laid out as the others of its coordinates are", slot.role.name());
        losses.add_measured(&LOSS_041, planned.far, place, 1, what, target.why("transforms of texture coordinates"));
    }
    leave_out(material, &lost, target, place, losses);
}

/// Moves the coordinates of a part to where the textures of its material read them.
fn lay(primitive: &mut Primitive, planned: &mut [Planned]) {
    let before = primitive.clone();
    let mut owned: BTreeSet<u8> = planned.iter().map(|planned| planned.home).collect();
    for planned in planned {
        let Some(stream) = before.get(&Semantic::TexCoord(planned.layout.0)) else { continue };
        if !planned.owns_its_set() {
            let now = before.get(&Semantic::TexCoord(planned.has.0)).unwrap_or(stream);
            let far = texcoord_distance((stream, planned.layout.1.as_ref()), (now, planned.has.1.as_ref()));
            planned.far = planned.far.max(far);
            // Coordinates that no texture lies by any more are still what they were.
            if planned.layout.1.is_some() && owned.insert(planned.layout.0) {
                let set = Semantic::TexCoord(planned.layout.0);
                primitive.set(set, transform_texcoords(stream, planned.layout.1.as_ref()));
            }
            continue;
        }
        let ((set, transform), home) = (planned.layout, planned.home);
        if transform.is_some() || home != set {
            primitive.set(Semantic::TexCoord(home), transform_texcoords(stream, transform.as_ref()));
        }
        // The coordinates that were there change places with them, unless others come to that place.
        if let Some(replaced) = before.get(&Semantic::TexCoord(home)).filter(|_| home != set && owned.insert(set)) {
            primitive.set(Semantic::TexCoord(set), replaced.clone());
        }
    }
}

/// Leaves out textures that would lie by coordinates that are not theirs.
fn leave_out(material: &mut Material, lost: &[Role], target: &Target, place: &Subject, losses: &mut Losses) {
    let why = format!("{} lays out textures by one set of texture coordinates", target.name);
    for role in lost {
        losses.add(&LOSS_007, place, 1, format!("{} texture", role.name()), &why);
    }
    for (role, _) in material.fall_back(|slot| lost.contains(&slot.role)) {
        let why = "its texture is not there, and alone it says too much";
        losses.add(&LOSS_092, place, 1, format!("{} set to 0", role.name()), why);
    }
    material.slots.retain(|slot| !lost.contains(&slot.role));
}
