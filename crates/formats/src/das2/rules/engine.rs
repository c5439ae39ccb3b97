//! What the library at its last commit makes of a file.

use findings::{Place, rule};

use super::super::document::{Compression, Document};
use super::super::form::{Form, Kind};
use super::{each_mesh, for_engine, place};

rule! {
    /// ## What it finds
    /// What the library cannot read at its last commit: another layout than `engine`, a zlib stream, animation channels
    /// (it leaves out a byte and loses its way), and colours or indices of meshes that have other than both at one place
    /// (it takes the offset of colours for that of indices).
    ///
    /// ## Why it matters
    /// The file is right; the library is not. Readers without its defects are not concerned.
    ///
    /// ## Example
    /// Any file of the `spec` dialect.
    ///
    /// ## Fix
    /// `pentad convert a.das2 b.das2 --dialect engine` for the layout; it also says of meshes without colours that these
    /// are where the indices are, which does no harm. Nothing helps animation channels and colours.
    DAS2_050 "DAS2-050" "library-fails", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let severity = for_engine(cx);
        if doc.form != Form::ENGINE {
            let message = format!("the library reads the engine dialect only; this is {}", doc.form.dialect().id());
            return cx.report_as(severity, Place::path("header"), message);
        }
        if doc.compression == Compression::Zlib {
            cx.report_as(severity, Place::path("body"), "the library inflates zstd only; this is a zlib stream");
        }
        let parts = doc.parts();
        if !parts.channels.is_empty() {
            let message = "the library misses a byte of every animation channel and loses its way";
            let place = place(doc, Kind::ANIMATION_CHANNEL, 0).field("interpolation_type");
            cx.report_count_as(severity, place, parts.channels.len() as u64, message);
        }
        each_mesh(doc, &parts, |mesh, place| {
            if mesh.index_buffer_offset != mesh.color_multiplier_offset {
                let message = format!(
                    "the library takes the offset of colours, {}, for that of indices",
                    mesh.color_multiplier_offset
                );
                cx.report_as(severity, place.field("color_multiplier_offset"), message);
            }
        });
    }
}
