//! Slices of the accounts, and of the hosts that are asked: each the duty of one process at a time.
//!
//! A radar's row holds the shard of its account and a feed's row that of its host, so what is due is looked for by shard:
//! another number of shards would need those rows written anew.

use uuid::Uuid;

use crate::ids::AccountId;

/// How many shards the accounts and the hosts are spread over.
pub const SHARDS: i64 = 256;
/// The shard whose owner does what one process has to do for all.
pub const DUTIES_SHARD: i64 = 0;

/// The shard of an account: the last byte of its identifier, which is random.
pub fn shard_of(account_id: AccountId) -> i64 {
    i64::from(account_id.0.as_bytes()[15]) % SHARDS
}

/// The shard of a host: only the process that owns it polls the host.
pub fn shard_of_host(host: &str) -> i64 {
    i64::from(Uuid::new_v5(&Uuid::NAMESPACE_DNS, host.as_bytes()).as_bytes()[15]) % SHARDS
}

/// How many shards each of so many processes owns at most.
pub fn share_of(processes: i64) -> usize {
    usize::try_from((SHARDS as u64).div_ceil(processes.max(1).unsigned_abs())).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{SHARDS, shard_of, shard_of_host, share_of};
    use crate::ids::AccountId;

    #[test]
    fn every_shard_has_accounts_and_none_is_beyond_the_last() {
        let shards: Vec<i64> = (0..=255).map(|byte| shard_of(AccountId(Uuid::from_u128(byte)))).collect();
        assert_eq!(shards, (0..SHARDS).collect::<Vec<_>>());
    }

    #[test]
    fn a_host_keeps_its_shard_for_good() {
        for (host, shard) in [("boards-api.greenhouse.io", 148), ("api.lever.co", 50)] {
            assert_eq!(shard_of_host(host), shard, "{host}");
        }
    }

    #[test]
    fn the_shares_of_all_processes_leave_no_shard_out() {
        for (processes, share) in [(0, 256), (1, 256), (2, 128), (3, 86), (8, 32), (256, 1), (1_000, 1)] {
            assert_eq!(share_of(processes), share, "{processes}");
            assert!(processes == 0 || share as i64 * processes >= SHARDS);
        }
    }
}
