//! Coarser versions of a mesh: `MSFT_lod`, with the shares of the screen where other programs look for them.

use findings::Subject;
use scene::loss::*;
use scene::{Node, Value};
use serde_json::json;

use super::super::{LEVEL_NAMES, inside};
use super::{Output, nodes};
use crate::gltf::carry::{Carry, encode};
use crate::gltf::schema::{self, Json, Map, Real};

const LOD: &str = "MSFT_lod";
const COVERAGE: &str = "MSFT_screencoverage";

/// Gives a node the nodes that stand in for it when it is small; answers the share of the screen's height that each
/// version needs, if all are known.
pub(super) fn lower(
    out: &mut Output<'_, '_, '_>,
    node: &Node,
    written: &mut schema::Node,
    place: &Subject,
    carry: &mut Carry,
) -> Option<Json> {
    let source = node.mesh.and_then(|id| out.scene.meshes.get(id))?;
    if source.lods.is_empty() {
        return None;
    }
    let mut ids = Vec::new();
    let mut coverage = Vec::new();
    let names = match inside::at(&node.extras, LEVEL_NAMES) {
        Some(Value::List(names)) if names.len() == source.lods.len() => &names[..],
        _ => &[],
    };
    let group = format!("node-{}", out.root.nodes.len());
    for (i, lod) in source.lods.iter().enumerate() {
        let mesh = nodes::mesh_of(out, lod.mesh, node.material).filter(|_| written.mesh.is_some());
        let Some(mesh) = mesh else {
            out.cx.lose(&LOSS_012, place, 1, "level of detail", "it has no part that glTF can hold");
            continue;
        };
        let mut mark = Carry::default();
        mark.set("role", "lod");
        // Programs that do not know the extension drop it; these words still say what belongs together.
        let mut level = json!({ "of": group, "number": i });
        // It stands where the node stands: programs put it below the same parent.
        let place = schema::Node {
            matrix: written.matrix,
            translation: written.translation,
            rotation: written.rotation,
            scale: written.scale,
            ..schema::Node::default()
        };
        if place != schema::Node::default() {
            level["at"] = json!(place);
        }
        mark.set("level", level);
        let name = names.get(i).and_then(Value::as_text).and_then(|name| mark.name(name));
        let stand_in = schema::Node {
            name,
            mesh: Some(mesh),
            extras: mark.extras(&Default::default()),
            skin: written.skin,
            extensions: written
                .extensions
                .iter()
                .filter(|(name, _)| name.starts_with("EXT_mesh_gpu"))
                .map(own)
                .collect(),
            ..place
        };
        ids.push(out.add_written(None, stand_in));
        coverage.push(lod.coverage);
    }
    if ids.is_empty() {
        return None;
    }
    let mut level = json!({ "group": group });
    let name = out.uses(LOD);
    written.extensions.insert(name, json!({ "ids": ids }));
    let known: Option<Vec<f32>> = coverage.iter().map(|c| c.filter(|c| c.is_finite())).collect();
    if known.is_none() && coverage.iter().any(Option::is_some) {
        let share = |share: &Option<f32>| encode(&share.map_or(Value::Null, Value::F32));
        level["coverage"] = coverage.iter().map(share).collect();
    }
    carry.set("level", level);
    // Each version is shown down to where the next one begins, and the last one always.
    known.map(|known| known.into_iter().chain([0.]).map(|share| Real::from(share).json()).collect())
}

fn own((name, value): (&String, &Json)) -> (String, Json) {
    (name.clone(), value.clone())
}

/// The shares stand beside pentad's own extras.
pub(super) fn with_coverage(coverage: Option<Json>, extras: Option<Json>) -> Option<Json> {
    let Some(coverage) = coverage else { return extras };
    let mut all = match extras {
        Some(Json::Object(all)) => all,
        _ => Map::new(),
    };
    all.insert(COVERAGE.to_owned(), coverage);
    Some(Json::Object(all))
}
