//! What the commands of a transaction have to know of their accounts.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::ids::{AccountId, RadarId, UpdateId};

/// What commands read, those to all accounts together, besides what is read of every account. What is unique only within its
/// account stands with that.
#[derive(Clone, Debug, Default)]
pub struct ReadSet {
    /// Radars, with their endpoints.
    pub radars: BTreeSet<RadarId>,
    /// Targets, of which it is asked which radar watches them.
    pub target_keys: BTreeSet<(AccountId, String)>,
    /// Keys of ledger transactions that may exist, with the lots that they took from.
    pub op_keys: BTreeSet<(AccountId, String)>,
    /// Findings of radars that may have been seen before.
    pub findings: BTreeSet<(RadarId, Uuid)>,
    /// Events that radars may have reported lately.
    pub events: BTreeSet<(RadarId, Uuid)>,
    /// Radars of which it is asked how far they have read their feeds.
    pub cursors: BTreeSet<RadarId>,
    /// Radars whose set-up may wait.
    pub set_ups: BTreeSet<RadarId>,
    /// Webhook addresses.
    pub webhook_urls: BTreeSet<(AccountId, String)>,
    /// Hashes of idempotency keys that may have been used.
    pub key_hashes: BTreeSet<(AccountId, String)>,
    /// Findings that wait or have waited for approval, with their radars.
    pub approvals: BTreeSet<UpdateId>,
    /// Radars that release what they hold beyond the bound of a day, whether or not it is over.
    pub releases: BTreeSet<RadarId>,
    /// Whether held findings can be released.
    pub held_findings: bool,
    /// How many charges the commands to each account can ask for at most.
    pub charges_max: BTreeMap<AccountId, u64>,
}
