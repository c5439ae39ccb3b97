//! What objects of glTF say inside, where a scene has no room: extras of the objects within them, and unknown extensions
//! there. It travels as `gltf.inside`, each under its JSON pointer, and goes back to where it was.

use std::collections::HashSet;

use scene::extras::INSIDE;
use scene::{Extras, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::gltf::carry::{plain, value};
use crate::gltf::extensions::is_understood;
use crate::gltf::schema::{Json, Map};

/// Pointers into an object, and what is there.
#[derive(Default)]
pub(super) struct Inside(Vec<(String, Value)>);

impl Inside {
    /// What an object says inside. Its own extras and unknown extensions are not meant.
    pub(super) fn of(object: &impl Serialize) -> Inside {
        let mut inside = Inside::default();
        if let Ok(Json::Object(all)) = serde_json::to_value(object) {
            let objects = all.iter().filter(|(key, _)| *key != "extras");
            objects.for_each(|(key, json)| inside.walk(json, &step("", key), key == "extensions"));
        }
        inside
    }

    /// What those extensions of an object say inside that are understood there.
    pub(super) fn of_extensions(extensions: &Map<String, Json>, understood: &[&str]) -> Inside {
        let mut inside = Inside::default();
        let known = extensions.iter().filter(|(name, _)| understood.contains(&name.as_str()));
        known.for_each(|(name, json)| inside.walk(json, &step("/extensions", name), false));
        inside
    }

    /// Adds what is at a place.
    pub(super) fn add(&mut self, pointer: impl Into<String>, json: &Json) {
        self.0.push((pointer.into(), value(json)));
    }

    /// Adds all that an object within says, which is at `pointer`.
    pub(super) fn add_object(&mut self, pointer: &str, extensions: &Map<String, Json>, extras: Option<&Json>) {
        extensions.iter().for_each(|(name, json)| self.add(step(&format!("{pointer}/extensions"), name), json));
        extras.into_iter().for_each(|extras| self.add(format!("{pointer}/extras"), extras));
    }

    /// It as a value, if there is any.
    pub(super) fn into_value(self) -> Option<Value> {
        (!self.0.is_empty()).then_some(Value::Map(self.0))
    }

    /// Lets it travel with the object.
    pub(super) fn keep(self, extras: &mut Extras) {
        add_words(extras, self.0);
    }

    /// Adds a value at a place.
    pub(super) fn add_value(&mut self, pointer: &str, value: Value) {
        self.0.push((pointer.to_owned(), value));
    }

    /// Adds properties that have no place in the scene, of the object at `pointer`.
    pub(super) fn add_rest(&mut self, pointer: &str, rest: &Map<String, Json>) {
        rest.iter().for_each(|(key, json)| self.add(step(pointer, key), json));
    }

    /// `top`: the extensions of the object itself.
    fn walk(&mut self, json: &Json, at: &str, top: bool) {
        let extensions = at.ends_with("/extensions");
        for (key, inner) in json.as_object().into_iter().flatten() {
            let at = step(at, key);
            match (extensions, key.as_str()) {
                (true, name) if !is_understood(name) => {
                    if !top {
                        self.add(at, inner);
                    }
                }
                (false, "extras") => self.add(at, inner),
                _ => self.walk(inner, &at, false),
            }
        }
    }
}

/// Adds what is inside to what travels of it already: an earlier trip may have left some without a place.
pub(super) fn add_words(extras: &mut Extras, mut words: Vec<(String, Value)>) {
    if words.is_empty() {
        return;
    }
    if let Some(Value::Map(left)) = extras.get(INSIDE) {
        let known: HashSet<&String> = words.iter().map(|(word, _)| word).collect();
        let left: Vec<_> = left.iter().filter(|(word, _)| !known.contains(word)).cloned().collect();
        words.extend(left);
    }
    extras.set(INSIDE, Value::Map(words));
}

/// What travels of an object's inside, at a pointer.
pub(super) fn at<'e>(extras: &'e Extras, pointer: &str) -> Option<&'e Value> {
    let Some(Value::Map(all)) = extras.get(INSIDE) else { return None };
    all.iter().find(|(own, _)| own == pointer).map(|(_, value)| value)
}

/// Forgets what travels of an object's inside at some pointers.
pub(super) fn forget(extras: &mut Extras, pointers: &[&str]) {
    let Some((_, Value::Map(all))) = extras.own.iter_mut().find(|(key, _)| key == INSIDE) else { return };
    all.retain(|(own, _)| !pointers.contains(&own.as_str()));
    if all.is_empty() {
        extras.own.retain(|(key, _)| key != INSIDE);
    }
}

/// One step further down.
fn step(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// What became of it.
#[derive(Default)]
pub(super) struct PutBack {
    /// Names of the extensions that are used again.
    pub(super) used: Vec<String>,
    /// What has no place any more.
    pub(super) left: Inside,
}

impl PutBack {
    /// Puts what was inside an object back, where the object still has a place for it.
    pub(super) fn into<T: Serialize + DeserializeOwned>(object: &mut T, inside: &Value) -> PutBack {
        let Value::Map(all) = inside else { return PutBack::default() };
        let unchanged = || PutBack { left: Inside(all.clone()), ..PutBack::default() };
        let Ok(mut json) = serde_json::to_value(&*object) else { return unchanged() };
        let mut done = PutBack::default();
        for (pointer, value) in all {
            match put(&mut json, pointer, plain(value)) {
                Some(name) => done.used.extend(name),
                None => done.left.0.push((pointer.clone(), value.clone())),
            }
        }
        match serde_json::from_value(json) {
            Ok(whole) => *object = whole,
            Err(_) => return unchanged(),
        }
        done
    }
}

/// Puts extras, or an unknown extension, to where a pointer leads, unless something else is there. Says the
/// name of the extension.
fn put(object: &mut Json, pointer: &str, value: Json) -> Option<Option<String>> {
    let (owner, key) = pointer.rsplit_once('/')?;
    let key = key.replace("~1", "/").replace("~0", "~");
    let (home, name) = match owner.strip_suffix("/extensions") {
        Some(owner) if !is_understood(&key) => {
            let owner = object.pointer_mut(owner)?.as_object_mut()?;
            let extensions = owner.entry("extensions").or_insert_with(|| Json::Object(Map::new()));
            (extensions.as_object_mut()?, Some(key.clone()))
        }
        None if key == "extras" => (object.pointer_mut(owner)?.as_object_mut()?, None),
        _ => return None,
    };
    match (home.get_mut(&key), value) {
        (None, value) => drop(home.insert(key, value)),
        (Some(Json::Object(there)), Json::Object(back)) => {
            for (key, value) in back {
                there.entry(key).or_insert(value);
            }
        }
        (Some(_), _) => return None,
    }
    Some(name)
}
