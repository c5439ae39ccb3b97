//! Document ⇄ scene.
//!
//! | DanModel | scene |
//! |---|---|
//! | piece | a node and a mesh of one primitive, in file order |
//! | mode | topology; an unknown one becomes points and is listed as a loss |
//! | position, uv, color, normal | streams that share the file's bytes; v counts from the bottom |
//! | danmaku_colored | `danmodel.colored` of the node |
//! | danmaku_alpha | `danmodel.alpha` of the scene |
//! | name, description, author | title, description, author |
//!
//! The same vertices leave in one copy, or in none while they still lie in the file.

mod lift;
mod lower;

pub(super) use lift::lift;
pub(super) use lower::lower;

use scene::{Component, Encoding, Semantic};
use wire::{Fixed, Order};

use super::layout::{ColoredVertex, ORDER, PlainVertex};
use crate::carry::{Key, Owner};

/// What travels although a scene has no field for it.
pub(super) const KEYS: [Key; 2] = [ALPHA, COLORED];

const ALPHA: Key =
    Key { name: "danmodel.alpha", of: &[Owner::Asset], about: "alpha of pieces that take the colour of the shot" };
const COLORED: Key =
    Key { name: "danmodel.colored", of: &[Owner::Node], about: "`true`: the piece takes the colour of the shot" };

/// A field of a vertex: what it means, its numbers, and where it lies in a plain and in a coloured vertex.
struct Field {
    semantic: Semantic,
    component: Component,
    count: u8,
    plain: usize,
    colored: Option<usize>,
}

const FIELDS: [Field; 4] = [
    Field { semantic: Semantic::Position, component: Component::F64, count: 3, plain: 0, colored: Some(0) },
    Field { semantic: Semantic::TexCoord(0), component: Component::F64, count: 2, plain: 24, colored: Some(24) },
    Field { semantic: Semantic::Color(0), component: Component::F32, count: 4, plain: 40, colored: None },
    Field { semantic: Semantic::Normal, component: Component::F32, count: 3, plain: 56, colored: Some(40) },
];

impl Field {
    fn offset(&self, colored: bool) -> Option<usize> {
        if colored { self.colored } else { Some(self.plain) }
    }

    fn is_uv(&self) -> bool {
        matches!(self.semantic, Semantic::TexCoord(_))
    }

    fn encoding(&self, stride: usize) -> Encoding {
        let flip_v = self.is_uv();
        Encoding { stride, order: ORDER, flip_v, ..Encoding::packed(self.component, self.count) }
    }
}

fn stride(colored: bool) -> usize {
    if colored { ColoredVertex::SIZE } else { PlainVertex::SIZE }
}

const _: () = assert!(matches!(ORDER, Order::Big));
