//! The zstd library itself.

use std::io::{self, Write};

use wire::Sink;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

use super::{Codec, MAX_WINDOW_LOG, Room, Trouble};

pub(super) struct Native(Decoder<'static>);

impl Codec for Native {
    fn new() -> Result<Native, Trouble> {
        let start = || {
            let mut decoder = Decoder::new()?;
            decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))?;
            Ok(decoder)
        };
        start().map(Native).map_err(|error: io::Error| Trouble::damaged(0, error.to_string()))
    }

    fn inflate(&mut self, packed: &[u8], out: &mut Vec<u8>, room: &mut Room) -> Result<usize, Trouble> {
        self.0.reinit().map_err(|error| Trouble::damaged(0, error.to_string()))?;
        let mut input = InBuffer::around(packed);
        loop {
            room.grow(out)?;
            let before = (input.pos(), out.len());
            let hint = self.0.run(&mut input, &mut OutBuffer::around_pos(out, before.1));
            match hint {
                Ok(0) => {
                    room.check(out)?;
                    return Ok(input.pos());
                }
                Ok(_) if (input.pos(), out.len()) == before => {
                    return Err(Trouble::damaged(input.pos(), "the zstd frame is cut short"));
                }
                Ok(_) => {}
                Err(error) => {
                    return Err(Trouble::damaged(input.pos(), format!("the zstd frame is damaged: {error}")));
                }
            }
        }
    }

    fn deflate(body: &Sink, level: u8) -> io::Result<Vec<u8>> {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), level.into())?;
        encoder.set_pledged_src_size(Some(body.size()))?;
        for part in body.parts() {
            encoder.write_all(part)?;
        }
        encoder.finish()
    }
}
