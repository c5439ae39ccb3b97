//! Images of one colour: a few bytes for any number of pixels. glTF wants roughness and metalness in one image, as wide
//! as the wider and as high as the higher.

use super::{Bomb, bomb, zeros_behind};
use crate::SideFiles;
use crate::bytes::Bytes;
use crate::png::chunk;

pub(super) const BOMBS: &[Bomb] = &[
    Bomb { beside: crossed, ..bomb("crossed.obj", "Images of a million pixels, one wide and one high.", model) },
    Bomb { beside: large, ..bomb("large.obj", "Two images of 11 000 by 11 000 pixels.", model) },
    Bomb { beside: one_large, ..bomb("one-large.obj", "One image of 60 000 by 60 000 pixels.", model) },
];

fn model() -> Vec<u8> {
    b"mtllib bomb.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n".to_vec()
}

fn library(rough: &str, metal: &str) -> (&'static str, Vec<u8>) {
    ("bomb.mtl", format!("newmtl m\nPr 1\nPm 1\nmap_Pr {rough}\nmap_Pm {metal}\n").into_bytes())
}

fn crossed() -> SideFiles {
    let [wide, high] = [(1_000_000, 1), (1, 1_000_000)].map(|(width, height)| black(width, height));
    vec![library("wide.png", "high.png"), ("wide.png", wide), ("high.png", high)]
}

fn large() -> SideFiles {
    let image = black(11_000, 11_000);
    vec![library("a.png", "b.png"), ("a.png", image.clone()), ("b.png", image)]
}

fn one_large() -> SideFiles {
    vec![library("a.png", "a.png"), ("a.png", black(60_000, 60_000))]
}

/// A black image of one bit per pixel.
fn black(width: u32, height: u32) -> Vec<u8> {
    let mut header = Bytes::default();
    header.be(width).be(height).raw(&[1, 0, 0, 0, 0]);
    // Each row is preceded by its filter: none, which is a zero too.
    let size = (width as usize).div_ceil(8) + 1;
    let mut file = Bytes::default();
    file.raw(b"\x89PNG\r\n\x1A\n");
    chunk(&mut file, b"IHDR", &header.done());
    chunk(&mut file, b"IDAT", &zeros_behind(&[], size * height as usize));
    chunk(&mut file, b"IEND", &[]);
    file.done()
}
