//! The form of an API key (Spec 5): `rdr_`, 256 random bits and a checksum, so that a mistyped key costs no look-up; and what a
//! key may be used for.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use super::{closed, redacted};

const PREFIX: &str = "rdr_";
/// Hexadecimal digits of the random bits.
const RANDOM_LENGTH: usize = 64;
/// Hexadecimal digits of the checksum: the first of the SHA-256 of all that stands before it.
const CHECKSUM_LENGTH: usize = 8;
/// Characters of a key that may be shown to tell keys apart.
const HINT_LENGTH: usize = PREFIX.len() + 8;

closed! {
    /// What a key may be used for.
    Scope {
        /// Requests that only read.
        Read = "read",
        /// All other requests.
        Write = "write",
    }
}

closed! {
    /// Who uses a key.
    KeyKind {
        /// Programs of the account, until it is revoked or expires.
        Program = "program",
        /// Somebody who came to the portal by a link. It is removed once it is over.
        PortalSession = "portal_session",
    }
}

/// The scopes of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes {
    read: bool,
    write: bool,
}

impl Scopes {
    /// What a key may do of which nothing else was said.
    pub const ALL: Self = Self { read: true, write: true };
    /// What a key may do that only reads.
    pub const READ: Self = Self { read: true, write: false };

    /// These scopes.
    pub fn of(scopes: &[Scope]) -> Self {
        Self { read: scopes.contains(&Scope::Read), write: scopes.contains(&Scope::Write) }
    }

    /// Whether `scope` is among them.
    pub const fn permit(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => self.read,
            Scope::Write => self.write,
        }
    }

    /// Each of them.
    pub fn list(self) -> Vec<Scope> {
        Scope::ALL.iter().copied().filter(|scope| self.permit(*scope)).collect()
    }
}

/// What a key may be used for, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What it may be used for.
    pub scopes: Scopes,
    /// From when on it is good no more.
    pub expires_at: Option<DateTime<Utc>>,
}

impl Grant {
    /// Everything, for ever.
    pub const ALL: Self = Self { scopes: Scopes::ALL, expires_at: None };

    /// What of `scopes` this grant lacks: nobody can hand on what they do not have.
    pub fn lacks(self, scopes: Scopes) -> Vec<Scope> {
        scopes.list().into_iter().filter(|scope| !self.scopes.permit(*scope)).collect()
    }

    /// Whether this grant ends before `expires_at`.
    pub fn ends_before(self, expires_at: Option<DateTime<Utc>>) -> bool {
        self.expires_at.is_some_and(|end| expires_at.is_none_or(|expires_at| expires_at > end))
    }
}

/// An API key whose form is right; whether anybody has it is the store's to say. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// The key made of `random` bits, which the caller draws from the system's source.
    pub fn from_random(random: [u8; 32]) -> Self {
        let body = format!("{PREFIX}{}", hex::encode(random));
        let checksum = checksum(&body);
        Self(body + &checksum)
    }

    /// Reads a key; `None` for whatever cannot be one.
    pub fn parse(text: &str) -> Option<Self> {
        let is_hexadecimal = |digits: &str| digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let digits = text.strip_prefix(PREFIX).filter(|digits| digits.len() == RANDOM_LENGTH + CHECKSUM_LENGTH)?;
        let (body, given) = text.split_at_checked(PREFIX.len() + RANDOM_LENGTH)?;
        (is_hexadecimal(digits) && given == checksum(body)).then(|| Self(text.to_owned()))
    }

    /// The key as its owner gets it, once. Never for a log.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What the store keeps: SHA-256 in hexadecimal. With 256 random bits a slow hash would add nothing.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(&self.0))
    }

    /// The first characters, to tell keys apart.
    pub fn hint(&self) -> &str {
        self.0.get(..HINT_LENGTH).unwrap_or_default()
    }
}

redacted!(ApiKey);

fn checksum(body: &str) -> String {
    let mut digest = hex::encode(Sha256::digest(body));
    digest.truncate(CHECKSUM_LENGTH);
    digest
}

#[cfg(test)]
mod tests {
    use super::ApiKey;

    #[test]
    fn a_key_reads_back_as_it_was_made() {
        let key = ApiKey::from_random([0xab; 32]);
        assert_eq!(key.expose().len(), 4 + 64 + 8);
        assert_eq!(ApiKey::parse(key.expose()), Some(key.clone()));
        assert_eq!((key.hint(), key.hash().len()), ("rdr_abababab", 64));
        assert_ne!(key.hash(), ApiKey::from_random([0xac; 32]).hash());
        assert_eq!(format!("{key:?}"), "ApiKey(..)");
    }

    #[test]
    fn what_cannot_be_a_key_is_none() {
        let key = ApiKey::from_random([7; 32]).expose().to_owned();
        let other_digit = key.replacen("07", "08", 1);
        let cut = &key[..key.len() - 1];
        let longer = format!("{key}0");
        let upper = key.to_uppercase().replacen("RDR", "rdr", 1);
        let wide = format!("rdr_{}", "é".repeat(36));
        for text in ["", "rdr_", cut, &longer, &other_digit, &upper, &wide, &key.replacen("rdr_", "key_", 1)] {
            assert_eq!(ApiKey::parse(text), None, "{text}");
        }
    }
}
