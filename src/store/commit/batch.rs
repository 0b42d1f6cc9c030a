//! The rows of a commit, made of what accounts want written.

use chrono::{DateTime, Utc};
use entity::{
    account, approval, balance_alert, bound_alert, delivery, endpoint, finding_seen, held_finding, kept_answer,
    ledger_entry, ledger_tx, lot, radar, radar_feed, radar_update, set_up, type_pause, usage_month,
};
use sea_orm::{EntityTrait, ModelTrait};
use uuid::Uuid;

use crate::RenderAlert;
use crate::outbox::hand_over::NewDeliveries;
use crate::tables::findings::Seen;
use crate::tables::stored::Stored;
use crate::tables::{accounts, deliveries, feeds, radars, updates};
use domain::account::{AccountState, Alert, Changes, MovedCursor, SeenFinding};
use domain::ids::{AccountId, RadarId};

/// The rows of a commit, table by table.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) now: DateTime<Utc>,
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
        Self { now, ..Self::default() }
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
        let (id, now, now_micros) = (state.account_id, self.now, self.now.timestamp_micros());
        self.accounts.push(accounts::row(row, state, changes.next_expiry_at));
        for tx in changes.ledger_txs {
            let entries = (1..).zip(&tx.entries).map(|(entry_no, entry)| (id, tx.tx_seq, entry_no, *entry));
            add(&mut self.entries, entries);
            self.ledger_txs.push(ledger_tx::Entity::row((id, tx)));
        }
        add(&mut self.lots, of(id, changes.lots));
        self.radars.extend(changes.radars.iter().map(radars::radar_row));
        add(&mut self.updates, of(id, changes.updates));
        self.deliveries
            .extend(changes.deliveries.iter().map(|new| deliveries::new_delivery_row(id.0, new, now_micros)));
        for alert in changes.alerts {
            let body = render_alert(&alert);
            match alert {
                Alert::Balance(about) => add(&mut self.balance_alerts, [(about, body)]),
                Alert::Bound(about) => self.bound_alerts.push(updates::bound_alert_row(&about, body)),
            }
        }
        let endpoints = changes.endpoints.into_iter();
        self.endpoints
            .extend(endpoints.map(|(url, endpoint)| deliveries::endpoint_row(id.0, url, endpoint, now_micros)));
        let seen = |(finding, SeenFinding { outcome, update_id, event })| {
            let (event_id, event_part) = event.map(|event| (event.id, event.part)).unzip();
            (finding, Seen { outcome, update_id, seen_at: now, event_id, event_part: event_part.flatten() })
        };
        add(&mut self.seen, changes.seen.into_iter().map(seen));
        add(&mut self.approvals, of(id, changes.approvals.into_values()));
        add(&mut self.held, of(id, changes.held));
        if !changes.released_holds.is_empty() {
            self.released.push((id.0, changes.released_holds));
        }
        add(&mut self.paused, of(id, changes.paused));
        if !changes.resumed.is_empty() {
            let types = changes.resumed.iter().map(|radar_type| radar_type.as_str().to_owned()).collect();
            self.resumed.push((id.0, types));
        }
        let new_set_ups = changes.new_set_ups.into_iter();
        self.new_set_ups.extend(new_set_ups.map(|radar_id| feeds::new_set_up_row(id, radar_id)));
        self.settled_set_ups.extend(changes.settled_set_ups.iter().map(|radar_id| radar_id.0));
        let new_cursors = changes.new_cursors.into_iter();
        let begun = |(radar_id, feed_id, read_seq)| ((radar_id, feed_id), MovedCursor { read_seq, filtered: 0 });
        add(&mut self.new_cursors, of(id, new_cursors.map(begun)));
        add(&mut self.moved_cursors, of(id, changes.moved_cursors));
        add(&mut self.usage, of(id, changes.usage));
        add(&mut self.answers, of(id, changes.used_keys));
    }
}

/// The same values, each with the account that it is of.
fn of<V>(account_id: AccountId, values: impl IntoIterator<Item = V>) -> impl Iterator<Item = (AccountId, V)> {
    values.into_iter().map(move |value| (account_id, value))
}

/// Adds values to the rows of their table.
fn add<M: ModelTrait>(rows: &mut Vec<M>, values: impl IntoIterator<Item = <M::Entity as Stored>::Value>)
where
    M::Entity: Stored + EntityTrait<Model = M>,
{
    rows.extend(values.into_iter().map(M::Entity::row));
}
