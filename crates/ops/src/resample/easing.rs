//! How unevenly lines between keys are walked, in the forms that a player of splines and lines knows.

use scene::{Ease, Easing, Interpolation};

/// How far straight lines may be from an easing, as a share of the way between two keys. A way of a metre is then off
/// by a millimetre.
const CLOSE: f64 = 1e-3;
/// Into so many lines the way between two keys is cut at most; the steepest easing needs 64.
const MOST_LINES: usize = 256;
/// Where the distance to a line is measured.
const PROBES: usize = 8;

/// A part of an easing that is a polynomial of third degree at most.
pub(super) struct Piece {
    /// Where it ends in time.
    pub(super) end: f64,
    /// The share of the way that is walked there.
    pub(super) walked: f64,
    /// Speed at its start, in ways per time.
    pub(super) leaves: f64,
    /// Speed at its end.
    pub(super) arrives: f64,
}

/// The pieces of an easing that a spline can follow exactly.
pub(super) fn pieces(curve: Interpolation) -> Option<Vec<Piece>> {
    let whole = |leaves, arrives| vec![Piece { end: 1., walked: 1., leaves, arrives }];
    match curve {
        Interpolation::Eased(easing, ease) => {
            let power = match easing {
                Easing::Quadratic => 2.,
                Easing::Cubic => 3.,
                _ => return None,
            };
            Some(match ease {
                Ease::In => whole(0., power),
                Ease::Out => whole(power, 0.),
                Ease::InOut => vec![
                    Piece { end: 0.5, walked: 0.5, leaves: 0., arrives: power },
                    Piece { end: 1., walked: 1., leaves: power, arrives: 0. },
                ],
            })
        }
        // Control points at thirds of the time make time even.
        Interpolation::Bezier { first: [a, leaves], second: [b, arrives] } if (a, b) == (1. / 3., 2. / 3.) => {
            Some(whole(3. * f64::from(leaves), 3. * (1. - f64::from(arrives))))
        }
        _ => None,
    }
}

/// Whether a curve is a straight line.
pub(super) fn is_line(curve: Interpolation) -> bool {
    matches!(curve, Interpolation::Bezier { first: [a, b], second: [c, d] } if a == b && c == d)
}

/// The share of the way after a share of the time; an easing without sense is none.
pub(super) fn share(curve: Interpolation, u: f64) -> f64 {
    let share = curve.progress(u);
    if share.is_finite() { share } else { u }
}

/// Into how many lines a curve must be cut, and how far they then are from it.
pub(super) fn lines(curve: Interpolation) -> (usize, f64) {
    let error = |lines: usize| {
        let mut error: f64 = 0.;
        for line in 0..lines {
            let [low, high] = [line, line + 1].map(|at| at as f64 / lines as f64);
            let [start, end] = [low, high].map(|u| share(curve, u));
            for probe in 1..PROBES {
                let part = probe as f64 / PROBES as f64;
                let line = start + (end - start) * part;
                error = error.max((share(curve, low + (high - low) * part) - line).abs());
            }
        }
        error
    };
    let mut count = 2;
    while count < MOST_LINES && error(count) > CLOSE {
        count *= 2;
    }
    (count, error(count))
}
