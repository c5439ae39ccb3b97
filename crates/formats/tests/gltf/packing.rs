//! Textures that glTF wants in one image, and images of kinds it does not hold.

use formats::gltf::schema::{Real, Root};
use formats::gltf::{Glb, Gltf};
use formats::{Format, LiftCx, LowerCx, NoSource, Source};
use image::{DynamicImage, GrayImage, ImageFormat, RgbaImage};
use scene::*;
use serde_json::{Value as Json, json};

use crate::support::*;

fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    picture.into().write_to(&mut file, format).unwrap();
    file.into_inner()
}

fn gray(width: u32, values: &[u8]) -> Vec<u8> {
    encoded(GrayImage::from_raw(width, values.len() as u32 / width, values.to_vec()).unwrap(), ImageFormat::Png)
}

fn rgba(width: u32, pixels: &[[u8; 4]]) -> Vec<u8> {
    let bytes = pixels.concat();
    encoded(RgbaImage::from_raw(width, pixels.len() as u32 / width, bytes).unwrap(), ImageFormat::Png)
}

/// A triangle with a material; each texture has a role, a channel, a path and bytes.
fn surface(pbr: Pbr, textures: Vec<(Role, ColorChannel, &str, Vec<u8>)>) -> Scene {
    let mut scene = Scene::new();
    let mut slots = Vec::new();
    for (role, channel, path, bytes) in textures {
        let known = scene.images.entries().find(|(_, image)| image.name.to_string() == path).map(|(id, _)| id);
        let source = ImageSource::File { path: path.into(), bytes: Some(wire::Blob::memory(bytes)) };
        let image =
            known.unwrap_or_else(|| scene.images.add(Image { name: path.into(), source, extras: Extras::default() }));
        let known = scene.textures.entries().find(|(_, texture)| texture.image == Some(image)).map(|(id, _)| id);
        let texture = known.unwrap_or_else(|| scene.textures.add(Texture::new(image)));
        slots.push(slot(role, texture, channel));
    }
    let material = scene.materials.add(Material { shading: Shading::Pbr(pbr), slots, ..Material::default() });
    let uvs = Stream::from_f32(2, vec![0., 0., 1., 0., 0., 1.]);
    let primitive = Primitive { material: Some(material), ..triangle().with(Semantic::TexCoord(0), uvs) };
    let mesh = scene.meshes.add(mesh_of(vec![primitive]));
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

fn pixels(parsed: &Parsed, texture: &Json) -> (Vec<[u8; 4]>, u32) {
    let texture = &parsed.json["textures"][texture["index"].as_u64().unwrap() as usize];
    let image = &parsed.json["images"][texture["source"].as_u64().unwrap() as usize];
    assert_eq!(image["mimeType"], "image/png");
    let picture = image::load_from_memory(parsed.view(&image["bufferView"])).unwrap().to_rgba8();
    (picture.pixels().map(|pixel| pixel.0).collect(), picture.width())
}

#[test]
fn roughness_metal_and_occlusion_of_three_images_become_one() {
    let textures = vec![
        (Role::Roughness, ColorChannel::All, "maps/rough.png", gray(2, &[10, 20])),
        (Role::Metallic, ColorChannel::Alpha, "maps/metal.png", rgba(2, &[[0, 0, 0, 30], [0, 0, 0, 40]])),
        (Role::Occlusion, ColorChannel::Red, "maps/ao.png", gray(2, &[50, 60])),
    ];
    let scene = surface(Pbr { roughness: 0.5, ..Pbr::default() }, textures);
    let (parsed, losses) = glb("orm", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(
        (parsed.json["images"].as_array().unwrap().len(), parsed.json["textures"].as_array().unwrap().len()),
        (1, 1)
    );
    assert_eq!(parsed.json["images"][0]["name"], "ao-rough-metal");
    let material = &parsed.json["materials"][0];
    let pbr = &material["pbrMetallicRoughness"];
    assert_eq!(pbr, &json!({"roughnessFactor": 0.5, "metallicRoughnessTexture": {"index": 0}}));
    assert_eq!(material["occlusionTexture"], json!({"index": 0}));
    let packed = vec![[50, 10, 30, 255], [60, 20, 40, 255]];
    assert_eq!(pixels(&parsed, &pbr["metallicRoughnessTexture"]), (packed, 2));
    let into = |channel| json!(["metallicRoughnessTexture", channel]);
    // SHA-256 of the width, the height, and the pixels with their alpha, by sha256sum.
    let print = "2f9b7a771fdb27b85785b22a2a52af67ace874dae3eaa9c921d2f954e0fb0bc4";
    assert_eq!(
        material["extras"]["pentad"],
        json!({"packed": [
            {"role": "occlusion", "channel": "red", "into": into("red"), "picture": print, "path": "maps/ao.png"},
            {"role": "roughness", "into": into("green"), "picture": print, "path": "maps/rough.png"},
            {"role": "metallic", "channel": "alpha", "into": into("blue"), "picture": print, "path": "maps/metal.png"},
        ]})
    );
}

#[test]
fn smaller_images_are_scaled_and_missing_ones_filled() {
    let small = (Role::Occlusion, ColorChannel::Red, "ao.png", gray(1, &[77]));
    let large = (Role::Roughness, ColorChannel::Red, "rough.png", gray(2, &[1, 2, 3, 4]));
    let pbr = Pbr { metallic: 0.2, ..Pbr::default() };
    let (parsed, losses) = glb("scaled", &surface(pbr, vec![small, large]));
    assert_eq!(losses, ["LOSS-052 material 0: occlusion texture scaled to 2 x 2"]);
    let material = &parsed.json["materials"][0];
    let pbr = &material["pbrMetallicRoughness"];
    // 0.2 of 255 is 51; the factor is in the picture now.
    assert_eq!(pbr, &json!({"metallicRoughnessTexture": {"index": 0}}));
    let packed = vec![[77, 1, 51, 255], [77, 2, 51, 255], [77, 3, 51, 255], [77, 4, 51, 255]];
    assert_eq!(pixels(&parsed, &pbr["metallicRoughnessTexture"]), (packed, 2));
    assert_eq!(material["extras"]["pentad"]["factors"], json!({"metallic": [{"f32": 0.2}]}));
}

#[test]
fn images_that_lie_as_gltf_wants_are_copied() {
    let orm = rgba(1, &[[1, 2, 3, 255]]);
    let textures = |metal: bool| {
        let mut all = vec![(Role::Roughness, ColorChannel::Green, "orm.png", orm.clone())];
        all.extend(metal.then(|| (Role::Metallic, ColorChannel::Blue, "orm.png", orm.clone())));
        all.push((Role::Occlusion, ColorChannel::Red, "orm.png", orm.clone()));
        all
    };
    let (parsed, losses) = glb("orm-as-is", &surface(Pbr::default(), textures(true)));
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.view(&parsed.json["images"][0]["bufferView"]), orm);
    assert_eq!(parsed.json["materials"][0].get("extras"), None);
    // Without metal the blue channel counts for nothing.
    let (parsed, losses) = glb("rough-as-is", &surface(Pbr { metallic: 0., ..Pbr::default() }, textures(false)));
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.view(&parsed.json["images"][0]["bufferView"]), orm);
    let material = &parsed.json["materials"][0];
    let expected = json!({"metallicFactor": 0, "metallicRoughnessTexture": {"index": 0}});
    assert_eq!(material["pbrMetallicRoughness"], expected);
    assert_eq!(material.get("extras"), None);
}

#[test]
fn specular_strength_and_opacity_go_into_alpha() {
    let base = rgba(1, &[[1, 2, 3, 255]]);
    let textures = vec![
        (Role::BaseColor, ColorChannel::All, "base.png", base.clone()),
        (Role::Opacity, ColorChannel::All, "mask.png", gray(1, &[99])),
        (Role::Specular, ColorChannel::Red, "gloss.png", gray(1, &[44])),
        (Role::Emission, ColorChannel::All, "base.png", base.clone()),
    ];
    let mut scene = surface(Pbr::default(), textures);
    scene.materials[Id::new(0)].alpha_mode = AlphaMode::Blend;
    let (parsed, losses) = glb("alpha", &scene);
    assert_eq!(losses, [""; 0]);
    let material = &parsed.json["materials"][0];
    let base_color = &material["pbrMetallicRoughness"]["baseColorTexture"];
    assert_eq!(pixels(&parsed, base_color), (vec![[1, 2, 3, 99]], 1));
    let specular = &material["extensions"]["KHR_materials_specular"]["specularTexture"];
    assert_eq!(pixels(&parsed, specular), (vec![[255, 255, 255, 44]], 1));
    // Still needed as it is, by the emission.
    assert_eq!(parsed.view(&parsed.json["images"][0]["bufferView"]), base);
    let packed = material["extras"]["pentad"]["packed"].as_array().unwrap();
    let into: Vec<_> = packed.iter().map(|slot| (slot["role"].clone(), slot["into"].clone())).collect();
    let expected = [
        (json!("specular"), json!(["specularTexture", "alpha"])),
        (json!("base-colour"), json!(["baseColorTexture", "all"])),
        (json!("opacity"), json!(["baseColorTexture", "alpha"])),
    ];
    assert_eq!(into, expected);
}

#[test]
fn textures_that_lie_differently_are_not_packed() {
    let textures = vec![
        (Role::Roughness, ColorChannel::Red, "rough.png", gray(1, &[10])),
        (Role::Metallic, ColorChannel::Red, "metal.png", gray(1, &[20])),
        (Role::Occlusion, ColorChannel::Green, "ao.png", rgba(1, &[[0, 30, 0, 255]])),
    ];
    let mut scene = surface(Pbr::default(), textures);
    scene.materials[Id::new(0)].slots[1].uv_set = 1;
    scene.materials[Id::new(0)].slots[2].uv_set = 1;
    let (parsed, losses) = glb("lies-differently", &scene);
    let expected = ["LOSS-007 material 0: metallic texture", "LOSS-018 mesh 0: texture coordinates set to zero (x3)"];
    assert_eq!(losses, expected);
    let material = &parsed.json["materials"][0];
    let pbr = &material["pbrMetallicRoughness"];
    assert_eq!(pixels(&parsed, &pbr["metallicRoughnessTexture"]), (vec![[255, 10, 255, 255]], 1));
    let occlusion = &material["occlusionTexture"];
    assert_eq!((pixels(&parsed, occlusion), &occlusion["texCoord"]), ((vec![[30, 30, 30, 255]], 1), &json!(1)));
    assert_eq!(material["extras"]["pentad"]["slots"][0]["role"], "metallic");
}

#[test]
fn equal_packs_are_one_image_and_always_the_same() {
    let textures = || vec![(Role::Roughness, ColorChannel::Red, "rough.png", gray(2, &[10, 20]))];
    let mut scene = surface(Pbr::default(), textures());
    let other = scene.materials[Id::new(0)].clone();
    scene.materials.add(other);
    let (parsed, losses) = glb("equal-packs", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.json["images"].as_array().unwrap().len(), 1);
    let infos: Vec<_> = (0..2).map(|i| &parsed.json["materials"][i]["pbrMetallicRoughness"]).collect();
    assert_eq!(infos[0], infos[1]);
    let (again, _) = glb("equal-packs-again", &scene);
    assert_eq!(parsed.bin, again.bin);
}

#[test]
fn packed_images_stand_beside_the_file() {
    let textures = vec![
        (Role::Roughness, ColorChannel::Red, "a/one.png", gray(1, &[10])),
        (Role::Metallic, ColorChannel::Red, "b/two.png", gray(1, &[20])),
    ];
    let scene = surface(Pbr::default(), textures);
    let (package, _, losses) = package_in::<Gltf>(&scene, LowerCx::new(&NoSource, "standard"));
    assert_eq!(losses, [""; 0]);
    let names: Vec<_> = package.side_files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["one-two.png", "model.bin"]);
    let (package, _, losses) = package_in::<Gltf>(
        &scene,
        LowerCx { textures: formats::Textures::Reference, ..LowerCx::new(&NoSource, "standard") },
    );
    let expected = ["metallic set to 0", "roughness texture", "metallic texture"];
    let codes = ["LOSS-092", "LOSS-007", "LOSS-007"];
    assert_eq!(losses, [0, 1, 2].map(|i| format!("{} material 0: {}", codes[i], expected[i])));
    let uris: Vec<_> = package.document.root.images.iter().map(|i| i.uri.as_deref().unwrap()).collect();
    assert_eq!(uris, ["a/one.png", "b/two.png"]);
}

#[test]
fn other_kinds_of_images_become_png() {
    let picture = RgbaImage::from_raw(2, 1, vec![1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let targa = encoded(picture, ImageFormat::Tga);
    let bitmap = encoded(image::RgbImage::from_raw(1, 1, vec![9, 8, 7]).unwrap(), ImageFormat::Bmp);
    let textures = vec![
        (Role::BaseColor, ColorChannel::All, "skin.TGA", targa),
        (Role::Emission, ColorChannel::All, "glow.dat", bitmap),
    ];
    let (parsed, losses) = glb("targa", &surface(Pbr::default(), textures));
    let expected =
        ["LOSS-052 image \"skin.TGA\": image converted to PNG", "LOSS-052 image \"glow.dat\": image converted to PNG"];
    assert_eq!(losses, expected);
    let material = &parsed.json["materials"][0];
    let base = &material["pbrMetallicRoughness"]["baseColorTexture"];
    assert_eq!(pixels(&parsed, base), (vec![[1, 2, 3, 4], [5, 6, 7, 8]], 2));
    assert_eq!(pixels(&parsed, &material["emissiveTexture"]), (vec![[9, 8, 7, 255]], 1));
    assert_eq!(parsed.json["images"][0]["extras"]["pentad"]["path"], "skin.TGA");
}

/// Metal and occlusion of two files, with a roughness that goes into the packed picture.
fn metal_and_occlusion() -> Scene {
    let textures = vec![
        (Role::Metallic, ColorChannel::Red, "metal.png", gray(2, &[30, 40])),
        (Role::Occlusion, ColorChannel::Red, "ao.jpg.png", gray(2, &[50, 60])),
    ];
    surface(Pbr { roughness: 0.75, metallic: 0.5, ..Pbr::default() }, textures)
}

/// The scene as GLB, edited there and lifted.
fn edited(scene: &Scene, source: &dyn Source, edit: impl FnOnce(&mut Root)) -> (Scene, Vec<String>) {
    let (package, ..) = package_in::<Glb>(scene, LowerCx::new(&NoSource, "standard"));
    let mut doc = package.document;
    edit(doc.root.edit());
    let mut cx = LiftCx::new(source);
    let lifted = Glb::lift(&doc, &mut cx).unwrap();
    (lifted, cx.losses.iter().map(ToString::to_string).collect())
}

/// Role, channel, path or name, and grey or coloured pixels of each texture.
fn shown(scene: &Scene) -> Vec<(Role, ColorChannel, String, Vec<u8>)> {
    let slots = scene.materials[Id::new(0)].slots.iter().map(|slot| {
        let image = &scene.images[scene.textures[slot.texture].image.unwrap()];
        let (name, bytes) = match &image.source {
            ImageSource::File { path, bytes } => (path.to_string(), bytes.clone().unwrap()),
            ImageSource::Embedded { bytes, .. } => (image.name.to_string(), bytes.clone()),
        };
        let picture = image::load_from_memory(&bytes).unwrap();
        (slot.role.clone(), slot.channel, name, picture.into_bytes())
    });
    slots.collect()
}

#[test]
fn packed_pictures_alone_are_split_into_what_they_were_made_of() {
    let metal = (Role::Metallic, ColorChannel::Red, "metal.png".to_owned(), vec![30, 40]);
    let occlusion = (Role::Occlusion, ColorChannel::Red, "ao.jpg.png".to_owned(), vec![50, 60]);
    let (scene, losses) = edited(&metal_and_occlusion(), &NoSource, |_| ());
    assert_eq!(shown(&scene), [occlusion, metal]);
    assert_eq!(scene.materials[Id::new(0)].pbr(), Pbr { roughness: 0.75, metallic: 0.5, ..Pbr::default() });
    let expected =
        ["occlusion", "metallic"].map(|r| format!("LOSS-052 material 0: {r} texture made of the packed one"));
    assert_eq!(losses, expected);
    // Only PNG can be written under the old name; alpha is where it is looked for.
    let textures = vec![
        (Role::Roughness, ColorChannel::Alpha, "a/rough.tga", rgba(1, &[[0, 0, 0, 7]])),
        (Role::Metallic, ColorChannel::Green, "metal.png", rgba(1, &[[0, 9, 0, 255]])),
    ];
    let (scene, _) = edited(&surface(Pbr::default(), textures), &NoSource, |_| ());
    let roughness = (Role::Roughness, ColorChannel::Alpha, "rough".to_owned(), vec![7, 7]);
    assert_eq!(shown(&scene), [roughness, (Role::Metallic, ColorChannel::Green, "metal.png".to_owned(), vec![9])]);
}

#[test]
fn two_channels_of_one_file_that_is_not_there_stay_in_the_packed_picture() {
    let both = rgba(1, &[[5, 6, 0, 255]]);
    let textures = vec![
        (Role::Roughness, ColorChannel::Red, "both.png", both.clone()),
        (Role::Metallic, ColorChannel::Green, "both.png", both),
    ];
    let (scene, _) = edited(&surface(Pbr::default(), textures), &NoSource, |_| ());
    let roughness = (Role::Roughness, ColorChannel::Red, "both.png".to_owned(), vec![5]);
    let metal = (Role::Metallic, ColorChannel::Blue, "both".to_owned(), vec![255, 5, 6]);
    assert_eq!(shown(&scene), [roughness, metal]);
}

#[test]
fn packed_pictures_that_somebody_changed_are_taken_as_they_are() {
    let scene = metal_and_occlusion();
    let metal = (Role::Metallic, ColorChannel::Red, "metal.png".to_owned(), vec![30, 40]);
    let occlusion = (Role::Occlusion, ColorChannel::Red, "ao.jpg.png".to_owned(), vec![50, 60]);
    let orm = |role, channel, pixels: &[u8]| (role, channel, "ao.jpg-metal".to_owned(), pixels.to_vec());
    let factors =
        |scene: &Scene| (scene.materials[Id::new(0)].pbr().roughness, scene.materials[Id::new(0)].pbr().metallic);
    let data = |file: Vec<u8>| {
        use base64::Engine as _;
        format!("data:image/png;base64,{}", base64::engine::general_purpose::STANDARD.encode(file))
    };

    let (none, _) = edited(&scene, &NoSource, |root| {
        root.materials[0].pbr_metallic_roughness.as_mut().unwrap().metallic_roughness_texture = None;
    });
    assert_eq!((shown(&none), factors(&none)), (vec![occlusion.clone()], (1., 0.5)));

    let (none, _) = edited(&scene, &NoSource, |root| root.materials[0].occlusion_texture = None);
    assert_eq!((shown(&none), factors(&none)), (vec![metal.clone()], (0.75, 0.5)));

    let other = [1, 2, 3, 255];
    let (other_picture, _) = edited(&scene, &NoSource, |root| {
        root.images[0].buffer_view = None;
        root.images[0].uri = Some(data(rgba(1, &[other])).into());
    });
    let expected = [
        orm(Role::Roughness, ColorChannel::Green, &other),
        orm(Role::Metallic, ColorChannel::Blue, &other),
        orm(Role::Occlusion, ColorChannel::Red, &other),
    ];
    assert_eq!((shown(&other_picture), factors(&other_picture)), (expected.to_vec(), (1., 0.5)));

    let (weaker, _) = edited(&scene, &NoSource, |root| {
        root.materials[0].occlusion_texture.as_mut().unwrap().strength = Some(Real(0.5));
    });
    assert_eq!(weaker.materials[Id::new(0)].slot(&Role::Occlusion).unwrap().strength, 0.5);

    // The same pixels in another file are the same picture.
    let same = rgba(2, &[[50, 191, 30, 255], [60, 191, 40, 255]]);
    let (stored_anew, _) = edited(&scene, &NoSource, |root| {
        root.images[0].buffer_view = None;
        root.images[0].uri = Some(data(same).into());
    });
    assert_eq!(shown(&stored_anew), [occlusion, metal]);
}

#[test]
fn what_travels_with_packed_and_missing_textures_comes_back() {
    let textures = vec![
        (Role::BaseColor, ColorChannel::All, "a.png", rgba(1, &[[1, 2, 3, 255]])),
        (Role::Opacity, ColorChannel::All, "alpha.png", gray(1, &[9])),
        (Role::Normal, ColorChannel::All, "gone.png", Vec::new()),
    ];
    let mut scene = surface(Pbr::default(), textures);
    let options = ["-mm 0.1 2", "-imfchan l", "-cc on"];
    for (texture, options) in scene.textures.iter_mut().zip(options) {
        texture.extras.set("obj.values", options);
    }
    for image in scene.images.iter_mut() {
        if let ImageSource::File { path, bytes } = &mut image.source
            && path.as_str() == Some("gone.png")
        {
            *bytes = None;
        }
    }
    let (back, _) = edited(&scene, &NoSource, |_| ());
    let slots = &back.materials[Id::new(0)].slots;
    for (role, options) in [Role::BaseColor, Role::Opacity, Role::Normal].iter().zip(options) {
        let slot = slots.iter().find(|slot| slot.role == *role).expect("it came back");
        assert_eq!(back.textures[slot.texture].extras.get("obj.values"), Some(&options.into()), "{role:?}");
    }
}
