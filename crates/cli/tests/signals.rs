//! What is left behind when a run is ended from outside: nothing.

#![cfg(unix)]

mod common;

use std::io::Read;
use std::process::{Child, Command, Stdio};

use common::{Desk, code};

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Signals that a run here hears: what runs the tests may have had some ignored, as nohup and background jobs do, and
/// then they stay so.
#[allow(clippy::print_stdout)]
fn heard() -> Vec<(&'static str, i32)> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let all = [("INT", 2), ("TERM", 15), ("HUP", 1)];
    let (heard, deaf): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, number)| ignored >> (number - 1) & 1 == 0);
    deaf.iter().for_each(|(signal, _)| println!("skipped: {signal} is ignored here"));
    heard
}

/// A binary STL of this many facets.
fn stl(facets: usize) -> Vec<u8> {
    let one = corpus::stl::one_facet();
    [&one[..80], &(facets as u32).to_le_bytes(), &one[84..].repeat(facets)].concat()
}

fn temporaries(desk: &Desk) -> Vec<String> {
    desk.names().into_iter().filter(|name| name.starts_with(".pentad-")).collect()
}

#[test]
fn a_signal_removes_temporary_files_and_is_the_exit_code() {
    let desk = Desk::new();
    desk.write("in.stl", &stl(400_000));
    for (signal, number) in heard() {
        // The file is on its way for as long as the disk takes; who comes too late tries again.
        let hit = (0..50).any(|_| {
            let mut child = desk.command(&["convert", "in.stl", "out.stl"]).stderr(Stdio::null()).spawn().unwrap();
            let seen = loop {
                if !temporaries(&desk).is_empty() {
                    send(&child, signal);
                    break true;
                }
                if child.try_wait().unwrap().is_some() {
                    break false;
                }
            };
            let status = child.wait().unwrap();
            assert_eq!(temporaries(&desk), [""; 0], "{signal}: {status:?}");
            seen && status.code() == Some(128 + number)
        });
        assert!(hit, "{signal}");
    }
}

#[test]
fn a_signal_ends_a_run_that_waits() {
    let desk = Desk::new();
    for (signal, number) in heard() {
        let mut child = desk
            .command(&["convert", "-", "out.ply"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // It reads what it is given, so it has begun.
        let mut input = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, &vec![0; 1 << 20]).unwrap();
        send(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(128 + number), "{signal}");
    }
    assert_eq!(desk.names(), [""; 0]);
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let desk = Desk::new();
    // As nohup does it.
    let run = format!("trap '' HUP; exec {} convert - out.danmodel --to danmodel", env!("CARGO_BIN_EXE_pentad"));
    let mut child = Command::new("sh")
        .args(["-c", &run])
        .current_dir(desk.folder.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let model = common::sample("danmodel", "model");
    // More than a pipe holds, so that some of it was read.
    std::io::Write::write_all(&mut input, &model).unwrap();
    std::io::Write::write_all(&mut input, &vec![0; 1 << 20]).unwrap();
    send(&child, "HUP");
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(desk.read("out.danmodel").starts_with(&model));
}

#[test]
fn an_input_that_is_cut_while_it_is_read_is_told() {
    let desk = Desk::new();
    desk.write("in.stl", &stl(100_000));
    let mut child = desk.command(&["hex", "in.stl"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut dumped = child.stdout.take().unwrap();
    // It has begun to print, and waits for its reader long before the end.
    dumped.read_exact(&mut [0; 1000]).unwrap();
    std::fs::OpenOptions::new().write(true).open(desk.path("in.stl")).unwrap().set_len(0).unwrap();
    dumped.read_to_end(&mut Vec::new()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 2, "{output:?}");
    let told = common::stderr(&output);
    assert!(told.contains("cut short by another program"), "{told}");
    assert_eq!(desk.names(), ["in.stl"]);
}

#[test]
fn an_input_that_is_cut_while_it_is_written_on_is_told() {
    let desk = Desk::new();
    desk.write("in.stl", &stl(100_000));
    // The same bytes go out, straight from the file.
    let mut child = desk
        .command(&["convert", "in.stl", "-", "--to", "stl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut written = child.stdout.take().unwrap();
    written.read_exact(&mut [0; 1000]).unwrap();
    std::fs::OpenOptions::new().write(true).open(desk.path("in.stl")).unwrap().set_len(0).unwrap();
    written.read_to_end(&mut Vec::new()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 2, "{output:?}");
    let told = common::stderr(&output);
    assert!(told.contains("cut short by another program"), "{told}");
}
