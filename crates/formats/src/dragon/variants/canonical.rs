//! What the canonical layout says otherwise: alternatives are brought into it before they are written anew.

use std::borrow::Cow;
use std::collections::HashSet;

use wire::{Blob, CText, F32, Kept, Text};

use crate::dragon::layout::body::{Body, Image, Pair, Settings, Skeleton};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::rotation::Rotation;
use crate::dragon::layout::words::{AnimationType, LightType, RotationType};
use crate::dragon::layout::{Document, Section};

impl Document {
    /// The same in canonical words; itself, if it says everything in these.
    pub(in crate::dragon) fn canonicalized(&self) -> Cow<'_, Document> {
        let is_variant = !self.form.is_canonical() && self.has_other_id();
        let other_words = is_variant || self.is_of_2019() || self.sections.iter().any(|s| is_overfull(&s.body));
        let mut canonical = Cow::Borrowed(self);
        if other_words {
            canonical.to_mut().canonicalize();
        }
        canonical
    }

    fn has_other_id(&self) -> bool {
        [Guid::FILE_DOTNET, Guid::FILE_REVERSED].contains(&self.header.guid)
    }

    /// Says the same in canonical words. A canonical document stays as it is.
    pub(in crate::dragon) fn canonicalize(&mut self) {
        if self.has_other_id() {
            self.header.edit().guid = Guid::FILE;
        }
        for section in self.sections.iter_mut().filter(|section| is_overfull(&section.body)) {
            if let Body::Skeleton(skeleton) = &mut section.edit().body {
                fold_into_matrices(skeleton);
            }
        }
        if self.is_of_2019() {
            self.leave_2019();
        }
    }

    fn leave_2019(&mut self) {
        let mut names = Names::of(self);
        let mut sections = Vec::with_capacity(self.sections.len());
        for mut section in std::mem::take(&mut self.sections) {
            let is_sun = matches!(&section.body, Body::Light(light) if light.light_type == LightType::AMBIENT);
            if is_sun && section.settings.is_none() {
                let settings = Body::from(Settings { pairs: vec![directional()] });
                let guid = names.name(Kind::Settings, b"light=directional");
                sections.push(Kept::new(Section::new(guid, settings)));
                section.edit().settings = guid;
            }
            match &section.body {
                Body::Texture(texture) if texture.path_of_2019.is_some() => {
                    let path = texture.path_of_2019.clone().unwrap_or_default();
                    let guid = names.name(Kind::Image, path.bytes());
                    sections.push(Kept::new(Section::new(guid, Image { path })));
                    if let Body::Texture(texture) = &mut section.edit().body {
                        (texture.image, texture.path_of_2019) = (guid, None);
                    }
                }
                Body::AniTrack(track) if track.animation_type == AnimationType::RELATIVE_2019 => {
                    if let Body::AniTrack(track) = &mut section.edit().body {
                        track.animation_type = AnimationType::RELATIVE;
                    }
                }
                _ => {}
            }
            sections.push(section);
        }
        self.sections = sections;
    }
}

/// Whether bones have matrices and positions beside them.
fn is_overfull(body: &Body) -> bool {
    let Body::Skeleton(skeleton) = body else { return false };
    skeleton.bones.iter().any(|bone| bone.rotation.kind().is_matrix() && bone.position.is_some())
}

/// What a light of 2019 that is the sun is called today.
fn directional() -> Pair {
    let text = |text: &str| CText(Text::from(text));
    Pair::new(text("light"), text("string"), Blob::memory(b"directional".to_vec()), wire::Order::Little)
}

/// Names for new sections that no other section has.
struct Names {
    taken: HashSet<Guid>,
    ordinal: u64,
}

impl Names {
    fn of(doc: &Document) -> Names {
        Names { taken: doc.sections.iter().map(|section| section.guid).collect(), ordinal: 0 }
    }

    fn name(&mut self, kind: Kind, body: &[u8]) -> Guid {
        self.ordinal += 1;
        let attempts = (0..).map(|attempt| Guid::of(kind.tag(), self.ordinal - 1, body, attempt));
        let free = attempts.into_iter().find(|guid| !self.taken.contains(guid)).unwrap_or_default();
        self.taken.insert(free);
        free
    }
}

/// Matrices leave no room for position and scale: a matrix of 4 by 4 is the whole transform, one of 3 by 3 becomes one.
fn fold_into_matrices(skeleton: &mut Skeleton) {
    skeleton.rotation_type = RotationType::MAT4;
    for bone in &mut skeleton.bones {
        let (position, scale) = (bone.position.take().unwrap_or_default(), bone.scale.take());
        let scale = scale.unwrap_or([F32(1.); 3]).map(F32::get);
        if let Rotation::Matrix3(matrix) = bone.rotation {
            let m = matrix.map(F32::get);
            let column = |c: usize| [m[3 * c] * scale[c], m[3 * c + 1] * scale[c], m[3 * c + 2] * scale[c]];
            let ([a, b, c], [d, e, f], [g, h, i]) = (column(0), column(1), column(2));
            let [x, y, z] = position.map(F32::get);
            let whole = [a, b, c, 0., d, e, f, 0., g, h, i, 0., x, y, z, 1.];
            bone.rotation = Rotation::Matrix4(whole.map(F32));
        }
    }
}
