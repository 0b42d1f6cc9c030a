//! The answer of `GET /v1/updates`, put together from payloads as they are stored (Spec 4.9, decision 3.4).

use chrono::{DateTime, Utc};

use crate::cursor::UpdatesCursor;
use crate::object::Object;
use crate::time;

/// The whole answer. `bodies` are stored payloads, copied byte for byte; `next` is where the next page begins, `None`
/// when there is nothing more.
pub fn body<'a>(
    message: &str,
    now: DateTime<Utc>,
    bodies: impl IntoIterator<Item = &'a str>,
    next: Option<UpdatesCursor>,
) -> String {
    let next_cursor = next.map(|cursor| cursor.encode());
    Object::new()
        .text("status", "success")
        .raw("code", &200)
        .text("message", message)
        .text("timestamp", &time::text(now))
        .raw_array("updates", bodies)
        .raw("has_more", &next_cursor.is_some())
        .text_or_null("next_cursor", next_cursor.as_deref())
        .finish()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::{Value, json};

    use super::body;
    use crate::cursor::UpdatesCursor;

    #[test]
    fn decision_3_7_payloads_are_copied_byte_for_byte() {
        let cursor = UpdatesCursor { sequence: 7 };
        let text = body("ok", DateTime::UNIX_EPOCH, [r#"{"a": 1.10}"#, r#"{"b":2}"#], Some(cursor));
        assert!(text.contains(r#""updates":[{"a": 1.10},{"b":2}],"has_more":true"#));
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["next_cursor"].as_str().and_then(UpdatesCursor::decode), Some(cursor));
        assert_eq!((&value["status"], &value["code"]), (&json!("success"), &json!(200)));
        let last: Value = serde_json::from_str(&body("ok", DateTime::UNIX_EPOCH, [], None)).expect("JSON");
        assert_eq!((&last["updates"], &last["has_more"]), (&json!([]), &json!(false)));
        assert_eq!(last.get("next_cursor"), Some(&Value::Null));
    }
}
