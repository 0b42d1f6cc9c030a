//! The `Idempotency-Key` of a request that creates, and what makes two requests the same (decision 2.9).
//!
//! Keys and bodies are customers' data, and nobody has to see them to recognise them: only their hashes are kept.

use chrono::Duration;
use sha2::{Digest, Sha256};

use super::field_limits::IDEMPOTENCY_KEY_MAX;
use super::redacted;
use super::rejection::FieldError;

/// The name of the header, and of the field in errors.
pub const FIELD: &str = "idempotency-key";

/// How long the answer to a request is kept, counted from the first use of its key.
pub const KEPT_FOR: Duration = Duration::hours(24);

/// A key whose form is right. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

/// A request under a key, as the hashes by which both are recognised (SHA-256 in hexadecimal).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedRequest {
    /// The hash of the key.
    pub key_hash: String,
    /// The hash of what was asked: the path and the body.
    pub request_hash: String,
}

impl IdempotencyKey {
    /// Reads the values of all headers of that name; `None` when there are none.
    ///
    /// # Errors
    /// More than one header, or a value that is not 1 to 255 visible ASCII characters.
    pub fn read<'a>(sent: impl IntoIterator<Item = &'a [u8]>) -> Result<Option<Self>, FieldError> {
        let refused = |reason: String| Err(FieldError::new(FIELD, reason));
        let mut sent = sent.into_iter();
        let Some(value) = sent.next() else { return Ok(None) };
        if sent.next().is_some() {
            return refused("must be given once".to_owned());
        }
        if !(1..=IDEMPOTENCY_KEY_MAX).contains(&value.len()) {
            return refused(format!("must be 1 to {IDEMPOTENCY_KEY_MAX} characters"));
        }
        match std::str::from_utf8(value) {
            Ok(text) if text.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Some(Self(text.to_owned()))),
            _ => refused("must be visible ASCII characters".to_owned()),
        }
    }
}

redacted!(IdempotencyKey);

impl KeyedRequest {
    /// The request that sends `body` to `path` under `key`.
    ///
    /// The body counts byte for byte as it came. A retry sends what it sent before, and bytes need no notion of which
    /// JSON says the same, which might differ between two versions of the service within the 24 hours.
    pub fn new(key: &IdempotencyKey, path: &str, body: &[u8]) -> Self {
        // No path has a line break, so none can pass for the beginning of a body.
        let request = Sha256::new().chain_update(path).chain_update("\n").chain_update(body);
        Self { key_hash: hex::encode(Sha256::digest(&key.0)), request_hash: hex::encode(request.finalize()) }
    }
}

#[cfg(test)]
mod tests {
    use super::{IdempotencyKey, KeyedRequest};

    fn read(sent: &[&[u8]]) -> Result<Option<String>, String> {
        let key = IdempotencyKey::read(sent.iter().copied()).map_err(|error| {
            assert_eq!(error.field, "idempotency-key");
            error.reason
        })?;
        Ok(key.map(|key| key.0))
    }

    #[test]
    fn decision_2_9_a_key_is_1_to_255_visible_ascii_characters_given_once() {
        let longest = "k".repeat(255);
        let too_long = "k".repeat(256);
        let length = Err("must be 1 to 255 characters".to_owned());
        let characters = Err("must be visible ASCII characters".to_owned());
        for (sent, expected) in [
            (vec![], Ok(None)),
            (vec!["k"], Ok(Some("k".to_owned()))),
            (vec!["\"8e03978e-40d5\""], Ok(Some("\"8e03978e-40d5\"".to_owned()))),
            (vec!["!~"], Ok(Some("!~".to_owned()))),
            (vec![&longest], Ok(Some(longest.clone()))),
            (vec![""], length.clone()),
            (vec![&too_long], length),
            (vec!["two words"], characters.clone()),
            (vec!["tab\tbed"], characters.clone()),
            (vec!["caf\u{e9}"], characters.clone()),
            (vec!["\u{7f}"], characters),
            (vec!["k", "k"], Err("must be given once".to_owned())),
            (vec!["", "k"], Err("must be given once".to_owned())),
        ] {
            let sent: Vec<&[u8]> = sent.iter().map(|value| value.as_bytes()).collect();
            assert_eq!(read(&sent), expected, "{sent:?}");
        }
        assert_eq!(read(&[b"latin \xe9"]), Err("must be visible ASCII characters".to_owned()));
    }

    #[test]
    fn decision_2_9_path_and_body_make_the_request() {
        let request = |key: &str, path, body: &str| {
            let key = IdempotencyKey::read([key.as_bytes()]).expect("a key").expect("one");
            KeyedRequest::new(&key, path, body.as_bytes())
        };
        let first = request("a", "/v1/radars/companies", "{}");
        assert_eq!(request("a", "/v1/radars/companies", "{}"), first);
        for (path, body) in [("/v1/radars/companies", "{ }"), ("/v1/radars/bulk", "{}"), ("/v1/radars/companies{}", "")]
        {
            let other = request("a", path, body);
            assert_eq!(other.key_hash, first.key_hash);
            assert_ne!(other.request_hash, first.request_hash, "{path} {body}");
        }
        let other = request("b", "/v1/radars/companies", "{}");
        assert_ne!(other.key_hash, first.key_hash);
        assert_eq!(other.request_hash, first.request_hash);
    }

    #[test]
    fn a_key_is_never_shown() {
        let key = IdempotencyKey::read([b"order-4711".as_slice()]).expect("a key");
        assert_eq!(format!("{key:?}"), "Some(IdempotencyKey(..))");
    }
}
