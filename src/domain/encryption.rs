//! Secrets at rest: encrypted with XChaCha20-Poly1305 under a key that is not in the database.
//!
//! Duty: keys and their names, encryption and decryption. Pure: the caller draws every nonce. An encrypted secret is the nonce and
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

/// A key that secrets are encrypted with. Its `Debug` shows its name alone.
#[derive(Clone, PartialEq, Eq)]
pub struct EncryptionKey {
    bytes: [u8; KEY_LENGTH],
    id: KeyId,
}

/// The name of a key, which tells nothing of the key: hexadecimal digits of a hash over it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyId(String);

/// Keys that a process knows, the one that it prefers first. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRing {
    first: EncryptionKey,
    others: Vec<EncryptionKey>,
}

/// Why a text is no key. Says nothing of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 32 random bytes in base64 or hexadecimal")]
pub struct KeyError;

/// A secret cannot be encrypted, or cannot be decrypted: another key, another row, or damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a secret does not open with its key")]
pub struct CipherError;

impl EncryptionKey {
    /// The key made of random bytes, which the caller draws from the system's source.
    pub fn from_bytes(bytes: [u8; KEY_LENGTH]) -> Self {
        let hash = Sha256::new().chain_update(ID_CONTEXT).chain_update(bytes).finalize();
        Self { bytes, id: KeyId(hex::encode(&hash[..ID_LENGTH])) }
    }

    /// Reads a key as people write it: base64 or hexadecimal.
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

    /// Encrypts `plain` so that it is decrypted only together with `bound_to`. A nonce must never be used twice.
    ///
    /// # Errors
    /// [`CipherError`] for a text of many gigabytes.
    pub fn encrypt(&self, plain: &[u8], bound_to: &[u8], nonce: [u8; NONCE_LENGTH]) -> Result<Vec<u8>, CipherError> {
        let payload = Payload { msg: plain, aad: bound_to };
        let encrypted = self.cipher().encrypt(&XNonce::from(nonce), payload).map_err(|_| CipherError)?;
        Ok([nonce.as_slice(), &encrypted].concat())
    }

    /// What was encrypted.
    ///
    /// # Errors
    /// [`CipherError`] when it was encrypted with another key or bound to something else, or was changed since.
    pub fn decrypt(&self, encrypted: &[u8], bound_to: &[u8]) -> Result<Vec<u8>, CipherError> {
        let (nonce, encrypted) = encrypted.split_first_chunk::<NONCE_LENGTH>().ok_or(CipherError)?;
        let payload = Payload { msg: encrypted, aad: bound_to };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| CipherError)
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

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "EncryptionKey({})", self.id)
    }
}

impl KeyRing {
    /// The keys in `keys`, the preferred one first; `None` when there is none. One given twice counts once.
    pub fn of(keys: impl IntoIterator<Item = EncryptionKey>) -> Option<Self> {
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
    pub const fn of_one(key: EncryptionKey) -> Self {
        Self { first: key, others: Vec::new() }
    }

    /// The preferred key.
    pub const fn first(&self) -> &EncryptionKey {
        &self.first
    }

    /// All keys, the preferred one first.
    pub fn iter(&self) -> impl Iterator<Item = &EncryptionKey> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The key of that name, if it is known.
    pub fn find(&self, id: &KeyId) -> Option<&EncryptionKey> {
        self.iter().find(|key| key.id() == id)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CipherError, EncryptionKey, KeyError, KeyRing, NONCE_LENGTH};

    const NONCE: [u8; NONCE_LENGTH] = [9; NONCE_LENGTH];

    #[test]
    fn a_key_is_read_in_either_form_and_shows_nothing_of_itself() {
        let key = EncryptionKey::from_bytes([7; 32]);
        assert_eq!(EncryptionKey::parse(&key.expose()), Ok(key.clone()));
        assert_eq!(EncryptionKey::parse(&hex::encode([7; 32])), Ok(key.clone()));
        assert_eq!(format!("{key:?}"), format!("EncryptionKey({})", key.id()));
        assert_eq!(key.id().as_str().len(), 16);
        for text in ["", "secret", "00", "BwcHBwcHBwcHBwcHBwcHBw==", &hex::encode([7; 33])] {
            assert_eq!(EncryptionKey::parse(text), Err(KeyError), "{text}");
        }
    }

    #[test]
    fn a_ring_prefers_its_first_key_and_finds_the_others() {
        let [one, two] = [1, 2].map(|byte| EncryptionKey::from_bytes([byte; 32]));
        assert_eq!(KeyRing::of([]), None);
        let ring = KeyRing::of([one.clone(), two.clone(), one.clone()]).expect("keys");
        assert_eq!((ring.first(), ring.iter().count()), (&one, 2));
        assert_eq!(ring.find(two.id()), Some(&two));
        assert_eq!(ring.find(EncryptionKey::from_bytes([3; 32]).id()), None);
    }

    /// The second vector of draft-irtf-cfrg-xchacha-03, A.3.1.
    #[test]
    fn the_known_answer_of_the_draft() {
        let key: [u8; 32] = std::array::from_fn(|place| 0x80 + place as u8);
        let nonce: [u8; 24] = std::array::from_fn(|place| 0x40 + place as u8);
        let plain = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
            sunscreen would be it.";
        let bound_to = hex::decode("50515253c0c1c2c3c4c5c6c7").expect("hex");
        let encrypted = EncryptionKey::from_bytes(key).encrypt(plain, &bound_to, nonce).expect("encrypted");
        assert!(hex::encode(&encrypted[24..]).starts_with("bd6d179d3e83d43b9576579493c0e939"));
        assert!(hex::encode(&encrypted).ends_with("c0875924c1c7987947deafd8780acf49"));
    }

    proptest! {
        #[test]
        fn only_the_same_key_and_row_open_what_is_untouched(
            plain: Vec<u8>, bound_to: Vec<u8>, key: [u8; 32], other: [u8; 32], place: prop::sample::Index, bit in 0..8_u8,
        ) {
            let (key, other) = (EncryptionKey::from_bytes(key), EncryptionKey::from_bytes(other));
            prop_assume!(key != other);
            let encrypted = key.encrypt(&plain, &bound_to, NONCE).expect("encrypted");
            prop_assert_eq!(key.decrypt(&encrypted, &bound_to), Ok(plain));
            prop_assert_eq!(other.decrypt(&encrypted, &bound_to), Err(CipherError));
            prop_assert_eq!(key.decrypt(&encrypted, &[bound_to.as_slice(), b"x"].concat()), Err(CipherError));
            let mut damaged = encrypted.clone();
            damaged[place.index(encrypted.len())] ^= 1 << bit;
            prop_assert_eq!(key.decrypt(&damaged, &bound_to), Err(CipherError));
            prop_assert_eq!(key.decrypt(&encrypted[..place.index(encrypted.len())], &bound_to), Err(CipherError));
        }
    }
}
