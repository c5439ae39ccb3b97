//! What every step of the drawing shares: the dice, the features, names, numbers, and what objects say.

use super::extend::{EXTENDED, FEATURES};
use super::json::{Object, list, text};
use super::plan::{Plan, Trs, Words};
use crate::chance::Chance;

/// Declares the features and the list of all of them.
macro_rules! features {
    ($($(#[doc = $doc:literal])* $Name:ident,)*) => {
        /// Something that a scene may have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature { $($(#[doc = $doc])* $Name,)* }

        impl Feature {
            /// All of them.
            pub const ALL: &'static [Feature] = &[$(Feature::$Name),*];
        }
    };
}

features! {
    /// Nodes below nodes.
    Hierarchy,
    /// One mesh under several nodes.
    SharedMeshes,
    /// Meshes with skins.
    Skins,
    /// Joints of one skin below those of another, or the same ones.
    NestedSkins,
    /// One mesh with several skins.
    SharedSkins,
    /// Two sets of joints per vertex.
    ManyInfluences,
    /// Inverse bind matrices that are not those of the pose at rest.
    OtherBinds,
    /// Morph targets.
    Morphs,
    /// Names of morph targets.
    MorphNames,
    /// Weights of morph targets that are not 0 at rest.
    MorphWeights,
    /// Objects of one name.
    EqualNames,
    /// Objects without a name.
    EmptyNames,
    /// Names with blanks, quotes, slashes and letters beyond ASCII.
    OddNames,
    /// Negative scales.
    Mirrored,
    /// Scales of zero.
    Flat,
    /// Scales that differ along the axes, so that what turns below them is sheared.
    Sheared,
    /// Transforms given as matrices.
    Matrices,
    /// Several scenes.
    Scenes,
    /// Nodes in no scene.
    Unshown,
    /// Animations.
    Animations,
    /// Several animations, on the same targets.
    ManyAnimations,
    /// Keys joined by cubic splines.
    Splines,
    /// Keys that hold until the next.
    Steps,
    /// Levels of detail.
    Levels,
    /// Instances.
    Instances,
    /// Textures.
    Textures,
    /// Textures whose files are not there.
    MissingTextures,
    /// Textures in files of their own.
    FileTextures,
    /// Textures moved, turned and stretched.
    MovedTextures,
    /// Ways of sampling.
    Samplers,
    /// Extras on everything.
    Extras,
    /// Extras that are lists and objects.
    DeepExtras,
    /// Lights.
    Lights,
    /// Cameras.
    Cameras,
    /// Hidden nodes.
    Hidden,
    /// Meshes of several parts.
    Parts,
    /// Strips and fans.
    Strips,
    /// Points and lines.
    Thin,
    /// Vertices that are not shared.
    Unindexed,
    /// Vertices that are not drawn.
    Unused,
    /// Normals.
    Normals,
    /// Tangents.
    Tangents,
    /// More than one set of texture coordinates.
    ManyUvs,
    /// Vertex colours.
    Colors,
    /// Attributes with names of their own.
    Custom,
    /// Materials with all kinds of settings.
    Materials,
    /// Materials that are not lit.
    Unlit,
    /// Materials without use.
    UnusedMaterials,
    /// Words about the file.
    Metadata,
    /// Numbers that are no multiples of a sixteenth.
    Fine,
    /// A file with others beside it.
    Beside,
    /// Weights of joints that do not add up, in larger meshes: no file should say that, but some do.
    LooseWeights,
    /// Extensions of materials.
    Extensions,
    /// Texture coordinates as whole numbers, which every texture scales.
    Quantised,
}

/// The features of a number: from few to many.
pub(super) fn features(seed: u64) -> Vec<Feature> {
    if seed >= EXTENDED {
        let mut list = features(seed - EXTENDED);
        let all = FEATURES.iter().enumerate();
        list.extend(all.filter(|(at, _)| (seed % 3 + 1) >> at & 1 == 1).map(|(_, feature)| *feature));
        return list;
    }
    let mut chance = Chance(seed ^ 0xFEA7);
    let most = [4, 8, 14, 24][chance.below(4)];
    let count = chance.between(2, most);
    let follows =
        |feature: &Feature| FOLLOWS.iter().any(|(_, following)| following == feature) || FEATURES.contains(feature);
    let drawn: Vec<Feature> = Feature::ALL.iter().copied().filter(|feature| !follows(feature)).collect();
    let order = chance.order(drawn.len());
    let mut list: Vec<Feature> = order.into_iter().take(count).map(|at| drawn[at]).collect();
    let needed = NEEDS.iter().filter(|(feature, _)| list.contains(feature)).map(|(_, needed)| *needed);
    list.extend(needed.collect::<Vec<_>>());
    let following = FOLLOWS.iter().filter(|(feature, _)| list.contains(feature)).map(|(_, following)| *following);
    list.extend(following.collect::<Vec<_>>());
    list.sort_unstable();
    list.dedup();
    list
}

/// Features that are there whenever another is.
const FOLLOWS: &[(Feature, Feature)] = &[(Feature::Skins, Feature::LooseWeights)];

/// Features that show nothing without another.
const NEEDS: &[(Feature, Feature)] = &[
    (Feature::NestedSkins, Feature::Skins),
    (Feature::SharedSkins, Feature::Skins),
    (Feature::ManyInfluences, Feature::Skins),
    (Feature::OtherBinds, Feature::Skins),
    (Feature::MorphNames, Feature::Morphs),
    (Feature::MorphWeights, Feature::Morphs),
    (Feature::Sheared, Feature::Hierarchy),
    (Feature::ManyAnimations, Feature::Animations),
    (Feature::Splines, Feature::Animations),
    (Feature::Steps, Feature::Animations),
    (Feature::MissingTextures, Feature::Textures),
    (Feature::FileTextures, Feature::Textures),
    (Feature::MovedTextures, Feature::Textures),
    (Feature::Samplers, Feature::Textures),
    (Feature::DeepExtras, Feature::Extras),
];

/// A scene that is being thought up.
pub(super) struct Draw<'a> {
    pub(super) chance: Chance,
    pub(super) features: &'a [Feature],
    pub(super) plan: Plan,
    named: usize,
}

const NAMES: &[&str] = &["hull", "arm", "wheel", "lamp", "door"];
const ODD_NAMES: &[&str] =
    &["a b", "Tür \"1\"", "x/y", "café", "back\\slash", "名前", "{x}", "a.b;c=d", "'q'", "#1 # 2"];
const KEYS: &[&str] = &["health", "team", "note", "Key 2", "größe"];

impl Draw<'_> {
    pub(super) fn new(seed: u64, features: &[Feature]) -> Draw<'_> {
        Draw { chance: Chance(seed), features, plan: Plan::default(), named: 0 }
    }

    pub(super) fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// True if a feature is on, so many times out of a hundred.
    pub(super) fn roll(&mut self, feature: Feature, share: usize) -> bool {
        let rolled = self.chance.percent(share);
        self.has(feature) && rolled
    }

    /// A name and extras.
    pub(super) fn words(&mut self, kind: &str) -> Words {
        Words { name: self.name(kind), extras: self.extras() }
    }

    fn name(&mut self, kind: &str) -> Option<String> {
        self.named += 1;
        if self.roll(Feature::EmptyNames, 35) {
            return self.chance.percent(20).then(String::new);
        }
        if self.roll(Feature::EqualNames, 50) {
            return Some((*self.chance.one_of(&NAMES[..2])).to_owned());
        }
        if self.roll(Feature::OddNames, 35) {
            return Some(format!("{} {}", self.chance.one_of(ODD_NAMES), self.named));
        }
        Some(format!("{kind}-{}-{}", self.chance.one_of(NAMES), self.named))
    }

    /// A JSON object, or nothing.
    pub(super) fn extras(&mut self) -> Option<String> {
        if !self.roll(Feature::Extras, 40) {
            return None;
        }
        let mut out = Object::default();
        for _ in 0..self.chance.between(1, 2) {
            let key = *self.chance.one_of(KEYS);
            let value = match self.chance.below(if self.has(Feature::DeepExtras) { 8 } else { 6 }) {
                0 => self.chance.between(0, 9).to_string(),
                1 => self.number(4.).to_string(),
                2 => text(["red", "", "a \"b\"", "naïve", "1"][self.chance.below(5)]),
                3 => list(&[self.number(4.), self.number(4.)]),
                4 => list(&[self.number(1.), self.number(1.), self.number(1.)]),
                5 => self.chance.percent(50).to_string(),
                6 => Object::default().put("in", 1).put("out", text("x")).done(),
                _ => list(&[text("a"), "null".to_owned(), list(&[1, 2])]),
            };
            // A key stands in an object once.
            if !out.done().contains(&text(key)) {
                out.put(key, value);
            }
        }
        Some(out.done())
    }

    /// A number up to `most` to either side.
    pub(super) fn number(&mut self, most: f32) -> f32 {
        if self.has(Feature::Fine) {
            let share = (self.chance.next() >> 40) as f32 / (1 << 24) as f32;
            return (share * 2. - 1.) * most;
        }
        let steps = (most * 16.) as usize;
        (self.chance.between(0, steps * 2) as f32 - steps as f32) / 16.
    }

    /// A number from 0 to 1.
    pub(super) fn share(&mut self) -> f32 {
        self.number(1.).abs()
    }

    pub(super) fn vector(&mut self, most: f32) -> [f32; 3] {
        [self.number(most), self.number(most), self.number(most)]
    }

    /// A vector of length 1.
    pub(super) fn unit(&mut self) -> [f32; 3] {
        loop {
            let vector = self.vector(1.).map(f64::from);
            let length = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
            if length > 0.1 {
                return vector.map(|v| (v / length) as f32);
            }
        }
    }

    pub(super) fn rotation(&mut self) -> [f32; 4] {
        if self.chance.percent(20) {
            return Trs::NONE.rotation;
        }
        let [x, y, z] = self.unit().map(f64::from);
        let half = f64::from(self.chance.between(1, 23) as u32) * std::f64::consts::PI / 24.;
        let turned = [x * half.sin(), y * half.sin(), z * half.sin(), half.cos()];
        let length = turned.iter().map(|v| v * v).sum::<f64>().sqrt();
        turned.map(|v| (v / length) as f32)
    }

    pub(super) fn scale(&mut self) -> [f32; 3] {
        const SIZES: [f32; 5] = [0.5, 0.75, 1., 1.5, 2.];
        let mut scale = [*self.chance.one_of(&SIZES); 3];
        if self.roll(Feature::Sheared, 60) {
            scale = [*self.chance.one_of(&SIZES), *self.chance.one_of(&SIZES), *self.chance.one_of(&SIZES)];
        }
        if self.roll(Feature::Mirrored, 40) {
            let axes = self.chance.between(1, 7);
            (0..3).filter(|axis| axes >> axis & 1 == 1).for_each(|axis| scale[axis] = -scale[axis]);
        }
        if self.roll(Feature::Flat, 20) {
            let axis = self.chance.below(4);
            (0..3).filter(|a| axis == *a || axis == 3).for_each(|a| scale[a] = 0.);
        }
        scale
    }

    pub(super) fn trs(&mut self) -> Trs {
        Trs { translation: self.vector(4.), rotation: self.rotation(), scale: self.scale() }
    }

    /// What is said of the file as a whole.
    pub(super) fn file(&mut self) {
        self.plan.packed = !self.has(Feature::Beside);
        if self.has(Feature::Metadata) {
            self.plan.copyright = Some("© someone, 2020".to_owned());
        }
        self.plan.extras = self.extras();
    }
}
