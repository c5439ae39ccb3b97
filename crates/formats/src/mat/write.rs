//! Document → bytes: the tokens, one behind the other.

use findings::Result;
use wire::Sink;

use super::layout::{Document, not_a_value};
use super::lex;

pub(super) fn write(doc: &Document, out: &mut Sink) -> Result<()> {
    let mut from = 0;
    for (token, text) in doc.edited() {
        if lex::value_kind(text).is_none() && !lex::is_name(text) {
            return Err(not_a_value("a token", &String::from_utf8_lossy(text)));
        }
        let range = doc.tokens()[token].range.clone();
        out.blob(&doc.source().slice(from..range.start));
        out.blob(text);
        from = range.end;
    }
    out.blob(&doc.source().slice(from..));
    Ok(())
}
