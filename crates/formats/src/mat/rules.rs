//! What can be wrong with a material.

use std::collections::HashMap;

use findings::{Checker, Finding, Loaded, Place, Rule, Severity, rule};

use super::dialect::Dialect;
use super::keys::{Key, Kind};
use super::layout::Document;
use super::lex::{self, Pair, TokenKind, Why};
use crate::Document as _;

/// Every rule, by id.
pub static RULES: &[&Rule<Document>] =
    &[&MAT_001, &MAT_002, &MAT_003, &MAT_004, &MAT_005, &MAT_006, &MAT_007, &MAT_008, &MAT_009, &MAT_010, &MAT_011];

rule! {
    /// ## What it finds
    /// Text that is no statement: a name that does not begin with a letter, a name without a colon, a value that does
    /// not stand on the line of its name, a string or vector without its end, something behind a value, a second `;`.
    ///
    /// ## Why it matters
    /// The engine stops reading there and goes on with the statements before it. There are no comments.
    ///
    /// ## Example
    /// `# shiny`
    ///
    /// ## Fix
    /// Remove the line, or write it as `name: value`.
    MAT_001 "MAT-001" "syntax", stage: Wire, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let (mut line, mut counted) = (1, 0);
        for bad in doc.bad() {
            let start = doc.tokens()[bad.token].range.start;
            line += lex::breaks(&doc.source()[counted..start]);
            counted = start;
            let what = quoted(&doc.source()[bad.at.clone()]);
            let message = match bad.why {
                Why::Name => format!("a statement begins with a name, here stands {what}"),
                Why::Colon => format!("no colon follows {what}"),
                Why::Value if doc.dialect() == Dialect::Spec.id() => "no value follows the colon on its line".to_owned(),
                Why::Value => "no value follows the colon".to_owned(),
                Why::String => format!("the string {what} has no second quote"),
                Why::Vector => format!("the vector {what} has no closing bracket"),
                Why::Behind => format!("{what} follows the value; a line holds one statement"),
                Why::Semicolon => "this semicolon ends no statement".to_owned(),
            };
            cx.report(Place::bytes(format!("line {line}"), doc.span(bad.at.clone())), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A statement without a semicolon.
    ///
    /// ## Why it matters
    /// The document shows none, the engine demands one behind every statement: it stops at the next one, and the
    /// statement is lost. A file without any is the document's dialect and right; one with some lost the others.
    ///
    /// ## Example
    /// `roughness: 0.1`
    ///
    /// ## Fix
    /// `pentad convert crate.mat crate.mat --dialect engine`
    MAT_002 "MAT-002" "semicolon-missing", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let engine = doc.dialect() == Dialect::Engine.id();
        let severity = match (cx.asked_for_engine(), engine) {
            (true, _) => Severity::Error,
            (false, true) => Severity::Warning,
            (false, false) => Severity::Info,
        };
        let message = if engine {
            "no semicolon follows this value, as it does others"
        } else {
            "no semicolon follows the values; the engine demands it"
        };
        let mut lacking = doc.pairs().iter().filter(|pair| pair.semicolon.is_none());
        match lacking.next() {
            // One finding for all: it is the dialect.
            Some(pair) if !engine => {
                let count = 1 + lacking.count() as u64;
                let finding = Finding { severity, count, ..Finding::new(&MAT_002.info, value_place(doc, pair), message) };
                cx.add(finding);
            }
            first => {
                for pair in first.into_iter().chain(lacking) {
                    cx.report_as(severity, value_place(doc, pair), message);
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Two statements of one name.
    ///
    /// ## Why it matters
    /// The last one counts; the others say nothing.
    ///
    /// ## Example
    /// `roughness: 0.1` and `roughness: 0.5`
    ///
    /// ## Fix
    /// Remove all but the last.
    MAT_003 "MAT-003" "duplicate-key", stage: Structure, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let mut seen: HashMap<&[u8], usize> = HashMap::new();
        for (i, pair) in doc.pairs().iter().enumerate() {
            let name = doc.name(pair);
            if let Some(first) = seen.insert(name, i) {
                let message = format!("{} stands here again, after statement {}; the last one counts", quoted(name), first + 1);
                cx.report(name_place(doc, pair), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A key that the engine does not know.
    ///
    /// ## Why it matters
    /// The engine ignores it. It may be a slip of the pen, or meant for another program.
    ///
    /// ## Example
    /// `rougness: 0.1`
    ///
    /// ## Fix
    /// Compare it with the list of keys; names are case sensitive.
    MAT_004 "MAT-004" "unknown-key", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for pair in doc.pairs() {
            let name = doc.name(pair);
            let misspelt = name == b"specularityTexture" && cx.asked_for_engine();
            if Key::of(name).is_none() || misspelt {
                cx.report(name_place(doc, pair), format!("the engine knows no key {}", quoted(name)));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A key that only older versions of the engine read.
    ///
    /// ## Why it matters
    /// The last version ignores `ambientTexture`, `specAmbientTexture`, `fresnel` and `pbrTexture`.
    ///
    /// ## Example
    /// `fresnel: 0.3`
    ///
    /// ## Fix
    /// Nothing needs fixing; roughnessTexture and metallicTexture are what replaced pbrTexture.
    MAT_005 "MAT-005" "obsolete-key", stage: Structure, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for pair in doc.pairs() {
            if Key::of(doc.name(pair)).is_some_and(|key| key.obsolete) {
                let message = format!("{} is not read any more", quoted(doc.name(pair)));
                cx.report(name_place(doc, pair), message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A value of another kind than its key has: a bare word instead of a string, a vector of other than four
    /// numbers, a number that is none, a switch that is neither 0 nor 1.
    ///
    /// ## Why it matters
    /// The engine cannot convert it; `true` is no number.
    ///
    /// ## Example
    /// `shadeless: true`
    ///
    /// ## Fix
    /// Strings stand in quotes, colours are `[r, g, b, a]`, switches 0 or 1.
    MAT_006 "MAT-006" "wrong-kind", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_value(doc, cx, |kind, pair| {
            let right = doc.is_of_kind(pair, kind);
            (!right).then(|| format!("it is {}, expected {}", quoted(doc.text(pair.value)), kind.name()))
        });
    }
}

rule! {
    /// ## What it finds
    /// A number or a colour outside 0 to 1.
    ///
    /// ## Why it matters
    /// Shaders expect that range; other formats demand it.
    ///
    /// ## Example
    /// `diffuseColor: [255, 0, 0, 255]`
    ///
    /// ## Fix
    /// Divide colours by 255 if they were meant as bytes.
    MAT_007 "MAT-007" "out-of-range", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        each_value(doc, cx, |kind, pair| {
            let numbers = match kind {
                Kind::Color(_) => doc.color_of(pair)?.to_vec(),
                Kind::Number(_) => vec![doc.number_of(pair)?],
                _ => return None,
            };
            let number = numbers.into_iter().find(|number| !(0. ..=1.).contains(number))?;
            Some(format!("{number} is not within 0 to 1"))
        });
    }
}

rule! {
    /// ## What it finds
    /// A texture that is not there, is no PNG, lies at an absolute path or leaves the folder with `..`.
    ///
    /// ## Why it matters
    /// The engine reads PNG files alone, from the folders of its own program; nothing is shown for others.
    ///
    /// ## Example
    /// `diffuseTexture: "C:/textures/wood.tga"`
    ///
    /// ## Fix
    /// Put the image beside the material as PNG, or name its folder with `--search-path`.
    MAT_008 "MAT-008" "texture-link", stage: Links, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let source = cx.source();
        for pair in doc.pairs() {
            if Key::of(doc.name(pair)).is_none_or(|key| key.kind != Kind::Texture) {
                continue;
            }
            let file = doc.string_of(pair);
            if let Some((severity, why)) = link_fault(&file, || source.load(&String::from_utf8_lossy(&file), None)) {
                let severity = if cx.asked_for_engine() { severity.max(Severity::Warning) } else { severity };
                cx.report_as(severity, value_place(doc, pair), why);
            }
        }
    }
}

/// What is wrong with the name of a texture.
pub(super) fn link_fault(file: &[u8], load: impl FnOnce() -> Loaded) -> Option<(Severity, String)> {
    let shown = quoted(file);
    let slashes: Vec<u8> = file.iter().map(|&b| if b == b'\\' { b'/' } else { b }).collect();
    if file.is_empty() {
        return Some((Severity::Info, "it names no texture".to_owned()));
    }
    if slashes.first() == Some(&b'/') || slashes.get(1) == Some(&b':') {
        return Some((Severity::Warning, format!("texture {shown} lies at an absolute path")));
    }
    if slashes.split(|&b| b == b'/').any(|part| part == b"..") {
        return Some((Severity::Info, format!("texture {shown} lies outside the folder of the material")));
    }
    if !slashes.to_ascii_lowercase().ends_with(b".png") {
        return Some((Severity::Info, format!("texture {shown} is no PNG")));
    }
    match load() {
        Loaded::Found { .. } => None,
        Loaded::Missing => Some((Severity::Info, format!("texture {shown} was not found"))),
        Loaded::Refused(why) => Some((Severity::Info, format!("texture {shown}: {why}"))),
    }
}

rule! {
    /// ## What it finds
    /// A value that is to be written and cannot be: a string with a quote in it, a vector with a bracket, a word with
    /// a blank.
    ///
    /// ## Why it matters
    /// There are no escapes; the text behind the quote would be read as something else.
    ///
    /// ## Example
    /// A texture called `5" disk.png`.
    ///
    /// ## Fix
    /// Rename the file.
    MAT_009 "MAT-009" "value-not-writable", stage: Write, severity: Error, since: "0.1",
    raised by write of Document
}

rule! {
    /// ## What it finds
    /// A byte order mark, a control character, or bytes that are not UTF-8.
    ///
    /// ## Why it matters
    /// The engine takes the mark for a name and stops; it stops at bytes that are not UTF-8. Line ends may be any.
    ///
    /// ## Example
    /// `EF BB BF` before the first name.
    ///
    /// ## Fix
    /// Save the text as UTF-8 without a mark.
    MAT_010 "MAT-010" "not-plain-text", stage: Wire, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let engine = cx.asked_for_engine();
        let text = doc.source();
        if doc.tokens().first().is_some_and(|token| token.kind == TokenKind::Mark) {
            let severity = if engine { Severity::Error } else { Severity::Warning };
            cx.report_as(severity, Place::path("mark"), "the text begins with a byte order mark");
        }
        let control = |b: &u8| (*b < 0x20 && !lex::is_space(*b)) || *b == 0x7F;
        if let Some(at) = text.iter().position(control) {
            let count = text.iter().filter(|b| control(b)).count() as u64;
            let message = format!("byte {:02X} is a control character", text[at]);
            cx.report_count(Place::bytes("", doc.span(at..at + 1)), count, message);
        }
        if let Err(error) = std::str::from_utf8(text) {
            let at = error.valid_up_to();
            let severity = if engine { Severity::Error } else { Severity::Warning };
            let message = format!("byte {:02X} is not UTF-8", text[at]);
            cx.report_as(severity, Place::bytes(doc.statement_at(at), doc.span(at..at + 1)), message);
        }
    }
}

rule! {
    /// ## What it finds
    /// A text whose last statement ends with the file, not with a line break or a semicolon.
    ///
    /// ## Why it matters
    /// It may have been cut short there: `0.1` and `0.15` look alike.
    ///
    /// ## Example
    /// `roughness: 0.1` as the last bytes.
    ///
    /// ## Fix
    /// End the text with a line break.
    MAT_011 "MAT-011" "no-final-line-break", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let Some(pair) = doc.pairs().last() else { return };
        if pair.semicolon.is_none() && pair.value + 1 == doc.tokens().len() {
            cx.report(value_place(doc, pair), "the text ends with this value, without a line break");
        }
    }
}

fn name_place(doc: &Document, pair: &Pair) -> Place {
    Place::bytes(format!("{}.name", doc.label(pair)), doc.span(doc.tokens()[pair.name].range.clone()))
}

fn value_place(doc: &Document, pair: &Pair) -> Place {
    Place::bytes(format!("{}.value", doc.label(pair)), doc.span(doc.tokens()[pair.value].range.clone()))
}

/// Reports every value of a known key that `fault` finds something about.
fn each_value(doc: &Document, cx: &mut Checker<'_>, fault: impl Fn(Kind, &Pair) -> Option<String>) {
    for pair in doc.pairs() {
        let Some(key) = Key::of(doc.name(pair)) else { continue };
        if let Some(why) = fault(key.kind, pair) {
            cx.report(value_place(doc, pair), format!("{}: {why}", key.name));
        }
    }
}

/// Text for a message: short, and without control characters.
pub(super) fn quoted(text: &[u8]) -> String {
    const SHOWN: usize = 40;
    let shown = String::from_utf8_lossy(&text[..text.len().min(SHOWN)]).into_owned();
    let more = if text.len() > SHOWN { "…" } else { "" };
    format!("\"{}{more}\"", findings::render::escape(&shown))
}
