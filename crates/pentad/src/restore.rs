//! The way back of a source that travelled: the very bytes while nobody edited, and after an edit those of all that was
//! not edited. See [`formats::restore`].

use std::collections::{HashMap, HashSet};

use findings::Result;
use formats::carry::{Carried, Shaped};
use formats::restore::{Merged, Tally, Three};
use formats::{AnyDocument, Beside, LowerCx, NoRoom, Options, SideFile, Textures};
use scene::{ImageSource, Scene};

use crate::convert::{Lifted, Way, bring};
use crate::{Asset, ConvertOptions, Converted, Corrections};

/// What shaped a file that a source travels in, beside that source.
pub(crate) fn shaped(way: &Way<'_>) -> Shaped {
    let Corrections { up, unit, scale, uv_origin } = way.options.corrections;
    let words = [
        ("up", up.map(|up| up.name().to_owned())),
        ("unit", unit.map(|unit| unit.to_string())),
        ("scale", scale.map(|scale| scale.to_string())),
        ("uv-origin", uv_origin.map(|origin| origin.name().to_owned())),
        ("textures", Some(way.textures.name().to_owned())),
    ];
    words.into_iter().filter_map(|(key, word)| Some((key.to_owned(), word?))).collect()
}

/// What becomes of a source when nobody edits it.
enum Unedited {
    /// The file at hand.
    Still,
    /// This, and the file at hand differs from what it was made of.
    Lowered(Converted),
}

impl Way<'_> {
    /// The source that travels in the file, with what somebody changed there.
    pub(crate) fn restored(&self, mut lifted: Lifted) -> Result<Converted> {
        let Some(carried) = lifted.carried.clone() else { return self.lowered(lifted, false) };
        let findings = std::mem::take(&mut lifted.findings);
        let with_findings = |mut converted: Converted| {
            converted.findings.splice(..0, findings);
            converted
        };
        let files = with_images(&carried.beside, &lifted.scene);
        let folder = self.asset.source();
        let source = Beside::new(&files, &*folder);
        let unedited = match self.unedited(&carried, &mut lifted, &files) {
            Ok(Unedited::Still) => return self.transcode(&*carried.document, &source).map(with_findings),
            Ok(Unedited::Lowered(base)) => Ok(base),
            Err(error) if error.is_limit() => return Err(error),
            Err(error) => Err(error),
        };
        let here = self.asset.made(self.asset.document().duplicate(), files.clone());
        let mut ours = Way { asset: &here, limits: self.limits.clone(), ..*self }.lowered(lifted, false)?;
        let base = match unedited {
            Ok(base) => base,
            Err(error) => {
                ours.notes.insert(0, format!("the source that travels in the file is not used: {}", error.message()));
                return Ok(with_findings(ours));
            }
        };
        if base.document.same(&*ours.document) && are_alike(&base.side_files, &ours.side_files) {
            return self.transcode(&*carried.document, &source).map(with_findings);
        }
        let note = match Some(()).filter(|()| !carried.is_corrected()) {
            Some(()) => self.merge(&*carried.document, &base, &mut ours, &source)?.map(|tally| {
                let Tally { changed, all } = tally;
                format!(
                    "{changed} of {all} objects changed; the others are taken from the source that travels in the file"
                )
            }),
            None => None,
        };
        let anew = || "somebody changed the model; it is written anew as a whole".to_owned();
        ours.notes.insert(0, note.unwrap_or_else(anew));
        Ok(with_findings(ours))
    }

    /// A file in its own format with other axes, units or sizes: what that does not change keeps its bytes.
    pub(crate) fn corrected(&self, lifted: Lifted) -> Result<Converted> {
        let plain = ConvertOptions { corrections: Corrections::default(), ..self.options.clone() };
        let base = Way { options: &plain, limits: self.limits.fork(), ..*self }.lowered(lifted.clone(), false)?;
        let mut ours = self.lowered(lifted, false)?;
        self.merge(self.asset.document(), &base, &mut ours, &Beside::new(&[], &*self.asset.source()))?;
        Ok(ours)
    }

    /// Takes from an origin what ours says as the base does; nothing if the format has no units, or if those of the
    /// three do not correspond.
    fn merge(
        &self,
        origin: &dyn AnyDocument,
        base: &Converted,
        ours: &mut Converted,
        source: &Beside<'_>,
    ) -> Result<Option<Tally>> {
        let origin = self.in_dialect(origin, ours.document.dialect())?;
        let three = Three { origin: &*origin, base: &*base.document, ours: &*ours.document };
        let Some(Merged { document, tally }) = self.options.to.merge(three) else { return Ok(None) };
        // What happens to the source when nobody edits it, the merge takes back.
        ours.losses.leave_out_same(&base.losses);
        ours.side_files = self.merged_files(&*document, &base.side_files, ours, source);
        ours.document = document;
        Ok(Some(tally))
    }

    /// What becomes of the source when nobody edits it.
    fn unedited(&self, carried: &Carried, lifted: &mut Lifted, files: &[SideFile]) -> Result<Unedited> {
        let twin = self.twin(carried, files)?;
        if self.asset.document().says_still(&*self.asset.source(), twin.document(), &*twin.source()) {
            return Ok(Unedited::Still);
        }
        let way = Way { asset: &twin, limits: self.limits.clone(), ..*self };
        let mut unedited = way.lifted()?;
        // Which program wrote the file last is no edit.
        unedited.scene.metadata.generator = lifted.scene.metadata.generator.clone();
        unedited.carried = lifted.carried.clone();
        take_transforms(&mut lifted.scene, &unedited.scene);
        way.lowered(unedited, false).map(Unedited::Lowered)
    }

    /// The file at hand as this version writes it when nobody edits it.
    fn twin(&self, carried: &Carried, files: &[SideFile]) -> Result<Asset> {
        let origin = self.asset.made(carried.document.duplicate(), files.to_vec());
        let (corrections, textures) = read_shaped(&carried.shaped);
        let options = ConvertOptions { corrections, ..ConvertOptions::to(self.asset.document().format()) };
        let way = Way { asset: &origin, options: &options, room: &NoRoom, textures, limits: self.limits.clone() };
        let lifted = way.lifted()?;
        let Converted { document, side_files, .. } = way.lowered(lifted, false)?;
        Ok(self.asset.made(document, [&side_files[..], files].concat()))
    }

    /// An origin in the dialect that is written and with the options of the target.
    fn in_dialect(&self, origin: &dyn AnyDocument, dialect: &'static str) -> Result<Box<dyn AnyDocument>> {
        let mut document = origin.duplicate();
        let options = self.options.options.without(formats::TEXTURES.name);
        if document.dialect() != dialect || !options.is_empty() {
            let folder = self.asset.source();
            let mut cx = LowerCx { dialect, options: &options, ..self.lowering(&*folder) };
            document.transcode(&mut cx)?;
        }
        Ok(document)
    }

    /// The files beside a merged document: those of ours that somebody changed or that only ours has, and what the
    /// document names of those that travelled.
    fn merged_files(
        &self,
        document: &dyn AnyDocument,
        base: &[SideFile],
        ours: &Converted,
        source: &Beside<'_>,
    ) -> Vec<SideFile> {
        let base: HashMap<&str, &SideFile> = base.iter().map(|file| (file.name.as_str(), file)).collect();
        let as_it_was = |file: &&SideFile| {
            source.get(&file.name).is_some() && base.get(file.name.as_str()).is_some_and(|own| is_same(own, file))
        };
        let (old, new): (Vec<&SideFile>, Vec<&SideFile>) = ours.side_files.iter().partition(as_it_was);
        let options = Options::default();
        let mut cx = LowerCx { options: &options, ..self.lowering(source) };
        cx.side_files.put_back(new.into_iter().cloned().collect());
        for file in old {
            if let Some(own) = source.get(&file.name) {
                cx.side_files.keep(&own.name, own.bytes.clone());
            }
        }
        bring(document, true, &mut cx);
        cx.side_files.take()
    }
}

/// What shaped the file, from words; what is no word says nothing.
fn read_shaped(shaped: &Shaped) -> (Corrections, Textures) {
    let get = |key: &str| shaped.iter().find(|(own, _)| own == key).map(|(_, word)| word.as_str());
    let corrections = Corrections {
        up: get("up").and_then(|word| scene::UpAxis::ALL.into_iter().find(|axis| axis.name() == word)),
        unit: get("unit").and_then(|word| word.parse().ok()),
        scale: get("scale").and_then(|word| word.parse().ok()),
        uv_origin: get("uv-origin").and_then(|word| {
            [scene::UvOrigin::Top, scene::UvOrigin::Bottom].into_iter().find(|own| own.name() == word)
        }),
    };
    (corrections, get("textures").and_then(Textures::named).unwrap_or_default())
}

/// What a rounded number of 32 bits may be off, by its size.
const ROUNDING: f64 = 1e-6;

/// Takes the transforms of a base where they differ in how they are said alone: programs write a matrix as translation,
/// rotation and scale, and leave out a rotation that cannot be seen.
fn take_transforms(ours: &mut Scene, base: &Scene) {
    for (node, was) in ours.nodes.iter_mut().zip(base.nodes.iter()).filter(|(node, was)| node.name == was.name) {
        let [is, base] = [node.transform, was.transform].map(|transform| transform.matrix());
        let near = |at: usize| (is.col(at) - base.col(at)).length() <= ROUNDING * base.col(at).truncate().length();
        if (0..4).all(near) {
            node.transform = was.transform;
        }
    }
}

fn is_same(a: &SideFile, b: &SideFile) -> bool {
    a.name == b.name && a.bytes == b.bytes
}

fn are_alike(a: &[SideFile], b: &[SideFile]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
}

/// Files that travelled, and beside them the images of a scene under the paths it names them by.
fn with_images(files: &[SideFile], scene: &Scene) -> Vec<SideFile> {
    let mut names: HashSet<String> = files.iter().map(|file| file.name.clone()).collect();
    let mut files = files.to_vec();
    for image in scene.images.iter() {
        if let ImageSource::File { path, bytes: Some(bytes) } = &image.source {
            let name = path.to_string().replace('\\', "/");
            if names.insert(name.clone()) {
                files.push(SideFile { name, bytes: bytes.clone() });
            }
        }
    }
    files
}
