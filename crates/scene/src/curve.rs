//! How unevenly a line between two keys is walked.

use crate::{Ease, Easing, Interpolation};

impl Interpolation {
    /// The share of the way that is walked after the share `u` of the time between two keys. It is `u` itself for
    /// splines, which are not walked on a line.
    pub fn progress(self, u: f64) -> f64 {
        match self {
            Interpolation::Step => 0.,
            Interpolation::Linear | Interpolation::Cubic => u,
            Interpolation::Bezier { first, second } => bezier(first, second, u),
            Interpolation::Eased(easing, ease) => eased(easing, ease, u),
        }
    }
}

/// The height of a Bezier curve from (0,0) to (1,1) above `u`.
fn bezier(first: [f32; 2], second: [f32; 2], u: f64) -> f64 {
    /// Halvings after which nothing is left for the last bit of a float.
    const HALVINGS: u32 = 40;
    let curve = |a: f32, b: f32, t: f64| {
        let (a, b, s) = (f64::from(a), f64::from(b), 1. - t);
        3. * s * s * t * a + 3. * s * t * t * b + t * t * t
    };
    // Bisection: the curve may be steep anywhere.
    let (mut low, mut high) = (0., 1.);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.;
        if curve(first[0], second[0], middle) < u { low = middle } else { high = middle }
    }
    curve(first[1], second[1], (low + high) / 2.)
}

fn eased(easing: Easing, ease: Ease, u: f64) -> f64 {
    let slow = |u: f64| match easing {
        Easing::Sine => 1. - (u * std::f64::consts::FRAC_PI_2).cos(),
        Easing::Quadratic => u.powi(2),
        Easing::Cubic => u.powi(3),
        Easing::Quartic => u.powi(4),
        Easing::Quintic => u.powi(5),
    };
    match ease {
        Ease::In => slow(u),
        Ease::Out => 1. - slow(1. - u),
        Ease::InOut if u < 0.5 => slow(2. * u) / 2.,
        Ease::InOut => 1. - slow(2. - 2. * u) / 2.,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easings_begin_at_0_end_at_1_and_are_slow_where_they_say() {
        // Quarter-way values by hand: 1 − cos 22.5°, and powers of 1/4 and 1/2.
        let powers = [(Easing::Quadratic, 2), (Easing::Cubic, 3), (Easing::Quartic, 4), (Easing::Quintic, 5)];
        for (easing, power) in powers {
            let at = |ease, u| Interpolation::Eased(easing, ease).progress(u);
            assert_eq!((at(Ease::In, 0.), at(Ease::In, 1.)), (0., 1.));
            assert_eq!(at(Ease::In, 0.25), 0.25_f64.powi(power));
            assert_eq!(at(Ease::Out, 0.75), 1. - 0.25_f64.powi(power));
            assert_eq!(at(Ease::InOut, 0.25), 0.5_f64.powi(power) / 2.);
            assert_eq!(at(Ease::InOut, 0.75), 1. - 0.5_f64.powi(power) / 2.);
        }
        let sine = Interpolation::Eased(Easing::Sine, Ease::In).progress(0.25);
        assert!((sine - (1. - 0.923_879_532_511)).abs() < 1e-9, "{sine}");
    }

    #[test]
    fn bezier_curves_pass_where_their_points_pull() {
        let straight = Interpolation::Bezier { first: [0.25, 0.25], second: [0.75, 0.75] };
        assert!((straight.progress(0.3) - 0.3).abs() < 1e-9);
        // Symmetric ease: half-way at half time; x(t) = y(t) mirrored.
        let ease = Interpolation::Bezier { first: [0.5, 0.], second: [0.5, 1.] };
        assert!((ease.progress(0.5) - 0.5).abs() < 1e-9);
        // t = 1/4: x = 3·9/64·1/2 + 3·3/64·1/2 + 1/64 = 19/64, y = 3·3/64 + 1/64 = 10/64.
        assert!((ease.progress(19. / 64.) - 10. / 64.).abs() < 1e-9);
    }

    #[test]
    fn easings_start_end_and_mirror() {
        for easing in [Easing::Sine, Easing::Quadratic, Easing::Cubic, Easing::Quartic, Easing::Quintic] {
            for ease in [Ease::In, Ease::Out, Ease::InOut] {
                assert!(eased(easing, ease, 0.).abs() < 1e-12 && (eased(easing, ease, 1.) - 1.).abs() < 1e-12);
            }
            assert!((eased(easing, Ease::In, 0.3) + eased(easing, Ease::Out, 0.7) - 1.).abs() < 1e-12);
            assert!((eased(easing, Ease::InOut, 0.5) - 0.5).abs() < 1e-12);
        }
        assert!((bezier([0.25, 0.25], [0.75, 0.75], 0.3) - 0.3).abs() < 1e-9, "a straight curve");
        assert!(bezier([0.42, 0.], [1., 1.], 0.3) < 0.3, "slow at the start");
    }
}
