//! Bytes that do not fit together, read or about to be written.

use findings::{Place, rule};

use super::Document;

rule! {
    /// ## What it finds
    /// A file that does not start with the string `DanmakuCore DanModel`.
    ///
    /// ## Why it matters
    /// The mod refuses it, and nothing says what the bytes mean.
    ///
    /// ## Example
    /// `00 14` followed by 20 other bytes.
    ///
    /// ## Fix
    /// Look for the file you meant; this is another format or a damaged start.
    DAN_001 "DAN-001" "bad-magic", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A version other than 1.
    ///
    /// ## Why it matters
    /// There is no other version; the mod refuses the file.
    ///
    /// ## Example
    /// `version` is 2.
    ///
    /// ## Fix
    /// Set the version to 1 if the rest of the file is as version 1 has it.
    DAN_002 "DAN-002" "unknown-version", stage: Wire, severity: Error, since: "0.1",
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
    /// A file of 30 bytes.
    ///
    /// ## Fix
    /// Get the file again: it was cut short on its way.
    DAN_003 "DAN-003" "header-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A string whose length is negative or reaches behind the end of the file.
    ///
    /// ## Why it matters
    /// Lengths are signed 16-bit numbers: the mod dies of a negative one. A converter that writes more than 32767
    /// bytes makes such a file.
    ///
    /// ## Example
    /// `name_length` is -1.
    ///
    /// ## Fix
    /// Shorten the string and write the file again.
    DAN_004 "DAN-004" "string-length", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A name, description or author that is not UTF-8.
    ///
    /// ## Why it matters
    /// The mod shows U+FFFD in place of the bytes it cannot decode.
    ///
    /// ## Example
    /// `name` holds the byte FF.
    ///
    /// ## Fix
    /// Write the string again as UTF-8, for instance with `--name`.
    DAN_005 "DAN-005" "string-not-utf8", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let header = &doc.header;
        for (field, text) in [("name", &header.name), ("description", &header.description), ("author", &header.author)] {
            if let Err(error) = std::str::from_utf8(text.bytes()) {
                let byte = text.bytes()[error.valid_up_to()];
                let message = format!("{field} is not UTF-8: byte {byte:02X} at position {}", error.valid_up_to());
                cx.report(Place::path("header").field(field), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A piece or vertex count below zero.
    ///
    /// ## Why it matters
    /// The mod reads nothing for it and goes on with bytes that mean something else.
    ///
    /// ## Example
    /// `vertex_count` is -3.
    ///
    /// ## Fix
    /// Write the file again with a program that counts.
    DAN_006 "DAN-006" "count-negative", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A model length that is negative or reaches behind the end of the file.
    ///
    /// ## Why it matters
    /// The mod reads that many bytes at once and fails.
    ///
    /// ## Example
    /// `model_length` is 3754 where 3690 bytes remain.
    ///
    /// ## Fix
    /// Get the file again if it was cut short; otherwise set the length to the bytes that follow it.
    DAN_007 "DAN-007" "model-length", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A piece or vertex that runs past the model length.
    ///
    /// ## Why it matters
    /// The mod fails with a buffer underflow and draws nothing.
    ///
    /// ## Example
    /// `vertex_count` is 6, and there are bytes for 5.
    ///
    /// ## Fix
    /// Check vertex_count, danmaku_colored (it decides between 68 and 52 bytes per vertex) and model_length.
    DAN_008 "DAN-008" "piece-truncated", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// Bytes inside the model length that no piece uses.
    ///
    /// ## Why it matters
    /// The mod ignores them; a count may be wrong.
    ///
    /// ## Example
    /// One piece of 213 bytes, `model_length` 217.
    ///
    /// ## Fix
    /// Check piece_count. `check --fix=all` removes them and sets model_length to the size of the pieces.
    DAN_009 "DAN-009" "slack-in-model", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document;
    fn cut(doc: &mut Document) -> u64 {
        u64::from(!std::mem::take(&mut doc.slack).is_empty())
    }
}

rule! {
    /// ## What it finds
    /// Bytes behind the model.
    ///
    /// ## Why it matters
    /// The mod ignores them; something was appended, or model_length is too small.
    ///
    /// ## Example
    /// Four bytes behind the last piece.
    ///
    /// ## Fix
    /// Remove them if nothing needs them; `check --fix=all` does so.
    DAN_010 "DAN-010" "bytes-after-model", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document;
    fn cut(doc: &mut Document) -> u64 {
        u64::from(!std::mem::take(&mut doc.tail).is_empty())
    }
}

rule! {
    /// ## What it finds
    /// A string of more than 32767 bytes that is to be written.
    ///
    /// ## Why it matters
    /// Its length does not fit its field; the mod's converter writes it anyway and makes an unreadable file.
    ///
    /// ## Example
    /// A description of 40000 letters.
    ///
    /// ## Fix
    /// Shorten the string.
    DAN_025 "DAN-025" "string-too-long", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}

rule! {
    /// ## What it finds
    /// A model of more bytes, pieces or vertices than a signed 32-bit number counts.
    ///
    /// ## Why it matters
    /// The length and the counts do not fit their fields.
    ///
    /// ## Example
    /// 32 million plain vertices: 2.2 GB.
    ///
    /// ## Fix
    /// Split the model into several files.
    DAN_026 "DAN-026" "model-too-large", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}
