//! Animations.

use super::draw::{Draw, Feature};
use super::plan::{Animation, Channel, Numbers, Place};

impl Draw<'_> {
    pub(super) fn moves(&mut self) {
        if !self.has(Feature::Animations) {
            return;
        }
        for _ in 0..if self.has(Feature::ManyAnimations) { self.chance.between(2, 3) } else { 1 } {
            let mut animation = Animation { words: self.words("animation"), channels: Vec::new() };
            for _ in 0..self.chance.between(1, 4) {
                let Some(channel) = self.channel() else { continue };
                let same = |other: &Channel| (other.node, other.path) == (channel.node, channel.path);
                if !animation.channels.iter().any(same) {
                    animation.channels.push(channel);
                }
            }
            if !animation.channels.is_empty() {
                self.plan.animations.push(animation);
            }
        }
    }

    fn channel(&mut self) -> Option<Channel> {
        let levels: Vec<usize> = self.plan.nodes.iter().flat_map(|node| node.levels.clone()).collect();
        let joints: Vec<usize> = self.plan.skins.iter().flat_map(|skin| skin.joints.clone()).collect();
        let node = match self.chance.percent(50) && !joints.is_empty() {
            true => *self.chance.one_of(&joints),
            false => self.chance.below(self.plan.nodes.len()),
        };
        if levels.contains(&node) {
            return None;
        }
        let targets = self.plan.nodes[node].mesh.map_or(0, |mesh| self.plan.meshes[mesh].targets);
        let path = match self.chance.below(if targets > 0 { 6 } else { 3 }) {
            0 => "translation",
            1 => "rotation",
            2 => "scale",
            _ => "weights",
        };
        if path != "weights" && matches!(self.plan.nodes[node].place, Place::Matrix(_)) {
            return None;
        }
        let interpolation = if self.roll(Feature::Splines, 50) {
            "CUBICSPLINE"
        } else if self.roll(Feature::Steps, 50) {
            "STEP"
        } else {
            "LINEAR"
        };
        let spline = interpolation == "CUBICSPLINE";
        let keys = self.chance.between(if spline { 2 } else { 1 }, 4);
        let mut time = if self.chance.percent(70) { 0. } else { 0.25 };
        let mut times = Vec::new();
        for _ in 0..keys {
            times.push(time);
            time += if self.has(Feature::Fine) { self.share() + 0.1 } else { *self.chance.one_of(&[0.25, 0.5, 1.]) };
        }
        let width = if path == "weights" { targets } else { 0 };
        let mut values = Vec::new();
        for _ in 0..keys {
            if spline {
                values.extend(self.tangent(path, width));
            }
            values.extend(self.key(path, width));
            if spline {
                values.extend(self.tangent(path, width));
            }
        }
        let width = match path {
            "rotation" => 4,
            "weights" => 1,
            _ => 3,
        };
        Some(Channel { node, path, interpolation, times, values: Numbers::floats(width, values) })
    }

    fn key(&mut self, path: &str, width: usize) -> Vec<f32> {
        match path {
            "translation" => self.vector(4.).to_vec(),
            "rotation" => self.rotation().to_vec(),
            "scale" => self.scale().to_vec(),
            _ => (0..width).map(|_| self.share()).collect(),
        }
    }

    fn tangent(&mut self, path: &str, width: usize) -> Vec<f32> {
        let width = match path {
            "rotation" => 4,
            "weights" => width,
            _ => 3,
        };
        (0..width).map(|_| self.number(0.5)).collect()
    }
}
