//! Signing a delivery as Standard Webhooks 1.0.0 says (decision 5.2): HMAC-SHA256 over `id.timestamp.body`.
//!
//! Each attempt is signed anew with its own timestamp.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::secret::WebhookSecret;

/// The secrets of an account: the current one, and after a rotation the previous one for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningSecrets {
    /// Signs always.
    pub current: WebhookSecret,
    /// Also signs, until that instant.
    pub previous: Option<(WebhookSecret, DateTime<Utc>)>,
}

impl SigningSecrets {
    /// The value of `webhook-signature` for an attempt at `now`: one signature for each secret that is in force,
    /// separated by spaces.
    pub fn sign(&self, id: &str, now: DateTime<Utc>, body: &[u8]) -> String {
        let signature = signature(&self.current, id, now.timestamp(), body);
        match &self.previous {
            Some((previous, until)) if now < *until => {
                format!("{signature} {}", self::signature(previous, id, now.timestamp(), body))
            }
            _ => signature,
        }
    }
}

/// One signature; `timestamp` is in seconds since 1970.
fn signature(secret: &WebhookSecret, id: &str, timestamp: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new(&secret.block().into());
    mac.update(id.as_bytes());
    mac.update(format!(".{timestamp}.").as_bytes());
    mac.update(body);
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use proptest::prelude::*;

    use super::*;

    fn secrets(current: WebhookSecret) -> SigningSecrets {
        SigningSecrets { current, previous: None }
    }

    #[test]
    fn the_known_answer_of_the_specification() {
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let at = DateTime::from_timestamp(1_614_265_330, 0).unwrap();
        let signature = secrets(secret).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", at, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn both_secrets_sign_until_the_previous_one_ends() {
        let (old, new) = (WebhookSecret::generate([1; 32]), WebhookSecret::generate([2; 32]));
        let now = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
        let until = now + TimeDelta::hours(24);
        let rotated = SigningSecrets { current: new.clone(), previous: Some((old.clone(), until)) };
        let alone = |secret: &WebhookSecret, at| secrets(secret.clone()).sign("id", at, b"{}");
        assert_eq!(rotated.sign("id", now, b"{}"), format!("{} {}", alone(&new, now), alone(&old, now)));
        assert_eq!(rotated.sign("id", until, b"{}"), alone(&new, until));
    }

    proptest! {
        /// An independent library computes the same signature.
        #[test]
        fn another_library_agrees(random: [u8; 32], id in "[0-9a-f-]{36}", timestamp in 0..4_000_000_000i64, body: String) {
            let secret = WebhookSecret::generate(random);
            let other = standardwebhooks::Webhook::new(&secret.expose()).unwrap();
            let at = DateTime::from_timestamp(timestamp, 0).unwrap();
            let expected = other.sign(&id, timestamp, body.as_bytes()).unwrap();
            prop_assert_eq!(secrets(secret).sign(&id, at, body.as_bytes()), expected);
        }
    }
}
