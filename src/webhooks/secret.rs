//! The secret that an account's deliveries are signed with (decision 5.2): `whsec_` and the base64 of its bytes.

use std::ops::RangeInclusive;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use domain::redacted;

const PREFIX: &str = "whsec_";
/// The block of HMAC-SHA256, and the longest key that Standard Webhooks permits.
const BLOCK_LENGTH: usize = 64;
/// What Standard Webhooks permits.
const LENGTH: RangeInclusive<usize> = 24..=BLOCK_LENGTH;

/// The bytes of a secret. Its `Debug` shows nothing of them.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret {
    key: Vec<u8>,
}

/// A text is not a secret. Says nothing about the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be whsec_ followed by the base64 of 24 to 64 bytes")]
pub struct SecretError;

impl WebhookSecret {
    /// The secret made of `random` bytes, which the caller draws from the system's source.
    pub fn generate(random: [u8; 32]) -> Self {
        Self { key: random.to_vec() }
    }

    /// Reads the text that [`Self::expose`] gives.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SecretError)?;
        let key = BASE64_STANDARD.decode(encoded).map_err(|_| SecretError)?;
        if LENGTH.contains(&key.len()) { Ok(Self { key }) } else { Err(SecretError) }
    }

    /// The secret as the customer gets it and the store keeps it. Never for a log.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(&self.key))
    }

    /// The key as HMAC-SHA256 takes it: a shorter one is filled with zeros (RFC 2104).
    pub(super) fn block(&self) -> [u8; BLOCK_LENGTH] {
        let mut block = [0; BLOCK_LENGTH];
        block.iter_mut().zip(&self.key).for_each(|(to, from)| *to = *from);
        block
    }
}

redacted!(WebhookSecret);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_reads_back_as_it_was_written() {
        let secret = WebhookSecret::generate([7; 32]);
        let text = secret.expose();
        assert_eq!(text, "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        assert_eq!(WebhookSecret::parse(&text), Ok(secret));
    }

    #[test]
    fn what_is_no_secret_is_refused() {
        for text in ["", "whsec_", "whsec_????", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "whsec_BwcHBwc="] {
            assert_eq!(WebhookSecret::parse(text), Err(SecretError), "{text}");
        }
    }

    #[test]
    fn a_secret_does_not_show_itself() {
        assert_eq!(format!("{:?}", WebhookSecret::generate([7; 32])), "WebhookSecret(..)");
    }
}
