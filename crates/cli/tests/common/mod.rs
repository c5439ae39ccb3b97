//! A folder to work in, and what a run of the command line there answers.

#![allow(dead_code, unreachable_pub, missing_docs)]

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub struct Desk {
    pub folder: TempDir,
}

impl Desk {
    pub fn new() -> Desk {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// A sample of the corpus crate, as a file.
    pub fn sample(&self, kind: &str, name: &str) {
        let done = self.run(&["sample", "danmodel", name, "--kind", kind]);
        assert_eq!(done.status.code(), Some(0), "{done:?}");
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentad"));
        command.args(args).current_dir(self.folder.path()).env("NO_COLOR", "1");
        command
    }

    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

pub fn code(output: &Output) -> i32 {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
    output.status.code().expect("an exit code")
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A sample of any format.
pub fn sample(format: &str, name: &str) -> Vec<u8> {
    let found = corpus::samples().into_iter().find(|sample| sample.format == format && sample.name == name);
    (found.unwrap_or_else(|| panic!("{format} has no sample {name}")).bytes)()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Two good files and two bad ones, in a folder.
pub fn mixed() -> Desk {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("models")).unwrap();
    desk.sample("one-triangle", "models/a.danmodel");
    desk.sample("engine", "models/b.danmodel");
    desk.sample("mode-10", "models/c.danmodel");
    desk.sample("file-cut", "models/d.danmodel");
    desk
}
