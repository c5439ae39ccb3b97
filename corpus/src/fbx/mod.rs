//! FBX files, as text; and the start of a binary one.
//!
//! A text is four nodes: `FBXHeaderExtension` with the comment before it, `GlobalSettings`, `Objects`, `Connections`.

mod rule_cases;
mod samples;

pub use rule_cases::RULE_CASES;
pub use samples::{SAMPLES, triangle};

const HEADER: &str = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n\
    \tCreator: \"made by hand\"\n}\n";

/// Axes (each the number of an axis and its sign: right, up, front) and centimetres per unit.
fn settings([right, up, front]: [(i8, i8); 3], centimetres: f64) -> String {
    let axis = |name: &str, (axis, sign): (i8, i8)| {
        let line = |name: &str, value: i8| format!("\t\tP: \"{name}\", \"int\", \"Integer\", \"\",{value}\n");
        line(name, axis) + &line(&format!("{name}Sign"), sign)
    };
    let unit = format!("\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{centimetres}\n");
    let lines = [axis("UpAxis", up), axis("FrontAxis", front), axis("CoordAxis", right), unit].concat();
    format!("GlobalSettings:  {{\n\tVersion: 1000\n\tProperties70:  {{\n{lines}\t}}\n}}\n")
}

/// The axes of glTF.
const Y_UP: [(i8, i8); 3] = [(0, 1), (1, 1), (2, 1)];
/// Those of Blender and of 3ds Max.
const Z_UP: [(i8, i8); 3] = [(0, 1), (2, 1), (1, -1)];

/// A whole file.
fn file(settings: &str, objects: &str, connections: &[&str]) -> String {
    let connections: Vec<String> = connections.iter().map(|line| format!("\tC: {line}\n")).collect();
    let connections = connections.concat();
    format!("{HEADER}{settings}Objects:  {{\n{objects}}}\nConnections:  {{\n{connections}}}\n")
}

/// An array as a text has it.
fn array(name: &str, values: &str) -> String {
    format!("{name}: *{} {{\n\ta: {values}\n}}\n", values.split(',').count())
}

/// A mesh of three vertices and one polygon.
fn geometry(id: u32, further: &str) -> String {
    let vertices = array("Vertices", "0,0,0,1,0,0,0,1,0");
    let polygons = array("PolygonVertexIndex", "0,1,-3");
    format!("Geometry: {id}, \"Geometry::Triangle\", \"Mesh\" {{\n{vertices}{polygons}{further}}}\n")
}

/// A model of a kind.
fn model(id: u32, name: &str, kind: &str, properties: &str) -> String {
    format!("Model: {id}, \"Model::{name}\", \"{kind}\" {{\nVersion: 232\nProperties70:  {{\n{properties}}}\n}}\n")
}

/// Many models with a mesh each.
pub(crate) fn models(count: usize) -> Vec<u8> {
    let objects =
        (0..count as u32).map(|at| geometry(2 * at + 1, "") + &model(2 * at + 2, &format!("m{at}"), "Mesh", ""));
    let connections: Vec<String> = (0..count)
        .flat_map(|at| [format!("\"OO\",{},0", 2 * at + 2), format!("\"OO\",{},{}", 2 * at + 1, 2 * at + 2)])
        .collect();
    let connections: Vec<&str> = connections.iter().map(String::as_str).collect();
    file(&settings(Y_UP, 100.), &objects.collect::<String>(), &connections).into_bytes()
}
