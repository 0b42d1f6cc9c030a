//! The shapes that JSON-LD has on pages: objects at any depth, types with and without their namespace, lists of one.

use serde_json::{Map, Value};

use super::json::each;
use crate::bounds::{LINE_BYTES_MAX, cut};
use crate::text::plain::{one_line, plain_of_escaped_html};

/// The objects of `blocks` in the order of the page, each before those within it, as far as `values_max` values. What
/// stands under a key that `skips` is left out.
pub fn objects(
    blocks: &[Value],
    values_max: usize,
    skips: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &Map<String, Value>> {
    let mut left: Vec<&Value> = blocks.iter().rev().collect();
    let mut values_left = values_max;
    std::iter::from_fn(move || {
        loop {
            values_left = values_left.checked_sub(1)?;
            match left.pop()? {
                Value::Array(values) => left.extend(values.iter().rev()),
                Value::Object(object) => {
                    let is_nested = |value: &Value| value.is_object() || value.is_array();
                    let nested = object.iter().rev().filter(|(name, value)| is_nested(value) && !skips(name));
                    left.extend(nested.map(|(_, value)| value));
                    return Some(object);
                }
                _ => {}
            }
        }
    })
}

/// Whether one of the object's types, without its namespace, `is_type`.
pub fn is_of(object: &Map<String, Value>, is_type: impl Fn(&str) -> bool) -> bool {
    let is_it = |name: &Value| name.as_str().and_then(|name| name.rsplit(['/', ':', '#']).next()).is_some_and(&is_type);
    values(object, "@type").iter().any(is_it)
}

/// What stands under `key`, once or in a list.
pub fn values<'a>(object: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    object.get(key).map(each).unwrap_or_default()
}

/// A text, or the name of an object, on one line.
pub fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::Object(object) => ["name", "@value"].iter().find_map(|key| object.get(*key)?.as_str())?,
        value => value.as_str()?,
    };
    Some(one_line(&plain_of_escaped_html(cut(text, LINE_BYTES_MAX)))).filter(|text| !text.is_empty())
}
