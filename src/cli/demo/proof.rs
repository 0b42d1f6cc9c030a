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

/// What is known once both sides of a finding were seen.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Pull and push gave the same bytes.
    Equal,
    /// They did not.
    Different {
        /// The update.
        update_id: String,
    },
}

impl Proof {
    /// A pulled update.
    pub(super) fn pulled(&mut self, update_id: &str, text: &str) -> Option<Verdict> {
        self.pulled.insert(update_id.to_owned(), text.to_owned());
        self.compare(update_id)
    }

    /// A pushed body whose signature was right.
    pub(super) fn pushed(&mut self, body: &[u8]) -> Option<Verdict> {
        let update: Value = serde_json::from_slice(body).ok()?;
        let update_id = update.get("update_id")?.as_str()?;
        self.pushed.insert(update_id.to_owned(), body.to_vec());
        self.compare(update_id)
    }

    fn compare(&self, update_id: &str) -> Option<Verdict> {
        let (text, body) = (self.pulled.get(update_id)?, self.pushed.get(update_id)?);
        let is_equal = text.as_bytes() == body.as_slice();
        Some(if is_equal { Verdict::Equal } else { Verdict::Different { update_id: update_id.to_owned() } })
    }
}

#[cfg(test)]
mod tests {
    use super::{Proof, Verdict};

    #[test]
    fn both_sides_are_needed_in_whatever_order() {
        let mut proof = Proof::default();
        assert_eq!(proof.pushed(br#"{"update_id":"a"}"#), None);
        assert_eq!(proof.pulled("b", r#"{"update_id":"b"}"#), None);
        assert_eq!(proof.pulled("a", r#"{"update_id":"a"}"#), Some(Verdict::Equal));
        assert_eq!(proof.pushed(br#"{"update_id":"b"}"#), Some(Verdict::Equal));
    }

    #[test]
    fn one_byte_more_is_a_difference() {
        let mut proof = Proof::default();
        assert_eq!(proof.pulled("a", r#"{"update_id":"a"}"#), None);
        let different = Verdict::Different { update_id: "a".to_owned() };
        assert_eq!(proof.pushed(br#"{"update_id": "a"}"#), Some(different));
        assert_eq!(proof.pushed(b"no json"), None);
    }
}
