//! Reads the JSON of a request body (decision 2.6).
//!
//! A key that is given twice in one object is refused: parsers disagree about which of the two values counts, and the
//! customer pays for the result.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Characters of a key that an error quotes.
const QUOTED_MAX: usize = 60;

/// The one value in `text`.
///
/// # Errors
/// What is wrong with the text and where, as the end of a sentence.
pub fn parse(text: &[u8]) -> Result<Value, String> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = Strict.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| format!("is not valid JSON: {error}"))
}

/// Reads any value; the parser below it bounds the depth.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element_seed(Strict)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                let quoted: String = key.chars().take(QUOTED_MAX).collect();
                return Err(A::Error::custom(format_args!("the key '{quoted}' is given twice")));
            }
            object.insert(key, entries.next_value_seed(Strict)?);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::parse;

    #[test]
    fn decision_2_6_what_is_no_json_is_refused() {
        let opened = "[".repeat(100_000);
        let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let nested_objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        let digits = "9".repeat(400);
        for (body, reason) in [
            (&b""[..], "EOF"),
            (b" ", "EOF"),
            (b"{", "EOF"),
            (b"{} {}", "trailing characters"),
            (b"{}x", "trailing characters"),
            (b"{\"a\":1,}", "trailing comma"),
            (b"{\"a\":\0}", "expected value"),
            (b"{\"a\":\"\0\"}", "control character"),
            (b"\xef\xbb\xbf{}", "expected value"),
            (b"{\"a\":\"\xff\"}", "invalid unicode"),
            (b"{\"\xc3\x28\":1}", "invalid unicode"),
            (b"{\"a\":\"\\ud800\"}", "hex escape"),
            (b"{\"a\":\"\\udc00\"}", "surrogate"),
            (b"{\"a\":\"\\ud800\\u0041\"}", "surrogate"),
            (b"{\"a\":1e999}", "number out of range"),
            (b"{\"a\":NaN}", "expected value"),
            (digits.as_bytes(), "number out of range"),
            (opened.as_bytes(), "recursion limit"),
            (nested.as_bytes(), "recursion limit"),
            (nested_objects.as_bytes(), "recursion limit"),
            (b"{\"a\":1,\"a\":1}", "the key 'a' is given twice at line 1 column 10"),
            (b"[{\"b\":{\"a\":1,\"\\u0061\":2}}]", "the key 'a' is given twice"),
        ] {
            let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
            match parse(body) {
                Ok(value) => panic!("{shown} was read as {value}"),
                Err(error) => {
                    assert!(error.starts_with("is not valid JSON: ") && error.contains(reason), "{shown}: {error}");
                }
            }
        }
        let long = format!("{{\"{0}\":1,\"{0}\":1}}", "k".repeat(500_000));
        assert!(parse(long.as_bytes()).is_err_and(|error| error.len() < 200));
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".{0,4}", inner, 0..4)
                    .prop_map(|object| Value::Object(object.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(value in value()) {
            prop_assert_eq!(parse(value.to_string().as_bytes()), Ok(value));
        }

        #[test]
        fn arbitrary_bytes_are_read_as_the_library_reads_them_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(value) = parse(&bytes) {
                prop_assert_eq!(serde_json::from_slice::<Value>(&bytes).ok(), Some(value));
            }
        }

        #[test]
        fn arbitrary_text_of_json_signs_never_panics(text in "[\\[\\]{}:,\"\\\\u0-9a-fe.+truefalsn -]{0,60}") {
            if let Ok(value) = parse(text.as_bytes()) {
                prop_assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(value));
            }
        }
    }
}
