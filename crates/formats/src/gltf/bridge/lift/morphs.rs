//! Morph targets.

use std::collections::BTreeMap;

use findings::{Place, Result};
use scene::{Attribute, Mesh, MorphRange, MorphTarget, Name};

use super::super::attributes;
use super::carried::{Carried, floats};
use super::{Input, accessors};
use crate::gltf::carry::TARGET_NAMES;
use crate::gltf::rules::GLTF_022;
use crate::gltf::schema::{self, Real};

pub(super) fn lift_target(
    input: &mut Input<'_, '_, '_>,
    target: &BTreeMap<String, usize>,
    count: Option<usize>,
    path: &str,
) -> Result<MorphTarget> {
    let mut lifted = MorphTarget::default();
    if stands_for_nothing(input, target) {
        return Ok(lifted);
    }
    let mut sorted: Vec<_> =
        target.iter().map(|(name, &accessor)| (attributes::semantic(name), name, accessor)).collect();
    sorted.sort_by_key(|(semantic, name, _)| (semantic.rank(), *name));
    for (semantic, name, accessor) in sorted {
        // Deltas of tangents leave the sign alone.
        let widths = match semantic {
            scene::Semantic::Tangent => 3..=3,
            _ => attributes::widths(&semantic),
        };
        if let Some(stream) = accessors::attribute(input, accessor, widths, count, &format!("{path}.{name}"))? {
            lifted.attributes.push(Attribute { semantic, stream });
        }
    }
    Ok(lifted)
}

/// Whether a target is one accessor of zeros: glTF demands that a target names something.
fn stands_for_nothing(input: &Input<'_, '_, '_>, target: &BTreeMap<String, usize>) -> bool {
    let accessor = target.get("POSITION").filter(|_| target.len() == 1).and_then(|&i| input.root.accessors.get(i));
    accessor.is_some_and(|accessor| accessor.buffer_view.is_none() && accessor.sparse.is_none())
}

/// Names, default weights and ranges of the targets of a mesh.
pub(super) fn ranges(
    input: &mut Input<'_, '_, '_>,
    mesh: &Mesh,
    weights: &[Real],
    carried: &mut Carried,
    path: &str,
) -> Vec<MorphRange> {
    let count = mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0);
    if !weights.is_empty() && weights.len() != count {
        let message = format!("there are {} weights for {count} morph targets", weights.len());
        input.find(&GLTF_022, Place::path(format!("{path}.weights")), message);
    }
    let names = carried.taken_foreign(TARGET_NAMES, |json| {
        let names: Vec<Name> = json.as_array()?.iter().map(|n| n.as_str().map(Name::from)).collect::<Option<_>>()?;
        (names.len() == count && count > 0).then_some(names)
    });
    let ranges = carried.taken("morph_ranges", |json| {
        let ranges: Vec<[f32; 2]> = json.as_array()?.iter().map(floats::<2>).collect::<Option<_>>()?;
        (ranges.len() == count).then_some(ranges)
    });
    let weight = |i: usize| weights.get(i).map_or(0., |weight| weight.0 as f32);
    let range = |i: usize| {
        let [min, max] = ranges.as_ref().map_or([0., 1.], |ranges| ranges[i]);
        let name = names.as_ref().map_or_else(Name::default, |names| names[i].clone());
        MorphRange { name, default: weight(i), min, max }
    };
    (0..count).map(range).collect()
}

/// Weights of a node, as many as its mesh has targets.
pub(super) fn node_weights(input: &mut Input<'_, '_, '_>, node: &schema::Node, path: &str) -> Vec<f32> {
    let mesh = node.mesh.and_then(|mesh| input.root.meshes.get(mesh));
    let count = mesh.and_then(|mesh| mesh.primitives.first()).map_or(0, |primitive| primitive.targets.len());
    if !node.weights.is_empty() && node.weights.len() != count {
        let message = format!("there are {} weights for {count} morph targets", node.weights.len());
        input.find(&GLTF_022, Place::path(format!("{path}.weights")), message);
        return Vec::new();
    }
    node.weights.iter().map(|weight| weight.0 as f32).collect()
}
