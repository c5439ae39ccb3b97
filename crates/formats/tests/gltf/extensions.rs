//! Extensions that a scene has no words for: through a scene and back they are whole, and their numbers follow.

use formats::gltf::{EXTENSIONS, Glb, Gltf};
use formats::{Format, LiftCx, NoSource, Options, ReadCx, by_id};
use scene::{Id, ImageSource, Scene, Semantic, Track};
use serde_json::{Value as Json, json};
use wire::Blob;

use crate::support::{Parsed, lift_document, package, uri};

/// The first bytes of a KTX2 file.
const KTX2: &[u8] = b"\xABKTX 20\xBB\r\n\x1A\n\0\0\0\0";

/// Three textures: 0 is shown by nothing, 1 by a coating, 2 by the base colour, from a KTX2 beside a PNG.
fn coated() -> Json {
    let png = uri(crate::support::PIXEL);
    let floats: Vec<u8> = [0_f32, 1., 1., 0., 0., 1., 0., 1., 0., 1.].iter().flat_map(|v| v.to_le_bytes()).collect();
    json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["EXT_lights_image_based", "KHR_animation_pointer", "KHR_materials_clearcoat",
            "KHR_materials_variants", "KHR_texture_basisu", "KHR_texture_transform"],
        "extensions": { "EXT_lights_image_based": { "lights": [{ "specularImages": [[1, 0]] }] } },
        "scenes": [{ "nodes": [0] }], "scene": 0,
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "TEXCOORD_0": 3 }, "material": 1, "extensions": {
            "KHR_materials_variants": { "mappings": [{ "material": 0, "variants": [0] }, { "material": 1, "variants": [1] }] } } }] }],
        "materials": [
            { "name": "gone" },
            { "name": "stays", "pbrMetallicRoughness": { "baseColorTexture": { "index": 2 } }, "extensions": {
                "KHR_materials_clearcoat": { "clearcoatFactor": 1, "clearcoatTexture": { "index": 1, "texCoord": 0,
                    "extensions": { "KHR_texture_transform": { "scale": [2, 2] } } } } } },
        ],
        "textures": [{ "source": 0 }, { "extensions": { "KHR_texture_basisu": { "source": 1 } } },
            { "source": 0, "extensions": { "KHR_texture_basisu": { "source": 1 } } }],
        "images": [{ "uri": png }, { "uri": uri(KTX2), "mimeType": "image/ktx2" }],
        "animations": [{
            "channels": [{ "sampler": 0, "target": { "path": "pointer", "extensions": { "KHR_animation_pointer":
                { "pointer": "/materials/1/pbrMetallicRoughness/baseColorFactor" } } } }],
            "samplers": [{ "input": 1, "output": 2 }] }],
        "accessors": [
            { "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0] },
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4" },
            { "componentType": 5126, "count": 3, "type": "VEC2" },
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 8 }, { "buffer": 0, "byteOffset": 8, "byteLength": 32 }],
        "buffers": [{ "byteLength": 40, "uri": uri(&floats) }],
    })
}

fn lifted(json: &Json) -> Scene {
    let doc = Gltf::read(Blob::file(json.to_string()), &mut ReadCx::default()).unwrap();
    lift_document(&doc, &NoSource).0
}

fn lowered(scene: &Scene) -> (Parsed, Vec<String>) {
    let (_, file, losses) = package::<Glb>(scene, &Options::default());
    (Parsed::new(&file), losses)
}

#[test]
fn extensions_stay_whole_through_a_scene() {
    let source = coated();
    let (there, losses) = lowered(&lifted(&source));
    assert_eq!(losses, [""; 0]);
    for key in ["extensionsUsed", "extensions", "materials", "textures"] {
        assert_eq!(there.json[key], source[key], "{key}");
    }
    assert_eq!(
        there.json["meshes"][0]["primitives"][0]["extensions"],
        source["meshes"][0]["primitives"][0]["extensions"]
    );
    let target = |json: &Json| json["animations"][0]["channels"][0]["target"].clone();
    assert_eq!(target(&there.json), target(&source));
    assert_eq!(there.json["images"][1]["mimeType"], "image/ktx2");
    assert_eq!(there.view(&there.json["images"][1]["bufferView"]), KTX2);
}

#[test]
fn numbers_follow_what_they_name() {
    let mut scene = lifted(&coated());
    // Without texture 0 and material 0, all others stand one place earlier.
    scene.keep_images(&[false, true, true], &[true, true]);
    let materials: Vec<_> = scene.materials.iter().skip(1).cloned().collect();
    scene.materials.clear();
    materials.into_iter().for_each(|material| _ = scene.materials.add(material));
    scene.meshes[Id::new(0)].primitives[0].material = Some(Id::new(0));
    let (there, losses) = lowered(&scene);
    let coat = &there.json["materials"][0]["extensions"]["KHR_materials_clearcoat"]["clearcoatTexture"];
    assert_eq!(coat["index"], 0);
    let variants = &there.json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"];
    assert_eq!(*variants, json!({ "mappings": [{ "material": 0, "variants": [1] }] }));
    let pointer = &there.json["animations"][0]["channels"][0]["target"]["extensions"]["KHR_animation_pointer"];
    assert_eq!(pointer["pointer"], "/materials/0/pbrMetallicRoughness/baseColorFactor");
    assert_eq!(losses, ["LOSS-055 file: what KHR_materials_variants says of objects"]);
    assert!(!there.json.to_string().contains("\"number\""));
}

#[test]
fn images_that_others_do_not_expect_are_what_a_texture_shows_where_it_has_no_other() {
    let scene = lifted(&coated());
    let image = |texture: usize| scene.textures[Id::new(texture)].image.map(Id::index);
    assert_eq!([image(0), image(1), image(2)], [Some(0), Some(1), Some(0)]);
    // One that was made a PNG is named as every PNG is.
    let mut scene = scene;
    scene.images[Id::new(1)].source =
        ImageSource::Embedded { mime: "image/png".into(), bytes: Blob::memory(crate::support::PIXEL.to_vec()) };
    let (there, _) = lowered(&scene);
    assert_eq!(there.json["textures"][1], json!({ "source": 1 }));
}

#[test]
fn other_targets_lose_each_extension_once() {
    let Some(target) = by_id("das2") else { return };
    let (scene, losses) = testing::fitted(&lifted(&coated()), target.info());
    let of_extensions = losses.entries().into_iter().filter(|entry| entry.first.what.contains("extension"));
    let mut told: Vec<&str> = of_extensions.map(|entry| entry.first.what.as_str()).collect();
    told.sort_unstable();
    let expected = [
        "glTF extension EXT_lights_image_based",
        "glTF extension KHR_materials_clearcoat",
        "glTF extension KHR_materials_variants",
        "glTF extension KHR_texture_basisu",
        "tracks of the glTF extension KHR_animation_pointer",
    ];
    assert_eq!(told, expected);
    let channels = scene.animations.iter().flat_map(|animation| &animation.channels);
    assert_eq!(channels.filter(|channel| matches!(channel.track, Track::Other { .. })).count(), 0);
}

#[test]
fn draco_is_told_once_and_refused() {
    // Accessors without views are zeros, unless an extension has their numbers.
    let hidden = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_draco_mesh_compression"], "extensionsRequired": ["KHR_draco_mesh_compression"],
        "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "NORMAL": 1, "POSITION": 0, "WEIGHTS_0": 3 }, "indices": 2,
            "extensions": { "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": { "NORMAL": 1, "POSITION": 0 } } } }] }],
        "accessors": [
            { "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
            { "componentType": 5126, "count": 3, "type": "VEC3" },
            { "componentType": 5123, "count": 3, "type": "SCALAR" },
            { "componentType": 5126, "count": 3, "type": "VEC4" },
        ],
        "bufferViews": [{ "buffer": 0, "byteLength": 8 }],
        "buffers": [{ "byteLength": 8, "uri": uri(&[0; 8]) }],
    });
    let gltf = by_id("gltf").unwrap();
    let doc = gltf.read(Blob::file(hidden.to_string()), &mut ReadCx::default()).unwrap();
    let found: Vec<_> = doc.check(None, &NoSource).iter().map(|finding| finding.rule.id).collect();
    assert_eq!(found, ["GLTF-011"]);
    let error = doc.lift(&mut LiftCx::new(&NoSource)).unwrap_err();
    assert_eq!(error.rule().id, "GLTF-010");
}

#[test]
fn numbers_that_draco_and_buffers_have_come_from_the_buffers() {
    let mut both = coated();
    both["meshes"][0]["primitives"][0]["extensions"] = json!({ "KHR_draco_mesh_compression":
        { "bufferView": 0, "attributes": { "POSITION": 0 } } });
    both["accessors"][0] = json!({ "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3",
        "min": [0, 0, 0], "max": [1, 1, 1] });
    let scene = lifted(&both);
    let primitive = &scene.meshes[Id::new(0)].primitives[0];
    assert_eq!(primitive.get(&Semantic::Position).map(|stream| stream.len()), Some(2));
    assert!(primitive.extras.extensions.is_empty());
}

#[test]
fn every_extension_is_declared_once() {
    let mut names: Vec<&str> = EXTENSIONS.iter().map(|extension| extension.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}
