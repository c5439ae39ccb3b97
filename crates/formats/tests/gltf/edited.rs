//! Files that pentad wrote and somebody changed: what travels beside the file's own words never undoes the change.

use formats::gltf::{Document, Glb};
use formats::{NoSource, Options};
use scene::*;

use crate::support::*;

#[test]
fn a_default_material_that_somebody_gave_words_is_a_material() {
    let (package, ..) = package::<Glb>(&scene_of(vec![triangle()]), &Options::default());
    let material = |edit: &dyn Fn(&mut formats::gltf::schema::Material)| {
        let mut doc = package.document.clone();
        edit(&mut doc.root.edit().materials[0]);
        let (scene, findings) = lift_document(&doc, &NoSource);
        (scene.meshes[Id::new(0)].primitives[0].material.map(|id| scene.materials[id].clone()), findings.len())
    };
    assert_eq!(material(&|_| ()), (None, 0));
    let (named, findings) = material(&|material| material.name = Some("mine".into()));
    assert_eq!((named.unwrap().name, findings), ("mine".into(), 1));
    let (worded, findings) = material(&|material| material.extras.as_mut().unwrap()["mine"] = serde_json::json!(1));
    let words = Value::Map([("mine".to_owned(), Value::Int(1))].into_iter().collect());
    assert_eq!((worded.unwrap().extras.foreign, findings), (Some(words), 1));
}

/// Blender's own types have no lists of different types and no nothing: it writes such words back as Python prints them.
#[test]
fn words_that_blender_printed_are_read() {
    let mut scene = scene_of(vec![triangle()]);
    let node = &mut scene.nodes[Id::new(0)];
    node.properties.push(("count".into(), Value::Int(-7)));
    node.properties.push(("it's".into(), Value::Null));
    let mut doc = package::<Glb>(&scene, &Options::default()).0.document;
    let extras = doc.root.edit().nodes[0].extras.as_mut().unwrap();
    assert_eq!(extras["pentad"], serde_json::json!({ "properties": [["count", -7], ["it's", null]] }));
    extras["pentad"] = r#"{'properties': [['count', -7], ["it's", None]]}"#.into();
    let (back, findings) = lift_document(&doc, &NoSource);
    assert_eq!((&back.nodes[Id::new(0)].properties, findings), (&scene.nodes[Id::new(0)].properties, vec![]));
}

/// Programs that take pictures out of a GLB name their files after them.
#[test]
fn pictures_are_called_like_their_files() {
    let scene = textured();
    let (package, file, _) = package::<Glb>(&scene, &Options::default());
    assert_eq!(Parsed::new(&file).json["images"][0]["name"], "wood grain");
    let image = |doc: &Document| lift_document(doc, &NoSource).0.images[Id::new(0)].name.to_string();
    assert_eq!(image(&package.document), "", "it had no name");
    let mut doc = package.document;
    doc.root.edit().images[0].name = Some("elm".to_owned());
    assert_eq!(image(&doc), "elm");
}

/// What is said of a Phong material beside its colours holds on in other colours, but not for a metal.
#[test]
fn a_recoloured_phong_material_is_phong() {
    let phong = Phong { diffuse: [2., 0.5, 0., 1.], specular: [0.5; 4], ambient: [0.25; 4], shininess: 12. };
    let mut scene = scene_of(vec![triangle()]);
    scene.materials.add(Material { shading: Shading::Phong(phong), ..Material::default() });
    let doc = package::<Glb>(&scene, &Options::default()).0.document;
    let edited = |edit: &dyn Fn(&mut formats::gltf::schema::PbrMetallicRoughness)| {
        let mut doc = doc.clone();
        let material = &mut doc.root.edit().materials[0];
        edit(material.pbr_metallic_roughness.as_mut().unwrap());
        let (scene, findings) = lift_document(&doc, &NoSource);
        (scene.materials[Id::new(0)].shading.clone(), findings.len())
    };
    let green = |pbr: &mut formats::gltf::schema::PbrMetallicRoughness| {
        pbr.base_color_factor.as_mut().unwrap()[1] = formats::gltf::schema::Real(0.75);
    };
    let recoloured = Phong { diffuse: [2., 0.75, 0., 1.], ..phong };
    assert_eq!(edited(&green), (Shading::Phong(recoloured), 0), "red, which glTF shows as 1, is still 2");
    let (metal, findings) = edited(&|pbr| pbr.metallic_factor = Some(formats::gltf::schema::Real(1.)));
    assert!(matches!(metal, Shading::Pbr(_)) && findings == 1, "{metal:?}");
}
