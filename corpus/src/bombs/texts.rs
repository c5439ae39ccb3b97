//! Texts of very many short parts.

use std::fmt::Write;

use super::{Bomb, bomb};

pub(super) const BOMBS: &[Bomb] = &[
    bomb("keys.mat", "A material of 200 000 keys.", keys),
    bomb("groups.obj", "100 000 groups of one triangle each.", groups),
    bomb("libraries.obj", "10 000 material libraries that are not there.", libraries),
];

fn keys() -> Vec<u8> {
    (0..200_000)
        .fold(String::from("name: \"bomb\"\n"), |mut text, i| {
            _ = writeln!(text, "key{i}: {i}");
            text
        })
        .into_bytes()
}

fn groups() -> Vec<u8> {
    (0..100_000)
        .fold(String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\n"), |mut text, i| {
            _ = writeln!(text, "g part{i}\nf 1 2 3");
            text
        })
        .into_bytes()
}

fn libraries() -> Vec<u8> {
    (0..10_000)
        .fold(String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), |mut text, i| {
            _ = writeln!(text, "mtllib folder/library{i}.mtl");
            text
        })
        .into_bytes()
}
