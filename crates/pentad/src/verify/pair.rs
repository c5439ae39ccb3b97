//! Which element of one scene is which of the other.

use std::collections::HashMap;

use glam::DVec3;

use super::shown::{Kind, Places};

pub(super) fn diagonal(places: &[Places]) -> f64 {
    let size = size(places);
    if size.is_finite() && size > 0. { size } else { 1. }
}

/// The diagonal of the bounding box, as it is.
pub(super) fn size(places: &[Places]) -> f64 {
    let points = || places.iter().flatten().filter(|point| point.is_finite());
    let low = points().fold(DVec3::INFINITY, |low, point| low.min(*point));
    let high = points().fold(DVec3::NEG_INFINITY, |high, point| high.max(*point));
    if low.cmple(high).all() { (high - low).length() } else { 0. }
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

/// What is no number is the same as any other such place.
pub(super) fn gap(was: DVec3, is: DVec3) -> f64 {
    match (was.is_finite(), is.is_finite()) {
        (true, true) => was.distance(is),
        (false, false) => 0.,
        _ => f64::INFINITY,
    }
}

/// Which element is which. Formats keep the order of elements but for those that sort them by material; there the
/// nearest one counts. If some have none nearby things have moved, and then the order is all there is.
pub(super) fn pair(
    (was, was_kinds): (&[Places], &[Kind]),
    (is, is_kinds): (&[Places], &[Kind]),
    tolerance: f64,
) -> Vec<Pair> {
    let in_order = || (0..was.len().min(is.len())).map(|i| Pair { was: i, is: i, turn: 0 }).collect();
    if was.len() == is.len() && was.iter().zip(is).all(|(was, is)| distance(was, is, 0) <= tolerance) {
        return in_order();
    }
    let size = (4. * tolerance).max(f64::MIN_POSITIVE);
    let cell = |places: &Places| ((places[0] + places[1] + places[2]) / 3. / size).floor().to_array();
    let key = |[x, y, z]: [f64; 3]| [x as i64, y as i64, z as i64];
    let mut cells: HashMap<([i64; 3], Kind), Vec<usize>> = HashMap::new();
    for (i, places) in is.iter().enumerate() {
        cells.entry((key(cell(places)), is_kinds[i])).or_default().push(i);
    }
    let mut taken = vec![false; is.len()];
    let mut pairs = Vec::new();
    for (i, places) in was.iter().enumerate() {
        let [x, y, z] = cell(places);
        let around =
            (0..27).map(|n| key([x + f64::from(n % 3 - 1), y + f64::from(n / 3 % 3 - 1), z + f64::from(n / 9 - 1)]));
        let near = around.filter_map(|key| cells.get(&(key, was_kinds[i]))).flatten().filter(|other| !taken[**other]);
        let turned = near.flat_map(|&other| (0..3).map(move |turn| (distance(places, &is[other], turn), other, turn)));
        let best = turned.min_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        if let Some((_, other, turn)) = best.filter(|(gap, ..)| *gap <= tolerance) {
            taken[other] = true;
            pairs.push(Pair { was: i, is: other, turn });
        }
    }
    let none_left = pairs.len() == was.len().min(is.len());
    if none_left || was.len() != is.len() { pairs } else { in_order() }
}
