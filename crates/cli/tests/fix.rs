//! `check --fix`: what it mends, and everything it leaves alone.

mod common;

use common::{Desk, code, sample, stderr};

/// A DanModel with four bytes behind its end, which only `--fix=all` removes.
fn tail() -> Vec<u8> {
    sample("danmodel", "tail")
}

/// A DanModel with a flag of FF, which is mended by writing 01.
fn flag() -> Vec<u8> {
    sample("danmodel", "flag-ff")
}

#[test]
fn only_what_was_asked_is_mended() {
    let desk = Desk::new();
    let before = tail();
    desk.write("tail.danmodel", &before);
    assert_eq!(code(&desk.run(&["check", "tail.danmodel", "--fix=all", "--ignore", "DAN-010"])), 0);
    assert_eq!(desk.read("tail.danmodel"), before);
    assert_eq!(desk.names(), ["tail.danmodel"]);
    assert_eq!(code(&desk.run(&["check", "tail.danmodel", "--fix=all", "--deny", "warnings"])), 0);
    assert_eq!(desk.read("tail.danmodel"), before[..before.len() - 4]);
    assert_eq!(desk.read("tail.danmodel.orig"), before);
}

#[test]
fn bytes_are_removed_only_with_fix_all() {
    let desk = Desk::new();
    let files = [
        ("a.danmodel", "DAN-010", tail()),
        ("b.stl", "STL-004", sample("stl", "trailing")),
        ("c.dgl2", "DGL2-007", sample("dgl2", "tail")),
        ("d.dragon", "DRG-010", sample("dragon", "tail")),
    ];
    for (name, rule, bytes) in &files {
        desk.write(name, bytes);
        let output = desk.run(&["check", name, "--fix", "--only", rule]);
        assert!(desk.read(name) == *bytes, "{name}");
        assert!(stderr(&output).contains("--fix=all"), "{name}: {}", stderr(&output));
    }
    assert_eq!(desk.names().len(), files.len(), "no copy of a file that stays as it is");
    for (name, rule, bytes) in &files {
        desk.run(&["check", name, "--fix=all", "--only", rule]);
        assert!(desk.read(name).len() < bytes.len(), "{name}");
        assert!(desk.read(&format!("{name}.orig")) == *bytes, "{name}");
    }
}

#[test]
fn a_section_of_a_variant_is_not_mended_at_the_price_of_all_others() {
    let desk = Desk::new();
    // Sections of the year 2019 have version 0, and anything that is edited is written as the document has it.
    let before = sample("dragon", "variant-2019");
    desk.write("a.dragon", &before);
    let output = desk.run(&["check", "a.dragon", "--fix"]);
    assert!(desk.read("a.dragon") == before, "{}", stderr(&output));
}

#[test]
fn the_old_file_is_kept_and_never_overwritten() {
    let desk = Desk::new();
    let before = flag();
    desk.write("a.danmodel", &before);
    let output = desk.run(&["check", "a.danmodel", "--fix"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("a.danmodel.orig"), "{}", stderr(&output));
    let after = desk.read("a.danmodel");
    assert_eq!(after.len(), before.len());
    assert!(after != before);
    assert!(desk.read("a.danmodel.orig") == before);

    // The same file again: its copy is there already.
    desk.write("a.danmodel", &before);
    assert_eq!(code(&desk.run(&["check", "a.danmodel", "--fix"])), 0);
    assert_eq!(desk.names(), ["a.danmodel", "a.danmodel.orig"]);

    // Another one under the same name: both copies stay.
    desk.write("a.danmodel.orig", b"precious");
    desk.write("a.danmodel", &before);
    assert_eq!(code(&desk.run(&["check", "a.danmodel", "--fix"])), 0);
    assert_eq!(desk.read("a.danmodel.orig"), b"precious");
    assert!(desk.read("a.danmodel.orig.2") == before);

    desk.write("b.danmodel", &before);
    assert_eq!(code(&desk.run(&["check", "b.danmodel", "--fix", "--no-backup"])), 0);
    assert!(desk.read("b.danmodel") == after);
    assert_eq!(desk.names(), ["a.danmodel", "a.danmodel.orig", "a.danmodel.orig.2", "b.danmodel"]);
}

#[test]
fn a_dry_run_touches_nothing_and_says_what_it_would_do() {
    let desk = Desk::new();
    desk.write("a.danmodel", &flag());
    let output = desk.run(&["check", "a.danmodel", "--fix", "--dry-run"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("would mend 1 x DAN-014"), "{}", stderr(&output));
    assert!(desk.read("a.danmodel") == flag());
    assert_eq!(desk.names(), ["a.danmodel"]);
    assert_eq!(code(&desk.run(&["check", "a.danmodel", "--dry-run"])), 2, "there is nothing to try");
    assert_eq!(code(&desk.run(&["check", "a.danmodel", "--no-backup"])), 2);
    assert_eq!(code(&desk.run(&["check", "-", "--fix"])), 2);
    assert_eq!(code(&desk.run(&["check", "a.danmodel", "--fix=some"])), 2);
}

#[test]
fn a_file_whose_extension_is_of_no_or_another_format_stays_as_it_is() {
    let desk = Desk::new();
    let names = ["buffer.bin", "model", "model.stl", "notes.txt"];
    std::fs::create_dir(desk.path("models")).unwrap();
    for name in names {
        desk.write(name, &flag());
        desk.write(&format!("models/{name}"), &flag());
        let output = desk.run(&["check", name, "--fix=all"]);
        assert_eq!(code(&output), 0);
        assert!(stderr(&output).contains("not mended"), "{name}: {}", stderr(&output));
        assert!(desk.read(name) == flag(), "{name}");
    }
    // The buffer of a glTF that looks like an STL without facets, and a long tail.
    let buffer = [&[0; 84][..], &[0, 0, 0x80, 0x3F].repeat(1000)].concat();
    desk.write("models/0.bin", &buffer);
    desk.write("0.bin", &buffer);
    desk.run(&["check", "models", "0.bin", "--fix=all"]);
    for name in names {
        assert!(desk.read(&format!("models/{name}")) == flag(), "{name}");
    }
    assert!(desk.read("models/0.bin") == buffer);
    assert!(desk.read("0.bin") == buffer);
    assert!(!desk.names().iter().any(|name| name.ends_with(".orig")));
}

#[cfg(unix)]
#[test]
fn links_and_read_only_files_in_a_folder_stay_as_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = Desk::new();
    std::fs::create_dir(desk.path("models")).unwrap();
    desk.write("outside.danmodel", &flag());
    symlink("../outside.danmodel", desk.path("models/link.danmodel")).unwrap();
    desk.write("models/locked.danmodel", &flag());
    std::fs::set_permissions(desk.path("models/locked.danmodel"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let output = desk.run(&["check", "models", "--fix"]);
    assert_eq!(code(&output), 0);
    assert_eq!(stderr(&output).matches("not mended").count(), 2, "{}", stderr(&output));
    assert!(desk.read("outside.danmodel") == flag());
    assert!(desk.read("models/locked.danmodel") == flag());
    // Whoever names a link means the file behind it; the copy lies beside that.
    assert_eq!(code(&desk.run(&["check", "models/link.danmodel", "--fix"])), 0);
    assert!(desk.read("outside.danmodel") != flag());
    assert!(desk.read("outside.danmodel.orig") == flag());
    assert!(desk.path("models/link.danmodel").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_mended_does_not_stop_the_others() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    for folder in ["models", "models/locked"] {
        std::fs::create_dir(desk.path(folder)).unwrap();
    }
    desk.write("models/a.dgl3", b"DG");
    desk.write("models/locked/b.danmodel", &flag());
    desk.write("models/z.danmodel", &flag());
    let lock = |mode| {
        std::fs::set_permissions(desk.path("models/locked"), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    lock(0o555);
    // Whoever may do everything is not stopped by permissions.
    let stopped = std::fs::write(desk.path("models/locked/try"), b"").is_err();
    let output = desk.run(&["check", "models", "--fix"]);
    lock(0o755);
    assert_eq!(code(&output), if stopped { 2 } else { 1 }, "{}", stderr(&output));
    assert!(desk.read("models/z.danmodel") != flag());
    assert_eq!(desk.read("models/locked/b.danmodel") == flag(), stopped);
}
