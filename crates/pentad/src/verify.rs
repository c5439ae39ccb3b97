use std::collections::{BTreeMap, HashMap, HashSet};

use findings::{Losses, Result};
use formats::Info;
use glam::{DMat3, DMat4, DVec3};
use scene::fit::fit;
use scene::sample::Pose;
use scene::{
    Animation, Capabilities, Count, Hold, Id, ImageSource, Material, Node, NodeRole, Primitive, Role, Scene, Semantic,
    Topology,
};
use serde::Serialize;

use crate::{Asset, ConvertOptions};

/// How far a file that was written may be from what was to be written, as a share of the bounding box's diagonal.
pub const TOLERANCE: f64 = 1e-5;

/// Times at which an animation is looked at.
const SAMPLES: usize = 30;

/// How exact a moment is, as a share of it: frames are counted in 32-bit floats.
const TIME_ROUNDING: f32 = 1e-6;

/// How a file that was written compares with the scene it was made of, after all that the losses say. Errors of places
/// are shares of the bounding box's diagonal, the others are in the numbers' own measure.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[must_use]
pub struct Verified {
    /// Whether no error is beyond the tolerance and nothing is missing, but for what the losses explain.
    pub holds: bool,
    /// The tolerance.
    pub tolerance: f64,
    /// The diagonal of the bounding box, in metres.
    pub diagonal: f64,
    /// Triangles, lines and points that were compared.
    pub elements: u64,
    /// Elements that should be there and are not.
    pub missing_elements: u64,
    /// Elements that are there and should not be.
    pub extra_elements: u64,
    /// The largest distance of a vertex at rest from where it should be.
    pub max_position_error: f64,
    /// The largest distance of a vertex from where skins, morph targets and movements should have it.
    pub max_animated_error: f64,
    /// Times at which animations were looked at.
    pub samples: u64,
    /// The largest difference of a normal's coordinate.
    pub max_normal_error: f64,
    /// The largest difference of a texture coordinate.
    pub max_uv_error: f64,
    /// The largest difference of a vertex colour.
    pub max_color_error: f64,
    /// The largest difference of a material's factor on a face that shows it.
    pub max_material_error: f64,
    /// Names of nodes that should be there, at the same place, and are not.
    pub missing_nodes: u64,
    /// Lights that should be there, at the same place, and are not.
    pub missing_lights: u64,
    /// Animations that should be there and are not.
    pub missing_animations: u64,
    /// Which of these are explained by losses, by key.
    pub explained: Vec<&'static str>,
}

/// Losses that explain why a measure is off, by the key of the measure.
const EXPLAINED_BY: &[(&str, &[&str])] = &[
    ("missing_elements", &["LOSS-029"]),
    ("max_position_error", &["LOSS-031", "LOSS-044", "LOSS-062"]),
    ("max_animated_error", &["LOSS-031", "LOSS-044", "LOSS-054", "LOSS-062"]),
    ("max_normal_error", &["LOSS-022", "LOSS-044", "LOSS-081"]),
    ("max_uv_error", &["LOSS-046"]),
    ("max_material_error", &["LOSS-006", "LOSS-007", "LOSS-032", "LOSS-041"]),
    ("missing_nodes", &["LOSS-008", "LOSS-014", "LOSS-042"]),
    ("missing_lights", &["LOSS-004", "LOSS-023"]),
    ("missing_animations", &["LOSS-001", "LOSS-054", "LOSS-060"]),
];

impl Verified {
    /// Every measure that has a bound: its key, its value, and the bound.
    pub fn rows(&self) -> [(&'static str, f64, f64); 11] {
        let count = |count: u64| count as f64;
        [
            ("max_position_error", self.max_position_error, self.tolerance),
            ("max_animated_error", self.max_animated_error, self.tolerance),
            ("max_normal_error", self.max_normal_error, self.tolerance),
            ("max_uv_error", self.max_uv_error, self.tolerance),
            ("max_color_error", self.max_color_error, self.tolerance),
            ("max_material_error", self.max_material_error, self.tolerance),
            ("missing_elements", count(self.missing_elements), 0.),
            ("extra_elements", count(self.extra_elements), 0.),
            ("missing_nodes", count(self.missing_nodes), 0.),
            ("missing_lights", count(self.missing_lights), 0.),
            ("missing_animations", count(self.missing_animations), 0.),
        ]
    }

    /// Measures how the places of another reference are met at rest.
    fn add_rest(&mut self, expected: &Scene, found: &Scene) {
        let (was, is) = (Shown::of(expected), Shown::of(found));
        let (was_rest, is_rest) = (was.places(&Pose::rest(expected)), is.places(&Pose::rest(found)));
        let within = self.tolerance * self.diagonal;
        let pairs = pair((&was_rest, &was.kinds()), (&is_rest, &is.kinds()), within);
        let error = farthest(&pairs, &was_rest, &is_rest) / self.diagonal;
        self.max_position_error = self.max_position_error.max(finite(error));
        self.missing_elements = self.missing_elements.max((was_rest.len() - pairs.len()) as u64);
        self.extra_elements = self.extra_elements.max((is_rest.len() - pairs.len()) as u64);
    }

    fn judge(mut self, losses: &Losses) -> Verified {
        let lost = |code: &str| losses.iter().any(|loss| loss.code == code);
        let off = self.rows().into_iter().filter(|(_, value, bound)| value > bound).map(|(key, ..)| key);
        let explains = |key: &&str| EXPLAINED_BY.iter().any(|(own, by)| own == key && by.iter().any(|code| lost(code)));
        let (explained, rest): (Vec<_>, Vec<_>) = off.partition(explains);
        (self.holds, self.explained) = (rest.is_empty(), explained);
        self
    }
}

/// Compares a file that [`crate::convert()`] made with what it was made of. `losses` are those of the conversion.
///
/// # Errors
/// If either has no scene.
pub fn verify(
    source: &Asset,
    options: &ConvertOptions,
    losses: &Losses,
    written: &Asset,
    tolerance: f64,
) -> Result<Verified> {
    let info = options.to.info();
    // What the target holds of the source, and what it holds of itself: both have passed the same limits.
    let fitted = |scene: &Scene| fit(scene, &info.capabilities, info.id, info.name, &mut Losses::default());
    let mut expected = source.scene()?;
    options.corrections.apply(&mut expected);
    let found = fitted(&written.scene_of_others()?);
    let mut measured = compare(&fitted(&expected), &found, tolerance);
    measured.add_rest(&posed(&expected, info), &found);
    Ok(measured.judge(losses))
}

/// The source in the limits of the target, but for what was multiplied into vertices there: here it is what it was, and
/// is looked at in its pose. Both ways must show the same.
fn posed(expected: &Scene, info: &Info) -> Scene {
    let can = Capabilities {
        transforms: Hold::Yes,
        skins: Hold::Yes,
        morph_targets: Hold::Yes,
        joint_sets: Count::up_to(u8::MAX),
        ..info.capabilities
    };
    fit(expected, &can, info.id, info.name, &mut Losses::default())
}

/// Measures how far one scene is from another.
fn compare(expected: &Scene, found: &Scene, tolerance: f64) -> Verified {
    let (was, is) = (Shown::of(expected), Shown::of(found));
    let (was_rest, is_rest) = (was.places(&Pose::rest(expected)), is.places(&Pose::rest(found)));
    let diagonal = diagonal(&was_rest);
    let pairs = pair((&was_rest, &was.kinds()), (&is_rest, &is.kinds()), tolerance * diagonal);
    let farthest = |was: &[Places], is: &[Places]| farthest(&pairs, was, is) / diagonal;
    let mut verified = Verified {
        holds: false,
        tolerance,
        diagonal,
        elements: was_rest.len() as u64,
        missing_elements: (was_rest.len() - pairs.len()) as u64,
        extra_elements: (is_rest.len() - pairs.len()) as u64,
        max_position_error: finite(farthest(&was_rest, &is_rest)),
        max_animated_error: 0.,
        samples: 0,
        max_normal_error: 0.,
        max_uv_error: 0.,
        max_color_error: 0.,
        max_material_error: materials(&was, &is, &pairs),
        missing_nodes: missing(&nodes(expected), &nodes(found), tolerance * diagonal),
        missing_lights: missing(&lights(expected), &lights(found), tolerance * diagonal),
        missing_animations: 0,
        explained: Vec::new(),
    };
    let attribute = |semantic: &Semantic| attribute_error(&was, &is, &pairs, semantic);
    verified.max_normal_error = attribute(&Semantic::Normal);
    for semantic in was.semantics() {
        match semantic {
            Semantic::TexCoord(_) => verified.max_uv_error = verified.max_uv_error.max(attribute(&semantic)),
            Semantic::Color(_) => verified.max_color_error = verified.max_color_error.max(attribute(&semantic)),
            _ => {}
        }
    }
    let (moving, moved) = (movements(expected), movements(found));
    for (name, movement) in &moving {
        let Some(other) = moved.get(name) else {
            verified.missing_animations += 1;
            continue;
        };
        for time in times(movement, other) {
            let is = is.places(&Pose::at(found, other, time));
            let error = |time: f32| farthest(&was.places(&Pose::at(expected, movement, time)), &is);
            let mut least = error(time);
            // A step that falls on this moment may come a rounding earlier or later.
            for shift in [-TIME_ROUNDING, TIME_ROUNDING] {
                if least > tolerance {
                    least = least.min(error(time + shift * time.abs().max(1.)));
                }
            }
            verified.max_animated_error = verified.max_animated_error.max(finite(least));
            verified.samples += 1;
        }
    }
    verified
}

/// The largest distance between elements of pairs.
fn farthest(pairs: &[Pair], was: &[Places], is: &[Places]) -> f64 {
    pairs.iter().map(|pair| distance(&was[pair.was], &is[pair.is], pair.turn)).fold(0., f64::max)
}

/// JSON has no word for what is not finite.
fn finite(error: f64) -> f64 {
    if error.is_finite() { error } else { f64::MAX }
}

/// The corners of a triangle; of a line or point, one corner three times.
type Places = [DVec3; 3];

/// A primitive where it is shown.
struct Part<'a> {
    node: Id<Node>,
    primitive: &'a Primitive,
    material: Option<&'a Material>,
    /// A copy among others: its place relative to the node.
    copy: Option<DMat4>,
    /// Three corners per element, in the order in which they are seen: what mirrors turns it round.
    corners: Vec<usize>,
}

impl Part<'_> {
    /// How each of so many vertices is turned and sized.
    fn linear(&self, scene: &Scene, pose: &Pose, count: usize) -> Vec<DMat3> {
        let bent = pose.skinning(scene, self.node, self.primitive, count).filter(|_| self.copy.is_none());
        let world = || pose.world(self.node).unwrap_or_default() * self.copy.unwrap_or_default();
        match bent {
            Some(bent) => bent.into_iter().map(DMat3::from_mat4).collect(),
            None => vec![DMat3::from_mat4(world()); count],
        }
    }
}

/// Everything that a scene shows, in its order.
struct Shown<'a> {
    scene: &'a Scene,
    parts: Vec<Part<'a>>,
    /// Part and number in it of every element.
    elements: Vec<(usize, usize)>,
}

/// What an element is: none of one kind stands for one of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Point,
    Line,
    Triangle,
}

impl<'a> Shown<'a> {
    fn of(scene: &'a Scene) -> Shown<'a> {
        let mut shown = Shown { scene, parts: Vec::new(), elements: Vec::new() };
        let pose = Pose::rest(scene);
        for (node, _) in scene.placed(scene.default_scene.unwrap_or(0)) {
            let placed = &scene.nodes[node];
            let Some(mesh) = placed.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
            let copies: Vec<(Option<DMat4>, Option<Id<Material>>)> = match &placed.instances {
                Some(all) => all.placements.iter().map(|p| (Some(p.transform.matrix()), p.material)).collect(),
                None => vec![(None, None)],
            };
            for (copy, own) in copies {
                for primitive in &mesh.primitives {
                    let material = own.or(placed.material).or(primitive.material);
                    let material = material.and_then(|material| scene.materials.get(material));
                    let mut part = Part { node, primitive, material, copy, corners: corners(primitive) };
                    if part.linear(scene, &pose, 1)[0].determinant() < 0. {
                        part.corners.as_chunks_mut::<3>().0.iter_mut().for_each(|corners| corners.swap(1, 2));
                    }
                    shown.add(part);
                }
            }
        }
        shown
    }

    fn add(&mut self, part: Part<'a>) {
        let at = self.parts.len();
        self.elements.extend((0..part.corners.len() / 3).map(|element| (at, element)));
        self.parts.push(part);
    }

    /// Where every element is in a pose.
    fn places(&self, pose: &Pose) -> Vec<Places> {
        let mut out = Vec::with_capacity(self.elements.len());
        for part in &self.parts {
            let points = match part.copy {
                None => pose.positions(self.scene, part.node, part.primitive),
                Some(copy) => {
                    let world = pose.world(part.node).unwrap_or_default() * copy;
                    let own = scene::sample::morphed(part.primitive, pose.weights(part.node), &Semantic::Position);
                    own.into_iter().map(|point| world.transform_point3(point)).collect()
                }
            };
            let point = |at: &usize| points.get(*at).copied().unwrap_or(DVec3::NAN);
            out.extend(part.corners.chunks_exact(3).map(|t| [point(&t[0]), point(&t[1]), point(&t[2])]));
        }
        out
    }

    /// What every element is.
    fn kinds(&self) -> Vec<Kind> {
        let kind = |&(part, _): &(usize, usize)| match self.parts[part].primitive.topology {
            Topology::Points => Kind::Point,
            topology if topology.is_surface() => Kind::Triangle,
            _ => Kind::Line,
        };
        self.elements.iter().map(kind).collect()
    }

    /// Every kind of attribute that some part has.
    fn semantics(&self) -> Vec<Semantic> {
        let mut out: Vec<Semantic> = Vec::new();
        for attribute in self.parts.iter().flat_map(|part| &part.primitive.attributes) {
            if !out.contains(&attribute.semantic) {
                out.push(attribute.semantic.clone());
            }
        }
        out
    }
}

fn corners(primitive: &Primitive) -> Vec<usize> {
    let wide = |index: u32| index as usize;
    if primitive.topology.is_surface() {
        return scene::fit::triangulate(primitive).into_iter().map(wide).collect();
    }
    let order: Vec<usize> = match &primitive.indices {
        Some(indices) => indices.to_vec().into_iter().map(wide).collect(),
        None => (0..primitive.vertex_count()).collect(),
    };
    order.into_iter().flat_map(|corner| [corner; 3]).collect()
}

fn diagonal(places: &[Places]) -> f64 {
    let points = || places.iter().flatten().filter(|point| point.is_finite());
    let low = points().fold(DVec3::INFINITY, |low, point| low.min(*point));
    let high = points().fold(DVec3::NEG_INFINITY, |high, point| high.max(*point));
    let size = (high - low).length();
    if size.is_finite() && size > 0. { size } else { 1. }
}

/// Two elements that are one, the second turned by so many corners.
struct Pair {
    was: usize,
    is: usize,
    turn: usize,
}

/// The largest distance of corners that should be the same.
fn distance(was: &Places, is: &Places, turn: usize) -> f64 {
    let gap = |k: usize| gap(was[k], is[(k + turn) % 3]);
    gap(0).max(gap(1)).max(gap(2))
}

/// What is no number is the same as any other such place.
fn gap(was: DVec3, is: DVec3) -> f64 {
    match (was.is_finite(), is.is_finite()) {
        (true, true) => was.distance(is),
        (false, false) => 0.,
        _ => f64::INFINITY,
    }
}

/// Which element is which. Formats keep the order of elements but for those that sort them by material; there the
/// nearest one counts. If some have none nearby things have moved, and then the order is all there is.
fn pair((was, was_kinds): (&[Places], &[Kind]), (is, is_kinds): (&[Places], &[Kind]), tolerance: f64) -> Vec<Pair> {
    let in_order = || (0..was.len().min(is.len())).map(|i| Pair { was: i, is: i, turn: 0 }).collect();
    if was.len() == is.len() && was.iter().zip(is).all(|(was, is)| distance(was, is, 0) <= tolerance) {
        return in_order();
    }
    let size = (4. * tolerance).max(f64::MIN_POSITIVE);
    let cell = |places: &Places| ((places[0] + places[1] + places[2]) / 3. / size).floor().to_array();
    let key = |[x, y, z]: [f64; 3]| [x as i64, y as i64, z as i64];
    let mut cells: HashMap<([i64; 3], Kind), Vec<usize>> = HashMap::new();
    for (i, places) in is.iter().enumerate() {
        cells.entry((key(cell(places)), is_kinds[i])).or_default().push(i);
    }
    let mut taken = vec![false; is.len()];
    let mut pairs = Vec::new();
    for (i, places) in was.iter().enumerate() {
        let [x, y, z] = cell(places);
        let around =
            (0..27).map(|n| key([x + f64::from(n % 3 - 1), y + f64::from(n / 3 % 3 - 1), z + f64::from(n / 9 - 1)]));
        let near = around.filter_map(|key| cells.get(&(key, was_kinds[i]))).flatten().filter(|other| !taken[**other]);
        let turned = near.flat_map(|&other| (0..3).map(move |turn| (distance(places, &is[other], turn), other, turn)));
        let best = turned.min_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        if let Some((_, other, turn)) = best.filter(|(gap, ..)| *gap <= tolerance) {
            taken[other] = true;
            pairs.push(Pair { was: i, is: other, turn });
        }
    }
    let none_left = pairs.len() == was.len().min(is.len());
    if none_left || was.len() != is.len() { pairs } else { in_order() }
}

/// The largest difference of an attribute at the corners of all pairs.
fn attribute_error(was: &Shown<'_>, is: &Shown<'_>, pairs: &[Pair], semantic: &Semantic) -> f64 {
    let (was_rows, is_rows) = (rows(was, semantic), rows(is, semantic));
    let mut largest = 0_f64;
    for pair in pairs {
        let ((part, element), (other_part, other)) = (was.elements[pair.was], is.elements[pair.is]);
        let Some(expected) = &was_rows[part] else { continue };
        for k in 0..3 {
            let corner = was.parts[part].corners[element * 3 + k];
            let other_corner = is.parts[other_part].corners[other * 3 + (k + pair.turn) % 3];
            let expected = expected.get(corner);
            let found = is_rows[other_part].as_ref().and_then(|rows| rows.get(other_corner));
            largest = largest.max(row_error(expected, found, semantic));
        }
    }
    finite(largest)
}

fn row_error(expected: Option<&Vec<f64>>, found: Option<&Vec<f64>>, semantic: &Semantic) -> f64 {
    let Some(expected) = expected else { return 0. };
    // A target without vertex colours for this part shows it white.
    let white = [1.; 4];
    let found = match (found, semantic) {
        (Some(found), _) => found,
        (None, Semantic::Color(_)) => &white[..],
        (None, _) => return f64::INFINITY,
    };
    let alpha = |row: &[f64], k: usize| row.get(k).copied().unwrap_or(1.);
    let width = expected.len().max(if matches!(semantic, Semantic::Color(_)) { found.len() } else { 0 });
    (0..width).map(|k| number_error(alpha(expected, k), alpha(found, k))).fold(0., f64::max)
}

fn number_error(was: f64, is: f64) -> f64 {
    match (was.is_finite(), is.is_finite()) {
        (true, true) => (was - is).abs(),
        (false, false) => 0.,
        _ => f64::INFINITY,
    }
}

/// The numbers of an attribute per part and vertex; normals as they stand in the world.
fn rows(shown: &Shown<'_>, semantic: &Semantic) -> Vec<Option<Vec<Vec<f64>>>> {
    let pose = Pose::rest(shown.scene);
    let of_part = |part: &Part<'_>| {
        let stream = part.primitive.get(semantic)?;
        let mut rows: Vec<Vec<f64>> = stream.to_f64().chunks(stream.count().max(1)).map(<[f64]>::to_vec).collect();
        if *semantic == Semantic::Normal {
            let linear = part.linear(shown.scene, &pose, rows.len());
            for (row, linear) in rows.iter_mut().zip(linear).filter(|(row, _)| row.len() >= 3) {
                // A flat map has no inverse, and then no direction is more right than another.
                let turn = if linear.determinant() == 0. { DMat3::ZERO } else { linear.inverse().transpose() };
                let turned = (turn * DVec3::from_slice(row)).normalize_or_zero();
                row[..3].copy_from_slice(&turned.to_array());
            }
        }
        Some(rows)
    };
    shown.parts.iter().map(of_part).collect()
}

/// The largest difference of the materials of all pairs. What has no material shows the default one.
fn materials(was: &Shown<'_>, is: &Shown<'_>, pairs: &[Pair]) -> f64 {
    let mut known: HashMap<(usize, usize), f64> = HashMap::new();
    let mut largest = 0_f64;
    for pair in pairs {
        let parts = (was.elements[pair.was].0, is.elements[pair.is].0);
        let error = known.entry(parts).or_insert_with(|| {
            let (was_part, is_part) = (was.parts[parts.0].material, is.parts[parts.1].material);
            was_part.map_or(0., |part| material_error((was.scene, part), is_part.map(|part| (is.scene, part))))
        });
        largest = largest.max(*error);
    }
    finite(largest)
}

/// A material in its scene.
type Painted<'a> = (&'a Scene, &'a Material);

fn material_error(was: Painted<'_>, is: Option<Painted<'_>>) -> f64 {
    let Some(is) = is else { return 1. };
    let (was_factors, is_factors) = (factors(was.1), factors(is.1));
    let mut largest = if was.1.double_sided == is.1.double_sided { 0. } else { 1. };
    for ((role, was_factor), (_, is_factor)) in was_factors.iter().zip(&is_factors) {
        let differ = was_factor.iter().zip(is_factor).map(|(a, b)| number_error((*a).into(), (*b).into()));
        let error = differ.fold(0., f64::max);
        let one = is_factor.iter().all(|factor| *factor == 1.);
        if !(one && error > 0. && picture(is, role).is_some() && picture(was, role) != picture(is, role)) {
            largest = error.max(largest);
        }
    }
    largest
}

/// The factors of a material, by what they are multiplied with. One that a picture was made of is 1.
fn factors(material: &Material) -> [(Role, Vec<f32>); 6] {
    let pbr = material.pbr();
    [
        (Role::BaseColor, pbr.base_color.to_vec()),
        (Role::Metallic, vec![pbr.metallic]),
        (Role::Roughness, vec![pbr.roughness]),
        (Role::Specular, vec![pbr.specular]),
        (Role::SpecularColor, pbr.specular_color.to_vec()),
        (Role::Emission, material.emissive.map(|v| v * material.emissive_strength).to_vec()),
    ]
}

/// The picture that a material has in a role, if it is there.
fn picture<'a>((scene, material): Painted<'a>, role: &Role) -> Option<&'a [u8]> {
    let texture = scene.textures.get(material.slot(role)?.texture)?;
    match &scene.images.get(texture.image?)?.source {
        ImageSource::File { bytes, .. } => bytes.as_deref(),
        ImageSource::Embedded { bytes, .. } => Some(bytes),
    }
}

/// Something with a name that stands somewhere, if that can be told.
type Named = (String, Option<DVec3>);

/// Nodes that have names, at their places in the world. Where a bent mesh and its joints stand is told by its vertices.
fn nodes(scene: &Scene) -> Vec<Named> {
    let joints: HashSet<Id<Node>> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let placed = scene.placed(scene.default_scene.unwrap_or(0)).into_iter();
    // A node that turns or scales everything is not the model's own.
    let own = placed.filter(|(id, _)| scene.nodes[*id].role != NodeRole::Axis);
    let named = own.map(|(id, world)| {
        let bent = scene.nodes[id].skin.is_some() || joints.contains(&id);
        (scene.nodes[id].name.to_string(), (!bent).then(|| world.w_axis.truncate()))
    });
    named.filter(|(name, _)| !name.is_empty()).collect()
}

/// Lights, by their colours, at their places in the world.
fn lights(scene: &Scene) -> Vec<Named> {
    let placed = scene.placed(scene.default_scene.unwrap_or(0)).into_iter();
    let lit = placed.filter_map(|(id, world)| {
        let light = scene.lights.get(scene.nodes[id].light?)?;
        Some((format!("{:?}", light.color), Some(world.w_axis.truncate())))
    });
    lit.collect()
}

/// How many of the first have no counterpart among the second.
fn missing(was: &[Named], is: &[Named], tolerance: f64) -> u64 {
    let mut there: HashMap<&str, Vec<Option<DVec3>>> = HashMap::new();
    is.iter().for_each(|(name, place)| there.entry(name).or_default().push(*place));
    let near = |a: Option<DVec3>, b: Option<DVec3>| a.zip(b).is_none_or(|(a, b)| gap(a, b) <= tolerance);
    // Those whose places are known choose first.
    let mut wanted: Vec<&Named> = was.iter().collect();
    wanted.sort_by_key(|(_, place)| place.is_none());
    let found = |(name, place): &&&Named| {
        let Some(places) = there.get_mut(name.as_str()) else { return false };
        let known = places.iter().position(|other| other.is_some() && near(*place, *other));
        let found = known.or_else(|| places.iter().position(|other| near(*place, *other)));
        found.map(|found| places.swap_remove(found)).is_some()
    };
    (wanted.len() - wanted.iter().filter(found).count()) as u64
}

/// Everything that moves under one name: some formats have an animation per mesh.
fn movements(scene: &Scene) -> BTreeMap<String, Animation> {
    let mut all: BTreeMap<String, Animation> = BTreeMap::new();
    for animation in scene.animations.iter().filter(|animation| animation.channels.iter().any(|c| c.node.is_some())) {
        let entry = all.entry(animation.name.to_string()).or_default();
        entry.channels.extend(animation.channels.iter().cloned());
    }
    all
}

/// Where both say something: evenly over the whole if they have the same keys, else at those of the one that was
/// written, between which its curves are its own.
fn times(was: &Animation, is: &Animation) -> Vec<f32> {
    let keys = |animation: &Animation| {
        let mut keys: Vec<f32> = animation.channels.iter().flat_map(|channel| channel.times.iter().copied()).collect();
        keys.retain(|key| key.is_finite());
        keys.sort_by(f32::total_cmp);
        keys.dedup();
        keys
    };
    let (was, is) = (keys(was), keys(is));
    let (Some(&first), Some(&last)) = (is.first(), is.last()) else { return Vec::new() };
    if was == is {
        let step = (last - first) / (SAMPLES - 1) as f32;
        let count = if step > 0. { SAMPLES } else { 1 };
        return (0..count).map(|i| first + step * i as f32).collect();
    }
    let count = is.len().min(SAMPLES);
    (0..count).map(|i| is[i * (is.len() - 1) / (count - 1).max(1)]).collect()
}
