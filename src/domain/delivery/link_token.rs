//! The secret part of an address that works without a key, such as one for feed readers or a link in a mail: 256 random bits.

use sha2::{Digest, Sha256};

use crate::redacted;

/// Hexadecimal digits of a token.
const LENGTH: usize = 64;

/// A token whose form is right; whether there is such an address is the store's to say. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkToken(String);

impl LinkToken {
    /// The token made of `random` bits, which the caller draws from the system's source.
    pub fn from_random(random: [u8; LENGTH / 2]) -> Self {
        Self(hex::encode(random))
    }

    /// Reads a token; `None` for whatever cannot be one.
    pub fn parse(text: &str) -> Option<Self> {
        let is_one = text.len() == LENGTH && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_one.then(|| Self(text.to_owned()))
    }

    /// The token as its owner gets it, once. Never for a log.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What the store keeps: SHA-256 in hexadecimal. With 256 random bits a slow hash would add nothing.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(&self.0))
    }
}

redacted!(LinkToken);

#[cfg(test)]
mod tests {
    use super::LinkToken;

    #[test]
    fn a_token_reads_back_as_it_was_made_and_nothing_else_is_one() {
        let token = LinkToken::from_random([0xab; 32]);
        assert_eq!(LinkToken::parse(token.expose()), Some(token.clone()));
        assert_ne!(token.hash(), LinkToken::from_random([0xac; 32]).hash());
        assert_eq!(format!("{token:?}"), "LinkToken(..)");
        let upper = token.expose().to_uppercase();
        for text in ["", &token.expose()[1..], &upper, &format!("{}0", token.expose())] {
            assert_eq!(LinkToken::parse(text), None, "{text}");
        }
    }
}
