//! Slices of the accounts, each the duty of one shard of the radars.
//!
//! A radar's row holds the shard of its account, so what is due is looked for by shard: another number of shards would need
//! those rows written anew.

use crate::ids::AccountId;

/// How many shards the accounts are spread over.
pub const SHARDS: i64 = 256;

/// The shard of an account: the last byte of its identifier, which is random.
pub fn shard_of(account_id: AccountId) -> i64 {
    i64::from(account_id.0.as_bytes()[15]) % SHARDS
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{SHARDS, shard_of};
    use crate::ids::AccountId;

    #[test]
    fn every_shard_has_accounts_and_none_is_beyond_the_last() {
        let shards: Vec<i64> = (0..=255).map(|byte| shard_of(AccountId(Uuid::from_u128(byte)))).collect();
        assert_eq!(shards, (0..SHARDS).collect::<Vec<_>>());
    }
}
