//! Owners of API keys that were looked up lately (Spec 5).
//!
//! A look-up is cached for a fifth of a second; a key that is revoked through this process leaves the cache at once.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use parking_lot::Mutex;

use store::KeyOwner;

/// How long a look-up is cached, and so the longest that a key revoked through another process still works.
const BELIEVED_FOR: Duration = Duration::milliseconds(200);

/// Owners of recently used keys, by the hash of the key. Clones share the cache.
#[derive(Clone, Default)]
pub struct KeyCache {
    known: Arc<Mutex<Known>>,
}

#[derive(Default)]
struct Known {
    owners: HashMap<String, (KeyOwner, DateTime<Utc>)>,
    /// How often the cache was cleared: a look-up that was under way meanwhile is not cached.
    forgotten: u64,
}

impl KeyCache {
    /// Empties the cache. Call it after a key or an account was changed.
    pub fn clear(&self) {
        let mut known = self.known.lock();
        known.owners.clear();
        known.forgotten += 1;
    }

    /// The cached owner; otherwise the ticket with which to cache a look-up.
    pub(super) fn get(&self, key_hash: &str, now: DateTime<Utc>) -> Result<KeyOwner, u64> {
        let known = self.known.lock();
        let is_believed =
            |looked_up_at: DateTime<Utc>| (Duration::zero()..BELIEVED_FOR).contains(&(now - looked_up_at));
        match known.owners.get(key_hash) {
            Some((owner, looked_up_at)) if is_believed(*looked_up_at) => Ok(*owner),
            _ => Err(known.forgotten),
        }
    }

    pub(super) fn remember(&self, key_hash: String, owner: KeyOwner, now: DateTime<Utc>, ticket: u64) {
        let mut known = self.known.lock();
        if known.forgotten == ticket {
            known.owners.insert(key_hash, (owner, now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BELIEVED_FOR, KeyCache};
    use chrono::{DateTime, Duration};
    use domain::{AccountId, KeyKind, OwnLimits, Scopes};
    use store::KeyOwner;
    use uuid::Uuid;

    #[test]
    fn spec_5_a_look_up_is_believed_for_a_moment_and_until_it_is_forgotten() {
        let (cache, at) = (KeyCache::default(), DateTime::UNIX_EPOCH);
        let owner = KeyOwner {
            account_id: AccountId(Uuid::from_u128(1)),
            kind: KeyKind::Program,
            is_active: true,
            expires_at: None,
            scopes: Scopes::ALL,
            limits: OwnLimits::default(),
        };
        let ticket = cache.get("a", at).expect_err("unknown");
        cache.remember("a".into(), owner, at, ticket);
        assert_eq!(cache.get("a", at + BELIEVED_FOR - Duration::microseconds(1)), Ok(owner));
        assert!(cache.get("a", at + BELIEVED_FOR).is_err());
        assert!(cache.get("a", at - Duration::microseconds(1)).is_err());
        cache.clear();
        assert!(cache.get("a", at).is_err());
        cache.remember("a".into(), owner, at, ticket);
        assert!(cache.get("a", at).is_err(), "the look-up began before the key was revoked");
    }
}
