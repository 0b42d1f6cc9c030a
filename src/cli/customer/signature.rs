//! Checking the signature of a delivery as a receiver does. It shares no code with the part of the service that signs.

use actix_web::http::header::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// How far a signature's time may be from now, in seconds.
const TOLERANCE_SECONDS: i64 = 300;
/// What a secret begins with.
const SECRET_PREFIX: &str = "whsec_";

/// Why a delivery is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// A header is missing or is no text.
    #[error("the header {0} is missing")]
    Header(&'static str),
    /// The time is too far from now.
    #[error("the signature is too old or too new")]
    Time,
    /// The secret does not have the form of one.
    #[error("the secret cannot be read")]
    Secret,
    /// No signature in the header fits.
    #[error("no signature fits the body")]
    Mismatch,
}

/// Checks a delivery as the Standard Webhooks specification asks of a receiver.
pub(crate) fn verify(secret: &str, headers: &HeaderMap, body: &[u8], now_seconds: i64) -> Result<(), SignatureError> {
    let header = |name: &'static str| {
        headers.get(name).and_then(|value| value.to_str().ok()).ok_or(SignatureError::Header(name))
    };
    let id = header("webhook-id")?;
    let sent_at = header("webhook-timestamp")?;
    let signatures = header("webhook-signature")?;
    let sent_at_seconds: i64 = sent_at.parse().map_err(|_| SignatureError::Header("webhook-timestamp"))?;
    if now_seconds.abs_diff(sent_at_seconds) > TOLERANCE_SECONDS.unsigned_abs() {
        return Err(SignatureError::Time);
    }
    let key = secret.strip_prefix(SECRET_PREFIX).and_then(|text| STANDARD.decode(text).ok());
    let key = key.ok_or(SignatureError::Secret)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| SignatureError::Secret)?;
    mac.update(format!("{id}.{sent_at}.").as_bytes());
    mac.update(body);
    let mut candidates = signatures.split(' ').filter_map(|one| STANDARD.decode(one.strip_prefix("v1,")?).ok());
    let fits = candidates.any(|candidate| mac.clone().verify_slice(&candidate).is_ok());
    if fits { Ok(()) } else { Err(SignatureError::Mismatch) }
}

#[cfg(test)]
mod tests {
    use super::{SignatureError, verify};
    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    /// The example of the Standard Webhooks libraries.
    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    const NOW_SECONDS: i64 = 1_614_265_330;
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    fn headers(id: &str, sent_at: &str, signature: &str) -> HeaderMap {
        let pairs = [("webhook-id", id), ("webhook-timestamp", sent_at), ("webhook-signature", signature)];
        let pair = |(name, value): (&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header"))
        };
        pairs.into_iter().map(pair).collect()
    }

    #[test]
    fn the_known_answer_is_accepted_also_among_others() {
        let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        let sent_at = NOW_SECONDS.to_string();
        for signature in [SIGNATURE.to_owned(), format!("v1a,AAAA v1,AAAA {SIGNATURE}")] {
            assert_eq!(verify(SECRET, &headers(id, &sent_at, &signature), BODY, NOW_SECONDS + 300), Ok(()));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        let sent_at = NOW_SECONDS.to_string();
        let good = headers(id, &sent_at, SIGNATURE);
        for (secret, headers, body, now_seconds, error) in [
            (SECRET, good.clone(), &BODY[1..], NOW_SECONDS, SignatureError::Mismatch),
            (SECRET, headers("msg_other", &sent_at, SIGNATURE), BODY, NOW_SECONDS, SignatureError::Mismatch),
            (SECRET, headers(id, &sent_at, "v1,AAAA"), BODY, NOW_SECONDS, SignatureError::Mismatch),
            ("whsec_AAAA", good.clone(), BODY, NOW_SECONDS, SignatureError::Mismatch),
            ("", good.clone(), BODY, NOW_SECONDS, SignatureError::Secret),
            (SECRET, good.clone(), BODY, NOW_SECONDS + 301, SignatureError::Time),
            (SECRET, good, BODY, NOW_SECONDS - 301, SignatureError::Time),
            (SECRET, headers(id, "now", SIGNATURE), BODY, NOW_SECONDS, SignatureError::Header("webhook-timestamp")),
            (SECRET, HeaderMap::new(), BODY, NOW_SECONDS, SignatureError::Header("webhook-id")),
        ] {
            assert_eq!(verify(secret, &headers, body, now_seconds), Err(error));
        }
    }
}
