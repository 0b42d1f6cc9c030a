//! What a commit reads of its accounts after it has locked them: a fixed number of statements for any number of them.

mod beyond_bound;
mod due_renewals;
mod findings;
mod money;
mod radars;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::identity;

use chrono::{DateTime, Utc};
use entity::{account, kept_answer};
use sea_orm::{ColumnTrait, EntityName, EntityTrait, ModelTrait, Value};
use uuid::Uuid;

use crate::Result;
use crate::commit::submission::Submission;
use crate::database::{Statements, WriteTransaction, in_few_lengths};
use crate::feeds::set_ups;
use crate::tables::accounts;
use crate::tables::stored::Stored;
use domain::account::{Loaded, ReadSet, UsedKeys};
use domain::{AccountId, AccountState, DefaultPrices, MicroUsd, PriceList, Radar, RadarId};

/// Under which terms a batch is decided.
pub(super) struct Terms<'a> {
    pub(crate) now: DateTime<Utc>,
    /// How many due renewals are decided at most.
    pub(super) renewals_max: usize,
    pub(super) defaults: &'a DefaultPrices,
}

/// What there is of accounts, by account.
type Of<T> = BTreeMap<AccountId, T>;

/// Reads the accounts of a batch. Runs in statements after the lock, so that it sees what the last holder wrote.
///
/// What the commands ask for is taken apart, and what is known of an account is put together, name by name: neither can be
/// forgotten.
#[deny(unused_variables, reason = "what is asked for is read")]
pub(super) async fn load(
    transaction: &WriteTransaction,
    accounts: &BTreeMap<AccountId, account::Model>,
    submissions: &[&Submission],
    Terms { now, renewals_max, defaults }: Terms<'_>,
) -> Result<Vec<Loaded>> {
    let ReadSet {
        radars,
        target_keys,
        op_keys,
        findings,
        events,
        cursors,
        set_ups,
        webhook_urls,
        key_hashes,
        approvals,
        releases,
        held_findings,
        charges_max,
    } = read_set(submissions);
    let states: Vec<AccountState> = accounts.values().map(accounts::state).collect::<Result<_, _>>()?;
    let ids = in_few_lengths(accounts.keys().map(|account_id| account_id.0));
    let mut reader = Reader { transaction, accounts, ids, now, radars: BTreeMap::new() };

    let mut due_renewals = reader.due_renewals(renewals_max).await?;
    let mut set_ups = set_ups::load(transaction, set_ups).await?;
    let mut own_prices = reader.prices(defaults).await?;
    let mut pauses = reader.pauses().await?;
    let (mut held, held_cut_off) = if held_findings { reader.held(&pauses).await? } else { Default::default() };
    let mut days_over = if held_findings { reader.days_over().await? } else { Of::new() };
    let over = days_over.values().flat_map(|days_over| days_over.radars.iter().copied());
    let mut held_beyond = reader.held_beyond(releases.into_iter().chain(over).collect()).await?;
    let mut approvals = reader.approvals(approvals).await?;
    let mut taken = reader.targets(target_keys.clone(), " and status = 'active'").await?;
    let has_ended = " and status = 'inactive' and wake_at is not null";
    let mut in_grace = reader.targets(target_keys, has_ended).await?;
    let of_held = held.values().flatten().map(|held| held.radar_id);
    let of_approvals = approvals.values().flat_map(BTreeMap::values).map(|finding| finding.radar_id);
    let ended = in_grace.values().flat_map(BTreeMap::values).copied();
    reader.radars(radars.into_iter().chain(of_held).chain(of_approvals).chain(ended).collect()).await?;
    let mut endpoints = reader.endpoints(webhook_urls, &states).await?;
    let mut seen = reader.seen(findings).await?;
    let mut events = reader.events(events).await?;
    let mut cursors = reader.cursors(cursors).await?;
    let mut ledger_txs = reader.ledger_txs(op_keys).await?;
    let mut lots = reader.lots(&ledger_txs).await?;
    let spent = reader.spent(&states).await?;
    let mut used_keys = reader.used_keys(key_hashes).await?;

    let mut radars: Of<BTreeMap<RadarId, Radar>> = Of::new();
    for (radar_id, radar) in reader.radars {
        radars.entry(radar.account_id).or_default().insert(radar_id, radar);
    }
    let loaded = states.into_iter().map(|account| {
        let id = account.account_id;
        let due_renewals = take(&mut due_renewals, id);
        let days_over = take(&mut days_over, id);
        Loaded {
            account,
            spent_this_month: spent.get(&id).copied().unwrap_or(MicroUsd::ZERO),
            lots: take(&mut lots, id),
            prices: PriceList::new(defaults.clone(), take(&mut own_prices, id)),
            radars: take(&mut radars, id),
            due_renewals: due_renewals.radars,
            more_renewals_from: due_renewals.more_from,
            charges_asked: charges_max.get(&id).copied().unwrap_or_default(),
            pauses: take(&mut pauses, id),
            held: take(&mut held, id),
            has_more_held: held_cut_off.is_some_and(|cut_off| id >= cut_off),
            days_over: days_over.radars,
            has_more_days_over: days_over.has_more,
            held_beyond: take(&mut held_beyond, id),
            taken: take(&mut taken, id),
            in_grace: take(&mut in_grace, id),
            seen: take(&mut seen, id),
            events: take(&mut events, id),
            approvals: take(&mut approvals, id),
            ledger_txs: take(&mut ledger_txs, id),
            cursors: take(&mut cursors, id),
            endpoints: take(&mut endpoints, id),
            set_ups: take(&mut set_ups, id),
            used_keys: take(&mut used_keys, id),
        }
    });
    Ok(loaded.collect())
}

fn read_set(submissions: &[&Submission]) -> ReadSet {
    let mut read_set = ReadSet::default();
    for submission in submissions {
        submission.commands.iter().for_each(|command| command.read(submission.account_id, &mut read_set));
    }
    read_set
}

fn take<T: Default>(of: &mut Of<T>, account_id: AccountId) -> T {
    of.remove(&account_id).unwrap_or_default()
}

struct Reader<'a> {
    transaction: &'a WriteTransaction,
    accounts: &'a BTreeMap<AccountId, account::Model>,
    /// Those of the accounts, as lists of identifiers are asked for.
    ids: Vec<Uuid>,
    now: DateTime<Utc>,
    /// The radars of the accounts that were read so far.
    radars: BTreeMap<RadarId, Radar>,
}

impl Reader<'_> {
    async fn used_keys(&self, key_hashes: BTreeSet<(AccountId, String)>) -> Result<Of<UsedKeys>> {
        let key = [kept_answer::Column::AccountId, kept_answer::Column::KeyHash];
        of_each(self.by_pairs(key, key_hashes, "").await?, identity)
    }

    /// The rows of `accounts` that are as `also` says, in its order.
    async fn of_accounts<E: EntityTrait>(&self, accounts: &[Uuid], also: &str) -> Result<Vec<E::Model>> {
        let mut sql = self.transaction.rows_of::<E>();
        sql.push("account_id in ").bind_list(accounts.iter().copied()).push(also).models(self.transaction).await
    }

    /// The rows with these pairs of values in two columns: one look-up by index for each pair, in one statement.
    async fn by_pairs<C, A, B>(
        &self,
        columns: [C; 2],
        pairs: BTreeSet<(A, B)>,
        also: &str,
    ) -> Result<Vec<<C::EntityName as EntityTrait>::Model>>
    where
        C: ColumnTrait,
        C::EntityName: EntityTrait<Column = C>,
        A: Clone + Into<Uuid>,
        B: Clone + Into<Value>,
    {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let [first, second] = columns.map(|column| column.as_str());
        let mut sql = self.transaction.sql("with wanted (one, other) as (values ");
        let pairs = in_few_lengths(pairs);
        sql.bind_rows(pairs.into_iter().map(|(one, other)| -> [Value; 2] { [one.into().into(), other.into()] }));
        sql.push(") select found.* from wanted");
        let found = format!("{first} = wanted.one and {second} = wanted.other{also}");
        sql.look_up(C::EntityName::default().table_name(), &found);
        sql.models(self.transaction).await
    }
}

/// What rows say, those of each account together.
fn of_each<M, V, W, T>(rows: Vec<M>, said: impl Fn(V) -> W) -> Result<Of<T>>
where
    M: ModelTrait,
    M::Entity: Stored<Value = (AccountId, V)> + EntityTrait<Model = M>,
    T: Default + Extend<W>,
{
    let mut found: Of<T> = Of::new();
    for row in rows {
        let (account_id, value) = M::Entity::value(row)?;
        found.entry(account_id).or_default().extend([said(value)]);
    }
    Ok(found)
}
