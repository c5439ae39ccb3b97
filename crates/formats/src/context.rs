use std::collections::{BTreeMap, HashSet};

use findings::{Aspect, Checker, Error, Finding, LossInfo, Losses, Place, Result, Rule, Subject, SubjectKind};
use scene::loss::{LOSS_004, LOSS_031, LOSS_092};
use scene::{Id, Light, Material, Name, Role, Scene, Slot};
use wire::Budget;

use crate::carry::Original;
use crate::{SideFiles, Source, Textures};

/// What a reader is told, and where it leaves what it noticed.
pub struct ReadCx<'a> {
    /// How much may be made of the file.
    pub limits: Budget,
    /// What the reader tolerated.
    pub findings: Checker<'a>,
}

/// What factors of a material said before, by the role of the texture that they belong to.
pub type Factors = Vec<(Role, Vec<f32>)>;

impl Default for ReadCx<'_> {
    fn default() -> Self {
        ReadCx { limits: Budget::default(), findings: Checker::new(None) }
    }
}

impl ReadCx<'_> {
    /// Something was tolerated.
    pub fn find<D>(&mut self, rule: &'static Rule<D>, place: Place, message: impl Into<String>) {
        self.findings.add(Finding::new(&rule.info, place, message));
    }
}

/// What `lift` is told, and where it leaves what it noticed and lost.
pub struct LiftCx<'a> {
    /// Where side files are looked for.
    pub source: &'a dyn Source,
    /// How much may be made of the file.
    pub limits: Budget,
    /// Whether a file is to be seen as other programs see it: what only pentad understands in it is left aside.
    pub as_others: bool,
    /// Whether a file said something that only pentad understands; without it, others see what pentad sees.
    pub own_words: bool,
    /// Whether the file itself goes along to where the scene goes: what no scene holds is then not lost.
    pub travels: bool,
    /// What was left behind.
    pub losses: Losses,
    /// What was noticed.
    pub findings: Checker<'a>,
}

impl<'a> LiftCx<'a> {
    /// A context for a file whose side files are there.
    pub fn new(source: &'a dyn Source) -> LiftCx<'a> {
        LiftCx {
            source,
            limits: Budget::default(),
            as_others: false,
            own_words: false,
            travels: false,
            losses: Losses::default(),
            findings: Checker::new(None),
        }
    }

    /// Something that no scene holds is left behind, unless the file itself goes along.
    pub fn report_unless_carried(
        &mut self,
        info: &'static LossInfo,
        subject: impl Into<Subject>,
        count: u64,
        what: impl Into<Aspect>,
        why: &str,
    ) {
        if !self.travels {
            self.lose(info, subject, count, what, why);
        }
    }

    /// Something was noticed.
    pub fn find<D>(&mut self, rule: &'static Rule<D>, place: Place, message: impl Into<String>) {
        self.findings.add(Finding::new(&rule.info, place, message));
    }
}

/// What a target that has room for it is given beside what it shows.
#[derive(Clone, Copy, Default)]
pub enum Extras<'a> {
    /// Nothing: a lean file, and more losses.
    Nothing,
    /// What the scene means and the target has no field for.
    #[default]
    Meaning,
    /// That, and the file that the scene was made of.
    Source(&'a Original),
}

/// What `lower` is told, and where it leaves side files and what it lost.
pub struct LowerCx<'a> {
    /// Where files are looked for that the scene names.
    pub source: &'a dyn Source,
    /// How much may be made of the scene.
    pub limits: Budget,
    /// The dialect to write.
    pub dialect: &'static str,
    /// Options for the target.
    pub options: &'a Options,
    /// The name of the output without its extension: side files are named after it.
    pub stem: &'a str,
    /// Whether everything must go into the main file, because there is no folder beside it.
    pub embed: bool,
    /// What becomes of the textures and other files that the model names.
    pub textures: Textures,
    /// The files beside the output so far, and what further ones are called.
    pub side_files: SideFiles<'a>,
    /// What is written beside what the target shows.
    pub extras: Extras<'a>,
    /// What was left behind.
    pub losses: Losses,
    /// What was noticed.
    pub findings: Checker<'a>,
}

impl<'a> LowerCx<'a> {
    /// A context with no options.
    pub fn new(source: &'a dyn Source, dialect: &'static str) -> LowerCx<'a> {
        static NONE: Options = Options(BTreeMap::new());
        LowerCx {
            source,
            limits: Budget::default(),
            dialect,
            options: &NONE,
            stem: "model",
            embed: false,
            textures: Textures::default(),
            side_files: SideFiles::default(),
            extras: Extras::default(),
            losses: Losses::default(),
            findings: Checker::new(None),
        }
    }

    /// Something that the target cannot hold is left behind, unless the source goes along and brings it back.
    pub fn report_unless_carried(
        &mut self,
        info: &'static LossInfo,
        subject: impl Into<Subject>,
        count: u64,
        what: impl Into<Aspect>,
        why: &str,
    ) {
        if !matches!(self.extras, Extras::Source(_)) {
            self.lose(info, subject, count, what, why);
        }
    }

    /// Whether nothing is written beside what the target shows.
    pub fn is_lean(&self) -> bool {
        matches!(self.extras, Extras::Nothing)
    }

    /// Lists the lights that no node has, for formats where a light is a thing in its place.
    pub fn lose_loose_lights(&mut self, scene: &Scene, why: &str) {
        let held: HashSet<Id<Light>> = scene.nodes.iter().filter_map(|node| node.light).collect();
        for (id, light) in scene.lights.entries().filter(|(id, _)| !held.contains(id)) {
            let label = light.subject(id);
            self.lose(&LOSS_004, &label, 1, "light that no node has", why);
        }
    }

    /// A material that is written without some of its textures: what their factors say alone. See [`scene::ALONE`].
    #[must_use]
    pub fn without_textures(
        &mut self,
        material: &Material,
        place: &Subject,
        is_lost: impl Fn(&Slot) -> bool,
    ) -> Option<(Material, Factors)> {
        let mut alone = material.clone();
        let changed = alone.fall_back(is_lost);
        for (role, _) in &changed {
            let what = format!("{} set to 0", role.name());
            self.lose(&LOSS_092, place, 1, &what, "its texture is not there, and alone it says too much");
        }
        (!changed.is_empty()).then_some((alone, changed))
    }
}

/// Both ways make things within limits, and lose some.
macro_rules! accounts {
    ($($Cx:ident)*) => { $(
        impl $Cx<'_> {
            /// So many bytes are about to be made, and will stay.
            ///
            /// # Errors
            /// If that is more than the run may make.
            pub fn charge(&self, bytes: u64, place: impl FnOnce() -> Place) -> Result<()> {
                self.limits.charge(bytes).map_err(|exceeded| Error::exceeded(place(), exceeded))
            }

            /// So many bytes are about to be made, and will stay, out of the frames of an animation.
            ///
            /// # Errors
            /// If that is more than the run may make; it says of what.
            pub fn charge_frames(
                &self,
                bytes: u64,
                (index, name): (usize, &Name),
                frames: usize,
                of: &str,
            ) -> Result<()> {
                self.limits.charge(bytes).map_err(|exceeded| {
                    let animation = Subject::new(SubjectKind::Animation, index, name);
                    let message = format!("{animation} is {frames} frames of {of}: {exceeded}");
                    Error::beyond(exceeded.limit, Place::path("animations").nth(index), message)
                })
            }

            /// So many nodes, or what takes as much room, are about to be made out of references to others.
            ///
            /// # Errors
            /// If that is more than the run may make.
            pub fn charge_objects(&self, count: u64, place: impl FnOnce() -> Place) -> Result<()> {
                let bytes = count.saturating_mul(scene::Node::ROOM);
                let charged = self.limits.charge_elements(count).and_then(|()| self.limits.charge(bytes));
                charged.map_err(|exceeded| Error::exceeded(place(), exceeded))
            }

            /// Something was left behind.
            pub fn lose(
                &mut self,
                info: &'static LossInfo,
                subject: impl Into<Subject>,
                count: u64,
                what: impl Into<Aspect>,
                why: &str,
            ) {
                self.losses.add(info, subject, count, what, why);
            }

            /// Something stands elsewhere than it should, so far as a share of the model's size; infinite where its
            /// place was no number.
            pub fn misplace(
                &mut self,
                off: f64,
                subject: impl Into<Subject>,
                count: u64,
                what: impl Into<Aspect>,
                why: &str,
            ) {
                self.losses.add_measured(&LOSS_031, off, subject, count, what, why);
            }
        }
    )* };
}
accounts!(LiftCx LowerCx);

/// Options for the target, by the names its [`crate::Info`] declares.
#[derive(Clone, Debug, Default)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// Sets an option.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_owned(), value.into());
    }
    /// The same without one of them.
    #[must_use]
    pub fn without(&self, name: &str) -> Options {
        Options(
            self.0.iter().filter(|(own, _)| *own != name).map(|(own, value)| (own.clone(), value.clone())).collect(),
        )
    }
    /// The value of an option.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
    /// The parts of an option that is a list.
    pub fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        self.get(name).into_iter().flat_map(|value| value.split(',')).map(str::trim).filter(|part| !part.is_empty())
    }
    /// Whether any option is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The names of all options that are set.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
