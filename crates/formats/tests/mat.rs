//! Materials against texts written down by hand, against the ledger (`src/mat/SPEC.md`), and against facts that an
//! independent reader measured.

#![cfg(feature = "mat")]

use findings::{Finding, Losses, Severity};
use formats::mat::{Document, KEYS, Mat, TokenKind};
use formats::{Document as _, Format, LiftCx, LowerCx, NoSource, ReadCx};
use scene::{AlphaMode, ColorChannel, ImageSource, Material, Pbr, Role, Scene, Shading};
use testing::{EveryFile, corpus_dir, golden};
use wire::Blob;

fn read(text: impl AsRef<[u8]>) -> Document {
    Mat::read(Blob::file(text.as_ref().to_vec()), &mut ReadCx::default()).expect("every text is one")
}

fn write(doc: &Document) -> Vec<u8> {
    testing::write::<Mat>(doc)
}

fn check(text: &str, asked: Option<&str>) -> Vec<Finding> {
    let format = formats::by_id("mat").expect("registered");
    let doc = format.read(Blob::file(text.as_bytes().to_vec()), &mut ReadCx::default()).expect("readable");
    doc.check(asked, &NoSource)
}

fn lift(doc: &Document) -> Scene {
    Mat::lift(doc, &mut LiftCx::new(&EveryFile)).expect("liftable")
}

fn lower(scene: &Scene, dialect: &'static str) -> (Document, Losses) {
    let lowered = testing::lower::<Mat>(scene, dialect);
    (lowered.doc, lowered.losses)
}

#[test]
fn typed_access_reads_every_kind() {
    let doc = read("name: \"a\tb\nc\"\nx: [ 1 , 2,3 ,\n4]\ny: -1e-1\non: 1.9\noff: 0.9\nnone: true\nx: [0,0,0,1]\n");
    assert_eq!(doc.string("name").as_deref(), Some(&b"a bc"[..]));
    assert_eq!(doc.color("x"), Some([0., 0., 0., 1.]), "the last one counts");
    assert_eq!(doc.number("y"), Some(-0.1));
    assert_eq!((doc.flag("on"), doc.flag("off"), doc.flag("none")), (Some(true), Some(false), None));
    assert_eq!(doc.number("absent"), None);
}

#[test]
fn changing_a_value_replaces_one_token() {
    let mut doc = read("\u{FEFF}a:1 ;\r\n\r\n roughness : 0.5;# end");
    doc.set("roughness", "0.25").expect("a value");
    assert_eq!(write(&doc), "\u{FEFF}a:1 ;\r\n\r\n roughness : 0.25;# end".as_bytes());
    doc.set("a", "\"word\"").expect("a value");
    assert_eq!(doc.tokens()[doc.find("a").expect("there").value].kind, TokenKind::String);
    assert_eq!(read(write(&doc)), doc);
}

#[test]
fn a_quote_in_a_string_is_refused() {
    // MAT-009
    let mut doc = read("diffuseTexture: \"a.png\"\n");
    for value in ["\"5\" disk.png\"", "two words", "[1]]", ""] {
        let error = doc.set("diffuseTexture", value).expect_err("no value");
        assert_eq!(error.rule().id, "MAT-009");
    }
    assert_eq!(write(&doc), b"diffuseTexture: \"a.png\"\n");
}

#[test]
fn the_other_dialect_says_the_same() {
    let mut doc = read(corpus::mat::material());
    Mat::transcode(&mut doc, &mut LowerCx::new(&NoSource, "engine")).expect("it has such a dialect");
    assert_eq!(write(&doc), corpus::mat::engine());
    Mat::transcode(&mut doc, &mut LowerCx::new(&NoSource, "spec")).expect("it has such a dialect");
    assert_eq!(write(&doc), corpus::mat::material());
    let mut doc = read("a:\n1;b : 2 ; c: 3");
    Mat::transcode(&mut doc, &mut LowerCx::new(&NoSource, "spec")).expect("it has such a dialect");
    assert_eq!((doc.dialect(), doc.pairs().len(), doc.bad().len()), ("spec", 3, 0));
}

#[test]
fn the_engine_demands_semicolons() {
    let text = "name: \"t\"\nroughness: 0.5\n";
    let severity = |found: Vec<Finding>| found.iter().find(|f| f.rule.id == "MAT-002").map(|f| (f.severity, f.count));
    assert_eq!(severity(check(text, None)), Some((Severity::Info, 2)));
    assert_eq!(severity(check(text, Some("engine"))), Some((Severity::Error, 2)));
    assert_eq!(severity(check("name: \"t\";", Some("engine"))), None);
}

fn lifted(text: &str) -> (Scene, Material) {
    let scene = lift(&read(text));
    let material = scene.materials.iter().next().expect("one material").clone();
    (scene, material)
}

#[test]
fn lift_maps_every_key() {
    let doc = read(corpus::mat::material());
    let scene = Mat::lift(&doc, &mut LiftCx::new(&EveryFile)).expect("liftable");
    let material = scene.materials.iter().next().expect("one material");
    assert_eq!(material.name.to_string(), "crate ★");
    let factors = Pbr { base_color: [1.; 4], metallic: 1., roughness: 1., specular: 1., specular_color: [1., 1., 0.5] };
    assert_eq!(material.shading, Shading::Pbr(factors));
    assert_eq!((material.emissive, material.emissive_strength), ([1.; 3], 0.5));
    assert_eq!((material.alpha_mode, material.double_sided), (AlphaMode::Additive, true));
    let roles: Vec<_> = material.slots.iter().map(|slot| (slot.role.clone(), slot.channel)).collect();
    let expected = [
        (Role::BaseColor, ColorChannel::All),
        (Role::Normal, ColorChannel::All),
        (Role::Emission, ColorChannel::All),
        (Role::Specular, ColorChannel::Red),
        (Role::Roughness, ColorChannel::Red),
        (Role::Metallic, ColorChannel::Red),
    ];
    assert_eq!(roles, expected);
    let found = scene.images.iter().filter(|i| matches!(&i.source, ImageSource::File { bytes: Some(_), .. })).count();
    assert_eq!(found, 6);
}

#[test]
fn without_statements_every_key_has_its_default() {
    let (_, material) = lifted("");
    let Shading::Pbr(pbr) = material.shading else { panic!("lit") };
    assert_eq!(pbr.base_color, [0.8, 0.8, 0.8, 1.]);
    assert_eq!((pbr.roughness, pbr.specular, pbr.metallic), (0.4, 0.9, 0.01));
    assert_eq!(material.emissive, [0.; 3]);
}

#[test]
fn texture_replaces_the_colour() {
    let (_, material) = lifted("diffuseColor: [1, 0, 0, 0.5]\nroughness: 0.5\n");
    assert_eq!((material.pbr().base_color, material.alpha_mode), ([1., 0., 0., 0.5], AlphaMode::Blend));
    let (scene, material) = lifted("diffuseColor: [1, 0, 0, 0.5]\ndiffuseTexture: \"a.png\"\n");
    assert_eq!((material.pbr().base_color, material.alpha_mode), ([1.; 4], AlphaMode::Opaque));
    let (doc, losses) = lower(&scene, "spec");
    assert_eq!(doc.color("diffuseColor"), Some([1., 0., 0., 0.5]), "the colour comes back");
    assert!(losses.is_empty(), "{losses:?}");
}

fn told(losses: &Losses) -> Vec<String> {
    losses.iter().map(|loss| format!("{} {} {}", loss.code, loss.count, loss.what)).collect()
}

#[test]
fn modes_that_have_no_key_are_listed() {
    for base in ["diffuseTexture: \"a.png\"\n", "diffuseColor: [1, 0, 0, 1]\n"] {
        for (mode, expected) in [
            (AlphaMode::Opaque, &[][..]),
            (AlphaMode::Additive, &[]),
            (AlphaMode::Blend, &["LOSS-041 1 blending by a texture's alpha"]),
            (AlphaMode::Mask(0.5), &["LOSS-041 1 cut-out by alpha"]),
        ] {
            let (mut scene, _) = lifted(base);
            scene.materials.iter_mut().for_each(|material| material.alpha_mode = mode);
            let (doc, losses) = lower(&scene, "spec");
            assert_eq!(told(&losses), expected, "{mode:?} of {base}");
            let again = lift(&doc);
            let back = again.materials.iter().next().expect("one material").alpha_mode;
            assert_eq!(back, if expected.is_empty() { mode } else { AlphaMode::Opaque }, "{base}");
            let (same, losses) = lower(&again, "spec");
            assert_eq!((write(&same), told(&losses)), (write(&doc), Vec::new()));
        }
    }
}

#[test]
fn sampling_is_listed() {
    let change: [fn(&mut scene::Texture); 4] = [
        |texture| texture.wrap[1] = scene::Wrap::Clamp,
        |texture| texture.magnify = Some(scene::Filter::Nearest),
        |texture| texture.reduce = Some((scene::Filter::Linear, None)),
        |texture| texture.projection = scene::TextureProjection::Box,
    ];
    for change in change {
        let (mut scene, _) = lifted("diffuseTexture: \"a.png\"\n");
        scene.textures.iter_mut().for_each(change);
        let (_, losses) = lower(&scene, "spec");
        let word = format!("LOSS-041 1 sampling of the {} texture", Role::BaseColor.name());
        assert_eq!(told(&losses), [word]);
    }
}

#[test]
fn shadeless_is_unlit() {
    let (scene, material) = lifted("shadeless: 1\ndiffuseColor: [1, 0, 0, 1]\n");
    assert_eq!(material.shading, Shading::Unlit { color: [1., 0., 0., 1.] });
    let (doc, _) = lower(&scene, "engine");
    assert_eq!(doc.flag("shadeless"), Some(true));
}

#[test]
fn a_changed_material_is_written_anew_and_keeps_what_the_scene_cannot_say() {
    let (mut scene, _) = lifted("name: \"t\"\nroughness: 0.5\nuseFog: 0\nsparkle: 3\n");
    for material in scene.materials.iter_mut() {
        material.shading = Shading::Pbr(Pbr { roughness: 0.25, metallic: 0., ..Pbr::default() });
    }
    let (doc, losses) = lower(&scene, "engine");
    assert_eq!((doc.number("roughness"), doc.number("metallic")), (Some(0.25), Some(0.)));
    assert_eq!((doc.flag("useFog"), doc.number("sparkle")), (Some(false), Some(3.)));
    assert_eq!(doc.dialect(), "engine");
    assert!(losses.is_empty(), "{losses:?}");
    let again = lift(&doc);
    let look = |scene: &Scene| scene.materials.iter().map(|m| (m.name.clone(), m.shading.clone())).collect::<Vec<_>>();
    assert_eq!(look(&again), look(&scene));
    assert!(
        check(std::str::from_utf8(&write(&doc)).expect("text"), None).iter().all(|f| f.severity < Severity::Warning)
    );
}

#[test]
fn specularity_texture_has_two_spellings() {
    for (dialect, key) in [("spec", "specularityTexture"), ("engine", "speculatiryTexture")] {
        let (mut scene, material) = lifted("specularityTexture: \"s.png\"\n");
        assert_eq!(material.slots[0].role, Role::Specular);
        scene.materials.iter_mut().for_each(|material| material.extras.own.clear());
        let (doc, _) = lower(&scene, dialect);
        assert_eq!(doc.string(key).as_deref(), Some(&b"s.png"[..]), "{dialect}");
    }
}

#[test]
fn every_key_is_listed_once() {
    let mut names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), KEYS.len());
}

#[test]
fn hostile_texts_take_no_time() {
    for line in ["a: [\n", "a: \"x\" [\n", ";", "a", ": ", "a:1;", "[", "\"\n", "a\n"] {
        let text = line.repeat(200_000);
        let doc = read(&text);
        assert_eq!(write(&doc).len(), text.len());
        doc.tree();
    }
}

#[test]
fn real_materials_are_as_measured() {
    let Some(dir) = corpus_dir() else { return };
    let facts = golden(&dir, "mat.json");
    assert!(!facts.is_empty());
    for fact in &facts {
        let file = fact["file"].as_str().expect("a name");
        let bytes = std::fs::read(dir.join("mat").join(file)).expect("a file");
        let doc = read(&bytes);
        assert_eq!(write(&doc), bytes, "{file}");
        assert_eq!((doc.dialect(), doc.bad().len()), ("engine", 0), "{file}");
        let props = fact["props"].as_array().expect("a list");
        assert_eq!(doc.pairs().len(), props.len(), "{file}");
        for (pair, prop) in doc.pairs().iter().zip(props) {
            let text = |i: usize| prop[i].as_str().expect("text");
            assert_eq!(doc.name(pair), text(0).as_bytes(), "{file}");
            let kind = match doc.tokens()[pair.value].kind {
                TokenKind::String => "string",
                TokenKind::Vector => "vector",
                _ => "number",
            };
            assert_eq!(kind, text(1), "{file} {}", text(0));
            let value: Vec<u8> = doc.text(pair.value).to_vec();
            let value: Vec<u8> = match kind {
                "string" => value[1..value.len() - 1].to_vec(),
                "vector" => value.into_iter().filter(|b| !b.is_ascii_whitespace()).collect(),
                _ => value,
            };
            assert_eq!(value, text(2).as_bytes(), "{file} {}", text(0));
        }
        let errors = check(std::str::from_utf8(&bytes).expect("text"), Some("engine"));
        assert!(errors.iter().all(|f| f.severity < Severity::Error), "{file}: {errors:?}");
    }
}

#[test]
fn literal_texts_are_in_the_dialect_they_were_made_in() {
    let Some(dir) = corpus_dir() else { return };
    for fact in golden(&dir, "literal.json") {
        let file = fact["file"].as_str().expect("a name");
        if file.ends_with(".mat") {
            let bytes = Blob::file(std::fs::read(dir.join("literal").join(file)).expect("a file"));
            let hint = formats::Hint { extension: Some("mat".into()) };
            let format = formats::recognise(&bytes, &hint).map(|format| format.info().id);
            assert_eq!(format, Some("mat"), "{file}");
            let doc = read(&bytes);
            assert_eq!(write(&doc), bytes[..], "{file}");
            if let Some(dialect) = fact["dialect"].as_str() {
                assert_eq!(doc.dialect(), dialect, "{file}");
            }
        }
    }
}
