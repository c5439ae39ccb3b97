//! Bytes and fields: what stands in the way of reading.

use findings::{Place, Severity, rule};

use super::place;
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::{Document, VERSION};

rule! {
    /// ## What it finds
    /// A file that does not start with `DRAGON`, 1A, 0A, forwards or backwards.
    ///
    /// ## Why it matters
    /// Nothing says what the bytes mean.
    ///
    /// ## Example
    /// The first byte is `d` instead of `D`.
    ///
    /// ## Fix
    /// Look for the file you meant; this is another format or a damaged start.
    DRG_001 "DRG-001" "bad-magic", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A header section whose guid is not the one that every file has. Two other spellings of it, .NET's and the
    /// reversed one, are a warning.
    ///
    /// ## Why it matters
    /// The only program there was compared it and refused the file.
    ///
    /// ## Example
    /// The guid starts with 00 instead of AB.
    ///
    /// ## Fix
    /// Set it to AB BB 0D 0A 1A 0A AB AB BB BB 0D 0A 1A 0A AB BB.
    DRG_002 "DRG-002" "file-guid", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let guid = doc.header.guid;
        let alias = [Guid::FILE_DOTNET, Guid::FILE_REVERSED].contains(&guid);
        if guid != Guid::FILE {
            let severity = if alias { Severity::Warning } else { Severity::Error };
            let message = format!("the guid of the header is {guid}; it is always {}", Guid::FILE);
            cx.report_as(severity, Place::path("header.meta.guid"), message);
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        if claims_more(doc) { 0 } else { set_guid(doc) }
    }
    fn cut(doc: &mut Document) -> u64 {
        set_guid(doc)
    }
}

/// Whether the header counts more than there is: the file may have been cut short, and a header that is written anew
/// would no longer say so.
fn claims_more(doc: &Document) -> bool {
    doc.stored_count().is_some_and(|count| count as usize > doc.sections.len())
        || doc.stored_total_size().is_some_and(|total| u64::from(total) > doc.form.size)
}

fn set_guid(doc: &mut Document) -> u64 {
    let wrong = doc.header.guid != Guid::FILE;
    if wrong {
        doc.header.edit().guid = Guid::FILE;
    }
    u64::from(wrong)
}

rule! {
    /// ## What it finds
    /// A version other than 1: of the file, an error; of a section, a warning.
    ///
    /// ## Why it matters
    /// There is no other version, so nothing says what it would look like. The one program there was left sections at 0.
    ///
    /// ## Example
    /// `header.meta.version` is 2.
    ///
    /// ## Fix
    /// Set the version to 1 if the rest is as version 1 has it.
    DRG_003 "DRG-003" "unknown-version", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let message = |version: u32| format!("version is {version}; the only one there is is {VERSION}");
        if doc.header.version != VERSION {
            cx.report(Place::path("header.meta.version"), message(doc.header.version));
        }
        for (i, section) in doc.sections.iter().enumerate().filter(|(_, section)| section.version != VERSION) {
            cx.report_as(Severity::Warning, place(i, "meta.version"), message(section.version));
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let mut mended = 0;
        for section in doc.sections.iter_mut().filter(|section| section.version == 0) {
            section.edit().version = VERSION;
            mended += 1;
        }
        mended
    }
}

rule! {
    /// ## What it finds
    /// Section headers of another size than 52 bytes: 36 as in 2019, 44 as the document's sum has it, or 52 of which
    /// sizes count 44.
    ///
    /// ## Why it matters
    /// The fields of a section header add up to 52 bytes, but the document says 44; a reader may believe either.
    ///
    /// ## Example
    /// The header section has a size of 49.
    ///
    /// ## Fix
    /// Write the file again with `pentad convert --dialect spec`.
    DRG_004 "DRG-004" "header-variant", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let Some(id) = doc.form.header_id().filter(|_| doc.is_as_read()) else { return };
        let head = doc.form.head;
        let short = if doc.form.bias > 0 { ", and sizes count eight bytes too few" } else { "" };
        cx.report(Place::path("header.meta.size"), format!("section headers have {head} bytes{short} ({id})"));
    }
}

rule! {
    /// ## What it finds
    /// A section whose size is smaller than its own header.
    ///
    /// ## Why it matters
    /// Nothing says where the next section is.
    ///
    /// ## Example
    /// `size` is 8.
    ///
    /// ## Fix
    /// Get the file again; a size was damaged.
    DRG_005 "DRG-005" "section-too-small", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A section that reaches behind the end of the file.
    ///
    /// ## Why it matters
    /// The file was cut short, or a size is wrong; everything behind it is lost.
    ///
    /// ## Example
    /// `size` is 1196 where 900 bytes remain.
    ///
    /// ## Fix
    /// Get the file again.
    DRG_006 "DRG-006" "section-past-end", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// Fewer sections than the header counts.
    ///
    /// ## Why it matters
    /// The file may have lost its end.
    ///
    /// ## Example
    /// `header.meta.count` is 99, and 24 sections follow.
    ///
    /// ## Fix
    /// Get the file again if something is missing; otherwise set the count to the number of sections.
    DRG_007 "DRG-007" "sections-missing", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// More sections than the header counts, all of them known and whole.
    ///
    /// ## Why it matters
    /// Readers that believe the count do not see them.
    ///
    /// ## Example
    /// `header.meta.count` is 3, and 24 sections follow.
    ///
    /// ## Fix
    /// Set the count to the number of sections; `--fix` does so.
    DRG_008 "DRG-008" "sections-uncounted", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document;
    fn fix(doc: &mut Document) -> u64 {
        if claims_more(doc) { 0 } else { count_low(doc) }
    };
    fn cut(doc: &mut Document) -> u64 {
        count_low(doc)
    }
}

fn count_low(doc: &mut Document) -> u64 {
    let low = doc.stored_count().is_some_and(|count| (count as usize) < doc.sections.len());
    if low {
        doc.header.forget_raw();
    }
    u64::from(low)
}

rule! {
    /// ## What it finds
    /// A count of sections that includes the header section.
    ///
    /// ## Why it matters
    /// The count is of the sections that follow; a reader that believes it looks for one more.
    ///
    /// ## Example
    /// `header.meta.count` is 25, and 24 sections follow.
    ///
    /// ## Fix
    /// Get the file again if its last section is missing. Otherwise set the count to the number of sections behind the
    /// header; `--fix=all` does so.
    DRG_009 "DRG-009" "count-includes-header", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document;
    fn cut(doc: &mut Document) -> u64 {
        let own = doc.stored_count().is_some_and(|count| count as usize == doc.sections.len() + 1);
        if own {
            doc.header.forget_raw();
        }
        u64::from(own)
    }
}

rule! {
    /// ## What it finds
    /// Bytes behind the last section.
    ///
    /// ## Why it matters
    /// Something was appended, or the count of sections is too small.
    ///
    /// ## Example
    /// Five bytes behind the last section.
    ///
    /// ## Fix
    /// Remove them if nothing needs them; `check --fix=all` does so.
    DRG_010 "DRG-010" "bytes-after-sections", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document;
    fn cut(doc: &mut Document) -> u64 {
        u64::from(!std::mem::take(&mut doc.tail).is_empty())
    }
}

rule! {
    /// ## What it finds
    /// A total_size that is not the size of the file.
    ///
    /// ## Why it matters
    /// The file may have been cut short or appended to.
    ///
    /// ## Example
    /// `total_size` is 1.
    ///
    /// ## Fix
    /// Set it to the size of the file; `--fix` does so. If it is larger than the file, get the file again; if that is all
    /// there is, `--fix=all` sets it.
    DRG_011 "DRG-011" "total-size", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if let Some(total) = wrong_total(doc) {
            let message = format!("total_size is {total}; the file has {} bytes", doc.form.size);
            cx.report(Place::path("header.total_size"), message);
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        if claims_more(doc) { 0 } else { set_total(doc) }
    }
    fn cut(doc: &mut Document) -> u64 {
        set_total(doc)
    }
}

fn set_total(doc: &mut Document) -> u64 {
    let wrong = wrong_total(doc).is_some();
    if wrong {
        doc.header.forget_raw();
    }
    u64::from(wrong)
}

fn wrong_total(doc: &Document) -> Option<u32> {
    doc.stored_total_size().filter(|total| u64::from(*total) != doc.form.size)
}

rule! {
    /// ## What it finds
    /// An up direction that is none of the six.
    ///
    /// ## Why it matters
    /// The model is taken as standing upright along +Y.
    ///
    /// ## Example
    /// `up_direction` is 9.
    ///
    /// ## Fix
    /// Set it to a number from 0 (+Y) to 5 (-X).
    DRG_012 "DRG-012" "up-direction", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let up = doc.header.up_direction;
        if up.word().is_none() {
            cx.report(Place::path("header.up_direction"), format!("up_direction is {}; it is 0 to 5", up.0));
        }
    }
}

rule! {
    /// ## What it finds
    /// An array whose offset is below 4, or whose elements reach outside their section. Where the array begins right
    /// behind other fields, it is its count that is named.
    ///
    /// ## Why it matters
    /// The section cannot be read; its bytes are kept as they are.
    ///
    /// ## Example
    /// `pairs_offset` is 100000 in a section of 138 bytes.
    ///
    /// ## Fix
    /// Write the file again with the program it came from.
    DRG_020 "DRG-020" "array-outside", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// Text without the byte 00 that ends it.
    ///
    /// ## Why it matters
    /// The section cannot be read; its bytes are kept as they are.
    ///
    /// ## Example
    /// An IMAGE whose path fills the section to its last byte.
    ///
    /// ## Fix
    /// Write the file again with the program it came from.
    DRG_024 "DRG-024" "string-unterminated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A rotation type that is none of the four.
    ///
    /// ## Why it matters
    /// It says how long a rotation is: the section cannot be read, and its bytes are kept as they are.
    ///
    /// ## Example
    /// `rotation_type` is 0.
    ///
    /// ## Fix
    /// Set it to 1 (vec3), 2 (vec4), 3 (mat3) or 4 (mat4), whichever the rotations are.
    DRG_028 "DRG-028" "rotation-type", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A section that ends inside its fixed fields.
    ///
    /// ## Why it matters
    /// The section cannot be read; its bytes are kept as they are.
    ///
    /// ## Example
    /// An OBJECT of 52 bytes, which is a section header alone.
    ///
    /// ## Fix
    /// Write the file again with the program it came from.
    DRG_032 "DRG-032" "section-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A document that would need more than the 32 bits its sizes have.
    ///
    /// ## Why it matters
    /// No such file can exist.
    ///
    /// ## Example
    /// A vertex buffer of five gibibytes.
    ///
    /// ## Fix
    /// Split the model into several files.
    DRG_058 "DRG-058" "too-large", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}

rule! {
    /// ## What it finds
    /// A value that the layout has no room for: text with a byte 00 in it, a rotation stored otherwise than its section
    /// says, a curve where sampling is none.
    ///
    /// ## Why it matters
    /// What would be written would read as something else.
    ///
    /// ## Example
    /// A SKELETON of quaternions with a bone that has a matrix.
    ///
    /// ## Fix
    /// Change the value, or what says how it is stored.
    DRG_059 "DRG-059" "unwritable-value", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}
