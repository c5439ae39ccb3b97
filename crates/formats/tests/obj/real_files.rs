//! Real files.

use super::files::exercise;
use super::*;
use testing::{beside, corpus_dir};

#[test]
fn corpus_files_read_without_errors() {
    let Some(corpus) = corpus_dir() else { return };
    let mut count = 0;
    for folder in ["obj", "danmodel"] {
        for entry in std::fs::read_dir(corpus.join(folder)).expect("the corpus has it") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_none_or(|extension| extension != "obj") {
                continue;
            }
            count += 1;
            let text = std::fs::read(&path).expect("it can be read");
            let found = formats::recognise(&Blob::file(text.clone()), &Hint::default()).expect("it is recognised");
            assert_eq!(found.info().id, "obj", "{}", path.display());
            exercise(&text);
            let findings = check_with(&text, &beside(&path));
            let errors: Vec<_> = findings.iter().filter(|f| f.severity == Severity::Error).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", path.display());
            let (scene, _) = lift_with(&text, &beside(&path));
            let triangles: u64 = scene.meshes.iter().flat_map(|m| &m.primitives).map(Primitive::triangle_count).sum();
            let counts = held(&text).facts(true).counts;
            assert_eq!(Some(triangles), counts.triangles, "{}", path.display());
            assert_eq!(Some(scene.nodes.len() as u64), counts.nodes, "{}", path.display());
            let drawn = scene.meshes.iter().flat_map(|m| &m.primitives).flat_map(corners);
            assert!(drawn.eq(naive_corners(&text)), "{}", path.display());
            println!("{}: {triangles} triangles, {:?}", path.display(), said(&findings));
        }
    }
    assert!(count > 0);
}

/// The positions of all corners of all faces, read in the plainest way there is.
fn naive_corners(text: &[u8]) -> Vec<[f32; 3]> {
    let text = String::from_utf8_lossy(text);
    let (mut positions, mut corners) = (Vec::<[f32; 3]>::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["v", x, y, z, ..] => positions.push([x, y, z].map(|word| word.parse().expect("a number"))),
            ["f", ..] => corners.extend(words[1..].iter().map(|corner| {
                let v = corner.split('/').next().and_then(|v| v.parse::<usize>().ok());
                positions[v.expect("an index") - 1]
            })),
            _ => {}
        }
    }
    corners
}

/// Every file of another format, with and without its extension.
fn others(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the corpus has it") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            others(&path, out);
        } else if path.extension().is_none_or(|extension| extension != "obj") {
            out.push(path);
        }
    }
}

#[test]
fn corpus_files_of_other_formats_are_not_claimed() {
    let Some(corpus) = corpus_dir() else { return };
    let mut files = Vec::new();
    others(&corpus, &mut files);
    for path in files {
        let file = Blob::file(std::fs::read(&path).expect("it can be read"));
        for extension in [None, path.extension().map(|e| e.to_string_lossy().into_owned())] {
            assert_eq!(Obj::probe(&file, &Hint { extension }), Score::NO, "{}", path.display());
        }
    }
}

/// The mod's converter made heart.danmodel from heart.obj; so do we, byte for byte.
#[cfg(feature = "danmodel")]
#[test]
fn heart_becomes_the_danmodel_that_the_mod_has() {
    use formats::{LowerCx, Options, danmodel::DanModel};
    let Some(corpus) = corpus_dir() else { return };
    let path = corpus.join("danmodel/heart.obj");
    let (scene, findings) = lift_with(&std::fs::read(&path).expect("it is there"), &beside(&path));
    assert!(findings.is_empty(), "{findings:?}");
    let mut options = Options::default();
    options.set("danmaku-colored", "Outer_OuterMesh");
    let cx = LowerCx { options: &options, ..LowerCx::new(&NoSource, "engine") };
    let made = testing::write::<DanModel>(&testing::lower_in::<DanModel>(&scene, cx).doc);
    let expected = std::fs::read(corpus.join("danmodel/heart.danmodel")).expect("it is there");
    assert!(made == expected, "the bytes differ");
}
