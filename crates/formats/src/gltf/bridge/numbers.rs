//! Numbers by which extensions that the scene has no field for call objects of a file. The extensions keep the numbers
//! that they had; objects that are called so remember theirs, and tell it again where they are written.

use serde_json::map::Entry;

use crate::gltf::extensions::{self, Object};
use crate::gltf::schema::{Json, Map};

/// Where an object is now, by the name of the extension that calls it and the number it had; nothing if it is gone.
pub(super) type Where<'a> = &'a mut dyn FnMut(&str, Object, usize) -> Option<usize>;

/// Gives every number in the extensions of a file that are only kept its new value. What names an object that is gone
/// is left out.
pub(super) fn follow(json: &mut Json, find: Where<'_>) {
    match json {
        Json::Array(list) => list.iter_mut().for_each(|item| follow(item, find)),
        Json::Object(object) => {
            for (key, inner) in object.iter_mut().filter(|(key, _)| *key != "extras") {
                if let ("extensions", Json::Object(all)) = (key.as_str(), &mut *inner) {
                    all.retain(|name, json| extensions::is_understood(name) || follow_extension(name, json, find));
                }
                follow(inner, find);
            }
        }
        _ => {}
    }
}

/// Whether there is still an extension.
fn follow_extension(name: &str, json: &mut Json, find: Where<'_>) -> bool {
    let find = &mut |object: Object, number: usize| find(name, object, number);
    follow_textures(json, find);
    let names = extensions::known(name).map_or(&[][..], |extension| extension.names);
    names.iter().all(|(path, object)| {
        let steps: Vec<&str> = path.split('/').collect();
        follow_path(json, &steps, &mut |number| find(*object, number))
    })
}

/// Textures are called alike everywhere: by `index`, in an object below a key that says so.
fn follow_textures(json: &mut Json, find: &mut dyn FnMut(Object, usize) -> Option<usize>) {
    match json {
        Json::Array(list) => list.iter_mut().for_each(|item| follow_textures(item, find)),
        Json::Object(object) => {
            let keys: Vec<String> = object.keys().filter(|key| !is_aside(key)).cloned().collect();
            for key in keys {
                if !(key.ends_with("Texture") || key == "texture") {
                    object.get_mut(&key).into_iter().for_each(|inner| follow_textures(inner, find));
                } else if let Entry::Occupied(mut info) = object.entry(key)
                    && let Some(number) = info.get().get("index").and_then(Json::as_u64)
                {
                    match find(Object::Texture, number as usize) {
                        Some(now) => info.get_mut()["index"] = now.into(),
                        None => drop(info.shift_remove()),
                    }
                }
            }
        }
        _ => {}
    }
}

fn is_aside(key: &str) -> bool {
    key == "extensions" || key == "extras"
}

/// Whether there is still something: an object goes with what it names.
fn follow_path(json: &mut Json, steps: &[&str], find: &mut dyn FnMut(usize) -> Option<usize>) -> bool {
    match (steps, json) {
        ([], json) => match json.as_u64().map(|number| find(number as usize)) {
            Some(Some(now)) => *json = now.into(),
            Some(None) => return false,
            None => {}
        },
        (["*", rest @ ..], Json::Array(list)) => list.retain_mut(|item| follow_path(item, rest, find)),
        (["*", rest @ ..], Json::Object(all)) => all.retain(|_, item| follow_path(item, rest, find)),
        ([key, rest @ ..], Json::Object(all)) => {
            return all.get_mut(*key).is_none_or(|inner| follow_path(inner, rest, find));
        }
        _ => {}
    }
    true
}

/// What a JSON pointer leads to: the kind of object, its number, and the rest of the pointer.
pub(super) fn pointed_at(pointer: &str) -> Option<(Object, usize, &str)> {
    const LISTS: [(&str, Object); 5] = [
        ("/nodes/", Object::Node),
        ("/materials/", Object::Material),
        ("/meshes/", Object::Mesh),
        ("/cameras/", Object::Camera),
        ("/extensions/KHR_lights_punctual/lights/", Object::Light),
    ];
    let (rest, object) = LISTS.iter().find_map(|(list, object)| Some((pointer.strip_prefix(list)?, *object)))?;
    let (number, property) = rest.split_once('/')?;
    Some((object, number.parse().ok()?, property))
}

/// A pointer of that kind.
pub(super) fn pointer_to(object: Object, number: usize, property: &str) -> String {
    let list = match object {
        Object::Node => "/nodes",
        Object::Material => "/materials",
        Object::Mesh => "/meshes",
        Object::Camera => "/cameras",
        Object::Light => "/extensions/KHR_lights_punctual/lights",
        Object::Texture => "/textures",
        Object::Image => "/images",
    };
    format!("{list}/{number}/{property}")
}

/// The image that an extension gives a texture, by its number.
pub(super) fn image_of(extensions: &Map<String, Json>) -> Option<(String, usize)> {
    extensions.iter().find_map(|(name, json)| {
        let extension = extensions::known(name).filter(|e| matches!(e.use_, extensions::Use::Image(_)))?;
        Some((extension.name.to_owned(), usize::try_from(json.get("source")?.as_u64()?).ok()?))
    })
}
