//! What can be wrong with materials, and with the values of properties.

use findings::{Loaded, Place, Severity, rule};

use super::{property_place, show, text_place};
use crate::dgl2::dml::value;
use crate::dgl2::layout::{Document, EntityKind, Form};
use crate::dgl2::properties::{LAST_SLOT, Properties, texture_key};

/// The properties of every material, with the place of its chunk.
fn materials(doc: &Document) -> impl Iterator<Item = (usize, Properties)> {
    doc.materials().map(|(i, _, material)| (i, Properties(doc.properties(&material.text))))
}

/// Whether a value is of the type it should be.
type Is = fn(&[u8]) -> bool;

const NUMBER: Is = |text| value::float(text).is_some();
const WHOLE: Is = |text| value::int(text).is_some();

const MATERIAL_NUMBERS: &[(&str, Is)] = &[("emission", NUMBER), ("blendMode", WHOLE), ("shininess", NUMBER)];

/// Truth values.
const MATERIAL_SWITCHES: &[&str] = &["shadeless", "doubleSided", "useGLSL", "rimLight"];
const ENTITY_SWITCHES: &[&str] = &["visible", "transparent"];

/// What the engine would not like about a file name, and whether it could not load the file at all.
fn name_fault(file: &[u8]) -> Option<(&'static str, bool)> {
    let has = |byte: u8| file.contains(&byte);
    if has(b',') || has(b'[') || has(b']') {
        Some(("has a comma or a bracket in its name", true))
    } else if file.split(|&byte| byte == b'/' || byte == b'\\').any(|part| part == b"..") {
        Some(("lies outside the model's folder", false))
    } else if has(b'/') || has(b'\\') {
        Some(("lies in another folder", false))
    } else if !file.to_ascii_lowercase().ends_with(b".png") {
        Some(("is not called .png", true))
    } else {
        None
    }
}

rule! {
    /// ## What it finds
    /// A MATERIAL whose text is longer than its data, or whose text holds a byte 00.
    ///
    /// ## Why it matters
    /// The engine reads behind the chunk; a byte 00 shows that the data are no text.
    ///
    /// ## Example
    /// The length says 200, and 120 bytes follow it.
    ///
    /// ## Fix
    /// Export the model again.
    DGL2_023 "DGL2-023" "material-text", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, _, material) in doc.materials() {
            if let Some(stored) = material.text_size.filter(|&stored| stored as usize > material.text.len()) {
                let message = format!("the text takes {stored} bytes, and {} remain", material.text.len());
                cx.report(Place::path(format!("chunks[{i}].data.text_size")), message);
            } else if let Some(at) = material.text.bytes().iter().position(|&byte| byte == 0) {
                let place = text_place(i, &material.text, at..at + 1);
                cx.report(place, format!("the text has a byte 00 at position {at}"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A MATERIAL whose data are the text alone, as the document says, without a length before it.
    ///
    /// ## Why it matters
    /// No known program writes such a file, and the engine takes the first four bytes of the text for a length.
    ///
    /// ## Example
    /// The data begin with `diffuseColor`.
    ///
    /// ## Fix
    /// `pentad convert IN OUT --dialect engine` writes what the engine loads.
    DGL2_024 "DGL2-024" "material-without-length", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Info };
        for (i, _, material) in doc.materials() {
            if material.form() == Form::Spec && !material.text.is_empty() {
                cx.report_as(severity, Place::path(format!("chunks[{i}].data")), "the text has no length before it");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A property `texturesNum` that is no whole number from 0 to 8.
    ///
    /// ## Why it matters
    /// The engine looks at as many textures as it says, has eight slots, and stops at a value that is no whole number.
    ///
    /// ## Example
    /// `texturesNum="1.0";`
    ///
    /// ## Fix
    /// Write the number of textures.
    DGL2_025 "DGL2-025" "textures-num", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Warning };
        for (i, properties) in materials(doc) {
            if let Some(property) = properties.find("texturesNum")
                && !value::int(&property.value).is_some_and(|count| (0..=8).contains(&count))
            {
                let message = format!("texturesNum is {}, not a whole number from 0 to 8", show(&property.value));
                cx.report_as(severity, property_place(i, property), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A texture behind those that `texturesNum` counts, one above `texture7`; as a remark, one that is counted and
    /// missing.
    ///
    /// ## Why it matters
    /// The engine looks at slots 0 to texturesNum - 1 and at no others. Here every texture is taken that is there.
    ///
    /// ## Example
    /// `texturesNum="1";texture1="a.png";`
    ///
    /// ## Fix
    /// Number the textures from 0 and count them.
    DGL2_026 "DGL2-026" "texture-slot", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, properties) in materials(doc) {
            let counted = properties.int("texturesNum").filter(|count| (0..=8).contains(count));
            for slot in 0..=LAST_SLOT {
                let texture = properties.find(&texture_key(slot));
                match (texture, counted) {
                    (Some(texture), Some(count)) if i64::from(slot) >= count => {
                        let message = format!("texture{slot} lies behind the {count} textures that texturesNum counts");
                        cx.report(property_place(i, texture), message);
                    }
                    (Some(texture), None) if properties.find("texturesNum").is_none() => {
                        cx.report(property_place(i, texture), format!("texture{slot} is not counted: there is no texturesNum"));
                    }
                    (Some(texture), _) if slot == LAST_SLOT => {
                        cx.report(property_place(i, texture), "the engine has texture0 to texture7");
                    }
                    (None, Some(count)) if i64::from(slot) < count && slot < LAST_SLOT => {
                        if let Some(property) = properties.find("texturesNum") {
                            // A slot has a meaning, so one may be left empty before another.
                            let message = format!("texturesNum counts {count} textures, and texture{slot} is missing");
                            cx.report_as(Severity::Info, property_place(i, property), message);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A texture whose value is a path, as the document says, and not `[file, number]`.
    ///
    /// ## Why it matters
    /// The engine expects the brackets and the number of a way to mix textures.
    ///
    /// ## Example
    /// `texture0="wood.png";`
    ///
    /// ## Fix
    /// `pentad convert IN OUT --dialect engine` writes what the engine loads.
    DGL2_027 "DGL2-027" "texture-value-plain", stage: Values, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Info };
        for (i, properties) in materials(doc) {
            for texture in properties.textures() {
                if value::texture(&texture.property.value).1.is_none() {
                    let message = format!("texture{} is a path, not [file, number]", texture.slot);
                    cx.report_as(severity, property_place(i, texture.property), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A texture whose name holds a folder, `..`, a comma or brackets, or does not end with `.png`.
    ///
    /// ## Why it matters
    /// The document allows any path. The engine looks for PNG files by their bare names, and ends a name at its first
    /// comma.
    ///
    /// ## Example
    /// `texture0="images/wood.jpg";`
    ///
    /// ## Fix
    /// Put PNG files beside the model and name them without a folder.
    DGL2_028 "DGL2-028" "texture-name", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, properties) in materials(doc) {
            for texture in properties.textures() {
                let Some((fault, fails)) = name_fault(texture.file) else { continue };
                let severity = match (cx.asked_for_engine(), fails) {
                    (true, true) => Severity::Error,
                    (true, false) => Severity::Warning,
                    (false, _) => Severity::Info,
                };
                let message = format!("the file {} {fault}", show(texture.file));
                cx.report_as(severity, property_place(i, texture.property), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A colour that is not four numbers between brackets, or has one outside 0 to 1.
    ///
    /// ## Why it matters
    /// The engine expects just four numbers. Beyond 1 a material is brighter than white.
    ///
    /// ## Example
    /// `diffuseColor="[255, 0, 0]";`
    ///
    /// ## Fix
    /// Write four numbers from 0 to 1: `[r, g, b, a]`.
    DGL2_029 "DGL2-029" "color-value", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let mut check = |i: usize, properties: &Properties, keys: &[&str]| {
            for property in keys.iter().filter_map(|key| properties.find(key)) {
                let name = show(&property.name);
                match value::array::<4>(&property.value) {
                    None => {
                        let message = format!("{name} is {}, not [r, g, b, a]", show(&property.value));
                        cx.report(property_place(i, property), message);
                    }
                    Some(color) if color.iter().any(|v| !(0. ..=1.).contains(v)) => {
                        cx.report(property_place(i, property), format!("{name} has a number outside 0 to 1"));
                    }
                    Some(_) => {}
                }
            }
        };
        for (i, properties) in materials(doc) {
            check(i, &properties, &["diffuseColor", "specularColor"]);
        }
        for (i, _, entity) in doc.entities().filter(|(.., entity)| entity.kind == EntityKind::LIGHT) {
            check(i, &Properties(doc.properties(&entity.text)), &["color"]);
        }
    }
}

rule! {
    /// ## What it finds
    /// A property the engine reads as a number or truth value, with a value that is none; a truth value that is neither
    /// 0 nor 1.
    ///
    /// ## Why it matters
    /// The engine stops when it turns the text into a number. Here the property is taken as absent. Other numbers are
    /// true, but for those that begin with 0.
    ///
    /// ## Example
    /// `shadeless="yes";`
    ///
    /// ## Fix
    /// Write a number; truth values are 0 and 1.
    DGL2_033 "DGL2-033" "property-type", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Warning };
        let mut check = |i: usize, properties: &Properties, keys: &[(&str, Is)], switches: &[&str]| {
            let numbers = keys.iter().copied().chain(switches.iter().map(|key| (*key, NUMBER)));
            for (property, key) in numbers.filter_map(|(key, is)| Some((properties.find(key).filter(|p| !is(&p.value))?, key))) {
                let message = format!("{key} is {}, not a number", show(&property.value));
                cx.report_as(severity, property_place(i, property), message);
            }
            for property in switches.iter().filter_map(|key| properties.find(key)) {
                if value::float(&property.value).is_some_and(|number| number != 0. && number != 1.) {
                    let message = format!("{} is neither 0 nor 1", show(&property.value));
                    cx.report(property_place(i, property), message);
                }
            }
        };
        for (i, properties) in materials(doc) {
            check(i, &properties, MATERIAL_NUMBERS, MATERIAL_SWITCHES);
        }
        for (i, _, entity) in doc.entities() {
            check(i, &Properties(doc.properties(&entity.text)), &[], ENTITY_SWITCHES);
        }
    }
}

rule! {
    /// ## What it finds
    /// A texture whose file was not found beside the model or in a search path.
    ///
    /// ## Why it matters
    /// The name is kept, but there is no image to show or convert.
    ///
    /// ## Example
    /// `texture0="[wood.png, 0]";`, and there is no such file.
    ///
    /// ## Fix
    /// Put the file beside the model, or name its folder with `--search-path`.
    DGL2_035 "DGL2-035" "texture-missing", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, properties) in materials(doc) {
            for texture in properties.textures().iter().filter(|texture| !texture.file.is_empty()) {
                let why = match cx.source().load(&String::from_utf8_lossy(texture.file), None) {
                    Loaded::Found { .. } => continue,
                    Loaded::Missing => "was not found".to_owned(),
                    Loaded::Refused(why) => format!("was not opened: {why}"),
                };
                cx.report(property_place(i, texture.property), format!("texture {} {why}", show(texture.file)));
            }
        }
    }
}
