//! Bytes: what stops the reader, and what it tolerates.

use findings::{Place, Severity, rule};

use super::super::document::{Compression, Document};
use super::super::form::{Kind, Numbering, Revision};
use super::super::write::DEFAULT_LEVEL;
use super::{each_mesh, for_engine, place};

rule! {
    /// ## What it finds
    /// A file that does not start with `das2` and four bytes 00.
    ///
    /// ## Why it matters
    /// Every reader refuses it, and nothing says what the bytes mean. Streams of space physics called das2 are another
    /// format.
    ///
    /// ## Example
    /// `das2` followed by a version number.
    ///
    /// ## Fix
    /// Look for the file you meant; this is another format or a damaged start.
    DAS2_001 "DAS2-001" "bad-magic", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A file of the format before this one: `DAS`, a byte 00.
    ///
    /// ## Why it matters
    /// It has another layout altogether.
    ///
    /// ## Example
    /// A file of `dastool`.
    ///
    /// ## Fix
    /// Convert the model again from its source.
    DAS2_002 "DAS2-002" "first-generation", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A file that ends inside its header.
    ///
    /// ## Why it matters
    /// There is no model in it.
    ///
    /// ## Example
    /// A file of 20 bytes.
    ///
    /// ## Fix
    /// Get the file again: it was cut short on its way.
    DAS2_003 "DAS2-003" "header-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A structure that runs past the end of the body.
    ///
    /// ## Why it matters
    /// The library does not notice and goes on with what was in memory.
    ///
    /// ## Example
    /// A buffer of 100 bytes of which 50 are there.
    ///
    /// ## Fix
    /// Get the file again if it was cut short; otherwise a size or count in it is wrong.
    DAS2_004 "DAS2-004" "body-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A compressed body that cannot be inflated, or that other bytes follow.
    ///
    /// ## Why it matters
    /// Nothing behind the damage can be read.
    ///
    /// ## Example
    /// A zstd frame that ends too early.
    ///
    /// ## Fix
    /// Get the file again: it was damaged on its way.
    DAS2_005 "DAS2-005" "body-damaged", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A number that no structure has.
    ///
    /// ## Why it matters
    /// Structures have no sizes: what follows an unknown one is lost.
    ///
    /// ## Example
    /// `0x0d` behind the last node.
    ///
    /// ## Fix
    /// A size or count before it is wrong, or bytes were appended to the file.
    DAS2_006 "DAS2-006" "unknown-structure", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A morph target outside a mesh.
    ///
    /// ## Why it matters
    /// Nothing says which mesh it is of; the library refuses the file.
    ///
    /// ## Example
    /// `0x03` behind a mesh whose morph_target_count is 0.
    ///
    /// ## Fix
    /// Write it inside its mesh.
    DAS2_007 "DAS2-007" "morph-target-alone", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A structure with the number 0. Older layouts have it by design, where it is only an info.
    ///
    /// ## Why it matters
    /// The library's converter writes it for meshes without texture coordinates, and the library then refuses the file.
    ///
    /// ## Example
    /// A file that ConvertWavefrontObj made of an OBJ file without `vt`.
    ///
    /// ## Fix
    /// `check --fix` gives the structure its number. The geometry of such meshes is broken as well.
    DAS2_008 "DAS2-008" "number-zero", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let older = matches!(doc.form.revision, Revision::V2 | Revision::V3);
        for (kind, id, structure) in numbered(doc) {
            if structure.id() != 0 || (older && kind == Kind::BUFFER) {
                continue;
            }
            let word = kind.word().unwrap_or_default();
            let message = format!("a {word} has the number 0; it is {:#04x}", doc.form.id_of(kind));
            let severity = if older { for_engine(cx) } else { Severity::Error };
            cx.report_as(severity, place(doc, kind, id).field("structure"), message);
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let form = doc.form;
        let wrong = doc.structures.iter_mut().filter(|s| s.id() == 0 && form.id_of(s.kind()) != 0);
        wrong.map(|structure| {
            let id = form.id_of(structure.kind());
            structure.edit().set_id(id);
        }).count() as u64
    }
}

rule! {
    /// ## What it finds
    /// A morph target or LOD inside a mesh whose number is not that of a morph target or mesh. In older layouts, 0 is
    /// only an info.
    ///
    /// ## Why it matters
    /// The library looks at the number before it reads on, and refuses the file.
    ///
    /// ## Example
    /// `0x05` before the first morph target.
    ///
    /// ## Fix
    /// Write 0x03 before morph targets and 0x02 before LODs.
    DAS2_053 "DAS2-053" "nested-number", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let older = matches!(doc.form.revision, Revision::V2 | Revision::V3);
        let mut see = |number: u8, kind: Kind, place: Place| {
            let right = doc.form.id_of(kind);
            if number != right {
                let word = kind.word().unwrap_or_default();
                let severity = if older && number == 0 { for_engine(cx) } else { Severity::Error };
                let message = format!("a {word} inside a mesh has the number {number:#04x}; it is {right:#04x}");
                cx.report_as(severity, place.field("structure"), message);
            }
        };
        each_mesh(doc, &doc.parts(), |mesh, place| {
            for (i, target) in mesh.morph_targets.iter().enumerate() {
                see(target.structure, Kind::MORPH_TARGET, place.field("morph_targets").nth(i));
            }
            for (i, lod) in mesh.multiple_lods.iter().enumerate() {
                see(lod.structure, Kind::MESH, place.field("multiple_lods").nth(i));
            }
        });
    }
}

/// Every structure with its kind and id.
pub(super) fn numbered(doc: &Document) -> impl Iterator<Item = (Kind, usize, &super::super::structure::Structure)> {
    let mut seen = [0_usize; 16];
    doc.structures.iter().map(move |structure| {
        let kind = structure.kind();
        let id = seen[usize::from(kind.0 & 15)];
        seen[usize::from(kind.0 & 15)] += 1;
        (kind, id, &**structure)
    })
}

rule! {
    /// ## What it finds
    /// Structures with the numbers of the document's tables, which forgot morph targets, instead of its headings.
    ///
    /// ## Why it matters
    /// The document contradicts itself; the library has the numbers of the headings.
    ///
    /// ## Example
    /// A mesh group with the number 3.
    ///
    /// ## Fix
    /// `pentad convert a.das2 b.das2 --dialect spec`
    DAS2_009 "DAS2-009" "table-numbers", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.form.numbering == Numbering::Table
            && let Some((kind, id, _)) = numbered(doc).find(|(kind, ..)| *kind > Kind::MORPH_TARGET)
        {
            let message = "structures are numbered as in the document's tables, one less than in its headings";
            cx.report_as(for_engine(cx), place(doc, kind, id).field("structure"), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A level other than 0, and a body that is not compressed.
    ///
    /// ## Why it matters
    /// The library writes such files for most levels and cannot read them.
    ///
    /// ## Example
    /// A file of ConvertWavefrontObj with level 6.
    ///
    /// ## Fix
    /// `check --fix` sets the level to 0.
    DAS2_013 "DAS2-013" "level-of-raw-body", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if raw_with_level(doc) {
            let severity = if cx.asked_for_engine() { Severity::Error } else { Severity::Warning };
            let message = format!("level is {}, and the body is not compressed", doc.header.level);
            cx.report_as(severity, Place::path("header.level"), message);
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let wrong = raw_with_level(doc);
        if wrong {
            doc.header.edit().level = 0;
        }
        wrong.into()
    }
}

fn raw_with_level(doc: &Document) -> bool {
    doc.compression == Compression::None && doc.header.level != 0 && !doc.structures.is_empty()
}

rule! {
    /// ## What it finds
    /// A level beyond 9. 255 is what the library calls its fastest one, and only an info.
    ///
    /// ## Why it matters
    /// The document knows 0 to 9.
    ///
    /// ## Example
    /// `level` is 22.
    ///
    /// ## Fix
    /// `pentad convert a.das2 b.das2 --level 9`
    DAS2_014 "DAS2-014" "level-beyond-nine", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let level = doc.header.level;
        if level > 9 {
            let severity = if level == 255 { Severity::Info } else { Severity::Warning };
            cx.report_as(severity, Place::path("header.level"), format!("level is {level}; levels are 0 to 9"));
        }
    }
}

rule! {
    /// ## What it finds
    /// Level 0, and a body that is compressed.
    ///
    /// ## Why it matters
    /// Level 0 means that it is not; readers that believe it fail.
    ///
    /// ## Example
    /// A file whose level was set to 0 with a hex editor.
    ///
    /// ## Fix
    /// `check --fix` sets the level to 6.
    DAS2_015 "DAS2-015" "level-zero-compressed", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if doc.compression != Compression::None && doc.header.level == 0 {
            let message = format!("level is 0, and the body is compressed ({})", doc.compression.name());
            cx.report(Place::path("header.level"), message);
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let wrong = doc.compression != Compression::None && doc.header.level == 0;
        if wrong {
            doc.header.edit().level = DEFAULT_LEVEL;
        }
        wrong.into()
    }
}

rule! {
    /// ## What it finds
    /// A zstd frame with nothing in it behind the others.
    ///
    /// ## Why it matters
    /// The library leaves one behind most bodies. A decoder that reads one frame only stops before it.
    ///
    /// ## Example
    /// `28 B5 2F FD 20 00 01 00 00` at the end.
    ///
    /// ## Fix
    /// Nothing needs fixing; a body that is written anew has no such frame.
    DAS2_016 "DAS2-016" "empty-frame", stage: Wire, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if let Some(frame) = doc.stored.as_ref().and_then(|stored| stored.empty_frame) {
            cx.report(Place::bytes("body", frame), "an empty zstd frame follows the others");
        }
    }
}

rule! {
    /// ## What it finds
    /// A file of a layout with one buffer that has none or several. None is a warning if there is no mesh either.
    ///
    /// ## Why it matters
    /// Meshes do not say which buffer they mean; the library refuses a second one.
    ///
    /// ## Example
    /// Two Buffer structures in the `engine` dialect.
    ///
    /// ## Fix
    /// Write one buffer, or use the `spec` dialect.
    DAS2_017 "DAS2-017" "buffer-count", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let parts = doc.parts();
        if doc.form.has_buffer_ids() || doc.structures.is_empty() {
            return;
        }
        match parts.buffers.len() {
            1 => {}
            0 if parts.meshes.is_empty() => cx.report_as(Severity::Warning, Place::path("body"), "there is no buffer"),
            0 => cx.report(Place::path("body"), "there is no buffer, and meshes point into one"),
            count => {
                cx.report(place(doc, Kind::BUFFER, 1), format!("there are {count} buffers; this layout has one"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Structures in another order than writers use.
    ///
    /// ## Why it matters
    /// Any order is allowed; a reader that wants what is named before its name stumbles.
    ///
    /// ## Example
    /// A scene before its nodes.
    ///
    /// ## Fix
    /// Nothing needs fixing.
    DAS2_018 "DAS2-018" "order", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let mut last = Kind::BUFFER;
        for (kind, id, _) in numbered(doc) {
            if doc.in_frames(kind) {
                continue;
            }
            if kind < last {
                let [word, before] = [kind, last].map(|kind| kind.word().unwrap_or_default());
                cx.report(place(doc, kind, id), format!("a {word} stands behind a {before}"));
            }
            last = kind;
        }
    }
}
