//! What the program behind a format loads of what is written for it.

use findings::{Losses, Result, RuleInfo, Severity};
use fit::fit;
use formats::{
    AnyDocument, AnyFormat, Beside, DialectInfo, Engine, Info, Lack, SideFile, Source, decode_images,
    make_images_loadable,
};
use scene::Scene;
use scene::loss::LOSS_015;
use wire::Budget;

use crate::ConvertOptions;

/// What the program cannot load and files that are made for it do without; nothing if nothing is to be left out.
pub(crate) fn lacks(options: &ConvertOptions) -> Option<&'static [Lack]> {
    let asked = options.dialect.as_deref().filter(|_| !options.keep_unloadable)?;
    match options.to.info().dialect(asked)?.engine {
        Engine::LoadsWithout(lacks) => Some(lacks),
        _ => None,
    }
}

/// The scene as the target can hold it, and as its program can load it.
pub(crate) fn fitted(
    scene: &Scene,
    target: &Info,
    lacks: &[Lack],
    losses: &mut Losses,
    limits: &Budget,
) -> Result<Scene> {
    let whole = target.target();
    let shown = if lacks.contains(&Lack::Animations) { whole.at_rest() } else { whole };
    let mut fitted = fit(scene, &shown, limits, losses)?;
    if !target.capabilities.carries && !target.capabilities.textures.is_lost() && is_gltf(scene) {
        decode_images(&mut fitted, target.name, losses, limits);
    }
    make_images_loadable(&mut fitted, lacks, losses, limits);
    Ok(fitted)
}

/// Whether a scene came from glTF, whose extensions allow images that other formats do not expect.
fn is_gltf(scene: &Scene) -> bool {
    scene.origin.as_ref().is_some_and(|origin| matches!(origin.format.as_str(), "gltf" | "glb"))
}

/// Takes away all that a scene says in words of the target alone, and which file of it the scene was: those words may be
/// what the program stops at.
pub(crate) fn forget_own_words(scene: &mut Scene, target: &dyn AnyFormat, losses: &mut Losses) {
    scene.origin = None;
    let own = format!("{}.", target.info().id);
    let mut lost = 0;
    for extras in scene.extras_mut() {
        lost += extras.own.extract_if(.., |(key, _)| key.starts_with(&own)).count() as u64;
    }
    if lost > 0 {
        let what = format!("what only {} says", target.info().name);
        losses.add(&LOSS_015, "file", lost, what, "the engine stops at some of it");
    }
}

/// The rules by which the program behind a format does not load a document that is right by itself, if it was asked for
/// in the program's dialect.
pub(crate) fn stops(
    document: &dyn AnyDocument,
    files: &[SideFile],
    source: &dyn Source,
    options: &ConvertOptions,
) -> Vec<&'static RuleInfo> {
    let asked = options.dialect.as_ref().and_then(|id| options.to.info().dialect(id));
    let loads = |dialect: &&DialectInfo| matches!(dialect.engine, Engine::Loads | Engine::LoadsWithout(_));
    let Some(dialect) = asked.filter(loads) else { return Vec::new() };
    let findings = document.check(Some(dialect.id), &Beside::new(files, source));
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.rule);
    let mut rules: Vec<&'static RuleInfo> = errors.filter(|rule| rule.severity < Severity::Error).collect();
    rules.sort_unstable_by_key(|rule| rule.id);
    rules.dedup_by_key(|rule| rule.id);
    rules
}

/// One line about what the program will not load.
pub(crate) fn note(rules: &[&RuleInfo], dialect: &str) -> Option<String> {
    let rules: Vec<String> = rules.iter().map(|rule| format!("{} {}", rule.id, rule.name)).collect();
    let help = format!("pentad check --dialect {dialect} shows where");
    (!rules.is_empty()).then(|| format!("the engine will not load all of it ({}); {help}", rules.join(", ")))
}
