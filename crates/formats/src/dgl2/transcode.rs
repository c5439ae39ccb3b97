//! Same document, other dialect: only texts that must change do.

use findings::{Result, Subject};
use scene::UvOrigin;
use scene::loss::{LOSS_015, LOSS_020, LOSS_026};
use wire::{F32, Text};

use super::dialect::{Dialect, is_braced};
use super::dml::{Dml, value};
use super::layout::{Data, Document, Form, Material};
use super::origin;
use super::properties::{LAST_SLOT, blend_key, texture_key};
use crate::Document as _;
use crate::LowerCx;

pub(super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    let wanted = Dialect::named(cx.dialect)?;
    if wanted.id() == doc.dialect() {
        return Ok(());
    }
    let (before, has_bbox) = (origin::of(doc).origin, origin::has_bbox(doc));
    for (i, chunk) in doc.chunks.iter_mut().enumerate() {
        let place = Subject::structure("chunk", i, "");
        let data = match &chunk.data {
            Data::Material(material) if !material.text.is_empty() || material.text_size.is_some() => {
                let light_maps = is_braced(material.text.bytes()) && !has_bbox;
                let text = braces(&material.text, wanted.is_braced(), &place, cx);
                let text = textures(&text, wanted, light_maps, has_bbox);
                if text == *material.text && material.form() == wanted.form() {
                    continue;
                }
                if let Some(slack) = material.slack.as_ref().filter(|_| wanted.form() == Form::Spec) {
                    let why = "without a length nothing tells them from the text";
                    cx.lose(&LOSS_026, &place, slack.len() as u64, "bytes behind the text", why);
                }
                let changed = Material::new(text, wanted.form());
                Data::Material(Material {
                    slack: material.slack.clone().filter(|_| wanted.form() == Form::Engine),
                    ..changed
                })
            }
            Data::Entity(entity) => {
                let text = braces(&entity.text, wanted.is_braced(), &place, cx);
                if text == *entity.text {
                    continue;
                }
                let mut changed = entity.clone();
                changed.text = text.into();
                Data::Entity(changed)
            }
            _ => continue,
        };
        chunk.edit().data = data;
    }
    keep_origin(doc, before, cx);
    Ok(())
}

fn braces(text: &Text, braced: bool, place: &Subject, cx: &mut LowerCx<'_>) -> Text {
    let dml = Dml::read(text);
    if text.is_empty() || dml.is_braced() == braced {
        return text.clone();
    }
    rewritten(&dml, braced, place, cx).text().clone()
}

/// The same properties with braces or without.
fn rewritten(dml: &Dml, braced: bool, place: &Subject, cx: &mut LowerCx<'_>) -> Dml {
    let unexplained = dml.unexplained();
    if unexplained > 0 {
        let why = "comments and what is no property have no place in another dialect";
        cx.lose(&LOSS_026, place, unexplained, "bytes of text", why);
    }
    let mut made: Result<Text> = Dml::make(pairs(dml), braced);
    if made.is_err() {
        let speakable = |pair: &(&[u8], &[u8])| Dml::make([*pair], braced).is_ok();
        for (name, _) in pairs(dml).filter(|pair| !speakable(pair)) {
            let what = format!("property {}", String::from_utf8_lossy(name));
            cx.lose(&LOSS_015, place, 1, &what, "DML has no escapes");
        }
        made = Dml::make(pairs(dml).filter(speakable), braced);
    }
    Dml::read(&made.unwrap_or_default())
}

fn pairs(dml: &Dml) -> impl Iterator<Item = (&[u8], &[u8])> {
    dml.pairs().iter().map(|pair| (dml.bytes(&pair.name), dml.bytes(&pair.value)))
}

/// Values of textures in the words of the dialect; a light map stays one.
fn textures(text: &Text, wanted: Dialect, was_light_map: bool, has_bbox: bool) -> Text {
    let mut dml = Dml::read(text);
    for slot in 0..=LAST_SLOT {
        let (key, blend_key) = (texture_key(slot), blend_key(slot));
        let Some(now) = dml.get(&key) else { continue };
        let (file, inside) = value::texture(now);
        let beside = dml.get(&blend_key).and_then(value::int).and_then(|blend| i32::try_from(blend).ok());
        let mut blend = inside.or(beside).unwrap_or(0);
        let light_maps = dml.is_braced() && !has_bbox;
        if slot == 1 && was_light_map && !light_maps {
            blend = 1;
        }
        let changed = match wanted.form() {
            Form::Engine => {
                let value = [b"[", file, b", ", blend.to_string().as_bytes(), b"]"].concat();
                let kept = inside == Some(blend);
                let with = if kept { Ok(dml.text().clone()) } else { dml.with(&key, &value) };
                with.map(|text| Dml::read(&text).without(&blend_key))
            }
            Form::Spec => dml.with(&key, file).and_then(|text| {
                let dml = Dml::read(&text);
                if blend == 0 {
                    Ok(dml.without(&blend_key))
                } else {
                    dml.with(&blend_key, blend.to_string().as_bytes())
                }
            }),
        };
        // What the text said already can be said again.
        if let Ok(changed) = changed {
            dml = Dml::read(&changed);
        }
    }
    dml.text().clone()
}

/// Turns V round where the other dialect counts it from the other edge.
fn keep_origin(doc: &mut Document, before: UvOrigin, cx: &mut LowerCx<'_>) {
    if origin::of(doc).origin == before {
        return;
    }
    let mut rounded = 0;
    for chunk in &mut doc.chunks {
        let Data::Trimesh(mesh) = &chunk.data else { continue };
        let mut mesh = mesh.clone();
        for triangle in mesh.triangles.to_mut() {
            for uv in triangle.uv1.iter_mut().chain(&mut triangle.uv2) {
                let flipped = 1. - uv[1].get();
                rounded += u64::from(f64::from(flipped) != 1. - f64::from(uv[1].get()));
                uv[1] = F32(flipped);
            }
        }
        chunk.edit().data = Data::Trimesh(mesh);
    }
    if rounded > 0 {
        let why = "V counts from the other edge there, and 1 - v is no 32-bit float";
        cx.lose(&LOSS_020, "file", rounded, "texture coordinates rounded", why);
    }
}
