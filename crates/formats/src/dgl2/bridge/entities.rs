//! ENTITY chunks ⇄ nodes.

use findings::Subject;
use scene::loss::{LOSS_004, LOSS_045};
use scene::sample::Pose;
use scene::{Id, Light, LightKind, Name, Node, Scene, Transform, Value};
use wire::F32;

use super::editor::{Editor, typed};
use super::{Dialect, carried_bytes, carried_int, carry_bytes};
use crate::LowerCx;
use crate::dgl2::layout::{Chunk, Document, Entity, EntityKind, Language};
use crate::dgl2::properties::Properties;

/// Keys that become something of the scene; `color` and the last two only of lights.
fn is_known(key: &[u8], is_light: bool) -> bool {
    matches!(key, b"visible" | b"transparent") || (is_light && matches!(key, b"color" | b"intensity" | b"range"))
}

pub(super) fn is_transparent(properties: &Properties) -> bool {
    properties.boolean("transparent").unwrap_or(false)
}

/// The node of an entity, without its mesh and material.
pub(super) fn lift(doc: &Document, chunk: &Chunk, entity: &Entity, scene: &mut Scene) -> Node {
    let properties = Properties(doc.properties(&entity.text));
    let is_light = entity.kind == EntityKind::LIGHT;
    let mut node = Node { name: Name::from(chunk.name.bytes()), ..Node::default() };
    node.transform = Transform::Trs {
        translation: entity.position.map(F32::get),
        rotation: entity.rotation.map(F32::get),
        scale: entity.scaling.map(F32::get),
    };
    node.visible = properties.boolean("visible").unwrap_or(true);
    if is_light {
        node.light = Some(scene.lights.add(lift_light(&node.name, &properties)));
    } else if entity.kind != EntityKind::OBJECT {
        node.extras.set("dgl2.type", i64::from(entity.kind.0));
    }
    let own = properties.0.iter().filter(|property| !is_known(&property.name, is_light));
    let own = own.map(|property| (Name::from(&*property.name), typed(&property.value)));
    node.properties = own.collect();
    if doc.language == Language::Dml {
        node.extras.set("dgl2.text", Value::Text(Name::from(entity.text.bytes())));
    } else if is_transparent(&properties) {
        node.properties.push(("transparent".into(), Value::Text("1".into())));
    }
    carry_bytes(&mut node.extras, "dgl2.slack", entity.slack.as_ref());
    node
}

fn lift_light(name: &Name, properties: &Properties) -> Light {
    let [r, g, b, _] = light_color(properties.get("color"));
    Light {
        name: name.clone(),
        kind: LightKind::Point,
        color: [r, g, b],
        intensity: properties.float("intensity").unwrap_or(1.),
        range: properties.float("range"),
        extras: Default::default(),
    }
}

fn light_color(value: Option<&[u8]>) -> [f32; 4] {
    value.and_then(crate::dgl2::dml::value::array).unwrap_or([1.; 4])
}

fn light_of<'a>(scene: &'a Scene, node: &Node) -> Option<&'a Light> {
    node.light.and_then(|id| scene.lights.get(id))
}

/// What the entity of a node is called: as its light, if the node itself has no name.
pub(super) fn name<'a>(scene: &'a Scene, node: &'a Node) -> &'a Name {
    light_of(scene, node).filter(|_| node.name.is_empty()).map_or(&node.name, |light| &light.name)
}

/// The entity of a node, without its mesh and material.
pub(super) fn lower(
    scene: &Scene,
    index: usize,
    node: &Node,
    transparent: bool,
    (dialect, same_dialect): (Dialect, bool),
    cx: &mut LowerCx<'_>,
) -> Entity {
    let place = node.subject(index);
    let light = light_of(scene, node).filter(|light| shines(light, &place, cx));
    let mut text = Editor::new(node.extras.get("dgl2.text"), same_dialect, dialect, place.clone(), cx);
    text.boolean("visible", true, node.visible);
    if transparent {
        text.boolean("transparent", false, true);
    }
    if let Some(light) = light {
        lower_light(&mut text, light);
    }
    text.properties(&node.properties, |key| is_known(key, light.is_some()));
    let (position, rotation, scaling) = trs(scene, index, node, &place, cx);
    let carried_kind = carried_int(&node.extras, "dgl2.type").filter(|kind| *kind != 1);
    let kind = match (light, carried_kind) {
        (Some(_), _) => EntityKind::LIGHT,
        (None, Some(kind)) => EntityKind(kind as u32),
        (None, None) => EntityKind::OBJECT,
    };
    Entity {
        kind,
        material_id: -1,
        mesh_id: -1,
        position: position.map(F32),
        rotation: rotation.map(F32),
        scaling: scaling.map(F32),
        text: text.finish(cx).into(),
        slack: carried_bytes(&node.extras, "dgl2.slack"),
    }
}

/// Whether the format has such a light.
fn shines(light: &Light, place: &Subject, cx: &mut LowerCx<'_>) -> bool {
    match light.kind {
        LightKind::Point => true,
        LightKind::Spot { .. } | LightKind::Area => {
            cx.lose(&LOSS_045, place, 1, "direction of the light", "DGL2 has point lights only");
            true
        }
        LightKind::Directional | LightKind::Ambient => {
            cx.lose(&LOSS_004, place, 1, "light", "DGL2 has point lights only");
            false
        }
    }
}

fn lower_light(text: &mut Editor, light: &Light) {
    let [r, g, b] = light.color;
    let now = light_color(text.get("color"));
    // The engine stops at a light without a colour.
    if text.get("color").is_none() && (text.fresh || now[..3] != light.color) {
        text.set_color("color", [r, g, b, 1.]);
    } else {
        text.color("color", [1.; 4], [r, g, b, now[3]]);
    }
    text.number("intensity", 1., light.intensity);
    match light.range {
        Some(range) => text.number("range", f32::NAN, range),
        None => text.remove("range"),
    }
}

fn trs(
    scene: &Scene,
    index: usize,
    node: &Node,
    place: &Subject,
    cx: &mut LowerCx<'_>,
) -> ([f32; 3], [f32; 4], [f32; 3]) {
    let (nearest, exact) = node.transform.nearest_trs();
    if !exact {
        let rest = Pose::rest(scene);
        let off = rest.apart(scene, Id::new(index), &node.transform.matrix(), &nearest.matrix());
        let (off, why) = (off / rest.diagonal(scene), "DGL2 has translation, rotation and scale");
        cx.misplace(off, place, 1, "shear of the transform", why);
    }
    match nearest {
        Transform::Trs { translation, rotation, scale } => (translation, rotation, scale),
        Transform::Matrix(_) => ([0.; 3], [0., 0., 0., 1.], [1.; 3]),
    }
}
