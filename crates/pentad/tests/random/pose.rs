//! Where nodes are and how shapes are weighed, at rest and while animations play.

use serde_json::Value as Json;

use super::gltf::{Gltf, Rows, index, items, numbers};

/// Column by column.
pub(crate) type Matrix = [f64; 16];

pub(crate) const IDENTITY: Matrix = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|at| (0..4).map(|k| a[k * 4 + at % 4] * b[at / 4 * 4 + k]).sum())
}

pub(crate) fn point(m: &Matrix, p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row])
}

pub(crate) fn determinant(m: &Matrix) -> f64 {
    m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) + m[8] * (m[1] * m[6] - m[5] * m[2])
}

/// What turns normals: the cofactors, which are the inverse transposed but for a factor.
pub(crate) fn turn(m: &Matrix, n: [f64; 3]) -> [f64; 3] {
    let at = |row: usize, column: usize| m[column % 3 * 4 + row % 3];
    let cofactor = |row: usize, column: usize| {
        at(row + 1, column + 1) * at(row + 2, column + 2) - at(row + 1, column + 2) * at(row + 2, column + 1)
    };
    let sign = determinant(m).signum();
    unit(std::array::from_fn(|row| sign * (0..3).map(|column| cofactor(row, column) * n[column]).sum::<f64>()))
}

pub(crate) fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
    if length > 0. { v.map(|v| v / length) } else { v }
}

pub(crate) fn trs(t: [f64; 3], [x, y, z, w]: [f64; 4], s: [f64; 3]) -> Matrix {
    [
        (1. - 2. * (y * y + z * z)) * s[0],
        2. * (x * y + z * w) * s[0],
        2. * (x * z - y * w) * s[0],
        0.,
        2. * (x * y - z * w) * s[1],
        (1. - 2. * (x * x + z * z)) * s[1],
        2. * (y * z + x * w) * s[1],
        0.,
        2. * (x * z + y * w) * s[2],
        2. * (y * z - x * w) * s[2],
        (1. - 2. * (x * x + y * y)) * s[2],
        0.,
        t[0],
        t[1],
        t[2],
        1.,
    ]
}

/// By node: its own matrix, and the weights of its shapes.
pub(crate) struct Pose {
    pub(crate) local: Vec<Matrix>,
    pub(crate) weights: Vec<Vec<f64>>,
}

/// Weights of a node at rest: its own, or those of its mesh.
pub(crate) fn rest_weights(file: &Gltf, node: &Json) -> Vec<f64> {
    let mesh = index(node, "mesh").map(|mesh| &file.list("meshes")[mesh]);
    let own = items(node, "weights");
    let list = if own.is_empty() { mesh.map_or(&[][..], |mesh| items(mesh, "weights")) } else { own };
    let targets = mesh.map_or(0, |mesh| items(&items(mesh, "primitives")[0], "targets").len());
    let mut out: Vec<f64> = list.iter().filter_map(Json::as_f64).collect();
    out.resize(targets, 0.);
    out
}

/// The pose while these animations play together.
pub(crate) fn pose(file: &Gltf, playing: &[&Animation], time: f64) -> Pose {
    let mut pose = Pose { local: Vec::new(), weights: Vec::new() };
    for (at, node) in file.list("nodes").iter().enumerate() {
        let mut t = numbers(node, "translation", [0.; 3]);
        let mut r = numbers(node, "rotation", [0., 0., 0., 1.]);
        let mut s = numbers(node, "scale", [1.; 3]);
        let mut weights = rest_weights(file, node);
        let mut moved = false;
        for channel in playing.iter().flat_map(|animation| &animation.channels).filter(|channel| channel.node == at) {
            let value = channel.at(time, weights.len());
            match channel.path.as_str() {
                "translation" => t = value[..3].try_into().unwrap(),
                "rotation" => r = value[..4].try_into().unwrap(),
                "scale" => s = value[..3].try_into().unwrap(),
                "weights" => weights = value,
                _ => continue,
            }
            moved |= channel.path != "weights";
        }
        let matrix = node.get("matrix").filter(|_| !moved).map(|_| numbers(node, "matrix", IDENTITY));
        pose.local.push(matrix.unwrap_or_else(|| trs(t, r, s)));
        pose.weights.push(weights);
    }
    pose
}

pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) channels: Vec<Channel>,
}

pub(crate) struct Channel {
    pub(crate) node: usize,
    pub(crate) path: String,
    pub(crate) interpolation: String,
    pub(crate) times: Vec<f64>,
    pub(crate) values: Rows,
}

impl Animation {
    pub(crate) fn all(file: &Gltf) -> Vec<Animation> {
        file.list("animations").iter().map(|animation| Animation::of(file, animation)).collect()
    }

    fn of(file: &Gltf, animation: &Json) -> Animation {
        let channel = |channel: &Json| {
            let sampler = &items(animation, "samplers")[index(channel, "sampler")?];
            let target = &channel["target"];
            Some(Channel {
                node: index(target, "node")?,
                path: target["path"].as_str()?.to_owned(),
                interpolation: sampler["interpolation"].as_str().unwrap_or("LINEAR").to_owned(),
                times: file.accessor(index(sampler, "input")?).values,
                values: file.accessor(index(sampler, "output")?),
            })
        };
        Animation {
            name: animation["name"].as_str().unwrap_or_default().to_owned(),
            channels: items(animation, "channels").iter().filter_map(channel).collect(),
        }
    }

    pub(crate) fn end(&self) -> f64 {
        self.channels.iter().filter_map(|channel| channel.times.last()).fold(0., |a, b| a.max(*b))
    }
}

impl Channel {
    /// Its value, of which weights have `count` numbers.
    fn at(&self, time: f64, count: usize) -> Vec<f64> {
        let width = if self.path == "weights" { count } else { self.values.width };
        let spline = self.interpolation == "CUBICSPLINE";
        // 0: tangent in, 1: value, 2: tangent out.
        let key = |key: usize, part: usize| {
            let from = if spline { (key * 3 + part) * width } else { key * width };
            &self.values.values[from..from + width]
        };
        let later = self.times.iter().position(|key| *key > time).unwrap_or(self.times.len());
        let before = later.saturating_sub(1);
        if later == 0 || later == self.times.len() {
            return self.finished(key(before, 1).to_vec());
        }
        let step = self.times[later] - self.times[before];
        let t = (time - self.times[before]) / step;
        let (a, b) = (key(before, 1), key(later, 1));
        if self.interpolation == "STEP" {
            return self.finished(a.to_vec());
        }
        if spline {
            let (out, into) = (key(before, 2), key(later, 0));
            let (t2, t3) = (t * t, t * t * t);
            let blend = |i: usize| {
                (2. * t3 - 3. * t2 + 1.) * a[i]
                    + step * (t3 - 2. * t2 + t) * out[i]
                    + (-2. * t3 + 3. * t2) * b[i]
                    + step * (t3 - t2) * into[i]
            };
            return self.finished((0..width).map(blend).collect());
        }
        if self.path == "rotation" { slerp(a, b, t) } else { (0..width).map(|i| a[i] + (b[i] - a[i]) * t).collect() }
    }

    fn finished(&self, mut value: Vec<f64>) -> Vec<f64> {
        if self.path == "rotation" {
            let length = value.iter().map(|v| v * v).sum::<f64>().sqrt();
            value.iter_mut().for_each(|v| *v /= length);
        }
        value
    }
}

fn slerp(a: &[f64], b: &[f64], t: f64) -> Vec<f64> {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sign = if dot < 0. { -1. } else { 1. };
    let angle = dot.abs().min(1.).acos();
    let (from, to) = if angle < 1e-6 { (1. - t, t) } else { (((1. - t) * angle).sin(), (t * angle).sin()) };
    let mut out: Vec<f64> = a.iter().zip(b).map(|(a, b)| a * from + b * to * sign).collect();
    let length = out.iter().map(|v| v * v).sum::<f64>().sqrt();
    out.iter_mut().for_each(|v| *v /= length);
    out
}
