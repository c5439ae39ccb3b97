//! DanModel files.
//!
//! The base of most recipes is [`one_triangle`], 256 bytes whose places are worth knowing by heart; recipes in the
//! `spec` dialect lack the alpha, and everything behind it lies four bytes earlier:
//!
//! | bytes | field | value |
//! |---|---|---|
//! | 0 | magic_length, magic | 20, `DanmakuCore DanModel` |
//! | 22 | version | 1 |
//! | 24 | name_length | 1 |
//! | 26 | name | `t` |
//! | 27 | description_length | 0 |
//! | 29 | author_length | 0 |
//! | 31 | piece_count | 1 |
//! | 35 | danmaku_alpha | 0.3 |
//! | 39 | model_length | 213 |
//! | 43 | mode | 4 |
//! | 47 | vertex_count | 3 |
//! | 51 | danmaku_colored | 0 |
//! | 52, 120, 188 | vertices | position, +24 uv, +40 color, +56 normal |

mod large;
mod rule_cases;
mod samples;

pub use large::{LARGE_SAMPLES, large, large_size};
pub use rule_cases::RULE_CASES;
pub use samples::{SAMPLES, model, one_triangle};

use crate::bytes::Bytes;

const POINTS: i32 = 0;
const LINES: i32 = 1;
const LINE_LOOP: i32 = 2;
const LINE_STRIP: i32 = 3;
const TRIANGLES: i32 = 4;
const TRIANGLE_STRIP: i32 = 5;
const TRIANGLE_FAN: i32 = 6;
const QUADS: i32 = 7;
const QUAD_STRIP: i32 = 8;
const POLYGON: i32 = 9;

/// What the mod's converter always writes.
const USUAL_ALPHA: f32 = 0.3;

const WHITE: [f32; 4] = [1.; 4];

/// A file in the words of its document.
#[derive(Clone)]
struct Model {
    name: Vec<u8>,
    description: Vec<u8>,
    author: Vec<u8>,
    /// There in the `engine` dialect, absent in `spec`.
    alpha: Option<f32>,
    pieces: Vec<Piece>,
    /// Bytes that model_length counts although no piece uses them.
    slack: Vec<u8>,
    /// Bytes behind the model.
    tail: Vec<u8>,
}

#[derive(Clone)]
struct Piece {
    mode: i32,
    /// The flag byte: 0 for vertices with a colour, anything else for vertices without.
    colored: u8,
    vertices: Vec<Vertex>,
}

#[derive(Clone, Copy)]
struct Vertex {
    position: [f64; 3],
    uv: [f64; 2],
    color: [f32; 4],
    normal: [f32; 3],
}

impl Model {
    /// The model of the table above with these pieces.
    fn of(pieces: Vec<Piece>) -> Model {
        Model {
            name: b"t".to_vec(),
            description: Vec::new(),
            author: Vec::new(),
            alpha: Some(USUAL_ALPHA),
            pieces,
            slack: Vec::new(),
            tail: Vec::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut model = Bytes::default();
        self.pieces.iter().for_each(|piece| piece.put(&mut model));
        model.raw(&self.slack);

        let mut file = header_until_count(&self.name, &self.description, &self.author);
        file.be(self.pieces.len() as i32);
        if let Some(alpha) = self.alpha {
            file.be(alpha);
        }
        file.be(model.len() as i32).raw(&model.done()).raw(&self.tail).done()
    }
}

fn header_until_count(name: &[u8], description: &[u8], author: &[u8]) -> Bytes {
    let mut file = Bytes::default();
    put_string(&mut file, b"DanmakuCore DanModel");
    file.be(1_i16);
    put_string(&mut file, name);
    put_string(&mut file, description);
    put_string(&mut file, author);
    file
}

fn put_string(out: &mut Bytes, text: &[u8]) {
    out.be(text.len() as i16).raw(text);
}

impl Piece {
    fn put(&self, out: &mut Bytes) {
        out.be(self.mode).be(self.vertices.len() as i32).be(self.colored);
        self.vertices.iter().for_each(|vertex| vertex.put(out, self.colored != 0));
    }
}

impl Vertex {
    fn put(&self, out: &mut Bytes, colored: bool) {
        out.be_all(&self.position).be_all(&self.uv);
        if !colored {
            out.be_all(&self.color);
        }
        out.be_all(&self.normal);
    }
}

/// A white triangle in the plane of x and y that faces +z.
fn triangle() -> Piece {
    let corner = |x: f64, y: f64| Vertex { position: [x, y, 0.], uv: [x, y], color: WHITE, normal: [0., 0., 1.] };
    Piece { mode: TRIANGLES, colored: 0, vertices: vec![corner(0., 0.), corner(1., 0.), corner(0., 1.)] }
}
