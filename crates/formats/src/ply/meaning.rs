//! Which elements and properties mean what.

use super::data::{Table, decode};
use super::header::{Element, Scalar};
use super::layout::Document;

/// Names of a vertex's properties that belong together: several spellings, the one that is written first.
pub(super) const POSITION: &[&[&str]] = &[&["x", "y", "z"]];
pub(super) const NORMAL: &[&[&str]] = &[&["nx", "ny", "nz"]];
pub(super) const COLOR: &[&[&str]] = &[
    &["red", "green", "blue", "alpha"],
    &["red", "green", "blue"],
    &["diffuse_red", "diffuse_green", "diffuse_blue", "diffuse_alpha"],
    &["diffuse_red", "diffuse_green", "diffuse_blue"],
    &["r", "g", "b"],
];
pub(super) const TEXCOORD: &[&[&str]] = &[&["s", "t"], &["u", "v"], &["texture_u", "texture_v"]];

/// All of them: no other attribute is written under such a name.
pub(super) const RESERVED: [&[&[&str]]; 4] = [POSITION, NORMAL, COLOR, TEXCOORD];

/// Lists of indices.
const INDICES: [&str; 2] = ["vertex_indices", "vertex_index"];

/// The list of the texture coordinates of a face's corners, two for each.
const CORNERS: &str = "texcoord";

/// What is where.
pub(super) struct Meaning<'a> {
    pub(super) doc: &'a Document,
    pub(super) vertex: Option<usize>,
    pub(super) face: Option<Lists>,
    pub(super) strips: Option<Lists>,
    /// Element, and its two properties.
    pub(super) edge: Option<(usize, [usize; 2])>,
    /// Texture coordinates of the corners of faces, if vertices have none.
    pub(super) corner_uv: Option<Lists>,
    /// The colour of faces, if vertices have none.
    pub(super) face_color: Option<Vec<usize>>,
}

/// A list property of an element: which element, which property, which of its lists.
#[derive(Clone, Copy)]
pub(super) struct Lists {
    pub(super) element: usize,
    pub(super) property: usize,
    pub(super) list: usize,
}

impl<'a> Meaning<'a> {
    pub(super) fn of(doc: &'a Document) -> Meaning<'a> {
        let elements = &doc.header().elements;
        let named = |name: &str| elements.iter().position(|element| element.name == name.as_bytes());
        let lists = |name: &str, spellings: &[&str]| {
            let element = named(name)?;
            let own = &elements[element];
            let property = spellings.iter().find_map(|name| own.find(name))?;
            own.properties[property].count?;
            let list = own.properties[..property].iter().filter(|property| property.count.is_some()).count();
            Some(Lists { element, property, list })
        };
        let edge = || {
            let element = named("edge")?;
            let own = &elements[element];
            let ends = [own.find("vertex1")?, own.find("vertex2")?];
            ends.iter().all(|&end| own.properties[end].count.is_none()).then_some((element, ends))
        };
        let vertex = named("vertex").filter(|&vertex| group(&elements[vertex], POSITION).is_some());
        let face = lists("face", &INDICES);
        let lacks = |spellings| vertex.is_some_and(|vertex| group(&elements[vertex], spellings).is_none());
        Meaning {
            doc,
            vertex,
            face,
            strips: lists("tristrips", &INDICES),
            edge: edge(),
            corner_uv: lists("face", &[CORNERS]).filter(|_| face.is_some() && lacks(TEXCOORD)),
            face_color: face.filter(|_| lacks(COLOR)).and_then(|face| group(&elements[face.element], COLOR)),
        }
    }

    pub(super) fn element(&self, index: usize) -> (&'a Element, &'a Table) {
        (&self.doc.header().elements[index], &self.doc.body().tables[index])
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.vertex.map_or(0, |vertex| self.element(vertex).1.count)
    }

    /// The sizes and the numbers of a list property; numbers that are no index are the largest one.
    pub(super) fn indices(&self, lists: Lists) -> (&'a [u32], Vec<u32>) {
        let (element, table) = self.element(lists.element);
        let (item, list) = (element.properties[lists.property].item, &table.lists[lists.list]);
        let numbers = list.items.chunks_exact(item.size()).map(|bytes| index(decode(bytes, item, table.order)));
        (&list.sizes, numbers.collect())
    }

    pub(super) fn edges(&self) -> Option<(usize, Vec<[u32; 2]>)> {
        let (at, ends) = self.edge?;
        let (element, table) = self.element(at);
        let (offsets, _) = element.offsets();
        let end = |row: usize, end: usize| index(table.number(row, offsets[end], element.properties[end].item));
        Some((at, (0..table.count).map(|row| ends.map(|property| end(row, property))).collect()))
    }

    pub(super) fn primitive_count(&self) -> u64 {
        let has_rows = |element: Option<usize>| element.is_some_and(|element| self.element(element).1.count > 0);
        let drawn = [
            self.face.map(|lists| lists.element),
            self.strips.map(|lists| lists.element),
            self.edge.map(|(element, _)| element),
        ];
        let drawn = drawn.into_iter().filter(|element| has_rows(*element)).count() as u64;
        if drawn == 0 { u64::from(self.vertex.is_some()) } else { drawn }
    }

    pub(super) fn triangle_count(&self) -> u64 {
        let faces = self.face.map_or(&[][..], |lists| &self.element(lists.element).1.lists[lists.list].sizes);
        let faces: u64 = faces.iter().map(|&size| u64::from(size).saturating_sub(2)).sum();
        let strips = self.strips.map_or(0, |lists| unroll(&self.indices(lists)).len() as u64 / 3);
        faces + strips
    }
}

/// A number as an index; what is none is the largest one.
fn index(number: f64) -> u32 {
    if (0. ..4294967295.).contains(&number) { number as u32 } else { u32::MAX }
}

/// The triangles of strips: every second one turned round, and a new strip behind each -1.
pub(super) fn unroll((sizes, numbers): &(&[u32], Vec<u32>)) -> Vec<u32> {
    let mut out = Vec::new();
    let mut rest = &numbers[..];
    for &size in *sizes {
        let (row, behind) = rest.split_at(size as usize);
        rest = behind;
        for strip in row.split(|&index| index == u32::MAX) {
            for (k, t) in strip.windows(3).enumerate() {
                out.extend(if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] });
            }
        }
    }
    out
}

/// The properties of an element that belong together, by whichever spelling it has.
pub(super) fn group(element: &Element, spellings: &[&[&str]]) -> Option<Vec<usize>> {
    let all = |names: &&&[&str]| names.iter().all(|name| number(element, name).is_some());
    let names = spellings.iter().find(all)?;
    names.iter().map(|name| number(element, name)).collect()
}

fn number(element: &Element, name: &str) -> Option<usize> {
    element.find(name).filter(|&property| element.properties[property].count.is_none())
}

/// Names of properties and elements that the scene has no field for.
pub(super) fn unconverted(doc: &Document) -> Vec<(usize, String)> {
    let meaning = Meaning::of(doc);
    let mut out = Vec::new();
    for (i, element) in doc.header().elements.iter().enumerate() {
        let name = String::from_utf8_lossy(&element.name).into_owned();
        let used: Vec<usize> = match i {
            _ if Some(i) == meaning.vertex => {
                let lists = |property: &usize| element.properties[*property].count.is_none();
                (0..element.properties.len()).filter(lists).collect()
            }
            _ if meaning.face.is_some_and(|lists| lists.element == i) => {
                let lists = meaning.face.into_iter().chain(meaning.corner_uv).map(|lists| lists.property);
                lists.chain(meaning.face_color.iter().flatten().copied()).collect()
            }
            _ if meaning.strips.is_some_and(|lists| lists.element == i) => {
                meaning.strips.map(|l| l.property).into_iter().collect()
            }
            _ if meaning.edge.is_some_and(|(element, _)| element == i) => {
                meaning.edge.map_or(Vec::new(), |(_, e)| e.into())
            }
            _ => {
                out.push((i, format!("element {name}")));
                continue;
            }
        };
        for (at, property) in element.properties.iter().enumerate().filter(|(at, _)| !used.contains(at)) {
            let first = element.properties[..at].iter().all(|before| before.name != property.name);
            let twice = if first { "" } else { " again" };
            out.push((i, format!("property {}.{}{twice}", name, String::from_utf8_lossy(&property.name))));
        }
    }
    out
}

/// Whether a 32-bit float holds every value of a type.
pub(super) fn is_small(scalar: Scalar) -> bool {
    !matches!(scalar, Scalar::I32 | Scalar::U32 | Scalar::F64)
}
