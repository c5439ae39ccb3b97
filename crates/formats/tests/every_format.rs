//! What holds for every format: laws over the registry and the corpus. A format is held to them by being in
//! `formats::FORMATS`; its files come from its module in `corpus`.

use std::collections::BTreeSet;

use corpus::{Kind, RuleCase, Sample};
use findings::{Finding, Losses, Result, Severity, Stage};
use formats::{AnyDocument, AnyFormat, FORMATS, FileId, Hint, LiftCx, LowerCx, Mend, NoSource, ReadCx, Score};
use scene::{Scene, Stream, Transform};
use testing::{Doing, Files, assert_covered, lower_any};
use wire::{Blob, Node, Sink, Span};

/// Formats whose files say nothing beyond their fields, so that a document alone determines every byte: written anew, a
/// file is the same. Texts have spaces and comments, which only the read bytes know; a material is its text.
const DETERMINED: &[&str] = &["danmodel", "dgl1", "dgl2", "dgl3", "mat"];

/// Above this, laws about single bytes look at every seventh: prime to every alignment.
const EVERY_BYTE_UP_TO: usize = 8 << 10;

const READABLE: &[Kind] = &[Kind::Good, Kind::Odd];

fn readable() -> impl Iterator<Item = &'static dyn AnyFormat> {
    FORMATS.iter().copied().filter(|format| format.info().read)
}

/// Calls `law` with every sample of these kinds of the formats that this build reads.
fn each_sample(kinds: &[Kind], law: impl Fn(&'static dyn AnyFormat, &Sample, &[u8])) {
    let samples = corpus::samples();
    for format in readable() {
        let own = samples.iter().filter(|sample| sample.format == format.info().id);
        for sample in own.filter(|sample| kinds.contains(&sample.kind)) {
            let _doing = Doing(|| format!("{} sample {}", sample.format, sample.name));
            law(format, sample, &(sample.bytes)());
        }
    }
}

fn offsets(size: usize) -> impl Iterator<Item = usize> {
    (0..size).step_by(if size > EVERY_BYTE_UP_TO { 7 } else { 1 })
}

/// A document and everything that reading and checking say about it.
fn look(format: &dyn AnyFormat, bytes: &[u8], beside: &Files) -> Result<(Box<dyn AnyDocument>, Vec<Finding>)> {
    let mut cx = ReadCx::default();
    let doc = format.read(Blob::file(bytes.to_vec()), &mut cx)?;
    let mut findings = cx.findings.finish(&doc.tree());
    findings.extend(doc.check(None, beside));
    Ok((doc, findings))
}

/// The document of a file that must be readable.
fn read(format: &dyn AnyFormat, bytes: &[u8]) -> Box<dyn AnyDocument> {
    match format.read(Blob::file(bytes.to_vec()), &mut ReadCx::default()) {
        Ok(doc) => doc,
        Err(error) => panic!("cannot be read: {error}"),
    }
}

fn write(doc: &dyn AnyDocument) -> Vec<u8> {
    let mut sink = Sink::default();
    match doc.write(&mut sink) {
        Ok(()) => sink.into_vec(),
        Err(error) => panic!("cannot be written: {error}"),
    }
}

fn lift(doc: &dyn AnyDocument, beside: &Files, losses: &mut Losses) -> Scene {
    let mut cx = LiftCx::new(beside);
    let scene = doc.lift(&mut cx).unwrap_or_else(|error| panic!("cannot be lifted: {error}"));
    losses.extend(cx.losses);
    scene
}

/// The document that a scene becomes, and the files beside it.
fn lower(
    format: &dyn AnyFormat,
    dialect: &'static str,
    scene: &Scene,
    losses: &mut Losses,
) -> (Box<dyn AnyDocument>, Files) {
    let lowered = lower_any(format, scene, LowerCx::new(&NoSource, dialect));
    let lowered = lowered.unwrap_or_else(|error| panic!("cannot be lowered: {error}"));
    losses.extend(lowered.losses);
    (lowered.doc, lowered.files.into())
}

/// Whether a scene says what another one does. A transform may be a matrix in one and its parts in the other, and the
/// numbers of vertices may be of another type.
fn means(mut one: Scene, mut other: Scene) -> bool {
    let is_near = |a: &Transform, b: &Transform| a == b || a.matrix().abs_diff_eq(b.matrix(), 1e-6);
    let same_transforms = one.nodes.len() == other.nodes.len()
        && one.nodes.iter().zip(other.nodes.iter()).all(|(a, b)| is_near(&a.transform, &b.transform));
    for scene in [&mut one, &mut other] {
        scene.nodes.iter_mut().for_each(|node| node.transform = Transform::IDENTITY);
        let parts = scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        for attribute in parts.flat_map(|part| &mut part.attributes) {
            let stream = &mut attribute.stream;
            *stream = Stream::from_f64(stream.encoding().count, stream.to_f64());
        }
    }
    same_transforms && one == other
}

/// Compares files without printing them.
fn assert_same_bytes(found: &[u8], expected: &[u8], what: &str) {
    if found != expected {
        let at = found.iter().zip(expected).position(|(a, b)| a != b).unwrap_or(found.len().min(expected.len()));
        panic!("{what}: {} bytes instead of {}, the first difference is at {at}", found.len(), expected.len());
    }
}

fn is_kebab(name: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    name.split('-').all(word)
}

#[test]
fn every_format_has_samples() {
    let samples = corpus::samples();
    for format in readable() {
        let id = format.info().id;
        let own: Vec<&Sample> = samples.iter().filter(|sample| sample.format == id).collect();
        assert!(own.iter().any(|sample| sample.kind == Kind::Good), "format {id} has no good sample in corpus");
        assert_eq!(own[0].kind, Kind::Good, "the first sample of {id} is its default one");
        let names: BTreeSet<&str> = own.iter().map(|sample| sample.name).collect();
        assert_eq!(names.len(), own.len(), "two samples of {id} have one name");
        for sample in own {
            assert!(is_kebab(sample.name), "{}", sample.name);
            assert!(sample.about.ends_with('.') && sample.about.len() > 10, "{}: say what it shows", sample.name);
        }
    }
}

#[test]
fn every_sample_is_written_back_byte_for_byte() {
    each_sample(READABLE, |format, sample, bytes| {
        let mut doc = read(format, bytes);
        assert_same_bytes(&write(&*doc), bytes, "as read");
        doc.forget_raw();
        let anew = write(&*doc);
        if sample.kind == Kind::Good || DETERMINED.contains(&sample.format) {
            assert_same_bytes(&anew, bytes, "written anew");
        } else {
            assert!(doc.same(&*read(format, &anew)), "written anew, it says something else");
        }
    });
}

#[test]
fn every_document_is_read_back_as_it_was() {
    each_sample(READABLE, |format, _, bytes| {
        let mut doc = read(format, bytes);
        assert!(doc.same(&*doc.duplicate()), "a copy is not the same");
        doc.forget_raw();
        let again = read(format, &write(&*doc));
        assert!(doc.same(&*again), "it is another document");
        assert_eq!(doc.dialect(), again.dialect());
    });
}

#[test]
fn different_samples_are_different_documents() {
    // Without this, a `same` that always says yes would pass every other law.
    let samples = corpus::samples();
    for format in readable() {
        let own = samples.iter().filter(|s| s.format == format.info().id && READABLE.contains(&s.kind));
        let docs: Vec<_> = own.map(|sample| (sample.name, read(format, &(sample.bytes)()))).collect();
        for (i, (a, one)) in docs.iter().enumerate() {
            for (b, other) in &docs[..i] {
                assert!(!one.same(&**other), "{} samples {a} and {b} are the same", format.info().id);
            }
        }
    }
}

/// What makes a finding the same one in another file.
fn identity(finding: &Finding) -> (&'static str, Option<FileId>, String, Option<Span>, String) {
    let place = finding.place.clone();
    (finding.rule.id, place.file, place.path, place.span, finding.message.clone())
}

#[test]
fn every_truncation_is_noticed() {
    each_sample(READABLE, |format, sample, bytes| {
        let beside = Files::from((sample.beside)());
        let complete: BTreeSet<usize> = (sample.complete_cuts)(bytes).into_iter().collect();
        for &size in &complete {
            assert!(
                size < bytes.len() && look(format, &bytes[..size], &beside).is_ok(),
                "cut to {size} it is not complete"
            );
        }
        let (_, whole) = look(format, bytes, &beside).expect("readable");
        let whole: BTreeSet<_> = whole.iter().map(identity).collect();
        for size in offsets(bytes.len()).filter(|size| !complete.contains(size)) {
            let _doing = Doing(|| format!("its first {size} bytes"));
            if let Ok((_, findings)) = look(format, &bytes[..size], &beside) {
                let noticed = findings.iter().any(|finding| !whole.contains(&identity(finding)));
                assert!(noticed, "cut to {size} of {} bytes, nothing is said about it", bytes.len());
            }
        }
    });
}

#[test]
fn no_flipped_byte_breaks_the_way() {
    each_sample(READABLE, |format, sample, bytes| {
        let beside = Files::from((sample.beside)());
        let mut file = bytes.to_vec();
        for (at, mask) in offsets(bytes.len()).flat_map(|at| [(at, 0xFF), (at, 0x01)]) {
            let _doing = Doing(|| format!("byte {at} xor {mask:#04x}"));
            file[at] ^= mask;
            if let Ok((doc, _)) = look(format, &file, &beside) {
                assert_same_bytes(&write(&*doc), &file, "as read");
                go_all_the_way(format, &*doc, &file, &beside);
            }
            file[at] ^= mask;
        }
    });
}

#[test]
fn no_flipped_byte_beside_a_file_breaks_the_way() {
    each_sample(READABLE, |format, sample, bytes| {
        let mut beside = Files::from((sample.beside)());
        for side_file in 0..beside.0.len() {
            let size = beside.0[side_file].1.len();
            for (at, mask) in offsets(size).flat_map(|at| [(at, 0xFF), (at, 0x01)]) {
                let _doing = Doing(|| format!("side file {side_file}, byte {at} xor {mask:#04x}"));
                beside.0[side_file].1[at] ^= mask;
                let (doc, _) = look(format, bytes, &beside).expect("what lies beside a file is no part of it");
                go_all_the_way(format, &*doc, bytes, &beside);
                beside.0[side_file].1[at] ^= mask;
            }
        }
    });
}

/// Every step with a document that may hold anything. Steps may refuse; they must not panic.
fn go_all_the_way(format: &dyn AnyFormat, doc: &dyn AnyDocument, file: &[u8], beside: &Files) {
    let mut anew = doc.duplicate();
    anew.forget_raw();
    let mut sink = Sink::default();
    let written = anew.write(&mut sink);
    if DETERMINED.contains(&format.info().id) {
        written.unwrap_or_else(|error| panic!("cannot be written anew: {error}"));
        assert_same_bytes(&sink.into_vec(), file, "written anew");
    }
    assert_covered(&doc.tree(), file.len() as u64);
    doc.facts(true);
    let Ok(scene) = doc.lift(&mut LiftCx::new(beside)) else { return };
    if let Ok(lowered) = lower_any(format, &scene, LowerCx::new(beside, doc.dialect())) {
        _ = lowered.doc.write(&mut Sink::default());
    }
}

#[test]
fn no_lying_number_is_believed() {
    // A reader that takes room for two thousand million of anything does not get through this.
    each_sample(READABLE, |format, sample, bytes| {
        let beside = Files::from((sample.beside)());
        let mut file = bytes.to_vec();
        for at in offsets(bytes.len().saturating_sub(3)) {
            for lie in [i32::MAX.to_be_bytes(), i32::MAX.to_le_bytes()] {
                let _doing = Doing(|| format!("0x7FFFFFFF at {at}"));
                file[at..at + 4].copy_from_slice(&lie);
                if let Ok((doc, _)) = look(format, &file, &beside) {
                    go_all_the_way(format, &*doc, &file, &beside);
                }
            }
            file[at..at + 4].copy_from_slice(&bytes[at..at + 4]);
        }
    });
}

#[test]
fn every_sample_is_recognised_as_what_it_is() {
    each_sample(READABLE, |format, sample, bytes| {
        let file = Blob::file(bytes.to_vec());
        let id = format.info().id;
        // Content decides: neither no extension nor a wrong one may change the answer.
        let extensions = FORMATS.iter().flat_map(|format| format.info().extensions).map(|e| Some((*e).to_owned()));
        for extension in extensions.chain([None]) {
            let hint = Hint { extension };
            let found = formats::recognise(&file, &hint).map(|format| format.info().id);
            assert_eq!(found, Some(id), "with the extension {:?}", hint.extension);
            let own = format.probe(&file, &hint);
            for other in FORMATS.iter().filter(|other| other.info().id != id) {
                let score = other.probe(&file, &hint);
                assert!(score == Score::NO || score < own, "{} is as sure of it: {score:?}", other.info().id);
            }
        }
        if let Some(dialect) = sample.dialect {
            assert_eq!(read(format, bytes).dialect(), dialect);
        }
    });
}

#[test]
fn every_bad_sample_is_refused_at_a_place() {
    each_sample(&[Kind::Bad], |format, sample, bytes| {
        let Err(error) = look(format, bytes, &Files::from((sample.beside)())) else { panic!("it can be read") };
        assert!(error.place().span.is_some(), "no place: {error}");
        let prefix = error.rule().id.rsplit_once('-').map_or("", |(prefix, _)| prefix);
        assert!(format.prefixes().contains(&prefix), "no rule of its own: {error}");
        let found = formats::recognise(&Blob::file(bytes.to_vec()), &Hint::default()).map(|format| format.info().id);
        assert!(found.is_none_or(|id| id == format.info().id), "it is taken for {found:?}");
    });
}

#[test]
fn every_byte_belongs_to_one_field() {
    each_sample(READABLE, |format, _, bytes| assert_covered(&read(format, bytes).tree(), bytes.len() as u64));
}

#[test]
fn every_good_sample_passes_without_warnings() {
    each_sample(&[Kind::Good], |format, sample, bytes| {
        let (_, findings) = look(format, bytes, &Files::from((sample.beside)())).expect("readable");
        let loud = findings.iter().find(|finding| finding.severity > Severity::Info);
        assert!(loud.is_none(), "{loud:?}");
    });
}

#[test]
fn rules_are_numbered_named_and_explained() {
    let mut ids = BTreeSet::new();
    let mut names = BTreeSet::new();
    for rule in formats::rules() {
        // Formats of one family (.gltf and .glb) share their rules.
        if ids.insert(rule.id) {
            let prefix = rule.id.rsplit_once('-').map(|(prefix, _)| prefix);
            assert!(names.insert((prefix, rule.name)), "two rules of one format are called {}", rule.name);
        }
        assert!(is_kebab(rule.name), "{} {}", rule.id, rule.name);
        let (_, number) = rule.id.rsplit_once('-').expect("a prefix and a number");
        assert!(number.len() == 3 && number.bytes().all(|b| b.is_ascii_digit()), "{}", rule.id);
        let headings: Vec<&str> = rule.page.headings().collect();
        assert_eq!(headings, ["What it finds", "Why it matters", "Example", "Fix"], "{}", rule.id);
        for heading in headings {
            assert!(!rule.page.section(heading).is_empty(), "{}: nothing below {heading}", rule.id);
        }
    }
    for format in FORMATS {
        let rules = format.rules();
        assert!(rules.is_sorted_by(|a, b| a.id < b.id), "rules of {} are not sorted", format.info().id);
        for rule in rules {
            let prefix = rule.id.rsplit_once('-').map_or("", |(prefix, _)| prefix);
            assert!(format.prefixes().contains(&prefix), "{} is no rule of {}", rule.id, format.info().id);
        }
    }
}

#[test]
fn every_rule_has_a_pair_of_files() {
    let cases = corpus::rule_cases();
    let mut tests = Vec::new();
    sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &mut tests);
    for format in readable() {
        for rule in format.rules() {
            if rule.stage == Stage::Write {
                // Its recipe is a document, which only the format's own tests can make.
                assert!(tests.iter().any(|test| test.contains(rule.id)), "no test tries {}", rule.id);
            } else {
                assert!(cases.iter().any(|case| case.rule == rule.id), "{} has no case in corpus", rule.id);
            }
        }
    }
}

#[test]
fn every_rule_case_fails_in_its_place_and_its_repair_does_not() {
    for case in corpus::rule_cases() {
        let Some(format) = format_of(&case) else { continue };
        let _doing = Doing(|| format!("a case of {} at {:?}", case.rule, case.at));
        let beside = Files::from((case.beside)());
        let found = findings_of(format, &(case.fail)(), &beside);
        let own: Vec<_> = found.iter().filter(|finding| finding.rule.id == case.rule).collect();
        assert!(!own.is_empty(), "it is not raised; raised are {:?}", found.iter().map(identity).collect::<Vec<_>>());
        let place = |finding: &&Finding| (finding.place.file.clone(), finding.place.path.clone(), finding.place.span);
        let places: Vec<_> = own.iter().map(place).collect();
        let (path, span) = match case.at {
            Some((path, offset, size)) => (path, Some(Span::file(offset, size))),
            None => ("", None),
        };
        let expected = (case.at_file.map(|file| FileId(file.to_owned())), path.to_owned(), span);
        assert!(places.contains(&expected), "it is raised at {places:?} instead of {expected:?}");
        let repaired = findings_of(format, &(case.pass)(), &beside);
        let still = repaired.iter().find(|finding| finding.rule.id == case.rule);
        assert!(still.is_none(), "the repaired file raises it too: {still:?}");
    }
}

fn holds(node: &Node, span: Span) -> bool {
    span.space == node.span.space && span.offset >= node.span.offset && span.end() <= node.span.end()
}

fn is_in(node: &Node, name: &str, span: Span) -> bool {
    let inner = || node.children().unwrap_or_default().iter().any(|child| is_in(child, name, span));
    holds(node, span) && (node.name == name || inner())
}

/// What is wrong with the place of a finding: `dump` and `hex` do not find its path, or its bytes are elsewhere.
fn astray(tree: &[Node], finding: &Finding) -> Option<String> {
    let (path, rule) = (&finding.place.path, finding.rule.id);
    // What is missing has a path and no bytes.
    let span = finding.place.span.filter(|_| finding.place.file.is_none() && !path.is_empty())?;
    // An element of an accessor lies in a buffer, and the accessor in the JSON, which ends there.
    if let Some((accessor, _)) = path.split_once("][").filter(|(accessor, _)| accessor.starts_with("accessors[")) {
        let found = wire::find(tree, &format!("{accessor}]")).is_some();
        return (!found).then(|| format!("{rule} is at {path}, an element of nothing"));
    }
    let Some(node) = wire::find(tree, path) else { return Some(format!("{rule} is at {path}, which is nowhere")) };
    let last = path.rsplit('.').next().unwrap_or(path);
    // Of several fields with one name a path finds the first.
    let there = holds(&node, span) || tree.iter().any(|top| is_in(top, last, span));
    (!there).then(|| format!("{rule} is at {path}, {span}, but that is {}", node.span))
}

/// The place of a finding can be looked up with `dump` and `hex`, and its bytes are there. That of an error is a field
/// of its own; the tests of the command line look it up.
#[test]
fn places_lead_somewhere() {
    let mut lost = BTreeSet::new();
    let mut check = |format: &dyn AnyFormat, bytes: &[u8], beside: &Files| {
        let Ok((doc, findings)) = look(format, bytes, beside) else { return };
        let tree = doc.tree();
        lost.extend(findings.iter().filter_map(|finding| astray(&tree, finding)));
    };
    for sample in corpus::samples() {
        let Some(format) = formats::by_id(sample.format).filter(|format| format.info().read) else { continue };
        check(format, &(sample.bytes)(), &Files::from((sample.beside)()));
    }
    for case in corpus::rule_cases() {
        let Some(format) = format_of(&case) else { continue };
        check(format, &(case.fail)(), &Files::from((case.beside)()));
    }
    for wrong in corpus::wrong_fields() {
        let Some(format) = formats::by_id(wrong.format) else { continue };
        check(format, &wrong.file, &Files::default());
    }
    assert!(lost.is_empty(), "{} places lead nowhere:\n{}", lost.len(), Vec::from_iter(lost).join("\n"));
}

#[test]
fn whatever_is_mended_stays_mended() {
    for case in corpus::rule_cases() {
        let Some(format) = format_of(&case) else { continue };
        let _doing = Doing(|| format!("a case of {} at {:?}", case.rule, case.at));
        let (bytes, beside) = ((case.fail)(), Files::from((case.beside)()));
        let Ok((mut doc, _)) = look(format, &bytes, &beside) else { continue };
        let wanted = |rule: &findings::RuleInfo| rule.id == case.rule;
        let others = |found: &[Finding]| found.iter().map(|f| f.rule.id).collect::<BTreeSet<_>>();
        let before = others(&findings_of(format, &bytes, &beside));
        let mut untouched = true;
        for mend in [Mend::Keep, Mend::All] {
            let mended = doc.fix(mend, &wanted);
            if mended.is_empty() {
                if untouched {
                    assert_same_bytes(&write(&*doc), &bytes, "nothing was mended");
                }
                continue;
            }
            untouched = false;
            assert!(mended.iter().all(|(rule, count)| rule.id == case.rule && *count > 0), "{mended:?}");
            assert!(doc.fix(mend, &wanted).is_empty(), "it is mended a second time");
            let left = findings_of(format, &write(&*doc), &beside);
            let new: Vec<_> = others(&left).difference(&before).copied().collect();
            assert!(new.is_empty(), "mending it broke {new:?}");
            // What is still there is for the one that removes bytes.
            if doc.duplicate().fix(Mend::All, &wanted).is_empty() {
                assert!(left.iter().all(|f| f.rule.id != case.rule), "mended, it is still raised: {left:?}");
            }
        }
    }
}

#[test]
fn mending_that_keeps_everything_removes_no_byte() {
    let mut removing = BTreeSet::new();
    for case in corpus::rule_cases() {
        let Some(format) = format_of(&case) else { continue };
        let _doing = Doing(|| format!("a case of {} at {:?}", case.rule, case.at));
        let bytes = (case.fail)();
        let Ok(mut doc) = format.read(Blob::file(bytes.clone()), &mut ReadCx::default()) else { continue };
        let wanted = |rule: &findings::RuleInfo| rule.id == case.rule;
        doc.fix(Mend::Keep, &wanted);
        // How well a body is compressed is another matter.
        if doc.tree().iter().all(|node| node.inflated().is_none()) {
            assert!(write(&*doc).len() >= bytes.len(), "bytes are gone");
        }
        doc.fix(Mend::All, &wanted);
        if write(&*doc).len() < bytes.len() {
            removing.insert(case.rule);
        }
    }
    // What stands behind a model, inside of it and nowhere named, twice, or cut in the middle.
    let expected = ["DAN-009", "DAN-010", "DGL2-004", "DGL2-006", "DGL2-007", "DGL2-017", "DRG-010", "STL-004"];
    for rule in expected {
        assert!(removing.contains(rule), "{rule} removes nothing: {removing:?}");
    }
}

#[test]
fn mending_that_keeps_everything_hides_no_missing_end() {
    each_sample(&[Kind::Good], |format, sample, bytes| {
        let beside = Files::from((sample.beside)());
        let complete: BTreeSet<usize> = (sample.complete_cuts)(bytes).into_iter().collect();
        let whole: BTreeSet<_> = findings_of(format, bytes, &beside).iter().map(identity).collect();
        for size in offsets(bytes.len()).filter(|size| !complete.contains(size)) {
            let Ok((mut doc, _)) = look(format, &bytes[..size], &beside) else { continue };
            if doc.fix(Mend::Keep, &|_| true).is_empty() {
                continue;
            }
            let left = findings_of(format, &write(&*doc), &beside);
            let told = left.iter().any(|finding| !whole.contains(&identity(finding)));
            assert!(told, "cut to {size} of {} bytes and mended, it looks whole", bytes.len());
        }
    });
}

#[test]
fn nothing_is_mended_in_a_good_sample() {
    each_sample(&[Kind::Good], |format, _, bytes| {
        let mut doc = read(format, bytes);
        assert!(doc.fix(Mend::All, &|_| true).is_empty());
        assert_same_bytes(&write(&*doc), bytes, "after mending nothing");
    });
}

/// The format to read a case with: among those that have the rule, the one that recognises the repaired file.
fn format_of(case: &RuleCase) -> Option<&'static dyn AnyFormat> {
    let has_rule = |format: &&'static dyn AnyFormat| format.rules().iter().any(|rule| rule.id == case.rule);
    let recognised = formats::recognise(&Blob::file((case.pass)()), &Hint::default());
    recognised.filter(has_rule).or_else(|| readable().find(has_rule))
}

/// Findings, and the error that stopped the reader as one of them.
fn findings_of(format: &dyn AnyFormat, bytes: &[u8], beside: &Files) -> Vec<Finding> {
    match look(format, bytes, beside) {
        Ok((_, findings)) => findings,
        Err(error) => vec![Finding::from(&error)],
    }
}

#[test]
fn every_rule_case_is_of_a_rule_that_exists() {
    let prefixes: BTreeSet<&str> = FORMATS.iter().flat_map(|format| format.prefixes()).copied().collect();
    for case in corpus::rule_cases() {
        let known = !formats::rules_named(case.rule).is_empty();
        let built = prefixes.iter().any(|prefix| case.rule.strip_prefix(prefix).is_some_and(|n| n.starts_with('-')));
        assert!(known || !built, "{} is no rule", case.rule);
    }
}

/// Whether this build writes the dialect from a scene.
fn writable(format: &dyn AnyFormat, dialect: &str) -> bool {
    format.info().write && format.info().dialect(dialect).is_none_or(|dialect| dialect.write)
}

#[test]
fn asking_for_the_dialect_that_a_file_has_changes_nothing() {
    each_sample(&[Kind::Good], |format, _, bytes| {
        let mut doc = read(format, bytes);
        if writable(format, doc.dialect()) && format.info().dialects.len() > 1 {
            let mut cx = LowerCx::new(&NoSource, doc.dialect());
            doc.transcode(&mut cx).expect("it is in that dialect");
            assert!(cx.losses.is_empty(), "{:?}", cx.losses);
            assert_same_bytes(&write(&*doc), bytes, "the same dialect");
        }
    });
}

#[test]
fn every_good_sample_survives_the_way_through_the_scene() {
    each_sample(&[Kind::Good], |format, sample, bytes| {
        let doc = read(format, bytes);
        let mut losses = Losses::default();
        let beside = Files::from((sample.beside)());
        let scene = lift(&*doc, &beside, &mut losses);
        if writable(format, doc.dialect()) {
            let (lowered, beside) = lower(format, doc.dialect(), &scene, &mut losses);
            let rewritten = write(&*lowered);
            let again = read(format, &rewritten);
            if sample.format == "danmodel" {
                // Textures that are not there are told of wherever they are named.
                assert!(losses.iter().all(|loss| loss.code == "LOSS-030"), "{losses:?}");
                assert!(lowered.same(&*doc), "the lowered document differs from the one that was read");
                assert_same_bytes(&rewritten, bytes, "through the scene");
            }
            let mut again = lift(&*again, &beside, &mut Losses::default());
            // A name that the reader made up is one of the file when it was written.
            again.made_up_name = scene.made_up_name.clone();
            // Whoever wrote a file last says so.
            again.metadata.generator = scene.metadata.generator.clone();
            assert!(means(again, scene), "its scene is another one");
        }
    });
}

#[test]
fn whatever_the_scene_cannot_hold_is_listed() {
    each_sample(READABLE, |format, sample, bytes| {
        let doc = read(format, bytes);
        let mut losses = Losses::default();
        let beside = Files::from((sample.beside)());
        let scene = lift(&*doc, &beside, &mut losses);
        if writable(format, doc.dialect()) {
            let (lowered, beside) = lower(format, doc.dialect(), &scene, &mut losses);
            let mut again = lift(&*read(format, &write(&*lowered)), &beside, &mut Losses::default());
            again.made_up_name = scene.made_up_name.clone();
            again.metadata.generator = scene.metadata.generator.clone();
            assert!(means(again, scene) || !losses.is_empty(), "the scene changes, and no loss is listed");
        }
    });
}

#[test]
fn the_way_through_the_scene_is_stable() {
    each_sample(READABLE, |format, sample, bytes| {
        let doc = read(format, bytes);
        let beside = Files::from((sample.beside)());
        let mut losses = Losses::default();
        let first = lift(&*doc, &beside, &mut losses);
        assert!(first == lift(&*doc, &beside, &mut losses), "lifting twice gives two scenes");
        if writable(format, doc.dialect()) {
            let mut round = |scene: &Scene| {
                let (doc, beside) = lower(format, doc.dialect(), scene, &mut losses);
                lift(&*doc, &beside, &mut losses)
            };
            let second = round(&first);
            assert!(second == round(&second), "going round once more changes the scene");
        }
    });
}

#[test]
fn every_format_describes_itself() {
    let mut ids = BTreeSet::new();
    let mut extensions = BTreeSet::new();
    for format in FORMATS {
        let info = format.info();
        assert!(ids.insert(info.id), "two formats are called {}", info.id);
        assert!(!info.name.is_empty() && !info.about.is_empty(), "{}", info.id);
        assert!(info.read || info.write, "{} can do nothing", info.id);
        for extension in info.extensions {
            assert!(extensions.insert(extension), "two formats use .{extension}");
            assert!(formats::by_extension(&extension.to_uppercase()).is_some_and(|f| f.info().id == info.id));
        }
        assert!(formats::by_id(info.id).is_some_and(|found| found.info().id == info.id));
        assert!(!info.dialects.is_empty(), "{} has no dialect", info.id);
        let dialects: BTreeSet<&str> = info.dialects.iter().map(|dialect| dialect.id).collect();
        assert_eq!(dialects.len(), info.dialects.len(), "two dialects of {} have one name", info.id);
        for dialect in info.dialects {
            if let formats::Engine::Fails { instead } = dialect.engine {
                assert!(dialects.contains(instead), "{} has no dialect {instead}", info.id);
            }
        }
        for (row, value) in info.capabilities.rows() {
            assert!(!value.is_empty() || row == "metadata", "{}: nothing is said about {row}", info.id);
        }
        for table in info.tables {
            assert!(!table.doc.is_empty() && !table.rows.is_empty(), "{}: {} is not explained", info.id, table.name);
        }
        for option in info.options {
            assert!(is_kebab(option.name) && !option.about.is_empty(), "{} --{}", info.id, option.name);
        }
    }
}

/// The texts of every Rust file below a folder.
fn sources(folder: &std::path::Path, out: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of this crate") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(std::fs::read_to_string(&path).expect("Rust is UTF-8"));
        }
    }
}

/// The entries of a ledger: their ids, and what the column `test` says.
fn ledger(spec: &str) -> Vec<(&str, &str)> {
    let rows = spec.lines().filter_map(|line| line.strip_prefix('|')?.trim_end().strip_suffix('|'));
    let rows = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let rows = rows.skip_while(|cells| cells.last() != Some(&"test")).skip(2);
    rows.filter_map(|cells| Some((*cells.first()?, *cells.last()?))).collect()
}

#[test]
fn every_decision_of_a_ledger_is_pinned() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    sources(&here.join("tests"), &mut texts);
    sources(&here.join("src"), &mut texts);
    // What all formats share is decided below and above them.
    sources(&here.join("../fit/tests"), &mut texts);
    sources(&here.join("../pentad/tests"), &mut texts);
    sources(&here.join("../cli/tests"), &mut texts);
    for info in FORMATS.iter().map(|format| format.info()) {
        let entries = ledger(info.spec);
        assert!(!entries.is_empty(), "{} has no ledger", info.id);
        for (id, pinned_by) in entries {
            let words = || pinned_by.split(|c: char| !(c.is_ascii_alphanumeric() || "_-./".contains(c)));
            // `test`, or `file.rs: test`, the id of a rule, which has cases of its own, or a sample.
            let is_test = |word: &&str| word.contains('_') && !word.contains('.');
            let is_rule = |word: &&str| {
                let known = |prefix| word.strip_prefix(prefix).is_some_and(|n: &str| n.starts_with('-'));
                FORMATS.iter().any(|format| known(format.info().prefix))
            };
            for test in words().filter(is_test) {
                let declared = format!("fn {test}(");
                assert!(texts.iter().any(|text| text.contains(&declared)), "{} {id}: no test {test}", info.id);
            }
            for rule in words().filter(is_rule) {
                assert!(!formats::rules_named(rule).is_empty(), "{} {id}: no rule {rule}", info.id);
            }
            // A sample has its laws: it is read or refused as it says.
            let is_sample = |word: &&str| corpus::samples().iter().any(|s| s.format == info.id && s.name == *word);
            let pinned = words().any(|word| is_test(&word) || is_rule(&word) || is_sample(&word));
            assert!(pinned, "{} {id} is pinned by no test: {pinned_by}", info.id);
        }
    }
}
