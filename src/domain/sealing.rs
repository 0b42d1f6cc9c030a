//! Secrets at rest: sealed with XChaCha20-Poly1305 under a key that is not in the database.
//!
//! Duty: keys and their names, sealing and opening. Pure: the caller draws every nonce. A sealed secret is the nonce and
//! the ciphertext with its tag; what it is bound to (the row that holds it) is authenticated and not stored, so that a
//! ciphertext copied into another row does not open.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use sha2::{Digest, Sha256};

/// Bytes of a key.
pub const KEY_LENGTH: usize = 32;
/// Bytes of a nonce: long enough that random ones never meet.
pub const NONCE_LENGTH: usize = 24;
/// What is hashed before a key to name it.
const ID_CONTEXT: &[u8] = b"radar sealing key id";
/// Bytes of the hash that become the name.
const ID_LENGTH: usize = 8;

/// A key that secrets are sealed with. Its `Debug` shows its name alone.
#[derive(Clone, PartialEq, Eq)]
pub struct SealingKey {
    bytes: [u8; KEY_LENGTH],
    id: KeyId,
}

/// The name of a key, which tells nothing of the key: hexadecimal digits of a hash over it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyId(String);

/// Keys that a process knows, the one that it prefers first. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRing {
    first: SealingKey,
    others: Vec<SealingKey>,
}

/// Why a text is no key. Says nothing of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 32 random bytes in base64 or hexadecimal")]
pub struct KeyError;

/// A secret cannot be sealed, or does not open: another key, another row, or damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a secret does not open with its key")]
pub struct SealError;

impl SealingKey {
    /// The key made of random bytes, which the caller draws from the system's source.
    pub fn from_bytes(bytes: [u8; KEY_LENGTH]) -> Self {
        let hash = Sha256::new().chain_update(ID_CONTEXT).chain_update(bytes).finalize();
        Self { bytes, id: KeyId(hex::encode(&hash[..ID_LENGTH])) }
    }

    /// Reads a key as people write it: base64 or hexadecimal.
    ///
    /// # Errors
    /// [`KeyError`] for anything that is not 32 bytes.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let bytes = hex::decode(text).or_else(|_| BASE64_STANDARD.decode(text)).map_err(|_| KeyError)?;
        Ok(Self::from_bytes(bytes.try_into().map_err(|_| KeyError)?))
    }

    /// The key as [`Self::parse`] reads it. Never for a log.
    pub fn expose(&self) -> String {
        BASE64_STANDARD.encode(self.bytes)
    }

    /// The key's name.
    pub const fn id(&self) -> &KeyId {
        &self.id
    }

    /// Seals `plain` so that it opens only together with `bound_to`. A nonce must never be used twice.
    ///
    /// # Errors
    /// [`SealError`] for a text of many gigabytes.
    pub fn seal(&self, plain: &[u8], bound_to: &[u8], nonce: [u8; NONCE_LENGTH]) -> Result<Vec<u8>, SealError> {
        let payload = Payload { msg: plain, aad: bound_to };
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).map_err(|_| SealError)?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// What was sealed.
    ///
    /// # Errors
    /// [`SealError`] when it was sealed with another key or bound to something else, or was changed since.
    pub fn open(&self, sealed: &[u8], bound_to: &[u8]) -> Result<Vec<u8>, SealError> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_LENGTH>().ok_or(SealError)?;
        let payload = Payload { msg: sealed, aad: bound_to };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| SealError)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.bytes.into())
    }
}

impl KeyId {
    /// The name that [`Self::as_str`] gave.
    pub const fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SealingKey({})", self.id)
    }
}

impl KeyRing {
    /// The keys in `keys`, the preferred one first; `None` when there is none. One given twice counts once.
    pub fn of(keys: impl IntoIterator<Item = SealingKey>) -> Option<Self> {
        let mut keys = keys.into_iter();
        let mut ring = Self { first: keys.next()?, others: Vec::new() };
        for key in keys {
            if ring.find(key.id()).is_none() {
                ring.others.push(key);
            }
        }
        Some(ring)
    }

    /// One key.
    pub const fn of_one(key: SealingKey) -> Self {
        Self { first: key, others: Vec::new() }
    }

    /// The preferred key.
    pub const fn first(&self) -> &SealingKey {
        &self.first
    }

    /// All keys, the preferred one first.
    pub fn iter(&self) -> impl Iterator<Item = &SealingKey> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The key of that name, if it is known.
    pub fn find(&self, id: &KeyId) -> Option<&SealingKey> {
        self.iter().find(|key| key.id() == id)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{KeyError, KeyRing, NONCE_LENGTH, SealError, SealingKey};

    const NONCE: [u8; NONCE_LENGTH] = [9; NONCE_LENGTH];

    #[test]
    fn a_key_is_read_in_either_form_and_shows_nothing_of_itself() {
        let key = SealingKey::from_bytes([7; 32]);
        assert_eq!(SealingKey::parse(&key.expose()), Ok(key.clone()));
        assert_eq!(SealingKey::parse(&hex::encode([7; 32])), Ok(key.clone()));
        assert_eq!(format!("{key:?}"), format!("SealingKey({})", key.id()));
        assert_eq!(key.id().as_str().len(), 16);
        for text in ["", "secret", "00", "BwcHBwcHBwcHBwcHBwcHBw==", &hex::encode([7; 33])] {
            assert_eq!(SealingKey::parse(text), Err(KeyError), "{text}");
        }
    }

    #[test]
    fn a_ring_prefers_its_first_key_and_finds_the_others() {
        let [one, two] = [1, 2].map(|byte| SealingKey::from_bytes([byte; 32]));
        assert_eq!(KeyRing::of([]), None);
        let ring = KeyRing::of([one.clone(), two.clone(), one.clone()]).expect("keys");
        assert_eq!((ring.first(), ring.iter().count()), (&one, 2));
        assert_eq!(ring.find(two.id()), Some(&two));
        assert_eq!(ring.find(SealingKey::from_bytes([3; 32]).id()), None);
    }

    /// The second vector of draft-irtf-cfrg-xchacha-03, A.3.1.
    #[test]
    fn the_known_answer_of_the_draft() {
        let key: [u8; 32] = std::array::from_fn(|place| 0x80 + place as u8);
        let nonce: [u8; 24] = std::array::from_fn(|place| 0x40 + place as u8);
        let plain = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
            sunscreen would be it.";
        let bound_to = hex::decode("50515253c0c1c2c3c4c5c6c7").expect("hex");
        let sealed = SealingKey::from_bytes(key).seal(plain, &bound_to, nonce).expect("sealed");
        assert!(hex::encode(&sealed[24..]).starts_with("bd6d179d3e83d43b9576579493c0e939"));
        assert!(hex::encode(&sealed).ends_with("c0875924c1c7987947deafd8780acf49"));
    }

    proptest! {
        #[test]
        fn only_the_same_key_and_row_open_what_is_untouched(
            plain: Vec<u8>, bound_to: Vec<u8>, key: [u8; 32], other: [u8; 32], place: prop::sample::Index, bit in 0..8_u8,
        ) {
            let (key, other) = (SealingKey::from_bytes(key), SealingKey::from_bytes(other));
            prop_assume!(key != other);
            let sealed = key.seal(&plain, &bound_to, NONCE).expect("sealed");
            prop_assert_eq!(key.open(&sealed, &bound_to), Ok(plain));
            prop_assert_eq!(other.open(&sealed, &bound_to), Err(SealError));
            prop_assert_eq!(key.open(&sealed, &[bound_to.as_slice(), b"x"].concat()), Err(SealError));
            let mut damaged = sealed.clone();
            damaged[place.index(sealed.len())] ^= 1 << bit;
            prop_assert_eq!(key.open(&damaged, &bound_to), Err(SealError));
            prop_assert_eq!(key.open(&sealed[..place.index(sealed.len())], &bound_to), Err(SealError));
        }
    }
}
