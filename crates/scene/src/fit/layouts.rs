//! Transforms of texture coordinates, for targets whose textures have none: they are baked into the coordinates. A
//! texture that is laid out differently from the others of its set gets a set of its own where the target has room.

use std::collections::{BTreeMap, BTreeSet};

use findings::Losses;

use super::{Target, Users};
use crate::loss::LOSS_041;
use crate::{Id, Material, Primitive, Scene, Semantic, Slot, Stream, UvTransform};

/// How a texture is laid out: by which set of coordinates, and how they are moved.
type Layout = (u8, Option<UvTransform>);

pub(super) fn fit(scene: &mut Scene, target: &Target<'_>, losses: &mut Losses) {
    // A format that has transforms of its own keeps them in its own files.
    if target.can.carries || target.can.uv_sets.max == 0 || target.is_own(scene) {
        return;
    }
    let moved = |material: &Material| material.slots.iter().any(|slot| slot.transform.is_some_and(|t| !t.is_none()));
    if !scene.materials.iter().any(moved) {
        return;
    }
    give_own_meshes(scene, moved);
    for (index, id) in scene.materials.ids().enumerate().collect::<Vec<_>>() {
        if moved(&scene.materials[id]) {
            let place = Scene::label("material", index, &scene.materials[id].name);
            bake(scene, id, target, &place, losses);
        }
    }
}

impl UvTransform {
    /// Whether it changes nothing.
    pub fn is_none(&self) -> bool {
        (self.offset, self.rotation, self.scale) == ([0.; 2], 0., [1.; 2])
    }

    /// Where it moves a point: stretched first, then turned, then shifted, with V downwards.
    pub fn apply(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = f64::from(self.rotation).sin_cos();
        let (u, v) = (u * f64::from(self.scale[0]), v * f64::from(self.scale[1]));
        [u * cos + v * sin + f64::from(self.offset[0]), v * cos - u * sin + f64::from(self.offset[1])]
    }
}

/// Gives nodes that replace the materials of their mesh a mesh of their own, where transforms are at stake: what is
/// baked for one material is wrong for another.
fn give_own_meshes(scene: &mut Scene, moved: impl Fn(&Material) -> bool) {
    let mut users = Users::of(scene);
    for id in scene.nodes.ids().collect::<Vec<_>>() {
        let node = &scene.nodes[id];
        let (Some(material), Some(mesh)) = (node.material, node.mesh.and_then(|mesh| scene.meshes.get(mesh))) else {
            continue;
        };
        let materials = mesh.primitives.iter().filter_map(|primitive| primitive.material).chain([material]);
        if !materials.filter_map(|id| scene.materials.get(id)).any(&moved) {
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
fn chooses(slot: &Slot, target: &Target<'_>) -> bool {
    target.can.texture_sets.contains(&slot.role)
}

/// Whether the target has room for a texture of that role. Who knows for each texture what it is for has none for others,
/// and tells.
fn stays(slot: &Slot, target: &Target<'_>) -> bool {
    target.can.texture_sets.is_empty() || chooses(slot, target)
}

/// Where each layout of a material goes: the set of coordinates, and the layout that this set has then.
fn plan(material: &Material, taken: &BTreeSet<u8>, target: &Target<'_>) -> Vec<(Layout, u8, Layout)> {
    let mut slots = material.slots_by_weight();
    // What the target leaves out needs no coordinates.
    slots.retain(|slot| stays(slot, target));
    let mut taken: BTreeSet<u8> = taken.iter().copied().chain(slots.iter().map(|slot| slot.uv_set)).collect();
    let mut homes: BTreeMap<u8, Layout> = BTreeMap::new();
    let mut planned: Vec<(Layout, u8, Layout)> = Vec::new();
    for layout in slots.into_iter().map(layout) {
        if planned.iter().any(|(known, ..)| *known == layout) {
            continue;
        }
        let free = || (0..target.can.uv_sets.max).find(|set| !taken.contains(set));
        let home = match homes.get(&layout.0) {
            None => layout.0,
            Some(_) if material.slots.iter().any(|slot| self::layout(slot) == layout && chooses(slot, target)) => {
                free().unwrap_or(layout.0)
            }
            Some(_) => layout.0,
        };
        taken.insert(home);
        let has = *homes.entry(home).or_insert(layout);
        planned.push((layout, home, has));
    }
    planned
}

fn bake(scene: &mut Scene, id: Id<Material>, target: &Target<'_>, place: &str, losses: &mut Losses) {
    let mut parts: Vec<&mut Primitive> = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).collect();
    parts.retain(|primitive| primitive.material == Some(id));
    let sets =
        parts.iter().flat_map(|primitive| &primitive.attributes).filter_map(|attribute| match attribute.semantic {
            Semantic::TexCoord(set) => Some(set),
            _ => None,
        });
    let planned = plan(&scene.materials[id], &sets.collect(), target);
    let mut far: Vec<f64> = vec![0.; planned.len()];
    for primitive in &mut parts {
        let before = primitive.clone();
        for (at, (layout, home, has)) in planned.iter().enumerate() {
            let Some(stream) = before.get(&Semantic::TexCoord(layout.0)) else { continue };
            if layout == has {
                if layout.1.is_some() || *home != layout.0 {
                    primitive.set(Semantic::TexCoord(*home), moved(stream, layout.1.as_ref()));
                }
            } else {
                far[at] = far[at].max(distance(stream, layout.1.as_ref(), has.1.as_ref()));
            }
        }
    }
    for slot in &mut scene.materials[id].slots {
        let Some(at) = planned.iter().position(|(known, ..)| *known == layout(slot)) else { continue };
        let (layout, home, has) = &planned[at];
        if layout != has && stays(slot, target) && !target.can.textures.is_lost() {
            let what = format!("{} texture laid out as the others of its coordinates are", slot.role.name());
            losses.add_measured(&LOSS_041, far[at], place, 1, what, target.why("transforms of texture coordinates"));
        }
        (slot.uv_set, slot.transform) = (*home, None);
    }
}

fn points(stream: &Stream, transform: Option<&UvTransform>) -> Vec<[f64; 2]> {
    let numbers = stream.to_f64();
    let rows = numbers.chunks_exact(stream.count().max(2));
    rows.map(|row| transform.map_or([row[0], row[1]], |transform| transform.apply([row[0], row[1]]))).collect()
}

fn moved(stream: &Stream, transform: Option<&UvTransform>) -> Stream {
    if transform.is_none() {
        return stream.clone();
    }
    let numbers = points(stream, transform).into_iter().flatten().map(|number| number as f32);
    Stream::from_f32(2, numbers.collect())
}

/// How far the two layouts lie apart at most, in sizes of the image.
fn distance(stream: &Stream, a: Option<&UvTransform>, b: Option<&UvTransform>) -> f64 {
    let pairs = points(stream, a).into_iter().zip(points(stream, b));
    pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).filter(|far| far.is_finite()).fold(0., f64::max)
}
