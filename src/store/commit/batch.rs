//! What a commit writes: a fixed number of statements, each for all accounts of the batch, the account rows last.

use chrono::{DateTime, Utc};
use entity::{
    account, approval, balance_alert, bound_alert, delivery, endpoint, finding_seen, held_finding, kept_answer,
    ledger_entry, ledger_tx, lot, radar, radar_feed, radar_update, set_up, type_pause, usage_month,
};
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, ModelTrait, Statement, Value};
use uuid::Uuid;

use crate::database::bulk::{execute_all, insertions};
use crate::database::{IfPresent, List, Overwritten, Sql, WriteTransaction, in_few_lengths};
use crate::outbox::hand_over::NewDeliveries;
use crate::tables::findings::Seen;
use crate::tables::stored::Stored;
use crate::tables::{accounts, deliveries, feeds, updates};
use crate::{RenderAlert, Result};
use domain::account::{Alert, Changes, Provenance, SeenFinding};
use domain::{AccountId, AccountState, LedgerEntry, LedgerTx, RadarId};

/// Declares what there is to be written of each table, in the order of the statements, and by which function.
macro_rules! batch {
    ($($name:ident: $rows:ty => $write:path,)+) => {
        /// The rows of a commit, table by table.
        #[derive(Default)]
        pub(super) struct Batch { $(pub(super) $name: $rows,)+ }

        impl Batch {
            fn statements(self, backend: DbBackend) -> impl Iterator<Item = Statement> {
                std::iter::empty()$(.chain($write(backend, self.$name)))+
            }
        }
    };
}

batch! {
    ledger_txs: Vec<ledger_tx::Model> => inserted,
    entries: Vec<ledger_entry::Model> => inserted,
    lots: Vec<lot::Model> => overwritten,
    radars: Vec<radar::Model> => overwritten,
    updates: Vec<radar_update::Model> => inserted,
    endpoints: Vec<endpoint::Model> => overwritten,
    balance_alerts: Vec<balance_alert::Model> => inserted,
    bound_alerts: Vec<bound_alert::Model> => inserted,
    deliveries: Vec<delivery::Model> => inserted,
    seen: Vec<finding_seen::Model> => overwritten,
    approvals: Vec<approval::Model> => overwritten,
    held: Vec<held_finding::Model> => overwritten,
    paused: Vec<type_pause::Model> => overwritten,
    new_set_ups: Vec<set_up::Model> => inserted,
    settled_set_ups: Vec<Uuid> => set_ups_removed,
    new_readers: Vec<(Uuid, i64)> => feeds_woken,
    new_cursors: Vec<radar_feed::Model> => inserted,
    moved_cursors: Vec<radar_feed::Model> => overwritten,
    usage: Vec<usage_month::Model> => overwritten,
    answers: Vec<kept_answer::Model> => overwritten,
    released: Vec<(Uuid, Vec<i64>)> => holds_removed,
    resumed: Vec<(Uuid, Vec<String>)> => pauses_removed,
    accounts: Vec<account::Model> => overwritten,
}

impl Batch {
    /// Adds what an account wants written about the account of `row`. A change of which nothing is said here does not
    /// compile.
    #[deny(unused_variables, reason = "what is not used here is not written")]
    pub(super) fn add(
        &mut self,
        row: account::Model,
        state: &AccountState,
        changes: Changes,
        now: DateTime<Utc>,
        render_alert: RenderAlert,
    ) {
        let Changes {
            ledger_txs,
            lots,
            radars,
            updates,
            deliveries,
            alerts,
            endpoints,
            seen,
            approvals,
            held,
            released_holds,
            paused,
            resumed,
            new_set_ups,
            settled_set_ups,
            new_cursors,
            moved_cursors,
            usage,
            used_keys,
            next_expiry_at,
            // What a commit tells of besides.
            held_beyond_bound: _,
            exceeded: _,
            reads_on: _,
            status_changed: _,
            renewals: _,
        } = changes;
        let id = state.account_id;
        self.accounts.push(accounts::row(row, state, next_expiry_at));
        add(&mut self.entries, ledger_txs.iter().flat_map(|tx| entries(id, tx)));
        add(&mut self.ledger_txs, of(id, ledger_txs));
        add(&mut self.lots, of(id, lots));
        add(&mut self.radars, radars);
        add(&mut self.updates, of(id, updates));
        self.deliveries.extend(deliveries.iter().map(|new| deliveries::new_delivery_row(id, new, now)));
        alerts.into_iter().for_each(|alert| self.add_alert(alert, render_alert));
        add(&mut self.endpoints, of(id, endpoints));
        add(&mut self.seen, seen.into_iter().map(|(finding, seen)| (finding, stored(seen, now))));
        add(&mut self.approvals, of(id, approvals.into_values()));
        add(&mut self.held, of(id, held));
        self.released.push((id.0, released_holds));
        add(&mut self.paused, of(id, paused));
        self.resumed.push((id.0, resumed.iter().map(|radar_type| radar_type.as_str().to_owned()).collect()));
        self.new_set_ups.extend(new_set_ups.into_iter().map(|radar_id| feeds::new_set_up_row(id, radar_id)));
        self.settled_set_ups.extend(settled_set_ups.iter().map(|radar_id| radar_id.0));
        self.new_readers.extend(new_cursors.keys().map(|(_, feed_id)| (feed_id.0, now.timestamp_micros())));
        add(&mut self.new_cursors, of(id, new_cursors));
        add(&mut self.moved_cursors, of(id, moved_cursors));
        add(&mut self.usage, of(id, usage));
        add(&mut self.answers, of(id, used_keys));
    }

    fn add_alert(&mut self, alert: Alert, render: RenderAlert) {
        let body = render(&alert);
        match alert {
            Alert::Balance(about) => add(&mut self.balance_alerts, [(about, body)]),
            Alert::Bound(about) => self.bound_alerts.push(updates::bound_alert_row(&about, body)),
        }
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
        let ended = self.resumed.iter().filter(|(_, types)| !types.is_empty()).map(|(account_id, _)| *account_id);
        begun.chain(ended).map(AccountId)
    }

    /// Writes the rows. A unique violation means that another writer ignored the lock; the caller rolls back.
    pub(super) async fn write(self, transaction: &WriteTransaction) -> Result<()> {
        execute_all(transaction, self.statements(transaction.get_database_backend())).await
    }
}

/// The same values, each with the account that it is of.
fn of<V>(account_id: AccountId, values: impl IntoIterator<Item = V>) -> impl Iterator<Item = (AccountId, V)> {
    values.into_iter().map(move |value| (account_id, value))
}

/// The entries of a ledger transaction, numbered.
fn entries(account_id: AccountId, tx: &LedgerTx) -> impl Iterator<Item = (AccountId, i64, i64, LedgerEntry)> {
    let tx_seq = tx.tx_seq;
    (1..).zip(&tx.entries).map(move |(entry_no, entry)| (account_id, tx_seq, entry_no, *entry))
}

/// What is kept of a finding that is seen now.
fn stored(SeenFinding { outcome, update_id, event, provenance }: SeenFinding, seen_at: DateTime<Utc>) -> Seen {
    let (event_id, event_part) = event.map(|event| (event.id, event.part)).unzip();
    let event_part = event_part.flatten();
    let (feed_id, item_seq, source_id) = match provenance {
        Some(Provenance::Item { feed_id, seq }) => (Some(feed_id), Some(seq), None),
        Some(Provenance::Provider { source_id, .. }) => (None, None, Some(source_id)),
        None => (None, None, None),
    };
    Seen { outcome, update_id, seen_at, event_id, event_part, feed_id, item_seq, source_id }
}

/// Adds values to the rows of their table.
fn add<M: ModelTrait>(rows: &mut Vec<M>, values: impl IntoIterator<Item = <M::Entity as Stored>::Value>)
where
    M::Entity: Stored + EntityTrait<Model = M>,
{
    rows.extend(values.into_iter().map(M::Entity::row));
}

/// Rows of which none can be there.
fn inserted<M: ModelTrait>(backend: DbBackend, rows: Vec<M>) -> impl Iterator<Item = Statement> {
    insertions(backend, rows, IfPresent::fail())
}

/// Rows that may be there.
fn overwritten<M: ModelTrait>(backend: DbBackend, rows: Vec<M>) -> impl Iterator<Item = Statement>
where
    M::Entity: Overwritten,
{
    insertions(backend, rows, IfPresent::overwrite())
}

/// Feeds with new readers are polled from now on, even if they were at rest. Their rows are locked in order: a transaction
/// that puts one of them to rest at the same moment must end first.
fn feeds_woken(backend: DbBackend, readers: Vec<(Uuid, i64)>) -> Option<Statement> {
    let &(_, since_micros) = readers.first()?;
    let feeds = in_few_lengths(readers.into_iter().map(|(feed_id, _)| feed_id));
    let mut sql = Sql::new(backend, "update feed set next_poll_at = coalesce(next_poll_at, ");
    sql.bind(since_micros).push(") where feed_id in ");
    if backend == DbBackend::Postgres {
        sql.push("(select feed_id from feed where feed_id in ").bind_list(feeds);
        sql.push(" order by feed_id for update)");
    } else {
        sql.bind_list(feeds);
    }
    Some(sql.finish())
}

fn set_ups_removed(backend: DbBackend, settled: Vec<Uuid>) -> Option<Statement> {
    let mut sql = Sql::new(backend, "delete from set_up where radar_id in ");
    (!settled.is_empty()).then(|| sql.bind_list(in_few_lengths(settled)).finish())
}

fn holds_removed(backend: DbBackend, released: Vec<(Uuid, Vec<i64>)>) -> Option<Statement> {
    removed(backend, "held_finding", "hold_seq", released)
}

fn pauses_removed(backend: DbBackend, resumed: Vec<(Uuid, Vec<String>)>) -> Option<Statement> {
    removed(backend, "type_pause", "radar_type", resumed)
}

/// Removes rows by their account and their key in it.
fn removed<K: Into<Value>>(
    backend: DbBackend,
    table: &str,
    key: &str,
    removed: Vec<(Uuid, Vec<K>)>,
) -> Option<Statement> {
    let mut sql = Sql::new(backend, &format!("delete from {table}"));
    let mut before = " where ";
    for (account_id, keys) in removed.into_iter().filter(|(_, keys)| !keys.is_empty()) {
        sql.push(before).add(&format!("account_id = ? and {key} in ?"), (account_id, List(keys)));
        before = " or ";
    }
    (before == " or ").then(|| sql.finish())
}
