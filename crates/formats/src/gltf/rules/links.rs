//! What objects say about each other.

use findings::{Place, rule};

use super::look;
use crate::gltf::bridge;
use crate::gltf::data::{Data, Element, meshopt};
use crate::gltf::layout::Document;

rule! {
    /// ## What it finds
    /// A number that should name another object of the file, and names none.
    ///
    /// ## Why it matters
    /// Programs refuse the file, or crash.
    ///
    /// ## Example
    /// `"mesh": 7` in a file of two meshes.
    ///
    /// ## Fix
    /// Export the file again; one that was edited by hand may have lost an object.
    GLTF_014 "GLTF-014" "bad-reference", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::lift(doc, cx);
        let known = doc.root.accessors.len();
        let mut named = |accessor: usize, place: Place| {
            if accessor >= known {
                cx.report(place, format!("it is {accessor}, and there are {known}"));
            }
        };
        for (i, mesh) in doc.root.meshes.iter().enumerate() {
            for (k, primitive) in mesh.primitives.iter().enumerate() {
                let place = Place::path(format!("meshes[{i}].primitives[{k}]"));
                primitive.indices.iter().for_each(|&indices| named(indices, place.field("indices")));
                for (name, &accessor) in &primitive.attributes {
                    named(accessor, place.field("attributes").field(name));
                }
            }
        }
        for (i, accessor) in doc.root.accessors.iter().enumerate() {
            if let Some(view) = accessor.buffer_view.filter(|&view| view >= doc.root.buffer_views.len()) {
                let message = format!("it is {view}, and there are {}", doc.root.buffer_views.len());
                cx.report(Place::path("accessors").nth(i).field("bufferView"), message);
            }
        }
        for (i, view) in doc.root.buffer_views.iter().enumerate().filter(|(_, v)| v.buffer >= doc.root.buffers.len()) {
            let message = format!("it is {}, and there are {}", view.buffer, doc.root.buffers.len());
            cx.report(Place::path("bufferViews").nth(i).field("buffer"), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A node that is its own ancestor, has two parents, or is the root of a scene although it has a parent or is one
    /// already.
    ///
    /// ## Why it matters
    /// glTF demands strict trees; programs run in circles otherwise.
    ///
    /// ## Example
    /// `nodes[0].children` is `[0]`.
    ///
    /// ## Fix
    /// Links to a node that has a parent already are left out when the file is written again, and listed.
    GLTF_015 "GLTF-015" "no-tree", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        bridge::second_places(&doc.root, |place, message| cx.report(place, message));
    }
}

rule! {
    /// ## What it finds
    /// A buffer whose file is not there, or that has no file in a `.gltf`.
    ///
    /// ## Why it matters
    /// Vertices, animations and images are in it.
    ///
    /// ## Example
    /// `"uri": "model.bin"` without `model.bin` beside the model.
    ///
    /// ## Fix
    /// Put the file beside the model, or name its folder with `--search-path`.
    GLTF_016 "GLTF-016" "buffer-missing", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::buffers(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// A buffer with fewer bytes than its `byteLength`.
    ///
    /// ## Why it matters
    /// What lies behind the end is missing.
    ///
    /// ## Example
    /// `"byteLength": 1024`, and `model.bin` has 1000 bytes.
    ///
    /// ## Fix
    /// Get the file again if it was cut short.
    GLTF_017 "GLTF-017" "buffer-too-short", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let data = Data::new(doc, cx.source(), cx.limits().clone());
        for (i, buffer) in doc.root.buffers.iter().enumerate() {
            let Ok(found) = data.buffer(i) else { continue };
            if found.bytes.len() < buffer.byte_length && !meshopt::is_fallback(buffer) {
                let message = format!("byteLength is {}, and there are {} bytes", buffer.byte_length, found.bytes.len());
                cx.report(Place::path("buffers").nth(i).field("byteLength"), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A URI that is neither a path nor data: another protocol, or base64 that is none.
    ///
    /// ## Why it matters
    /// What it should lead to is not part of the model.
    ///
    /// ## Example
    /// `"uri": "https://example.org/model.bin"`
    ///
    /// ## Fix
    /// Get the file and name it by its path.
    GLTF_018 "GLTF-018" "bad-uri", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::buffers(doc, cx);
        look::lift(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// A buffer view that reaches behind the end of its buffer.
    ///
    /// ## Why it matters
    /// Programs refuse the file, or crash.
    ///
    /// ## Example
    /// `"byteOffset": 20, "byteLength": 100` in a buffer of 100 bytes.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_019 "GLTF-019" "view-out-of-bounds", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::views(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// An accessor that reaches behind the end of its buffer view, or whose elements overlap.
    ///
    /// ## Why it matters
    /// Programs refuse the file, or crash.
    ///
    /// ## Example
    /// Three positions of 12 bytes in a view of 30 bytes.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_020 "GLTF-020" "accessor-out-of-bounds", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::accessors(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// A property with a value that the specification does not list.
    ///
    /// ## Why it matters
    /// Programs refuse the file, or guess.
    ///
    /// ## Example
    /// `"mode": 9`, `"alphaMode": "ADD"`, `"componentType": 5130`.
    ///
    /// ## Fix
    /// Look at the place that the message names.
    GLTF_021 "GLTF-021" "unknown-value", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::lift(doc, cx);
        for (i, accessor) in doc.root.accessors.iter().enumerate().filter(|(_, a)| Element::of(a).is_none()) {
            let message = format!("{} of component type {} is unknown", accessor.kind, accessor.component_type);
            cx.report(Place::path("accessors").nth(i).field(Element::unknown(accessor)), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// Arrays that belong together and have different lengths, or elements of a wrong number of numbers.
    ///
    /// ## Why it matters
    /// Nothing says what the missing ones are. What does not fit is left out.
    ///
    /// ## Example
    /// A `NORMAL` with 3 elements beside a `POSITION` with 4.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_022 "GLTF-022" "wrong-count", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::lift(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// An image whose file is not there.
    ///
    /// ## Why it matters
    /// The material has no texture.
    ///
    /// ## Example
    /// `"uri": "wood.png"` without `wood.png` beside the model.
    ///
    /// ## Fix
    /// Put the file beside the model, or name its folder with `--search-path`.
    GLTF_023 "GLTF-023" "image-missing", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::lift(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// An image that is neither PNG nor JPEG.
    ///
    /// ## Why it matters
    /// Programs need not know any other kind.
    ///
    /// ## Example
    /// A `.tga` file.
    ///
    /// ## Fix
    /// Convert the image to PNG.
    GLTF_024 "GLTF-024" "image-kind", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::images(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// Something in `extras.pentad` that contradicts the file, or is in no form that pentad writes.
    ///
    /// ## Why it matters
    /// Another program changed the file. What the source had is not given back; what the file shows is taken.
    ///
    /// ## Example
    /// `phong` of a material that was made metallic.
    ///
    /// ## Fix
    /// Nothing breaks. Delete `extras.pentad` of the object to be rid of the message.
    GLTF_036 "GLTF-036" "carried-data-ignored", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::lift(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// A source that travels in the file and cannot be used: its bytes are gone or changed, or are no file of the format
    /// that they are said to be.
    ///
    /// ## Why it matters
    /// The way back to the source's format gives what the file shows, and not the source's own bytes.
    ///
    /// ## Example
    /// `extras.pentad.source.sha256` of bytes that another program left out.
    ///
    /// ## Fix
    /// Nothing breaks. Convert the source again with `--carry`, or delete `extras.pentad.source` to be rid of the message.
    GLTF_040 "GLTF-040" "carried-source-ignored", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::source(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// Fewer skins, animations, levels of detail or lights than the file had when pentad wrote it.
    ///
    /// ## Why it matters
    /// Another program left them out, or somebody deleted them. On the way back they are not there.
    ///
    /// ## Example
    /// Blender exports lights only if it is asked to.
    ///
    /// ## Fix
    /// If they should be there, look for an option of the program that wrote the file last, or convert the source again.
    GLTF_050 "GLTF-050" "fewer-objects-than-written", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::lift(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// A compressed buffer view that cannot be inflated.
    ///
    /// ## Why it matters
    /// The vertices in it are lost.
    ///
    /// ## Example
    /// `EXT_meshopt_compression` with a first byte that no codec has.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_037 "GLTF-037" "bad-compression", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::views(doc, cx);
    }
}

rule! {
    /// ## What it finds
    /// An extension that is known, but does not have the properties that it should.
    ///
    /// ## Why it matters
    /// What it adds is left out.
    ///
    /// ## Example
    /// `KHR_lights_punctual` without `lights`.
    ///
    /// ## Fix
    /// Export the file again.
    GLTF_039 "GLTF-039" "bad-extension", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        look::lift(doc, cx);
    }
}
