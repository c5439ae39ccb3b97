//! Files that share an extension with a format and are something else, written from the documents of their own kinds.

/// A name, a word that says what it is, and the recipe.
pub type Foreign = (&'static str, &'static str, fn() -> Vec<u8>);

/// One of each kind.
pub const FILES: &[Foreign] = &[
    ("unity.mat", "Unity", || {
        b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n  serializedVersion: 6\n  m_Name: Wood\n"
            .to_vec()
    }),
    ("data.mat", "MATLAB", || matlab("MATLAB 5.0 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024")),
    ("new.mat", "MATLAB", || matlab("MATLAB 7.3 MAT-file, Platform: GLNXA64, Created on: Mon Jan  1 00:00:00 2024")),
    // Machine, sections, time, symbols (12 bytes), no optional header, flags; then a section.
    ("main.obj", "COFF", || [&b"\x64\x86\x01\x00"[..], &[7; 12], &[0; 4], b".text\0\0\0", &[0; 40]].concat()),
    ("old.obj", "COFF", || [&b"\x4C\x01\x02\x00"[..], &[7; 12], &[0; 4], b".text\0\0\0", &[0; 40]].concat()),
    // A file of many sections: 0, FFFF, version 2, machine.
    ("big.obj", "COFF", || [&b"\0\0\xFF\xFF\x02\x00\x64\x86"[..], &[9; 48]].concat()),
    ("linux.obj", "ELF", || [&b"\x7FELF\x02\x01\x01"[..], &[0; 57]].concat()),
    ("mac.obj", "Mach-O", || [&b"\xCF\xFA\xED\xFE"[..], &[1; 60]].concat()),
    // Code page, disk format, and the rest of a block of 1024 bytes.
    ("film.stl", "subtitles", || [&b"850STL25.01"[..], &[b' '; 1013]].concat()),
];

/// A text of 116 bytes, eight bytes of an offset, a version, and the mark of the byte order.
fn matlab(text: &str) -> Vec<u8> {
    let mut file = text.as_bytes().to_vec();
    file.resize(116, b' ');
    file.extend([0; 8]);
    file.extend(b"\x00\x01IM");
    file.extend([0; 64]);
    file
}
