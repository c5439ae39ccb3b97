//! Document ⇄ scene. The table of what maps to what is in the documentation of [`super`].

mod lower;

pub(super) use lower::lower;
