//! One vertex for all corners that are equal bit by bit: triangle soup becomes an indexed mesh, and back.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// Corners that share vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welded<R> {
    /// The different rows, in the order they are first used.
    pub rows: Vec<R>,
    /// For every corner, which row it is.
    pub indices: Vec<u32>,
}

/// Makes one row of equal ones. Rows are compared as they are: hand in bits, not floats, and hard edges stay hard, zeros
/// keep their signs. Nothing but the repetition is lost: `rows[indices[i]]` is corner `i`.
///
/// The table hashes with a secret key, so that no file can be made that lets it degenerate.
///
/// ```
/// let welded = ops::weld_rows([[7, 0], [7, 1], [7, 0]]);
/// assert_eq!(welded.rows, [[7, 0], [7, 1]]);
/// assert_eq!(welded.indices, [0, 1, 0]);
/// ```
pub fn weld_rows<R: Copy + Eq + Hash>(corners: impl IntoIterator<Item = R>) -> Welded<R> {
    let corners = corners.into_iter();
    let mut known: HashMap<R, u32> = HashMap::new();
    let mut welded = Welded { rows: Vec::new(), indices: Vec::with_capacity(corners.size_hint().0) };
    for row in corners {
        let index = match known.entry(row) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let index = welded.rows.len() as u32;
                welded.rows.push(row);
                *entry.insert(index)
            }
        };
        welded.indices.push(index);
    }
    welded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soup_comes_back_in_order() {
        let corners: Vec<[u32; 2]> = (0..3000_u32).map(|i| [i * 37 % 100, i % 2]).collect();
        let welded = weld_rows(corners.iter().copied());
        assert_eq!(welded.rows.len(), 100);
        let soup: Vec<[u32; 2]> = welded.indices.iter().map(|&i| welded.rows[i as usize]).collect();
        assert_eq!(soup, corners);
        assert!(welded.rows.iter().zip(&corners).all(|(row, corner)| row == corner), "by first use");
    }

    #[test]
    fn zeros_of_either_sign_stay_apart() {
        assert_eq!(weld_rows([0.0_f32.to_bits(), (-0.0_f32).to_bits()]).rows.len(), 2);
    }
}
