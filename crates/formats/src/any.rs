//! The registry's view of a format: the same steps with the types erased.

use std::any::Any;
use std::cell::OnceCell;
use std::marker::PhantomData;

use findings::{Checker, Error, FILE_004, FILE_RULES, Finding, Place, Result, RuleInfo};
use rayon::prelude::*;
use scene::Scene;
use wire::{Blob, Budget, Node, Sink, Span};

use crate::carry::{Carried, Key};
use crate::restore::{Merged, Three};
use crate::{Document, FORMATS, Facts, Format, Hint, Info, LiftCx, LowerCx, NamedFile, Package, ReadCx, Score, Source};

/// A format whose types are erased.
pub trait AnyFormat: Sync {
    /// What it says about itself.
    fn info(&self) -> &'static Info;
    /// Its rules, without their checks.
    fn rules(&self) -> Vec<&'static RuleInfo>;
    /// See [`Format::PREFIXES`].
    fn prefixes(&self) -> &'static [&'static str];
    /// See [`Format::MULTIPLIES`].
    fn multiplies(&self) -> bool;
    /// See [`Format::MEANT`].
    fn meant(&self) -> &'static [&'static str];
    /// See [`Format::KEYS`].
    fn keys(&self) -> &'static [Key];
    /// See [`Format::probe`].
    fn probe(&self, file: &Blob, hint: &Hint) -> Score;
    /// See [`Format::read`].
    ///
    /// # Errors
    /// As there, and if this build cannot read the format.
    fn read(&self, file: Blob, cx: &mut ReadCx<'_>) -> Result<Box<dyn AnyDocument>>;
    /// See [`Format::refer`].
    fn refer(&self, scene: &mut Scene, cx: &mut LowerCx<'_>);
    /// See [`Format::lower`]; the scene must have been fitted.
    ///
    /// # Errors
    /// As there.
    fn lower(&self, scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Box<dyn AnyDocument>>>;
    /// See [`Format::merge`]; nothing for documents of another type.
    fn merge(&self, three: Three<'_, dyn AnyDocument>) -> Option<Merged<Box<dyn AnyDocument>>>;
    /// See [`Format::repack`]; nothing for documents of another type.
    ///
    /// # Errors
    /// As there.
    fn repack(&self, document: &dyn AnyDocument, cx: &mut LowerCx<'_>)
    -> Result<Option<Package<Box<dyn AnyDocument>>>>;
}

/// How far mending goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mend {
    /// Nothing is removed, and a file that may have been cut short still says so.
    Keep,
    /// Unused bytes are removed too, and what is there is taken for all there was.
    All,
}

/// A document whose type is erased.
pub trait AnyDocument: Send + Sync {
    /// Its format.
    fn format(&self) -> &'static dyn AnyFormat;
    /// See [`Document::dialect`].
    fn dialect(&self) -> &'static str;
    /// See [`Document::tree`].
    fn tree(&self) -> Vec<Node>;
    /// See [`Document::facts`].
    fn facts(&self, full: bool) -> Facts;
    /// See [`Document::forget_raw`].
    fn forget_raw(&mut self);
    /// Runs every rule of the format, on all threads. `asked` is the dialect the user asks about; `source` is where the
    /// files that the model names are looked for.
    fn check(&self, asked: Option<&str>, source: &dyn Source) -> Vec<Finding> {
        self.check_within(asked, source, &Budget::default())
    }
    /// The same, with so much that each rule may make.
    fn check_within(&self, asked: Option<&str>, source: &dyn Source, limits: &Budget) -> Vec<Finding>;
    /// Mends what can be mended without judgement, for every rule that is `wanted`; says which rules mended how many
    /// places.
    fn fix(&mut self, mend: Mend, wanted: &dyn Fn(&RuleInfo) -> bool) -> Vec<(&'static RuleInfo, u64)>;
    /// See [`Format::write`].
    ///
    /// # Errors
    /// As there.
    fn write(&self, out: &mut Sink) -> Result<()>;
    /// See [`Format::transcode`].
    ///
    /// # Errors
    /// As there.
    fn transcode(&mut self, cx: &mut LowerCx<'_>) -> Result<()>;
    /// See [`Format::named`].
    fn named(&self, source: &dyn Source) -> Vec<NamedFile>;
    /// See [`Format::carried`].
    fn carried(&self, cx: &mut LiftCx<'_>) -> Option<Carried>;
    /// See [`Format::lift`].
    ///
    /// # Errors
    /// As there.
    fn lift(&self, cx: &mut LiftCx<'_>) -> Result<Scene>;
    /// Whether the other is a document of the same format with the same content.
    fn same(&self, other: &dyn AnyDocument) -> bool;
    /// See [`Format::says_still`]; each with where the files beside it are.
    fn says_still(&self, beside: &dyn Source, other: &dyn AnyDocument, beside_other: &dyn Source) -> bool;
    /// A copy; the bytes stay shared.
    fn duplicate(&self) -> Box<dyn AnyDocument>;
    /// Itself, to get back its type.
    fn as_any(&self) -> &dyn Any;
}

pub(crate) struct Erased<F>(PhantomData<F>);

impl<F> Erased<F> {
    pub(crate) const NEW: Erased<F> = Erased(PhantomData);
}

struct Held<F: Format>(F::Document);

fn held<F: Format>(package: Package<F::Document>) -> Package<Box<dyn AnyDocument>> {
    let Package { document, side_files } = package;
    Package { document: Box::new(Held::<F>(document)), side_files }
}

/// What was made, unless something was left out of it because the run may not make so much.
fn within<T>(made: Result<T>, limits: &Budget) -> Result<T> {
    let made = made?;
    limits.check().map_err(|exceeded| Error::exceeded(Place::file(), exceeded))?;
    Ok(made)
}

trait Registered: Format + Sized {
    const ENTRY: &'static Erased<Self> = &Erased::NEW;
    const HELD_INFO: &'static Info = &Self::INFO;
}
impl<F: Format> Registered for F {}

impl<F: Format> AnyFormat for Erased<F> {
    fn info(&self) -> &'static Info {
        F::HELD_INFO
    }
    fn rules(&self) -> Vec<&'static RuleInfo> {
        F::RULES.iter().map(|rule| &rule.info).collect()
    }
    fn prefixes(&self) -> &'static [&'static str] {
        F::PREFIXES
    }
    fn multiplies(&self) -> bool {
        F::MULTIPLIES
    }
    fn meant(&self) -> &'static [&'static str] {
        F::MEANT
    }
    fn keys(&self) -> &'static [Key] {
        F::KEYS
    }
    fn probe(&self, file: &Blob, hint: &Hint) -> Score {
        F::probe(file, hint)
    }
    fn read(&self, file: Blob, cx: &mut ReadCx<'_>) -> Result<Box<dyn AnyDocument>> {
        if !F::HELD_INFO.read {
            let message = format!("{} can be written but not read by this version", F::HELD_INFO.name);
            let place = Place::bytes("", file.slice(..file.len().min(4)).span());
            return Err(Error::new(findings::ErrorKind::Unsupported, &FILE_004, place, message));
        }
        Ok(Box::new(Held::<F>(F::read(file, cx).map_err(Error::at_its_count)?)))
    }
    fn refer(&self, scene: &mut Scene, cx: &mut LowerCx<'_>) {
        F::refer(scene, cx);
    }
    fn lower(&self, scene: &Scene, cx: &mut LowerCx<'_>) -> Result<Package<Box<dyn AnyDocument>>> {
        within(F::lower(scene, cx), &cx.limits).map(held::<F>)
    }
    fn merge(&self, three: Three<'_, dyn AnyDocument>) -> Option<Merged<Box<dyn AnyDocument>>> {
        fn typed<D: 'static>(document: &dyn AnyDocument) -> Option<&D> {
            document.as_any().downcast_ref()
        }
        let (origin, base, ours) = (typed(three.origin)?, typed(three.base)?, typed(three.ours)?);
        let Merged { document, tally } = F::merge(Three { origin, base, ours })?;
        Some(Merged { document: Box::new(Held::<F>(document)), tally })
    }
    fn repack(
        &self,
        document: &dyn AnyDocument,
        cx: &mut LowerCx<'_>,
    ) -> Result<Option<Package<Box<dyn AnyDocument>>>> {
        let Some(document) = document.as_any().downcast_ref::<F::Document>() else { return Ok(None) };
        Ok(within(F::repack(document, cx), &cx.limits)?.map(held::<F>))
    }
}

impl<F: Format> AnyDocument for Held<F> {
    fn format(&self) -> &'static dyn AnyFormat {
        F::ENTRY
    }
    fn dialect(&self) -> &'static str {
        self.0.dialect()
    }
    fn tree(&self) -> Vec<Node> {
        wire::in_order(self.0.tree())
    }
    fn facts(&self, full: bool) -> Facts {
        self.0.facts(full)
    }
    fn forget_raw(&mut self) {
        self.0.forget_raw();
    }
    fn check_within(&self, asked: Option<&str>, source: &dyn Source, limits: &Budget) -> Vec<Finding> {
        let one = |rule: &&'static findings::Rule<F::Document>| {
            let mut checker = Checker::new(asked).with_source(source).within(limits.fork());
            checker.set_rule(&rule.info);
            if let Some(check) = rule.check {
                check(&self.0, &mut checker);
            }
            checker
        };
        let checkers: Vec<Checker<'_>> = F::RULES.par_iter().map(one).collect();
        // Made behind the rules: who makes it on all threads must not wait for itself.
        let tree = OnceCell::new();
        let finish = |checker: Checker<'_>| checker.finish_with(|| tree.get_or_init(|| self.tree()));
        let mut findings: Vec<Finding> = checkers.into_iter().flat_map(finish).collect();
        findings::sort(&mut findings);
        findings
    }
    fn fix(&mut self, mend: Mend, wanted: &dyn Fn(&RuleInfo) -> bool) -> Vec<(&'static RuleInfo, u64)> {
        let mut one = |rule: &'static findings::Rule<F::Document>| {
            let steps = [rule.fix, rule.cut.filter(|_| mend == Mend::All)];
            (&rule.info, steps.into_iter().flatten().map(|step| step(&mut self.0)).sum())
        };
        let wanted = F::RULES.iter().filter(|rule| wanted(&rule.info));
        wanted.map(|rule| one(rule)).filter(|(_, count)| *count > 0).collect()
    }
    fn write(&self, out: &mut Sink) -> Result<()> {
        F::write(&self.0, out)
    }
    fn transcode(&mut self, cx: &mut LowerCx<'_>) -> Result<()> {
        within(F::transcode(&mut self.0, cx), &cx.limits)
    }
    fn named(&self, source: &dyn Source) -> Vec<NamedFile> {
        F::named(&self.0, source)
    }
    fn carried(&self, cx: &mut LiftCx<'_>) -> Option<Carried> {
        F::carried(&self.0, cx)
    }
    fn lift(&self, cx: &mut LiftCx<'_>) -> Result<Scene> {
        within(F::lift(&self.0, cx), &cx.limits)
    }
    fn same(&self, other: &dyn AnyDocument) -> bool {
        other.as_any().downcast_ref::<F::Document>().is_some_and(|other| *other == self.0)
    }
    fn says_still(&self, beside: &dyn Source, other: &dyn AnyDocument, beside_other: &dyn Source) -> bool {
        let other = other.as_any().downcast_ref::<F::Document>();
        other.is_some_and(|other| F::says_still(&self.0, other, beside, beside_other))
    }
    fn duplicate(&self) -> Box<dyn AnyDocument> {
        Box::new(Held::<F>(self.0.clone()))
    }
    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}

/// The format whose content this is: the surest one, and among equally sure ones that of the extension.
pub fn recognise(file: &Blob, hint: &Hint) -> Option<&'static dyn AnyFormat> {
    surest(&asked(hint, |format| format.probe(file, hint))).map(|answer| answer.format)
}

/// The format of a file that was found and not named: that of its extension, unless the content is of another one.
/// It takes structure to say that, and a mark where the format of the extension has no objection.
pub fn recognise_named(file: &Blob, hint: &Hint) -> Option<&'static dyn AnyFormat> {
    chosen_by_name(hint, |format| format.probe(file, hint))
}

fn chosen_by_name(hint: &Hint, probe: impl Fn(&dyn AnyFormat) -> Score) -> Option<&'static dyn AnyFormat> {
    let own = crate::by_extension(hint.extension.as_deref()?)?.info().id;
    let answers = asked(hint, probe);
    let own = answers.iter().find(|answer| answer.format.info().id == own)?;
    let fits = own.score > Score::NO;
    let enough = if fits { Score::SURE } else { Score::LIKELY };
    let other = surest(&answers).filter(|other| other.score >= enough);
    other.or_else(|| fits.then_some(own)).map(|answer| answer.format)
}

/// What a format answers when it is asked about a file.
struct Answer {
    score: Score,
    /// Whether the file's extension is one of its own.
    named: bool,
    format: &'static dyn AnyFormat,
}

/// Asks every format, once: some walk the whole file for their answer.
fn asked(hint: &Hint, probe: impl Fn(&dyn AnyFormat) -> Score) -> Vec<Answer> {
    let extension = hint.extension.as_deref().unwrap_or_default();
    let named = |info: &Info| info.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension));
    let answer = |&format| Answer { score: probe(format), named: named(format.info()), format };
    FORMATS.iter().map(answer).collect()
}

fn surest(answers: &[Answer]) -> Option<&Answer> {
    let best = answers.iter().rev().max_by_key(|answer| (answer.score, answer.named))?;
    (best.score > Score::NO).then_some(best)
}

/// The field of an outline that is the fault.
pub const FAULT: &str = "fault";

/// Which field owns which byte of a file that could not be read: what was read, the fault, and the rest as unread bytes.
pub fn outline(file: &Blob, error: &Error) -> Vec<Node> {
    let (rule, place) = (error.rule(), error.place());
    let at = place.span.filter(|_| place.file.is_none()).unwrap_or(Span { size: 0, ..file.span() });
    let message =
        if place.path.is_empty() { error.message().to_owned() } else { format!("{}: {}", place.path, error.message()) };
    let fault = Node::leaf(FAULT, format!("{} {}", rule.id, rule.name), at);
    let read = wire::in_order(error.what_was_read());
    wire::outline(read, fault.with_value(wire::Value::Text(Blob::memory(message.into_bytes()))), file)
}

/// Every rule of every format, those about files first. Formats that share a document share its rules; they are listed
/// once.
pub fn rules() -> Vec<&'static RuleInfo> {
    let mut seen = std::collections::HashSet::new();
    let all = FILE_RULES.iter().copied().chain(FORMATS.iter().flat_map(|format| format.rules()));
    all.filter(|rule| seen.insert(rule.id)).collect()
}

/// The rules with this id or name; ids in any case. Rules of several formats may share a name, never an id.
pub fn rules_named(name: &str) -> Vec<&'static RuleInfo> {
    rules().into_iter().filter(|rule| rule.id.eq_ignore_ascii_case(name) || rule.name == name).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn every_format_is_asked_once() {
        for extension in FORMATS.iter().flat_map(|format| format.info().extensions) {
            let hint = Hint { extension: Some((*extension).to_owned()) };
            for score in [Score::NO, Score::MAYBE, Score::LIKELY, Score::SURE] {
                let calls = RefCell::new(Vec::new());
                chosen_by_name(&hint, |format| {
                    calls.borrow_mut().push(format.info().id);
                    score
                });
                let ids: Vec<&str> = FORMATS.iter().map(|format| format.info().id).collect();
                assert_eq!(calls.into_inner(), ids, "{extension} {score:?}");
            }
        }
    }
}
