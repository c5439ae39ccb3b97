//! Ways to look at a document that several rules share.

use findings::{Checker, Place, RuleInfo};
use wire::{Space, Span};

use crate::LiftCx;
use crate::gltf::bridge;
use crate::gltf::data::{Data, Trouble};
use crate::gltf::extensions;
use crate::gltf::layout::Document;

/// Reports what lifting the document notices, as far as it belongs to the rule that asks.
pub(super) fn lift(doc: &Document, cx: &mut Checker<'_>) {
    let Some(rule) = cx.rule() else { return };
    let mut bridge = LiftCx { limits: cx.limits().clone(), ..LiftCx::new(cx.source()) };
    let lifted = bridge::lift(doc, &mut bridge);
    pass_on(bridge, rule, cx);
    if let Err(error) = lifted
        && is_same(error.rule(), rule)
    {
        cx.report(error.place().clone(), error.message());
    }
}

fn pass_on(bridge: LiftCx<'_>, rule: &RuleInfo, cx: &mut Checker<'_>) {
    bridge.findings.finish(&[]).into_iter().filter(|finding| is_same(finding.rule, rule)).for_each(|f| cx.add(f));
}

/// Reports what is wrong with the source that travels in the document.
pub(super) fn source(doc: &Document, cx: &mut Checker<'_>) {
    let Some(rule) = cx.rule() else { return };
    let mut bridge = LiftCx { limits: cx.limits().clone(), ..LiftCx::new(cx.source()) };
    bridge::carried(doc, &mut bridge);
    pass_on(bridge, rule, cx);
}

fn is_same(a: &RuleInfo, b: &RuleInfo) -> bool {
    a.id == b.id
}

fn report<T>(found: Result<T, Trouble>, cx: &mut Checker<'_>) {
    let Err(trouble) = found else { return };
    if cx.rule().is_some_and(|rule| is_same(rule, &trouble.rule.info)) && trouble.limit.is_none() {
        cx.report(trouble.place, trouble.message);
    }
}

/// Loads all buffers.
pub(super) fn buffers(doc: &Document, cx: &mut Checker<'_>) {
    let data = Data::new(doc, cx.source(), cx.limits().clone());
    (0..doc.root.buffers.len()).for_each(|i| report(data.buffer(i), cx));
}

/// Looks at all buffer views.
pub(super) fn views(doc: &Document, cx: &mut Checker<'_>) {
    let data = Data::new(doc, cx.source(), cx.limits().clone());
    (0..doc.root.buffer_views.len()).for_each(|i| report(data.view(i), cx));
}

/// Looks at all accessors.
pub(super) fn accessors(doc: &Document, cx: &mut Checker<'_>) {
    let data = Data::new(doc, cx.source(), cx.limits().clone());
    (0..doc.root.accessors.len()).for_each(|i| report(data.stream(i), cx));
}

/// Looks at the first bytes of all images that are there.
pub(super) fn images(doc: &Document, cx: &mut Checker<'_>) {
    let data = Data::new(doc, cx.source(), cx.limits().clone());
    for (i, image) in doc.root.images.iter().enumerate() {
        let Some(bytes) = data.image(image) else { continue };
        let used = |name: &str| doc.root.extensions_used.iter().any(|used| used == name);
        let allowed = extensions::image_kind(&bytes).is_some_and(|(extension, _)| used(extension.name));
        if !allowed && ops::images::kind(&bytes).is_none() {
            let field = if image.uri.is_some() { "uri" } else { "bufferView" };
            let start: Vec<String> = bytes.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            let message = format!("it starts with {}, which is neither PNG nor JPEG", start.join(" "));
            cx.report(Place::path("images").nth(i).field(field), message);
        }
    }
}

/// Where an element of an accessor is: its bytes, if they lie in the file or in one beside it.
pub(super) fn element(data: &Data<'_>, accessor: usize, element: usize) -> Place {
    let path = format!("accessors[{accessor}][{element}]");
    let view = data.root.accessors.get(accessor).and_then(|a| a.buffer_view);
    let place = || {
        let stream = data.stream(accessor).ok()?;
        let file = data.view(view?).ok()?.file;
        let encoding = stream.encoding();
        let at = stream.data().span();
        let offset = at.offset + (element * encoding.stride) as u64;
        let place = Place::bytes(&path, Span { offset, size: encoding.element_size() as u64, ..at });
        (at.space == Space::File).then_some(Place { file, ..place })
    };
    place().unwrap_or_else(|| Place::path(&path))
}
