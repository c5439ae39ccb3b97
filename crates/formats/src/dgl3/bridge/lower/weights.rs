//! Which bones move a vertex.

use findings::Subject;
use scene::loss::*;
use scene::{Primitive, Semantic};
use wire::Blob;

use crate::LowerCx;
use crate::dgl3::weights::Weights;

/// How far from 1 the weights of a vertex may add up before they are scaled.
const SUM_TOLERANCE: f32 = 5e-3;

pub(super) fn lower_weights(primitive: &Primitive, joints: usize, label: &Subject, cx: &mut LowerCx<'_>) -> Weights {
    let mut sets = Vec::new();
    for set in 0..=u8::MAX {
        let streams = (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)));
        let (Some(indices), Some(weights)) = streams else { break };
        sets.push((indices.count().max(1), indices.to_u32(), weights.count().max(1), weights.to_f32()));
    }
    let per_vertex = sets.len() * 4;
    let count = primitive.vertex_count();
    let mut bytes = Vec::with_capacity(count * per_vertex * 8);
    let mut scaled = 0;
    for vertex in 0..count {
        let slot = |k: usize| {
            let (wide, indices, high, weights) = &sets[k / 4];
            let index = indices.get(vertex * wide + k % 4).copied().filter(|_| k % 4 < *wide);
            let weight = weights.get(vertex * high + k % 4).copied().filter(|_| k % 4 < *high);
            match index.filter(|&index| (index as usize) < joints) {
                Some(index) => (index as i32, weight.unwrap_or(0.)),
                None => (0, 0.),
            }
        };
        let mut row: Vec<(i32, f32)> = (0..per_vertex).map(slot).collect();
        let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
        if sum.is_nan() || (sum - 1.).abs() > SUM_TOLERANCE {
            scaled += 1;
            if sum > 0. && sum.is_finite() {
                row.iter_mut().for_each(|(_, weight)| *weight /= sum);
            } else if let Some(first) = row.first_mut() {
                *first = (0, 1.);
            }
        }
        bytes.extend(row.iter().flat_map(|(index, _)| index.to_le_bytes()));
        bytes.extend(row.iter().flat_map(|(_, weight)| weight.to_le_bytes()));
    }
    if scaled > 0 {
        cx.lose(&LOSS_018, label, scaled, "weights scaled", "the weights of a vertex add up to 1");
    }
    Weights::new(per_vertex, Blob::memory(bytes))
}

pub(super) fn rigid_weights(count: usize) -> Weights {
    let row = [0_i32.to_le_bytes(), 1_f32.to_le_bytes()].concat();
    Weights::new(1, Blob::memory(row.repeat(count)))
}
