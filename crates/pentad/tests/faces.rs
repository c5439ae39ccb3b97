//! Faces that are cut for glTF and whole again behind it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use pentad::formats;
use pentad::ops;
use pentad::scene::{Primitive, Semantic, Topology};
use pentad::{Asset, Carry, ConvertOptions, Converted, File, convert};

fn read(name: &str, bytes: Vec<u8>) -> Asset {
    File::from_bytes(name, bytes).read(&Default::default()).unwrap()
}

fn to(source: &Asset, id: &str) -> (Converted, Asset) {
    let converted = convert(source, &ConvertOptions::to(formats::by_id(id).unwrap())).unwrap();
    let asset = read(&format!("it.{id}"), converted.to_vec().unwrap());
    (converted, asset)
}

fn only_part(asset: &Asset) -> Primitive {
    let scene = asset.scene().unwrap();
    let mut parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let part = parts.next().unwrap().clone();
    assert!(parts.next().is_none());
    part
}

/// Where the corners are, in the order of these indices.
fn corners(part: &Primitive, order: &[u32]) -> Vec<[f64; 3]> {
    let places = part.get(&Semantic::Position).unwrap().to_f64();
    order.iter().map(|&i| std::array::from_fn(|axis| places[i as usize * 3 + axis])).collect()
}

/// Its second corner is the notch: only the line from there to the fourth is inside.
const NOTCHED: [[f64; 3]; 4] = [[4., -3., 0.], [1., 0., 0.], [4., 3., 0.], [0., 0., 0.]];

#[test]
fn concave_quad_is_cut_inside_and_comes_back_with_its_source() {
    let text = "v 4 -3 0\nv 1 0 0\nv 4 3 0\nv 0 0 0\nf 1 2 3 4\n";
    let source = read("notched.obj", text.into());
    let (_, glb) = to(&source, "glb");
    let inside = [1, 2, 3, 1, 3, 0].map(|i: usize| NOTCHED[i]);
    for id in ["stl", "danmodel", "dragon", "obj"] {
        let part = only_part(&to(&glb, id).1);
        assert_eq!(corners(&part, &ops::triangles(&part)), inside, "{id}");
        let part = only_part(&to(&source, id).1);
        assert_eq!(corners(&part, &ops::triangles(&part)), inside, "{id}");
    }
    for id in ["danmodel", "dragon"] {
        assert_eq!(only_part(&to(&source, id).1).topology, Topology::Quads, "{id}");
    }
    let carrying = ConvertOptions { carry: Carry::Recipe, ..ConvertOptions::to(formats::by_id("glb").unwrap()) };
    let glb = read("it.glb", convert(&source, &carrying).unwrap().to_vec().unwrap());
    assert_eq!(to(&glb, "obj").0.to_vec().unwrap(), text.as_bytes());
}

#[test]
fn polygon_that_became_a_fan_is_listed() {
    let crossing = "v 0 0 0\nv 3 3 0\nv 3 0 0\nv 1 4 0\nv 0 3 0\nf 1 2 3 4 5\n";
    let notched = "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nf 1 2 3 4 5 1\n";
    for (text, fans) in [(crossing, 1), (notched, 0)] {
        let (converted, _) = to(&read("polygon.obj", text.into()), "glb");
        let listed = converted.losses.iter().filter(|loss| loss.what.contains("fans")).map(|loss| loss.count);
        assert_eq!(listed.sum::<u64>(), fans, "{text}");
    }
}
