use std::io::Write;

use flate2::{Compression, Decompress, FlushDecompress, Status};
use wire::Sink;

use super::{Room, Trouble};

pub(super) fn inflate(packed: &[u8], room: &mut Room) -> Result<Vec<u8>, Trouble> {
    let mut stream = Decompress::new(true);
    let mut out = Vec::new();
    loop {
        room.grow(&mut out)?;
        let used = stream.total_in() as usize;
        let before = out.len();
        let status = stream.decompress_vec(&packed[used..], &mut out, FlushDecompress::None);
        let now = stream.total_in() as usize;
        match status {
            Ok(Status::StreamEnd) if now < packed.len() => {
                return Err(Trouble::damaged(now, "bytes follow the end of the zlib stream"));
            }
            Ok(Status::StreamEnd) => {
                room.check(&out)?;
                return Ok(out);
            }
            Ok(_) if now == packed.len() && out.len() == before && out.len() < out.capacity() => {
                return Err(Trouble::damaged(now, "the zlib stream is cut short"));
            }
            Ok(_) => {}
            Err(_) => return Err(Trouble::damaged(now, "the zlib stream is damaged")),
        }
    }
}

pub(super) fn deflate(body: &Sink, level: u8) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::new(level.into()));
    for part in body.parts() {
        encoder.write_all(part)?;
    }
    encoder.finish()
}
