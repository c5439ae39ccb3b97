//! The way between a document and a scene.

use findings::{Error, Result};
use scene::Scene;

use super::layout::Document;
use crate::{BridgeCx, Package};

pub(super) fn lift(_: &Document, _: &mut BridgeCx<'_>) -> Result<Scene> {
    Err(Error::usage("DRAGON cannot be converted by this version"))
}

pub(super) fn lower(_: &Scene, _: &mut BridgeCx<'_>) -> Result<Package<Document>> {
    Err(Error::usage("DRAGON cannot be written from a scene by this version"))
}
