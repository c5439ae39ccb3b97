//! How the sections of a file fit together.

use std::collections::HashMap;

use findings::{Place, rule};
use wire::Node;

use super::{name_of, place, sections};
use crate::Document as _;
use crate::dragon::layout::body::Body;
use crate::dragon::layout::frame;
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::{Kind, Spelling};
use crate::dragon::layout::{COUNT_AT, Document, Section};

rule! {
    /// ## What it finds
    /// A section of a kind that the document does not have.
    ///
    /// ## Why it matters
    /// Nothing says what it means; its bytes are kept as they are.
    ///
    /// ## Example
    /// A section `VENDOR_X`.
    ///
    /// ## Fix
    /// None is needed if another program put it there.
    DRG_013 "DRG-013" "unknown-section", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            if section.kind().is_none() {
                let tag = section.body.tag();
                let tag = findings::render::escape(&String::from_utf8_lossy(&tag)).into_owned();
                cx.report(place(i, "meta.magic"), format!("\"{tag}\" is no kind of section"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A tag that is spelt backwards, or NULL as the program of 2019 spelt it.
    ///
    /// ## Why it matters
    /// Other readers take the section for an unknown one.
    ///
    /// ## Example
    /// `___HPROM`, which is the number printed for `MORPH___` written as it stands there.
    ///
    /// ## Fix
    /// Write the file again with `pentad convert --dialect spec`.
    DRG_014 "DRG-014" "tag-alias", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc).filter(|(_, section)| section.manner.spelling != Spelling::Plain) {
            let id = frame::spelling_id(section, doc.order).unwrap_or_default();
            cx.report(place(i, "meta.magic"), format!("{} is spelt another way ({id})", name_of(section)));
        }
    }
}

rule! {
    /// ## What it finds
    /// A second header section.
    ///
    /// ## Why it matters
    /// Two sections say what holds for the whole file; the first one is believed.
    ///
    /// ## Example
    /// Two files that were put behind each other.
    ///
    /// ## Fix
    /// Remove the second one.
    DRG_015 "DRG-015" "second-header", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            if section.kind() == Some(Kind::Dragon) {
                cx.report(place(i, "meta.magic"), "a file has one DRAGON section, and it is the first");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A guid that two sections have.
    ///
    /// ## Why it matters
    /// Whoever refers to it gets one of them by chance; here it is the first.
    ///
    /// ## Example
    /// Two VERTEX sections with the same guid.
    ///
    /// ## Fix
    /// Give one of them another guid, and change the references that mean it.
    DRG_016 "DRG-016" "guid-twice", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let mut first: HashMap<Guid, Option<usize>> = HashMap::from([(doc.header.guid, None)]);
        for (i, section) in sections(doc).filter(|(_, section)| !section.guid.is_none()) {
            match first.get(&section.guid) {
                None => _ = first.insert(section.guid, Some(i)),
                Some(other) => {
                    let other = other.map_or("the header".to_owned(), |other| format!("sections[{other}]"));
                    cx.report(place(i, "meta.guid"), format!("{} is also the guid of {other}", section.guid));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A section whose guid is all zero.
    ///
    /// ## Why it matters
    /// Zero means none, so no section can refer to it.
    ///
    /// ## Example
    /// A TEXTURE without a guid.
    ///
    /// ## Fix
    /// Give it a guid of its own.
    DRG_017 "DRG-017" "guid-missing", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let named = |section: &Section| section.guid.is_none() && section.kind() != Some(Kind::Null);
        for (i, section) in sections(doc).filter(|(_, section)| named(section)) {
            cx.report(place(i, "meta.guid"), format!("no section can refer to this {}", name_of(section)));
        }
    }
}

rule! {
    /// ## What it finds
    /// Arrays whose elements overlap each other or the fields before them.
    ///
    /// ## Why it matters
    /// Changing one changes the other; most likely an offset is wrong.
    ///
    /// ## Example
    /// Two pairs of a SETTINGS section whose values are the same bytes.
    ///
    /// ## Fix
    /// None is needed if it was meant; written anew, each array gets its own bytes.
    DRG_021 "DRG-021" "arrays-overlap", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let mut tree = None;
        for (i, section) in sections(doc).filter(|(_, section)| section.manner.twice) {
            let path = format!("sections[{i}]");
            let tree = tree.get_or_insert_with(|| doc.tree());
            let shared = wire::find(tree, &path).and_then(|node| sharing(&node, &path));
            cx.report(Place::path(shared.unwrap_or(path)), format!("bytes of {} are used twice", name_of(section)));
        }
    }
}

/// The path of the first field whose bytes another one owns.
fn sharing(node: &Node, path: &str) -> Option<String> {
    node.children().ok()?.iter().find_map(|child| {
        let joint = if child.name.starts_with('[') { "" } else { "." };
        let path = format!("{path}{joint}{}", child.name);
        if child.shares { Some(path) } else { sharing(child, &path) }
    })
}

rule! {
    /// ## What it finds
    /// Bytes of a section that no field uses.
    ///
    /// ## Why it matters
    /// They are kept while nobody edits the section, and are gone when it is written anew.
    ///
    /// ## Example
    /// Arrays that begin at multiples of 16, with zeros between them.
    ///
    /// ## Fix
    /// None is needed.
    DRG_022 "DRG-022" "bytes-unused", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc).filter(|(_, section)| section.manner.unread > 0) {
            let (unread, name) = (section.manner.unread, name_of(section));
            cx.report(place(i, "unused"), format!("{unread} bytes of {name} are used by no field"));
        }
    }
}

rule! {
    /// ## What it finds
    /// A section that can be read in another layout only than the canonical one.
    ///
    /// ## Why it matters
    /// The document can be read in many ways; other readers may take another one than the writer.
    ///
    /// ## Example
    /// A VERTEX section that counts vertices instead of bytes.
    ///
    /// ## Fix
    /// Write the file again with `pentad convert --dialect spec`.
    DRG_023 "DRG-023" "layout-variant", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        if !doc.is_as_read() {
            return;
        }
        let file: Vec<&str> = doc.form.ids().filter(|id| doc.form.header_id() != Some(*id)).collect();
        if !file.is_empty() {
            let message = format!("the file is in another layout than the canonical one ({})", file.join(" "));
            cx.report(Place::path("header"), message);
        }
        for (i, section) in sections(doc) {
            let ids = section.variants();
            if !ids.is_empty() {
                let message = format!("{} is in another layout than the canonical one", name_of(section));
                cx.report(place(i, ""), format!("{message} ({})", ids.join(" ")));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A count that is not 0 in a section that counts nothing, or one of INSTANCE that is not the number of its
    /// instances.
    ///
    /// ## Why it matters
    /// Nobody reads it; it may come from a writer that read the document another way.
    ///
    /// ## Example
    /// `meta.count` of a LIGHT is 1.
    ///
    /// ## Fix
    /// Set it to 0, or to the number of instances; `--fix` does so.
    DRG_056 "DRG-056" "count-unused", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            if let Some((count, expected)) = odd_count(section, doc) {
                let name = name_of(section);
                cx.report(place(i, "meta.count"), format!("count of {name} is {count}, expected {expected}"));
            }
        }
    }
    fn fix(doc: &mut Document) -> u64 {
        let odd: Vec<usize> = sections(doc).filter(|(_, s)| odd_count(s, doc).is_some()).map(|(i, _)| i).collect();
        for i in &odd {
            doc.sections[*i].edit().count = 0;
        }
        odd.len() as u64
    }
}

/// The count of a section that has none, and what it should be.
fn odd_count(section: &wire::Kept<Section>, doc: &Document) -> Option<(u32, u32)> {
    let (count, expected) = match &section.body {
        Body::Unknown(_) | Body::Broken(_) => return None,
        Body::Instance(instance) => {
            let field = section.raw()?.get(COUNT_AT, 4)?;
            let stored = wire::Bulk::<u32>::view(field, doc.form.order).get(0)?;
            (stored, u32::try_from(instance.instances.len()).ok()?)
        }
        _ => (section.count, 0),
    };
    (count != expected).then_some((count, expected))
}
