//! DanModel files.
/// A triangle.
pub fn one_triangle() -> Vec<u8> {
    Vec::new()
}
