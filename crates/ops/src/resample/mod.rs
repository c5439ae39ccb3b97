//! Keys of a channel made anew, for players that know steps, lines and splines only, as those of glTF do: times grow from
//! 0 on, values are absolute and finite, rotations of unit length, and easings are followed by splines or lines.

mod easing;
mod turns;

use scene::{Channel, Interpolation, Scene, Track, Transform};

use self::easing::{Piece, is_line, lines, pieces, share};
use self::turns::{slerp, turn};
use crate::{make_times_grow, valid_trs};

/// Lines between two keys of a spline that has to be cut.
const SPLINE_LINES: usize = 32;
/// How far from 1 the length of a rotation may be: what text with three decimals can say.
const UNIT_TOLERANCE: f64 = 1e-3;

/// What such a player plays for a channel.
pub struct Played {
    /// Times of the keys.
    pub times: Vec<f32>,
    /// Their values.
    pub values: Vec<f32>,
    /// Steps, lines or splines.
    pub interpolation: Interpolation,
    /// Keys that had to be changed.
    pub mended: u64,
    /// How far lines are from the easing they stand for at most, as a share of the way between two keys.
    pub error: Option<f64>,
}

impl Played {
    /// What is played for a channel of a scene, given the morph targets of its node; nothing if it has no keys, or not
    /// as many values as they need.
    pub fn of(scene: &Scene, channel: &Channel, targets: usize) -> Option<Played> {
        let mut keys = Keys::of(channel, targets)?;
        if channel.relative {
            keys.add_to(&Rest::of(scene, channel, keys.width));
        }
        let mended = keys.make_valid();
        let error = keys.straighten();
        let Keys { times, values, interpolation, .. } = keys;
        Some(Played { times, values, interpolation, mended, error })
    }
}

struct Keys {
    turns: bool,
    multiplies: bool,
    /// Numbers per key.
    width: usize,
    times: Vec<f32>,
    values: Vec<f32>,
    interpolation: Interpolation,
}

/// What relative values are added to.
struct Rest(Vec<f32>);

impl Rest {
    fn of(scene: &Scene, channel: &Channel, width: usize) -> Rest {
        let node = channel.node.and_then(|id| scene.nodes.get(id));
        let transform = node.map(|node| node.transform).unwrap_or_default();
        let Transform::Trs { translation, rotation, scale } = valid_trs(&transform).0 else {
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
    fn of(channel: &Channel, targets: usize) -> Option<Keys> {
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
    fn add_to(&mut self, rest: &Rest) {
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
    fn make_valid(&mut self) -> u64 {
        let stride = self.stride();
        let mut changed = make_times_grow(&mut self.times, &mut self.values, stride) + self.make_finite();
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
        let last = self.times.partition_point(|time| *time < 0.).saturating_sub(1);
        let stride = self.stride();
        self.drop_before(last, stride);
        if !step {
            self.bake(lines);
        }
        let after = self.times.partition_point(|time| *time < 0.);
        if self.times.get(after) == Some(&0.) {
            return self.drop_before(after, self.width);
        }
        let before = after.saturating_sub(1);
        let at_zero = match self.times.get(after) {
            Some(&next) if !step => {
                let (start, next) = (f64::from(self.times[before]), f64::from(next));
                let mut mixed = Vec::with_capacity(self.width);
                self.mix(before, start / (start - next), &mut mixed);
                mixed
            }
            _ => self.value(before).to_vec(),
        };
        self.times.splice(..after, [0.]);
        self.values.splice(..after * self.width, at_zero);
    }

    fn drop_before(&mut self, key: usize, stride: usize) {
        self.times.drain(..key);
        self.values.drain(..key * stride);
    }

    /// Replaces an easing: exactly where a spline can follow it, else by lines. Says how far those are from it at most,
    /// as a share of the way between two keys.
    fn straighten(&mut self) -> Option<f64> {
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
                    self.between(key, u, span, &mut values);
                }
            }
        }
        (self.times, self.values, self.interpolation) = (times, values, Interpolation::Linear);
    }

    /// Appends what lies between a key and the next.
    fn between(&self, key: usize, u: f64, span: f64, values: &mut Vec<f32>) {
        if self.interpolation != Interpolation::Cubic {
            return self.mix(key, share(self.interpolation, u), values);
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
        let square = |i: usize| spline(i) * spline(i);
        let length = if self.turns { (0..width).map(square).sum::<f64>().sqrt() } else { 1. };
        values.extend((0..width).map(|i| (spline(i) / length) as f32));
    }

    /// Appends what lies on the line from a key to the next.
    fn mix(&self, key: usize, u: f64, values: &mut Vec<f32>) {
        let (from, to) = (self.value(key), self.value(key + 1));
        if self.turns {
            return slerp(from, to, u, values);
        }
        let line = |(&a, &b): (&f32, &f32)| (f64::from(a) + (f64::from(b) - f64::from(a)) * u) as f32;
        values.extend(from.iter().zip(to).map(line));
    }

    /// Makes a spline of lines that are walked by a curve of third degree, in pieces; says whether there is room for
    /// the pieces.
    fn follow(&mut self, pieces: &[Piece]) -> bool {
        let width = self.width;
        let (mut times, mut values) = (vec![self.times[0]], Vec::new());
        let (mut tangent, mut here) = (vec![0.; width], Vec::with_capacity(width));
        for key in 0..self.times.len() - 1 {
            let (from, to) = (self.value(key), self.value(key + 1));
            let (start, span) =
                (f64::from(self.times[key]), f64::from(self.times[key + 1]) - f64::from(self.times[key]));
            let speed = |slope: f64| {
                let of = move |(a, b): (&f32, &f32)| ((f64::from(*b) - f64::from(*a)) * slope / span) as f32;
                from.iter().zip(to).map(of)
            };
            here.extend(from);
            for piece in pieces {
                let time = if piece.end == 1. { self.times[key + 1] } else { (start + span * piece.end) as f32 };
                if times.last().is_some_and(|last| time <= *last) {
                    return false;
                }
                times.push(time);
                values.append(&mut tangent);
                values.append(&mut here);
                values.extend(speed(piece.leaves));
                tangent.extend(speed(piece.arrives));
                if piece.end != 1. {
                    self.mix(key, piece.walked, &mut here);
                }
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
