//! The operator's keys, and what each is good for.

use hmac::digest::CtOutput;
use sha2::{Digest, Sha256};

use domain::Scopes;

/// What `x-operator-key` may hold.
#[derive(Clone)]
pub struct OperatorKeys(Vec<(CtOutput<Sha256>, Scopes)>);

impl OperatorKeys {
    /// The key that is good for everything, and the one that only reads.
    pub fn new(key: &str, read_only: Option<&str>) -> Self {
        let read_only = read_only.map(|key| (digest(key.as_bytes()), Scopes::READ));
        Self([(digest(key.as_bytes()), Scopes::ALL)].into_iter().chain(read_only).collect())
    }

    /// What `given` is good for; `None`: it is no key. Digests are compared in constant time, so that timing reveals neither the
    /// length nor a matching part of a key.
    pub(super) fn scopes_of(&self, given: &[u8]) -> Option<Scopes> {
        let given = digest(given);
        self.0.iter().find(|(key, _)| *key == given).map(|(_, scopes)| *scopes)
    }

    /// What names a key without telling it: the beginning of its digest.
    pub(super) fn id_of(given: &[u8]) -> String {
        hex::encode(&Sha256::digest(given)[..4])
    }
}

fn digest(text: &[u8]) -> CtOutput<Sha256> {
    CtOutput::new(Sha256::digest(text))
}
