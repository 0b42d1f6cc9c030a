//! Writes a JSON object whose keys keep the order in which they are written.
//!
//! For texts that must never change, and for embedding stored JSON, which is copied byte for byte.

use std::fmt::{Display, Write};

use serde_json::Value;

/// An answer that is put together in one place: an object with these keys in this order. `#[serde(flatten)]` before a key puts the
/// keys of its value in its place, and nothing where the value is `None`.
#[macro_export]
macro_rules! object {
    ($($(#[$attribute:meta])* $name:ident $(: $value:expr)?),+ $(,)?) => {{
        #[expect(non_camel_case_types, reason = "the type of a field bears its name")]
        mod object {
            #[derive(serde::Serialize)]
            pub struct Object<$($name),+> { $($(#[$attribute])* pub $name: $name,)+ }
        }
        object::Object { $($name $(: $value)?),+ }
    }};
}

/// An object under construction.
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self(String::from("{"))
    }

    pub(super) fn text(self, key: &str, value: &str) -> Self {
        self.raw(key, &Value::from(value))
    }

    pub(super) fn text_or_null(self, key: &str, value: Option<&str>) -> Self {
        self.raw(key, &value.map_or(Value::Null, Value::from))
    }

    /// Writes `value` as it prints itself: a number, a literal, or a whole JSON text.
    pub(super) fn raw(mut self, key: &str, value: &impl Display) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        // Writing to a string cannot fail.
        write!(self.0, "{}:{value}", Value::from(key)).ok();
        self
    }

    /// Writes an array of JSON texts.
    pub(super) fn raw_array<'a>(self, key: &str, values: impl IntoIterator<Item = &'a str>) -> Self {
        let values: Vec<&str> = values.into_iter().collect();
        self.raw(key, &format_args!("[{}]", values.join(",")))
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Object;

    #[test]
    fn writes_in_order_and_escapes() {
        let inner = Object::new().finish();
        let text = Object::new()
            .text("z", "a \"quoted\"\nline\u{0}")
            .text_or_null("y", None)
            .raw("x\"", &1)
            .raw("w", &inner)
            .raw_array("v", ["1", "{}"])
            .raw_array("u", [])
            .finish();
        assert_eq!(text, r#"{"z":"a \"quoted\"\nline\u0000","y":null,"x\"":1,"w":{},"v":[1,{}],"u":[]}"#);
    }
}
