//! Between a document and a scene.

use findings::{Error, Result};
use scene::Scene;

use super::document::Document;
use crate::{BridgeCx, Package};

pub(super) fn lift(_: &Document, _: &mut BridgeCx<'_>) -> Result<Scene> {
    Err(Error::usage("das2 cannot be converted by this version").with_help("info --quick, check, dump and hex can"))
}

pub(super) fn lower(_: &Scene, _: &mut BridgeCx<'_>) -> Result<Package<Document>> {
    Err(Error::usage("das2 cannot be written from other formats by this version"))
}
