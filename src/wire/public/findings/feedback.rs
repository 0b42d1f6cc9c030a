//! What a customer thinks of a finding.

use serde_json::Value;
use uuid::Uuid;

use crate::record::records;
use crate::time::Instant;
use domain::field_limits::FEEDBACK_REASON_MAX;
use domain::{Feedback, FieldError, Fields};

records! {
    /// The feedback that counts.
    #[derive(Debug)]
    pub struct FeedbackRecord {
        /// The update.
        pub update_id: Uuid,
        /// Whether the finding was of use.
        pub useful: bool,
        /// Why.
        pub reason: Option<String>,
        /// When it was given.
        pub given_at: Instant,
    }
}

/// Reads what a customer thinks.
///
/// # Errors
/// Every offending field.
pub fn parse(body: &Value) -> Result<Feedback, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["useful", "reason"]);
    let useful = fields.flag("useful");
    if !fields.is_given("useful") {
        fields.refuse("useful", "is required");
    }
    let reason = fields.parsed("reason", reason).filter(|reason| !reason.is_empty());
    fields.finish(useful.map(|useful| Feedback { useful, reason }))
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_unfit = |letter: char| letter.is_control() && !"\n\r\t".contains(letter);
    match text {
        _ if text.chars().count() > FEEDBACK_REASON_MAX => {
            Err(format!("must be at most {FEEDBACK_REASON_MAX} characters"))
        }
        _ if text.contains(is_unfit) => Err("must not contain control characters".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::parse;
    use domain::Feedback;

    #[test]
    fn feedback_says_whether_it_was_of_use_and_perhaps_why() {
        let read = |body: Value| parse(&body);
        assert_eq!(read(json!({"useful": true})), Ok(Feedback { useful: true, reason: None }));
        assert_eq!(read(json!({"useful": true, "reason": " "})), Ok(Feedback { useful: true, reason: None }));
        let body = json!({"useful": false, "reason": " Another\nAcme "});
        assert_eq!(read(body), Ok(Feedback { useful: false, reason: Some("Another\nAcme".to_owned()) }));
        for (body, field) in [
            (json!({}), "useful"),
            (json!({"useful": null}), "useful"),
            (json!({"useful": "no"}), "useful"),
            (json!({"useful": true, "reason": "a\u{0}b"}), "reason"),
            (json!({"useful": true, "reason": "ä".repeat(501)}), "reason"),
            (json!({"useful": true, "why": "x"}), "why"),
            (json!([]), "body"),
        ] {
            let errors = read(body).expect_err("a rejection");
            assert_eq!(errors.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), [field]);
        }
        assert!(read(json!({"useful": true, "reason": "ä".repeat(500)})).is_ok());
    }
}
