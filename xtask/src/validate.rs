//! Every glTF file that pentad makes, before the Khronos validator.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use corpus::random::Feature;
use pentad::formats;

use crate::Result;
use crate::test::{Outcome, corpus};
use crate::workspace::{cargo, files_below, have, program, root, run as start, target};

/// The last release; the validator has no newer one.
const PACKAGE: &str = "gltf-validator@2.0.0-dev.3.10";

/// Files of these extensions are models with a geometry of their own.
const EXTENSIONS: &[&str] = &["danmodel", "dgl", "dgl2", "dgl3", "das", "das2", "dragon", "obj"];

/// How many random scenes are validated.
const RANDOM_SCENES: u64 = 50;

/// Both containers of glTF.
const TARGETS: &[&str] = &["glb", "gltf"];

pub(crate) fn check() -> Result<Outcome> {
    if !TARGETS.iter().all(|id| formats::by_id(id).is_some_and(|format| format.info().write)) {
        return Outcome::skipped("this build writes no glTF");
    }
    if !have("node") || !have("npm") {
        return Outcome::skipped("no node, no npm");
    }
    let Ok(validator) = installed() else { return Outcome::skipped("gltf-validator could not be installed") };
    // As xtask itself was built, so that nothing is built twice.
    start(&mut cargo("build --quiet -p xtask -p pentad-cli --bin pentad"))?;
    let folder = target("validate")?;
    fs::remove_dir_all(&folder)?;
    let (mut made, mut refused) = (Vec::new(), 0);
    for (number, model) in models(&folder)?.into_iter().enumerate() {
        for id in TARGETS {
            let out = folder.join(format!("{number:03}-{}", model.name())).join("model").with_extension(id);
            match convert(&model.path, &out)? {
                true => made.push(out),
                false if model.is_ours => {
                    return Err(format!("{} does not convert to {id}", model.path.display()).into());
                }
                false => refused += 1,
            }
        }
    }
    made.extend(random_scenes(&folder)?);
    validate(&validator, &made)?;
    let note = if corpus().is_none() { "; without real files, which PENTAD_CORPUS would name" } else { "" };
    Ok(Outcome::Done(format!("{} files without an error; {refused} conversions refused{note}", made.len())))
}

fn installed() -> Result<PathBuf> {
    let folder = target("tools/gltf-validator")?;
    let module = folder.join("node_modules/gltf-validator");
    if !module.is_dir() {
        start(
            program("npm")
                .args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
                .arg(&folder)
                .arg(PACKAGE),
        )?;
    }
    Ok(module)
}

struct Model {
    path: PathBuf,
    /// One of our own good samples, which must convert.
    is_ours: bool,
}

impl Model {
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Our good samples, written to `folder`, and the real files.
fn models(folder: &Path) -> Result<Vec<Model>> {
    let mut models = Vec::new();
    for sample in corpus::samples() {
        let Some(info) = formats::by_id(sample.format).map(|f| f.info()).filter(|info| info.read) else { continue };
        if sample.kind != corpus::Kind::Good {
            continue;
        }
        // A folder each: files of the same name may lie beside several samples.
        let name = format!("{}-{}", info.id, sample.name);
        let folder = folder.join("samples").join(&name);
        fs::create_dir_all(&folder)?;
        for (beside, bytes) in (sample.beside)() {
            fs::write(folder.join(beside), bytes)?;
        }
        let path = folder.join(name).with_extension(info.extensions.first().unwrap_or(&info.id));
        fs::write(&path, (sample.bytes)())?;
        models.push(Model { path, is_ours: true });
    }
    let is_model = |path: &PathBuf| path.extension().is_some_and(|own| EXTENSIONS.iter().any(|e| own == *e));
    let real = corpus().map_or(Ok(Vec::new()), |folder| files_below(&folder))?;
    models.extend(real.into_iter().filter(is_model).map(|path| Model { path, is_ours: false }));
    Ok(models)
}

/// Scenes made from numbers, which must be valid before anyone converts them.
fn random_scenes(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut made = Vec::new();
    for seed in 0..RANDOM_SCENES {
        let mut features = corpus::random::scene(seed).features;
        // What is wrong on purpose is an error to the validator.
        features.retain(|feature| ![Feature::MissingTextures, Feature::LooseWeights].contains(feature));
        let scene = corpus::random::with(seed, &features);
        let folder = folder.join(format!("random-{seed}"));
        for (name, bytes) in scene.beside.iter().map(|(n, b)| (n.as_str(), b)).chain([(scene.name, &scene.bytes)]) {
            let path = folder.join(name);
            path.parent().map(fs::create_dir_all).transpose()?;
            fs::write(path, bytes)?;
        }
        made.push(folder.join(scene.name));
    }
    Ok(made)
}

/// The program as it was built last.
pub(crate) fn pentad() -> PathBuf {
    root().join("target/debug").join(format!("pentad{}", std::env::consts::EXE_SUFFIX))
}

/// Whether the file could be converted; it need not be, but the program has to end as it promises.
fn convert(model: &Path, out: &Path) -> Result<bool> {
    out.parent().map(fs::create_dir_all).transpose()?;
    let ran = program(pentad()).arg("convert").arg(model).arg(out).output()?;
    match ran.status.code() {
        Some(0) => Ok(true),
        Some(2) => Ok(false),
        _ => Err(format!(
            "convert {} ended with {}\n{}",
            model.display(),
            ran.status,
            String::from_utf8_lossy(&ran.stderr)
        )
        .into()),
    }
}

fn validate(validator: &Path, files: &[PathBuf]) -> Result {
    let mut command = program("node");
    command.arg(root().join("xtask/src/validate.js")).arg(validator).stdin(Stdio::piped());
    let mut node = command.spawn()?;
    let paths: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
    node.stdin.take().ok_or("node has no standard input")?.write_all(paths.as_bytes())?;
    if node.wait()?.success() { Ok(()) } else { Err("the validator finds errors".into()) }
}
