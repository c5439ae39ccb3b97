//! What a document cannot hold.

use findings::rule;

use super::super::document::Document;

rule! {
    /// ## What it finds
    /// A string of more than 65535 bytes.
    ///
    /// ## Why it matters
    /// Its length has 16 bits.
    ///
    /// ## Example
    /// A comment of 70000 letters.
    ///
    /// ## Fix
    /// Shorten it.
    DAS2_051 "DAS2-051" "string-too-long", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}

rule! {
    /// ## What it finds
    /// More of something than a field of 32 bits can count, or arrays that disagree with their counts.
    ///
    /// ## Why it matters
    /// The file could not be read again.
    ///
    /// ## Example
    /// A buffer of more than 4 GiB.
    ///
    /// ## Fix
    /// Split the model.
    DAS2_052 "DAS2-052" "too-large", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}
