//! Instances of a mesh: `EXT_mesh_gpu_instancing`.

use findings::{Place, Result};
use scene::{Id, Instances, Material, Node, Placement, Transform};

use super::added::Added;
use super::{Input, accessors, morphs, nodes};
use crate::gltf::extensions::INSTANCING;
use crate::gltf::rules::{GLTF_022, GLTF_039};
use crate::gltf::schema::{self, Json};

/// Gives a node its instances: its own, and those that nodes below it show in other materials.
pub(super) fn lift(input: &mut Input<'_, '_, '_>, lifted: &mut Node, index: usize, added: &Added) -> Result<()> {
    let node = &input.root.nodes[index];
    let shown = transforms(input, node, &format!("nodes[{index}]"))?;
    let mut all = shown.map(|transforms| group(transforms, None));
    for &below in added.instances.get(&index).into_iter().flatten() {
        let node = &input.root.nodes[below];
        let Some(&shown) = node.mesh.and_then(|mesh| input.made.meshes.get(mesh)) else { continue };
        let single = || vec![nodes::transform(node)];
        let transforms = transforms(input, node, &format!("nodes[{below}]"))?.unwrap_or_else(single);
        all.get_or_insert_default().extend(group(transforms, shown.material));
        if lifted.mesh.is_none() {
            lifted.weights = morphs::node_weights(input, node, &format!("nodes[{below}]"));
        }
        lifted.mesh = lifted.mesh.or(Some(shown.mesh));
        lifted.skin = lifted.skin.or(node.skin.filter(|&skin| skin < input.root.skins.len()).map(Id::new));
    }
    lifted.instances = all.map(|placements| Instances { placements });
    Ok(())
}

/// The instances that one node shows.
fn group(transforms: Vec<Transform>, material: Option<Id<Material>>) -> Vec<Placement> {
    transforms.into_iter().map(|transform| Placement { transform, material }).collect()
}

/// Takes room for all instances before the first is made: nodes may share what places them.
pub(super) fn charge(input: &mut Input<'_, '_, '_>) -> Result<()> {
    // A column of numbers, a transform, and a placement.
    let each = 40 + size_of::<Transform>() + size_of::<Placement>();
    let count = |node: &schema::Node| -> Option<u64> {
        let attributes = node.extensions.get(INSTANCING)?.get("attributes")?.as_object()?;
        let accessor = |index: &Json| input.root.accessors.get(usize::try_from(index.as_u64()?).ok()?);
        attributes.values().filter_map(accessor).map(|accessor| accessor.count as u64).max()
    };
    let count = input.root.nodes.iter().filter_map(count).fold(0, u64::saturating_add);
    let made = input.data.make("nodes", 0, count.saturating_mul(each as u64));
    input.settle(made).map(drop)
}

fn transforms(input: &mut Input<'_, '_, '_>, node: &schema::Node, path: &str) -> Result<Option<Vec<Transform>>> {
    let Some(json) = node.extensions.get(INSTANCING) else { return Ok(None) };
    let path = format!("{path}.extensions.{INSTANCING}");
    let Some(attributes) = json.get("attributes").and_then(Json::as_object) else {
        input.find(&GLTF_039, Place::path(path), "it has no attributes");
        return Ok(None);
    };
    let mut columns: [Option<Vec<f32>>; 3] = [None, None, None];
    for (name, accessor) in attributes {
        let column = ["TRANSLATION", "ROTATION", "SCALE"].iter().position(|known| known == name);
        let path = format!("{path}.attributes.{name}");
        match (column, accessor.as_u64()) {
            (Some(column), Some(accessor)) => {
                let width = if column == 1 { 4 } else { 3 };
                columns[column] = accessors::floats(input, accessor as usize, width..=width, &path)?;
                let stored = input.root.accessors.get(accessor as usize);
                if column == 1 && stored.is_some_and(|stored| stored.normalized == Some(true)) {
                    columns[column].iter_mut().for_each(|rotations| make_unit(rotations));
                }
            }
            (Some(_), None) => input.find(&GLTF_039, Place::path(path), "it is no number"),
            (None, _) => {
                let why = "instances of a mesh have a transform and nothing else";
                input.cx.lose(&scene::loss::LOSS_017, &path, 1, format!("{name} of instances"), why);
            }
        }
    }
    let lengths = columns.iter().zip([3, 4, 3]).filter_map(|(column, width)| Some(column.as_ref()?.len() / width));
    let lengths: Vec<usize> = lengths.collect();
    let count = lengths.iter().copied().min().unwrap_or(0);
    if lengths.iter().any(|&length| length != count) {
        input.find(&GLTF_022, Place::path(&path), "its attributes have different lengths");
    }
    let [translations, rotations, scales] = columns;
    let transform = |i: usize| Transform::Trs {
        translation: row(&translations, i, [0.; 3]),
        rotation: row(&rotations, i, [0., 0., 0., 1.]),
        scale: row(&scales, i, [1.; 3]),
    };
    Ok(Some((0..count).map(transform).collect()))
}

/// Whole numbers hold the direction of a unit quaternion and miss its length by their rounding.
fn make_unit(rotations: &mut [f32]) {
    for rotation in rotations.as_chunks_mut::<4>().0 {
        let unit = glam::DVec4::from_array(rotation.map(f64::from)).try_normalize();
        *rotation = unit.map_or(*rotation, |unit| unit.to_array().map(|v| v as f32));
    }
}

fn row<const N: usize>(column: &Option<Vec<f32>>, i: usize, instead: [f32; N]) -> [f32; N] {
    column.as_ref().and_then(|column| column.as_chunks::<N>().0.get(i).copied()).unwrap_or(instead)
}
