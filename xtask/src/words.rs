//! The words of the field, which `CONTRIBUTING.md` lists: what else was said for the same things is counted here in
//! names, comments and messages, and none may come.

use std::fs;

use crate::Result;
use crate::test::Outcome;
use crate::workspace::{files_below, root};

/// What is looked through.
const FOLDERS: &[&str] = &["crates", "docs", "corpus"];

/// Words for which the field has others.
struct Banned {
    /// Each of them, or a phrase where the word alone has other senses too; in lower case, a name as its words.
    forms: &'static [&'static str],
    say: &'static str,
    /// How many there still are. Whoever says it better lowers the number; it does not grow.
    left: usize,
}

const BANNED: &[Banned] = &[
    Banned { forms: &["bent"], say: "skinned", left: 39 },
    Banned { forms: &["surface", "surfaces"], say: "material", left: 40 },
    Banned { forms: &["shape", "shapes"], say: "mesh", left: 48 },
    Banned { forms: &["picture", "pictures"], say: "image", left: 186 },
    Banned { forms: &["movement", "movements", "arrival", "arrivals"], say: "animation", left: 26 },
    Banned { forms: &["copies"], say: "instances", left: 107 },
    Banned { forms: &["place of a node", "places of nodes", "place of the node"], say: "transform", left: 2 },
    Banned { forms: &["word for", "words for", "words of", "word of"], say: "field, key or extra", left: 10 },
    Banned { forms: &["blinking"], say: "visibility animated", left: 0 },
    Banned { forms: &["silent"], say: "unplayable", left: 11 },
    Banned { forms: &["unseen"], say: "unlit factors", left: 14 },
    Banned { forms: &["homeless"], say: "what it is", left: 0 },
    Banned { forms: &["excuse", "excuses", "excused"], say: "explained by losses", left: 2 },
    Banned { forms: &["modernise", "modernize"], say: "canonicalize", left: 0 },
    Banned { forms: &["ink"], say: "object hasher", left: 0 },
    Banned { forms: &["fate", "seat", "seats"], say: "node mapping", left: 0 },
    Banned { forms: &["lose unless it travels"], say: "report unless carried", left: 0 },
    Banned { forms: &["what nothing", "what nobody", "that nothing", "that nobody"], say: "what is", left: 33 },
];

/// Where a banned word has its own sense: in these phrases, or in all of a folder or file.
struct Sense {
    phrases: &'static [&'static str],
    /// Everywhere, if empty.
    below: &'static str,
}

const SENSES: &[Sense] = &[
    // What has an inside and an outside, as against points and lines; and the geometry of it.
    Sense {
        phrases: &[
            "is surface",
            "surface normal",
            "surface normals",
            "draws surfaces",
            "round surfaces",
            "curves and surfaces",
        ],
        below: "",
    },
    // Patches of FBX.
    Sense { phrases: &["nurbs surfaces", "trim surfaces"], below: "" },
    // The layout of a record, or of an accessor: how many numbers of which kind.
    Sense { phrases: &["shape", "shapes"], below: "crates/wire/" },
    Sense {
        phrases: &[
            "fixed shape",
            "facet shape",
            "const shape",
            "static shape",
            "blob shape",
            "reader shape",
            "shape scalar",
        ],
        below: "",
    },
    // The form that something has.
    Sense { phrases: &["base shape", "rest shape", "their shape stays", "shape stays"], below: "" },
    // FBX's own names of morph targets.
    Sense { phrases: &["blend shape", "blend shapes", "target shape", "deformer shapes", "taller shape"], below: "" },
    // The name of an extension of glTF.
    Sense { phrases: &["implicit shapes"], below: "" },
    // DRAGON's own name of a section, which its document gives.
    Sense { phrases: &["bone shapes", "shape keys", "shape key"], below: "" },
    // A key of `docs/carry.md`.
    Sense { phrases: &["get picture", "insert picture", "picture of a packed one"], below: "" },
    // What one sees of a model.
    Sense { phrases: &["missing from the picture", "missing in the picture"], below: "" },
    // Files and bytes that were copied.
    Sense {
        phrases: &[
            "damaged copies",
            "copies of files",
            "copies of bytes",
            "it copies",
            "and copies it",
            "mut copies it",
            "copies a file",
            "views instead of copies",
        ],
        below: "",
    },
    // Words of a text file, between blanks.
    Sense {
        phrases: &["words of a line", "words of a text", "words of some bytes", "next word of", "a word of the"],
        below: "",
    },
    // What STL calls the two bytes of a facet; a trait, and a message that begins with a word.
    Sense { phrases: &["attribute word of", "impl word for", "word of layer", "word of vertex"], below: "" },
    // English.
    Sense { phrases: &["in the words of", "in words of", "first word of", "last word of", "the word of"], below: "" },
];

pub(crate) fn check() -> Result<Outcome> {
    let mut texts = Vec::new();
    for folder in FOLDERS {
        for path in files_below(&root().join(folder))? {
            let file = path.strip_prefix(root())?.to_string_lossy().replace('\\', "/");
            if [".rs", ".md"].iter().any(|end| file.ends_with(end)) {
                let text = fs::read_to_string(&path)?;
                texts.push((plain(&text, &file), file));
            }
        }
    }
    let (mut faults, mut fewer) = (Vec::new(), Vec::new());
    for Banned { forms, say, left } in BANNED {
        let counts: Vec<(usize, &str)> =
            texts.iter().map(|(text, file)| (count(text, forms), &**file)).filter(|(count, _)| *count > 0).collect();
        let found: usize = counts.iter().map(|(count, _)| count).sum();
        let word = forms[0];
        if found > *left {
            let files = counts.iter().map(|(count, file)| format!("\n  {count:>4} {file}")).collect::<String>();
            faults.push(format!("\"{word}\" is said {found} times, {left} are known: say \"{say}\"{files}"));
        } else if found < *left {
            fewer.push(format!("{word} {found}"));
        }
    }
    if !faults.is_empty() {
        return Err(format!("{}\na sense of its own is listed in xtask/src/words.rs", faults.join("\n")).into());
    }
    let left: usize = BANNED.iter().map(|banned| banned.left).sum();
    let lower = if fewer.is_empty() { String::new() } else { format!("; words.rs can say less: {}", fewer.join(", ")) };
    Ok(Outcome::Done(format!("{left} are still to be said better{lower}")))
}

/// A text as words in lower case with one space around each, names taken apart, without the phrases that have a sense of
/// their own.
fn plain(text: &str, file: &str) -> String {
    let mut words = String::from(" ");
    let mut last = ' ';
    for c in text.chars() {
        let ends = !c.is_alphabetic() || (c.is_uppercase() && last.is_lowercase());
        if ends && !words.ends_with(' ') {
            words.push(' ');
        }
        if c.is_alphabetic() {
            words.extend(c.to_lowercase());
        }
        last = c;
    }
    words.push(' ');
    let senses = SENSES.iter().filter(|sense| file.starts_with(sense.below));
    for phrase in senses.flat_map(|sense| sense.phrases) {
        let phrase = format!(" {phrase} ");
        while words.contains(&phrase) {
            words = words.replace(&phrase, "  ");
        }
    }
    words
}

/// How often any of some words or phrases is in a text.
fn count(text: &str, forms: &[&str]) -> usize {
    forms.iter().map(|form| text.matches(&format!(" {form} ")).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_and_senses_taken_out() {
        let text = plain("/// Bent\nfn is_surface(of: BentMesh) { surface() } // unbent shapes", "crates/a.rs");
        assert_eq!(count(&text, &["bent"]), 2);
        assert_eq!(count(&text, &["surface"]), 1);
        assert_eq!(count(&text, &["shape", "shapes"]), 1);
        assert_eq!(count(&plain("shape", "crates/wire/src/a.rs"), &["shape"]), 0);
    }
}
