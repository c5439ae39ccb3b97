//! `docs/formats/`: one page per format, from what it says about itself.

use pentad::formats::gltf::{EXTENSIONS, Elsewhere, Use};
use pentad::formats::{AnyFormat, Engine, FORMATS, Info, Lack};
use pentad::wire::Table;

use super::{Files, NOTE, code, one_line, sentence, table, yes};

pub(super) fn pages() -> Files {
    FORMATS.iter().map(|&format| (format!("docs/formats/{}.md", format.info().id), page(format))).collect()
}

fn page(format: &dyn AnyFormat) -> String {
    let info = format.info();
    let mut page = format!("{NOTE}# {}\n\n{}\n\n", info.name, sentence(info.about));
    page += &facts(info);
    page += &dialects(info);
    page += &options(info);
    page += "\n## What it can hold\n\nAs this version writes it; `pentad formats` compares all formats.\n\n";
    let rows = info.capabilities.rows().into_iter().map(|(what, how)| vec![code(what), or_no(how)]);
    page += &table(&["what", "how"], rows);
    if !info.tables.is_empty() {
        page += "\n## Structures\n\nIn the order of the format's document.\n";
        info.tables.iter().for_each(|table| page += &structure(table));
    }
    if info.id == "gltf" {
        page += &extensions();
    }
    page += &rules(format);
    page += &ledger(info.spec);
    page
}

fn or_no(text: String) -> String {
    if text.is_empty() { "no".to_owned() } else { text }
}

fn facts(info: &Info) -> String {
    let space = info.space;
    let rows = [
        ("id", code(info.id)),
        ("extensions", info.extensions.iter().map(|e| code(&format!(".{e}"))).collect::<Vec<_>>().join(" ")),
        ("read", yes(info.read)),
        ("written", yes(info.write)),
        ("up", space.up.name().to_owned()),
        ("handedness", space.handedness.name().to_owned()),
        ("unit", space.unit.name().to_owned()),
        ("UV origin", space.uv_origin.name().to_owned()),
    ];
    table(&["", ""], rows.map(|(key, value)| vec![key.to_owned(), value]))
}

/// What the existing program does not load.
fn without(lacks: &[Lack]) -> String {
    let words = lacks.iter().map(|lack| match lack {
        Lack::Animations => "skins, morph targets and animations",
        Lack::OtherImages => "images that are not PNG",
        Lack::ListedNames => "images with a comma or brackets in their names",
    });
    format!("without {}", words.collect::<Vec<_>>().join(" or "))
}

fn dialects(info: &Info) -> String {
    let rows = info.dialects.iter().enumerate().map(|(i, dialect)| {
        let engine = match dialect.engine {
            Engine::Loads => "loads it".to_owned(),
            Engine::LoadsWithout(lacks) => format!("loads it, {}", without(lacks)),
            Engine::Fails { instead } => format!("cannot load it, but {}", code(instead)),
            Engine::None => String::new(),
        };
        let default = if i == 0 { ", by default" } else { "" };
        let written = if info.write && dialect.write { format!("yes{default}") } else { yes(false) };
        vec![code(dialect.id), dialect.about.to_owned(), written, engine]
    });
    format!("\n## Dialects\n\n{}", table(&["dialect", "what", "written", "the existing program"], rows))
}

fn options(info: &Info) -> String {
    if info.options.is_empty() {
        return String::new();
    }
    let rows = info.options.iter().map(|o| vec![code(&format!("--{} {}", o.name, o.value)), o.about.to_owned()]);
    format!(
        "\n## Options\n\nOf `pentad convert`, for files written in this format.\n\n{}",
        table(&["option", "what"], rows)
    )
}

fn structure(structure: &Table) -> String {
    let rows = structure.rows;
    let prose = |lines: &[&str]| one_line(&lines.join(" "));
    let mut page = format!("\n### {}\n\n", structure.name);
    if !structure.doc.is_empty() {
        page += &format!("{}\n\n", prose(structure.doc));
    }
    // An enumeration has its numbers where a structure has its types.
    let is_enum = rows.iter().all(|row| row.ty.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
    let is_conditional = rows.iter().any(|row| !row.when.is_empty());
    let head: &[&str] = match (is_enum, is_conditional) {
        (true, _) => &["name", "value", "what"],
        (false, true) => &["field", "type", "only if", "what"],
        (false, false) => &["field", "type", "what"],
    };
    let rows = rows.iter().map(|row| {
        let what = match prose(row.doc) {
            what if what.is_empty() && row.wire_only => "Only in the file; it follows from the rest.".to_owned(),
            what => what,
        };
        let mut cells = vec![code(row.field), code(row.ty)];
        if is_conditional && !is_enum {
            cells.push(code(row.when));
        }
        cells.push(what);
        cells
    });
    page + &table(head, rows)
}

/// What is done with each extension of glTF that is known.
fn extensions() -> String {
    let rows = EXTENSIONS.iter().map(|extension| {
        let (read, written, kept) = match extension.use_ {
            Use::Scene => ("yes", "where a scene has it", "yes"),
            Use::Stored => ("yes", "where a scene has such numbers", "yes"),
            Use::Read => ("yes", "no", "needless: what is written is not compressed"),
            Use::Image(kind) if kind.mime == "image/webp" => ("yes", "no", "byte for byte"),
            Use::Image(_) => ("no", "no", "byte for byte"),
            Use::Kept => ("no", "no", "as it is; its numbers follow"),
            Use::Loose => ("no", "no", "as it is; numbers that may be stale are LOSS-055"),
            Use::Refused => ("no", "no", "only without a scene between them; otherwise refused"),
        };
        let elsewhere = match extension.elsewhere {
            Elsewhere::All(how) => format!("all: {how}"),
            Elsewhere::Where(capability) => format!("{}; a loss in others", holders(capability)),
            Elsewhere::In(ids) => {
                format!("{}; a loss in others", ids.iter().map(|id| code(id)).collect::<Vec<_>>().join(" "))
            }
            Elsewhere::Lost => "none: one loss".to_owned(),
            Elsewhere::Refused => "none: refused".to_owned(),
        };
        let words = [extension.about, read, written, kept].map(str::to_owned);
        [vec![code(extension.name)], words.to_vec(), vec![elsewhere]].concat()
    });
    let head = ["extension", "what", "read", "written anew", "glTF to glTF", "other formats"];
    let about = "Any other extension stays as it is between glTF files, and is one loss elsewhere.";
    format!("\n## Extensions\n\n{about}\n\n{}", table(&head, rows))
}

/// The formats other than glTF that hold something.
fn holders(capability: &str) -> String {
    let holds = |info: &&Info| {
        let row = info.capabilities.rows().into_iter().find(|(name, _)| *name == capability);
        info.write && !info.capabilities.carries && row.is_some_and(|(_, how)| how != "no")
    };
    let ids: Vec<String> = FORMATS.iter().map(|f| f.info()).filter(holds).map(|info| code(info.id)).collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(" ") }
}

fn rules(format: &dyn AnyFormat) -> String {
    let rows = format.rules().into_iter().map(|rule| {
        let link = format!("[{}](../rules/{}.md)", rule.id, rule.id);
        let what = rule.page.section("What it finds");
        vec![link, code(rule.name), rule.severity.name().to_owned(), rule.stage.name().to_owned(), what]
    });
    let rows = table(&["rule", "name", "severity", "stage", "what it finds"], rows);
    format!("\n## Rules\n\n{rows}")
}

/// The ledger, its headings one level down.
fn ledger(spec: &str) -> String {
    let mut page = String::new();
    for line in spec.trim().lines() {
        let deeper = if line.starts_with('#') { "#" } else { "" };
        page += &format!("{deeper}{line}\n");
    }
    if page.is_empty() { page } else { format!("\n{page}") }
}
