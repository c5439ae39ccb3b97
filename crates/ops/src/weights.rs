//! Joints and weights of vertices: a whole of them.

use scene::{Attribute, Primitive, Semantic, Stream};

/// How far from 1 the weights of a vertex may sum, per weight above zero: what 32-bit floats leave, and what the
/// Khronos validator takes.
const SUM_ROUNDING: f64 = 2e-7;
/// Numbers per set.
const SET: usize = 4;

/// How many vertices were changed, and in which way.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightChanges {
    /// Without a weight.
    pub unbound: u64,
    /// With a joint that is not there.
    pub wild: u64,
    /// With weights below zero.
    pub negative: u64,
    /// With weights that do not sum to 1.
    pub rescaled: u64,
    /// How far from 1 they sum at most.
    pub most: f64,
    /// The largest share of a vertex's weights that was left out.
    pub most_left_out: f64,
    /// In a way that shows nowhere.
    pub rewritten: u64,
}

impl WeightChanges {
    /// Whether any was.
    pub fn any(&self) -> bool {
        self.unbound + self.wild + self.negative + self.rescaled + self.rewritten > 0
    }
}

/// The sets of a primitive that have both joints and weights, in order.
pub fn skin_sets(primitive: &Primitive) -> Vec<u8> {
    let vertices = primitive.vertex_count();
    let whole = |semantic| primitive.get(&semantic).is_some_and(|s| s.len() == vertices && s.count() > 0);
    let numbers = primitive.attributes.iter().filter_map(|a| match a.semantic {
        Semantic::Joints(set) => Some(set),
        _ => None,
    });
    let mut sets: Vec<u8> = numbers.filter(|&n| whole(Semantic::Joints(n)) && whole(Semantic::Weights(n))).collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

/// All joints and weights of a primitive, vertex by vertex.
#[derive(Clone, Debug)]
pub struct Influences {
    all: Vec<(u32, f32)>,
    /// How many there are for each vertex.
    width: usize,
    /// Whether they lie in sets of four without a gap.
    pub regular: bool,
}

impl Influences {
    /// Those of some sets of a primitive, which have both joints and weights.
    pub fn of(primitive: &Primitive, sets: &[u8]) -> Influences {
        let vertices = primitive.vertex_count();
        let mut streams = Vec::new();
        let mut regular = true;
        for (expected, &set) in sets.iter().enumerate() {
            let pair = (primitive.get(&Semantic::Joints(set)), primitive.get(&Semantic::Weights(set)));
            let (Some(joints), Some(weights)) = pair else { continue };
            regular &= usize::from(set) == expected && (joints.count(), weights.count()) == (SET, SET);
            streams.push((joints.to_u32(), joints.count(), weights.to_f32(), weights.count()));
        }
        let width = streams.iter().map(|(_, joints, _, weights)| *joints.min(weights)).sum::<usize>();
        let mut all = vec![(0, 0.); vertices * width];
        let mut at = 0;
        for (joints, per_joints, weights, per_weights) in &streams {
            let count = *per_joints.min(per_weights);
            let rows = joints.chunks_exact(*per_joints).zip(weights.chunks_exact(*per_weights));
            for (out, (joints, weights)) in all.chunks_exact_mut(width).zip(rows) {
                for (out, (joint, weight)) in out[at..at + count].iter_mut().zip(joints.iter().zip(weights)) {
                    *out = (*joint, *weight);
                }
            }
            at += count;
        }
        Influences { all, width, regular }
    }

    /// Leaves out what is negative or names a joint beyond so many, counts a joint that is named twice once, and makes
    /// the weights of each vertex sum to 1; one without weights is bound to the first joint.
    pub fn normalize(&mut self, joints: usize) -> WeightChanges {
        let mut changes = WeightChanges::default();
        for vertex in self.all.chunks_exact_mut(self.width) {
            mend_vertex(vertex, joints, &mut changes);
        }
        changes
    }

    /// Replaces the joints and weights of a primitive, in sets of four.
    pub fn put(&self, primitive: &mut Primitive) {
        primitive.attributes.retain(|a| !matches!(a.semantic, Semantic::Joints(_) | Semantic::Weights(_)));
        let vertices = self.all.len() / self.width.max(1);
        for (set, start) in (0..self.width).step_by(SET).enumerate() {
            let (mut joints, mut weights) = (vec![0; vertices * SET], vec![0.; vertices * SET]);
            let rows = joints.chunks_exact_mut(SET).zip(weights.chunks_exact_mut(SET));
            for ((joints, weights), vertex) in rows.zip(self.all.chunks_exact(self.width)) {
                for (k, (joint, weight)) in vertex[start..].iter().take(SET).enumerate() {
                    (joints[k], weights[k]) = (*joint, *weight);
                }
            }
            let Ok(set) = u8::try_from(set) else { break };
            let attribute = |semantic, stream| Attribute { semantic, stream };
            primitive.attributes.push(attribute(Semantic::Joints(set), Stream::from_u32(4, joints)));
            primitive.attributes.push(attribute(Semantic::Weights(set), Stream::from_f32(4, weights)));
        }
    }
}

fn mend_vertex(vertex: &mut [(u32, f32)], joints: usize, changes: &mut WeightChanges) {
    let (mut wild, mut negative, mut rewritten) = (false, false, false);
    let (mut left_out, mut all) = (0., 0.);
    for at in 0..vertex.len() {
        let (joint, weight) = vertex[at];
        let is_wild = weight > 0. && joint as usize >= joints;
        wild |= is_wild;
        negative |= weight < 0.;
        all += f64::from(weight.abs());
        left_out += if is_wild || weight < 0. { f64::from(weight.abs()) } else { 0. };
        if is_wild || weight <= 0. || weight.is_nan() {
            rewritten |= joint != 0;
            vertex[at] = (0, 0.);
        } else if let Some(same) = vertex[..at].iter().position(|(other, w)| *other == joint && *w > 0.) {
            vertex[same].1 += weight;
            vertex[at] = (0, 0.);
            rewritten = true;
        }
    }
    let used = vertex.iter().filter(|(_, weight)| *weight > 0.).count();
    let sum: f64 = vertex.iter().map(|(_, weight)| f64::from(*weight)).sum();
    let off = (sum - 1.).abs();
    let mut rescaled = false;
    if used == 0 {
        vertex[0] = (0, 1.);
    } else if off > SUM_ROUNDING * used as f64 {
        rescaled = true;
        rewritten = true;
        for (joint, weight) in vertex {
            *weight = (f64::from(*weight) / sum) as f32;
            *joint = if *weight == 0. { 0 } else { *joint };
        }
    }
    changes.unbound += u64::from(used == 0);
    changes.wild += u64::from(wild);
    changes.negative += u64::from(negative);
    if left_out > 0. {
        changes.most_left_out = changes.most_left_out.max(left_out / all);
    }
    // What was left out is the reason why the rest does not sum to 1; it is listed once.
    if rescaled && !wild && !negative {
        changes.rescaled += 1;
        changes.most = changes.most.max(off);
    }
    changes.rewritten += u64::from(rewritten);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(vertex: &[(u32, f32)]) -> (Vec<(u32, f32)>, [u64; 5]) {
        let mut vertex = vertex.to_vec();
        let mut c = WeightChanges::default();
        mend_vertex(&mut vertex, 3, &mut c);
        (vertex, [c.unbound, c.wild, c.negative, c.rescaled, c.rewritten])
    }

    #[test]
    fn whole_weights_stay_as_they_are() {
        let whole = [(2, 0.75), (1, 0.25), (0, 0.), (0, 0.)];
        assert_eq!(mended(&whole), (whole.to_vec(), [0; 5]));
    }

    #[test]
    fn what_is_wrong_is_counted_once_and_mended() {
        assert_eq!(mended(&[(2, 0.), (1, 0.)]), (vec![(0, 1.), (0, 0.)], [1, 0, 0, 0, 1]));
        assert_eq!(mended(&[(2, 0.5), (3, 0.5)]), (vec![(2, 1.), (0, 0.)], [0, 1, 0, 0, 1]));
        assert_eq!(mended(&[(2, 1.), (1, -0.5)]), (vec![(2, 1.), (0, 0.)], [0, 0, 1, 0, 1]));
        assert_eq!(mended(&[(2, 1.), (1, 3.)]), (vec![(2, 0.25), (1, 0.75)], [0, 0, 0, 1, 1]));
        assert_eq!(mended(&[(2, 0.9995), (9, 0.)]), (vec![(2, 1.), (0, 0.)], [0, 0, 0, 1, 1]));
    }

    #[test]
    fn joint_named_twice_counts_once() {
        assert_eq!(mended(&[(2, 0.25), (1, 0.5), (2, 0.25)]), (vec![(2, 0.5), (1, 0.5), (0, 0.)], [0, 0, 0, 0, 1]));
    }
}
