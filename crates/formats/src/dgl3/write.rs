//! Document → bytes.

use findings::{Error, ErrorKind, Place, Result};
use wire::{Fault, FaultKind, Layout, Sink, Writer};

use super::layout::{Document, ORDER};
use super::rules::*;

pub(super) fn write(doc: &Document, out: &mut Sink) -> Result<()> {
    let mut header = doc.header.clone();
    let counts = [
        count("meshes", doc.meshes.len())?,
        count("entities", doc.entities.len())?,
        // A number of lights that are not there is kept: it is what the file says.
        if doc.lights_missing() { doc.header.num_lights } else { count("lights", doc.lights.len())? },
    ];
    if [header.num_meshes, header.num_entities, header.num_lights] != counts {
        let header = header.edit();
        [header.num_meshes, header.num_entities, header.num_lights] = counts;
    }
    let mut w = Writer::new(out, ORDER);
    header.write(&mut w, ()).map_err(|fault| error(fault.inside("header")))?;
    for (i, mesh) in doc.meshes.iter().enumerate() {
        mesh.write(&mut w, ()).map_err(|fault| error(fault.nth(i).inside("meshes")))?;
    }
    for (i, entity) in doc.entities.iter().enumerate() {
        entity.write(&mut w, doc.dialect).map_err(|fault| error(fault.nth(i).inside("entities")))?;
    }
    for (i, light) in doc.lights.iter().enumerate() {
        light.write(&mut w, ()).map_err(|fault| error(fault.nth(i).inside("lights")))?;
    }
    w.blob(&doc.tail);
    Ok(())
}

fn count(what: &str, len: usize) -> Result<i32> {
    i32::try_from(len).map_err(|_| {
        let message = format!("{len} {what}; a file holds at most {}", i32::MAX);
        Error::new(ErrorKind::Unrepresentable, &DGL3_037.info, Place::path(what), message)
    })
}

fn error(fault: Fault) -> Error {
    match fault.kind() {
        FaultKind::TooLong { .. } if fault.path().ends_with("_size") => Error::fault(&DGL3_036.info, fault),
        _ => Error::fault(&DGL3_037.info, fault),
    }
}
