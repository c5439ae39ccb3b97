//! A file without `extras.pentad`, and a loss for everything that stood only there.

use findings::{LossInfo, Subject, SubjectKind};
use scene::loss::*;
use scene::{Name, Value};

use crate::gltf::bridge::lower::objects::LIGHTS;
use crate::gltf::carry::{KEY, PROPERTIES, decode, pairs};
use crate::gltf::schema::{Json, Map, Root};
use crate::{LowerCx, by_id};

const WHY: &str = "extras are left out, and glTF has no other field for it";

/// What is lost with a key of `extras.pentad`.
const LOST: &[(&str, &LossInfo, &str)] = &[
    ("name_bytes", &LOSS_042, "bytes of the name that are not UTF-8"),
    ("socket", &LOSS_013, "socket"),
    ("skin", &LOSS_002, "skin of a node without a mesh"),
    ("morph_ranges", &LOSS_015, "ranges of morph weights"),
    ("alpha_mode", &LOSS_041, "additive blending"),
    ("phong", &LOSS_041, "Phong factors"),
    ("frame_rate", &LOSS_015, "frame rate"),
];

/// Keys that are there for the way back alone, or whose loss is told where glTF's rules made them necessary.
const NOT_MISSED: &[&str] = &[
    "carry", "channels", "factors", "holds", "light", "names", "numbers", "origin", "packed", "path", "role",
    "sampling", "source",
];

/// Takes `extras.pentad` out of every object.
pub(super) fn strip(root: &mut Root, meant: &'static [&'static str], cx: &mut LowerCx<'_>) {
    let titles: Vec<String> = root.scenes.iter().filter_map(|scene| scene.name.clone()).collect();
    let mut strip = |kind: SubjectKind, at: usize, name: Option<&str>, extras: &mut Option<Json>| {
        let place = match kind {
            SubjectKind::File => "file".into(),
            _ => Subject::new(kind, at, name.unwrap_or_default()),
        };
        Stripped { place, titles: &titles, meant, cx }.strip(extras);
    };
    strip(SubjectKind::File, 0, None, &mut root.extras);
    strip(SubjectKind::File, 0, None, &mut root.asset.extras);
    macro_rules! each {
        ($($list:ident $Kind:ident),*) => {
            $(for (at, object) in root.$list.iter_mut().enumerate() {
                strip(SubjectKind::$Kind, at, object.name.as_deref(), &mut object.extras);
            })*
        };
    }
    each!(scenes Scene, nodes Node, materials Material, textures Texture, images Image, skins Skin,
        cameras Camera);
    for (at, mesh) in root.meshes.iter_mut().enumerate() {
        strip(SubjectKind::Mesh, at, mesh.name.as_deref(), &mut mesh.extras);
        for part in &mut mesh.primitives {
            strip(SubjectKind::Mesh, at, mesh.name.as_deref(), &mut part.extras);
        }
    }
    for (at, animation) in root.animations.iter_mut().enumerate() {
        strip(SubjectKind::Animation, at, animation.name.as_deref(), &mut animation.extras);
        for channel in &mut animation.channels {
            strip(SubjectKind::Animation, at, animation.name.as_deref(), &mut channel.extras);
        }
    }
    let lights = root.extensions.get_mut(LIGHTS).and_then(|all| all.get_mut("lights")?.as_array_mut());
    for (at, light) in lights.into_iter().flatten().filter_map(Json::as_object_mut).enumerate() {
        let mut extras = light.remove("extras");
        strip(SubjectKind::Light, at, light.get("name").and_then(Json::as_str), &mut extras);
        light.extend(extras.map(|extras| ("extras".to_owned(), extras)));
    }
}

/// The object that is being stripped.
struct Stripped<'a, 'c, 'o> {
    place: Subject,
    /// What scenes are called: the title of a file may be one of these.
    titles: &'a [String],
    /// Names of properties that the format of the source gives a meaning to.
    meant: &'static [&'static str],
    cx: &'c mut LowerCx<'o>,
}

impl Stripped<'_, '_, '_> {
    fn strip(mut self, extras: &mut Option<Json>) {
        let Some(Json::Object(all)) = extras else { return };
        let Some(Json::Object(mut own)) = all.remove(KEY) else { return };
        let foreign = own.remove("foreign");
        // What is said of the file stands in a scene.
        if let Some(Json::Object(file)) = own.remove(crate::gltf::about::FILE) {
            let scene = std::mem::replace(&mut self.place, "file".into());
            self.lose(&file, all);
            self.place = scene;
        }
        self.lose(&own, all);
        if all.is_empty() {
            *extras = foreign;
        }
    }

    /// Tells what goes with these keys; `beside` are the extras that stay.
    fn lose(&mut self, own: &Map<String, Json>, beside: &Map<String, Json>) {
        for (key, json) in own.iter().filter(|(key, _)| !NOT_MISSED.contains(&key.as_str())) {
            match (LOST.iter().find(|(lost, ..)| lost == key), json) {
                (Some((_, info, what)), _) => self.cx.lose(info, &self.place, 1, *what, WHY),
                (None, Json::Array(slots)) if key == "slots" => self.lose_slots(slots),
                (None, level) if key == "level" => {
                    if level.get("coverage").is_some() {
                        self.lose_word("screen coverage of levels of detail");
                    }
                }
                (None, Json::Array(_)) if key == PROPERTIES => self.lose_properties(json, beside),
                (None, Json::Object(metadata)) if key == "metadata" => self.lose_metadata(metadata),
                (None, Json::Object(words)) if by_id(key).is_some() => {
                    for (word, json) in words {
                        match word == PROPERTIES {
                            true => self.lose_properties(json, beside),
                            false => self.lose_word(&format!("what only {key} says: {word}")),
                        }
                    }
                }
                (None, _) => self.lose_word(key),
            }
        }
    }

    fn lose_word(&mut self, what: &str) {
        self.cx.lose(&LOSS_015, &self.place, 1, what, WHY);
    }

    /// Properties that do not stand among the extras under their own names. What the format of the source gives a meaning
    /// to is in the model.
    fn lose_properties(&mut self, json: &Json, beside: &Map<String, Json>) {
        let properties = decode(json).map(|value| pairs(&value)).unwrap_or_default();
        let stays = |name: &str| beside.contains_key(name) || self.meant.contains(&name);
        let lost = |(name, _): &&(Name, Value)| !name.as_str().is_some_and(stays);
        let lost: Vec<String> = properties.iter().filter(lost).map(|(name, _)| format!("property {name}")).collect();
        lost.iter().for_each(|what| self.lose_word(what));
    }

    /// Textures that glTF has no slot for; those without an image are told of with their file.
    fn lose_slots(&mut self, slots: &[Json]) {
        let count = slots.iter().filter(|slot| slot.get("texture").is_some()).count() as u64;
        if count > 0 {
            self.cx.lose(
                &LOSS_007,
                &self.place,
                count,
                "textures",
                "extras are left out, and glTF has no slot for them",
            );
        }
    }

    fn lose_metadata(&mut self, metadata: &Map<String, Json>) {
        for (key, json) in metadata {
            let stands_elsewhere = match key.as_str() {
                "copyright" | "generator" => true,
                "title" => json.as_str().is_some_and(|title| self.titles.iter().any(|name| name == title)),
                _ => false,
            };
            if !stands_elsewhere {
                let what = if key == "raw" { "header data" } else { key };
                self.cx.lose(&LOSS_016, &self.place, 1, what, WHY);
            }
        }
    }
}
