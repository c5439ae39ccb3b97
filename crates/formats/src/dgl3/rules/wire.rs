//! Bytes and fields: sizes, counts, ends, texts, ids, names and flags.

use std::collections::HashMap;

use findings::{Place, Severity, rule};
use wire::{Flag32, Text};

use super::super::layout::Document;
use super::{for_engine, quoted};

rule! {
    /// ## What it finds
    /// A file that does not start with `DGL3`.
    ///
    /// ## Why it matters
    /// The engine refuses it, and nothing says what the bytes mean.
    ///
    /// ## Example
    /// `44 47 4C 32` at the start.
    ///
    /// ## Fix
    /// Look for the file you meant; this is another format or a damaged start.
    DGL3_001 "DGL3-001" "bad-magic", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A version other than 300.
    ///
    /// ## Why it matters
    /// There is no other version; the engine refuses the file.
    ///
    /// ## Example
    /// `version` is 301.
    ///
    /// ## Fix
    /// Set the version to 300 if the rest of the file is as that version has it.
    DGL3_002 "DGL3-002" "unknown-version", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A size or count that is negative, or asks for more bytes than there are; frames of a mesh without vertices.
    ///
    /// ## Why it matters
    /// Nothing in the file says where anything begins: one wrong number and the rest is noise.
    ///
    /// ## Example
    /// `num_vertices` is -1.
    ///
    /// ## Fix
    /// Export the model again.
    DGL3_003 "DGL3-003" "size-or-count", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A file that ends inside a record.
    ///
    /// ## Why it matters
    /// What is missing cannot be guessed.
    ///
    /// ## Example
    /// A light without its colour.
    ///
    /// ## Fix
    /// Get the file again: it was cut short on its way.
    DGL3_004 "DGL3-004" "truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A file that announces lights and ends before the first.
    ///
    /// ## Why it matters
    /// The published exporter counts lamps and writes none of them; the engine's last loader dies of it, the one before
    /// never reads lights.
    ///
    /// ## Example
    /// `num_lights` is 2, and the file ends behind the entities.
    ///
    /// ## Fix
    /// Get the file again. If it is all there is, `check --fix=all` writes the true number.
    DGL3_005 "DGL3-005" "lights-missing", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.lights_missing() && doc.tail.is_empty() {
            let message = format!("num_lights is {}, but the file ends behind the entities", doc.header.num_lights);
            cx.report(Place::path("header.num_lights"), message);
        }
    }
    fn cut(doc: &mut Document) -> u64 {
        if !doc.lights_missing() || !doc.tail.is_empty() {
            return 0;
        }
        doc.header.edit().num_lights = 0;
        1
    }
}

rule! {
    /// ## What it finds
    /// Bytes behind the last record.
    ///
    /// ## Why it matters
    /// Nobody reads them; perhaps a count is too small.
    ///
    /// ## Example
    /// Four bytes behind the last light.
    ///
    /// ## Fix
    /// Compare the counts of the header with the file; `dump` shows both.
    DGL3_006 "DGL3-006" "trailing-bytes", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A name, file name or property that is not UTF-8.
    ///
    /// ## Why it matters
    /// The document says UTF-8; programs show something else in place of the bytes.
    ///
    /// ## Example
    /// A name in Windows-1251.
    ///
    /// ## Fix
    /// Rename the object and export the model again.
    DGL3_007 "DGL3-007" "string-not-utf8", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (text, place) in texts(doc) {
            if let Err(error) = std::str::from_utf8(text.bytes()) {
                let byte = text.bytes()[error.valid_up_to()];
                cx.report(place, format!("byte {byte:02X} at position {} is not UTF-8", error.valid_up_to()));
            }
        }
    }
}

/// Every text of a file.
fn texts(doc: &Document) -> Vec<(&Text, Place)> {
    use super::super::property::PropertyValue;
    let mut out = Vec::new();
    for (field, text) in [("name", &doc.header.name), ("creator_name", &doc.header.creator_name)] {
        out.push((text, Place::path("header").field(field)));
    }
    for (i, mesh) in doc.meshes.iter().enumerate() {
        let place = Place::path("meshes").nth(i);
        out.push((&mesh.name, place.field("name")));
        if let Some(external) = &mesh.external {
            out.push((&external.external_filename, place.field("external").field("external_filename")));
        }
        let Some(body) = &mesh.body else { continue };
        let body_place = place.field("body");
        for (k, animation) in body.skeletal.iter().flat_map(|s| &s.animations).enumerate() {
            out.push((
                &animation.animation_name,
                body_place.field("skeletal.animations").nth(k).field("animation_name"),
            ));
        }
        for (k, animation) in body.morph.iter().flat_map(|m| &m.animations).enumerate() {
            out.push((&animation.animation_name, body_place.field("morph.animations").nth(k).field("animation_name")));
        }
    }
    for (i, entity) in doc.entities.iter().enumerate() {
        let place = Place::path("entities").nth(i);
        out.push((&entity.name, place.field("name")));
        if let Some(external) = &entity.external {
            out.push((&external.external_filename, place.field("external").field("external_filename")));
        }
        for (k, property) in entity.properties.iter().enumerate() {
            out.push((&property.name, place.field("properties").nth(k).field("name")));
            if let PropertyValue::Text(text) = &property.value {
                out.push((text, place.field("properties").nth(k).field("value.text")));
            }
        }
    }
    for (i, light) in doc.lights.iter().enumerate() {
        out.push((&light.name, Place::path("lights").nth(i).field("name")));
    }
    out
}

/// The ids of one kind of record, with the field they stand in.
fn ids(doc: &Document) -> [(&'static str, &'static str, Vec<i32>); 3] {
    [
        ("meshes", "mesh_id", doc.meshes.iter().map(|mesh| mesh.mesh_id).collect()),
        ("entities", "entity_id", doc.entities.iter().map(|entity| entity.entity_id).collect()),
        ("lights", "light_id", doc.lights.iter().map(|light| light.light_id).collect()),
    ]
}

rule! {
    /// ## What it finds
    /// An id that is negative, or that two meshes, entities or lights share.
    ///
    /// ## Why it matters
    /// The document demands ids from 0 on, each once; of two meshes with one id only the first can be meant.
    ///
    /// ## Example
    /// Two meshes with `mesh_id` 0.
    ///
    /// ## Fix
    /// Number them 0, 1, 2 in the order of the file.
    DGL3_008 "DGL3-008" "id-not-unique", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (list, field, ids) in ids(doc) {
            let mut seen = HashMap::new();
            for (i, id) in ids.into_iter().enumerate() {
                let place = Place::path(list).nth(i).field(field);
                if id < 0 {
                    cx.report(place, format!("{field} is negative: {id}"));
                } else if let Some(first) = seen.insert(id, i) {
                    cx.report(place, format!("{field} is {id}, as that of {list}[{first}]"));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// An id that is not the record's position in the file.
    ///
    /// ## Why it matters
    /// The document means ids, the engine takes a mesh id for a position: it shows another mesh or dies.
    ///
    /// ## Example
    /// The first mesh has `mesh_id` 7.
    ///
    /// ## Fix
    /// Number them 0, 1, 2 in the order of the file, so that both readings agree.
    DGL3_009 "DGL3-009" "id-not-position", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (list, field, ids) in ids(doc) {
            // The engine looks at mesh ids alone.
            let severity = if list == "meshes" { for_engine(cx) } else { Severity::Info };
            for (i, id) in ids.into_iter().enumerate() {
                if id >= 0 && usize::try_from(id) != Ok(i) {
                    let message = format!("{field} is {id}, its position is {i}");
                    cx.report_as(severity, Place::path(list).nth(i).field(field), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A mesh, entity or light without a name, or with the name of another.
    ///
    /// ## Why it matters
    /// The document demands names, each once. The engine finds things by name; the last one of a name wins.
    ///
    /// ## Example
    /// Two entities called `crate`.
    ///
    /// ## Fix
    /// Rename them in the program the model was made with.
    DGL3_010 "DGL3-010" "name-not-unique", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let names: [(&str, Vec<&Text>); 3] = [
            ("meshes", doc.meshes.iter().map(|mesh| &mesh.name).collect()),
            ("entities", doc.entities.iter().map(|entity| &entity.name).collect()),
            ("lights", doc.lights.iter().map(|light| &light.name).collect()),
        ];
        for (list, names) in names {
            let mut seen = HashMap::new();
            for (i, name) in names.into_iter().enumerate() {
                let place = Place::path(list).nth(i);
                if name.is_empty() {
                    cx.report(place.field("name_size"), "it has no name");
                } else if let Some(first) = seen.insert(name.bytes(), i) {
                    cx.report(place.field("name"), format!("{} is the name of {list}[{first}], too", quoted(name.bytes())));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A flag that is neither 0 nor 1.
    ///
    /// ## Why it matters
    /// The document says 1 for yes; the engine takes anything but 0 for it. Others may not.
    ///
    /// ## Example
    /// `is_external` is -1.
    ///
    /// ## Fix
    /// `check --fix` writes 1.
    DGL3_011 "DGL3-011" "flag-not-plain", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let mut odd = |flag: Flag32, place: Place| {
            if !flag.is_plain() {
                cx.report(place, format!("it is {}, which means yes as 1 does", flag.0));
            }
        };
        for (i, mesh) in doc.meshes.iter().enumerate() {
            let place = Place::path("meshes").nth(i);
            odd(mesh.is_external, place.field("is_external"));
            if let Some(body) = &mesh.body {
                let place = place.field("body");
                odd(body.have_lightmap_tex_coords, place.field("have_lightmap_tex_coords"));
                odd(body.has_skeletal_animation, place.field("has_skeletal_animation"));
                odd(body.has_morph_target_animation, place.field("has_morph_target_animation"));
            }
        }
        for (i, entity) in doc.entities.iter().enumerate() {
            odd(entity.is_external, Place::path("entities").nth(i).field("is_external"));
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        fn mend(flag: &mut Flag32) -> u64 {
            let odd = !flag.is_plain();
            if odd {
                *flag = Flag32(1);
            }
            odd.into()
        }
        let mut count = 0;
        for mesh in &mut doc.meshes {
            let body = mesh.body.as_ref();
            let flags = body.map(|b| [b.have_lightmap_tex_coords, b.has_skeletal_animation, b.has_morph_target_animation]);
            if !mesh.is_external.is_plain() || flags.is_some_and(|flags| flags.iter().any(|f| !f.is_plain())) {
                let mesh = mesh.edit();
                count += mend(&mut mesh.is_external);
                if let Some(body) = &mut mesh.body {
                    count += mend(&mut body.have_lightmap_tex_coords);
                    count += mend(&mut body.has_skeletal_animation);
                    count += mend(&mut body.has_morph_target_animation);
                }
            }
        }
        for entity in doc.entities.iter_mut().filter(|entity| !entity.is_external.is_plain()) {
            count += mend(&mut entity.edit().is_external);
        }
        count
    }
}

rule! {
    /// ## What it finds
    /// A text of more bytes than a signed 32-bit number counts that is to be written.
    ///
    /// ## Why it matters
    /// Its size does not fit its field.
    ///
    /// ## Example
    /// A property of three thousand million letters.
    ///
    /// ## Fix
    /// Shorten the text.
    DGL3_036 "DGL3-036" "string-too-long", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}

rule! {
    /// ## What it finds
    /// More of something than a signed 32-bit number counts, or arrays of different lengths, that are to be written.
    ///
    /// ## Why it matters
    /// The count does not fit its field, or would lie.
    ///
    /// ## Example
    /// Three positions and two normals.
    ///
    /// ## Fix
    /// Split the mesh, or give every vertex a normal and texture coordinates.
    DGL3_037 "DGL3-037" "count-not-writable", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}
