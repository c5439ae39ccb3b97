//! What losses explain: a measure that is off, at the objects that they name.

use std::collections::{HashMap, HashSet};

use findings::{AttributeKind, Level, Loss, LossInfo, Losses, SubjectKind};
use scene::loss::*;
use scene::{Forest, Id, Material, Name, Node, Scene};

use super::Measure;
use super::nodes::Missing;
use super::shown::{Content, Part};

/// What is off, and where.
pub(super) struct Deviation {
    pub(super) measure: Measure,
    /// How far, or how many.
    pub(super) amount: f64,
    pub(super) object: Object,
    pub(super) cause: Cause,
}

/// Where something is off, in the scene that should be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Object {
    /// Nothing of the scene.
    None,
    Part(usize),
    /// A part while an animation moves it.
    Animated(usize, usize),
    Node(Id<Node>),
    Animation(usize),
}

/// What is known about why something is off: only losses that fit it explain it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Cause {
    #[default]
    Any,
    /// Something is there, but hidden.
    Hidden,
    /// An image of another size.
    Resized,
    /// A node of the name is there, but elsewhere.
    Moved,
}

impl From<Missing> for Cause {
    fn from(missing: Missing) -> Cause {
        match missing {
            Missing::Gone => Cause::Any,
            Missing::Moved => Cause::Moved,
        }
    }
}

/// A size is told in a few digits, and measured at other moments than it was told of.
const SLACK: f64 = 1.05;

/// Losses that explain why a measure is off.
struct Explaining {
    /// By how much they do not say: something is gone.
    gone: &'static [&'static LossInfo],
    /// By as much as they say.
    sized: &'static [&'static LossInfo],
}

fn explaining(measure: Measure, cause: Cause) -> Explaining {
    let (gone, sized): (&'static [&'static LossInfo], &'static [&'static LossInfo]) = match (measure, cause) {
        (Measure::MaxPositionError, _) => {
            const { (&[&LOSS_021, &LOSS_043], &[&LOSS_031, &LOSS_044, &LOSS_050, &LOSS_062]) }
        }
        (Measure::CollapsedParts, _) => (&[], &[]),
        (Measure::MaxAnimatedError, _) => {
            const {
                (
                    &[&LOSS_001, &LOSS_003, &LOSS_021, &LOSS_043, &LOSS_054],
                    &[&LOSS_031, &LOSS_040, &LOSS_044, &LOSS_050, &LOSS_051, &LOSS_053, &LOSS_062],
                )
            }
        }
        (Measure::MaxNormalError, _) => {
            const {
                (
                    // Where things stand is told in shares of the model, which is no measure of where they look.
                    &[&LOSS_017, &LOSS_021, &LOSS_031, &LOSS_043, &LOSS_044, &LOSS_050, &LOSS_062, &LOSS_081],
                    &[&LOSS_022],
                )
            }
        }
        (Measure::MaxUvError, _) => const { (&[&LOSS_017, &LOSS_021, &LOSS_046], &[]) },
        (Measure::MaxColorError, _) => const { (&[&LOSS_017, &LOSS_021], &[&LOSS_023]) },
        (Measure::MaxMaterialError, _) => {
            const { (&[&LOSS_006, &LOSS_007, &LOSS_021, &LOSS_030, &LOSS_032, &LOSS_041, &LOSS_061], &[&LOSS_023]) }
        }
        (Measure::MaxImageError, Cause::Resized) => const { (&[&LOSS_052], &[]) },
        (Measure::MaxImageError, _) => {
            const { (&[&LOSS_006, &LOSS_007, &LOSS_030, &LOSS_032, &LOSS_041, &LOSS_061], &[]) }
        }
        (Measure::MissingElements, _) => const { (&[&LOSS_024, &LOSS_025, &LOSS_029, &LOSS_033, &LOSS_043], &[]) },
        (Measure::ExtraElements, Cause::Hidden) => const { (&[&LOSS_028], &[]) },
        (Measure::ExtraElements, _) => (&[], &[]),
        (Measure::MissingNodes, Cause::Moved) => const { (&[&LOSS_009, &LOSS_031, &LOSS_044, &LOSS_062], &[]) },
        (Measure::MissingNodes, _) => {
            const { (&[&LOSS_002, &LOSS_008, &LOSS_014, &LOSS_024, &LOSS_025, &LOSS_042, &LOSS_082], &[]) }
        }
        (Measure::MissingLights, _) => const { (&[&LOSS_004, &LOSS_023, &LOSS_025], &[]) },
        (Measure::MissingAnimations, _) => const { (&[&LOSS_001, &LOSS_054], &[]) },
        (Measure::RenamedAnimations, _) => const { (&[&LOSS_001, &LOSS_014, &LOSS_042, &LOSS_060, &LOSS_073], &[]) },
    };
    Explaining { gone, sized }
}

/// Whether a loss of an attribute is about what is measured. One that made other numbers finite, or a place valid without
/// saying how far that is off, is about what was nowhere before: it explains no distance between two places. Weights decide
/// where a vertex is and where its normal points, and are such numbers.
fn is_about(measure: Measure, amount: f64, loss: &Loss) -> bool {
    let measured = match measure {
        Measure::MaxPositionError | Measure::MaxAnimatedError | Measure::CollapsedParts => AttributeKind::Position,
        Measure::MaxNormalError => AttributeKind::Normal,
        Measure::MaxUvError => AttributeKind::TexCoord,
        Measure::MaxColorError => AttributeKind::Color,
        _ => return true,
    };
    let decided = matches!(measured, AttributeKind::Position | AttributeKind::Normal);
    let made_finite = || loss.size.is_none() && [LOSS_021.code, LOSS_031.code].contains(&loss.code);
    match loss.attribute {
        None => amount.is_infinite() || !made_finite(),
        Some(AttributeKind::Weights) => decided && amount.is_infinite() && loss.code == LOSS_021.code,
        Some(lost) => lost == measured,
    }
}

/// Kinds of objects that a conversion makes, or gives names to.
const GIVEN: &[SubjectKind] = &[SubjectKind::Node, SubjectKind::Mesh, SubjectKind::Material, SubjectKind::Skin];

/// An object by its kind and name: its number changes while a scene is fitted.
type Named = (SubjectKind, String);

fn named(kind: SubjectKind, name: &Name) -> Named {
    (kind, name.to_string())
}

/// The object that a loss names. What is no object of the scene is lost everywhere.
fn subject_of(loss: &Loss) -> Option<Named> {
    Some(&loss.subject).filter(|subject| !subject.is_file()).map(|subject| (subject.kind, subject.name.clone()))
}

/// The losses of a conversion, and the scene that they are about.
pub(super) struct Explanations<'a> {
    losses: Vec<(&'a Loss, Option<Named>)>,
    scene: &'a Scene,
    parts: &'a [Part<'a>],
    forest: Forest,
    /// Everything that can be named.
    there: HashSet<Named>,
    tolerance: f64,
    /// The subjects that decide about each object, once they were asked for.
    deciding: HashMap<Object, HashSet<Named>>,
}

impl<'a> Explanations<'a> {
    pub(super) fn new(losses: &'a Losses, scene: &'a Scene, parts: &'a [Part<'a>], tolerance: f64) -> Explanations<'a> {
        let mut there = HashSet::new();
        let mut add = |kind: SubjectKind, name: &Name| _ = there.insert(named(kind, name));
        scene.scenes.iter().for_each(|root| add(SubjectKind::Scene, &root.name));
        scene.nodes.iter().for_each(|node| add(SubjectKind::Node, &node.name));
        scene.meshes.iter().for_each(|mesh| add(SubjectKind::Mesh, &mesh.name));
        scene.skins.iter().for_each(|skin| add(SubjectKind::Skin, &skin.name));
        scene.animations.iter().for_each(|animation| add(SubjectKind::Animation, &animation.name));
        scene.materials.iter().for_each(|material| add(SubjectKind::Material, &material.name));
        scene.textures.iter().for_each(|texture| add(SubjectKind::Texture, &texture.name));
        scene.images.iter().for_each(|image| add(SubjectKind::Image, &image.name));
        scene.lights.iter().for_each(|light| add(SubjectKind::Light, &light.name));
        scene.voxels.iter().for_each(|voxels| add(SubjectKind::Voxels, &voxels.name));
        let losses = losses.iter().map(|loss| (loss, subject_of(loss))).collect();
        Explanations { losses, scene, parts, forest: Forest::of(scene), there, tolerance, deciding: HashMap::new() }
    }

    /// Whether some loss explains what is off.
    pub(super) fn explain(&mut self, deviation: &Deviation) -> bool {
        let Deviation { measure, amount, object, cause } = *deviation;
        let Explaining { gone, sized } = explaining(measure, cause);
        let listed = |list: &[&LossInfo], loss: &Loss| list.iter().any(|info| info.code == loss.code);
        let fits = |loss: &Loss| is_about(measure, amount, loss) && (listed(gone, loss) || listed(sized, loss));
        if !self.losses.iter().any(|(loss, _)| fits(loss)) {
            return false;
        }
        if !self.deciding.contains_key(&object) {
            let subjects = self.subjects(object);
            self.deciding.insert(object, subjects);
        }
        let deciding = &self.deciding[&object];
        let names = |subject: &Option<Named>| match subject {
            None => true,
            Some(subject) if self.there.contains(subject) => deciding.contains(subject),
            // A name that the conversion itself gave can be anyone's of its kind.
            Some((kind, _)) => GIVEN.contains(kind) && deciding.iter().any(|(own, _)| own == kind),
        };
        let here: Vec<&Loss> =
            self.losses.iter().filter(|(loss, subject)| fits(loss) && names(subject)).map(|(loss, _)| *loss).collect();
        // What several losses say adds up where they meet.
        let sizes = here.iter().map(|loss| loss.size.unwrap_or(if amount.is_finite() { 0. } else { f64::INFINITY }));
        here.iter().any(|loss| listed(gone, loss) && loss.level > Level::Rounding)
            || (!here.is_empty() && amount <= sizes.sum::<f64>() * SLACK + self.tolerance)
    }

    /// What an object is called in reports.
    pub(super) fn label(&self, object: Object) -> String {
        let scene = self.scene;
        let node = |id: Id<Node>| scene.nodes[id].subject(id);
        let part = |part: usize| {
            let id = self.parts[part].node;
            let mesh = scene.nodes[id].mesh.and_then(|mesh| Some((mesh, scene.meshes.get(mesh)?)));
            match mesh.filter(|_| scene.nodes[id].name.is_empty()) {
                Some((mesh, named)) => named.subject(mesh),
                None => node(id),
            }
        };
        let animation = |index: usize| {
            let animation = scene.animations.get(Id::new(index));
            animation.map_or_else(String::new, |animation| animation.subject(index).to_string())
        };
        match object {
            Object::None => String::new(),
            Object::Node(id) => node(id).to_string(),
            Object::Part(index) => part(index).to_string(),
            Object::Animation(index) => animation(index),
            Object::Animated(index, moved) => format!("{} in {}", part(index), animation(moved)),
        }
    }

    /// Everything that decides how an object is shown.
    fn subjects(&self, object: Object) -> HashSet<Named> {
        let mut out = HashSet::new();
        match object {
            Object::None => {}
            Object::Node(node) => self.add_node(node, &mut out),
            Object::Animation(index) => self.add_animation(index, &mut out),
            Object::Part(part) => self.add_part(&self.parts[part], &mut out),
            Object::Animated(part, index) => {
                self.add_part(&self.parts[part], &mut out);
                self.add_animation(index, &mut out);
            }
        }
        out
    }

    fn add_animation(&self, index: usize, out: &mut HashSet<Named>) {
        let animation = self.scene.animations.get(Id::new(index));
        out.extend(animation.map(|animation| named(SubjectKind::Animation, &animation.name)));
    }

    /// A node, those above it, and what stands there.
    fn add_node(&self, id: Id<Node>, out: &mut HashSet<Named>) {
        for above in self.forest.chain(id) {
            out.insert(named(SubjectKind::Node, &self.scene.nodes[above].name));
        }
        let top = self.forest.chain(id).last().unwrap_or(id);
        let roots = self.scene.scenes.iter().filter(|root| root.nodes.contains(&top) || root.nodes.contains(&id));
        out.extend(roots.map(|root| named(SubjectKind::Scene, &root.name)));
        let node = &self.scene.nodes[id];
        let mesh = node.mesh.and_then(|mesh| self.scene.meshes.get(mesh));
        out.extend(mesh.map(|mesh| named(SubjectKind::Mesh, &mesh.name)));
        let light = node.light.and_then(|light| self.scene.lights.get(light));
        out.extend(light.map(|light| named(SubjectKind::Light, &light.name)));
        let bound = |skin: &&scene::Skin| skin.joints.contains(&id);
        let skin = node.skin.and_then(|skin| self.scene.skins.get(skin));
        out.extend(self.scene.skins.iter().filter(bound).chain(skin).map(|skin| named(SubjectKind::Skin, &skin.name)));
    }

    fn add_part(&self, part: &Part<'_>, out: &mut HashSet<Named>) {
        self.add_node(part.node, out);
        let root = self.scene.scenes.get(part.root);
        out.extend(root.map(|root| named(SubjectKind::Scene, &root.name)));
        let skin = self.scene.nodes[part.node].skin.and_then(|skin| self.scene.skins.get(skin));
        for joint in skin.into_iter().flat_map(|skin| &skin.joints) {
            for above in self.forest.chain(*joint) {
                out.extend(self.scene.nodes.get(above).map(|node| named(SubjectKind::Node, &node.name)));
            }
        }
        if let Content::Voxels(voxels) = part.content {
            out.insert(named(SubjectKind::Voxels, &voxels.name));
            // They became a mesh of that name.
            out.insert(named(SubjectKind::Mesh, &voxels.name));
        }
        let material = part.material.and_then(|material| self.scene.materials.get(material));
        material.into_iter().for_each(|material| self.add_material(material, out));
    }

    fn add_material(&self, material: &Material, out: &mut HashSet<Named>) {
        out.insert(named(SubjectKind::Material, &material.name));
        for texture in material.slots.iter().filter_map(|slot| self.scene.textures.get(slot.texture)) {
            out.insert(named(SubjectKind::Texture, &texture.name));
            let image = texture.image.and_then(|image| self.scene.images.get(image));
            out.extend(image.map(|image| named(SubjectKind::Image, &image.name)));
        }
    }
}
