//! Groups and smoothing, as the file that the scene came from had them.

use std::collections::HashSet;

use scene::Value;

use super::super::keys::GROUPS;
use super::{DEFAULT, Object, one_line};

/// Whether every object is what the groups of its name are: then `g` says it, and no `o` is needed.
pub(super) fn stand_for_groups(objects: &[Object<'_>]) -> bool {
    let mut seen = HashSet::new();
    let named = |(i, object): (usize, &Object<'_>)| match GROUPS.get(&object.node.extras) {
        Some(names) => group_line(names) == object.name && seen.insert(object.name.clone()),
        None => i == 0 && object.name == DEFAULT.as_bytes(),
    };
    let any = objects.iter().any(|object| GROUPS.get(&object.node.extras).is_some());
    any && objects.iter().enumerate().all(named)
}

/// The names of groups, with blanks between them and none in them.
pub(super) fn group_line(names: &Value) -> Vec<u8> {
    let Value::List(names) = names else { return Vec::new() };
    let word = |value: &Value| {
        let name = one_line(value.as_text()?.bytes());
        Some(name.iter().map(|&byte| if byte == b' ' { b'_' } else { byte }).collect())
    };
    let words: Vec<Vec<u8>> = names.iter().filter_map(word).collect();
    words.join(&b' ')
}

pub(super) fn entry_of<'a>(entry: &'a [(String, Value)], key: &str) -> Option<&'a Value> {
    entry.iter().find(|(own, _)| own == key).map(|(_, value)| value)
}

/// What `obj.groups` and `obj.smoothing` say: from which element on what is in force.
pub(super) fn changes<T>(list: Option<&Value>, what: impl Fn(&[(String, Value)]) -> Option<T>) -> Vec<(usize, T)> {
    let Some(Value::List(list)) = list else { return Vec::new() };
    let change = |entry: &Value| {
        let Value::Map(entry) = entry else { return None };
        let from = entry_of(entry, "from").and_then(Value::as_int)?;
        Some((usize::try_from(from).ok()?, what(entry)?))
    };
    list.iter().filter_map(change).collect()
}

pub(super) fn in_force<T: Clone>(changes: &[(usize, T)], at: usize) -> Option<T> {
    changes.iter().rev().find(|(from, _)| *from <= at).map(|(_, what)| what.clone())
}
