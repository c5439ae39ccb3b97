//! Images: the smallest JPEG of one grey pixel.

use crate::bytes::Bytes;

/// One grey pixel: a block whose only number is zero, and both tables have one code, a single bit 0.
pub(crate) fn jpeg() -> Vec<u8> {
    let mut file = Bytes::default();
    file.raw(&[0xFF, 0xD8]);
    segment(&mut file, 0xDB, &[&[0][..], &[1; 64]].concat());
    // Eight bits, one row, one column, one component without subsampling that uses table 0.
    segment(&mut file, 0xC0, &[8, 0, 1, 0, 1, 1, 1, 0x11, 0]);
    for table in [0x00, 0x10] {
        segment(&mut file, 0xC4, &[&[table, 1][..], &[0; 15], &[0]].concat());
    }
    segment(&mut file, 0xDA, &[1, 1, 0, 0, 63, 0]);
    // No difference, end of block, and ones to the end of the byte.
    file.raw(&[0b0011_1111, 0xFF, 0xD9]).done()
}

fn segment(file: &mut Bytes, marker: u8, data: &[u8]) {
    file.raw(&[0xFF, marker]).be(data.len() as u16 + 2).raw(data);
}
