//! Keys of a channel while they become what glTF can play.

use scene::{Channel, Ease, Easing, Interpolation, Scene, Track, Transform};

use super::transforms;

/// How far straight lines may be from an easing, as a share of the way between two keys. A way of a metre is then off
/// by a millimetre.
const CLOSE: f64 = 1e-3;
/// Into so many lines the way between two keys is cut at most; the steepest easing needs 64.
const MOST_LINES: usize = 256;
/// Where the distance to a line is measured.
const PROBES: usize = 8;
/// Lines between two keys of a spline that has to be cut.
const SPLINE_LINES: usize = 32;
/// How far from 1 the length of a rotation may be: what text with three decimals can say.
const UNIT_TOLERANCE: f64 = 1e-3;

pub(super) struct Keys {
    turns: bool,
    multiplies: bool,
    /// Numbers per key.
    pub(super) width: usize,
    pub(super) times: Vec<f32>,
    pub(super) values: Vec<f32>,
    pub(super) interpolation: Interpolation,
}

/// What relative values are added to.
pub(super) struct Rest(Vec<f32>);

impl Rest {
    pub(super) fn of(scene: &Scene, channel: &Channel, width: usize) -> Rest {
        let node = channel.node.and_then(|id| scene.nodes.get(id));
        let transform = node.map(|node| node.transform).unwrap_or_default();
        let Transform::Trs { translation, rotation, scale } = transforms::taken_apart(&transform).0 else {
            return Rest(vec![0.; width]);
        };
        Rest(match &channel.track {
            Track::Translation => translation.to_vec(),
            Track::Rotation => rotation.to_vec(),
            Track::Scale => scale.to_vec(),
            _ => {
                let mesh = node.and_then(|node| node.mesh).and_then(|id| scene.meshes.get(id));
                let defaults = mesh.into_iter().flat_map(|mesh| &mesh.morphs).map(|morph| morph.default);
                let own = node.map_or(&[][..], |node| &node.weights);
                let mut weights: Vec<f32> = if own.is_empty() { defaults.collect() } else { own.to_vec() };
                weights.resize(width, 0.);
                weights
            }
        })
    }
}

impl Keys {
    /// The keys of a channel; nothing if it has none, or not as many values as they need.
    pub(super) fn of(channel: &Channel, targets: usize) -> Option<Keys> {
        let width = match &channel.track {
            Track::Translation | Track::Scale => 3,
            Track::Rotation => 4,
            _ => targets,
        };
        let keys = Keys {
            turns: channel.track == Track::Rotation,
            multiplies: channel.track == Track::Scale,
            width,
            times: channel.times.clone(),
            values: channel.values.clone(),
            interpolation: channel.interpolation,
        };
        let whole = keys.times.len().checked_mul(keys.stride()) == Some(keys.values.len());
        (whole && !keys.values.is_empty()).then_some(keys)
    }

    /// Numbers from one key to the next, tangents and all.
    fn stride(&self) -> usize {
        if self.interpolation == Interpolation::Cubic { self.width * 3 } else { self.width }
    }

    /// The value of a key, without its tangents.
    fn value(&self, key: usize) -> &[f32] {
        let start = key * self.stride() + (self.stride() - self.width) / 2;
        &self.values[start..start + self.width]
    }

    /// Makes relative values absolute. Turning and stretching a spline turns and stretches its tangents too; shifting
    /// it does not.
    pub(super) fn add_to(&mut self, rest: &Rest) {
        let (width, stride) = (self.width, self.stride());
        for key in self.values.chunks_exact_mut(stride) {
            if self.turns {
                key.chunks_exact_mut(4).for_each(|value| turn(&rest.0, value));
            } else if self.multiplies {
                key.chunks_exact_mut(width).for_each(|value| value.iter_mut().zip(&rest.0).for_each(|(v, r)| *v *= r));
            } else {
                let value = &mut key[(stride - width) / 2..][..width];
                value.iter_mut().zip(&rest.0).for_each(|(v, r)| *v += r);
            }
        }
    }

    /// Gives the keys times that grow from 0 on, finite values and unit rotations; says how many keys that changed.
    pub(super) fn make_valid(&mut self) -> u64 {
        let mut changed = self.make_times_grow() + self.make_finite();
        if self.interpolation == Interpolation::Cubic && self.times.len() == 1 {
            self.values = self.value(0).to_vec();
            self.interpolation = Interpolation::Linear;
        }
        if self.turns {
            changed += self.make_unit();
        }
        let before = self.times.iter().filter(|time| **time < 0.).count();
        if before > 0 {
            changed += before as u64;
            self.cut();
        }
        changed
    }

    fn make_times_grow(&mut self) -> u64 {
        let stride = self.stride();
        let mut changed = 0;
        let (mut times, mut values): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        let mut stored = f32::NEG_INFINITY;
        for (&time, value) in self.times.iter().zip(self.values.chunks_exact(stride)) {
            let last = times.last().copied().unwrap_or(f32::NEG_INFINITY);
            // A jump: the next moment is as good as the same.
            let now = if time == stored { last.next_up() } else { time };
            let fits = now.is_finite() && now > last;
            changed += u64::from(!fits || now != time);
            if fits {
                times.push(now);
                values.extend(value);
                stored = time;
            }
        }
        if times.is_empty() {
            (times, values) = (vec![0.], self.values[..stride].to_vec());
        }
        if changed > 0 {
            (self.times, self.values) = (times, values);
        }
        changed
    }

    fn make_finite(&mut self) -> u64 {
        let stride = self.stride();
        let mut changed = 0;
        for key in self.values.chunks_exact_mut(stride) {
            changed += u64::from(key.iter().any(|v| !v.is_finite()));
            key.iter_mut().filter(|v| !v.is_finite()).for_each(|v| *v = 0.);
        }
        changed
    }

    fn make_unit(&mut self) -> u64 {
        let (stride, width) = (self.stride(), self.width);
        let mut changed = 0;
        for key in self.values.chunks_exact_mut(stride) {
            let value = &mut key[(stride - width) / 2..][..width];
            let length = value.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
            if (length - 1.).abs() > UNIT_TOLERANCE {
                changed += 1;
                match length > 0. {
                    true => value.iter_mut().for_each(|v| *v = (f64::from(*v) / length) as f32),
                    false => value.copy_from_slice(&[0., 0., 0., 1.]),
                }
            }
        }
        changed
    }

    /// Replaces what lies before 0 by one key at 0.
    fn cut(&mut self) {
        let lines = match self.interpolation {
            Interpolation::Step | Interpolation::Linear => 1,
            Interpolation::Cubic => SPLINE_LINES,
            curve => lines(curve).0,
        };
        let step = self.interpolation == Interpolation::Step;
        if !step {
            self.bake(lines);
        }
        let after = self.times.partition_point(|time| *time < 0.);
        if self.times.get(after) == Some(&0.) {
            self.times.drain(..after);
            self.values.drain(..after * self.width);
            return;
        }
        let before = after.saturating_sub(1);
        let at_zero = match self.times.get(after) {
            Some(&next) if !step => {
                let (start, next) = (f64::from(self.times[before]), f64::from(next));
                self.mix(self.value(before), self.value(after), start / (start - next))
            }
            _ => self.value(before).to_vec(),
        };
        self.times.splice(..after, [0.]);
        self.values.splice(..after * self.width, at_zero);
    }

    /// Replaces an easing: exactly where a spline can follow it, else by lines. Says how far those are from it at most,
    /// as a share of the way between two keys.
    pub(super) fn straighten(&mut self) -> Option<f64> {
        let curve = self.interpolation;
        if matches!(curve, Interpolation::Step | Interpolation::Linear | Interpolation::Cubic) {
            return None;
        }
        if self.times.len() == 1 || is_line(curve) {
            self.interpolation = Interpolation::Linear;
            return None;
        }
        if let Some(pieces) = pieces(curve).filter(|_| !self.turns)
            && self.follow(&pieces)
        {
            return None;
        }
        let (lines, error) = lines(curve);
        self.bake(lines);
        self.make_finite();
        Some(error)
    }

    /// Cuts the way between two keys into lines of equal time.
    fn bake(&mut self, lines: usize) {
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for key in 0..self.times.len() {
            times.push(self.times[key]);
            values.extend(self.value(key));
            let Some(&next) = self.times.get(key + 1) else { break };
            let (start, span) = (f64::from(self.times[key]), f64::from(next) - f64::from(self.times[key]));
            for line in 1..lines {
                let u = line as f64 / lines as f64;
                let time = (start + span * u) as f32;
                if times.last().is_some_and(|last| *last < time) && time < next {
                    times.push(time);
                    values.extend(self.between(key, u, span));
                }
            }
        }
        (self.times, self.values, self.interpolation) = (times, values, Interpolation::Linear);
    }

    fn between(&self, key: usize, u: f64, span: f64) -> Vec<f32> {
        if self.interpolation != Interpolation::Cubic {
            return self.mix(self.value(key), self.value(key + 1), share(self.interpolation, u));
        }
        let (width, stride) = (self.width, self.stride());
        let (u2, u3) = (u * u, u * u * u);
        let spline = |i: usize| {
            let at = |key: usize, part: usize| f64::from(self.values[key * stride + part * width + i]);
            (2. * u3 - 3. * u2 + 1.) * at(key, 1)
                + span * (u3 - 2. * u2 + u) * at(key, 2)
                + (3. * u2 - 2. * u3) * at(key + 1, 1)
                + span * (u3 - u2) * at(key + 1, 0)
        };
        let values: Vec<f64> = (0..width).map(spline).collect();
        let length = if self.turns { values.iter().map(|v| v * v).sum::<f64>().sqrt() } else { 1. };
        values.into_iter().map(|v| (v / length) as f32).collect()
    }

    fn mix(&self, from: &[f32], to: &[f32], u: f64) -> Vec<f32> {
        if self.turns {
            return slerp(from, to, u);
        }
        let line = |(&a, &b): (&f32, &f32)| (f64::from(a) + (f64::from(b) - f64::from(a)) * u) as f32;
        from.iter().zip(to).map(line).collect()
    }

    /// Makes a spline of lines that are walked by a curve of third degree, in pieces; says whether there is room for
    /// the pieces.
    fn follow(&mut self, pieces: &[Piece]) -> bool {
        let width = self.width;
        let (mut times, mut values) = (vec![self.times[0]], Vec::new());
        let mut tangent = vec![0.; width];
        for key in 0..self.times.len() - 1 {
            let (from, to) = (self.value(key), self.value(key + 1));
            let (start, span) =
                (f64::from(self.times[key]), f64::from(self.times[key + 1]) - f64::from(self.times[key]));
            let speed = |slope: f64| {
                let of = move |(a, b): (&f32, &f32)| ((f64::from(*b) - f64::from(*a)) * slope / span) as f32;
                from.iter().zip(to).map(of).collect::<Vec<f32>>()
            };
            let mut here = from.to_vec();
            for piece in pieces {
                let time = if piece.end == 1. { self.times[key + 1] } else { (start + span * piece.end) as f32 };
                if times.last().is_some_and(|last| time <= *last) {
                    return false;
                }
                times.push(time);
                values.append(&mut tangent);
                values.append(&mut here);
                values.extend(speed(piece.leaves));
                tangent = speed(piece.arrives);
                here = if piece.end == 1. { to.to_vec() } else { self.mix(from, to, piece.walked) };
            }
        }
        values.append(&mut tangent);
        values.extend(self.value(self.times.len() - 1));
        values.extend(vec![0.; width]);
        (self.times, self.values, self.interpolation) = (times, values, Interpolation::Cubic);
        self.make_finite();
        true
    }
}

/// A part of an easing that is a polynomial of third degree at most.
struct Piece {
    /// Where it ends in time.
    end: f64,
    /// The share of the way that is walked there.
    walked: f64,
    /// Speed at its start, in ways per time.
    leaves: f64,
    /// Speed at its end.
    arrives: f64,
}

/// The pieces of an easing that a spline can follow exactly.
fn pieces(curve: Interpolation) -> Option<Vec<Piece>> {
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
fn is_line(curve: Interpolation) -> bool {
    matches!(curve, Interpolation::Bezier { first: [a, b], second: [c, d] } if a == b && c == d)
}

/// The share of the way after a share of the time; an easing without sense is none.
fn share(curve: Interpolation, u: f64) -> f64 {
    let share = curve.progress(u);
    if share.is_finite() { share } else { u }
}

/// Into how many lines a curve must be cut, and how far they then are from it.
fn lines(curve: Interpolation) -> (usize, f64) {
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

/// Turns a quaternion by another, which is applied after it.
fn turn(by: &[f32], value: &mut [f32]) {
    let [x, y, z, w] = [by[0], by[1], by[2], by[3]].map(f64::from);
    let [a, b, c, d] = [value[0], value[1], value[2], value[3]].map(f64::from);
    value[0] = (w * a + x * d + y * c - z * b) as f32;
    value[1] = (w * b - x * c + y * d + z * a) as f32;
    value[2] = (w * c + x * b - y * a + z * d) as f32;
    value[3] = (w * d - x * a - y * b - z * c) as f32;
}

/// Turns evenly from one unit rotation to another, the short way.
fn slerp(from: &[f32], to: &[f32], u: f64) -> Vec<f32> {
    /// Beyond this cosine the angle is too small to divide by its sine.
    const SAME: f64 = 1. - 1e-9;
    let dot: f64 = from.iter().zip(to).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    let (near, sign) = (dot.abs(), dot.signum());
    let (a, b) = if near > SAME {
        (1. - u, u)
    } else {
        let angle = near.acos();
        (((1. - u) * angle).sin() / angle.sin(), (u * angle).sin() / angle.sin())
    };
    let mixed: Vec<f64> = from.iter().zip(to).map(|(p, q)| a * f64::from(*p) + sign * b * f64::from(*q)).collect();
    let length = mixed.iter().map(|v| v * v).sum::<f64>().sqrt();
    mixed.into_iter().map(|v| (v / length) as f32).collect()
}
