//! Where the values of the JSON are: a map of its text, one level at a time.
//!
//! The text is one field of the file; what is inside is shown and found beside it, and owns no bytes.

use wire::{Blob, Node, Value};

/// The properties of the root, each with everything below it.
pub(super) fn map(text: &Blob) -> Vec<Node> {
    let start = skip_space(text, text.iter().position(|&byte| byte == b'{').unwrap_or(text.len()));
    children(&text.slice(start..))
}

/// What an object or array holds.
fn children(text: &Blob) -> Vec<Node> {
    let mut nodes = Vec::new();
    let object = text.first() == Some(&b'{');
    let mut at = skip_space(text, 1);
    while at < text.len() && !matches!(text[at], b'}' | b']') {
        let mut name = format!("[{}]", nodes.len());
        if object {
            let end = skip_value(text, at);
            name = serde_json::from_slice(&text[at..end]).unwrap_or_default();
            at = skip_space(text, skip_space(text, end) + 1);
        }
        let end = skip_value(text, at);
        if end <= at || end > text.len() {
            break;
        }
        nodes.push(node(name, text.slice(at..end)));
        at = skip_space(text, end);
        if text[..].get(at) == Some(&b',') {
            at = skip_space(text, at + 1);
        }
    }
    nodes
}

fn node(name: String, text: Blob) -> Node {
    let span = text.span();
    let leaf = |ty: &str, value: Value| Node::leaf(&name, ty, span).with_value(value).sharing();
    match text.first() {
        Some(b'{') => Node::lazy(name, "object", span, move || Ok(children(&text))).sharing(),
        Some(b'[') => Node::lazy(name, "array", span, move || Ok(children(&text))).sharing(),
        Some(b'"') => leaf("string", Value::Text(text.slice(1..text.len().max(2) - 1))),
        Some(b't' | b'f') => leaf("boolean", Value::Text(text)),
        Some(b'n') => leaf("null", Value::Text(text)),
        _ => leaf("number", number(&text)),
    }
}

fn number(text: &Blob) -> Value {
    let digits = std::str::from_utf8(text).unwrap_or_default();
    let whole = digits.parse().map(Value::Unsigned).or_else(|_| digits.parse().map(Value::Signed));
    whole.ok().or_else(|| digits.parse().ok().map(Value::F64)).unwrap_or_else(|| Value::Text(text.clone()))
}

fn skip_space(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The end of the value that starts here.
fn skip_value(text: &[u8], from: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = from;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => at = skip_string(text, at),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                if depth == 0 {
                    return at;
                }
                depth -= 1;
                at += 1;
            }
            b',' | b':' if depth == 0 => return at,
            byte if depth == 0 && byte.is_ascii_whitespace() => return at,
            _ => {
                at += 1;
                continue;
            }
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn skip_string(text: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_paths() {
        let text = r#" { "a" : [ 1 , {"b\"]" : "x, }" , "c":[ ]} , -2.5e3 ] ,"d":null,"e":{"f":true}}  "#;
        let tree = map(&Blob::file(text.as_bytes().to_vec()));
        let found = |path: &str| {
            let span = wire::find(&tree, path)?.span;
            text.get(span.offset as usize..span.end() as usize)
        };
        assert_eq!(found("a[0]"), Some("1"));
        assert_eq!(found("a[1]"), Some(r#"{"b\"]" : "x, }" , "c":[ ]}"#));
        assert_eq!(found("a[1].c"), Some("[ ]"));
        assert_eq!(found("a[2]"), Some("-2.5e3"));
        assert_eq!(found("d"), Some("null"));
        assert_eq!(found("e.f"), Some("true"));
        assert_eq!(found("e.g"), None);
        assert_eq!(found("a[3]"), None);
    }

    #[test]
    fn broken_text_ends_the_map() {
        for text in ["", "{", "{\"a\"", "{\"a\":", "{\"a\":[1,", "{\"a\":\"\\", "[1", "{,}", "{\"a\" 1}"] {
            for size in 0..=text.len() {
                for node in map(&Blob::file(text.as_bytes()[..size].to_vec())) {
                    node.children().unwrap();
                }
            }
        }
    }
}
