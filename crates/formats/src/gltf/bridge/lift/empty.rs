//! Takes back parts of meshes that draw nothing, and meshes that have no others.

use scene::{Attribute, Id, Material, Mesh, Primitive, Topology};

use super::carried::{Carried, text};
use super::{Input, accessors, morphs, original};
use crate::gltf::carry::KEY;
use crate::gltf::schema::{Json, Map};

/// The key of a node that says which mesh it shows, if glTF has none of it.
const WORD: &str = "empty_mesh";

/// Gives a mesh the parts that it carries, each to its place among the others.
pub(super) fn put_back(input: &mut Input<'_, '_, '_>, mesh: &mut Mesh, carried: &mut Carried, path: &str) {
    let parts = carried.taken("empty_parts", |json| {
        let part = |json: &Json| Some((position(json)?, lift_part(input, json)?, input.carried(json.get("extras"))));
        json.as_array()?.iter().map(part).collect::<Option<Vec<_>>>()
    });
    let targets = mesh.primitives.iter().map(|part| part.targets.len()).max();
    for (i, (at, mut part, extras)) in parts.into_iter().flatten().enumerate() {
        part.targets.resize(targets.unwrap_or(part.targets.len()), Default::default());
        part.extras = extras.finish(input, &format!("{path}.extras.pentad.empty_parts[{i}]"), &Map::new(), &[]);
        mesh.primitives.insert(at.min(mesh.primitives.len()), part);
    }
}

fn position(json: &Json) -> Option<usize> {
    usize::try_from(json.get("at")?.as_u64()?).ok()
}

fn material(input: &Input<'_, '_, '_>, json: &Json) -> Option<Id<Material>> {
    let number = input.kept_number(json.get("material")?)?;
    input.materials.get(number).copied().flatten()
}

/// A part whose streams are all as long as the first.
fn lift_part(input: &Input<'_, '_, '_>, json: &Json) -> Option<Primitive> {
    let mut part = Primitive::new(Topology::Points);
    part.attributes = streams(input, json.get("attributes"))?;
    let targets = json.get("targets").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    for target in targets {
        part.targets.push(scene::MorphTarget { attributes: streams(input, Some(target))? });
    }
    let count = part.vertex_count();
    let mut all = part.attributes.iter().chain(part.targets.iter().flat_map(|target| &target.attributes));
    if all.any(|attribute| attribute.stream.len() != count) {
        return None;
    }
    part.material = material(input, json);
    original::with_faces(input, part, json)
}

fn streams(input: &Input<'_, '_, '_>, json: Option<&Json>) -> Option<Vec<Attribute>> {
    let Some(json) = json else { return Some(Vec::new()) };
    let each = |(name, json): (&String, &Json)| {
        Some(Attribute { semantic: accessors::semantic(name), stream: original::stream(input, json)? })
    };
    json.as_object()?.iter().map(each).collect()
}

/// Meshes that only nodes speak of, by their positions among those of the source.
#[derive(Default)]
pub(super) struct Waiting(Vec<(usize, Json)>);

impl Waiting {
    pub(super) fn new(input: &Input<'_, '_, '_>) -> Waiting {
        let bare = input.root.nodes.iter().filter(|node| node.mesh.is_none() && node.extras.is_some());
        let notes = bare.filter_map(|node| input.carried(node.extras.as_ref()).take(WORD));
        let mut all: Vec<_> = notes.map(|note| (position(&note).unwrap_or(usize::MAX), of_mesh(note))).collect();
        all.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        Waiting(all)
    }

    /// Adds to the scene what comes before its next mesh.
    pub(super) fn add_next(&mut self, input: &mut Input<'_, '_, '_>) {
        let next = input.scene.meshes.len();
        self.add_below(input, next);
    }

    /// Adds to the scene what is left.
    pub(super) fn add_rest(mut self, input: &mut Input<'_, '_, '_>) {
        self.add_below(input, usize::MAX);
    }

    fn add_below(&mut self, input: &mut Input<'_, '_, '_>, most: usize) {
        while let Some((_, note)) = self.0.pop_if(|(at, _)| *at <= most) {
            let key = note.to_string();
            if !input.empty_meshes.contains_key(&key)
                && let Some(mesh) = lift_mesh(input, &note)
            {
                let mesh = input.scene.meshes.add(mesh);
                input.empty_meshes.insert(key, mesh);
            }
        }
    }
}

/// What nodes that show the same mesh say alike.
fn of_mesh(mut note: Json) -> Json {
    note.as_object_mut().map(|all| all.shift_remove("material"));
    note
}

fn lift_mesh(input: &mut Input<'_, '_, '_>, note: &Json) -> Option<Mesh> {
    let mut carried = input.carried(note.get("extras"));
    let mut mesh = Mesh { name: text(note.get("name")?)?, ..Mesh::default() };
    let path = format!("nodes.extras.{KEY}.{WORD}");
    put_back(input, &mut mesh, &mut carried, &path);
    mesh.properties = carried.properties();
    carried.settle(&mut mesh.properties, input.meant());
    mesh.morphs = morphs::ranges(input, &mesh, &[], &mut carried, &path);
    mesh.extras = carried.finish(input, &path, &Map::new(), &[]);
    Some(mesh)
}

/// The mesh that a node shows although glTF has nothing of it, and the material that the node gives it.
pub(super) fn of_node(
    input: &Input<'_, '_, '_>,
    carried: &mut Carried,
    bare: bool,
) -> Option<(Id<Mesh>, Option<Id<Material>>)> {
    carried.taken(WORD, |note| {
        let note = Some(note).filter(|_| bare)?;
        let mesh = input.empty_meshes.get(&of_mesh(note.clone()).to_string())?;
        Some((*mesh, material(input, note)))
    })
}
