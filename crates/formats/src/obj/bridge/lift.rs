//! Document → scene.

use std::borrow::Cow;
use std::collections::HashMap;

use findings::{Place, Result, Subject};
use scene::loss::*;
use scene::{Encoding, Mesh, Name, Node, Origin, Primitive, Scene, Semantic, Stream, Topology, Value};

use super::DEFAULT;
use super::keys::{GROUPS, SMOOTHING};
use crate::LiftCx;
use crate::obj::Dialect;
use crate::obj::chunk::smoothing_group;
use crate::obj::layout::{ABSENT, BAD, Corner, Document, Elements, Kind, Model};
use crate::obj::lex::{plain, words};
use crate::obj::mtl::Materials;
use crate::obj::rules::*;

/// Which elements make which mesh; names and elements stay in the document.
pub(in crate::obj) struct Plan {
    pub(in crate::obj) objects: Vec<Object>,
}

/// A node and its mesh.
#[derive(Default)]
pub(in crate::obj) struct Object {
    pub(in crate::obj) name: Vec<u8>,
    unnamed: bool,
    /// The groups it stands for, if it was not made by `o`.
    groups: Option<usize>,
    pub(in crate::obj) parts: Vec<Part>,
    /// The last part of each kind.
    open: [Option<usize>; 3],
}

/// A primitive.
pub(in crate::obj) struct Part {
    draws: Draws,
    /// The run of the `usemtl` that opened it.
    material: Option<usize>,
    pub(in crate::obj) stretches: Vec<Stretch>,
}

/// Elements of a part that follow each other, and what was in force there.
pub(in crate::obj) struct Stretch {
    pub(in crate::obj) elements: Elements,
    groups: Option<usize>,
    smoothing: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Draws {
    Faces,
    Lines,
    Points,
    /// Every vertex of the file, which has no elements.
    Cloud,
}

impl Plan {
    pub(in crate::obj) fn of(doc: &Document) -> Plan {
        let runs = &doc.model().runs;
        let has = |kind: Kind| runs.iter().any(|run| run.kind == kind);
        let by_groups = has(Kind::G) && !has(Kind::O);
        let mut plan = Plan { objects: Vec::new() };
        let mut by_name: HashMap<Cow<'_, [u8]>, usize> = HashMap::new();
        let (mut object, mut material, mut groups, mut smoothing) = (None, None, None, None);
        let mut elements = doc.model().element_runs();
        for (i, run) in runs.iter().enumerate() {
            match run.kind {
                Kind::O => object = Some(plan.add(doc.name(i), None)),
                // Without a name it ends the groups.
                Kind::G => groups = (!doc.argument(i).is_empty()).then_some(i),
                Kind::S => smoothing = Some(i),
                Kind::Usemtl => material = Some(i),
                kind if kind.is_element() => {
                    let Some((_, _, elements)) = elements.next() else { break };
                    let stretch = Stretch { elements, groups, smoothing };
                    let into = if by_groups {
                        let name = groups.map(|run| joined(group_names(doc, run))).unwrap_or_default();
                        match by_name.get(&name) {
                            Some(known) => *known,
                            None => {
                                let new = plan.add(name.to_vec(), groups);
                                by_name.insert(name, new);
                                new
                            }
                        }
                    } else {
                        *object.get_or_insert_with(|| plan.add(Vec::new(), None))
                    };
                    plan.objects[into].append(kind, material, stretch);
                }
                _ => {}
            }
        }
        if doc.model().sizes.is_empty() && !doc.model().positions.is_empty() {
            let first = if plan.objects.is_empty() { plan.add(Vec::new(), None) } else { 0 };
            plan.objects[first].parts.push(Part { draws: Draws::Cloud, material: None, stretches: Vec::new() });
        }
        plan
    }

    /// Whether an object has the name of those without one, and none says that name itself.
    fn made_up(&self) -> bool {
        let mut of_that_name = self.objects.iter().filter(|object| object.name == DEFAULT.as_bytes()).peekable();
        of_that_name.peek().is_some() && of_that_name.all(|object| object.unnamed)
    }

    fn add(&mut self, name: Vec<u8>, groups: Option<usize>) -> usize {
        let unnamed = name.is_empty();
        let name = if unnamed { DEFAULT.into() } else { name };
        self.objects.push(Object { name, unnamed, groups, ..Object::default() });
        self.objects.len() - 1
    }
}

impl Object {
    fn append(&mut self, kind: Kind, material: Option<usize>, stretch: Stretch) {
        let draws = match kind {
            Kind::L => Draws::Lines,
            Kind::P => Draws::Points,
            _ => Draws::Faces,
        };
        let open = &mut self.open[draws as usize];
        match open.and_then(|i| self.parts.get_mut(i)).filter(|part| part.material == material) {
            Some(part) => part.stretches.push(stretch),
            None => {
                *open = Some(self.parts.len());
                // Most objects are of one part, and there may be as many objects as lines.
                self.parts.reserve_exact(usize::from(self.parts.is_empty()));
                self.parts.push(Part { draws, material, stretches: vec![stretch] });
            }
        }
    }
}

/// Names as one, with a blank between them.
fn joined(mut names: Vec<&[u8]>) -> Cow<'_, [u8]> {
    match names.len() {
        1 => Cow::Borrowed(names.remove(0)),
        _ => Cow::Owned(names.join(&b' ')),
    }
}

/// The names of a `g`.
fn group_names(doc: &Document, run: usize) -> Vec<&[u8]> {
    words(&doc.source()[doc.argument(run)]).collect()
}

fn group_value(doc: &Document, run: usize) -> Value {
    Value::List(group_names(doc, run).into_iter().map(|name| Value::Text(name.into())).collect())
}

pub(in crate::obj) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = crate::obj::SPACE;
    scene.origin = Some(Origin { format: "obj".into(), dialect: Dialect::Standard.id().into() });
    lose_statements(doc, cx);
    let mut materials = Materials::load(doc, &mut scene, cx);
    let mut weld = Weld::new(doc.model().counts()[0]);
    let plan = Plan::of(doc);
    scene.made_up_name = plan.made_up().then(|| DEFAULT.into());
    for object in plan.objects {
        let name = Name::from(&object.name[..]);
        let mut node = Node { name: name.clone(), ..Node::default() };
        if let Some(run) = object.groups {
            GROUPS.set(&mut node.extras, group_value(doc, run));
        }
        let mut mesh = Mesh { name, ..Mesh::default() };
        let label = mesh.subject(scene.meshes.len());
        for part in &object.parts {
            let Some(mut primitive) = lift_part(doc, part, object.groups.is_some(), &mut weld, &label, cx) else {
                continue;
            };
            primitive.material = part.material.map(|run| materials.find(doc, run, &mut scene));
            mesh.primitives.push(primitive);
        }
        if !object.parts.is_empty() {
            node.mesh = Some(scene.meshes.add(mesh));
        }
        scene.add_root(node);
    }
    lose_numbers(doc.model(), &weld, cx);
    Ok(scene)
}

/// Lists the statements that the scene has no field for.
fn lose_statements(doc: &Document, cx: &mut LiftCx<'_>) {
    let mut counts: Vec<(&[u8], u64)> = Vec::new();
    let mut known = HashMap::new();
    for (i, run) in doc.model().runs.iter().enumerate().filter(|(_, run)| run.kind.has_keywords()) {
        let Some(line) = doc.lines(i).next() else { continue };
        let at = *known.entry(line.keyword).or_insert_with(|| {
            counts.push((line.keyword, 0));
            counts.len() - 1
        });
        counts[at].1 += u64::from(run.lines);
    }
    // A file of nothing but unknown words would make a list as long as itself.
    let rest: u64 = counts.iter().skip(findings::MAX_PER_RULE).map(|(_, count)| count).sum();
    counts.truncate(findings::MAX_PER_RULE);
    for (keyword, count) in counts {
        let what = format!("{} statements", plain(keyword));
        cx.lose(&LOSS_026, "file", count, &what, "the scene has no field for them");
    }
    if rest > 0 {
        cx.lose(&LOSS_026, "file", rest, "further statements", "the scene has no field for them");
    }
}

/// Lists vertices without an element and third texture coordinates.
fn lose_numbers(model: &Model, weld: &Weld, cx: &mut LiftCx<'_>) {
    let loose = weld.drawn.iter().filter(|drawn| !**drawn).count();
    // Vertices of a file without elements are points.
    if loose > 0 && !model.sizes.is_empty() {
        cx.lose(&LOSS_064, "file", loose as u64, "vertices that are not drawn", "no element of the scene has them");
    }
    if model.with_depth > 0 {
        let why = "texture coordinates of the scene are two";
        cx.lose(&LOSS_017, "file", model.with_depth as u64, "third texture coordinates", why);
    }
}

fn lift_part(
    doc: &Document,
    part: &Part,
    by_groups: bool,
    weld: &mut Weld,
    label: &Subject,
    cx: &mut LiftCx<'_>,
) -> Option<Primitive> {
    let model = doc.model();
    if part.draws == Draws::Cloud {
        let count = u32::try_from(model.counts()[0]).unwrap_or(u32::MAX);
        let vertices: Vec<Corner> = (0..count).map(|v| Corner { v, vt: ABSENT, vn: ABSENT }).collect();
        return Some(with_streams(Primitive::new(Topology::Points), model, &vertices, label, cx));
    }
    let fewest = match part.draws {
        Draws::Faces => 3,
        Draws::Lines => 2,
        _ => 1,
    };
    let (mut indices, mut corners) = (Vec::<u32>::new(), Vec::<u32>::new());
    let (mut groups, mut smoothing) = (Changes::default(), Changes::default());
    let (mut left_out, mut drawn) = (0, 0);
    for stretch in &part.stretches {
        if !by_groups {
            groups.note(drawn, stretch.groups);
        }
        smoothing.note(drawn, stretch.smoothing);
        for (_, element) in model.elements(&stretch.elements) {
            if element.len() < fewest || element.iter().any(|corner| corner.v >= BAD) {
                left_out += 1;
                continue;
            }
            indices.extend(element.iter().map(|corner| weld.vertex(corner)));
            corners.push(element.len() as u32);
            drawn += match part.draws {
                Draws::Faces => 1,
                Draws::Lines => element.len() - 1,
                Draws::Points | Draws::Cloud => element.len(),
            };
        }
    }
    let vertices = weld.finish();
    if left_out > 0 {
        let message = format!("{left_out} elements of {label} are left out: corners or their vertices are missing");
        cx.find(&OBJ_010, Place::path(label.to_string()), message);
        cx.lose(&LOSS_033, label, left_out, "faces, lines or points left out", "their corners name no vertex");
    }
    if vertices.is_empty() {
        return None;
    }
    let (topology, indices, corners) = connect(part.draws, indices, corners);
    let mut primitive = with_streams(Primitive::new(topology), model, &vertices, label, cx);
    primitive.indices = Some(indices.into());
    primitive.corners = corners;
    let names = |run: Option<usize>| run.map_or(Value::List(Vec::new()), |run| group_value(doc, run));
    if let Some(value) = groups.value("names", names) {
        GROUPS.set(&mut primitive.extras, value);
    }
    let number = |run: usize| smoothing_group(&doc.source()[doc.argument(run)]).unwrap_or(0);
    if let Some(value) = smoothing.value("group", |run| Value::Int(run.map_or(0, number).into())) {
        SMOOTHING.set(&mut primitive.extras, value);
    }
    Some(primitive)
}

/// How the vertices are connected: the simplest way that says it.
fn connect(draws: Draws, indices: Vec<u32>, corners: Vec<u32>) -> (Topology, Vec<u32>, Vec<u32>) {
    match draws {
        Draws::Faces if corners.iter().all(|&n| n == 3) => (Topology::Triangles, indices, Vec::new()),
        Draws::Faces if corners.iter().all(|&n| n == 4) => (Topology::Quads, indices, Vec::new()),
        Draws::Faces => (Topology::Polygons, indices, corners),
        Draws::Lines if corners.len() == 1 => (Topology::LineStrip, indices, Vec::new()),
        Draws::Lines => {
            let mut rest = &indices[..];
            let mut pairs = Vec::with_capacity(indices.len() * 2);
            for &n in &corners {
                let (line, behind) = rest.split_at(n as usize);
                pairs.extend(line.windows(2).flatten());
                rest = behind;
            }
            (Topology::Lines, pairs, Vec::new())
        }
        Draws::Points | Draws::Cloud => (Topology::Points, indices, Vec::new()),
    }
}

/// What is in force from which face, stretch of a line or point on.
#[derive(Default)]
struct Changes(Vec<(usize, Option<usize>)>);

impl Changes {
    fn note(&mut self, element: usize, run: Option<usize>) {
        match self.0.last_mut() {
            Some((_, last)) if *last == run => {}
            // Nothing was drawn since.
            Some((first, last)) if *first == element => *last = run,
            _ => self.0.push((element, run)),
        }
    }

    /// The list that travels along; nothing is said about what comes before the first.
    fn value(&self, key: &str, value: impl Fn(Option<usize>) -> Value) -> Option<Value> {
        let change = |&(element, run): &(usize, Option<usize>)| {
            Value::Map(vec![("from".to_owned(), Value::Int(element as i64)), (key.to_owned(), value(run))])
        };
        let said = self.0.iter().skip_while(|(_, run)| run.is_none());
        let list: Vec<Value> = said.map(change).collect();
        (!list.is_empty()).then_some(Value::List(list))
    }
}

fn with_streams(
    primitive: Primitive,
    model: &Model,
    vertices: &[Corner],
    label: &Subject,
    cx: &mut LiftCx<'_>,
) -> Primitive {
    fn pick<const N: usize>(values: &[f32], rows: impl ExactSizeIterator<Item = u32>) -> Vec<f32> {
        let (rows_of, _) = values.as_chunks::<N>();
        let mut out = Vec::with_capacity(rows.len() * N);
        rows.for_each(|row| out.extend_from_slice(rows_of.get(row as usize).unwrap_or(&[0.; N])));
        out
    }
    let positions = pick::<3>(&model.positions, vertices.iter().map(|vertex| vertex.v));
    let mut primitive = primitive.with(Semantic::Position, Stream::from_f32(3, positions));
    let mut lacking = |what: &str, index: fn(&Corner) -> u32| {
        let missing = vertices.iter().filter(|vertex| index(vertex) == ABSENT).count();
        if (1..vertices.len()).contains(&missing) {
            let what = format!("missing {what} set to zero");
            cx.lose(&LOSS_018, label, missing as u64, &what, "a primitive has them for all vertices or for none");
        }
        missing < vertices.len()
    };
    if lacking("texture coordinates", |vertex| vertex.vt) {
        let texcoords = pick::<2>(&model.texcoords, vertices.iter().map(|vertex| vertex.vt));
        primitive = primitive.with(Semantic::TexCoord(0), Stream::from_f32(2, texcoords).flipped());
    }
    if lacking("normals", |vertex| vertex.vn) {
        let normals = pick::<3>(&model.normals, vertices.iter().map(|vertex| vertex.vn));
        primitive = primitive.with(Semantic::Normal, Stream::from_f32(3, normals));
    }
    if model.colored > 0 {
        let colors = Stream::from_f32(4, pick::<4>(&model.colors, vertices.iter().map(|vertex| vertex.v)));
        let colors = if model.with_alpha > 0 {
            colors
        } else {
            Stream::new(colors.data().clone(), colors.len(), Encoding { count: 3, ..*colors.encoding() })
        };
        primitive = primitive.with(Semantic::Color(0), colors);
    }
    primitive
}

/// Makes one vertex of corners with the same v, vt and vn, numbered in the order they are first met.
///
/// Vertices of one v are a chain that begins at `first`; most are one or two long. A chain that grows long, which only
/// a contrived file has, goes on in a hash table.
struct Weld {
    first: Vec<u32>,
    /// Which v belong to a primitive.
    drawn: Vec<bool>,
    vertices: Vec<Corner>,
    next: Vec<u32>,
    crowded: HashMap<Corner, u32>,
}

/// Longest chain.
const CHAIN: usize = 16;

/// The end of a chain.
const END: u32 = u32::MAX;

impl Weld {
    fn new(positions: usize) -> Weld {
        let (first, drawn) = (vec![END; positions], vec![false; positions]);
        Weld { first, drawn, vertices: Vec::new(), next: Vec::new(), crowded: HashMap::new() }
    }

    fn vertex(&mut self, corner: &Corner) -> u32 {
        let present = |index: u32| if index < BAD { index } else { ABSENT };
        let corner = Corner { v: corner.v, vt: present(corner.vt), vn: present(corner.vn) };
        let new = self.vertices.len() as u32;
        let Some(first) = self.first.get_mut(corner.v as usize) else { return 0 };
        let (mut at, mut last, mut length) = (*first, END, 0);
        while at != END {
            if self.vertices[at as usize] == corner {
                return at;
            }
            (last, at) = (at, self.next[at as usize]);
            length += 1;
        }
        if length == CHAIN {
            let known = *self.crowded.entry(corner).or_insert(new);
            if known != new {
                return known;
            }
        } else if last == END {
            *first = new;
        } else {
            self.next[last as usize] = new;
        }
        self.vertices.push(corner);
        self.next.push(END);
        new
    }

    /// The vertices so far; the next ones belong to another primitive.
    fn finish(&mut self) -> Vec<Corner> {
        for vertex in &self.vertices {
            self.first[vertex.v as usize] = END;
            self.drawn[vertex.v as usize] = true;
        }
        self.next.clear();
        self.crowded.clear();
        std::mem::take(&mut self.vertices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weld_numbers_by_first_use_however_crowded() {
        let mut weld = Weld::new(2);
        let corners: Vec<Corner> = (0..100).map(|i| Corner { v: 0, vt: i * 7 % 50, vn: ABSENT }).collect();
        let numbers: Vec<u32> = corners.iter().map(|corner| weld.vertex(corner)).collect();
        let vertices = weld.finish();
        assert_eq!(vertices.len(), 50);
        assert_eq!(numbers[..50], (0..50).collect::<Vec<u32>>());
        assert!(numbers.iter().zip(&corners).all(|(&n, corner)| vertices[n as usize] == *corner));
        assert_eq!(weld.vertex(&Corner { v: 0, vt: 7, vn: BAD }), 0);
    }
}
