//! What texts and numbers say.

use std::collections::HashMap;

use findings::{Checker, Place, Severity, rule};
use wire::{CText, F32};

use super::super::visit;
use super::{name_of, place, sections};
use crate::dragon::layout::Document;
use crate::dragon::layout::body::Body;
use crate::dragon::layout::words::{AnimationType, Smoothing};

rule! {
    /// ## What it finds
    /// Text that is not UTF-8.
    ///
    /// ## Why it matters
    /// Programs show U+FFFD in place of the bytes they cannot decode, and files named by it are not found.
    ///
    /// ## Example
    /// `name` holds the byte FF.
    ///
    /// ## Fix
    /// Write the text again as UTF-8.
    DRG_025 "DRG-025" "string-not-utf8", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            visit::texts(&section.body, &mut |path, text: &CText| {
                if let Err(error) = std::str::from_utf8(text.bytes()) {
                    let at = error.valid_up_to();
                    let message = format!("it is not UTF-8: byte {:02X} at position {at}", text.bytes()[at]);
                    cx.report(place(i, &path()), message);
                }
            });
        }
    }
}

rule! {
    /// ## What it finds
    /// A truth value that is neither 0 nor 1.
    ///
    /// ## Why it matters
    /// It counts as true; other readers may demand 1.
    ///
    /// ## Example
    /// `enabled` of a bone is 2.
    ///
    /// ## Fix
    /// Set it to 1; `--fix` does so for bones.
    DRG_026 "DRG-026" "bool-not-plain", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let message = |value: u8| format!("it is {value}; true is 1");
        for (i, section) in sections(doc) {
            match &section.body {
                Body::Skeleton(skeleton) => {
                    for (k, bone) in skeleton.bones.iter().enumerate().filter(|(_, bone)| !bone.enabled.is_plain()) {
                        cx.report(place(i, "bones").nth(k).field("enabled"), message(bone.enabled.0));
                    }
                }
                Body::Vertex(vertex) => {
                    let odd = vertex.attributes.iter().enumerate().filter(|(_, a)| !a.normalized.is_plain());
                    for (k, attribute) in odd {
                        let place = place(i, "attributes").nth(k).field("normalized");
                        cx.report(place, message(attribute.normalized.0));
                    }
                }
                _ => {}
            }
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let mut mended = 0;
        for section in &mut doc.sections {
            let Body::Skeleton(skeleton) = &section.body else { continue };
            if skeleton.bones.iter().all(|bone| bone.enabled.is_plain()) {
                continue;
            }
            let Body::Skeleton(skeleton) = &mut section.edit().body else { continue };
            for bone in skeleton.bones.iter_mut().filter(|bone| !bone.enabled.is_plain()) {
                bone.enabled = true.into();
                mended += 1;
            }
        }
        mended
    }
}

rule! {
    /// ## What it finds
    /// A number that should have a name and has none: a draw type, a way of sampling, wrapping or projecting a texture, a
    /// kind of light, a kind of animation. A smoothing of 0, which has no name in the document, is an info.
    ///
    /// ## Why it matters
    /// Nothing says what it means; the first name is taken instead.
    ///
    /// ## Example
    /// `light_type` is 9.
    ///
    /// ## Fix
    /// Set it to a number that has a name.
    DRG_027 "DRG-027" "enum-unknown", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let of_2019 = doc.is_of_2019();
        for (i, section) in sections(doc) {
            let mut unknown = |field: &str, number: u32, word: Option<&str>| {
                if word.is_none() {
                    cx.report(place(i, field), format!("{number} has no meaning here"));
                }
            };
            match &section.body {
                Body::Geometry(geometry) => {
                    for (k, mesh) in geometry.meshes.iter().enumerate().filter(|(_, m)| m.draw_type.word().is_none()) {
                        unknown(&format!("meshes[{k}].draw_type"), mesh.draw_type.0.into(), None);
                    }
                }
                Body::Texture(texture) => {
                    unknown("sampling", texture.sampling.0.into(), texture.sampling.word());
                    unknown("projection", texture.projection.0.into(), texture.projection.word());
                    unknown("wrap_x", texture.wrap_x.0.into(), texture.wrap_x.word());
                    unknown("wrap_y", texture.wrap_y.0.into(), texture.wrap_y.word());
                }
                Body::Light(light) => unknown("light_type", light.light_type.0.into(), light.light_type.word()),
                Body::AniTrack(track) => {
                    let kind = track.animation_type;
                    let known = kind.word().filter(|_| of_2019 || kind <= AnimationType::RELATIVE);
                    unknown("animation_type", kind.0.into(), known);
                    unknown("sampling_type", track.sampling_type.0.into(), track.sampling_type.word());
                    unknown("smoothing_type", track.smoothing_type.0.into(), track.smoothing_type.word());
                    if track.smoothing_type == Smoothing::NONE && !of_2019 {
                        let message = "0 has no name in the document; it is taken as no easing";
                        cx.report_as(Severity::Info, place(i, "smoothing_type"), message);
                    }
                }
                _ => {}
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A number that is infinite or not a number.
    ///
    /// ## Why it matters
    /// What it belongs to vanishes or fills the screen; other formats forbid it.
    ///
    /// ## Example
    /// `position` of an OBJECT is (NaN, 0, 0).
    ///
    /// ## Fix
    /// Find out which step of the export divides by zero.
    DRG_031 "DRG-031" "not-finite", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            finite(&section.body, i, cx);
            visit::rotations(&section.body, &mut |path, placed| {
                let parts = [("position", placed.position), ("scale", placed.scale)];
                let odd = parts.iter().find(|(_, part)| part.is_some_and(|part| !all_finite(&part)));
                let field = match odd {
                    Some(("position", _)) if matches!(section.body, Body::Socket(_)) => "offset",
                    Some((field, _)) => field,
                    None if !all_finite(placed.rotation.floats()) => "rotation",
                    None => return,
                };
                let holder = path();
                let joint = if holder.is_empty() { "" } else { "." };
                cx.report(place(i, &format!("{holder}{joint}{field}")), "it is not finite");
            });
        }
    }
}

fn all_finite(numbers: &[F32]) -> bool {
    numbers.iter().all(|number| number.get().is_finite())
}

/// Numbers that stand by themselves.
fn finite(body: &Body, i: usize, cx: &mut Checker<'_>) {
    let mut one = |field: &dyn Fn() -> String, numbers: &[F32]| {
        if !all_finite(numbers) {
            let numbers: Vec<String> = numbers.iter().map(|number| number.get().to_string()).collect();
            cx.report(place(i, &field()), format!("it is {}", numbers.join(" ")));
        }
    };
    match body {
        Body::Morph(morph) => {
            for (k, morph) in morph.morphs.iter().enumerate() {
                for (field, number) in [("min", morph.min), ("max", morph.max), ("default", morph.default)] {
                    one(&|| format!("morphs[{k}].{field}"), &[number]);
                }
            }
        }
        Body::Light(light) => {
            one(&|| "fov".to_owned(), &[light.fov]);
            one(&|| "color".to_owned(), &light.color);
            one(&|| "strength".to_owned(), &[light.strength]);
        }
        Body::VoxelObj(object) => {
            object.voxels.iter().enumerate().for_each(|(k, voxel)| {
                one(&|| format!("voxels[{k}].position"), &voxel.position);
            });
        }
        Body::VoxelMat(material) => {
            material.slots.iter().enumerate().for_each(|(k, slot)| one(&|| format!("slots[{k}].value"), &[slot.value]));
        }
        Body::AniTrack(track) => {
            if let Some(bezier) = &track.bezier {
                one(&|| "d1".to_owned(), &bezier.d1);
                one(&|| "d2".to_owned(), &bezier.d2);
            }
            let mut bad = track.data.iter().enumerate().filter(|(_, number)| !number.get().is_finite());
            if let Some((k, number)) = bad.next() {
                let count = 1 + bad.count() as u64;
                cx.report_count(place(i, "data").nth(k), count, format!("it is {}", number.get()));
            }
        }
        Body::Vertex(vertex) => super::vertex::finite(vertex, i, cx),
        _ => {}
    }
}

rule! {
    /// ## What it finds
    /// A key that a SETTINGS section has twice.
    ///
    /// ## Why it matters
    /// Readers may take either value.
    ///
    /// ## Example
    /// Two pairs with the key `name`.
    ///
    /// ## Fix
    /// Remove one of them.
    DRG_054 "DRG-054" "setting-twice", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            let Body::Settings(settings) = &section.body else { continue };
            let mut seen: HashMap<&[u8], usize> = HashMap::new();
            for (k, pair) in settings.pairs.iter().enumerate() {
                if let Some(first) = seen.insert(pair.key.bytes(), k) {
                    let key = findings::render::escape(&pair.key.to_string()).into_owned();
                    let message = format!("\"{key}\" is the key of pairs[{first}] too");
                    cx.report(place(i, "pairs").nth(k).field("key"), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A setting whose value has not as many bytes as its type, nor a multiple of that.
    ///
    /// ## Why it matters
    /// The value is kept as bytes; nothing can be made of it.
    ///
    /// ## Example
    /// A `vec3` of ten bytes.
    ///
    /// ## Fix
    /// Correct the type or the value.
    DRG_055 "DRG-055" "setting-size", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            let Body::Settings(settings) = &section.body else { continue };
            for (k, pair) in settings.pairs.iter().enumerate() {
                let size = pair.value().len();
                if let Some(kind) = pair.setting_type().filter(|kind| !kind.fits(size)) {
                    let element = kind.component * kind.count;
                    let message = format!("the value has {size} bytes; {} has {element}", kind.word);
                    cx.report(place(i, "pairs").nth(k).field("value_size"), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A LIGHT with two rotations, as the document prints it, that differ.
    ///
    /// ## Why it matters
    /// Only the second one counts.
    ///
    /// ## Example
    /// The first rotation is all zero.
    ///
    /// ## Fix
    /// Write the file again with `pentad convert --dialect spec` if the second one is right.
    DRG_057 "DRG-057" "light-rotations-differ", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc).filter(|(_, section)| section.manner.first_rotation_differs) {
            let message = format!("{} has two rotations that differ; the second one counts", name_of(section));
            cx.report(Place::path(place(i, "first_rotation").path), message);
        }
    }
}
