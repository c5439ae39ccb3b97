//! The same document in another byte order, or in the canonical layout.

use findings::{Error, Finding, Place, Result, Severity};
use scene::loss::LOSS_070;
use wire::Order;

use super::dialect::Dialect;
use super::rules::DRG_023;
use crate::dragon::layout::Document;
use crate::dragon::layout::body::Body;
use crate::restore::Three;
use crate::{Document as _, Format as _, LiftCx, LowerCx};

/// Options that change transforms or keys, which only the scene knows how to do.
const OF_THE_SCENE: [&str; 3] = ["target-up", "fps", "tolerance"];

/// The byte order that an option asks for.
///
/// # Errors
/// If it is neither `little` nor `big`.
pub(super) fn endian(cx: &LowerCx<'_>) -> Result<Option<Order>> {
    match cx.options.get("endian") {
        None => Ok(None),
        Some("little") => Ok(Some(Order::Little)),
        Some("big") => Ok(Some(Order::Big)),
        Some(other) => {
            let message = format!("--endian {other} is no byte order");
            Err(Error::usage(message).with_help("it is little or big"))
        }
    }
}

pub(super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    let dialect = Dialect::named(cx.dialect)?;
    let order = endian(cx)?.unwrap_or(doc.order);
    let anew = OF_THE_SCENE.iter().any(|option| cx.options.get(option).is_some());
    let variants = doc.variants();
    if !anew && order == doc.order && (variants.is_empty() || dialect == Dialect::Variant) {
        return Ok(());
    }
    if !variants.is_empty() {
        let message = format!("was in another layout ({}); it is written canonically", variants.join(" "));
        let mut finding = Finding::new(&DRG_023.info, Place::path("header"), message);
        finding.severity = Severity::Info;
        cx.findings.add(finding);
    }
    if anew {
        return by_scene(doc, order, cx);
    }
    if order != doc.order {
        for (i, section) in doc.sections.iter().enumerate() {
            let opaque = match &section.body {
                Body::Unknown(unknown) => &unknown.bytes,
                Body::Broken(broken) => &broken.bytes,
                Body::Null(bytes) => bytes,
                _ => continue,
            };
            if !opaque.is_empty() {
                let why = "nothing says where its numbers are";
                cx.lose(&LOSS_070, format!("sections[{i}]"), 1, "the bytes stay in the old byte order", why);
            }
        }
    }
    doc.forget_raw();
    doc.order = order;
    doc.form.order = order;
    Ok(())
}

/// Does what only the scene knows how to do. What that leaves alone stays as it is.
fn by_scene(doc: &mut Document, order: Order, cx: &mut LowerCx<'_>) -> Result<()> {
    let reading = |limits| LiftCx { travels: true, limits, ..LiftCx::new(cx.source) };
    let mut lifting = reading(cx.limits.clone());
    let lifted = super::bridge::lift(doc, &mut lifting)?;
    let mut again = reading(cx.limits.fork());
    cx.losses.extend(lifting.losses);
    let fitted = fit::fit(&lifted, &super::Dragon::INFO.target(), &cx.limits, &mut cx.losses)?;
    let ours = super::bridge::lower(&fitted, cx)?.document;
    let plain = OF_THE_SCENE.iter().fold(cx.options.clone(), |options, name| options.without(name));
    let (textures, limits) = (cx.textures, cx.limits.fork());
    let mut unchanged = LowerCx { options: &plain, textures, limits, ..LowerCx::new(cx.source, cx.dialect) };
    let base = super::bridge::lower(&fitted, &mut unchanged)?.document;
    let mut origin = doc.clone();
    if order != origin.order || !origin.variants().is_empty() {
        origin.forget_raw();
        (origin.order, origin.form.order) = (order, order);
    }
    let merged = super::units::merge(Three { origin: &origin, base: &base, ours: &ours });
    *doc = merged.map_or(ours, |merged| merged.document);
    super::bridge::lift(doc, &mut again)?;
    cx.losses.leave_out_repeated(&again.losses);
    Ok(())
}
