//! Images: the smallest PNG that every program opens.

use crate::bytes::Bytes;

/// An image of three bytes per pixel, row by row from the top.
pub fn png(width: u32, pixels: &[[u8; 3]]) -> Vec<u8> {
    let rows = pixels.chunks(width as usize);
    let mut header = Bytes::default();
    // Eight bits per channel, red green blue; compression, filters and interlacing have one value each.
    header.be(width).be(rows.len() as u32).raw(&[8, 2, 0, 0, 0]);
    // Each row is preceded by its filter: none.
    let image: Vec<u8> = rows.flat_map(|row| [&[0][..], row.as_flattened()].concat()).collect();
    let mut file = Bytes::default();
    file.raw(b"\x89PNG\r\n\x1A\n");
    chunk(&mut file, b"IHDR", &header.done());
    chunk(&mut file, b"IDAT", &stored(&image));
    chunk(&mut file, b"IEND", &[]);
    file.done()
}

pub(crate) fn chunk(file: &mut Bytes, kind: &[u8; 4], data: &[u8]) {
    let body = [kind, data].concat();
    file.be(data.len() as u32).raw(&body).be(crc(&body));
}

/// A zlib stream of one block that is not compressed.
fn stored(data: &[u8]) -> Vec<u8> {
    let size = data.len() as u16;
    Bytes::default().raw(&[0x78, 0x01, 1]).le(size).le(!size).raw(data).be(adler(data)).done()
}

/// CRC-32 as PNG has it, bit by bit.
fn crc(data: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
    !data.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

fn adler(data: &[u8]) -> u32 {
    let (a, b) = data.iter().fold((1, 0), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sums_are_those_of_the_standards() {
        // The values that RFC 1950 and the PNG document are tested with everywhere.
        assert_eq!(crc(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc(b"IEND"), 0xAE42_6082);
        assert_eq!(adler(b"Wikipedia"), 0x11E6_0398);
    }
}
