//! Side files and links that lead out of the folder of OUT.

#![cfg(unix)]

mod common;

use std::os::unix::fs::symlink;

use common::{Desk, code, stderr};

/// A model that names a picture two folders down; as glTF it has a buffer beside it too.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("a.obj", b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n");
    desk.write("a.mtl", b"newmtl m\nmap_Kd deep/down/p.png\n");
    std::fs::create_dir_all(desk.path("deep/down")).unwrap();
    desk.write("deep/down/p.png", b"\x89PNG\r\n\x1a\n");
    for folder in ["out", "elsewhere"] {
        std::fs::create_dir(desk.path(folder)).unwrap();
    }
    desk
}

fn names(desk: &Desk, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(desk.path(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Runs it with and without `--force`; nothing outside of `out` may change.
fn stays_inside(desk: &Desk) {
    let before = (desk.names(), names(desk, "elsewhere"));
    for force in [&[][..], &["--force"]] {
        let output = desk.run(&[&["convert", "a.obj", "out/b.gltf"], force].concat());
        assert_eq!((desk.names(), names(desk, "elsewhere")), before, "{}", stderr(&output));
        if code(&output) == 2 {
            assert!(stderr(&output).contains("link"), "{}", stderr(&output));
            assert!(!desk.path("out/b.gltf").exists());
        }
    }
}

#[test]
fn a_side_file_does_not_go_through_a_link_to_a_file_outside() {
    let desk = desk();
    desk.write("elsewhere/precious", b"precious");
    symlink("../elsewhere/precious", desk.path("out/b.bin")).unwrap();
    stays_inside(&desk);
    assert_eq!(desk.read("elsewhere/precious"), b"precious");
}

#[test]
fn a_side_file_does_not_go_through_a_link_to_nothing() {
    let desk = desk();
    symlink("../elsewhere/new", desk.path("out/b.bin")).unwrap();
    stays_inside(&desk);
}

#[test]
fn a_side_file_does_not_go_through_a_folder_that_is_a_link() {
    for target in ["../elsewhere", "../not-there"] {
        let desk = desk();
        symlink(target, desk.path("out/deep")).unwrap();
        stays_inside(&desk);
        assert!(!desk.path("not-there").exists());
    }
    let desk = desk();
    std::fs::create_dir(desk.path("out/deep")).unwrap();
    symlink("../../elsewhere", desk.path("out/deep/down")).unwrap();
    stays_inside(&desk);
}

#[test]
fn a_link_that_stays_in_the_folder_is_no_harm() {
    let desk = desk();
    desk.write("out/real.bin", b"old");
    symlink("real.bin", desk.path("out/b.bin")).unwrap();
    let output = desk.run(&["convert", "a.obj", "out/b.gltf", "--force"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(desk.path("out/b.bin").is_symlink());
    assert_eq!(code(&desk.run(&["check", "out/b.gltf", "--deny", "warnings"])), 0);
    assert_ne!(desk.read("out/real.bin"), b"old");
}

#[test]
fn out_that_is_a_link_is_written_where_it_leads() {
    let desk = desk();
    desk.write("elsewhere/there.glb", b"before");
    let links = [("out/there.glb", "../elsewhere/there.glb"), ("out/new.glb", "../elsewhere/new.glb")];
    for (link, target) in
        links.into_iter().chain([("out/chain.glb", "new-2.glb"), ("out/new-2.glb", "../elsewhere/2.glb")])
    {
        symlink(target, desk.path(link)).unwrap();
    }
    for (link, real) in [("there", "there"), ("new", "new"), ("chain", "2")] {
        let output = desk.run(&["convert", "a.obj", &format!("out/{link}.glb")]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(desk.path(&format!("out/{link}.glb")).is_symlink());
        assert!(desk.read(&format!("elsewhere/{real}.glb")).starts_with(b"glTF"));
        assert!(!desk.path(&format!("elsewhere/{real}.glb")).is_symlink());
    }
}

#[test]
fn out_that_is_a_link_to_nowhere_is_refused_and_stays() {
    let desk = desk();
    symlink("../not-there/new.glb", desk.path("out/lost.glb")).unwrap();
    symlink("circle.glb", desk.path("out/circle.glb")).unwrap();
    for name in ["out/lost.glb", "out/circle.glb"] {
        let output = desk.run(&["convert", "a.obj", name]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains(name), "{}", stderr(&output));
        assert!(desk.path(name).is_symlink());
    }
    assert_eq!(names(&desk, "out").len(), 2);
}
