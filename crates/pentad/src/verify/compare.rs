//! Everything that is measured, at rest and while it moves.

use std::collections::{BTreeSet, HashMap, HashSet};

use glam::{DMat3, DVec3};
use scene::sample::Pose;
use scene::{Scene, Semantic};

use super::Measure;
use super::animations::{Matched, matched, times};
use super::attributes::attribute_errors;
use super::corrected::Similarity;
use super::explained::{Cause, Deviation, Object};
use super::materials::material_errors;
use super::nodes::{lights, missing, nodes};
use super::pair::{Pair, diagonal, distance, pair_moved, pair_near, size};
use super::shown::{Kind, Places, Shown, Standing};
use super::voxels::{Cover, cover, reach, sides};

/// How exact a moment is, as a share of it: frames are counted in 32-bit floats.
const TIME_ROUNDING: f32 = 1e-6;

/// Two scenes, and which element of one is which of the other.
pub(super) struct Comparison<'a> {
    pub(super) was: Shown<'a>,
    is: Shown<'a>,
    was_rest: Vec<Places>,
    is_rest: Vec<Places>,
    /// By the element of the first, and so part by part.
    pairs: Vec<Pair>,
    /// What is shown in one scene and has no counterpart in the other.
    missing: Vec<usize>,
    extra: Vec<usize>,
    /// What cubes that became faces, or faces that became cubes, look like.
    laid: Vec<Laid>,
    tolerance: f64,
    pub(super) diagonal: f64,
}

/// Cubes whose sides are covered by faces of the other scene.
struct Laid {
    /// The part of the first scene, if the cubes are there.
    part: Option<usize>,
    /// How many faces cover them.
    faces: usize,
    /// How far their colours are off.
    color: f64,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) deviations: Vec<Deviation>,
    /// Elements that were compared.
    pub(super) elements: u64,
    /// Times at which animations were looked at.
    pub(super) samples: u64,
}

impl Found {
    fn add(&mut self, measure: Measure, amount: f64, object: Object) {
        self.because(measure, amount, object, Cause::Any);
    }

    fn because(&mut self, measure: Measure, amount: f64, object: Object, cause: Cause) {
        if amount > 0. {
            self.deviations.push(Deviation { measure, amount, object, cause });
        }
    }
}

impl<'a> Comparison<'a> {
    pub(super) fn new(expected: &'a Scene, similarity: Similarity, found: &'a Scene, tolerance: f64) -> Comparison<'a> {
        let (was_roots, is_roots) = roots(expected, found);
        let was = Shown::of(expected, &was_roots, similarity, true);
        let is = Shown::of(found, &is_roots, Similarity::IDENTITY, false);
        let (was_rest, is_rest) = (was.places(&Pose::rest(expected)), is.places(&Pose::rest(found)));
        let first = expected.default_scene.unwrap_or(0);
        let of_first = |(_, (part, _)): &(&Places, &(usize, usize))| {
            let part = &was.parts[*part];
            part.root == first && part.standing == Standing::Shown
        };
        let diagonal = diagonal(was_rest.iter().zip(&was.elements).filter(of_first).map(|(places, _)| places));
        let pairs = pair_near((&was, &was_rest), (&is, &is_rest), tolerance * diagonal);
        let (missing, extra, laid) = (Vec::new(), Vec::new(), Vec::new());
        let mut comparison =
            Comparison { was, is, was_rest, is_rest, pairs, missing, extra, laid, tolerance, diagonal };
        comparison.pair_rest();
        comparison
    }

    /// Pairs what is not where it should be, as far as it is there.
    fn pair_rest(&mut self) {
        let [mut was_left, mut is_left] = [vec![true; self.was_rest.len()], vec![true; self.is_rest.len()]];
        self.pairs.iter().for_each(|pair| (was_left[pair.was], is_left[pair.is]) = (false, false));
        let left = |left: &[bool]| (0..left.len()).filter(|&element| left[element]).collect::<Vec<usize>>();
        let (mut missing, mut extra) = (left(&was_left), left(&is_left));
        let laid = self.lay_voxels(&mut missing, &mut extra);
        missing.retain(|&element| self.shown(element));
        extra.retain(|&element| self.is.parts[self.is.elements[element].0].standing == Standing::Shown);
        let (was, is) = ((&self.was, &self.was_rest[..], &mut missing), (&self.is, &self.is_rest[..], &mut extra));
        pair_moved(was, is, &mut self.pairs);
        // What is not placed, and whose place is no number, may be shown by a target that has none for it.
        let nowhere = |element: &usize| {
            let part = &self.was.parts[self.was.elements[*element].0];
            part.standing == Standing::Unplaced && !self.was_rest[*element].iter().all(|place| place.is_finite())
        };
        let mut nowhere: Vec<usize> = left(&was_left).into_iter().filter(nowhere).collect();
        let (was, is) = ((&self.was, &self.was_rest[..], &mut nowhere), (&self.is, &self.is_rest[..], &mut extra));
        pair_moved(was, is, &mut self.pairs);
        self.pairs.sort_by_key(|pair| pair.was);
        (self.missing, self.extra, self.laid) = (missing, extra, laid);
    }

    /// Everything that differs, however little.
    pub(super) fn found(&self) -> Found {
        let mut found = Found::default();
        self.add_elements(&mut found);
        self.add_attributes(&mut found);
        self.add_materials(&mut found);
        self.add_named(&mut found);
        self.add_animated(&mut found);
        found
    }

    fn shown(&self, element: usize) -> bool {
        self.was.parts[self.was.elements[element].0].standing == Standing::Shown
    }

    /// What is there, and where.
    fn add_elements(&self, found: &mut Found) {
        found.elements = (0..self.was.elements.len()).filter(|&element| self.shown(element)).count() as u64;
        let mut hidden: HashMap<usize, usize> = HashMap::new();
        for pairs in self.by_part() {
            let part = self.was.elements[pairs[0].was].0;
            match self.was.parts[part].standing {
                Standing::Shown => self.add_places(part, pairs, found),
                Standing::Unplaced => {}
                Standing::Hidden => *hidden.entry(part).or_default() += pairs.len(),
            }
        }
        for Laid { part, faces, color } in &self.laid {
            found.add(Measure::MaxColorError, *color, part.map_or(Object::None, Object::Part));
            if let Some(part) = part.filter(|part| self.was.parts[*part].standing == Standing::Hidden) {
                *hidden.entry(part).or_default() += faces;
            }
        }
        for (part, count) in hidden {
            found.because(Measure::ExtraElements, count as f64, Object::Part(part), Cause::Hidden);
        }
        for elements in self.missing.chunk_by(|a, b| self.was.elements[*a].0 == self.was.elements[*b].0) {
            let part = self.was.elements[elements[0]].0;
            found.add(Measure::MissingElements, elements.len() as f64, Object::Part(part));
        }
        found.add(Measure::ExtraElements, self.extra.len() as f64, Object::None);
    }

    fn add_places(&self, part: usize, pairs: &[Pair], found: &mut Found) {
        let gaps = pairs.iter().map(|pair| distance(&self.was_rest[pair.was], &self.is_rest[pair.is], pair.turn));
        found.add(Measure::MaxPositionError, gaps.fold(0., f64::max) / self.diagonal, Object::Part(part));
        // Numbers that are too large or too small for the target.
        let was = size(pairs.iter().map(|pair| &self.was_rest[pair.was]));
        let is = size(pairs.iter().map(|pair| &self.is_rest[pair.is]));
        if was > 0. && !(is > 0. && is.is_finite()) {
            found.add(Measure::CollapsedParts, 1., Object::Part(part));
        }
        for pair in pairs.iter().filter(|_| self.was.parts[part].kind == Kind::Voxel) {
            let looks = [(&self.was, pair.was), (&self.is, pair.is)].map(|(shown, element)| {
                let (part, voxel) = shown.elements[element];
                let voxels = shown.parts[part].voxels()?;
                let voxel = voxels.voxels.get(voxel)?;
                let color = voxels.palette.get(voxel.color as usize).copied().unwrap_or([255; 4]);
                let material = voxel.material.and_then(|material| voxels.materials.get(material as usize));
                Some((color, material.map(|material| (&material.name, &material.values))))
            });
            if let [Some((was_color, was_material)), Some((is_color, is_material))] = looks {
                let colors = was_color.iter().zip(is_color).map(|(a, b)| f64::from(a.abs_diff(b)) / 255.);
                found.add(Measure::MaxColorError, colors.fold(0., f64::max), Object::Part(part));
                let differs = was_material != is_material;
                found.add(Measure::MaxMaterialError, f64::from(u8::from(differs)), Object::Part(part));
            }
        }
    }

    /// Cubes of one scene that are faces in the other; what matches is taken off both lists.
    fn lay_voxels(&self, missing: &mut Vec<usize>, extra: &mut Vec<usize>) -> Vec<Laid> {
        let roots: BTreeSet<usize> = self.was.parts.iter().chain(&self.is.parts).map(|part| part.root).collect();
        let mut out = Vec::new();
        for root in roots {
            let has = |shown: &Shown<'_>| shown.parts.iter().any(|p| p.root == root && p.kind == Kind::Voxel);
            match (has(&self.was), has(&self.is)) {
                (true, false) => out.extend(self.lay((&self.was, missing), (&self.is, &self.is_rest, extra), root)),
                (false, true) => {
                    let laid = self.lay((&self.is, extra), (&self.was, &self.was_rest, missing), root);
                    out.extend(laid.into_iter().map(|laid| Laid { part: None, ..laid }));
                }
                _ => {}
            }
        }
        out
    }

    /// Lays the triangles of one scene over the cubes of the other. What is left of both stays in the lists.
    fn lay(
        &self,
        (cubes, voxels): (&Shown<'_>, &mut Vec<usize>),
        (faces, places, triangles): (&Shown<'_>, &[Places], &mut Vec<usize>),
        root: usize,
    ) -> Vec<Laid> {
        let of = |shown: &Shown<'_>, element: usize, kind: Kind| {
            let part = &shown.parts[shown.elements[element].0];
            part.root == root && part.kind == kind
        };
        let own: Vec<usize> = voxels.iter().copied().filter(|&voxel| of(cubes, voxel, Kind::Voxel)).collect();
        let laid: Vec<usize> = triangles.iter().copied().filter(|&face| of(faces, face, Kind::Triangle)).collect();
        let color = |element: usize| {
            let (part, face) = faces.elements[element];
            let stream = faces.parts[part].primitive()?.get(&Semantic::Color(0))?;
            let corner = u32::try_from(*faces.parts[part].corners.get(face * 3)?).ok()?;
            let row = stream.gather(&[corner]).to_f64();
            Some([0, 1, 2, 3].map(|k| row.get(k).copied().unwrap_or(1.)))
        };
        let covers: Vec<Cover> = laid.iter().map(|&face| Cover { places: places[face], color: color(face) }).collect();
        let pose = Pose::rest(cubes.scene);
        let linear: DMat3 = cubes.similarity.linear;
        let (mut gone, mut idle): (HashSet<usize>, Option<HashSet<usize>>) = (HashSet::new(), None);
        let mut out = Vec::new();
        for own in own.chunk_by(|a, b| cubes.elements[*a].0 == cubes.elements[*b].0) {
            let (part, first) = cubes.elements[own[0]];
            let Some(object) = cubes.parts[part].voxels() else { continue };
            let world = cubes.parts[part].world(&pose);
            let sides = sides(object, |p: DVec3| linear * world.transform_point3(p));
            let cell = reach(&world) * linear.x_axis.length();
            let left = cover(&sides, &covers, cell, self.tolerance * self.diagonal);
            let start = own[0] - first;
            gone.extend(left.sides.iter().map(|side| start + sides[*side].voxel));
            let unhit: HashSet<usize> = left.covers.iter().copied().collect();
            idle = Some(idle.map_or(unhit.clone(), |idle| &idle & &unhit));
            out.push(Laid { part: Some(part), faces: covers.len() - left.covers.len(), color: left.color });
        }
        let matched: HashSet<usize> = own.into_iter().filter(|voxel| !gone.contains(voxel)).collect();
        voxels.retain(|voxel| !matched.contains(voxel));
        let idle = idle.unwrap_or_default();
        let hit: HashSet<usize> = (0..laid.len()).filter(|face| !idle.contains(face)).map(|face| laid[face]).collect();
        triangles.retain(|face| !hit.contains(face));
        out
    }

    /// The pairs of each part.
    fn by_part(&self) -> impl Iterator<Item = &[Pair]> {
        self.pairs.chunk_by(|a, b| self.was.elements[a.was].0 == self.was.elements[b.was].0)
    }

    /// The pairs of what is shown.
    fn shown_pairs(&self) -> Vec<Pair> {
        self.pairs.iter().filter(|pair| self.shown(pair.was)).copied().collect()
    }

    fn add_attributes(&self, found: &mut Found) {
        let pairs = self.shown_pairs();
        let mut semantics = self.was.semantics();
        // What a material shows may be a colour of vertices in the other scene.
        if !semantics.contains(&Semantic::Color(0)) {
            semantics.push(Semantic::Color(0));
        }
        for semantic in semantics {
            let measure = match semantic {
                Semantic::Normal => Measure::MaxNormalError,
                Semantic::TexCoord(_) => Measure::MaxUvError,
                Semantic::Color(_) => Measure::MaxColorError,
                _ => continue,
            };
            for (part, error) in attribute_errors(&self.was, &self.is, &pairs, &semantic) {
                found.add(measure, error, Object::Part(part));
            }
        }
    }

    fn add_materials(&self, found: &mut Found) {
        for (part, error) in material_errors(&self.was, &self.is, &self.shown_pairs()) {
            found.add(Measure::MaxMaterialError, error.factors, Object::Part(part));
            let cause = if error.image.resized { Cause::Resized } else { Cause::Any };
            found.because(Measure::MaxImageError, error.image.amount, Object::Part(part), cause);
        }
    }

    fn add_named(&self, found: &mut Found) {
        let near = self.tolerance * self.diagonal;
        let linear = &self.was.similarity.linear;
        let (was, is) = (self.was.scene, self.is.scene);
        for (node, cause) in missing(nodes(was, linear), &nodes(is, &DMat3::IDENTITY), near) {
            found.because(Measure::MissingNodes, 1., Object::Node(node.node), cause.into());
        }
        for (light, cause) in missing(lights(was, linear), &lights(is, &DMat3::IDENTITY), near) {
            found.because(Measure::MissingLights, 1., Object::Node(light.node), cause.into());
        }
    }

    /// The error while things move.
    fn add_animated(&self, found: &mut Found) {
        let mut counterparts = vec![HashSet::new(); self.was.parts.len()];
        let mut pairs: Vec<&[Pair]> = vec![&[]; self.was.parts.len()];
        for own in self.by_part() {
            let part = self.was.elements[own[0].was].0;
            if self.was.parts[part].standing == Standing::Shown {
                counterparts[part].extend(own.iter().map(|pair| self.is.elements[pair.is].0));
                pairs[part] = own;
            }
        }
        let Matched { played, missing, renamed } = matched(&self.was, &self.is, &counterparts);
        missing.into_iter().for_each(|i| found.add(Measure::MissingAnimations, 1., Object::Animation(i)));
        renamed.into_iter().for_each(|i| found.add(Measure::RenamedAnimations, 1., Object::Animation(i)));
        for played in played {
            let was = &self.was.scene.animations[scene::Id::new(played.was)];
            let is = &self.is.scene.animations[scene::Id::new(played.is)];
            let times = times(was, is);
            found.samples += times.len() as u64;
            let mut largest = vec![0_f64; played.parts.len()];
            for time in times {
                let is_pose = Pose::at(self.is.scene, is, time);
                let mut is_places: HashMap<usize, Vec<Places>> = HashMap::new();
                // A step that falls on this moment may come a rounding earlier or later.
                let shifts = [0., -TIME_ROUNDING, TIME_ROUNDING].map(|shift| time + shift * time.abs().max(1.));
                let poses: [std::cell::OnceCell<Pose>; 3] = Default::default();
                for (part, largest) in played.parts.iter().zip(&mut largest) {
                    for other in &counterparts[*part] {
                        is_places.entry(*other).or_insert_with(|| self.is.places_of(*other, &is_pose));
                    }
                    let mut least = f64::INFINITY;
                    for (shifted, pose) in shifts.iter().zip(&poses) {
                        let pose = pose.get_or_init(|| Pose::at(self.was.scene, was, *shifted));
                        let places = self.was.places_of(*part, pose);
                        let gaps = pairs[*part].iter().map(|pair| {
                            let (_, element) = self.was.elements[pair.was];
                            let (other, counterpart) = self.is.elements[pair.is];
                            distance(&places[element], &is_places[&other][counterpart], pair.turn)
                        });
                        least = least.min(gaps.fold(0., f64::max) / self.diagonal);
                        if least <= self.tolerance {
                            break;
                        }
                    }
                    *largest = largest.max(least);
                }
            }
            for (part, error) in played.parts.iter().zip(largest) {
                found.add(Measure::MaxAnimatedError, error, Object::Animated(*part, played.was));
            }
        }
    }
}

/// Scenes by number, and what they are called among each other: the ones that are shown first are one, and the others by
/// their order.
type Roots = Vec<(usize, usize)>;

fn roots(was: &Scene, is: &Scene) -> (Roots, Roots) {
    let count = was.scenes.len().max(1);
    let own = (0..count).map(|root| (root, root)).collect();
    let others = is.scenes.len().max(1);
    if count == others {
        return (own, (0..others).map(|root| (root, root)).collect());
    }
    let (first, other_first) = (was.default_scene.unwrap_or(0), is.default_scene.unwrap_or(0));
    let called = |root: usize| if root == other_first { first } else { count + root };
    (own, (0..others).map(|root| (root, called(root))).collect())
}
