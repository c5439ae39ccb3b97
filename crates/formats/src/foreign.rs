//! Kinds of files that share an extension with a format and have nothing else to do with it.

/// An extension, what else uses it, and how to tell.
type Kind = (&'static str, &'static str, fn(&[u8]) -> bool);

static KINDS: &[Kind] = &[
    ("mat", "YAML, as Unity writes materials", |file| file.starts_with(b"%YAML") || file.starts_with(b"--- ")),
    ("mat", "MATLAB data", |file| file.starts_with(b"MATLAB ") && contains(file, b"MAT-file")),
    ("obj", "a COFF object file", is_coff),
    ("obj", "an ELF object file", |file| file.starts_with(b"\x7FELF")),
    ("obj", "a Mach-O object file", |file| MACH_O.iter().any(|mark| file.starts_with(mark))),
    ("obj", "LLVM bitcode", |file| file.starts_with(b"BC\xC0\xDE")),
    // A disk format code of three digits comes first.
    ("stl", "EBU subtitles", |file| file.get(3..6) == Some(b"STL") && file.get(8..11) == Some(b".01")),
];

const MACH_O: [&[u8]; 4] = [b"\xFE\xED\xFA\xCE", b"\xFE\xED\xFA\xCF", b"\xCE\xFA\xED\xFE", b"\xCF\xFA\xED\xFE"];

/// x86, x86-64, ARM, ARM Thumb-2 and ARM64.
const COFF_MACHINES: [u16; 5] = [0x014C, 0x8664, 0x01C0, 0x01C4, 0xAA64];

/// How much of a text is looked at.
const PROBED: usize = 128;

fn contains(file: &[u8], word: &[u8]) -> bool {
    file[..file.len().min(PROBED)].windows(word.len()).any(|part| part == word)
}

/// COFF has no mark but its machine; an object file, unlike a program, has no optional header. Those with many sections
/// begin with 0, FFFF, a version, and then the machine.
fn is_coff(file: &[u8]) -> bool {
    let field = |at: usize| Some(u16::from_le_bytes([*file.get(at)?, *file.get(at + 1)?]));
    let machine = |at: usize| field(at).is_some_and(|machine| COFF_MACHINES.contains(&machine));
    (machine(0) && field(16) == Some(0)) || (file.starts_with(b"\0\0\xFF\xFF") && machine(6))
}

/// What a file with this extension is, if it is known to be something else than the format of the extension.
pub fn foreign(file: &[u8], extension: &str) -> Option<&'static str> {
    let of_extension = KINDS.iter().filter(|(own, ..)| own.eq_ignore_ascii_case(extension));
    of_extension.into_iter().find(|(.., is)| is(file)).map(|(_, kind, _)| *kind)
}
