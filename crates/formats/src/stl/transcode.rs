//! The same document in the other dialect.

use findings::Result;
use scene::loss::LOSS_016;

use super::colors::words;
use super::compose::{self, Body, is_plain, lose_facets, lose_names, lose_tail, lose_words, new_header};
use super::dialect::Dialect;
use super::geometry::triangles;
use super::layout::Document;
use crate::LowerCx;

pub(super) fn transcode(doc: &mut Document, cx: &mut LowerCx<'_>) -> Result<()> {
    *doc = match (&*doc, Dialect::named(cx.dialect)?) {
        (Document::Binary(binary), Dialect::Ascii) => {
            lose_tail(binary, &mut cx.losses);
            lose_words(words(binary).iter().filter(|&&word| word != 0).count(), cx);
            if !is_plain(&binary.header) {
                cx.lose(&LOSS_016, "file", 1, "header", "a text has none");
            }
            let body = Body { name: Vec::new(), triangles: triangles(binary), words: Vec::new() };
            Document::Ascii(compose::ascii(&[body]))
        }
        (Document::Ascii(ascii), Dialect::Binary) => {
            lose_facets(ascii, &mut cx.losses);
            let model = ascii.model();
            let names: Vec<&[u8]> = model.solids.iter().map(|solid| &ascii.source()[solid.name.clone()]).collect();
            lose_names(names.into_iter(), cx);
            let words = vec![0; model.facets.len() * 2];
            let body = Body { name: Vec::new(), triangles: model.facets.clone(), words };
            Document::Binary(compose::binary(new_header(), &[body])?)
        }
        _ => return Ok(()),
    };
    Ok(())
}
