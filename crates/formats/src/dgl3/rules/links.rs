//! Properties, materials and other files.

use std::collections::HashMap;

use findings::{Loaded, Place, Severity, Source, rule};

use super::super::external;
use super::super::facts::{DEFAULT_MATERIAL, MATERIAL};
use super::super::layout::Document;
use super::super::property::PropertyValue;
use super::{for_engine, quoted};

rule! {
    /// ## What it finds
    /// A property of a type that does not exist.
    ///
    /// ## Why it matters
    /// Nothing tells how long its value is, so the rest of the file cannot be read.
    ///
    /// ## Example
    /// `property_type` is 6.
    ///
    /// ## Fix
    /// Types are 0 int, 1 float, 2 vec2, 3 vec3, 4 vec4, 5 string.
    DGL3_024 "DGL3-024" "property-type-unknown", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// Two properties of one name, or one without a name.
    ///
    /// ## Why it matters
    /// The last one of a name wins; the others say nothing.
    ///
    /// ## Example
    /// `material` twice.
    ///
    /// ## Fix
    /// Remove all but the last.
    DGL3_025 "DGL3-025" "property-name", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, entity) in doc.entities.iter().enumerate() {
            let mut seen = HashMap::new();
            for (k, property) in entity.properties.iter().enumerate() {
                let place = Place::path("entities").nth(i).field("properties").nth(k);
                let name = property.name.bytes();
                if name.is_empty() {
                    cx.report(place.field("name_size"), "the property has no name");
                } else if let Some(first) = seen.insert(name, k) {
                    cx.report(place.field("name"), format!("{} is the name of properties[{first}], too", quoted(name)));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// An entity without a material, or with one that is not text, does not end in `.mat`, is not found, or calls
    /// itself something else.
    ///
    /// ## Why it matters
    /// The engine shows its default material. The document does not say how materials are found; the engine takes the
    /// property `material`, and `__default__.mat` for none.
    ///
    /// ## Example
    /// `material` is `wood`.
    ///
    /// ## Fix
    /// Put the material file beside the model, or name its folder with `--search-path`.
    DGL3_026 "DGL3-026" "material-link", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let source = cx.source();
        let mut known: HashMap<&[u8], Option<(Severity, String)>> = HashMap::new();
        for (i, entity) in doc.entities.iter().enumerate() {
            let place = Place::path("entities").nth(i);
            let link = entity.properties.iter().enumerate().rfind(|(_, property)| property.name.bytes() == MATERIAL);
            let Some((k, property)) = link else {
                if entity.mesh_id != -1 {
                    let message = "it has no property material; the engine shows its default material";
                    cx.report_as(Severity::Info, place.field("num_custom_properties"), message);
                }
                continue;
            };
            let place = place.field("properties").nth(k);
            let PropertyValue::Text(text) = &property.value else {
                cx.report(place.field("property_type"), "the property material is no string");
                continue;
            };
            let file = text.bytes();
            if file == DEFAULT_MATERIAL {
                continue;
            }
            if let Some((severity, why)) = known.entry(file).or_insert_with(|| material_fault(file, source)) {
                cx.report_as(*severity, place.field("value.text"), why.clone());
            }
        }
    }
}

/// What is wrong with a material file that an entity names.
fn material_fault(file: &[u8], source: &dyn Source) -> Option<(Severity, String)> {
    let shown = quoted(file);
    if !file.to_ascii_lowercase().ends_with(b".mat") {
        return Some((Severity::Warning, format!("{shown} is no .mat file")));
    }
    match source.load(&String::from_utf8_lossy(file), None) {
        Loaded::Missing => Some((Severity::Warning, format!("material file {shown} was not found"))),
        Loaded::Refused(why) => Some((Severity::Warning, format!("material file {shown}: {why}"))),
        Loaded::Found { bytes, .. } => {
            let material = crate::mat::Document::of(bytes);
            let name = material.string("name")?;
            let stem = file.rsplit(|&b| b == b'/').next().and_then(|file| file.get(..file.len() - 4))?;
            // The engine goes by the file; people who read the text are misled.
            (*name != *stem).then(|| (Severity::Info, format!("{shown} calls itself {}", quoted(&name))))
        }
    }
}

rule! {
    /// ## What it finds
    /// A file that a mesh or entity names and that is missing, unreadable, outside the model's folder, names itself
    /// over other files, or stands for one mesh and holds none or several.
    ///
    /// ## Why it matters
    /// The document says that a decoder should fail; pentad goes on without it.
    ///
    /// ## Example
    /// `external_filename` is `../crate.dgl3`.
    ///
    /// ## Fix
    /// Put the file where its name says, or allow its folder with `--allow-root`.
    DGL3_027 "DGL3-027" "external-file", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (fault, place) in external::faults(doc, cx.source(), cx.limits()) {
            cx.report(place, fault.to_string());
        }
    }
}

rule! {
    /// ## What it finds
    /// A mesh or entity that is in another file.
    ///
    /// ## Why it matters
    /// The document has such references; the engine reads the file name and loads nothing.
    ///
    /// ## Example
    /// `is_external` is 1.
    ///
    /// ## Fix
    /// `pentad convert` to another format and back brings everything into one file.
    DGL3_028 "DGL3-028" "external-reference", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = for_engine(cx);
        let meshes = doc.meshes.iter().map(|mesh| mesh.is_external);
        let entities = doc.entities.iter().map(|entity| entity.is_external);
        for (list, flags) in [("meshes", meshes.collect::<Vec<_>>()), ("entities", entities.collect())] {
            for (i, _) in flags.iter().enumerate().filter(|(_, flag)| flag.is_set()) {
                cx.report_as(severity, Place::path(list).nth(i).field("is_external"), "the engine loads no other files");
            }
        }
    }
}
