//! A GLB parser of its own, the validator, and small scenes.

use std::path::{Path, PathBuf};
use std::process::Command;

use formats::gltf::{Document, Glb};
use formats::{Format, LiftCx, LowerCx, NoSource, Options, Package, Source};
use scene::*;
use serde_json::{Value as Json, json};
use testing::Lowered;

/// A GLB file taken apart by hand.
pub(crate) struct Parsed {
    pub(crate) json: Json,
    pub(crate) bin: Vec<u8>,
}

impl Parsed {
    pub(crate) fn new(file: &[u8]) -> Parsed {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(&file[..4], b"glTF");
        assert_eq!((word(4), word(8)), (2, file.len()));
        let json_size = word(12);
        assert_eq!(&file[16..20], b"JSON");
        assert_eq!(json_size % 4, 0);
        let json = serde_json::from_slice(&file[20..20 + json_size]).unwrap();
        let at = 20 + json_size;
        if at == file.len() {
            return Parsed { json, bin: Vec::new() };
        }
        assert_eq!(&file[at + 4..at + 8], b"BIN\0");
        assert_eq!((word(at) % 4, at + 8 + word(at)), (0, file.len()));
        Parsed { json, bin: file[at + 8..].to_vec() }
    }

    pub(crate) fn view(&self, index: &Json) -> &[u8] {
        let view = &self.json["bufferViews"][index.as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        assert_eq!(start % 4, 0);
        &self.bin[start..start + view["byteLength"].as_u64().unwrap() as usize]
    }

    pub(crate) fn accessor(&self, index: &Json) -> (&Json, &[u8]) {
        let accessor = &self.json["accessors"][index.as_u64().unwrap() as usize];
        (accessor, self.view(&accessor["bufferView"]))
    }

    pub(crate) fn floats(&self, index: &Json) -> Vec<f32> {
        let (accessor, bytes) = self.accessor(index);
        assert_eq!(accessor["componentType"], 5126);
        bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    pub(crate) fn indices(&self, index: &Json) -> Vec<u32> {
        let (accessor, bytes) = self.accessor(index);
        match accessor["componentType"].as_u64().unwrap() {
            5123 => bytes.chunks(2).map(|b| u16::from_le_bytes(b.try_into().unwrap()).into()).collect(),
            _ => bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect(),
        }
    }

    /// The first primitive of a mesh.
    pub(crate) fn primitive(&self, mesh: usize) -> &Json {
        &self.json["meshes"][mesh]["primitives"][0]
    }
}

/// Bytes as a URI that needs no file.
pub(crate) fn uri(bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().map(|byte| format!("%{byte:02X}")).collect();
    format!("data:application/octet-stream,{escaped}")
}

/// Fits, lowers and writes; gives the document, the file and the losses as lines.
pub(crate) fn package<F: Format<Document = Document>>(
    scene: &Scene,
    options: &Options,
) -> (Package<Document>, Vec<u8>, Vec<String>) {
    package_in::<F>(scene, LowerCx { options, ..LowerCx::new(&NoSource, "standard") })
}

/// The same in a context of its own.
pub(crate) fn package_in<F: Format<Document = Document>>(
    scene: &Scene,
    cx: LowerCx<'_>,
) -> (Package<Document>, Vec<u8>, Vec<String>) {
    let Lowered { doc, files, losses } = testing::lower_in::<F>(scene, cx);
    let file = testing::write::<F>(&doc);
    (Package { document: doc, side_files: files }, file, losses.iter().map(ToString::to_string).collect())
}

/// The scene as GLB, valid and taken apart, with its losses.
pub(crate) fn glb(name: &str, scene: &Scene) -> (Parsed, Vec<String>) {
    let (_, file, losses) = package::<Glb>(scene, &Options::default());
    let path = folder(name).join("model.glb");
    std::fs::write(&path, &file).unwrap();
    validate(&[path]);
    (Parsed::new(&file), losses)
}

/// Lifts a document; gives what was noticed as lines.
pub(crate) fn lift_document(doc: &Document, source: &dyn Source) -> (Scene, Vec<String>) {
    let mut cx = LiftCx::new(source);
    let scene = Glb::lift(doc, &mut cx).unwrap();
    let words = |f: &findings::Finding| format!("{} {}: {}", f.rule.id, f.place.path, f.message);
    (scene, cx.findings.finish(&[]).iter().map(words).collect())
}

/// An empty folder for the files of one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gltf-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const SCRIPT: &str = "
const [, folder, ...files] = process.argv;
const fs = require('fs'), path = require('path');
const validator = require(path.join(folder, 'node_modules', 'gltf-validator'));
(async () => {
    for (const file of files) {
        const beside = uri => path.join(path.dirname(file), decodeURIComponent(uri));
        const load = uri => fs.promises.readFile(beside(uri)).then(data => new Uint8Array(data));
        const options = { uri: path.basename(file), maxIssues: 50, externalResourceFunction: load };
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
        const words = m => m.severity + ' ' + m.code + ' ' + m.pointer + ': ' + m.message;
        // What stands above a bent mesh is the source's; glTF and the scene agree that it does not move the mesh.
        const known = ['NODE_SKINNED_MESH_NON_ROOT', 'NODE_SKINNED_MESH_LOCAL_TRANSFORMS'];
        const bad = report.issues.messages.filter(m => m.severity < 2 && !known.includes(m.code)).map(words);
        console.log(JSON.stringify({ file, bad }));
    }
})();
";

/// No errors and no warnings.
pub(crate) fn validate(files: &[PathBuf]) {
    let Some(validator) = std::env::var_os("PENTAD_GLTF_VALIDATOR") else {
        println!("not validated: PENTAD_GLTF_VALIDATOR is not set");
        return;
    };
    let output = Command::new("node").args(["-e", SCRIPT]).arg(validator).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let reports: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), files.len());
    for report in reports {
        assert_eq!(report["bad"], json!([]), "{}", report["file"]);
    }
}

pub(crate) const CORNERS: [f32; 9] = [0., 0., 0., 1., 0., 0., 0., 1., 0.];

pub(crate) fn triangle() -> Primitive {
    Primitive::new(Topology::Triangles).with(Semantic::Position, Stream::from_f32(3, CORNERS.to_vec()))
}

pub(crate) fn mesh_of(primitives: Vec<Primitive>) -> Mesh {
    Mesh { primitives, ..Mesh::default() }
}

/// A scene of one node with one mesh.
pub(crate) fn scene_of(primitives: Vec<Primitive>) -> Scene {
    let mut scene = Scene::new();
    let mesh = scene.meshes.add(mesh_of(primitives));
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

/// One opaque pixel, as PNG.
pub(crate) const PIXEL: &[u8] = &[
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00, 0x0D, 0x49,
    0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x64, 0x60, 0xF8, 0x5F, 0x0F, 0x00, 0x02, 0x87, 0x01, 0x80, 0xEB, 0x47, 0xBA,
    0x92, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
];

pub(crate) fn slot(role: Role, texture: Id<Texture>, channel: ColorChannel) -> Slot {
    Slot { role, texture, channel, uv_set: 0, strength: 1., transform: None }
}

/// A triangle whose material names images that are there, missing and of a foreign kind.
pub(crate) fn textured() -> Scene {
    let mut scene = Scene::new();
    let image = |scene: &mut Scene, path: &str, bytes: Option<&[u8]>| {
        let source = ImageSource::File { path: path.into(), bytes: bytes.map(|b| wire::Blob::memory(b.to_vec())) };
        let image = scene.images.add(Image { name: "".into(), source, extras: Extras::default() });
        scene.textures.add(Texture::new(image))
    };
    let wood = image(&mut scene, "textures/wood grain.png", Some(PIXEL));
    let lost = image(&mut scene, "lost.png", None);
    let targa = image(&mut scene, "odd.tga", Some(&[0, 0, 2]));
    scene.textures[wood].wrap = [Wrap::Mirror, Wrap::Clip];
    scene.textures[wood].reduce = Some((Filter::Linear, Some(Filter::Nearest)));
    let moved = UvTransform { offset: [0.5, 0.], rotation: 0., scale: [2., 2.] };
    let material = scene.materials.add(Material {
        slots: vec![
            Slot { transform: Some(moved), uv_set: 1, ..slot(Role::BaseColor, wood, ColorChannel::All) },
            slot(Role::Roughness, wood, ColorChannel::Green),
            slot(Role::Metallic, wood, ColorChannel::Blue),
            Slot { strength: 0.5, ..slot(Role::Normal, wood, ColorChannel::All) },
            slot(Role::LightMap, wood, ColorChannel::All),
            Slot { uv_set: 2, ..slot(Role::Emission, lost, ColorChannel::All) },
            slot(Role::Occlusion, targa, ColorChannel::Red),
        ],
        ..Material::default()
    });
    let uvs = Stream::from_f32(2, vec![0., 0., 1., 0., 0., 1.]);
    let normals = Stream::from_f32(3, [0., 0., 1.].repeat(3));
    let tangents = Stream::from_f32(4, [1., 0., 0., 1.].repeat(3));
    let primitive = triangle().with(Semantic::TexCoord(0), uvs).with(Semantic::Normal, normals);
    let primitive = primitive.with(Semantic::Tangent, tangents);
    let mesh = scene.meshes.add(mesh_of(vec![Primitive { material: Some(material), ..primitive }]));
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

pub(crate) const TEXTURE_LOSSES: [&str; 5] = [
    "LOSS-041 texture 0: what is beside the image",
    "LOSS-007 material 0: light map texture",
    "LOSS-030 material 0: emission texture lost.png",
    "LOSS-030 material 0: occlusion texture odd.tga",
    "LOSS-018 mesh 0: texture coordinates set to zero (x3)",
];
