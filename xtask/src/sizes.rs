//! How much code there is: lines of the crates, and functions and structs that grew out of sight.

use crate::Result;
use crate::test::Outcome;
use crate::workspace::{files_below, output, program, root};

/// A function that is longer is no sentence.
const MOST_LINES: usize = 80;
/// A struct of a bridge with more fields serves more than one call.
const MOST_FIELDS: usize = 12;

/// What was larger before there was a limit: each goes from here when it is split, and none comes.
const TO_SPLIT: &[&str] = &[];

pub(crate) fn check() -> Result<Outcome> {
    let mut faults = Vec::new();
    let mut split: Vec<&str> = TO_SPLIT.to_vec();
    for (file, text) in sources()? {
        let functions = functions(&text).into_iter().map(|(name, at, lines)| (name, at, lines, "lines", MOST_LINES));
        let is_bridge = file.contains("/bridge") || file.ends_with("/context.rs");
        let structs = structs(&text).into_iter().filter(|_| is_bridge);
        let structs = structs.map(|(name, at, fields)| (name, at, fields, "fields", MOST_FIELDS));
        for (name, at, has, what, most) in functions.chain(structs).filter(|(_, _, has, _, most)| has > most) {
            split.retain(|known| *known != name);
            if !TO_SPLIT.contains(&name) {
                faults.push(format!("{file}:{at}: {name} has {has} {what}; {most} are the most"));
            }
        }
    }
    faults.extend(split.iter().map(|name| format!("{name} is small: xtask/src/sizes.rs need not name it any more")));
    if !faults.is_empty() {
        return Err(faults.join("\n").into());
    }
    Ok(Outcome::Done(format!("{} are still to be split", TO_SPLIT.len())))
}

/// Prints how many lines each crate has outside of its tests, now or at a revision.
pub(crate) fn lines(revision: Option<&str>) -> Result {
    let sources = match revision {
        None => sources()?,
        Some(revision) => sources_at(revision)?,
    };
    let mut crates: Vec<(&str, usize)> = Vec::new();
    for (file, text) in &sources {
        let name = file.split('/').nth(1).unwrap_or_default();
        let lines = code(text).lines().count();
        match crates.last_mut().filter(|(last, _)| *last == name) {
            Some((_, sum)) => *sum += lines,
            None => crates.push((name, lines)),
        }
    }
    for (name, lines) in &crates {
        println!("{lines:>7} {name}");
    }
    println!("{:>7} in all", crates.iter().map(|(_, lines)| lines).sum::<usize>());
    Ok(())
}

fn is_source(file: &str) -> bool {
    file.contains("/src/") && file.ends_with(".rs") && !file.ends_with("/tests.rs")
}

/// The sources of all crates, by their paths, without files of tests.
fn sources() -> Result<Vec<(String, String)>> {
    let mut sources = Vec::new();
    for path in files_below(&root().join("crates"))? {
        let file = path.strip_prefix(root())?.to_string_lossy().replace('\\', "/");
        if is_source(&file) {
            sources.push((file, std::fs::read_to_string(&path)?));
        }
    }
    Ok(sources)
}

fn sources_at(revision: &str) -> Result<Vec<(String, String)>> {
    let files = output(program("git").args(["ls-tree", "-r", "--name-only", revision, "crates"]))?;
    let read = |file: &str| -> Result<(String, String)> {
        let text = output(program("git").arg("show").arg(format!("{revision}:{file}")))?;
        Ok((file.to_owned(), text))
    };
    files.lines().filter(|file| is_source(file)).map(read).collect()
}

/// A file without the tests at its end.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

/// Blocks that begin with such a line: their names, the numbers of their first lines, and what is in them. rustfmt ends
/// a block with a brace that stands where its first line does.
fn blocks<'a>(text: &'a str, keyword: &str) -> Vec<(&'a str, usize, Vec<&'a str>)> {
    let lines: Vec<&str> = code(text).lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = named(line, keyword) else { continue };
        let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        let inner: Vec<&str> = lines[at + 1..].iter().take_while(|line| **line != end).copied().collect();
        // What ends in its first line has nothing in it.
        if !line.ends_with(';') && !line.ends_with('}') {
            found.push((name, at + 1, inner));
        }
    }
    found
}

/// The name behind a keyword, if a line begins with that, or with words that may stand before it.
fn named<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let mut words = line.trim_start().split_inclusive(' ');
    let mut at = line.len() - line.trim_start().len();
    loop {
        let word = words.next()?;
        at += word.len();
        match word.trim_end() {
            word if word == keyword => break,
            "const" | "async" | "unsafe" => {}
            word if word == "pub"
                || word.starts_with("pub(")
                || word.ends_with("super)")
                || word.ends_with("crate)") => {}
            _ => return None,
        }
    }
    let rest = &line[at..];
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

/// Functions, the lines they begin in, and how many they have.
fn functions(text: &str) -> Vec<(&str, usize, usize)> {
    blocks(text, "fn").into_iter().map(|(name, at, inner)| (name, at, inner.len() + 2)).collect()
}

/// Structs, the lines they begin in, and how many fields they have.
fn structs(text: &str) -> Vec<(&str, usize, usize)> {
    let is_field = |line: &&&str| {
        let line = line.trim_start();
        !line.starts_with("//") && !line.starts_with('#') && line.ends_with(',')
    };
    let fields = |inner: &[&str]| inner.iter().filter(is_field).count();
    blocks(text, "struct").into_iter().map(|(name, at, inner)| (name, at, fields(&inner))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "pub(in super::super) fn one(\n    a: u8,\n) -> u8 {\n    a\n}\n\nimpl A {\n    const fn two() {\n    \
                        }\n    fn three();\n}\n\nstruct Four<'a> {\n    /// A, b,\n    pub a: u8,\n    b: &'a str,\n}\n\
                        #[cfg(test)]\nmod tests {\n    fn five() {\n    }\n}\n";

    #[test]
    fn functions_end_with_the_brace_below_their_first_letter() {
        assert_eq!(functions(TEXT), [("one", 1, 5), ("two", 8, 2)]);
    }

    #[test]
    fn fields_are_counted_without_what_is_said_of_them() {
        assert_eq!(structs(TEXT), [("Four", 13, 2)]);
    }
}
