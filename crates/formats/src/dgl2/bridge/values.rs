//! Values of DML and of properties: what a text says has no type, a property of a scene has one.

use scene::{Name, Value};

/// A number with as many digits as it takes, and a point, as the exporter writes it.
pub(super) fn float(value: f32) -> String {
    format!("{value:?}")
}

/// Numbers between brackets.
pub(super) fn vector(values: &[f32]) -> String {
    let items: Vec<String> = values.iter().map(|value| float(*value)).collect();
    format!("[{}]", items.join(", "))
}

/// A property of any type as the text of a DML value.
pub(super) fn words(value: &Value) -> Option<Vec<u8>> {
    let text = match value {
        Value::Text(text) => return Some(text.bytes().to_vec()),
        Value::Bool(set) => set.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Uint(n) => n.to_string(),
        Value::F32(n) => float(*n),
        Value::F64(n) => format!("{n:?}"),
        Value::List(items) => {
            let numbers: Option<Vec<String>> =
                items.iter().map(|item| item.as_f64().map(|_| words(item)).map(to_text)).collect();
            format!("[{}]", numbers?.join(", "))
        }
        Value::Null | Value::Bytes(_) | Value::Map(_) => return None,
    };
    Some(text.into_bytes())
}

fn to_text(words: Option<Vec<u8>>) -> String {
    String::from_utf8(words.unwrap_or_default()).unwrap_or_default()
}

/// What kind of value it is.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "truth value",
        Value::Int(_) | Value::Uint(_) | Value::F32(_) | Value::F64(_) => "number",
        Value::List(_) => "vector",
        _ => "text",
    }
}

/// What a value says, if that says it in the same words again; texts have no types.
pub(super) fn typed(said: &[u8]) -> Value {
    let text = || Value::Text(Name::from(said));
    let Ok(word) = std::str::from_utf8(said) else { return text() };
    let same = |value: &Value| words(value).as_deref() == Some(said);
    let vector = || {
        let items = word.strip_prefix('[')?.strip_suffix(']')?.split(", ").map(number);
        items.collect::<Option<_>>().map(Value::List)
    };
    let found = match word {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => number(word).or_else(vector),
    };
    found.filter(same).unwrap_or_else(text)
}

fn number(word: &str) -> Option<Value> {
    let int = || word.parse().ok().map(Value::Int);
    let uint = || word.parse().ok().map(Value::Uint);
    let float = || word.parse().ok().filter(|v: &f64| v.is_finite()).map(Value::F64);
    int().or_else(uint).or_else(float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_type_that_says_them_in_the_same_words() {
        let numbers = |list: &[f64]| Value::List(list.iter().map(|v| Value::F64(*v)).collect());
        for (said, value) in [
            ("5", Value::Int(5)),
            ("-5", Value::Int(-5)),
            ("18446744073709551615", Value::Uint(u64::MAX)),
            ("2.5", Value::F64(2.5)),
            ("1.0", Value::F64(1.)),
            ("1e300", Value::F64(1e300)),
            ("true", Value::Bool(true)),
            ("[4.0, 0.0, 1.0]", numbers(&[4., 0., 1.])),
            ("[1, 2]", Value::List(vec![Value::Int(1), Value::Int(2)])),
        ] {
            assert_eq!(typed(said.as_bytes()), value, "{said}");
        }
        for text in ["", "007", "1.50", "+1", "NaN", "inf", "4.4e-08", "[1,2]", "[]", "[a]", "yes", "red", "1, 2"] {
            assert_eq!(typed(text.as_bytes()), Value::from(text), "{text}");
        }
    }
}
