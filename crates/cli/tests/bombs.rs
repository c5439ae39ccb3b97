//! Small files that multiply end, with an answer and in little memory.

mod common;

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{Desk, code, json, stderr};
use corpus::bombs::{Bomb, bombs, data_uri};

/// A run that takes longer hangs; none takes a tenth of it.
const GUARD: Duration = Duration::from_secs(300);

/// What a file is converted to: those that hold much, and those that hold little.
const TARGETS: [&str; 6] = ["glb", "dgl3", "dragon", "das2", "obj", "ply"];

/// Kilobytes of address space: as much as a program may take that has no reason to take much.
const SIX_GIGABYTES: u64 = 6_000_000;

/// A run of the program in six gigabytes, where that can be said.
fn run(desk: &Desk, args: &[&str]) -> Output {
    measured(desk, args).0
}

/// The same, and the most memory that it had, in kilobytes, where that can be seen.
fn measured(desk: &Desk, args: &[&str]) -> (Output, u64) {
    let mut command = if cfg!(target_os = "linux") {
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("ulimit -v {SIX_GIGABYTES}; exec \"$0\" \"$@\""))
            .arg(env!("CARGO_BIN_EXE_pentad"));
        command.args(args).current_dir(desk.folder.path()).env("NO_COLOR", "1");
        command
    } else {
        desk.command(args)
    };
    let files = ["stdout", "stderr"].map(|name| std::fs::File::create(desk.path(name)).unwrap());
    let [out, err] = files.map(Stdio::from);
    let mut child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
    let started = Instant::now();
    let mut most = 0;
    let status = loop {
        most = peak(child.id()).unwrap_or(0).max(most);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > GUARD {
            child.kill().unwrap();
            panic!("{args:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    (Output { status, stdout: desk.read("stdout"), stderr: desk.read("stderr") }, most)
}

/// The most memory that a process had so far, in kilobytes, with what it sees of files.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

fn ends(bomb: &Bomb) {
    let desk = Desk::new();
    let bytes = (bomb.bytes)();
    assert!(bytes.len() < 50_000_000, "{} has {} bytes", bomb.file, bytes.len());
    desk.write(bomb.file, &bytes);
    for (name, bytes) in (bomb.beside)() {
        desk.write(name, &bytes);
    }
    let answer = |args: &[&str]| {
        let output = run(&desk, args);
        let code = code(&output);
        assert!((0..=2).contains(&code), "{args:?}: {output:?}");
        (code, output)
    };
    let (info, told) = answer(&["info", bomb.file]);
    let (check, checked) = answer(&["check", "--json", bomb.file]);
    assert_eq!((info == 2, check == 2), (bomb.refused, bomb.refused), "{}: {}", bomb.file, stderr(&told));
    if bomb.refused {
        let told = stderr(&told);
        assert!(told.contains("FILE-003") && told.contains("--max-"), "{}: {told}", bomb.file);
        let findings = json(&checked)["files"][0]["findings"].clone();
        let limit = findings.as_array().unwrap().iter().find(|finding| finding["rule"] == "FILE-003");
        let help = limit.and_then(|limit| limit["help"].as_str()).unwrap_or_default();
        assert!(help.contains("--max-"), "{}: {findings}", bomb.file);
    }
    for target in TARGETS {
        let out = format!("out-{target}/out.{target}");
        std::fs::create_dir(desk.path(&format!("out-{target}"))).unwrap();
        let (code, output) = answer(&["convert", bomb.file, &out]);
        // What is not written for a limit says which.
        let told = stderr(&output);
        assert!(code != 2 || !told.contains("FILE-003") || told.contains("--max-"), "{out}: {told}");
        assert_eq!(code == 0, desk.path(&out).exists(), "{out}: {told}");
        std::fs::remove_dir_all(desk.path(&format!("out-{target}"))).unwrap();
    }
}

/// Every bomb whose number leaves this rest: tests run beside each other.
fn every_fourth(rest: usize) {
    bombs().iter().skip(rest).step_by(4).for_each(ends);
}

#[test]
fn bombs_end_first_quarter() {
    every_fourth(0);
}

#[test]
fn bombs_end_second_quarter() {
    every_fourth(1);
}

#[test]
fn bombs_end_third_quarter() {
    every_fourth(2);
}

#[test]
fn bombs_end_fourth_quarter() {
    every_fourth(3);
}

#[test]
fn limits_can_be_raised_and_lowered() {
    let desk = Desk::new();
    let copies = bombs().into_iter().find(|bomb| bomb.file == "copies.glb").unwrap();
    desk.write("copies.glb", &(copies.bytes)());
    let told = |args: &[&str]| (code(&desk.run(args)), stderr(&desk.run(args)));
    // 100 000 vertices of three numbers, of eight bytes each in a scene and in a file.
    let (code, told_memory) = told(&["convert", "copies.glb", "out.dgl3", "--max-memory", "1M"]);
    assert!(code == 2 && told_memory.contains("--max-memory"), "{told_memory}");
    let (code, told_elements) = told(&["convert", "copies.glb", "out.dgl3", "--max-elements", "99999"]);
    assert!(code == 2 && told_elements.contains("--max-elements"), "{told_elements}");
    let (code, told_enough) = told(&["convert", "copies.glb", "out.dgl3", "--max-elements", "100000"]);
    assert_eq!(code, 0, "{told_enough}");
}

#[test]
fn data_uri_takes_no_more_than_two_and_a_half_times_its_size() {
    let desk = Desk::new();
    let bytes = data_uri(6_250_000);
    assert_eq!(bytes.len() / 1_000_000, 100);
    desk.write("uri.gltf", &bytes);
    let whole = ["dump", "-v", "uri.gltf"];
    let verbs = [
        &["info", "uri.gltf"][..],
        &["check", "uri.gltf"],
        &["dump", "uri.gltf"],
        &["dump", "--json", "uri.gltf"],
        &whole,
    ];
    for args in verbs.into_iter().chain([&["convert", "uri.gltf", "out.glb"][..]]) {
        let (output, most) = measured(&desk, args);
        assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
        assert!(most < 100_000 * 5 / 2 + PROGRAM, "{args:?} took {most} kB");
    }
}

/// Kilobytes that the program takes whatever it does.
const PROGRAM: u64 = 50_000;
