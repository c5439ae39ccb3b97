//! Extensions that a file uses.

use std::collections::BTreeSet;

use findings::{Place, rule};

use crate::gltf::extensions::{self, Use};
use crate::gltf::layout::Document;
use crate::gltf::schema::{Json, Map};

/// Extensions that are used without any object naming them.
const UNNAMED: [&str; 1] = [extensions::QUANTIZATION];

rule! {
    /// ## What it finds
    /// An extension in `extensionsRequired` that this version has never heard of.
    ///
    /// ## Why it matters
    /// The file says that it cannot be understood without it. What it adds is kept, not shown.
    ///
    /// ## Example
    /// `"extensionsRequired": ["ACME_tessellation"]`
    ///
    /// ## Fix
    /// Export the file without the extension, or use a program that knows it.
    GLTF_010 "GLTF-010" "unknown-required-extension", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, name) in doc.root.extensions_required.iter().enumerate().filter(|(_, name)| extensions::known(name).is_none()) {
            cx.report(Place::path("extensionsRequired").nth(i), format!("{name} is required, and unknown to this version"));
        }
    }
}

rule! {
    /// ## What it finds
    /// An extension that this version does not know, or one that a file requires and that is only kept.
    ///
    /// ## Why it matters
    /// What it adds is kept on the way from glTF to glTF, and lost on any other. Geometry that is compressed by Draco
    /// can only be repacked.
    ///
    /// ## Example
    /// `"extensionsUsed": ["ACME_tessellation"]`, or `"extensionsRequired": ["KHR_texture_basisu"]`
    ///
    /// ## Fix
    /// Nothing breaks. `docs/formats/gltf.md` lists what is done with each extension.
    GLTF_011 "GLTF-011" "unknown-extension", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let root = &doc.root;
        let unknown = |name: &String| extensions::known(name).is_none() && !root.extensions_required.contains(name);
        for (i, name) in root.extensions_used.iter().enumerate().filter(|(_, name)| unknown(name)) {
            cx.report(Place::path("extensionsUsed").nth(i), format!("{name} is unknown to this version"));
        }
        for (i, name) in root.extensions_required.iter().enumerate() {
            let what = match extensions::known(name).map(|extension| extension.use_) {
                Some(Use::Kept | Use::Loose) => "what it adds is kept between glTF files, and not shown",
                Some(Use::Image(kind)) if kind.mime != "image/webp" => "its images are kept as they are, and not decoded",
                Some(Use::Refused) => "the geometry cannot be read, only repacked",
                _ => continue,
            };
            cx.report(Place::path("extensionsRequired").nth(i), format!("{name} is required: {what}"));
        }
    }
}

rule! {
    /// ## What it finds
    /// An object with an extension that `extensionsUsed` does not list, or a required one that it does not list.
    ///
    /// ## Why it matters
    /// Programs may ignore it.
    ///
    /// ## Example
    /// A node with `KHR_lights_punctual` in a file without `extensionsUsed`.
    ///
    /// ## Fix
    /// Add the name to `extensionsUsed`; writing the file again does so.
    GLTF_012 "GLTF-012" "undeclared-extension", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let declared: BTreeSet<&str> = doc.root.extensions_used.iter().map(String::as_str).collect();
        each_extension(&json(doc), "", &mut |name, path| {
            if !declared.contains(name) {
                cx.report(Place::path(path), format!("extensionsUsed does not list {name}"));
            }
        });
        for (i, name) in doc.root.extensions_required.iter().enumerate().filter(|(_, n)| !declared.contains(n.as_str())) {
            cx.report(Place::path("extensionsRequired").nth(i), format!("extensionsUsed does not list {name}"));
        }
    }
}

rule! {
    /// ## What it finds
    /// An extension in `extensionsUsed` that no object has.
    ///
    /// ## Why it matters
    /// Programs may refuse a file for something that it does not need.
    ///
    /// ## Example
    /// `"extensionsUsed": ["KHR_materials_unlit"]` without an unlit material.
    ///
    /// ## Fix
    /// Take the name out; writing the file again does so.
    GLTF_013 "GLTF-013" "unused-extension", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.root.extensions_used.is_empty() {
            return;
        }
        let mut used = BTreeSet::new();
        each_extension(&json(doc), "", &mut |name, _| _ = used.insert(name.to_owned()));
        let unnamed = |name: &str| UNNAMED.contains(&name);
        for (i, name) in doc.root.extensions_used.iter().enumerate().filter(|(_, n)| !used.contains(*n) && !unnamed(n)) {
            cx.report(Place::path("extensionsUsed").nth(i), format!("no object has {name}"));
        }
    }
}

/// The whole JSON, free of types, and of links, which may be long.
fn json(doc: &Document) -> Json {
    let mut root = (*doc.root).clone();
    root.buffers.iter_mut().for_each(|buffer| buffer.uri = None);
    root.images.iter_mut().for_each(|image| image.uri = None);
    serde_json::to_value(&root).unwrap_or_default()
}

/// Calls `each` with the name and the path of every extension of every object.
fn each_extension(json: &Json, path: &str, each: &mut dyn FnMut(&str, &str)) {
    match json {
        Json::Object(object) => each_property(object, path, each),
        Json::Array(list) => {
            for (i, item) in list.iter().enumerate().filter(|(_, item)| item.is_object() || item.is_array()) {
                each_extension(item, &format!("{path}[{i}]"), each);
            }
        }
        _ => {}
    }
}

fn each_property(object: &Map<String, Json>, path: &str, each: &mut dyn FnMut(&str, &str)) {
    let dot = if path.is_empty() { "" } else { "." };
    for (key, inner) in object.iter().filter(|(key, inner)| *key != "extras" && !inner.is_string()) {
        let path = format!("{path}{dot}{key}");
        if let ("extensions", Json::Object(all)) = (key.as_str(), inner) {
            all.keys().for_each(|name| each(name, &format!("{path}.{name}")));
        }
        each_extension(inner, &path, each);
    }
}
