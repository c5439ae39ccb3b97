//! Bones and what moves them.

use findings::{Severity, rule};

use super::{place, sections};
use crate::dragon::layout::Document;
use crate::dragon::layout::body::{Body, Skeleton};
use crate::dragon::layout::words::RotationType;

/// Every skeleton and where it is.
fn skeletons(doc: &Document) -> impl Iterator<Item = (usize, &Skeleton)> {
    sections(doc).filter_map(|(i, section)| match &section.body {
        Body::Skeleton(skeleton) => Some((i, skeleton)),
        _ => None,
    })
}

fn parent(skeleton: &Skeleton, bone: usize) -> Option<usize> {
    usize::try_from(skeleton.bones[bone].parent).ok().filter(|parent| *parent < skeleton.bones.len())
}

rule! {
    /// ## What it finds
    /// A bone whose parent does not exist, or is the bone itself, directly or over others.
    ///
    /// ## Why it matters
    /// The bone hangs on nothing.
    ///
    /// ## Example
    /// `parent` is 7 in a skeleton of two bones.
    ///
    /// ## Fix
    /// Set it to another bone, or to -1.
    DRG_033 "DRG-033" "bone-parent", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, skeleton) in skeletons(doc) {
            let bones = skeleton.bones.len();
            for (k, bone) in skeleton.bones.iter().enumerate() {
                if bone.parent < -1 || usize::try_from(bone.parent).is_ok_and(|parent| parent >= bones) {
                    let message = format!("there is no bone {}; the skeleton has {bones}", bone.parent);
                    cx.report(place(i, "bones").nth(k).field("parent"), message);
                }
            }
            if let Some(k) = circle(skeleton) {
                let message = format!("bone {k} hangs on itself");
                cx.report(place(i, "bones").nth(k).field("parent"), message);
            }
        }
    }
}

/// The first bone of a circle.
fn circle(skeleton: &Skeleton) -> Option<usize> {
    // Which walk upwards met a bone; a walk that meets its own trace goes in a circle.
    let mut met = vec![usize::MAX; skeleton.bones.len()];
    (0..met.len()).find_map(|start| {
        let mut at = Some(start);
        while let Some(bone) = at.filter(|bone| met[*bone] == usize::MAX) {
            met[bone] = start;
            at = parent(skeleton, bone);
        }
        at.filter(|bone| met[*bone] == start)
    })
}

rule! {
    /// ## What it finds
    /// A bone that comes before its parent.
    ///
    /// ## Why it matters
    /// Nothing here; programs that go through bones once need parents first.
    ///
    /// ## Example
    /// `bones[0]` has the parent 1.
    ///
    /// ## Fix
    /// Sort the bones, and change whatever counts them.
    DRG_034 "DRG-034" "bone-order", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, skeleton) in skeletons(doc) {
            for k in 0..skeleton.bones.len() {
                if let Some(parent) = parent(skeleton, k).filter(|parent| *parent > k) {
                    cx.report(place(i, "bones").nth(k).field("parent"), format!("its parent {parent} comes later"));
                }
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A skeleton whose bones are matrices of 3 by 3.
    ///
    /// ## Why it matters
    /// The document stores no position beside a matrix, and such a matrix has none: all bones are in one place.
    ///
    /// ## Example
    /// `rotation_type` of a SKELETON is 3.
    ///
    /// ## Fix
    /// Store bones with quaternions, or as matrices of 4 by 4.
    DRG_035 "DRG-035" "bones-without-position", stage: Advice, severity: Info, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, skeleton) in skeletons(doc) {
            let bare = skeleton.bones.iter().any(|bone| bone.position.is_none());
            if skeleton.rotation_type == RotationType::MAT3 && bare {
                cx.report(place(i, "rotation_type"), "matrices of 3 by 3 leave no room for the places of bones");
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A track whose frames have no numbers, or whose numbers are no whole frames. A number of them that is unusual for
    /// what the track moves is a warning.
    ///
    /// ## Why it matters
    /// Nothing says which numbers belong together.
    ///
    /// ## Example
    /// `width` is 3, and there are eight numbers.
    ///
    /// ## Fix
    /// Correct the width, or write the track again.
    DRG_050 "DRG-050" "track-width", stage: Structure, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            let Body::AniTrack(track) = &section.body else { continue };
            let (width, numbers) = (usize::from(track.width), track.data.len());
            if width == 0 {
                cx.report(place(i, "width"), "a frame has no numbers");
            } else if !numbers.is_multiple_of(width) {
                cx.report(place(i, "width"), format!("{numbers} numbers are no whole frames of {width}"));
            } else if let Some(usual) = usual_widths(&track.target.to_string()).filter(|usual| !usual.contains(&track.width)) {
                let target = findings::render::escape(&track.target.to_string()).into_owned();
                let message = format!("a frame of {target} has {width} numbers; usual are {usual:?}");
                cx.report_as(Severity::Warning, place(i, "width"), message);
            }
        }
    }
}

/// How many numbers a frame may have, for targets that are known.
fn usual_widths(target: &str) -> Option<&'static [u8]> {
    let target = target.to_ascii_uppercase();
    Some(match target.as_str() {
        "POSITION" | "TRANSLATION" | "LOCATION" => &[3],
        "ROTATION" => &[3, 4, 9, 16],
        "SCALE" => &[1, 3],
        "TRANSFORM" | "MATRIX" => &[16],
        _ if target.starts_with("MORPH:") => &[1],
        _ => return None,
    })
}

rule! {
    /// ## What it finds
    /// A frame rate that is zero, negative, infinite or not a number.
    ///
    /// ## Why it matters
    /// Nothing says when a frame is.
    ///
    /// ## Example
    /// `framerate` is 0.
    ///
    /// ## Fix
    /// Set it to the frames per second.
    DRG_051 "DRG-051" "framerate", stage: Values, severity: Error, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            let Body::Animate(animate) = &section.body else { continue };
            let rate = animate.framerate.get();
            if !rate.is_finite() || rate <= 0. {
                cx.report(place(i, "framerate"), format!("{rate} frames per second"));
            }
        }
    }
}

rule! {
    /// ## What it finds
    /// A curve whose inner points lie before its start or behind its end.
    ///
    /// ## Why it matters
    /// It would be in two places at one time; the points are moved to the ends.
    ///
    /// ## Example
    /// `d1` is (-0.5, 0).
    ///
    /// ## Fix
    /// Keep the first numbers of d1 and d2 within 0 and 1.
    DRG_052 "DRG-052" "bezier-x", stage: Values, severity: Warning, since: "0.1",
    fn check(doc: &Document, cx: &mut Checker<'_>) {
        for (i, section) in sections(doc) {
            let Body::AniTrack(track) = &section.body else { continue };
            let Some(bezier) = &track.bezier else { continue };
            for (field, [x, _]) in [("d1", bezier.d1), ("d2", bezier.d2)] {
                if x.get() < 0. || x.get() > 1. {
                    cx.report(place(i, field), format!("its first number is {}, expected 0 to 1", x.get()));
                }
            }
        }
    }
}
