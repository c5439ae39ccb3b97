//! Document → bytes.

use findings::{Error, Result};
use wire::Sink;

use super::document::Document;

pub(super) fn write(_: &Document, _: &mut Sink) -> Result<()> {
    Err(Error::usage("das2 cannot be written by this version"))
}
