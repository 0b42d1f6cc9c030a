//! What an item says, shortly and as plain text: the evidence that is kept of it.

use serde_json::Value;

use super::plain::{one_line, plain_of_html, without_nul};
use crate::bounds::cut;

/// An excerpt, in characters.
pub const EXCERPT_CHARS_MAX: usize = 500;
/// What is taken of one text: a long description leaves room for the others.
const TEXT_CHARS_MAX: usize = 160;
/// What is read of one text, markup and all, in bytes.
const TEXT_BYTES_MAX: usize = 4_096;
/// Values that are looked at.
const VALUES_MAX: usize = 1_000;
const BETWEEN: &str = " · ";

/// The texts of `item` in their order, addresses aside, each cut short and all together at most [`EXCERPT_CHARS_MAX`].
pub fn excerpt(item: &Value) -> String {
    let mut excerpt = String::new();
    let mut waiting = vec![item];
    for _ in 0..VALUES_MAX {
        match waiting.pop() {
            Some(Value::String(text)) if !is_address(text) => add(&mut excerpt, text),
            Some(Value::Array(values)) => waiting.extend(values.iter().take(VALUES_MAX).rev()),
            Some(Value::Object(fields)) => waiting.extend(fields.values().take(VALUES_MAX).rev()),
            Some(_) => {}
            None => break,
        }
        if excerpt.chars().count() >= EXCERPT_CHARS_MAX {
            break;
        }
    }
    first(&excerpt, EXCERPT_CHARS_MAX).to_owned()
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

fn add(excerpt: &mut String, text: &str) {
    let line = one_line(&without_nul(&plain_of_html(cut(text, TEXT_BYTES_MAX))));
    let line = first(&line, TEXT_CHARS_MAX);
    if line.is_empty() || excerpt.contains(line) {
        return;
    }
    if !excerpt.is_empty() {
        excerpt.push_str(BETWEEN);
    }
    excerpt.push_str(line);
}

/// The first characters of `text`.
fn first(text: &str, chars_max: usize) -> &str {
    text.char_indices().nth(chars_max).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{EXCERPT_CHARS_MAX, excerpt};

    #[test]
    fn what_no_database_takes_is_not_kept() {
        assert_eq!(excerpt(&json!({"title": "a\u{0}b"})), "a\u{fffd}b");
    }

    #[test]
    fn the_texts_of_an_item_are_told_once_each_and_cut_short() {
        let item = json!({
            "id": 7,
            "text": format!("<p>Bakes&nbsp;bread</p> {}", "and more ".repeat(100)),
            "title": "Baker",
            "url": "https://acme.example/7",
            "where": [{"name": "Berlin"}, {"name": "Berlin"}, null, ""],
        });
        let told = excerpt(&item);
        assert!(told.starts_with("Bakes bread and more") && told.ends_with(" · Baker · Berlin"), "{told}");
        assert_eq!(excerpt(&Value::Null), "");
    }

    proptest! {
        #[test]
        fn an_excerpt_is_short(texts in prop::collection::vec(".{0,300}", 0..20)) {
            prop_assert!(excerpt(&json!(texts)).chars().count() <= EXCERPT_CHARS_MAX);
        }
    }
}
