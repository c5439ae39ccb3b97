//! Where joints are bound.

use glam::DMat4;
use scene::{Transform, undone};

/// Where the bones are bound: the inverse of their place at rest, or nothing if there is none.
pub fn inverse_binds(parents: &[Option<usize>], locals: &[Transform]) -> Vec<[f32; 16]> {
    chained(parents, &locals.iter().map(Transform::matrix).collect::<Vec<_>>())
        .into_iter()
        .map(|world| undone(&world).unwrap_or_default().to_cols_array().map(|v| v as f32))
        .collect()
}

/// Places relative to the root, from places relative to the parents.
pub fn chained(parents: &[Option<usize>], locals: &[DMat4]) -> Vec<DMat4> {
    let mut out: Vec<Option<DMat4>> = vec![None; locals.len()];
    let mut open = Vec::new();
    for start in 0..locals.len() {
        let mut at = Some(start);
        while let Some(bone) = at.filter(|bone| out[*bone].is_none()) {
            open.push(bone);
            at = parents[bone];
        }
        while let Some(bone) = open.pop() {
            let above = parents[bone].and_then(|parent| out[parent]).unwrap_or(DMat4::IDENTITY);
            out[bone] = Some(above * locals[bone]);
        }
    }
    out.into_iter().map(Option::unwrap_or_default).collect()
}
