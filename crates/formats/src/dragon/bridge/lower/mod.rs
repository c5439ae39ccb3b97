//! Scene → document.

use findings::{Error, Result};
use scene::Scene;

use super::super::layout::Document;
use crate::{BridgeCx, Package};

pub(in super::super) fn lower(_: &Scene, _: &mut BridgeCx<'_>) -> Result<Package<Document>> {
    Err(Error::usage("DRAGON cannot be written from a scene by this version"))
}
