//! The transcript in the README is what the command line prints.

use std::process::Command;

/// The blocks of a Markdown file that are transcripts: `$ command`, then what it prints.
fn transcripts(markdown: &str) -> Vec<&str> {
    let blocks = markdown.split("```console\n").skip(1);
    blocks.map(|rest| rest.split("```").next().expect("a block ends")).collect()
}

#[test]
fn readme_shows_what_is_printed() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let transcripts = transcripts(&readme);
    assert!(!transcripts.is_empty(), "the README has a transcript");
    for transcript in transcripts {
        for step in transcript.split("$ ").skip(1) {
            let (command, expected) = step.split_once('\n').unwrap();
            let (program, words) = command.split_once(' ').unwrap();
            assert_eq!(program, "pentad", "{command}");
            let output = Command::new(env!("CARGO_BIN_EXE_pentad"))
                .args(words.split_whitespace())
                .current_dir(folder.path())
                .env("NO_COLOR", "1")
                .output()
                .unwrap();
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).unwrap();
            let plain = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned();
            assert_eq!(plain(&printed), plain(expected), "$ {command}");
        }
    }
}
