//! The rows of a commit, made of what accounts want written.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use entity::{
    account, balance_alert, bound_alert, delivery, endpoint, finding_seen, held_finding, judged_finding, kept_answer,
    ledger_entry, ledger_tx, lot, radar, radar_feed, radar_update, set_up, type_pause, usage_month,
};
use uuid::Uuid;

use crate::RenderAlert;
use crate::accounts::kept_answers;
use crate::database::rows;
use crate::outbox::hand_over::NewDeliveries;
use crate::outbox::new_rows::{delivery_row, endpoint_row};
use crate::queries::approvals;
use domain::account::{AccountState, Alert, Changes, HeldFinding, MovedCursor, NewUpdate, UsageDelta};
use domain::ids::{AccountId, FeedId, RadarId};
use domain::money::balance_alert::BalanceAlert;
use domain::money::ledger::LedgerTx;
use domain::radar::daily_bound::BoundAlert;

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
    pub(crate) approvals: Vec<judged_finding::Model>,
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
        self.accounts.push(account_row(row, state, changes.next_expiry_at));
        for tx in &changes.ledger_txs {
            self.ledger_txs.push(ledger_tx_row(id, tx));
            self.entries.extend(entry_rows(id, tx));
        }
        self.lots.extend(changes.lots.iter().map(|lot| rows::lot_row(id, lot)));
        self.radars.extend(changes.radars.iter().map(rows::radar_row));
        self.updates.extend(changes.updates.into_iter().map(|update| update_row(id, update)));
        self.deliveries.extend(changes.deliveries.iter().map(|new| delivery_row(id, new, self.now_micros)));
        for alert in &changes.alerts {
            match alert {
                Alert::Balance(about) => self.balance_alerts.push(balance_alert_row(about, render_alert(alert))),
                Alert::Bound(about) => self.bound_alerts.push(bound_alert_row(about, render_alert(alert))),
            }
        }
        let endpoints = changes.endpoints.into_iter();
        self.endpoints.extend(endpoints.map(|(url, endpoint)| endpoint_row(id, url, endpoint, self.now_micros)));
        self.seen.extend(changes.seen.into_iter().map(|((radar_id, record_id), seen)| finding_seen::Model {
            radar_id: radar_id.0,
            record_id,
            outcome: seen.outcome.as_str().to_owned(),
            update_id: seen.update_id.0,
            seen_at: self.now_micros,
            event_id: seen.event.as_ref().map(|event| event.id),
            event_part: seen.event.and_then(|event| event.part),
        }));
        self.approvals.extend(changes.approvals.into_values().map(|finding| approvals::row(id, finding)));
        self.held.extend(changes.held.into_iter().map(|held| held_row(id, held)));
        if !changes.released_holds.is_empty() {
            self.released.push((id, changes.released_holds));
        }
        self.paused.extend(changes.paused.into_iter().map(|(radar_type, pause)| type_pause::Model {
            account_id: id,
            radar_type: radar_type.as_str().to_owned(),
            since: pause.since.timestamp_micros(),
            rate_micros: pause.rate.micros(),
        }));
        if !changes.resumed.is_empty() {
            let types = changes.resumed.iter().map(|radar_type| radar_type.as_str().to_owned()).collect();
            self.resumed.push((id, types));
        }
        // Due at once, before whatever is tried again.
        let due = |radar_id: RadarId| set_up::Model { radar_id: radar_id.0, account_id: id, ..Default::default() };
        self.new_set_ups.extend(changes.new_set_ups.into_iter().map(due));
        self.settled_set_ups.extend(changes.settled_set_ups.iter().map(|radar_id| radar_id.0));
        self.add_cursors(id, &changes.new_cursors, &changes.moved_cursors);
        self.usage.extend(changes.usage.into_iter().map(|(month, usage)| usage_row(id, month, usage)));
        let used_keys = changes.used_keys.into_iter();
        self.answers.extend(used_keys.map(|(key_hash, used)| kept_answers::used_key_row(id, key_hash, used)));
    }

    fn add_cursors(
        &mut self,
        account_id: Uuid,
        new: &[(RadarId, FeedId, i64)],
        moved: &BTreeMap<(RadarId, FeedId), MovedCursor>,
    ) {
        let row = |radar_id: RadarId, feed_id: FeedId, moved: MovedCursor| radar_feed::Model {
            radar_id: radar_id.0,
            feed_id: feed_id.0,
            account_id,
            read_seq: moved.read_seq,
            filtered_items: moved.filtered,
        };
        let at = |read_seq| MovedCursor { read_seq, filtered: 0 };
        self.new_cursors.extend(new.iter().map(|&(radar_id, feed_id, read_seq)| row(radar_id, feed_id, at(read_seq))));
        self.moved_cursors.extend(moved.iter().map(|(&(radar_id, feed_id), &moved)| row(radar_id, feed_id, moved)));
    }
}

/// What the lock guards; the operator's other settings in the same row stay as they are.
fn account_row(mut row: account::Model, state: &AccountState, next_expiry_at: Option<DateTime<Utc>>) -> account::Model {
    row.status = state.status.as_str().to_owned();
    row.balance_micros = state.balance.micros();
    row.tx_seq = state.tx_seq;
    row.update_seq = state.update_seq;
    row.hold_seq = state.hold_seq;
    row.lot_no = state.lot_no;
    row.active_radars = state.active_radars;
    row.ended_radars = state.ended_radars;
    row.last_at = state.last_at.timestamp_micros();
    row.head_hash = state.head_hash.as_bytes().to_vec();
    row.next_expiry_at = next_expiry_at.map(|at| at.timestamp_micros());
    row
}

fn ledger_tx_row(account_id: Uuid, tx: &LedgerTx) -> ledger_tx::Model {
    ledger_tx::Model {
        account_id,
        tx_seq: tx.tx_seq,
        op_key: tx.op_key.clone(),
        kind: tx.kind.as_str().to_owned(),
        amount_micros: tx.amount.micros(),
        balance_after_micros: tx.balance_after.micros(),
        at: tx.at.timestamp_micros(),
        due_at: tx.due_at.timestamp_micros(),
        radar_id: tx.radar.map(|(radar_id, _)| radar_id.0),
        radar_type: tx.radar.map(|(_, radar_type)| radar_type.as_str().to_owned()),
        update_id: tx.update_id.map(|update_id| update_id.0),
        hash: tx.hash.as_bytes().to_vec(),
    }
}

fn entry_rows(account_id: Uuid, tx: &LedgerTx) -> impl Iterator<Item = ledger_entry::Model> {
    (1..).zip(&tx.entries).map(move |(entry_no, entry)| ledger_entry::Model {
        account_id,
        tx_seq: tx.tx_seq,
        leg: entry_no,
        bucket: entry.bucket.as_str().to_owned(),
        lot_no: entry.lot_no,
        amount_micros: entry.amount.micros(),
    })
}

fn update_row(account_id: Uuid, update: NewUpdate) -> radar_update::Model {
    radar_update::Model {
        account_id,
        update_seq: update.update_seq,
        update_id: update.update_id.0,
        radar_id: update.radar_id.0,
        radar_type: update.radar_type.as_str().to_owned(),
        domain: update.domain,
        update_type: update.update_type.as_str().to_owned(),
        discovered_at: update.discovered_at.timestamp_micros(),
        detected_at: update.detected_at.timestamp_micros(),
        tx_seq: update.tx_seq,
        body: update.body,
    }
}

fn balance_alert_row(alert: &BalanceAlert, body: String) -> balance_alert::Model {
    balance_alert::Model {
        alert_id: alert.alert_id.0,
        account_id: alert.account_id.0,
        tx_seq: alert.tx_seq,
        threshold_micros: alert.threshold.micros(),
        balance_micros: alert.balance.micros(),
        crossed_at: alert.crossed_at.timestamp_micros(),
        body,
    }
}

fn bound_alert_row(alert: &BoundAlert, body: String) -> bound_alert::Model {
    bound_alert::Model {
        alert_id: alert.alert_id.0,
        account_id: alert.account_id.0,
        radar_id: alert.radar_id.0,
        created_at: alert.exceeded_at.timestamp_micros(),
        body,
    }
}

fn held_row(account_id: Uuid, held: HeldFinding) -> held_finding::Model {
    held_finding::Model {
        account_id,
        hold_seq: held.hold_seq,
        radar_id: held.radar_id.0,
        radar_type: held.radar_type.as_str().to_owned(),
        record_id: held.finding.record_id,
        rate_micros: held.rate.micros(),
        content: held.finding.content,
        detected_at: held.finding.detected_at.timestamp_micros(),
        origin: held.finding.origin.as_str().to_owned(),
        reason: held.reason.as_str().to_owned(),
    }
}

fn usage_row(account_id: Uuid, month: String, usage: UsageDelta) -> usage_month::Model {
    usage_month::Model {
        account_id,
        month,
        radars_activated: usage.radars_activated,
        radars_deactivated: usage.radars_deactivated,
        radars_failed: usage.radars_failed,
        updates_found: usage.updates_found,
        used_micros: usage.used_micros,
    }
}
