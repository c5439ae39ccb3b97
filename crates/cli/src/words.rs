//! Words that the command line knows: what completions offer, and what someone who mistyped one may have meant.

use std::collections::HashSet;
use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use corpus::{large_samples, samples};
use pentad::findings::{Error, Result};
use pentad::formats::{self, FORMATS, Info};
use pentad::scene::loss::LOSSES;

/// A word that completions offer values for. Whether it is one of them is for the verb to say, in its own words.
#[derive(Clone)]
pub(crate) struct Offer(pub(crate) fn() -> Vec<PossibleValue>);

impl TypedValueParser for Offer {
    type Value = String;
    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> std::result::Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0().into_iter()))
    }
}

/// Formats that can be written.
pub(crate) fn targets() -> Vec<PossibleValue> {
    let writable = FORMATS.iter().map(|format| format.info()).filter(|info| info.write);
    writable.map(|info| PossibleValue::new(info.id).help(info.name)).collect()
}

/// Formats that have samples.
pub(crate) fn sampled() -> Vec<PossibleValue> {
    sampled_ids().into_iter().map(PossibleValue::new).collect()
}

/// The ids of the formats that have samples.
pub(crate) fn sampled_ids() -> Vec<&'static str> {
    once(samples().iter().map(|sample| sample.format))
}

/// The dialects of all formats.
pub(crate) fn dialects() -> Vec<PossibleValue> {
    let all = FORMATS.iter().flat_map(|format| format.info().dialects);
    once(all.map(|dialect| dialect.id)).into_iter().map(PossibleValue::new).collect()
}

/// What samples of all formats show.
pub(crate) fn kinds() -> Vec<PossibleValue> {
    let small = samples().into_iter().map(|sample| sample.name);
    let all = ["list"].into_iter().chain(small).chain(large_samples().into_iter().map(|sample| sample.name));
    once(all).into_iter().map(PossibleValue::new).collect()
}

/// The ids of all rules.
pub(crate) fn rules() -> Vec<PossibleValue> {
    formats::rules().into_iter().map(|rule| PossibleValue::new(rule.id).help(rule.name)).collect()
}

/// The ids of all rules and losses.
pub(crate) fn explained() -> Vec<PossibleValue> {
    let losses = LOSSES.iter().map(|loss| PossibleValue::new(loss.code).help(loss.name));
    rules().into_iter().chain(losses).collect()
}

fn once(words: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut seen = HashSet::new();
    words.filter(|word| seen.insert(*word)).collect()
}

/// Refuses a rule that there is not.
pub(crate) fn check_rule(name: &str) -> Result<()> {
    let known = formats::rules();
    if known.iter().any(|rule| rule.id.eq_ignore_ascii_case(name) || rule.name == name) {
        return Ok(());
    }
    let words = known.iter().flat_map(|rule| [rule.id, rule.name]);
    Err(unknown(format!("there is no rule {name}"), name, words, "pentad explain --all lists them"))
}

/// Refuses a dialect that a format does not have.
pub(crate) fn check_dialect(asked: &str, format: &Info) -> Result<()> {
    if format.dialect(asked).is_some() {
        return Ok(());
    }
    let error = format.no_dialect(asked);
    let known = format.dialects.iter().map(|dialect| dialect.id);
    Err(unknown(error.message().to_owned(), asked, known, error.help().unwrap_or_default()))
}

/// A word that is not known, with the one that was meant, if that can be guessed.
pub(crate) fn unknown<'a>(
    message: String,
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> Error {
    let known: Vec<&str> = known.into_iter().collect();
    let meant = match nearest(word, known.iter().copied()) {
        Some(meant) => vec![meant],
        None => {
            let mut seen = HashSet::new();
            let holds = |known: &&'a str| word.len() > 2 && known.contains(word) && seen.insert(*known);
            known.iter().copied().filter(holds).take(MOST_MEANT).collect()
        }
    };
    let help = match &meant[..] {
        [] => otherwise.to_owned(),
        meant => format!("did you mean {}? {otherwise}", meant.join(", ")),
    };
    Error::usage(message).with_help(help)
}

/// Most words that hold what was typed, and that are suggested.
const MOST_MEANT: usize = 6;

/// The known word that is most like a mistyped one, if any is much like it.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = folded(word);
    let likeness = known.into_iter().map(|known| (distance(&typed, &folded(known)), known));
    let (distance, meant) = likeness.min_by_key(|(distance, _)| *distance)?;
    (distance <= typed.len().div_ceil(4)).then_some(meant)
}

/// A word without what people leave out: case, and the zeros before a number.
fn folded(word: &str) -> Vec<char> {
    let mut folded: Vec<char> = Vec::new();
    for c in word.to_lowercase().chars() {
        let is_leading = c == '0' && folded.last() == Some(&'-');
        if !is_leading {
            folded.push(if c == '_' { '-' } else { c });
        }
    }
    folded
}

/// How many letters must be added, left out, replaced or exchanged with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn mistyped_words_find_what_was_meant() {
        let ids = ["DGL3-006", "DGL3-026", "DGL2-026", "DGL3-062", "normal-length"];
        for (word, meant) in [
            ("DGL3-26", Some("DGL3-026")),
            ("dgl3-26", Some("DGL3-026")),
            ("DGL3-6", Some("DGL3-006")),
            ("nomral-length", Some("normal-length")),
            ("normal_length", Some("normal-length")),
            ("quite-another", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, ids), meant, "{word}");
        }
    }
}
