//! What `radar demo --once` waits for: one finding seen by pull and by push, with equal bytes.
//!
//! Duty: put the two sides together. Findings that were not pushed or not pulled yet wait here.

use std::collections::HashMap;

use serde_json::Value;

/// What has been seen of each finding so far.
#[derive(Debug, Default)]
pub(super) struct Proof {
    pulled: HashMap<String, String>,
    pushed: HashMap<String, Vec<u8>>,
}

/// What is known once both sides of a finding were seen: that pull and push gave the same bytes, or the update of which they
/// did not.
pub(super) type Comparison = Result<(), String>;

impl Proof {
    /// A pulled update.
    pub(super) fn pulled(&mut self, update_id: &str, text: &str) -> Option<Comparison> {
        self.pulled.insert(update_id.to_owned(), text.to_owned());
        self.compare(update_id)
    }

    /// A pushed body whose signature was right. Failures of radars prove nothing.
    pub(super) fn pushed(&mut self, body: &[u8]) -> Option<Comparison> {
        let update: Value = serde_json::from_slice(body).ok()?;
        update.get("update_type").filter(|update_type| *update_type == "radar_finding")?;
        let update_id = update.get("update_id")?.as_str()?;
        self.pushed.insert(update_id.to_owned(), body.to_vec());
        self.compare(update_id)
    }

    fn compare(&self, update_id: &str) -> Option<Comparison> {
        let text = self.pulled.get(update_id)?;
        let body = self.pushed.get(update_id)?;
        let is_equal = text.as_bytes() == body.as_slice();
        Some(if is_equal { Ok(()) } else { Err(update_id.to_owned()) })
    }
}

#[cfg(test)]
mod tests {
    use super::Proof;

    fn finding(update_id: &str) -> String {
        format!(r#"{{"update_id":"{update_id}","update_type":"radar_finding"}}"#)
    }

    #[test]
    fn both_sides_are_needed_in_whatever_order() {
        let (a, b) = (finding("a"), finding("b"));
        let mut proof = Proof::default();
        assert_eq!(proof.pushed(a.as_bytes()), None);
        assert_eq!(proof.pulled("b", &b), None);
        assert_eq!(proof.pulled("a", &a), Some(Ok(())));
        assert_eq!(proof.pushed(b.as_bytes()), Some(Ok(())));
    }

    #[test]
    fn a_failure_proves_nothing() {
        let failure = r#"{"update_id":"a","update_type":"radar_failure"}"#;
        let mut proof = Proof::default();
        assert_eq!(proof.pulled("a", failure), None);
        assert_eq!(proof.pushed(failure.as_bytes()), None);
    }

    #[test]
    fn one_byte_more_is_a_difference() {
        let mut proof = Proof::default();
        let text = finding("a");
        assert_eq!(proof.pulled("a", &text), None);
        let different = Err("a".to_owned());
        assert_eq!(proof.pushed(format!("{text} ").as_bytes()), Some(different));
        assert_eq!(proof.pushed(b"no json"), None);
    }
}
