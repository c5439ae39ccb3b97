//! Normals, texture coordinates and colours.

use std::cell::OnceCell;

use glam::{DMat3, DVec3};
use scene::sample::Pose;
use scene::{Material, Semantic, Slot, Stream};

use super::pair::Pair;
use super::shown::Shown;

/// The numbers of an attribute, vertex by vertex.
struct Rows {
    width: usize,
    values: Vec<f64>,
}

impl Rows {
    fn get(&self, vertex: usize) -> Option<&[f64]> {
        self.values.get(vertex * self.width..(vertex + 1) * self.width)
    }
}

/// The largest difference of an attribute at the corners of the pairs of each part that is shown. Pairs come part by
/// part.
pub(super) fn attribute_errors(
    was: &Shown<'_>,
    is: &Shown<'_>,
    pairs: &[Pair],
    semantic: &Semantic,
) -> Vec<(usize, f64)> {
    let poses = (Pose::rest(was.scene), Pose::rest(is.scene));
    let found: Vec<OnceCell<Option<Rows>>> = is.parts.iter().map(|_| OnceCell::new()).collect();
    let mut errors: Vec<(usize, f64)> = Vec::new();
    for pairs in pairs.chunk_by(|a, b| was.elements[a.was].0 == was.elements[b.was].0) {
        let part = was.elements[pairs[0].was].0;
        let expected = rows(was, part, semantic, &poses.0);
        let mut largest = 0_f64;
        for pair in pairs {
            let (element, (other_part, other)) = (was.elements[pair.was].1, is.elements[pair.is]);
            let found = found[other_part].get_or_init(|| {
                // A set that repeats the first may be read as the first alone.
                let first = || matches!(semantic, Semantic::TexCoord(1..)).then_some(Semantic::TexCoord(0));
                let own = rows(is, other_part, &now(was, part, is, other_part, semantic), &poses.1);
                own.or_else(|| rows(is, other_part, &first()?, &poses.1))
            });
            let tints = if *semantic == Semantic::Color(0) { tints(was, part, is, other_part) } else { [None; 2] };
            for k in 0..3 {
                let corner = was.parts[part].corners[element * 3 + k];
                let other_corner = is.parts[other_part].corners[other * 3 + (k + pair.turn) % 3];
                let expected = expected.as_ref().and_then(|rows| rows.get(corner));
                let found = found.as_ref().and_then(|rows| rows.get(other_corner));
                let error = match semantic {
                    Semantic::Color(_) => color_error(expected, found, tints),
                    _ => row_error(expected, found, semantic),
                };
                largest = largest.max(error);
            }
        }
        errors.push((part, largest));
    }
    errors
}

/// What an attribute of a part is now: texture coordinates are those by which the same textures lie, and the ones whose
/// place they took are where they were.
fn now(was: &Shown<'_>, part: usize, is: &Shown<'_>, other: usize, semantic: &Semantic) -> Semantic {
    let Semantic::TexCoord(set) = *semantic else { return semantic.clone() };
    fn slots<'s>(shown: &'s Shown<'_>, part: usize) -> Option<Vec<&'s Slot>> {
        shown.scene.materials.get(shown.parts[part].material?).map(Material::slots_by_weight)
    }
    let (Some(before), Some(after)) = (slots(was, part), slots(is, other)) else { return semantic.clone() };
    let moved = |slot: &&Slot| Some((slot.uv_set, after.iter().find(|now| now.role == slot.role)?.uv_set));
    let moves: Vec<(u8, u8)> = before.iter().filter_map(moved).collect();
    let there = moves.iter().find(|(from, _)| *from == set).map(|(_, to)| *to);
    let replaced = moves.iter().find(|(_, to)| *to == set).map(|(from, _)| *from);
    Semantic::TexCoord(there.or(replaced).unwrap_or(set))
}

/// The colours that materials multiply vertex colours with, where one scene has a material and the other none.
fn tints(was: &Shown<'_>, part: usize, is: &Shown<'_>, other: usize) -> [Option<[f32; 4]>; 2] {
    let color = |shown: &Shown<'_>, part: usize| Some(shown.scene.materials.get(shown.parts[part].material?)?.color());
    match [color(was, part), color(is, other)] {
        [Some(_), Some(_)] => [None; 2],
        one => one,
    }
}

/// A mesh without vertex colours is white, and so is the alpha of one that has three numbers.
fn color_error(expected: Option<&[f64]>, found: Option<&[f64]>, tints: [Option<[f32; 4]>; 2]) -> f64 {
    // What shows neither colours nor materials has lost the material, which is another measure.
    if (expected.is_none() && tints == [None; 2]) || (expected.is_none() && found.is_none()) {
        return 0.;
    }
    let at = |row: Option<&[f64]>, tint: Option<[f32; 4]>, k: usize| {
        row.and_then(|row| row.get(k)).copied().unwrap_or(1.) * tint.map_or(1., |tint| f64::from(tint[k]))
    };
    let error = |k: usize| number_error(at(expected, tints[0], k), at(found, tints[1], k));
    (0..4).map(error).fold(0., f64::max)
}

fn row_error(expected: Option<&[f64]>, found: Option<&[f64]>, semantic: &Semantic) -> f64 {
    let Some(expected) = expected else { return 0. };
    // A direction that is none is no worse than another.
    if *semantic == Semantic::Normal && expected.iter().all(|v| *v == 0. || !v.is_finite()) {
        return 0.;
    }
    let Some(found) = found else { return f64::INFINITY };
    let number = |(was, is): (&f64, &f64)| number_error(*was, *is);
    if found.len() < expected.len() { f64::INFINITY } else { expected.iter().zip(found).map(number).fold(0., f64::max) }
}

/// How far a number is off, as a share of it where it is large.
pub(super) fn number_error(was: f64, is: f64) -> f64 {
    match (was.is_finite(), is.is_finite()) {
        (true, true) => (was - is).abs() / was.abs().max(1.),
        (false, false) => 0.,
        _ => f64::INFINITY,
    }
}

/// The numbers of an attribute of a part: normals as they stand in the world.
fn rows(shown: &Shown<'_>, part: usize, semantic: &Semantic, pose: &Pose) -> Option<Rows> {
    let primitive = shown.parts[part].primitive()?;
    let stream = primitive.get(semantic)?;
    let width = stream.count().max(1);
    let mut values = stream.to_f64();
    let weights = pose.weights(shown.parts[part].node);
    for (target, &weight) in primitive.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.) {
        let deltas = target.attributes.iter().find(|a| a.semantic == *semantic).map(|a| &a.stream);
        let deltas = deltas.filter(|deltas| deltas.count() <= width);
        add(&mut values, width, deltas, f64::from(weight));
    }
    match semantic {
        Semantic::Normal if width >= 3 => {
            let linear = shown.linear(part, pose, stream.len());
            let turns: Vec<DMat3> = linear.into_iter().map(normal_turn).collect();
            let one = turns.first().copied().unwrap_or_default();
            for (i, row) in values.chunks_mut(width).enumerate() {
                let turn = if turns.len() > 1 { turns.get(i).unwrap_or(&one) } else { &one };
                let turned = (*turn * DVec3::from_slice(row)).normalize_or_zero();
                row[..3].copy_from_slice(&turned.to_array());
            }
        }
        Semantic::TexCoord(set) if width >= 2 => {
            if shown.similarity.flips_uv {
                values.chunks_mut(width).for_each(|row| row[1] = 1. - row[1]);
            }
            // Where they lie on the image is what is seen.
            let material = shown.parts[part].material.and_then(|id| shown.scene.materials.get(id));
            if let Some(transform) = material.and_then(|material| material.layout(*set)) {
                values.chunks_mut(width).for_each(|row| [row[0], row[1]] = transform.apply([row[0], row[1]]));
            }
        }
        _ => {}
    }
    Some(Rows { width, values })
}

fn add(values: &mut [f64], width: usize, deltas: Option<&Stream>, weight: f64) {
    let Some(deltas) = deltas else { return };
    let numbers = deltas.to_f64();
    for (row, delta) in values.chunks_mut(width).zip(numbers.chunks(deltas.count().max(1))) {
        row.iter_mut().zip(delta).for_each(|(value, delta)| *value += weight * delta);
    }
}

/// What a map does to normals: a flat one has no inverse, and then no direction is more right than another.
fn normal_turn(linear: DMat3) -> DMat3 {
    let largest = linear.to_cols_array().iter().fold(0_f64, |most, v| most.max(v.abs()));
    // Sizes far from 1 would be taken for flat ones.
    let even = if largest > 0. && largest.is_finite() { linear / largest } else { linear };
    if even.determinant().abs() < f64::MIN_POSITIVE { DMat3::ZERO } else { even.inverse().transpose() }
}
