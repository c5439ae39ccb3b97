//! Scenes nobody thought of go to every format and back, and an evaluation that shares no code with the library says
//! what became of them: every difference is told by a loss of the object it is about, and every loss shows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod classes;
mod compare;
mod facts;
mod gltf;
mod law;
mod pose;
mod room;
mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pentad::findings::{Error, Loss};
use pentad::formats::{self, FORMATS};
use pentad::{ConvertOptions, Corrections, SaveOptions, convert, open, save};
use shown::Model;

/// A target and the dialect it is written in; from glTF to glTF, `scene` goes through the scene.
type Way = (&'static str, &'static str);

/// The dialect of a way from glTF to glTF that does not take the bytes as they are.
const SCENE: &str = "scene";

/// Every dialect of every format that can be written and shows shapes.
fn ways() -> Vec<Way> {
    let formats = FORMATS.iter().map(|format| format.info()).filter(|info| info.write);
    let formats = formats.filter(|info| !info.capabilities.topologies.is_empty());
    let dialects = formats.flat_map(|i| i.dialects.iter().filter(|d| d.write).map(|dialect| (i.id, dialect.id)));
    dialects.chain([("gltf", SCENE), ("glb", SCENE)]).collect()
}

/// Writes the scene of a number to a folder.
fn lay(seed: u64, folder: &Path) -> PathBuf {
    let made = corpus::random::scene(seed);
    for (name, bytes) in &made.beside {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let path = folder.join(made.name);
    std::fs::write(&path, &made.bytes).unwrap();
    path
}

/// Converts, writes and reads again.
fn go(from: &Path, to: &'static str, dialect: Option<&str>, stem: &str) -> Result<(PathBuf, Vec<Loss>), Error> {
    let target = formats::by_id(to).unwrap();
    let scale = (dialect == Some(SCENE)).then_some(1.);
    let corrections = Corrections { scale, ..Corrections::default() };
    let dialect = dialect.filter(|dialect| *dialect != SCENE).map(str::to_owned);
    let options = ConvertOptions { dialect, stem: stem.to_owned(), corrections, ..ConvertOptions::to(target) };
    let converted = convert(&open(from)?, &options)?;
    let path = from.parent().unwrap().join(format!("{stem}.{}", target.info().extensions[0]));
    save(&converted, &path, &SaveOptions { force: true, ..SaveOptions::default() })?;
    Ok((path, converted.losses.iter().cloned().collect()))
}

/// What breaks the law on one way.
fn breaches(source: &Path, (format, dialect): Way) -> Result<Vec<String>, Error> {
    let (there, first) = go(source, format, Some(dialect), &format!("{format}-{dialect}"))?;
    let (back, second) = go(&there, "glb", None, &format!("{format}-{dialect}-back"))?;
    let (a, b) = (Model::open(source), Model::open(&back));
    let losses: Vec<(Loss, bool)> =
        first.into_iter().map(|loss| (loss, false)).chain(second.into_iter().map(|loss| (loss, true))).collect();
    let has_room = |(loss, second): &&(Loss, bool)| !second && !room::is_expected(loss.code, format, dialect);
    let mut breaches = law::breaches(format, &a, &compare::differences(&a, &b), &losses);
    breaches.extend(
        losses.iter().filter(has_room).map(|(loss, _)| format!("room for {}|{loss} ({})", loss.code, loss.why)),
    );
    Ok(breaches)
}

/// Everything that breaks the law on all ways of some seeds, by what kind of thing it is.
#[allow(clippy::print_stdout)]
fn search(seeds: &[u64], ways: &[Way]) -> BTreeMap<String, (u64, u64, String)> {
    let found = Mutex::new(BTreeMap::<String, (u64, u64, String)>::new());
    let next = AtomicUsize::new(0);
    // Lists every breach, not only the first of each kind.
    let each = std::env::var_os("PENTAD_EACH").is_some();
    let work = || {
        loop {
            let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let folder = tempfile::tempdir().unwrap();
            let kept = std::env::var_os("PENTAD_KEEP").map(|kept| PathBuf::from(kept).join(seed.to_string()));
            kept.iter().for_each(|kept| std::fs::create_dir_all(kept).unwrap());
            let source = lay(seed, kept.as_deref().unwrap_or(folder.path()));
            for way in ways {
                let all = breaches(&source, *way).unwrap_or_else(|error| vec![format!("refused|{error}")]);
                let mut found = found.lock().unwrap();
                for breach in all {
                    if each {
                        println!("{seed} {} {} {breach}", way.0, way.1);
                    }
                    let kind = breach.split('|').next().unwrap_or_default();
                    let entry = found.entry(format!("{} {} {kind}", way.0, way.1)).or_insert((0, seed, breach.clone()));
                    entry.0 += 1;
                    if seed < entry.1 {
                        (entry.1, entry.2) = (seed, breach.clone());
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        (0..threads).for_each(|_| _ = scope.spawn(work));
    });
    found.into_inner().unwrap()
}

/// Seeds beyond the first ones that showed a fault, and what it was.
const PINNED: &[(u64, &str)] = &[
    (220, "a stored alpha that counts for nothing is lost all the same (obj)"),
    (400, "a bone that shines is a light that hangs nowhere (dgl3)"),
    (522, "MSFT_lod that is not understood kept the numbers of nodes that were numbered anew, here of its own node"),
    (540, "sets of texture coordinates that took over transforms were told as made up (das2)"),
    (557, "normals got digits that nobody gave them where nothing turned (ply)"),
    (797, "corners were turned round by the sign of a flat map's rounding error"),
    (1098, "coordinates that had changed places were overwritten by those of a texture laid out otherwise (dragon)"),
    (1105, "the place of a copy was told as that of its node"),
    (1106, "the same, of nodes that it did not name"),
    (1437, "a part got a second set of texture coordinates, and nobody was told (dgl2)"),
    (1524, "a single key was told to be sampled (dgl3)"),
    (1720, "bones below a bone that shines hang on the bone (dgl3)"),
    (2302, "the inverse of a transform that is flat but for rounding was taken for one"),
    (2851, "the inverse of a transform that is flat but for rounding was taken for one (dragon)"),
    (3131, "what a skin showed in the place of a hidden node without a size was shown (dgl2)"),
    (4902, "a light was said to lose a movement that turns a point (dragon)"),
    (7786, "a light stood where the joints of its node's mesh have that (dgl3)"),
    (8160, "coordinates took over the transform of a texture that was left out (das2)"),
    (8378, "weights at rest were told of the first part of a mesh, which they did not move (dgl3)"),
    (10531, "a light was said to lose a movement whose keys are all what the rest is (dragon)"),
    (12748, "an image got another name with its file, and nobody was told (das2)"),
    (16678, "a skinned mesh whose node has no size stayed in its bind pose (dragon)"),
    (17449, "weights that move a mesh which stands once were left behind (gltf)"),
    (19005, "shear that an animation makes at its frames was told by nobody (dragon)"),
];

/// The seeds of a variable, as `200..3200`, or those that are always run.
fn seeds() -> Vec<u64> {
    let Ok(text) = std::env::var("PENTAD_SEEDS") else {
        let extended = (0..60).map(|seed| 1_000_000 + seed);
        return (0..200).chain(extended).chain(PINNED.iter().map(|(seed, _)| *seed)).collect();
    };
    let (from, to) = text.split_once("..").expect("PENTAD_SEEDS is like 200..3200");
    (from.parse().unwrap()..to.parse().unwrap()).collect()
}

#[test]
#[allow(clippy::print_stdout)]
fn every_difference_is_told_and_every_loss_shows() {
    let only = std::env::var("PENTAD_WAYS").unwrap_or_default();
    let is_wanted = |way: &Way| only.is_empty() || only.split(',').any(|id| id == way.0);
    let ways: Vec<Way> = ways().into_iter().filter(is_wanted).collect();
    let found = search(&seeds(), &ways);
    let mut new = 0;
    for (kind, (count, seed, example)) in &found {
        let known = law::KNOWN.iter().any(|(format, kinds)| {
            kind.split(' ').next() == Some(*format) && kinds.iter().any(|known| kind.ends_with(known))
        });
        new += usize::from(!known);
        let mark = if known { "known" } else { "NEW" };
        println!("{mark} {kind}: {count}, first in {seed}: {example}");
    }
    assert_eq!(new, 0, "kinds of breaches that are not known");
}

/// Every `fn` of the tests of the workspace.
fn tests_below(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            tests_below(&entry, names);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&entry).unwrap();
            let called = |line: &str| Some(line.trim().strip_prefix("fn ")?.split('(').next()?.to_owned());
            names.extend(text.split("#[test]").skip(1).filter_map(|test| test.lines().find_map(called)));
        }
    }
}

#[test]
fn every_code_is_seen_or_covered_by_a_test() {
    let mut tests = BTreeSet::new();
    for package in ["cli", "fit", "formats", "pentad"] {
        tests_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("tests"), &mut tests);
    }
    let seen: BTreeSet<&str> = law::SEEN.iter().map(|seen| seen.code).collect();
    let unseen: BTreeSet<&str> = room::UNSEEN.iter().map(|(code, _)| *code).collect();
    assert!(unseen.len() <= 15 && seen.is_disjoint(&unseen), "{unseen:?}");
    let all: BTreeSet<&str> = pentad::scene::loss::LOSSES.iter().map(|info| info.code).collect();
    assert_eq!(seen.union(&unseen).copied().collect::<BTreeSet<_>>(), all);
    let missing: Vec<_> = room::UNSEEN.iter().filter(|(_, test)| !tests.contains(*test)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
