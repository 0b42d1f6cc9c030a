//! What the housekeeper looks for across all accounts.

use chrono::{DateTime, TimeDelta, Utc};

use crate::{Result, Store};
use domain::AccountId;

/// Accounts with an expired lot, with a pause whose price the balance covers, with a renewal that is overdue, or with a radar
/// whose day is over and that still holds what it has found beyond the bound. Pauses of stopped accounts stay.
const DUE_WORK: &str = "select account_id from account where frozen_reason is null and (
        next_expiry_at <= ?
        or status = 'active' and exists (select 1 from type_pause p where p.account_id = account.account_id
            and (p.rate_micros <= account.balance_micros or not exists (
                select 1 from held_finding h
                where h.account_id = p.account_id and h.reason = 'money' and h.radar_type = p.radar_type)))
        or status = 'active' and exists (select 1 from radar r where r.account_id = account.account_id
            and r.release_at <= ? and (r.model = 'subscription' or not exists (select 1 from type_pause p
                where p.account_id = r.account_id and p.radar_type = r.radar_type)))
        or exists (select 1 from radar r where r.account_id = account.account_id and r.next_charge_at <= ?))
    order by account_id limit ?";

/// A renewal is left to its radar for this long before its account is settled.
const RENEWAL_GRACE: TimeDelta = TimeDelta::minutes(1);

impl Store {
    /// The accounts in which something is due and not decided.
    pub async fn all_accounts_with_due_work(&self, now: DateTime<Utc>, limit: u64) -> Result<Vec<AccountId>> {
        let late = now - RENEWAL_GRACE;
        self.all(DUE_WORK, (now, late, late, limit)).await
    }

    /// The last instant that any account has given to anything.
    pub async fn all_last_at(&self) -> Result<Option<DateTime<Utc>>> {
        Ok(self.first("select max(last_at) from account", ()).await?.flatten())
    }
}
