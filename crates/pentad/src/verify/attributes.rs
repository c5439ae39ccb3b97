//! Normals, texture coordinates and colours.

use glam::{DMat3, DVec3};
use scene::Semantic;
use scene::sample::Pose;

use super::finite;
use super::pair::Pair;
use super::shown::{Part, Shown};

/// The largest difference of an attribute at the corners of all pairs.
pub(super) fn attribute_error(was: &Shown<'_>, is: &Shown<'_>, pairs: &[Pair], semantic: &Semantic) -> f64 {
    let (was_rows, is_rows) = (rows(was, semantic), rows(is, semantic));
    let mut largest = 0_f64;
    for pair in pairs {
        let ((part, element), (other_part, other)) = (was.elements[pair.was], is.elements[pair.is]);
        let Some(expected) = &was_rows[part] else { continue };
        for k in 0..3 {
            let corner = was.parts[part].corners[element * 3 + k];
            let other_corner = is.parts[other_part].corners[other * 3 + (k + pair.turn) % 3];
            let expected = expected.get(corner);
            let found = is_rows[other_part].as_ref().and_then(|rows| rows.get(other_corner));
            largest = largest.max(row_error(expected, found, semantic));
        }
    }
    finite(largest)
}

fn row_error(expected: Option<&Vec<f64>>, found: Option<&Vec<f64>>, semantic: &Semantic) -> f64 {
    let Some(expected) = expected else { return 0. };
    // A target without vertex colours for this part shows it white.
    let white = [1.; 4];
    let found = match (found, semantic) {
        (Some(found), _) => found,
        (None, Semantic::Color(_)) => &white[..],
        (None, _) => return f64::INFINITY,
    };
    let alpha = |row: &[f64], k: usize| row.get(k).copied().unwrap_or(1.);
    let width = expected.len().max(if matches!(semantic, Semantic::Color(_)) { found.len() } else { 0 });
    (0..width).map(|k| number_error(alpha(expected, k), alpha(found, k))).fold(0., f64::max)
}

pub(super) fn number_error(was: f64, is: f64) -> f64 {
    match (was.is_finite(), is.is_finite()) {
        (true, true) => (was - is).abs(),
        (false, false) => 0.,
        _ => f64::INFINITY,
    }
}

/// The numbers of an attribute per part and vertex; normals as they stand in the world.
fn rows(shown: &Shown<'_>, semantic: &Semantic) -> Vec<Option<Vec<Vec<f64>>>> {
    let pose = Pose::rest(shown.scene);
    let of_part = |part: &Part<'_>| {
        let stream = part.primitive.get(semantic)?;
        let mut rows: Vec<Vec<f64>> = stream.to_f64().chunks(stream.count().max(1)).map(<[f64]>::to_vec).collect();
        if *semantic == Semantic::Normal {
            let linear = part.linear(shown.scene, &pose, rows.len());
            for (row, linear) in rows.iter_mut().zip(linear).filter(|(row, _)| row.len() >= 3) {
                // A flat map has no inverse, and then no direction is more right than another.
                let turn = if linear.determinant() == 0. { DMat3::ZERO } else { linear.inverse().transpose() };
                let turned = (turn * DVec3::from_slice(row)).normalize_or_zero();
                row[..3].copy_from_slice(&turned.to_array());
            }
        }
        Some(rows)
    };
    shown.parts.iter().map(of_part).collect()
}
