//! The rows of a commit, made of what accounts want written.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use entity::{
    account, approval, balance_alert, bound_alert, delivery, endpoint, finding_seen, held_finding, kept_answer,
    ledger_entry, ledger_tx, lot, radar, radar_feed, radar_update, set_up, type_pause, usage_month,
};
use uuid::Uuid;

use crate::RenderAlert;
use crate::outbox::hand_over::NewDeliveries;
use crate::tables::{accounts, deliveries, feeds, findings, holds, kept_answers, money, radars, updates};
use domain::account::{AccountState, Alert, Changes, MovedCursor};
use domain::ids::{AccountId, FeedId, RadarId};

/// The rows of a commit, table by table.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) now_micros: i64,
    pub(crate) accounts: Vec<account::Model>,
    pub(crate) ledger_txs: Vec<ledger_tx::Model>,
    pub(super) entries: Vec<ledger_entry::Model>,
    pub(crate) lots: Vec<lot::Model>,
    pub(crate) radars: Vec<radar::Model>,
    pub(crate) updates: Vec<radar_update::Model>,
    pub(crate) deliveries: Vec<delivery::Model>,
    pub(crate) balance_alerts: Vec<balance_alert::Model>,
    pub(crate) bound_alerts: Vec<bound_alert::Model>,
    pub(crate) endpoints: Vec<endpoint::Model>,
    pub(crate) seen: Vec<finding_seen::Model>,
    pub(crate) approvals: Vec<approval::Model>,
    pub(crate) held: Vec<held_finding::Model>,
    pub(crate) released: Vec<(Uuid, Vec<i64>)>,
    pub(crate) paused: Vec<type_pause::Model>,
    pub(super) resumed: Vec<(Uuid, Vec<String>)>,
    pub(super) new_set_ups: Vec<set_up::Model>,
    pub(super) settled_set_ups: Vec<Uuid>,
    pub(super) new_cursors: Vec<radar_feed::Model>,
    pub(super) moved_cursors: Vec<radar_feed::Model>,
    pub(crate) usage: Vec<usage_month::Model>,
    pub(crate) answers: Vec<kept_answer::Model>,
}

impl Batch {
    pub(crate) fn new(now: DateTime<Utc>) -> Self {
        Self { now_micros: now.timestamp_micros(), ..Self::default() }
    }

    /// The new deliveries, which the outbox may claim before they are written.
    pub(super) fn new_deliveries(&mut self) -> NewDeliveries<'_> {
        let Self { deliveries, updates, balance_alerts, bound_alerts, endpoints, accounts, .. } = self;
        NewDeliveries { rows: deliveries, updates, balance_alerts, bound_alerts, endpoints, accounts }
    }

    pub(super) fn changed_radars(&self) -> impl Iterator<Item = RadarId> {
        self.radars.iter().map(|row| RadarId(row.radar_id))
    }

    pub(super) fn accounts_with_changed_pauses(&self) -> impl Iterator<Item = AccountId> {
        let begun = self.paused.iter().map(|row| row.account_id);
        begun.chain(self.resumed.iter().map(|(account_id, _)| *account_id)).map(AccountId)
    }

    /// Adds what an account wants written about the account of `row`.
    pub(crate) fn add(
        &mut self,
        row: account::Model,
        state: &AccountState,
        changes: Changes,
        render_alert: RenderAlert,
    ) {
        let id = row.account_id;
        self.accounts.push(accounts::row(row, state, changes.next_expiry_at));
        for tx in &changes.ledger_txs {
            self.ledger_txs.push(money::ledger_tx_row(id, tx));
            self.entries.extend(money::entry_rows(id, tx));
        }
        self.lots.extend(changes.lots.iter().map(|lot| money::lot_row(id, lot)));
        self.radars.extend(changes.radars.iter().map(radars::radar_row));
        self.updates.extend(changes.updates.into_iter().map(|update| updates::update_row(id, update)));
        self.deliveries
            .extend(changes.deliveries.iter().map(|new| deliveries::new_delivery_row(id, new, self.now_micros)));
        for alert in &changes.alerts {
            match alert {
                Alert::Balance(about) => {
                    self.balance_alerts.push(updates::balance_alert_row(about, render_alert(alert)))
                }
                Alert::Bound(about) => self.bound_alerts.push(updates::bound_alert_row(about, render_alert(alert))),
            }
        }
        let endpoints = changes.endpoints.into_iter();
        self.endpoints
            .extend(endpoints.map(|(url, endpoint)| deliveries::endpoint_row(id, url, endpoint, self.now_micros)));
        let seen = changes.seen.into_iter();
        self.seen.extend(seen.map(|(finding, seen)| findings::seen_row(finding, seen, self.now_micros)));
        self.approvals.extend(changes.approvals.into_values().map(|finding| findings::approval_row(id, finding)));
        self.held.extend(changes.held.into_iter().map(|held| holds::held_row(id, held)));
        if !changes.released_holds.is_empty() {
            self.released.push((id, changes.released_holds));
        }
        let paused = changes.paused.into_iter();
        self.paused.extend(paused.map(|(radar_type, pause)| holds::pause_row(id, radar_type, pause)));
        if !changes.resumed.is_empty() {
            let types = changes.resumed.iter().map(|radar_type| radar_type.as_str().to_owned()).collect();
            self.resumed.push((id, types));
        }
        let new_set_ups = changes.new_set_ups.into_iter();
        self.new_set_ups.extend(new_set_ups.map(|radar_id| feeds::new_set_up_row(id, radar_id)));
        self.settled_set_ups.extend(changes.settled_set_ups.iter().map(|radar_id| radar_id.0));
        self.add_cursors(id, &changes.new_cursors, &changes.moved_cursors);
        self.usage.extend(changes.usage.into_iter().map(|(month, usage)| money::usage_row(id, month, usage)));
        let used_keys = changes.used_keys.into_iter();
        self.answers.extend(used_keys.map(|(key_hash, used)| kept_answers::used_key_row(id, key_hash, used)));
    }

    fn add_cursors(
        &mut self,
        account_id: Uuid,
        new: &[(RadarId, FeedId, i64)],
        moved: &BTreeMap<(RadarId, FeedId), MovedCursor>,
    ) {
        let at = |read_seq| MovedCursor { read_seq, filtered: 0 };
        let (new, moved) = (new.iter(), moved.iter());
        self.new_cursors.extend(
            new.map(|&(radar_id, feed_id, read_seq)| feeds::cursor_row(account_id, (radar_id, feed_id), at(read_seq))),
        );
        self.moved_cursors.extend(moved.map(|(&cursor, &moved)| feeds::cursor_row(account_id, cursor, moved)));
    }
}
