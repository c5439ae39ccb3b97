//! Document ⇄ scene. The table of what maps to what is in the documentation of [`super`].

mod beside;
mod lift;
mod lower;

pub(super) use beside::beside;
pub(super) use lift::{carried, data, image_kind, levels_of, lift, semantic};
pub(super) use lower::lower;
