//! Materials, textures and images.

use formats::gltf::Gltf;
use formats::{LowerCx, NoSource};
use scene::*;
use serde_json::json;

use crate::support::*;

#[test]
fn gltf_sources_keep_the_default_material_of_gltf() {
    let mut scene = scene_of(vec![triangle()]);
    scene.origin = Some(Origin { format: "glb".into(), dialect: "standard".into() });
    scene.default_material = Some(Material::default());
    let (parsed, _) = glb("default-material", &scene);
    assert_eq!(parsed.json.get("materials"), None);
    assert_eq!(parsed.json["asset"]["extras"]["pentad"], json!({"carry": 1}));
}

#[test]
fn materials_of_every_shading() {
    let mut scene = Scene::new();
    let pbr = Pbr { base_color: [0.5, 1., 1., 0.25], metallic: 0.5, roughness: 0.25, ..Pbr::default() };
    let phong = Phong { diffuse: [1., 0., 0., 1.], specular: [0.5, 0.5, 0.5, 1.], shininess: 6., ..Phong::default() };
    let materials = [
        Material {
            name: "pbr".into(),
            shading: Shading::Pbr(pbr),
            emissive: [1., 0.5, 0.],
            emissive_strength: 4.,
            alpha_mode: AlphaMode::Mask(0.25),
            double_sided: true,
            ..Material::default()
        },
        Material { shading: Shading::Phong(phong), alpha_mode: AlphaMode::Additive, ..Material::default() },
        Material { shading: Shading::Unlit { color: [0.; 4] }, alpha_mode: AlphaMode::Blend, ..Material::default() },
        Material { emissive: [2., 0.5, 0.], ..Material::default() },
    ];
    let primitives = materials.into_iter().map(|m| Primitive { material: Some(scene.materials.add(m)), ..triangle() });
    let mesh = mesh_of(primitives.collect());
    let mesh = scene.meshes.add(mesh);
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    let (parsed, losses) = glb("materials", &scene);
    assert_eq!(losses, [""; 0]);
    let f = |v: f64| json!({"f32": v});
    let i = |v: i64| json!({"f32": v});
    assert_eq!(
        parsed.json["materials"],
        json!([
            {
                "name": "pbr",
                "pbrMetallicRoughness": {
                    "baseColorFactor": [0.5, 1, 1, 0.25], "metallicFactor": 0.5, "roughnessFactor": 0.25,
                },
                "emissiveFactor": [1, 0.5, 0],
                "alphaMode": "MASK",
                "alphaCutoff": 0.25,
                "doubleSided": true,
                "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}},
            },
            {
                "pbrMetallicRoughness": {
                    "baseColorFactor": [1, 0, 0, 1], "metallicFactor": 0, "roughnessFactor": 0.5,
                },
                "alphaMode": "BLEND",
                "extensions": {"KHR_materials_specular": {"specularColorFactor": [0.5, 0.5, 0.5]}},
                "extras": {"pentad": {
                    "alpha_mode": "additive",
                    "phong": {
                        "diffuse": [i(1), i(0), i(0), i(1)],
                        "specular": [f(0.5), f(0.5), f(0.5), i(1)],
                        "ambient": [i(0), i(0), i(0), i(1)],
                        "shininess": i(6),
                    },
                }},
            },
            {
                "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 0], "metallicFactor": 0},
                "alphaMode": "BLEND",
                "extensions": {"KHR_materials_unlit": {}},
            },
            {
                "emissiveFactor": [1, 0.25, 0],
                "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 2}},
            },
        ])
    );
    let used = ["KHR_materials_emissive_strength", "KHR_materials_specular", "KHR_materials_unlit"];
    assert_eq!(parsed.json["extensionsUsed"], json!(used));
}

#[test]
fn textures_go_into_their_slots_or_travel_along() {
    let (parsed, losses) = glb("textures", &textured());
    assert_eq!(losses, TEXTURE_LOSSES);
    let material = &parsed.json["materials"][0];
    let transform = json!({"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 2]}});
    assert_eq!(
        material["pbrMetallicRoughness"],
        json!({
            "baseColorTexture": {"index": 0, "texCoord": 1, "extensions": transform},
            "metallicRoughnessTexture": {"index": 0},
        })
    );
    assert_eq!(material["normalTexture"], json!({"index": 0, "scale": 0.5}));
    assert_eq!(
        material["extras"]["pentad"]["slots"],
        json!([
            {"role": "light-map", "texture": 0},
            {"role": "emission", "uv_set": 2, "path": "lost.png"},
            {"role": "occlusion", "channel": "red", "path": "odd.tga"},
        ])
    );
    assert_eq!(parsed.json["samplers"], json!([{"minFilter": 9985, "wrapS": 33648, "wrapT": 33071}]));
    let sampling = json!({"wrap": ["mirror", "clip"], "filters": [null, "linear", "nearest"]});
    let texture = json!({"sampler": 0, "source": 0, "extras": {"pentad": {"sampling": sampling}}});
    assert_eq!(parsed.json["textures"], json!([texture]));
    let image = &parsed.json["images"][0];
    assert_eq!(image["mimeType"], "image/png");
    assert_eq!(parsed.view(&image["bufferView"]), PIXEL);
    // The base colour asks for a second set of texture coordinates; zeros take no bytes.
    let primitive = parsed.primitive(0);
    let zeros = &parsed.json["accessors"][primitive["attributes"]["TEXCOORD_1"].as_u64().unwrap() as usize];
    assert_eq!(zeros, &json!({"componentType": 5126, "count": 3, "type": "VEC2"}));
}

#[test]
fn referenced_textures_keep_their_paths() {
    let (package, _, losses) = package_in::<Gltf>(
        &textured(),
        LowerCx { textures: formats::Textures::Reference, ..LowerCx::new(&NoSource, "standard") },
    );
    // The emission asks for a third set.
    assert_eq!(losses, [TEXTURE_LOSSES[0], TEXTURE_LOSSES[1], TEXTURE_LOSSES[4]]);
    let uris: Vec<_> = package.document.root.images.iter().map(|i| i.uri.as_deref().unwrap()).collect();
    assert_eq!(uris, ["textures/wood%20grain.png", "lost.png", "odd.tga"]);
    assert_eq!(package.side_files.len(), 1);
}

#[test]
fn material_of_a_node_is_a_mesh_that_shares_its_data() {
    let mut scene = scene_of(vec![triangle()]);
    let red = scene.materials.add(Material { name: "red".into(), ..Material::default() });
    let mesh = scene.nodes[Id::new(0)].mesh;
    for _ in 0..2 {
        scene.add_root(Node { mesh, material: Some(red), ..Node::default() });
    }
    let (parsed, losses) = glb("override", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.json["nodes"], json!([{"mesh": 0}, {"mesh": 1}, {"mesh": 1}]));
    let copy = json!({
        "primitives": [{"attributes": {"POSITION": 0}, "material": 0}],
        "extras": {"pentad": {"role": {"copy": 0}}},
    });
    assert_eq!(parsed.json["meshes"][1], copy);
    assert_eq!(parsed.json["accessors"].as_array().unwrap().len(), 1);
}

#[test]
fn a_mesh_that_only_nodes_paint_is_written_in_their_material() {
    let mut scene = scene_of(vec![triangle(), triangle()]);
    let [own, red, blue] =
        ["own", "red", "blue"].map(|name| scene.materials.add(Material { name: name.into(), ..Material::default() }));
    scene.meshes[Id::new(0)].primitives[1].material = Some(own);
    scene.nodes[Id::new(0)].material = Some(red);
    let mesh = scene.nodes[Id::new(0)].mesh;
    for material in [blue, red] {
        scene.add_root(Node { mesh, material: Some(material), ..Node::default() });
    }
    let (parsed, losses) = glb("painted", &scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(parsed.json["nodes"], json!([{"mesh": 0}, {"mesh": 1}, {"mesh": 0}]));
    assert_eq!(parsed.json["meshes"][0]["extras"], json!({"pentad": {"role": "overridden"}}));
    assert_eq!(parsed.json["meshes"][1]["extras"], json!({"pentad": {"role": {"copy": 0}}}));
    assert_eq!((&parsed.primitive(0)["material"], &parsed.primitive(1)["material"]), (&json!(1), &json!(2)));
    assert_eq!(parsed.json["materials"].as_array().unwrap().len(), 3, "nothing shows the default");
}
