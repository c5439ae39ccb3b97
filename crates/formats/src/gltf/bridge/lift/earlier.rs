//! Words that earlier versions wrote into `extras.pentad`.

use serde_json::json;

use crate::gltf::schema::{Json, Map};

/// What only the source itself says today.
const GONE: [&str; 14] = [
    "absent",
    "alone",
    "attributes",
    "camera",
    "empty_mesh",
    "empty_parts",
    "invented",
    "inverse_bind",
    "matrix",
    "no_instances",
    "order",
    "original",
    "placements",
    "unnamed",
];

/// Words that are a part of another one today, that one, and the key there. `=`: it says just that.
const MOVED: [(&str, &str, &str); 12] = [
    ("role_name", "role", "axis"),
    ("copy_of", "role", "copy"),
    ("own_materials", "role", "=overridden"),
    ("default", "role", "=default"),
    ("skinned", "role", "=skinned"),
    ("title", "role", "=title"),
    ("level", "level", "number"),
    ("of", "level", "of"),
    ("at", "level", "at"),
    ("levels", "level", "group"),
    ("coverage", "level", "coverage"),
    ("carried", "holds", "source"),
];

/// Whether a word is one of an earlier version.
fn is_early(own: &Map<String, Json>, word: &str, now: &str) -> bool {
    own.get(word).is_some_and(|json| word != now || !json.is_object())
}

/// Whether an earlier version wrote these words.
pub(super) fn wrote(own: &Map<String, Json>) -> bool {
    MOVED.iter().any(|(word, now, _)| is_early(own, word, now))
}

/// Says as this version does what an earlier one said.
pub(super) fn make_present(own: &mut Map<String, Json>) {
    own.retain(|key, _| !GONE.contains(&key.as_str()));
    for (word, now, key) in MOVED.into_iter() {
        if !is_early(own, word, now) {
            continue;
        }
        let Some(json) = own.shift_remove(word) else { continue };
        match own.entry(now).or_insert_with(|| json!({})) {
            now if key.starts_with('=') => *now = json!(key[1..]),
            Json::Object(now) => drop(now.insert(key.to_owned(), json)),
            // The word of the role stood beside what it says of itself.
            now => *now = json!({ key: json }),
        }
    }
}
