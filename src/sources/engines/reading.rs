//! The bytes of an answer as the value that the paths of its source lead through.
//!
//! Duty: what is packed, the wire format, JSON that some sources put into texts, and what is announced in the items.
//! Pure and bounded. Never here: what the values mean.

use std::sync::Arc;

use serde_json::Value;
use url::Url;

use super::announcements::{index_of, with_announcements};
use super::wire::{self, WireError};
use crate::announced_index::AnnouncedIndex;
use crate::bounds::{JSON_MEMORY_MAX, UNPACKED_BYTES_MAX};
use crate::extraction::json::{memory_of, read_json};
use crate::extraction::packed::unpacked;
use crate::format::list_source::ListSource;
use crate::shared_answers::Answer;
use outbound::reading;

/// Reads an answer of `list` that was found at `url`.
///
/// # Errors
/// [`WireError`]: it is not in the format of the list, or holds too much.
pub fn read_answer(list: &ListSource, body: &[u8], content_type: Option<&str>, url: Url) -> Result<Answer, WireError> {
    let packing = list.request.packing;
    let plain = packing.map(|packing| unpacked(packing, body, UNPACKED_BYTES_MAX)).transpose()?.flatten();
    let mut value = wire::read_at(&list.format, plain.as_deref().unwrap_or(body), content_type, &url)?;
    if !list.items.json_texts.is_empty() {
        let mut memory = JSON_MEMORY_MAX;
        unfold(&list.items.json_texts, &mut value, &mut memory)?;
    }
    if let Some(Value::Array(items)) = list.place_of_items(&value).and_then(|place| value.pointer_mut(&place)) {
        items.truncate(list.items_max());
    }
    let answer = Answer::of(with_announcements(list, value), url);
    let announced = index_of(list, &answer.value);
    let memory = answer.memory + announced.as_ref().map_or(0, AnnouncedIndex::memory);
    Ok(Answer { announced: announced.map(Arc::new), memory, ..answer })
}

/// Puts the JSON in the texts with these names in their place. A text that is no JSON stays as it is.
fn unfold(names: &[String], value: &mut Value, memory: &mut usize) -> Result<(), WireError> {
    match value {
        // Nobody sees what is left as it is.
        _ if !reading::goes_on() => Ok(()),
        Value::Array(values) => values.iter_mut().try_for_each(|value| unfold(names, value, memory)),
        Value::Object(fields) => fields.iter_mut().try_for_each(|(name, value)| match value {
            Value::String(text) if names.contains(name) => {
                *memory = memory.checked_sub(memory_of(text.as_bytes())).ok_or(WireError::TooLarge)?;
                if let Ok(read) = read_json(text.as_bytes(), JSON_MEMORY_MAX) {
                    *value = read;
                }
                Ok(())
            }
            other => unfold(names, other, memory),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::unfold;
    use crate::bounds::JSON_MEMORY_MAX;

    #[test]
    fn json_in_texts_is_read_in_its_place() {
        let mut value = json!({"results": [
            {"who": "{\"name\":\"Acme\"}", "what": "{\"a\":1}"},
            {"who": "[{\"name\":\"Beta\"}]"},
            {"who": "Acme {", "other": {"who": "7"}},
        ]});
        unfold(&["who".to_owned()], &mut value, &mut { JSON_MEMORY_MAX }).unwrap();
        let wanted = json!({"results": [
            {"who": {"name": "Acme"}, "what": "{\"a\":1}"},
            {"who": [{"name": "Beta"}]},
            {"who": "Acme {", "other": {"who": 7}},
        ]});
        assert_eq!(value, wanted);
    }

    #[test]
    fn what_grows_in_memory_is_refused_before_it_is_made() {
        let mut value = json!(vec![json!({"who": "{},".repeat(1_000)}); 1_000]);
        assert!(unfold(&["who".to_owned()], &mut value, &mut { JSON_MEMORY_MAX }).is_err());
    }
}
