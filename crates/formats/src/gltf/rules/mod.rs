//! What can be wrong with a glTF file.

use findings::{Rule, rule};

use super::layout::Document;

mod data;
mod extensions;
mod links;
mod look;
mod values;

pub(super) use data::*;
pub(super) use extensions::*;
pub(super) use links::*;
pub(super) use values::*;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[
    &GLTF_001, &GLTF_002, &GLTF_003, &GLTF_004, &GLTF_005, &GLTF_006, &GLTF_007, &GLTF_010, &GLTF_011, &GLTF_012,
    &GLTF_013, &GLTF_014, &GLTF_015, &GLTF_016, &GLTF_017, &GLTF_018, &GLTF_019, &GLTF_020, &GLTF_021, &GLTF_022,
    &GLTF_023, &GLTF_024, &GLTF_025, &GLTF_026, &GLTF_027, &GLTF_028, &GLTF_029, &GLTF_030, &GLTF_031, &GLTF_032,
    &GLTF_033, &GLTF_034, &GLTF_035, &GLTF_036, &GLTF_037, &GLTF_039, &GLTF_040, &GLTF_041, &GLTF_050,
];

rule! {
    /// ## What it finds
    /// A GLB file whose first twelve bytes are not `glTF`, version 2 and a length that the file has.
    ///
    /// ## Why it matters
    /// Nothing says where the JSON is.
    ///
    /// ## Example
    /// `length` is 4096 in a file of 100 bytes.
    ///
    /// ## Fix
    /// Export or download the file again.
    GLTF_001 "GLTF-001" "bad-container", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A GLB chunk that runs past the end, or a first chunk that is not JSON.
    ///
    /// ## Why it matters
    /// The JSON is what gives the other chunks their meaning.
    ///
    /// ## Example
    /// A chunk `length` of 4096 with 100 bytes left.
    ///
    /// ## Fix
    /// Export or download the file again.
    GLTF_002 "GLTF-002" "bad-chunk", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// JSON that does not parse, or lacks a property that glTF demands.
    ///
    /// ## Why it matters
    /// No program loads the file.
    ///
    /// ## Example
    /// An accessor without `componentType`.
    ///
    /// ## Fix
    /// Look at the place that the message names; a comma too many is the usual suspect in a file edited by hand.
    GLTF_003 "GLTF-003" "bad-json", stage: Structure, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// An `asset.version` other than 2.x.
    ///
    /// ## Why it matters
    /// glTF 1.0 has other objects under the same names.
    ///
    /// ## Example
    /// `"version": "1.0"`
    ///
    /// ## Fix
    /// Convert the file to glTF 2.0 with the program it came from.
    GLTF_004 "GLTF-004" "unknown-version", stage: Structure, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// Bytes behind the last chunk of a GLB file.
    ///
    /// ## Why it matters
    /// No program looks at them.
    ///
    /// ## Example
    /// A file that is longer than its `length`.
    ///
    /// ## Fix
    /// Nothing breaks; converting the file leaves them out.
    GLTF_005 "GLTF-005" "unused-bytes", stage: Wire, severity: Warning, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A model of 4 GiB or more that is to be written as GLB.
    ///
    /// ## Why it matters
    /// The lengths of the container are 32-bit numbers.
    ///
    /// ## Example
    /// 150 million vertices with normals and texture coordinates.
    ///
    /// ## Fix
    /// Write `.gltf`: its buffers are files of their own, as many as it takes.
    GLTF_006 "GLTF-006" "glb-too-large", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}

rule! {
    /// ## What it finds
    /// A face that names a vertex which its mesh does not have.
    ///
    /// ## Why it matters
    /// glTF forbids it; programs crash on it.
    ///
    /// ## Example
    /// Index 8 in a mesh of 8 vertices.
    ///
    /// ## Fix
    /// `pentad check` of the source shows where it comes from.
    GLTF_007 "GLTF-007" "index-out-of-range", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}
