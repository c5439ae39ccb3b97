//! Same document, other dialect.

use findings::{Error, Result};

use super::document::Document;
use crate::BridgeCx;

pub(super) fn transcode(_: &mut Document, _: &mut BridgeCx<'_>) -> Result<()> {
    Err(Error::usage("das2 cannot be written by this version"))
}
