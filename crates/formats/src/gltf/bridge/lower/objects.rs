//! Cameras and lights.

use std::f32::consts::{FRAC_PI_2, PI};

use findings::Subject;
use scene::loss::*;
use scene::{Camera, Light, LightKind, Projection, Value};
use serde_json::json;

use super::Output;
use crate::gltf::bridge::limits::{limited, valid};
use crate::gltf::carry::{Carry, encode};
use crate::gltf::schema::{self, Json, Map, Orthographic, Perspective, Real};

pub(super) const LIGHTS: &str = "KHR_lights_punctual";

/// What stands for a distance or an angle that glTF demands to be above zero, and that is not: so little that it is near
/// enough to none.
const LEAST: f32 = 1e-4;
/// How far a camera sees that the source gives no end, where glTF demands one: in its own near distances and metres.
const FAR: f32 = 1e5;

pub(super) fn lower(out: &mut Output<'_, '_, '_>) {
    let scene = out.scene;
    for (id, camera) in scene.cameras.entries() {
        let place = camera.subject(id);
        let written = lower_camera(out, camera, &place);
        out.root.cameras.push(written);
    }
    let mut lights = Vec::new();
    for (id, light) in scene.lights.entries() {
        let place = light.subject(id);
        let written = lower_light(out, light, &place);
        out.nodes.lights.push(written.is_some().then_some(lights.len()));
        lights.extend(written);
    }
    if !lights.is_empty() {
        let name = out.uses(LIGHTS);
        out.root.extensions.insert(name, json!({ "lights": lights }));
    }
}

/// A number above zero, as it is if it is one.
fn above_zero(value: f32, instead: f32) -> f32 {
    match value.is_finite() {
        true if value > 0. => value,
        true => LEAST,
        false => instead,
    }
}

fn lower_camera(out: &mut Output<'_, '_, '_>, camera: &Camera, place: &Subject) -> schema::Camera {
    let mut carry = Carry::default();
    let mut written = schema::Camera {
        name: carry.name(&camera.name),
        extensions: out.foreign(&camera.extras),
        ..schema::Camera::default()
    };
    let near = match camera.projection {
        Projection::Perspective { .. } => above_zero(camera.near, LEAST),
        Projection::Orthographic { .. } => valid(camera.near, 0., f32::MAX, 0.),
    };
    let far = camera.far.filter(|far| *far > near && far.is_finite());
    let mut exact = near == camera.near && far == camera.far;
    match camera.projection {
        Projection::Perspective { fov_y, aspect } => {
            let yfov = above_zero(fov_y, FRAC_PI_2).min(PI.next_down());
            let aspect_ratio = aspect.filter(|aspect| *aspect > 0. && aspect.is_finite());
            exact &= yfov == fov_y && aspect_ratio == aspect;
            written.kind = "perspective".to_owned();
            written.perspective = Some(Perspective {
                aspect_ratio: aspect_ratio.map(Real::from),
                yfov: yfov.into(),
                zfar: far.map(Real::from),
                znear: near.into(),
                ..Perspective::default()
            });
        }
        Projection::Orthographic { x, y } => {
            // Negative sizes mirror what is seen, which glTF frowns upon, but takes.
            let mag = |value: f32| if value < 0. && value.is_finite() { value } else { above_zero(value, 1.) };
            exact &= mag(x) == x && mag(y) == y && far.is_some();
            written.kind = "orthographic".to_owned();
            written.orthographic = Some(Orthographic {
                xmag: mag(x).into(),
                ymag: mag(y).into(),
                zfar: far.unwrap_or(near + FAR).into(),
                znear: near.into(),
                ..Orthographic::default()
            });
        }
    }
    if !exact {
        out.cx.lose(&LOSS_031, place, 1, "camera made valid", "glTF demands positive numbers, and near before far");
    }
    let left = out.put_back(&mut written, &camera.extras);
    written.extras = carry.extras(&left);
    written
}

/// A light as the extension has it; nothing for one from everywhere, which its node carries.
fn lower_light(out: &mut Output<'_, '_, '_>, light: &Light, place: &Subject) -> Option<Json> {
    if light.kind == LightKind::Ambient {
        out.cx.lose(&LOSS_004, place, 1, "ambient light", "glTF has no ambient lights");
        return None;
    }
    let mut carry = Carry::default();
    let mut all = Map::new();
    let name = carry.name(&light.name);
    let (color, intensity, range) = limited(light);
    let mut exact = (color, intensity, range) == (light.color, light.intensity, light.range);
    let mut size = findings::moved_by(&light.color, &color).max(findings::moved_by(&[light.intensity], &[intensity]));
    let kind = match light.kind {
        LightKind::Directional => "directional",
        LightKind::Spot { .. } => "spot",
        LightKind::Point | LightKind::Area | LightKind::Ambient => "point",
    };
    all.insert("type".into(), json!(kind));
    if let Some(name) = name {
        all.insert("name".into(), json!(name));
    }
    if color != [1.; 3] {
        all.insert("color".into(), color.iter().map(|&v| Real::from(v).json()).collect());
    }
    if intensity != 1. {
        all.insert("intensity".into(), Real::from(intensity).json());
    }
    if let Some(range) = range.filter(|_| kind != "directional") {
        all.insert("range".into(), Real::from(range).json());
    }
    if let LightKind::Spot { inner, outer } = light.kind {
        let widest = above_zero(outer, FRAC_PI_2 / 2.).min(FRAC_PI_2);
        // The cone must fade somewhere: its inner angle is smaller than its outer one.
        let narrow = valid(inner, 0., widest, 0.).min(widest.next_down());
        exact &= widest == outer && narrow == inner;
        size = size.max(findings::moved_by(&[inner, outer], &[narrow, widest]));
        let spot = json!({ "innerConeAngle": Real::from(narrow).json(), "outerConeAngle": Real::from(widest).json() });
        all.insert("spot".into(), spot);
    }
    if light.kind == LightKind::Area {
        carry.set("light", describe(light));
    }
    if !exact {
        let size = if range == light.range { size } else { f64::INFINITY };
        out.cx.losses.add_measured(&LOSS_023, size, place, 1, "light made valid", "glTF demands a range");
    }
    if light.kind == LightKind::Area {
        out.cx.lose(&LOSS_045, place, 1, "area that gives light", "glTF has points, spots and directions");
    }
    let extensions = out.foreign(&light.extras);
    if !extensions.is_empty() {
        all.insert("extensions".into(), Json::Object(extensions));
    }
    let left = out.put_back(&mut all, &light.extras);
    all.extend(carry.extras(&left).map(|extras| ("extras".to_owned(), extras)));
    Some(Json::Object(all))
}

/// A light in the scene's words.
pub(super) fn describe(light: &Light) -> Json {
    let number = |value: f32| encode(&Value::F32(value));
    let mut all = Map::new();
    let kind = match light.kind {
        LightKind::Point => "point",
        LightKind::Directional => "directional",
        LightKind::Spot { inner, outer } => {
            all.insert("cone".into(), json!([number(inner), number(outer)]));
            "spot"
        }
        LightKind::Ambient => "ambient",
        LightKind::Area => "area",
    };
    all.insert("kind".into(), json!(kind));
    if !light.name.is_empty() {
        all.insert("name".into(), encode(&Value::Text(light.name.clone())));
    }
    all.insert("color".into(), light.color.iter().map(|&v| number(v)).collect());
    all.insert("intensity".into(), number(light.intensity));
    if let Some(range) = light.range {
        all.insert("range".into(), number(range));
    }
    Json::Object(all)
}
