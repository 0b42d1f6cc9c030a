//! JSON of strangers, within a bound of memory.
//!
//! Duty: bytes to a value, or an error before it is made. The depth is bounded by the parser.

use serde_json::Value;

/// What an object takes, whatever it holds: its first node has room for eleven entries.
pub const OBJECT_BYTES: usize = 700;
/// What each value takes in the list or object that holds it, with the room that grows beside it.
pub const VALUE_BYTES: usize = 96;

/// Why a document was not read.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// It would take too much memory.
    #[error("it holds too many values")]
    TooLarge,
    /// It is no JSON.
    #[error("no JSON: {0}")]
    Syntax(#[from] serde_json::Error),
}

/// Reads `json` if it takes no more than `memory_max` bytes, about.
pub fn read_json(json: &[u8], memory_max: usize) -> Result<Value, JsonError> {
    if memory_of(json) > memory_max { Err(JsonError::TooLarge) } else { Ok(serde_json::from_slice(json)?) }
}

/// A text or number as a text.
pub fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The values of a list, or the one value: what may stand once or many times is read alike.
pub fn each(value: &Value) -> &[Value] {
    match value {
        Value::Array(values) => values,
        value => std::slice::from_ref(value),
    }
}

/// About what `json` takes once it is read.
pub fn memory_of(json: &[u8]) -> usize {
    let mut memory = VALUE_BYTES + json.len();
    let (mut in_text, mut is_escaped) = (false, false);
    for &byte in json {
        match (in_text, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (_, b'"') => in_text = !in_text,
            (false, b'{') => memory += OBJECT_BYTES,
            (false, b'[' | b',') => memory += VALUE_BYTES,
            _ => {}
        }
    }
    memory
}

#[cfg(test)]
mod tests {
    use super::{JsonError, memory_of, read_json};

    const MIB: usize = 1024 * 1024;

    #[test]
    fn what_grows_in_memory_is_refused_before_it_is_made() {
        for small in ["{},", "[],", "1,", "{\"a\":{}},", "\"\","] {
            let json = format!("[{}1]", small.repeat(MIB));
            assert!(matches!(read_json(json.as_bytes(), 32 * MIB), Err(JsonError::TooLarge)), "{small}");
        }
        let long = format!("[{}1]", format!("{{\"description\":\"{}\"}},", "[{,\\\"".repeat(1_000)).repeat(1_000));
        assert!(read_json(long.as_bytes(), 32 * MIB).is_ok(), "a text is a text");
    }

    #[test]
    fn deep_documents_are_no_json() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let json = open.repeat(100_000) + "1" + &close.repeat(100_000);
            assert!(matches!(read_json(json.as_bytes(), 1024 * MIB), Err(JsonError::Syntax(_))));
        }
    }

    #[test]
    fn the_estimate_knows_texts_from_structure() {
        assert_eq!(memory_of(b"[1,2]") - 5, memory_of(b"[\",\\\"{\",2]") - 10);
    }
}
