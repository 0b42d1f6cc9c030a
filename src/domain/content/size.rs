//! How long the content of a finding may be. Longer texts are cut and end in an ellipsis.

use serde_json::Value;

use crate::field_limits::CONTENT_BYTES_MAX;

/// Ends a text that was cut.
const CUT: &str = "…";
/// How many entries of a list are kept where the content is too long.
const LIST_MAX: usize = 100;

/// `content`, the JSON text of an object, in at most [`CONTENT_BYTES_MAX`] bytes. The longest texts are cut, all to the same
/// length, and end in an ellipsis; everything that is shorter stays as it is.
pub fn bounded(content: String) -> String {
    if content.len() <= CONTENT_BYTES_MAX {
        return content;
    }
    let Ok(mut value) = serde_json::from_str::<Value>(&content) else { return content };
    shorten_lists(&mut value);
    let mut fits = 0;
    let mut too_long = CONTENT_BYTES_MAX;
    while too_long - fits > 1 {
        let middle = fits + (too_long - fits) / 2;
        if cut(&value, middle).to_string().len() <= CONTENT_BYTES_MAX { fits = middle } else { too_long = middle }
    }
    cut(&value, fits).to_string()
}

fn shorten_lists(value: &mut Value) {
    match value {
        Value::Array(entries) => {
            entries.truncate(LIST_MAX);
            entries.iter_mut().for_each(shorten_lists);
        }
        Value::Object(fields) => fields.values_mut().for_each(shorten_lists),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The same with every text of more than `bytes` bytes cut to that length, less what is left of its last character.
fn cut(value: &Value, bytes: usize) -> Value {
    match value {
        Value::String(text) if text.len() > bytes => {
            let end = text.char_indices().map(|(start, _)| start).take_while(|start| *start <= bytes).last();
            Value::String(text.get(..end.unwrap_or_default()).unwrap_or_default().to_owned() + CUT)
        }
        Value::Array(entries) => entries.iter().map(|entry| cut(entry, bytes)).collect(),
        Value::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), cut(field, bytes))).collect(),
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{LIST_MAX, bounded};
    use crate::field_limits::CONTENT_BYTES_MAX;

    fn read(content: &Value) -> Value {
        let text = bounded(content.to_string());
        assert!(text.len() <= CONTENT_BYTES_MAX, "{} bytes", text.len());
        serde_json::from_str(&text).expect("JSON")
    }

    #[test]
    fn what_fits_is_left_as_it_is_byte_for_byte() {
        let text = format!("{{ \"b\": \"{}\",\"a\":1.10}}", "x".repeat(CONTENT_BYTES_MAX - 19));
        assert_eq!(text.len(), CONTENT_BYTES_MAX);
        assert_eq!(bounded(text.clone()), text);
    }

    #[test]
    fn the_longest_texts_are_cut_and_say_so() {
        let content = json!({"title": "Engineer", "one": "é".repeat(60_000), "other": "\"".repeat(90_000), "pay": 7});
        let cut = read(&content);
        assert_eq!((&cut["title"], &cut["pay"]), (&json!("Engineer"), &json!(7)));
        for key in ["one", "other"] {
            let text = cut[key].as_str().expect("a text");
            assert!(text.ends_with('…') && text.len() > 10_000, "{key} has {} bytes", text.len());
        }
        assert!(cut.to_string().len() > CONTENT_BYTES_MAX - 20, "no more is cut than has to be");
    }

    #[test]
    fn a_list_without_end_is_cut_as_well() {
        let cut = read(&json!({"investors": vec!["An investor"; 50_000]}));
        assert_eq!(cut["investors"].as_array().map(Vec::len), Some(LIST_MAX));
    }

    proptest! {
        #[test]
        fn any_content_fits_and_keeps_its_keys(
            texts in proptest::collection::vec(("[a-z]{1,12}", "\\PC{0,40}", 1..4_000usize), 1..30),
            list in proptest::collection::vec("\\PC{0,30}", 0..300),
        ) {
            let mut content: serde_json::Map<String, Value> =
                texts.into_iter().map(|(key, text, times)| (key, json!(text.repeat(times)))).collect();
            content.insert("list".to_owned(), json!(list));
            let content = Value::Object(content);
            let cut = read(&content);
            let keys = |value: &Value| value.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>());
            prop_assert_eq!(keys(&cut), keys(&content));
            if content.to_string().len() <= CONTENT_BYTES_MAX {
                prop_assert_eq!(cut, content);
            }
        }
    }
}
