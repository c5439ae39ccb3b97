//! The file that a scene was made of, travelling in a file that was made of the scene.

use std::collections::HashMap;

use scene::{Extras, Fingerprint, Fingerprints, Scene, Value};
use wire::Blob;

use crate::{AnyDocument, Info, SideFile};

/// A source that is to travel.
#[derive(Clone)]
pub struct Original {
    /// Its format.
    pub format: &'static str,
    /// Its dialect.
    pub dialect: &'static str,
    /// The file.
    pub bytes: Blob,
    /// Files that it is not whole without.
    pub beside: Vec<SideFile>,
    /// What the scene said when it was written; nothing before that.
    pub prints: Option<Fingerprints>,
}

/// A source that has travelled.
pub struct Carried {
    /// The file.
    pub bytes: Blob,
    /// What it says.
    pub document: Box<dyn AnyDocument>,
    /// Files that it is not whole without.
    pub beside: Vec<SideFile>,
    /// What the scene said when it was written.
    pub prints: Fingerprints,
}

impl Carried {
    /// The same, to travel on.
    pub fn original(&self) -> Original {
        Original {
            format: self.document.format().info().id,
            dialect: self.document.dialect(),
            bytes: self.bytes.clone(),
            beside: self.beside.clone(),
            prints: Some(self.prints.clone()),
        }
    }
}

/// Which objects of a scene still are what they were.
pub struct Unchanged {
    nodes: Vec<Option<usize>>,
    meshes: Vec<Option<usize>>,
    materials: Vec<Option<usize>>,
    animations: Vec<Option<usize>>,
    whole: bool,
}

impl Unchanged {
    /// Compares what a scene says with what it said. Objects may have changed their places in the lists.
    pub fn of(before: &Fingerprints, now: &Fingerprints) -> Unchanged {
        let mut whole = before.file == now.file;
        let mut found = |before: &[Fingerprint], now: &[Fingerprint]| {
            let found = positions(before, now);
            whole &= before.len() == now.len() && found.iter().all(Option::is_some);
            found
        };
        Unchanged {
            nodes: found(&before.nodes, &now.nodes),
            meshes: found(&before.meshes, &now.meshes),
            materials: found(&before.materials, &now.materials),
            animations: found(&before.animations, &now.animations),
            whole,
        }
    }

    /// Whether all of them do, and none is missing.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    fn all(&self) -> impl Iterator<Item = &Option<usize>> {
        self.nodes.iter().chain(&self.meshes).chain(&self.materials).chain(&self.animations)
    }

    /// How many do not, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.all().filter(|object| object.is_none()).count(), self.all().count())
    }

    /// Notes in every object that did not change which one of the source's scene it is; see [`unchanged`].
    pub fn note(&self, scene: &mut Scene, format: &str) {
        let key = key(format);
        let mark = |extras: &mut Extras, position: &Option<usize>| {
            if let Some(position) = position {
                extras.set(&key, *position as i64);
            }
        };
        scene.nodes.iter_mut().zip(&self.nodes).for_each(|(node, at)| mark(&mut node.extras, at));
        scene.meshes.iter_mut().zip(&self.meshes).for_each(|(mesh, at)| mark(&mut mesh.extras, at));
        scene.materials.iter_mut().zip(&self.materials).for_each(|(material, at)| mark(&mut material.extras, at));
        scene.animations.iter_mut().zip(&self.animations).for_each(|(animation, at)| mark(&mut animation.extras, at));
    }
}

/// Takes away what says only how a file of another format was laid out, from a scene that becomes one of the target's;
/// unless it is to be carried.
pub fn forget_layout(scene: &mut Scene, target: &Info, carries: bool) {
    if carries {
        return;
    }
    let is_layout = |(key, value): &(String, Value)| {
        key.split_once('.').is_some_and(|(format, word)| {
            format != target.id && crate::by_id(format).is_some_and(|format| format.is_layout(word, value))
        })
    };
    scene.extras_mut().for_each(|extras| extras.own.retain(|own| !is_layout(own)));
}

/// A key of the format itself, which fitting leaves alone. It is in no file.
fn key(format: &str) -> String {
    format!("{format}.unchanged")
}

/// The position in the source's scene of an object that is what it was there.
pub fn unchanged(extras: &Extras, format: &str) -> Option<usize> {
    extras.get(&key(format))?.as_int().and_then(|position| usize::try_from(position).ok())
}

/// For each of the new prints, where it was: in the same place, or else in the first that is not taken.
fn positions(before: &[Fingerprint], now: &[Fingerprint]) -> Vec<Option<usize>> {
    let in_place = |i: usize| before.get(i) == now.get(i);
    let mut elsewhere: HashMap<Fingerprint, Vec<usize>> = HashMap::new();
    for (i, print) in before.iter().enumerate().rev().filter(|(i, _)| !in_place(*i)) {
        elsewhere.entry(*print).or_default().push(i);
    }
    let found = |(i, print): (usize, &Fingerprint)| {
        if in_place(i) { Some(i) } else { elsewhere.get_mut(print).and_then(Vec::pop) }
    };
    now.iter().enumerate().map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One print per letter.
    fn prints(letters: &str) -> Vec<Fingerprint> {
        letters.chars().map(|letter| format!("{:032x}", u32::from(letter)).parse().unwrap()).collect()
    }

    #[test]
    fn objects_are_found_where_they_were_or_went() {
        let found = |before: &str, now: &str| positions(&prints(before), &prints(now));
        assert_eq!(found("abc", "abc"), [Some(0), Some(1), Some(2)]);
        assert_eq!(found("abc", "axc"), [Some(0), None, Some(2)]);
        assert_eq!(found("abc", "bc"), [Some(1), Some(2)]);
        assert_eq!(found("aab", "baa"), [Some(2), Some(1), Some(0)]);
        assert_eq!(found("a", "aa"), [Some(0), None], "a copy is not the object");
    }

    #[test]
    fn a_missing_object_is_a_change() {
        let of = |nodes: &str| Fingerprints {
            file: prints("f")[0],
            nodes: prints(nodes),
            meshes: Vec::new(),
            materials: Vec::new(),
            animations: Vec::new(),
        };
        assert!(Unchanged::of(&of("ab"), &of("ba")).is_whole());
        let less = Unchanged::of(&of("ab"), &of("a"));
        assert!(!less.is_whole());
        assert_eq!(less.counts(), (0, 1));
        assert!(!Unchanged::of(&of("ab"), &of("abb")).is_whole());
    }
}
