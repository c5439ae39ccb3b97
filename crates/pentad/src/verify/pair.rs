//! Which element of one scene is which of the other.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use super::shown::{Kind, Part, Places, Shown, Standing};

/// The diagonal of the box around places, or 1 if that is no measure.
pub(super) fn diagonal<'p>(places: impl Iterator<Item = &'p Places> + Clone) -> f64 {
    let size = size(places);
    if size.is_finite() && size > 0. { size } else { 1. }
}

/// The diagonal of the bounding box, as it is.
pub(super) fn size<'p>(places: impl Iterator<Item = &'p Places> + Clone) -> f64 {
    let points = || places.clone().flatten().filter(|point| point.is_finite());
    let low = points().fold(DVec3::INFINITY, |low, point| low.min(*point));
    let high = points().fold(DVec3::NEG_INFINITY, |high, point| high.max(*point));
    if low.cmple(high).all() { length(high - low) } else { 0. }
}

/// Two elements that are one, the second turned by so many corners.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) was: usize,
    pub(super) is: usize,
    pub(super) turn: usize,
}

/// The largest distance of corners that should be the same.
pub(super) fn distance(was: &Places, is: &Places, turn: usize) -> f64 {
    let gap = |k: usize| gap(was[k], is[(k + turn) % 3]);
    gap(0).max(gap(1)).max(gap(2))
}

/// A length whose square may be beyond all numbers.
fn length(vector: DVec3) -> f64 {
    let most = vector.abs().max_element();
    if most > 0. && most.is_finite() { (vector / most).length() * most } else { most }
}

/// What is no number is the same as any other such place.
pub(super) fn gap(was: DVec3, is: DVec3) -> f64 {
    match (was.is_finite(), is.is_finite()) {
        (true, true) => length(is - was),
        (false, false) => 0.,
        _ => f64::INFINITY,
    }
}

/// What only counts among its like: which scene shows it, and what it is.
type Class = (usize, Kind);

fn class(shown: &Shown<'_>, element: usize) -> Class {
    let part = &shown.parts[shown.elements[element].0];
    (part.root, part.kind)
}

/// Adds pairs of what has none nearby and so has moved: of those that are `left`, the ones in the part of the same name,
/// and then in the order of all that is left, if there are as many.
pub(super) fn pair_moved(
    was: (&Shown<'_>, &[Places], &mut Vec<usize>),
    is: (&Shown<'_>, &[Places], &mut Vec<usize>),
    pairs: &mut Vec<Pair>,
) {
    let mut take = |elements: &[usize], others: &[usize]| {
        for (&one, &other) in elements.iter().zip(others) {
            let turned = (0..turns(class(was.0, one).1)).map(|turn| (distance(&was.1[one], &is.1[other], turn), turn));
            let turn = turned.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, turn)| turn);
            pairs.push(Pair { was: one, is: other, turn });
        }
    };
    let (mut was_left, mut is_left): (HashSet<usize>, HashSet<usize>) =
        (was.2.iter().copied().collect(), is.2.iter().copied().collect());
    let mut is_parts = by_part(is.0, is.2);
    for elements in by_part(was.0, was.2) {
        let part = &was.0.parts[was.0.elements[elements[0]].0];
        let same = |others: &&[usize]| {
            let other = &is.0.parts[is.0.elements[others[0]].0];
            let names = (&was.0.scene.nodes[part.node].name, &is.0.scene.nodes[other.node].name);
            (part.root, part.kind) == (other.root, other.kind) && others.len() == elements.len() && names.0 == names.1
        };
        if let Some(found) = is_parts.iter().position(same) {
            let others = is_parts.remove(found);
            take(elements, others);
            elements.iter().for_each(|element| _ = was_left.remove(element));
            others.iter().for_each(|element| _ = is_left.remove(element));
        }
    }
    was.2.retain(|element| was_left.contains(element));
    is.2.retain(|element| is_left.contains(element));
    let by_class = |shown: &Shown<'_>, left: &[usize]| {
        let mut classes: HashMap<Class, Vec<usize>> = HashMap::new();
        left.iter().for_each(|&element| classes.entry(class(shown, element)).or_default().push(element));
        classes
    };
    let others = by_class(is.0, is.2);
    for (class, elements) in by_class(was.0, was.2) {
        if let Some(others) = others.get(&class).filter(|others| others.len() == elements.len()) {
            take(&elements, others);
            elements.iter().for_each(|element| _ = was_left.remove(element));
            others.iter().for_each(|element| _ = is_left.remove(element));
        }
    }
    was.2.retain(|element| was_left.contains(element));
    is.2.retain(|element| is_left.contains(element));
}

/// Elements, part by part.
fn by_part<'e>(shown: &Shown<'_>, elements: &'e [usize]) -> Vec<&'e [usize]> {
    elements.chunk_by(|a, b| shown.elements[*a].0 == shown.elements[*b].0).collect()
}

/// In how many ways the corners of an element may be counted.
fn turns(kind: Kind) -> usize {
    if kind == Kind::Triangle { 3 } else { 1 }
}

/// The pairs of elements that are where they should be, as formats sort elements in their own ways. Of those that are in
/// one place, the one of the same node and material counts, then that of the part of the same number, and then the first.
pub(super) fn pair_near(was: (&Shown<'_>, &[Places]), is: (&Shown<'_>, &[Places]), tolerance: f64) -> Vec<Pair> {
    let [was_names, is_names] = [was.0, is.0].map(|shown| {
        let names = |part: &Part<'_>| {
            let material = part.material.and_then(|material| shown.scene.materials.get(material));
            [Some(&shown.scene.nodes[part.node].name), material.map(|material| &material.name)]
        };
        shown.parts.iter().map(names).collect::<Vec<_>>()
    });
    let size = (4. * tolerance).max(f64::MIN_POSITIVE);
    let cell = |places: &Places| ((places[0] + places[1] + places[2]) / 3. / size).floor().to_array();
    let key = |[x, y, z]: [f64; 3]| [x as i64, y as i64, z as i64];
    let mut cells: HashMap<([i64; 3], Class), Vec<usize>> = HashMap::new();
    for (i, places) in is.1.iter().enumerate() {
        cells.entry((key(cell(places)), class(is.0, i))).or_default().push(i);
    }
    let mut taken = vec![false; is.1.len()];
    let mut pairs = Vec::new();
    let standing = |element: usize| was.0.parts[was.0.elements[element].0].standing;
    let (first, then): (Vec<usize>, Vec<usize>) = (0..was.1.len()).partition(|&i| standing(i) == Standing::Shown);
    for i in first.into_iter().chain(then) {
        let places = &was.1[i];
        let class = class(was.0, i);
        let names = &was_names[was.0.elements[i].0];
        let [x, y, z] = cell(places);
        let around =
            (0..27).map(|n| key([x + f64::from(n % 3 - 1), y + f64::from(n / 3 % 3 - 1), z + f64::from(n / 9 - 1)]));
        let near = around.filter_map(|key| cells.get(&(key, class))).flatten().filter(|other| !taken[**other]);
        let turned = near.flat_map(|&other| {
            let part = is.0.elements[other].0;
            let differs = names.iter().zip(&is_names[part]).filter(|(a, b)| a != b).count();
            let differs = (differs, part != was.0.elements[i].0);
            (0..turns(class.1)).map(move |turn| (distance(places, &is.1[other], turn), differs, other, turn))
        });
        let nearest = turned.filter(|(gap, ..)| *gap <= tolerance).min_by(|a, b| {
            // Within the tolerance all are there; what looks the same is the same.
            a.1.cmp(&b.1).then(a.0.total_cmp(&b.0)).then((a.2, a.3).cmp(&(b.2, b.3)))
        });
        if let Some((_, _, other, turn)) = nearest {
            taken[other] = true;
            pairs.push(Pair { was: i, is: other, turn });
        }
    }
    pairs
}
