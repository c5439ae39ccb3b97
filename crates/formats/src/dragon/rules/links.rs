//! References between sections, and to other files.

use std::collections::HashMap;

use findings::{Place, rule};

use super::super::external::Library;
use super::super::visit;
use super::{place, sections};
use crate::dragon::layout::body::{AniTrack, Body};
use crate::dragon::layout::guid::Guid;
use crate::dragon::layout::kind::Kind;
use crate::dragon::layout::{Document, Index};

/// Calls `each` with every reference of a file.
fn references(doc: &Document, mut each: impl FnMut(&dyn Fn() -> Place, Guid, Kind)) {
    each(&|| Place::path("header.meta.settings"), doc.header.settings, Kind::Settings);
    for (i, section) in sections(doc) {
        each(&|| place(i, "meta.settings"), section.settings, Kind::Settings);
        visit::references(&section.body, &mut |path, guid, kind| each(&|| place(i, &path()), guid, kind));
    }
}

rule! {
    /// ## What it finds
    /// A reference to a section that is neither in the file nor in the files that it names.
    ///
    /// ## Why it matters
    /// What it stands for is missing: a geometry without vertices, a mesh without its material.
    ///
    /// ## Example
    /// `vertex_buffer` of a GEOMETRY is the guid of no section.
    ///
    /// ## Fix
    /// Put the other file where ASSETREF says, or set the reference to zero.
    DRG_018 "DRG-018" "reference-dangling", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let index = doc.index();
        let mut library: Option<Library> = None;
        let source = cx.source();
        references(doc, |place, guid, kind| {
            let found = index.get(guid).map(|(_, section)| section.kind());
            if guid.is_none() || found.is_some_and(|found| found != Some(Kind::AssetRef)) {
                return;
            }
            let library = library.get_or_insert_with(|| Library::open(doc, source, cx.limits()));
            if found.is_none() && library.find(guid).is_none() {
                cx.report(place(), format!("no section is called {guid}; expected {}", kind.name()));
            } else if library.volume(guid).is_some() && library.first_of(guid, kind).is_none() {
                cx.report(place(), format!("the file that {guid} stands for has no {}", kind.name()));
            }
        });
    }
}

rule! {
    /// ## What it finds
    /// A reference to a section of the wrong kind. The guid of an ASSETREF stands for the first section of the right
    /// kind in that file.
    ///
    /// ## Why it matters
    /// It cannot be followed.
    ///
    /// ## Example
    /// `indice_buffer` of a GEOMETRY is the guid of a VERTEX section.
    ///
    /// ## Fix
    /// Set it to the guid of a section of the right kind.
    DRG_019 "DRG-019" "reference-kind", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let index = doc.index();
        references(doc, |place, guid, kind| match index.get(guid).map(|(_, section)| section.kind()) {
            Some(found) if found != Some(kind) && found != Some(Kind::AssetRef) => {
                let found = found.map_or("an unknown section", Kind::name);
                cx.report(place(), format!("expected {}, found {found}", kind.name()));
            }
            _ => {}
        });
    }
}

rule! {
    /// ## What it finds
    /// An ASSETREF whose file is missing, lies outside the folders that may be looked at, or cannot be read.
    ///
    /// ## Why it matters
    /// Sections that only that file has cannot be referred to.
    ///
    /// ## Example
    /// `reference` is `wheels.dragon`, and there is no such file beside this one.
    ///
    /// ## Fix
    /// Put the file there, or name its folder with `--search-path`.
    DRG_060 "DRG-060" "asset-file", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, why) in Library::open(doc, cx.source(), cx.limits()).faults {
            cx.report(place(i, "reference"), why);
        }
    }
}

/// Bones of the skeleton that a reference means, if it is in the file.
fn bones(index: &Index<'_>, skeleton: Guid) -> Option<usize> {
    match index.body(skeleton)? {
        Body::Skeleton(skeleton) => Some(skeleton.bones.len()),
        _ => None,
    }
}

fn bone_is_missing(bone: i32, bones: usize) -> bool {
    bone < -1 || usize::try_from(bone).is_ok_and(|bone| bone >= bones)
}

rule! {
    /// ## What it finds
    /// A SOCKET on a bone that its skeleton does not have. -1 stands for no bone.
    ///
    /// ## Why it matters
    /// Nothing can be attached there.
    ///
    /// ## Example
    /// `bone` is 7 where the skeleton has two bones.
    ///
    /// ## Fix
    /// Set it to a bone from 0 on, or to -1.
    DRG_047 "DRG-047" "socket-bone", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let index = doc.index();
        for (i, section) in sections(doc) {
            let Body::Socket(socket) = &section.body else { continue };
            if let Some(bones) = bones(&index, socket.skeleton).filter(|bones| bone_is_missing(socket.bone, *bones)) {
                cx.report(place(i, "bone"), format!("there is no bone {}; the skeleton has {bones}", socket.bone));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A track of a bone that the skeleton does not have. -1 stands for no bone.
    ///
    /// ## Why it matters
    /// The track moves nothing.
    ///
    /// ## Example
    /// `bone` is 7 where the skeleton has two bones.
    ///
    /// ## Fix
    /// Set it to a bone from 0 on, or to -1.
    DRG_049 "DRG-049" "track-bone", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let index = doc.index();
        for (i, section) in sections(doc) {
            let Body::Animate(animate) = &section.body else { continue };
            let bones = bones(&index, animate.skeleton);
            for (k, track) in animate.tracks.iter().enumerate() {
                // Without a skeleton in the file, only what no skeleton has can be told.
                if bone_is_missing(track.bone, bones.unwrap_or(usize::MAX)) {
                    let has = bones.map_or(String::new(), |bones| format!("; the skeleton has {bones}"));
                    let place = place(i, "tracks").nth(k).field("bone");
                    cx.report(place, format!("there is no bone {}{has}", track.bone));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A voxel whose colour is not in its palette.
    ///
    /// ## Why it matters
    /// It has no colour.
    ///
    /// ## Example
    /// `color_index` is 4 in a palette of four colours, which are 0 to 3.
    ///
    /// ## Fix
    /// Set it to a colour of the palette, or add the colour.
    DRG_048 "DRG-048" "voxel-color", stage: Links, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let index = doc.index();
        for (i, section) in sections(doc) {
            let Body::VoxelObj(object) = &section.body else { continue };
            let Some(Body::VoxelPlt(palette)) = index.body(object.voxel_palette) else { continue };
            let colors = palette.palette.len();
            let outside = |index: u32| index as usize >= colors;
            let mut bad = object.voxels.iter().enumerate().filter(|(_, voxel)| outside(voxel.color_index));
            if let Some((k, voxel)) = bad.next() {
                let message = format!("there is no colour {}; the palette has {colors}", voxel.color_index);
                cx.report_count(place(i, "voxels").nth(k).field("color_index"), 1 + bad.count() as u64, message);
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// Two tracks of one animation that move the same thing of the same bone.
    ///
    /// ## Why it matters
    /// Only the last one counts.
    ///
    /// ## Example
    /// Two tracks `POSITION` for bone 0.
    ///
    /// ## Fix
    /// Remove one of them.
    DRG_053 "DRG-053" "track-twice", stage: Links, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        let index = doc.index();
        for (i, section) in sections(doc) {
            let Body::Animate(animate) = &section.body else { continue };
            let mut seen: HashMap<(i32, Vec<u8>), usize> = HashMap::new();
            for (k, track) in animate.tracks.iter().enumerate().filter(|(_, track)| track.bone >= 0) {
                let Some(Body::AniTrack(AniTrack { target, .. })) = index.body(track.track) else { continue };
                if let Some(first) = seen.insert((track.bone, target.bytes().to_ascii_uppercase()), k) {
                    let target = findings::render::escape(&target.to_string()).into_owned();
                    let message = format!("tracks[{first}] moves \"{target}\" of bone {} too", track.bone);
                    cx.report(place(i, "tracks").nth(k), message);
                }
            }
        }
    }
}
