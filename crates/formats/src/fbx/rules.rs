//! What can be wrong with an FBX file.

use findings::{Loaded, Place, Rule, rule};

use super::bridge::{texture_paths, unconverted};
use super::layout::Document;
use super::scan::SECTIONS;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] = &[&FBX_001, &FBX_002, &FBX_003, &FBX_004, &FBX_005, &FBX_006, &FBX_007];

rule! {
    /// ## What it finds
    /// A file that does not start as an FBX does.
    ///
    /// ## Why it matters
    /// It is no FBX, and nothing says what it is.
    ///
    /// ## Example
    /// A file that starts with `Kaydara FBX ASCII`.
    ///
    /// ## Fix
    /// Look for the file you meant.
    FBX_001 "FBX-001" "bad-magic", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A file that starts as an FBX and cannot be read.
    ///
    /// ## Why it matters
    /// Nothing of it can be used. The message is that of `ufbx`, the reader of FBX files that is used here.
    ///
    /// ## Example
    /// A file that was cut inside an array of numbers.
    ///
    /// ## Fix
    /// Get the file again, or export it with another version of the program.
    FBX_002 "FBX-002" "unreadable", stage: Wire, severity: Error, since: "0.1",
    raised by read of Document
}

rule! {
    /// ## What it finds
    /// A node that does not end inside the file.
    ///
    /// ## Why it matters
    /// The file was cut short; what is left was read.
    ///
    /// ## Example
    /// `Objects: {` without its `}`.
    ///
    /// ## Fix
    /// Get the file again.
    FBX_003 "FBX-003" "node-not-ended", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, node) in doc.nodes().iter().enumerate().filter(|(_, node)| !node.whole) {
            cx.report(Place::path(format!("nodes[{i}]")), format!("the node {} does not end", node.name));
        }
    }
}

rule! {
    /// ## What it finds
    /// A file without `Objects` or without `Connections`.
    ///
    /// ## Why it matters
    /// There is nothing in it, or nothing says what belongs to what.
    ///
    /// ## Example
    /// A file that ends behind `Objects`.
    ///
    /// ## Fix
    /// Get the file again: it was cut short on its way.
    FBX_004 "FBX-004" "section-missing", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for name in SECTIONS {
            if !doc.nodes().iter().any(|node| node.name == name) {
                cx.report(Place::path("nodes"), format!("there is no node {name}"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Something that the reader had to put up with: an index without a value, an array that is too short, an id that
    /// is there twice.
    ///
    /// ## Why it matters
    /// What is shown may not be what was meant.
    ///
    /// ## Example
    /// A polygon that names a vertex that is not there.
    ///
    /// ## Fix
    /// Export the model again.
    FBX_005 "FBX-005" "reader-warning", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for warning in &doc.scene().metadata.warnings {
            let objects = doc.nodes().iter().position(|node| node.name == "Objects");
            let place = objects.map_or(Place::path("nodes"), |i| Place::path(format!("nodes[{i}]")));
            cx.report_count(place, warning.count.max(1) as u64, &*warning.description);
        }
    }
}

rule! {
    /// ## What it finds
    /// A texture whose file was not found and is not in the model either.
    ///
    /// ## Why it matters
    /// The material is shown without it.
    ///
    /// ## Example
    /// `RelativeFilename: "wood.png"`, and there is no such file beside the model.
    ///
    /// ## Fix
    /// Put the file beside the model, or name its folder with `--search-path`.
    FBX_006 "FBX-006" "texture-missing", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for file in doc.scene().texture_files.iter().filter(|file| file.content.is_empty()) {
            let paths = texture_paths(&file.relative_filename, &file.filename);
            if !paths.iter().any(|path| matches!(cx.source().load(path, None), Loaded::Found { .. })) {
                let objects = doc.nodes().iter().position(|node| node.name == "Objects").unwrap_or(0);
                let shown = findings::render::escape(paths.first().map_or("", |path| path)).into_owned();
                cx.report(Place::path(format!("nodes[{objects}]")), format!("texture \"{shown}\" was not found"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Objects that the scene has no field for: curves, NURBS, constraints, caches, sounds.
    ///
    /// ## Why it matters
    /// They are lost in a conversion.
    ///
    /// ## Example
    /// A camera rig with a constraint.
    ///
    /// ## Fix
    /// Bake or tessellate them before exporting.
    FBX_007 "FBX-007" "not-converted", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (what, count) in unconverted(doc.scene()) {
            let objects = doc.nodes().iter().position(|node| node.name == "Objects").unwrap_or(0);
            cx.report_count(Place::path(format!("nodes[{objects}]")), count, format!("{what} are not converted"));
        }
    }
}
