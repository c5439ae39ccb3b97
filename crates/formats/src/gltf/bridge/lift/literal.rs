//! A dictionary as Python prints it. Blender keeps custom properties in its own types, and what those cannot hold (lists
//! of different types, nothing) it writes back as such a text.

use crate::gltf::schema::{Json, Map};

/// Nothing of pentad's is nested as deep.
const MAX_DEPTH: usize = 64;

/// The JSON that a text of Python says, if it is all of it.
pub(super) fn read(text: &str) -> Option<Json> {
    let mut reader = Reader { rest: text };
    let value = reader.value(MAX_DEPTH)?;
    reader.rest.trim_start().is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Json> {
        let depth = depth.checked_sub(1)?;
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '{' => self.object(depth).map(Json::Object),
            '[' => self.list(depth).map(Json::Array),
            '\'' | '"' => self.text().map(Json::String),
            _ => self.word(),
        }
    }

    /// Takes a sign, if it is next.
    fn take(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the comma between items, or the end of them.
    fn more(&mut self, end: char) -> Option<bool> {
        match self.take(',') {
            true => Some(true),
            false => self.take(end).then_some(false),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Map<String, Json>> {
        let mut all = Map::new();
        let mut more = self.take('{') && !self.take('}');
        while more {
            self.rest = self.rest.trim_start();
            let key = self.text()?;
            let value = self.take(':').then(|| self.value(depth))??;
            all.insert(key, value);
            more = self.more('}')?;
        }
        Some(all)
    }

    fn list(&mut self, depth: usize) -> Option<Vec<Json>> {
        let mut all = Vec::new();
        let mut more = self.take('[') && !self.take(']');
        while more {
            all.push(self.value(depth)?);
            more = self.more(']')?;
        }
        Some(all)
    }

    fn text(&mut self) -> Option<String> {
        let quote = self.rest.chars().next().filter(|sign| matches!(sign, '\'' | '"'))?;
        let mut chars = self.rest[1..].chars();
        let mut text = String::new();
        loop {
            match chars.next()? {
                '\\' => text.push(escaped(&mut chars)?),
                sign if sign == quote => break,
                sign => text.push(sign),
            }
        }
        self.rest = chars.as_str();
        Some(text)
    }

    fn word(&mut self) -> Option<Json> {
        let end = self.rest.find([',', ']', '}', ':', ' ']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "None" => Some(Json::Null),
            "True" => Some(Json::Bool(true)),
            "False" => Some(Json::Bool(false)),
            number => serde_json::from_str(number).ok().filter(Json::is_number),
        }
    }
}

/// What stands behind a backslash.
fn escaped(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let digits = match chars.next()? {
        'n' => return Some('\n'),
        'r' => return Some('\r'),
        't' => return Some('\t'),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        sign => return Some(sign),
    };
    let code: Option<u32> = (0..digits).try_fold(0, |code, _| Some(code * 16 + chars.next()?.to_digit(16)?));
    char::from_u32(code?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_python_prints_is_read() {
        let text = r#"{'properties': [['int', -7], ['float', {'f32': 0.1}], ['kürzel', "it's"], ['e', 1e-05]],
            'filters': ['nearest', None], 'empty': {}, 'none': [], 'flags': [True, False],
            'path': 'textures\\scales.png', 'odd': 'a\'b\n\x01\u200b\U0001f600"'}"#;
        let expected = json!({
            "properties": [["int", -7], ["float", { "f32": 0.1 }], ["kürzel", "it's"], ["e", 1e-5]],
            "filters": ["nearest", null], "empty": {}, "none": [], "flags": [true, false],
            "path": "textures\\scales.png", "odd": "a'b\n\u{1}\u{200b}\u{1f600}\"",
        });
        assert_eq!(read(text), Some(expected));
    }

    #[test]
    fn nothing_else_is() {
        let broken = [
            "",
            "{",
            "{'a'}",
            "{'a': }",
            "{'a': 1",
            "{'a': 1} x",
            "{'a': 1,, }",
            "['a",
            "'\\",
            "'\\x1",
            "inf",
            "{a: 1}",
            "[1 2]",
            "\"\\ud800\"",
            "-",
        ];
        for text in broken.iter().map(|text| (*text).to_owned()).chain(["[".repeat(100_000)]) {
            assert_eq!(read(&text), None, "{}", text.chars().take(20).collect::<String>());
        }
    }
}
