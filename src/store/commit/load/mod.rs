//! What a commit reads of its accounts after it has locked them: a fixed number of statements for any number of them.

mod beyond_bound;
mod due_renewals;
mod findings;
mod money;
mod radars;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use entity::{account, kept_answer};
use sea_orm::{ColumnTrait, EntityName, EntityTrait, ModelTrait, Value};
use uuid::Uuid;

use crate::StoreError;
use crate::commit::read_set::ReadSets;
use crate::commit::submission::Submission;
use crate::database::statement::{Statements, in_few_lengths};
use crate::database::write_transaction::WriteTransaction;
use crate::feeds::set_ups;
use crate::tables::accounts;
use crate::tables::stored::Stored;
use domain::account::Loaded;
use domain::ids::AccountId;
use domain::money::pricing::DefaultPrices;

/// Under which terms a batch is decided.
pub(super) struct Terms<'a> {
    pub(crate) now: DateTime<Utc>,
    /// How many due renewals are decided at most.
    pub(super) renewals_max: usize,
    pub(super) defaults: &'a DefaultPrices,
}

/// Reads the accounts of a batch. Runs in statements after the lock, so that it sees what the last holder wrote.
pub(super) async fn load(
    transaction: &WriteTransaction,
    accounts: &BTreeMap<AccountId, account::Model>,
    submissions: &[&Submission],
    Terms { now, renewals_max, defaults }: Terms<'_>,
) -> Result<Vec<Loaded>, StoreError> {
    let ids = in_few_lengths(accounts.keys().map(|account_id| account_id.0));
    let read_sets = ReadSets::of(submissions);
    let mut loaded = BTreeMap::new();
    for (account_id, row) in accounts {
        let charges_asked = read_sets.charges_max(account_id.0);
        loaded.insert(account_id.0, Loaded { charges_asked, ..Loaded::of(accounts::state(row)?) });
    }
    due_renewals::load(transaction, &mut loaded, now, renewals_max).await?;
    set_ups::load(transaction, &mut loaded, read_sets.ids(|read_set| &read_set.set_ups, |id| id.0).into_iter()).await?;
    let mut reader = Reader { transaction, ids: &ids, loaded: &mut loaded };
    reader.prices(defaults).await?;
    reader.pauses().await?;
    if read_sets.held_findings() {
        reader.held().await?;
    }
    let releases = read_sets.ids(|read_set| &read_set.releases, |id| id.0);
    reader.held_beyond(releases, read_sets.held_findings(), now).await?;
    reader.radars_of(&read_sets).await?;
    reader.endpoints_of(&read_sets).await?;
    reader.seen(&read_sets.of_radars(|read_set| &read_set.findings)).await?;
    reader.events(&read_sets.of_radars(|read_set| &read_set.events), now).await?;
    reader.cursors(&read_sets.ids(|read_set| &read_set.cursors, |id| id.0)).await?;
    reader.ledger_txs(&read_sets.texts(|read_set| &read_set.op_keys)).await?;
    reader.lots().await?;
    reader.spent(now).await?;
    reader.used_keys(&read_sets.texts(|read_set| &read_set.key_hashes)).await?;
    Ok(loaded.into_values().collect())
}

struct Reader<'a> {
    transaction: &'a WriteTransaction,
    ids: &'a [Uuid],
    loaded: &'a mut BTreeMap<Uuid, Loaded>,
}

impl Reader<'_> {
    /// The state of an account of the batch.
    fn of(&mut self, account_id: Uuid) -> Option<&mut Loaded> {
        self.loaded.get_mut(&account_id)
    }

    /// The radars that the commands name, and those of due renewals, held findings, findings to approve, and targets.
    async fn radars_of(&mut self, read_sets: &ReadSets) -> Result<(), StoreError> {
        let mut wanted = read_sets.ids(|read_set| &read_set.radars, |id| id.0);
        for state in self.loaded.values() {
            wanted.extend(state.due_renewals.iter().map(|radar_id| radar_id.0));
            wanted.extend(state.held.iter().map(|held| held.radar_id.0));
        }
        wanted.extend(self.approvals(&read_sets.ids(|read_set| &read_set.approvals, |id| id.0)).await?);
        wanted.extend(self.targets(&read_sets.texts(|read_set| &read_set.target_keys)).await?);
        self.radars(&wanted).await
    }

    /// The endpoints that the commands name, and those of the radars and of balance alerts.
    async fn endpoints_of(&mut self, read_sets: &ReadSets) -> Result<(), StoreError> {
        let mut urls = read_sets.texts(|read_set| &read_set.webhook_urls);
        for (&account_id, state) in self.loaded.iter() {
            let of_radars = state.radars.values().filter_map(|radar| radar.wanted.endpoint_url());
            let of_alerts = state.account.alerts.iter().map(|alerts| alerts.webhook_url.clone());
            urls.extend(of_radars.chain(of_alerts).map(|url| (account_id, url)));
        }
        self.endpoints(&urls).await
    }

    async fn used_keys(&mut self, key_hashes: &BTreeSet<(Uuid, String)>) -> Result<(), StoreError> {
        let key = [kept_answer::Column::AccountId, kept_answer::Column::KeyHash];
        let found = self.by_pairs(key, key_hashes, "").await?;
        self.give(found, |state, (key_hash, used)| {
            state.used_keys.insert(key_hash, used);
        })
    }

    /// Gives each row to the account that it is of; those of accounts that are not in the batch are none of its business.
    fn give<M, V>(&mut self, rows: Vec<M>, give: impl Fn(&mut Loaded, V)) -> Result<(), StoreError>
    where
        M: ModelTrait,
        M::Entity: Stored<Value = (AccountId, V)> + EntityTrait<Model = M>,
    {
        for row in rows {
            let (account_id, value) = M::Entity::value(row)?;
            if let Some(state) = self.of(account_id.0) {
                give(state, value);
            }
        }
        Ok(())
    }

    /// The rows of `accounts` that are as `also` says, in its order.
    async fn of_accounts<E: EntityTrait>(&self, accounts: &[Uuid], also: &str) -> Result<Vec<E::Model>, StoreError> {
        let mut sql = self.transaction.rows_of::<E>();
        sql.push("account_id in ").bind_list(accounts.iter().copied()).push(also).models(self.transaction).await
    }

    /// The rows with these pairs of values in two columns: one look-up by index for each pair, in one statement.
    async fn by_pairs<C, A, B>(
        &self,
        columns: [C; 2],
        pairs: &BTreeSet<(A, B)>,
        also: &str,
    ) -> Result<Vec<<C::EntityName as EntityTrait>::Model>, StoreError>
    where
        C: ColumnTrait,
        C::EntityName: EntityTrait<Column = C>,
        A: Clone + Into<Value>,
        B: Clone + Into<Value>,
    {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let ([first, second], table) = (columns.map(|column| column.as_str()), C::EntityName::default());
        let mut sql = self.transaction.sql("with wanted (one, other) as (values ");
        let pairs = in_few_lengths(pairs.iter().cloned());
        sql.bind_rows(pairs.into_iter().map(|(one, other)| -> [Value; 2] { [one.into(), other.into()] }));
        sql.push(") select found.* from wanted");
        sql.look_up(table.table_name(), &format!("{first} = wanted.one and {second} = wanted.other{also}"));
        sql.models(self.transaction).await
    }
}
