//! The merge of lists whose units correspond by a key.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use wire::{Kept, Text};

use super::Three;

/// How many units there are, and how many somebody changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Units that differ from what would have come back unedited.
    pub changed: usize,
    /// All units.
    pub all: usize,
}

impl Tally {
    /// Counts one unit.
    pub fn count(&mut self, changed: bool) {
        self.all += 1;
        self.changed += usize::from(changed);
    }
}

/// Where a unit of the result is from: its place in the list of the origin or in ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// As it was.
    Origin(usize),
    /// As it is now.
    Ours(usize),
}

/// The merged list of units that have no names: they are known by what they say and by their order. Nothing if the
/// base has more or fewer than the origin.
pub fn row<T: Clone + PartialEq>(three: Three<'_, [Kept<T>]>, tally: &mut Tally) -> Option<Vec<Kept<T>>> {
    let Three { origin, base, ours } = three;
    if origin.len() != base.len() {
        return None;
    }
    let alike = |(a, b): &(&Kept<T>, &Kept<T>)| a == b;
    let start = base.iter().zip(ours).take_while(alike).count();
    let (left, rest) = (&base[start..], &ours[start..]);
    let end = left.iter().rev().zip(rest.iter().rev()).take_while(alike).count();
    // Between those, as many as there were are the same ones, changed.
    let in_place = left.len() == rest.len();
    let one = |(at, own): (usize, &Kept<T>)| {
        let twin = match at {
            _ if at < start => Some(at),
            _ if at >= ours.len() - end => Some(at + base.len() - ours.len()),
            _ => Some(at).filter(|at| in_place && base[*at] == *own),
        };
        tally.count(twin.is_none());
        twin.map_or_else(|| own.clone(), |twin| origin[twin].clone())
    };
    Some(ours.iter().enumerate().map(one).collect())
}

/// A key, and the how-manieth of that key it is.
type Name<K> = (K, usize);

fn named<K: Hash + Eq + Clone>(keys: impl Iterator<Item = K>) -> Vec<Name<K>> {
    let mut seen: HashMap<K, usize> = HashMap::new();
    let name = |key: K| {
        let nth = seen.entry(key.clone()).or_default();
        *nth += 1;
        (key, *nth - 1)
    };
    keys.map(name).collect()
}

fn places<T, K: Hash + Eq + Clone>(list: &[Kept<T>], key: impl Fn(&T) -> K) -> HashMap<Name<K>, usize> {
    named(list.iter().map(|unit| key(unit))).into_iter().enumerate().map(|(at, name)| (name, at)).collect()
}

/// Which units the result is made of, in the order of the origin; new ones follow what they follow in ours. What the
/// base has no twin for stays as the origin has it. What the base made although the origin does not have it is taken
/// only if somebody changed it. Nothing if a new unit has the key of one that was never in the base.
pub fn picks<T, K: Hash + Eq + Clone>(
    three: Three<'_, [Kept<T>]>,
    key: impl Fn(&T) -> K,
    same: impl Fn(&T, &T) -> bool,
    tally: &mut Tally,
) -> Option<Vec<Pick>> {
    let names = |list: &[Kept<T>]| named(list.iter().map(|unit| key(unit)));
    let (own_names, names) = (names(three.origin), names(three.ours));
    let places = |list: &[Kept<T>]| places(list, &key);
    let (in_origin, in_base, in_ours) = (places(three.origin), places(three.base), places(three.ours));
    let mut fresh: HashMap<Option<usize>, Vec<Pick>> = HashMap::new();
    let mut behind = None;
    let mut changed: HashSet<usize> = HashSet::new();
    for (at, name) in names.iter().enumerate() {
        let twin = in_base.get(name).map(|&twin| same(&three.base[twin], &three.ours[at]));
        tally.count(twin != Some(true));
        match (in_origin.get(name), twin) {
            (Some(_), None) => return None,
            (Some(&own), Some(same)) => {
                behind = Some(own);
                if !same {
                    changed.insert(own);
                }
            }
            (None, Some(true)) => {}
            (None, _) => fresh.entry(behind).or_default().push(Pick::Ours(at)),
        }
    }
    let mut out = fresh.remove(&None).unwrap_or_default();
    for (own, name) in own_names.iter().enumerate() {
        match in_ours.get(name) {
            Some(&at) if changed.contains(&own) => out.push(Pick::Ours(at)),
            None if in_base.contains_key(name) => {}
            _ => out.push(Pick::Origin(own)),
        }
        out.extend(fresh.remove(&Some(own)).unwrap_or_default());
    }
    Some(out)
}

/// The merged list of units that are whole in themselves. A writer may call two of one name otherwise: what was not
/// renamed is called as in the origin.
pub fn list<T: Clone + PartialEq, K: Hash + Eq + Clone>(
    three: Three<'_, [Kept<T>]>,
    key: impl Fn(&T) -> K,
    name: impl Fn(&mut T) -> &mut Text,
    tally: &mut Tally,
) -> Option<Vec<Kept<T>>> {
    let picks = picks(three, &key, T::eq, tally)?;
    let places = |list: &[Kept<T>]| places(list, &key);
    let (in_origin, in_base) = (places(three.origin), places(three.base));
    let keys = named(three.ours.iter().map(|unit| key(unit)));
    let called = |unit: &Kept<T>| name(&mut (**unit).clone()).clone();
    let unit = |pick: Pick| match pick {
        Pick::Origin(at) => three.origin[at].clone(),
        Pick::Ours(at) => {
            let mut own = three.ours[at].clone();
            let was = in_origin.get(&keys[at]).zip(in_base.get(&keys[at]));
            if let Some((&origin, _)) = was.filter(|(_, base)| called(&three.base[**base]) == called(&own)) {
                *name(own.edit()) = called(&three.origin[origin]);
            }
            own
        }
    };
    Some(picks.into_iter().map(unit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key, what is said and a name.
    type Word = (char, char, Text);

    /// Units of a key and what they say, and of a name: "a1 b2:name".
    fn units(text: &str) -> Vec<Kept<Word>> {
        let unit = |word: &str| {
            let (word, name) = word.split_once(':').unwrap_or((word, ""));
            (word.chars().next().unwrap(), word.chars().nth(1).unwrap(), name.into())
        };
        text.split_whitespace().map(|word| Kept::new(unit(word))).collect()
    }

    fn text(list: Vec<Kept<Word>>) -> String {
        let word = |unit: &Kept<Word>| match unit.2.bytes() {
            [] => format!("{}{}", unit.0, unit.1),
            _ => format!("{}{}:{}", unit.0, unit.1, unit.2),
        };
        list.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn merged(origin: &str, base: &str, ours: &str) -> Option<String> {
        let (origin, base, ours) = (units(origin), units(base), units(ours));
        let three = Three { origin: &origin[..], base: &base[..], ours: &ours[..] };
        list(three, |unit| unit.0, |unit| &mut unit.2, &mut Tally::default()).map(text)
    }

    #[test]
    fn unchanged_units_are_the_origins() {
        assert_eq!(merged("aX bY", "a1 b2", "a1 b2").unwrap(), "aX bY");
        assert_eq!(merged("bY aX", "a1 b2", "a1 b3").unwrap(), "b3 aX", "in the order of the origin");
        assert_eq!(merged("aX qZ bY", "a1 b2", "a1 b2").unwrap(), "aX qZ bY", "no twin in the base");
        assert_eq!(merged("aX bY", "a1 b2", "b2").unwrap(), "bY", "one is gone");
        assert_eq!(merged("aX bY", "a1 b2", "a1 c3 b2").unwrap(), "aX c3 bY", "one is new");
        assert_eq!(merged("aX", "a1 c3", "a1 c3").unwrap(), "aX", "what only the base makes of it");
        assert_eq!(merged("aX aY", "a1 a2", "a1 a3").unwrap(), "aX a3", "two of one key");
    }

    #[test]
    fn units_keep_their_name_unless_renamed() {
        assert_eq!(merged("a1:n b1:n", "a1:n b1:n.1", "a1:n b2:n.1").unwrap(), "a1:n b2:n");
        assert_eq!(merged("a1:n b1:n", "a1:n b1:n.1", "a1:n b2:m").unwrap(), "a1:n b2:m");
    }

    #[test]
    fn units_without_names_are_found_by_their_order() {
        let merged = |origin: &str, base: &str, ours: &str| {
            let (origin, base, ours) = (units(origin), units(base), units(ours));
            let three = Three { origin: &origin[..], base: &base[..], ours: &ours[..] };
            row(three, &mut Tally::default()).map(text)
        };
        assert_eq!(merged("aX bY cZ", "a1 b2 c3", "a1 b9 c3").unwrap(), "aX b9 cZ");
        assert_eq!(merged("aX bY cZ", "a1 b2 c3", "a1 c3").unwrap(), "aX cZ", "one is gone");
        assert_eq!(merged("aX bY", "a1 b2", "a1 n9 b2").unwrap(), "aX n9 bY", "one is new");
        assert_eq!(merged("aX bY cZ", "a1 b2 c3", "a9 b2 c9").unwrap(), "a9 bY c9");
        assert_eq!(merged("aX", "a1 b2", "a1 b2"), None);
    }

    #[test]
    fn a_new_unit_takes_nobodys_key() {
        assert_eq!(merged("aX cZ", "a1", "a1 c3"), None);
    }
}
