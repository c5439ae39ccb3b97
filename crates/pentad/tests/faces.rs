//! Faces that are cut for glTF and whole again behind it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use pentad::formats;
use pentad::ops;
use pentad::scene::{Primitive, Semantic, Topology};
use pentad::{Asset, ConvertOptions, Converted, File, convert};

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
fn concave_quad_is_cut_inside_and_comes_back_as_it_was() {
    let text = "v 4 -3 0\nv 1 0 0\nv 4 3 0\nv 0 0 0\nf 1 2 3 4\n";
    let (_, glb) = to(&read("notched.obj", text.into()), "glb");
    let inside = [1, 2, 3, 1, 3, 0].map(|i: usize| NOTCHED[i]);
    let bare = ConvertOptions::to(formats::by_id("stl").unwrap());
    let stl = read("it.stl", convert(&glb, &bare).unwrap().to_vec().unwrap());
    assert_eq!(corners(&only_part(&stl), &ops::triangles(&only_part(&stl))), inside);
    for id in ["danmodel", "dragon", "obj"] {
        let (_, back) = to(&glb, id);
        let part = only_part(&back);
        assert_eq!(part.topology, Topology::Quads, "{id}");
        let order = part.indices.as_ref().map_or_else(|| vec![0, 1, 2, 3], |indices| indices.to_vec());
        assert_eq!(corners(&part, &order), NOTCHED, "{id}");
        assert_eq!(corners(&part, &ops::triangles(&part)), inside, "{id}");
    }
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
