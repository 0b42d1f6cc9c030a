//! The renewal of a radar: its account decides it, in order with everything else that is due there.
//!
//! Every radar whose renewal is due asks for itself, and the ledger merges what one account asks: however many radars of an
//! account are due in one minute, it is settled once.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::parts::RadarParts;
use crate::ledger::LedgerError;
use domain::AccountId;

/// When an account is asked again that could not be settled.
const REPEAT_AFTER: Duration = Duration::from_secs(5);
/// When an account is asked again that is stopped. An operator may let it go on at any time.
const STOPPED_AFTER: Duration = Duration::from_secs(10 * 60);

/// Lets an account settle what was due at `due_at`, however long that takes.
pub(super) async fn settle(parts: &RadarParts, account_id: AccountId, due_at: DateTime<Utc>) {
    loop {
        // A clock that was set back since then has it wait: the account would find nothing due, over and over.
        parts.clock.sleep_until(due_at).await;
        let repeat_after = match parts.ledger.settle_due(account_id).await {
            Ok(Some(until)) if until >= due_at => return,
            // More became due while it was settled.
            Ok(Some(_)) => continue,
            Ok(None) => STOPPED_AFTER,
            Err(error) => {
                // A database that is away is away for all of them; that is said once for each shard.
                if !matches!(error, LedgerError::Unavailable) {
                    tracing::warn!(%account_id, %error, "due renewals could not be decided and are tried again");
                }
                REPEAT_AFTER
            }
        };
        parts.clock.sleep(repeat_after).await;
    }
}
