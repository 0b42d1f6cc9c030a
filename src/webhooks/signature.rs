//! Signing a delivery as Standard Webhooks 1.0.0 says (decision 5.2): HMAC-SHA256 over `id.timestamp.body`.
//!
//! Each attempt is signed anew with its own timestamp.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::secret::WebhookSecret;

/// The secrets of an account: the current one, and after a rotation those before it for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningSecrets {
    /// Signs always.
    pub current: WebhookSecret,
    /// Each signs too, until its instant.
    pub previous: Vec<(WebhookSecret, DateTime<Utc>)>,
}

impl SigningSecrets {
    /// The value of `webhook-signature` for an attempt at `now`: one signature for each secret that is in force,
    /// separated by spaces.
    pub fn sign(&self, id: &str, now: DateTime<Utc>, body: &[u8]) -> String {
        let previous = self.previous.iter().filter(|(_, until)| now < *until).map(|(secret, _)| secret);
        let secrets = std::iter::once(&self.current).chain(previous);
        secrets.map(|secret| signature(secret, id, now.timestamp(), body)).collect::<Vec<_>>().join(" ")
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
        SigningSecrets { current, previous: Vec::new() }
    }

    #[test]
    fn the_known_answer_of_the_specification() {
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let at = DateTime::from_timestamp(1_614_265_330, 0).unwrap();
        let signature = secrets(secret).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", at, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn each_previous_secret_signs_until_it_ends() {
        let [oldest, old, new] = [1, 2, 3].map(|byte| WebhookSecret::generate([byte; 32]));
        let now = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
        let [first, last] = [1, 24].map(|hours| now + TimeDelta::hours(hours));
        let previous = vec![(old.clone(), last), (oldest.clone(), first)];
        let rotated = SigningSecrets { current: new.clone(), previous };
        for (at, signing) in [(now, vec![&new, &old, &oldest]), (first, vec![&new, &old]), (last, vec![&new])] {
            let alone = signing.into_iter().map(|secret| secrets(secret.clone()).sign("id", at, b"{}"));
            assert_eq!(rotated.sign("id", at, b"{}"), alone.collect::<Vec<_>>().join(" "));
        }
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
