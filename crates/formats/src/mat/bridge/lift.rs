//! Document → scene.

use std::collections::HashMap;

use findings::{FileId, Finding, Loaded, Place, Result};
use scene::loss::LOSS_026;
use scene::{
    AlphaMode, ColorChannel, Id, Image, ImageSource, Material, Name, Origin, Pbr, Properties, Role, Scene, Shading,
    Slot, Texture, Value,
};

use super::super::keys::{Key, Kind};
use super::super::layout::Document;
use super::super::lex::{Pair, TokenKind};
use super::super::rules::{MAT_008, link_fault};
use super::{default_color, default_number};
use crate::Document as _;
use crate::LiftCx;

pub(in super::super) fn lift(doc: &Document, cx: &mut LiftCx<'_>) -> Result<Scene> {
    let mut scene = Scene::new();
    scene.space = super::super::SPACE;
    scene.origin = Some(Origin { format: "mat".into(), dialect: doc.dialect().into() });
    let material = lift_material(doc, None, &mut scene, &mut Textures::default(), cx);
    scene.materials.add(material);
    Ok(scene)
}

/// A material of a scene; its textures are looked for beside `from`.
pub(crate) fn lift_material(
    doc: &Document,
    from: Option<&FileId>,
    scene: &mut Scene,
    textures: &mut Textures,
    cx: &mut LiftCx<'_>,
) -> Material {
    let slots = slots(doc, |path| textures.find(path, from, scene, cx));
    let mut material = look(doc, slots);
    material.properties = properties(doc, &material);
    let size: usize = doc.bad().iter().map(|bad| doc.text(bad.token).len()).sum();
    if size > 0 {
        let label = material.subject(scene.materials.len());
        cx.report_unless_carried(&LOSS_026, label, size as u64, "bytes of text", "they are no statement of a material");
    }
    material
}

/// A material without its properties.
fn look(doc: &Document, slots: Vec<Slot>) -> Material {
    let has = |role: Role| slots.iter().any(|slot| slot.role == role);
    let color = |key: &str| doc.color(key).unwrap_or_else(|| default_color(key));
    let factor = |key: &str, role: Role| match doc.number(key) {
        _ if has(role) => 1.,
        Some(number) => number,
        None => default_number(key),
    };
    let on = |key: &str| doc.flag(key).unwrap_or(false);
    let base_color = if has(Role::BaseColor) { [1.; 4] } else { color("diffuseColor") };
    let specular_color = color("specularColor");
    let emission = color("emissionColor");
    let shading = if on("shadeless") {
        Shading::Unlit { color: base_color }
    } else {
        Shading::Pbr(Pbr {
            base_color,
            metallic: factor("metallic", Role::Metallic),
            roughness: factor("roughness", Role::Roughness),
            specular: factor("specularity", Role::Specular),
            specular_color: [specular_color[0], specular_color[1], specular_color[2]],
        })
    };
    let glows = has(Role::Emission);
    let alpha_mode = match () {
        () if on("additiveBlending") => AlphaMode::Additive,
        () if base_color[3] < 1. => AlphaMode::Blend,
        () => AlphaMode::Opaque,
    };
    Material {
        name: Name::from(&*doc.string("name").unwrap_or_default()),
        shading,
        emissive: if glows { [1.; 3] } else { [emission[0], emission[1], emission[2]] },
        emissive_strength: if glows { emission[3] } else { 1. },
        alpha_mode,
        double_sided: on("doubleSided"),
        slots,
        ..Material::default()
    }
}

/// The textures of a text; of two keys for one role the engine's own spelling counts.
fn slots(doc: &Document, mut texture: impl FnMut(&[u8]) -> Id<Texture>) -> Vec<Slot> {
    let mut out: Vec<Slot> = Vec::new();
    for (key, path) in doc.textures() {
        let Some(role) = key.role().filter(|role| !out.iter().any(|slot| slot.role == *role)) else { continue };
        let channel = match role {
            Role::Specular | Role::Roughness | Role::Metallic => ColorChannel::Red,
            _ => ColorChannel::All,
        };
        out.push(Slot { role, texture: texture(&path), channel, uv_set: 0, strength: 1., transform: None });
    }
    out
}

/// What the text says and the look does not show. Of several statements for one key the last counts.
fn properties(doc: &Document, material: &Material) -> Properties {
    let last: HashMap<&[u8], usize> = doc.pairs().iter().map(|pair| (doc.name(pair), pair.first)).collect();
    let counts = |pair: &&Pair| last.get(doc.name(pair)) == Some(&pair.first) && !is_shown(doc, pair, material);
    let own = doc.pairs().iter().filter(counts);
    own.map(|pair| (Name::from(doc.name(pair)), value(doc, pair))).collect()
}

/// Whether what a statement says is in the look of a material, or is so without it.
fn is_shown(doc: &Document, pair: &Pair, material: &Material) -> bool {
    let Some(key) = Key::of(doc.name(pair)) else { return false };
    let has = |role: Role| material.slot(&role).is_some();
    let unlit = matches!(material.shading, Shading::Unlit { .. });
    let is_hidden = match key.name {
        "name" | "shadeless" | "doubleSided" | "additiveBlending" => false,
        "diffuseColor" => has(Role::BaseColor),
        "emissionColor" => has(Role::Emission),
        "specularColor" => unlit,
        "roughness" => unlit || has(Role::Roughness),
        "specularity" => unlit || has(Role::Specular),
        "metallic" => unlit || has(Role::Metallic),
        _ => key.kind != Kind::Texture,
    };
    let is_usual = match key.kind {
        Kind::Flag(usual) => doc.number_of(pair).is_some_and(|number| (number as i64 != 0) == usual),
        Kind::Number(usual) => doc.number_of(pair) == Some(usual),
        // The strength of a texture that glows is shown.
        Kind::Color(usual) => doc.color_of(pair).is_some_and(|color| match key.name {
            "emissionColor" => color[..3] == usual[..3],
            _ => color == usual,
        }),
        Kind::Text | Kind::Texture => false,
    };
    !is_hidden || is_usual
}

/// What a statement says, with the type that it looks like.
fn value(doc: &Document, pair: &Pair) -> Value {
    let text = doc.text(pair.value);
    let said = String::from_utf8_lossy(text);
    let number = |word: &str| {
        let int = || word.parse().ok().map(Value::Int);
        let float = || word.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::F64);
        int().or_else(float)
    };
    let found = match doc.tokens()[pair.value].kind {
        TokenKind::String => None,
        TokenKind::Vector => {
            let inside = said.strip_prefix('[').and_then(|said| said.strip_suffix(']'));
            inside.and_then(|inside| inside.split(',').map(|item| number(item.trim())).collect()).map(Value::List)
        }
        _ => number(&said),
    };
    found.unwrap_or_else(|| Value::Text(Name::from(&*doc.string_of(pair))))
}

/// The textures so far: one per file that a text names.
#[derive(Default)]
pub(crate) struct Textures(HashMap<(Option<FileId>, Vec<u8>), Id<Texture>>);

impl Textures {
    fn find(&mut self, path: &[u8], from: Option<&FileId>, scene: &mut Scene, cx: &mut LiftCx<'_>) -> Id<Texture> {
        // A file that was found is the same one under every name and from every folder.
        let loaded = cx.source.load(&String::from_utf8_lossy(path), from);
        let id = match &loaded {
            Loaded::Found { id, .. } => Some(id.clone()),
            _ => None,
        };
        *self.0.entry((id, path.to_vec())).or_insert_with(|| {
            if let Some((severity, why)) = link_fault(path, || loaded.clone()) {
                let mut place = Place::path("");
                if let Some(from) = from {
                    place = place.in_file(from.clone());
                }
                let mut finding = Finding::new(&MAT_008.info, place, why);
                finding.severity = severity;
                cx.findings.add(finding);
            }
            let source = ImageSource::File { path: Name::from(path), bytes: loaded.bytes() };
            let image = scene.images.add(Image { name: Name::default(), source, extras: Default::default() });
            scene.textures.add(Texture::new(image))
        })
    }
}
