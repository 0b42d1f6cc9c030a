//! What is known of an account from its rows alone: the state as of the last commit, and everything that was ever
//! appended, also what has been purged since.

use std::collections::{BTreeMap, BTreeSet};

use entity::{account, approval, balance_alert, held_finding, ledger_entry, ledger_tx, radar};
use uuid::Uuid;

use super::accounts::{Accounts, Wanted};
use super::model::HOLD_LIFE;
use super::state::DAY;

/// How long updates are kept (Spec 6.4).
const RETENTION: i64 = 60 * DAY;

/// A hold as it was last seen.
pub struct Hold {
    pub row: held_finding::Model,
    /// The last update when it was first seen to be held for the reason it has now.
    pub joined_at: i64,
}

/// The history of one account.
#[derive(Default)]
pub struct Chronicle {
    pub account_id: Uuid,
    /// The instant of the last look.
    pub now: i64,
    /// The latest instant of any look: the clocks of two processes differ.
    pub latest: i64,
    /// By how much the clocks of two processes differ at most: what one ends may have been charged by another later than that,
    /// and what one keeps another removes.
    pub clocks_differ_by: i64,
    /// When the first renewal was due that the last commit has left to another one.
    pub left_from: Option<i64>,
    /// State tables as of the last look, append-only tables from the beginning.
    pub accounts: Accounts,
    /// Every hold that was ever seen waiting, by what it would publish.
    pub holds: BTreeMap<(Uuid, Uuid), Hold>,
    /// Whether an operator has set something about the account since the last look.
    has_new_settings: bool,
    /// What has a delivery.
    delivered: BTreeSet<Uuid>,
    /// Radars that retention has removed; their rows are kept among the accounts.
    pub purged: BTreeSet<Uuid>,
}

impl Chronicle {
    pub fn new(account_id: Uuid) -> Self {
        Self { account_id, ..Self::default() }
    }

    /// What a look at the database must bring: everything that changed since the last one.
    pub fn wanted(&self) -> Wanted {
        let after_tx = self.accounts.ledger_txs.last().map_or(0, |tx| tx.tx_seq);
        let after_update = self.accounts.updates.last().map_or(0, |update| update.update_seq);
        Wanted { account_id: self.account_id, after_tx, after_update }
    }

    /// The account row holds what operators set as well.
    pub fn settings_changed(&mut self) {
        self.has_new_settings = true;
    }

    /// Everything, from the beginning.
    pub fn wanted_whole(&self) -> Wanted {
        Wanted { account_id: self.account_id, after_tx: 0, after_update: 0 }
    }

    /// Takes what changed since the last look.
    pub fn take(&mut self, mut accounts: Accounts, now: i64) {
        let mut before = std::mem::take(&mut self.accounts);
        before.ledger_txs.append(&mut accounts.ledger_txs);
        before.entries.append(&mut accounts.entries);
        before.updates.append(&mut accounts.updates);
        before.alerts.append(&mut accounts.alerts);
        // Retention removes these by and by.
        accounts.bound_alerts.retain(|alert| !before.bound_alerts.contains(alert));
        before.bound_alerts.append(&mut accounts.bound_alerts);
        accounts.deliveries.retain(|delivery| self.delivered.insert(delivery.update_id));
        before.deliveries.append(&mut accounts.deliveries);
        let kept: BTreeSet<Uuid> = accounts.radars.iter().map(|radar| radar.radar_id).collect();
        for gone in std::mem::take(&mut before.radars).into_iter().filter(|radar| !kept.contains(&radar.radar_id)) {
            self.purged.insert(gone.radar_id);
            accounts.radars.push(gone);
        }
        let seen = std::mem::take(&mut before.seen).into_iter();
        accounts.seen.extend(seen.filter(|row| self.purged.contains(&row.radar_id)));
        let Accounts { ledger_txs, entries, updates, deliveries, alerts, bound_alerts, .. } = before;
        self.accounts = Accounts { ledger_txs, entries, updates, deliveries, alerts, bound_alerts, ..accounts };
        self.now = now;
        self.latest = self.latest.max(now);
        self.has_new_settings = false;
        let last_update = self.accounts.updates.last().map_or(0, |update| update.update_seq);
        for row in &self.accounts.held {
            let new = || Hold { row: row.clone(), joined_at: last_update };
            let hold = self.holds.entry((row.radar_id, row.record_id)).or_insert_with(new);
            if hold.row.reason != row.reason {
                hold.joined_at = last_update;
            }
            hold.row = row.clone();
        }
    }

    /// Whether the whole of the database is what was seen piece by piece: nothing rewritten, nothing lost.
    pub fn is_kept(&self, whole: &Accounts) -> Result<(), String> {
        let mine = &self.accounts;
        let same = |what: &str, is_same: bool| if is_same { Ok(()) } else { Err(format!("{what} changed afterwards")) };
        same("ledger transactions", whole.ledger_txs == mine.ledger_txs)?;
        same("entries", whole.entries == mine.entries)?;
        let account = |accounts: &Accounts| {
            // Retention moves these by itself.
            accounts.account.clone().map(|row| account::Model { ended_radars: 0, purged_radars: 0, ..row })
        };
        same("the account", self.has_new_settings || account(whole) == account(mine))?;
        same("lots", whole.lots == mine.lots)?;
        same("holds", whole.held == mine.held)?;
        same("pauses", whole.pauses == mine.pauses)?;
        same("usage", whole.usage == mine.usage)?;
        let is_kept = |row: &&approval::Model| row.detected_at + HOLD_LIFE > self.now;
        let (stored, known) = (whole.approvals.iter().filter(is_kept), mine.approvals.iter().filter(is_kept));
        same("findings for approval", stored.eq(known))?;
        let is_known = |row: &balance_alert::Model| mine.alerts.contains(row);
        same("alerts", whole.alerts.iter().all(is_known))?;
        let is_due = |discovered_at: i64| discovered_at + RETENTION <= self.now + self.clocks_differ_by;
        let purged = mine.updates.len().saturating_sub(whole.updates.len());
        same("updates", whole.updates == mine.updates[purged..])?;
        match mine.updates[..purged].iter().find(|update| !is_due(update.discovered_at)) {
            Some(early) => Err(format!("update {} was purged too early", early.update_seq)),
            None => Ok(()),
        }
    }

    /// Whether an update may have been purged by now.
    pub fn may_be_purged(&self, update_seq: i64, now: i64) -> bool {
        let index = usize::try_from(update_seq - 1).unwrap_or_default();
        self.accounts
            .updates
            .get(index)
            .is_some_and(|update| update.discovered_at + RETENTION <= now + self.clocks_differ_by)
    }

    /// Whether a radar may have been removed by now.
    pub fn may_be_gone(&self, radar_id: Uuid, now: i64) -> bool {
        let ended_at = self.radar(radar_id).and_then(|radar| radar.deactivated_at);
        ended_at.is_some_and(|ended_at| ended_at + RETENTION <= now + self.clocks_differ_by)
    }

    pub fn radar(&self, radar_id: Uuid) -> Option<&radar::Model> {
        self.accounts.radars.iter().find(|radar| radar.radar_id == radar_id)
    }

    /// The entries of a ledger transaction.
    pub fn entries(&self, tx_seq: i64) -> &[ledger_entry::Model] {
        let entries = &self.accounts.entries;
        let first = entries.partition_point(|entry| entry.tx_seq < tx_seq);
        let count = entries[first..].partition_point(|entry| entry.tx_seq == tx_seq);
        &entries[first..first + count]
    }

    pub fn ledger_tx(&self, op_key: &str) -> Option<&ledger_tx::Model> {
        self.accounts.ledger_txs.iter().find(|tx| tx.op_key == op_key)
    }
}
