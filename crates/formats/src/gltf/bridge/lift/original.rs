//! Takes back what a primitive was before glTF's limits changed it, if it still is that primitive: programs that know
//! nothing of it may have moved its vertices.

use ops::{drawable, triangles};
use scene::{Component, Encoding, Indices, Primitive, Semantic, Stream, Topology};
use wire::{Blob, Order};

use super::carried::Carried;
use super::geometry::Names;
use super::{Input, accessors};
use crate::gltf::schema::Json;

const COMPONENTS: [Component; 11] = [
    Component::I8,
    Component::U8,
    Component::I16,
    Component::U16,
    Component::I32,
    Component::U32,
    Component::I64,
    Component::U64,
    Component::F16,
    Component::F32,
    Component::F64,
];

/// How far a number of glTF may be from the one it was made of: 32-bit floats have 24 bits, and unit vectors are scaled
/// with a few roundings.
const TOLERANCE: f64 = 1e-6;
/// Below this deviation from 1, lengths were left alone.
const UNIT_TOLERANCE: f64 = 1e-3;

pub(super) fn restore(
    input: &mut Input<'_, '_, '_>,
    primitive: &mut Primitive,
    original: &Json,
    names: &Names,
    carried: &mut Carried,
) {
    if let Some(streams) = original.get("attributes").and_then(Json::as_object) {
        let moves = |semantic: &Semantic| matches!(semantic, Semantic::Joints(_) | Semantic::Weights(_));
        let bends = streams.keys().any(|name| moves(&accessors::semantic(name)));
        // A program that gathered the buffers anew has left out what only extras name: then the file's own are the truth.
        let there =
            |(name, json): (&String, &Json)| !moves(&accessors::semantic(name)) || stream(input, json).is_some();
        let alike = bends && streams.iter().all(there) && {
            let was = |semantic: &Semantic| stream(input, streams.get(&semantic.to_string())?);
            let most = input.root.skins.iter().map(|skin| skin.joints.len()).min().unwrap_or(usize::MAX);
            bend_alike(&Influences::of(was), &Influences::of(|semantic| primitive.get(semantic).cloned()), most)
        };
        if alike {
            // The source has the sets that are carried, and no others.
            primitive.attributes.retain(|attribute| !moves(&attribute.semantic));
        }
        for (name, json) in streams {
            let semantic = names.get(name).cloned().unwrap_or_else(|| accessors::semantic(name));
            let fits = |original: &Stream| (alike || !moves(&semantic)) && is_source_of(original, primitive, &semantic);
            match stream(input, json).filter(fits) {
                Some(original) => primitive.set(semantic, original),
                None => carried.ignore(&format!("original.attributes.{name}")),
            }
        }
    }
    if original.get("topology").is_some() {
        match faces(input, primitive, original) {
            Some(original) => *primitive = original,
            None => carried.ignore("original.topology"),
        }
    }
}

/// Joints and weights, set by set: numbers per vertex, and both streams.
struct Influences(Vec<(usize, Vec<u32>, Vec<f64>)>);

impl Influences {
    fn of(mut get: impl FnMut(&Semantic) -> Option<Stream>) -> Influences {
        let mut set = |n: u8| {
            let (joints, weights) = (get(&Semantic::Joints(n))?, get(&Semantic::Weights(n))?);
            (joints.count() == weights.count()).then(|| (joints.count(), joints.to_u32(), weights.to_f64()))
        };
        Influences((0..=u8::MAX).filter_map(&mut set).collect())
    }

    fn vertices(&self) -> usize {
        self.0.iter().map(|(width, joints, _)| joints.len() / width.max(&1)).max().unwrap_or(0)
    }

    /// The joints below a number that pull at a vertex, and how much.
    fn at(&self, vertex: usize, most: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let rows = self.0.iter().flat_map(move |(width, joints, weights)| {
            (vertex * width..(vertex + 1) * width).filter_map(|i| Some((*joints.get(i)?, *weights.get(i)?)))
        });
        rows.filter(move |(joint, weight)| *weight > 0. && (*joint as usize) < most)
    }
}

/// Whether every vertex hangs on the same joints by the same shares. Those of joints that are not there were left out,
/// and vertices without any were bound to something.
fn bend_alike(was: &Influences, is: &Influences, most: usize) -> bool {
    /// What rescaling leaves.
    const SHARE: f64 = 1e-4;
    let share = |of: &Influences, vertex: usize, joint: u32| {
        let (mut own, mut all) = (0., 0.);
        for (other, weight) in of.at(vertex, most) {
            own += if other == joint { weight } else { 0. };
            all += weight;
        }
        own / all
    };
    // Sets without their pair pull at nothing.
    was.0.is_empty()
        || was.vertices() == is.vertices()
            && (0..was.vertices()).filter(|&vertex| was.at(vertex, most).next().is_some()).all(|vertex| {
                let mut joints = was.at(vertex, most).chain(is.at(vertex, most)).map(|(joint, _)| joint);
                joints.all(|joint| (share(was, vertex, joint) - share(is, vertex, joint)).abs() <= SHARE)
            })
}

/// A carried stream, if all of it is there.
pub(super) fn stream(input: &Input<'_, '_, '_>, json: &Json) -> Option<Stream> {
    let number = |key: &str| usize::try_from(json.get(key)?.as_u64()?).ok();
    let flag = |key: &str| json.get(key).and_then(Json::as_bool).unwrap_or(false);
    let word = json.get("component")?.as_str()?;
    let component = COMPONENTS.into_iter().find(|component| component.name() == word)?;
    let count = u8::try_from(number("count")?).ok().filter(|&count| count > 0)?;
    let order = match json.get("order")?.as_str()? {
        "little" => Order::Little,
        "big" => Order::Big,
        _ => return None,
    };
    let packed = Encoding::packed(component, count);
    let encoding = Encoding { order, normalised: flag("normalised"), flip_v: flag("flip_v"), ..packed };
    let elements = number("elements")?;
    let bytes = match elements {
        0 => Blob::default(),
        _ => input.data.view(number("bufferView")?).ok()?.bytes,
    };
    (elements.checked_mul(packed.stride)? == bytes.len()).then(|| Stream::new(bytes, elements, encoding))
}

/// Whether what glTF shows was made of this stream.
fn is_source_of(original: &Stream, primitive: &Primitive, semantic: &Semantic) -> bool {
    // Making weights sum to 1 moves them about; they were compared before.
    if matches!(semantic, Semantic::Joints(_) | Semantic::Weights(_)) {
        return original.len() == primitive.vertex_count();
    }
    let Some(shown) = primitive.get(semantic).filter(|shown| shown.len() == original.len()) else { return false };
    let (was, is) = (original.to_f64(), shown.to_f64());
    let rows = was.chunks(original.count()).zip(is.chunks(shown.count()));
    let unit = matches!(semantic, Semantic::Normal | Semantic::Tangent);
    let color = matches!(semantic, Semantic::Color(_));
    // What is no number was made zero before anything else.
    let wild = |v: f64| v.is_nan() || v.abs() > f32::MAX.into();
    rows.into_iter().all(|(was, is)| {
        let length = was.iter().take(3).filter(|v| !wild(**v)).map(|v| v * v).sum::<f64>().sqrt();
        let scaled = unit && (length - 1.).abs() > UNIT_TOLERANCE;
        if scaled && !(length.is_finite() && length > 0.) {
            return true;
        }
        was.iter().zip(is).enumerate().all(|(k, (&was, &is))| {
            let was = if scaled && k < 3 { was / length } else { was };
            let was = if color { was.clamp(0., 1.) } else { was };
            wild(was) || (was - is).abs() <= TOLERANCE * was.abs().max(1.)
        })
    })
}

/// A primitive with carried faces; its polygons have as many corners as are drawn.
pub(super) fn with_faces(input: &Input<'_, '_, '_>, shown: Primitive, original: &Json) -> Option<Primitive> {
    let word = original.get("topology")?.as_str()?;
    let topology = Topology::ALL.into_iter().find(|topology| topology.name() == word)?;
    let whole = |key: &str| match original.get(key) {
        None => Some(None),
        Some(json) => stream(input, json).filter(|stream| stream.count() == 1).map(Some),
    };
    let indices = whole("indices")?.map(Indices);
    let corners = whole("corners")?.map(|corners| corners.to_u32()).unwrap_or_default();
    let primitive = Primitive { topology, indices, corners, ..shown };
    let corner_count = primitive.corners.iter().map(|&n| u64::from(n)).sum::<u64>();
    let drawn = if topology == Topology::Polygons { primitive.draw_count() as u64 } else { 0 };
    (corner_count == drawn).then_some(primitive)
}

/// The primitive with the faces it had, if cutting them gives what glTF shows.
fn faces(input: &Input<'_, '_, '_>, shown: &Primitive, original: &Json) -> Option<Primitive> {
    let mut primitive = with_faces(input, shown.clone(), original)?;
    let topology = primitive.topology;
    if topology == Topology::Polygons && primitive.corners.iter().all(|&n| n == 0) {
        return None;
    }
    let order = |p: &Primitive| match &p.indices {
        Some(indices) => indices.to_vec(),
        None => (0..p.vertex_count() as u32).collect(),
    };
    let same = match drawable(&primitive) {
        // What names vertices that do not exist was left out.
        Some(sound) => (sound.topology, sound.indices) == (shown.topology, order(shown)),
        None if shown.topology == Topology::Triangles && topology.is_surface() => {
            triangles(&primitive) == triangles(shown)
        }
        None => shown.topology == topology && order(&primitive).starts_with(&order(shown)),
    };
    primitive.original = None;
    same.then_some(primitive)
}
