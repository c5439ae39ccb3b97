//! Cameras and lights.

use findings::Place;
use scene::{Camera, Light, LightKind, Name, Projection};

use super::super::inside::Inside;
use super::Input;
use super::carried::{float, floats, join, text};
use crate::gltf::bridge::limits::limited;
use crate::gltf::extensions::LIGHTS;
use crate::gltf::rules::{GLTF_021, GLTF_039};
use crate::gltf::schema::{self, Json, Map};

pub(super) fn lift(input: &mut Input<'_, '_, '_>) {
    for (index, camera) in input.root.cameras.iter().enumerate() {
        let lifted = lift_camera(input, camera, &format!("cameras[{index}]"));
        input.scene.cameras.add(lifted);
    }
    let Some(json) = input.root.extensions.get(LIGHTS) else { return };
    let path = format!("extensions.{LIGHTS}");
    let Some(lights) = json.get("lights").and_then(Json::as_array) else {
        input.find(&GLTF_039, Place::path(path), "it has no list of lights");
        return;
    };
    for (index, json) in lights.iter().enumerate() {
        let path = format!("{path}.lights[{index}]");
        let light = match json {
            Json::Object(light) => lift_light(input, light, &path),
            _ => None,
        };
        if light.is_none() {
            input.find(&GLTF_039, Place::path(&path), "it is no light");
        }
        let id = light.map(|light| input.scene.lights.add(light));
        input.made.lights.push(id);
    }
}

fn lift_camera(input: &mut Input<'_, '_, '_>, camera: &schema::Camera, path: &str) -> Camera {
    let mut carried = input.carried(camera.extras.as_ref());
    let mut lifted = match (&camera.perspective, &camera.orthographic) {
        (Some(p), _) if camera.kind != "orthographic" => Camera {
            name: Name::default(),
            projection: Projection::Perspective {
                fov_y: p.yfov.0 as f32,
                aspect: p.aspect_ratio.map(|aspect| aspect.0 as f32),
            },
            near: p.znear.0 as f32,
            far: p.zfar.map(|far| far.0 as f32),
            extras: Default::default(),
        },
        (_, Some(o)) => Camera {
            name: Name::default(),
            projection: Projection::Orthographic { x: o.xmag.0 as f32, y: o.ymag.0 as f32 },
            near: o.znear.0 as f32,
            far: Some(o.zfar.0 as f32),
            extras: Default::default(),
        },
        _ => {
            input.find(&GLTF_021, Place::path(format!("{path}.type")), format!("{} has no numbers", camera.kind));
            Camera {
                name: Name::default(),
                projection: Projection::Perspective { fov_y: std::f32::consts::FRAC_PI_4, aspect: None },
                near: 0.1,
                far: None,
                extras: Default::default(),
            }
        }
    };
    lifted.name = carried.name(camera.name.as_deref());
    lifted.extras = carried.finish(input, path, &camera.extensions, &[]);
    Inside::of(camera).keep(&mut lifted.extras);
    lifted
}

fn lift_light(input: &mut Input<'_, '_, '_>, light: &Map<String, Json>, path: &str) -> Option<Light> {
    let mut carried = input.carried(light.get("extras"));
    let number = |json: Option<&Json>| json.and_then(Json::as_f64).map(|v| v as f32);
    let cone = light.get("spot");
    let angle = |key: &str| number(cone.and_then(|cone| cone.get(key)));
    let kind = match light.get("type")?.as_str()? {
        "point" => LightKind::Point,
        "directional" => LightKind::Directional,
        "spot" => LightKind::Spot {
            inner: angle("innerConeAngle").unwrap_or(0.),
            outer: angle("outerConeAngle").unwrap_or(std::f32::consts::FRAC_PI_4),
        },
        _ => return None,
    };
    let channel = |i: usize| number(light.get("color").and_then(|color| color.get(i))).unwrap_or(1.);
    let mut lifted = Light {
        name: carried.name(light.get("name").and_then(Json::as_str)),
        kind,
        color: [0, 1, 2].map(channel),
        intensity: number(light.get("intensity")).unwrap_or(1.),
        range: number(light.get("range")),
        extras: Default::default(),
    };
    let exact = carried.taken("light", |json| {
        let (color, intensity, range) = limited(&described(json)?);
        let range = range.filter(|_| lifted.kind != LightKind::Directional);
        let same = (color, intensity, range) == (lifted.color, lifted.intensity, lifted.range);
        described(json).filter(|_| same)
    });
    if let Some(exact) = exact {
        lifted = Light { name: lifted.name, ..exact };
    }
    let none = Map::new();
    let extensions = light.get("extensions").and_then(Json::as_object).unwrap_or(&none);
    lifted.extras = carried.finish(input, path, extensions, &[]);
    Inside::of(light).keep(&mut lifted.extras);
    Some(lifted)
}

/// A light in the scene's words.
pub(super) fn described(json: &Json) -> Option<Light> {
    let kind = match json.get("kind")?.as_str()? {
        "point" => LightKind::Point,
        "directional" => LightKind::Directional,
        "spot" => {
            let [inner, outer] = floats(json.get("cone")?)?;
            LightKind::Spot { inner, outer }
        }
        "ambient" => LightKind::Ambient,
        "area" => LightKind::Area,
        _ => return None,
    };
    Some(Light {
        name: json.get("name").map_or(Some(Name::default()), text)?,
        kind,
        color: floats(json.get("color")?)?,
        intensity: float(json.get("intensity")?)?,
        range: match json.get("range") {
            Some(range) => Some(float(range)?),
            None => None,
        },
        extras: Default::default(),
    })
}

/// The light that a node names, as a number.
pub(super) fn light_of(input: &mut Input<'_, '_, '_>, node: &schema::Node, path: &str) -> Option<scene::Id<Light>> {
    let json = node.extensions.get(LIGHTS)?;
    let path = join(path, &format!("extensions.{LIGHTS}"));
    let Some(number) = json.get("light").and_then(Json::as_u64) else {
        input.find(&GLTF_039, Place::path(path), "it names no light");
        return None;
    };
    let lights = std::mem::take(&mut input.made.lights);
    let found = input.refer(&lights, number as usize, &format!("{path}.light"));
    input.made.lights = lights;
    found
}
