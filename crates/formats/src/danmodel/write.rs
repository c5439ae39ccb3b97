//! Document → bytes.

use findings::{Error, ErrorKind, Place, Result};
use wire::{Fault, Layout, Sink, Writer};

use super::layout::{Document, ORDER};
use super::rules::*;

pub(super) fn write(doc: &Document, out: &mut Sink) -> Result<()> {
    let mut model = Sink::default();
    let mut w = Writer::new(&mut model, ORDER);
    for (i, piece) in doc.pieces.iter().enumerate() {
        piece.write(&mut w, ()).map_err(|fault| too_large(fault.nth(i).inside("pieces")))?;
    }
    w.blob(&doc.slack);

    let mut header = doc.header.clone();
    let (piece_count, model_length) = (i32::try_from(doc.pieces.len()), i32::try_from(model.size()));
    let (Ok(piece_count), Ok(model_length)) = (piece_count, model_length) else {
        let message = format!("{} pieces of {} bytes; both must stay below 2^31", doc.pieces.len(), model.size());
        return Err(Error::new(ErrorKind::Unrepresentable, &DAN_026.info, Place::path("pieces"), message));
    };
    if (header.piece_count, header.model_length) != (piece_count, model_length) {
        let header = header.edit();
        (header.piece_count, header.model_length) = (piece_count, model_length);
    }
    header.write(&mut Writer::new(out, ORDER), doc.dialect).map_err(|fault| too_long(fault.inside("header")))?;
    out.append(model);
    out.blob(&doc.tail);
    Ok(())
}

fn too_long(fault: Fault) -> Error {
    Error::fault(&DAN_025.info, fault)
}

fn too_large(fault: Fault) -> Error {
    Error::fault(&DAN_026.info, fault)
}
