//! Rotations.

use findings::{Severity, rule};
use wire::F32;

use super::super::visit::{self, Placed};
use super::{place, sections};
use crate::dragon::layout::Document;
use crate::dragon::layout::rotation::Rotation;

/// How far from 1 the length of a quaternion may be, and from each other the columns of a matrix.
const UNIT_TOLERANCE: f64 = 1e-3;

/// Below this a matrix flattens whatever it turns.
const SINGULAR: f64 = 1e-12;

rule! {
    /// ## What it finds
    /// A quaternion that is not of unit length, a matrix that flattens, a matrix of 4 by 4 whose last numbers are not
    /// those of a transform. A matrix that scales or shears is an info, and none where it is the transform of a bone.
    ///
    /// ## Why it matters
    /// What it turns is also stretched or flattened.
    ///
    /// ## Example
    /// `rotation` is (0, 0, 0, 0).
    ///
    /// ## Fix
    /// Normalise the rotation.
    DRG_029 "DRG-029" "rotation-not-unit", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            visit::rotations(&section.body, &mut |path, placed| {
                if let Some((severity, message)) = odd(placed) {
                    let holder = path();
                    let joint = if holder.is_empty() { "" } else { "." };
                    cx.report_as(severity, place(i, &format!("{holder}{joint}rotation")), message);
                }
            });
        }
    }
}

fn odd(placed: &Placed) -> Option<(Severity, String)> {
    let number = |float: &F32| f64::from(float.get());
    if !placed.rotation.floats().iter().all(|float| float.get().is_finite()) {
        return None;
    }
    let columns = match &placed.rotation {
        Rotation::Euler(_) => return None,
        Rotation::Quaternion(q) => {
            let length = q.iter().map(|float| number(float).powi(2)).sum::<f64>().sqrt();
            let message = || (Severity::Warning, format!("the quaternion has a length of {length:.4}"));
            return ((length - 1.).abs() > UNIT_TOLERANCE).then(message);
        }
        Rotation::Matrix3(m) => {
            let at = |c: usize| [number(&m[3 * c]), number(&m[3 * c + 1]), number(&m[3 * c + 2])];
            [at(0), at(1), at(2)]
        }
        Rotation::Matrix4(m) => {
            if [3, 7, 11].iter().any(|i| m[*i].get() != 0.) || m[15].get() != 1. {
                let last = [m[3], m[7], m[11], m[15]].map(F32::get);
                return Some((Severity::Warning, format!("its last column is {last:?}, expected 0 0 0 1")));
            }
            let at = |c: usize| [number(&m[4 * c]), number(&m[4 * c + 1]), number(&m[4 * c + 2])];
            [at(0), at(1), at(2)]
        }
    };
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let [a, b, c] = &columns;
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    if dot(&cross, c).abs() < SINGULAR {
        return Some((Severity::Warning, "the matrix flattens whatever it turns".to_owned()));
    }
    let unit = |v: &[f64; 3]| (dot(v, v).sqrt() - 1.).abs() <= UNIT_TOLERANCE;
    let square = |a: &[f64; 3], b: &[f64; 3]| dot(a, b).abs() <= UNIT_TOLERANCE;
    let orthonormal = columns.iter().all(unit) && square(a, b) && square(b, c) && square(c, a);
    let message = || (Severity::Info, "the matrix also scales or shears".to_owned());
    (!orthonormal && !placed.of_bone).then(message)
}

rule! {
    /// ## What it finds
    /// A matrix of 4 by 4 that moves by the same amount as the position beside it.
    ///
    /// ## Why it matters
    /// Both together would move twice as far; the writer meant it once, and so it is taken.
    ///
    /// ## Example
    /// `position` is (1, 2, 3), and so is the last row of `rotation`.
    ///
    /// ## Fix
    /// Set the last row of the matrix to 0 0 0 1.
    DRG_030 "DRG-030" "moved-twice", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            visit::rotations(&section.body, &mut |path, placed| {
                let (Rotation::Matrix4(m), Some(position), false) = (&placed.rotation, placed.position, placed.of_bone)
                else {
                    return;
                };
                let moved = [m[12], m[13], m[14]].map(F32::get);
                if moved != [0.; 3] && moved == position.map(F32::get) {
                    let holder = path();
                    let joint = if holder.is_empty() { "" } else { "." };
                    let message = format!("the matrix moves by {moved:?}, and so does the position");
                    cx.report(place(i, &format!("{holder}{joint}rotation")), message);
                }
            });
        }
    }
}
