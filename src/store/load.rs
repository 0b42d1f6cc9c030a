//! What a commit reads of its accounts after it has locked them: a fixed number of statements for any number of them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use entity::{
    account, endpoint, finding_seen, held_finding, judged_finding, kept_answer, ledger_entry, ledger_tx, lot, price,
    radar, radar_feed, type_pause, usage_month,
};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityName, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};
use uuid::Uuid;

use super::database::write_transaction::WriteTransaction;
use super::read_set::ReadSet;
use super::statement::{Sql, in_few_lengths};
use super::{Intent, StoreError, due_renewals, judged, kept_answers, rows, set_ups};
use crate::domain::account::{Command, DRAIN_MAX, EndpointState, KeptAnswers, Loaded, Pause, SeenOutcome};
use crate::domain::ids::{AccountId, EndpointId, FeedId, RadarId};
use crate::domain::money::MicroUsd;
use crate::domain::money::month::Month;
use crate::domain::money::pricing::{DefaultPrices, Price, PriceList};
use crate::domain::radar::{GracePeriod, PricingModel};

/// Under which terms a batch is decided.
pub(super) struct Terms<'a> {
    pub(super) now: DateTime<Utc>,
    /// How many due renewals are decided at most.
    pub(super) renewals_max: usize,
    pub(super) defaults: &'a DefaultPrices,
}

/// Reads the accounts of a batch. Runs in statements after the lock, so that it sees what the last holder wrote.
pub(super) async fn load(
    transaction: &WriteTransaction,
    accounts: &BTreeMap<AccountId, account::Model>,
    intents: &[Intent],
    Terms { now, renewals_max, defaults }: Terms<'_>,
) -> Result<Vec<Loaded>, StoreError> {
    let ids = in_few_lengths(accounts.keys().map(|account_id| account_id.0));
    let mut read_set = ReadSet::of(intents);
    let mut loaded = BTreeMap::new();
    for (account_id, row) in accounts {
        loaded.insert(account_id.0, empty(row)?);
    }
    for intent in intents.iter().filter(|intent| !matches!(intent.command, Command::SettleDue { .. })) {
        let weight = intent.command.weight() as u64;
        loaded.entry(intent.account_id.0).and_modify(|state| state.charges_asked += weight);
    }
    due_renewals::load(transaction, transaction.get_database_backend(), &mut loaded, now, renewals_max).await?;
    set_ups::load(transaction, &mut loaded, read_set.set_ups.iter().copied()).await?;
    let mut reader = Reader { transaction, ids: &ids, loaded: &mut loaded };
    reader.prices(defaults).await?;
    reader.pauses().await?;
    if read_set.can_drain {
        reader.held().await?;
    }
    let also = reader.loaded.values().flat_map(|state| {
        let held = state.held.iter().map(|held| held.radar_id.0);
        state.due_renewals.iter().map(|radar_id| radar_id.0).chain(held)
    });
    read_set.radars.extend(also.collect::<Vec<_>>());
    read_set.radars.extend(reader.findings_to_judge(&read_set.judged).await?);
    read_set.radars.extend(reader.targets(&read_set.target_keys).await?);
    reader.radars(&read_set.radars).await?;
    for (&account_id, state) in reader.loaded.iter() {
        let of_radars = state.radars.values().filter_map(|radar| radar.wanted.endpoint_url());
        let of_alerts = state.account.alerts.iter().map(|alerts| alerts.webhook_url.clone());
        read_set.urls.extend(of_radars.chain(of_alerts).map(|url| (account_id, url)));
    }
    reader.endpoints(&read_set.urls).await?;
    reader.seen(&read_set.reported).await?;
    reader.readings(&read_set.readings).await?;
    reader.movements(&read_set.op_keys).await?;
    reader.lots().await?;
    reader.spent(now).await?;
    reader.answers(&read_set.key_hashes).await?;
    Ok(loaded.into_values().collect())
}

fn empty(row: &account::Model) -> Result<Loaded, StoreError> {
    Ok(Loaded {
        account: rows::account_state(row)?,
        spent_this_month: MicroUsd::ZERO,
        lots: Vec::new(),
        prices: PriceList::default(),
        radars: BTreeMap::new(),
        due_renewals: Vec::new(),
        more_renewals_from: None,
        charges_asked: 0,
        pauses: BTreeMap::new(),
        held: Vec::new(),
        has_more_held: false,
        taken: BTreeMap::new(),
        in_grace: BTreeMap::new(),
        seen: BTreeMap::new(),
        movements: BTreeMap::new(),
        to_judge: BTreeMap::new(),
        readings: BTreeMap::new(),
        set_ups: BTreeMap::new(),
        endpoints: BTreeMap::new(),
        answers: KeptAnswers::new(),
    })
}

struct Reader<'a> {
    transaction: &'a WriteTransaction,
    ids: &'a [Uuid],
    loaded: &'a mut BTreeMap<Uuid, Loaded>,
}

impl Reader<'_> {
    /// The state of an account; rows of accounts that are not in the batch are none of its business.
    fn of(&mut self, account_id: Uuid) -> Option<&mut Loaded> {
        self.loaded.get_mut(&account_id)
    }

    async fn prices(&mut self, defaults: &DefaultPrices) -> Result<(), StoreError> {
        let found = price::Entity::find()
            .filter(price::Column::AccountId.is_in(self.ids.to_vec()))
            .all(self.transaction)
            .await?;
        let mut own: BTreeMap<Uuid, Vec<_>> = BTreeMap::new();
        for row in found {
            let price = Price {
                model: rows::closed("price", &row.model, PricingModel::from_stored)?,
                rate: MicroUsd::from_micros(row.rate_micros),
                grace_period: rows::closed("price", &row.grace_period, GracePeriod::from_stored)?,
            };
            let entry =
                (rows::radar_type("price", &row.radar_type)?, rows::instant("price", row.effective_from)?, price);
            own.entry(row.account_id).or_default().push(entry);
        }
        for (account_id, state) in self.loaded.iter_mut() {
            state.prices = PriceList::new(defaults.clone(), own.remove(account_id).unwrap_or_default());
        }
        Ok(())
    }

    async fn pauses(&mut self) -> Result<(), StoreError> {
        let found = type_pause::Entity::find()
            .filter(type_pause::Column::AccountId.is_in(self.ids.to_vec()))
            .all(self.transaction)
            .await?;
        for row in found {
            let pause =
                Pause { since: rows::instant("type_pause", row.since)?, rate: MicroUsd::from_micros(row.rate_micros) };
            let radar_type = rows::radar_type("type_pause", &row.radar_type)?;
            if let Some(state) = self.of(row.account_id) {
                state.pauses.insert(radar_type, pause);
            }
        }
        Ok(())
    }

    /// The oldest holds of the accounts, one account after the other: only the last of them can have been cut off.
    async fn held(&mut self) -> Result<(), StoreError> {
        let paused: Vec<Uuid> =
            self.loaded.iter().filter(|(_, state)| !state.pauses.is_empty()).map(|(&id, _)| id).collect();
        if paused.is_empty() {
            return Ok(());
        }
        let found = held_finding::Entity::find()
            .filter(held_finding::Column::AccountId.is_in(paused))
            .order_by_asc(held_finding::Column::AccountId)
            .order_by_asc(held_finding::Column::HoldSeq)
            .limit(DRAIN_MAX as u64 + 1)
            .all(self.transaction)
            .await?;
        if let Some(cut_off) = found.get(DRAIN_MAX).map(|row| row.account_id) {
            for (&account_id, state) in self.loaded.iter_mut() {
                state.has_more_held = account_id >= cut_off;
            }
        }
        for row in found.into_iter().take(DRAIN_MAX) {
            let account_id = row.account_id;
            let held = rows::held(row)?;
            if let Some(state) = self.of(account_id) {
                state.held.push(held);
            }
        }
        Ok(())
    }

    async fn radars(&mut self, wanted: &BTreeSet<Uuid>) -> Result<(), StoreError> {
        let known: BTreeSet<Uuid> =
            self.loaded.values().flat_map(|state| state.radars.keys()).map(|radar_id| radar_id.0).collect();
        let missing = in_few_lengths(wanted.difference(&known).copied());
        if missing.is_empty() {
            return Ok(());
        }
        let found = radar::Entity::find().filter(radar::Column::RadarId.is_in(missing)).all(self.transaction).await?;
        for row in found {
            let radar = rows::radar(row)?;
            if let Some(state) = self.of(radar.account_id.0) {
                state.radars.insert(radar.radar_id, radar);
            }
        }
        Ok(())
    }

    async fn endpoints(&mut self, urls: &BTreeSet<(Uuid, String)>) -> Result<(), StoreError> {
        for row in self.by_pairs([endpoint::Column::AccountId, endpoint::Column::Url], urls, "").await? {
            let endpoint = EndpointState { endpoint_id: EndpointId(row.endpoint_id), head_sequence: row.head_sequence };
            if let Some(state) = self.of(row.account_id) {
                state.endpoints.insert(row.url, endpoint);
            }
        }
        Ok(())
    }

    /// The findings that are judged; answers their radars.
    async fn findings_to_judge(&mut self, wanted: &BTreeSet<Uuid>) -> Result<Vec<Uuid>, StoreError> {
        let mut radars = Vec::new();
        if wanted.is_empty() {
            return Ok(radars);
        }
        let found = judged_finding::Entity::find()
            .filter(judged_finding::Column::UpdateId.is_in(wanted.clone()))
            .filter(judged_finding::Column::AccountId.is_in(self.ids.to_vec()))
            .all(self.transaction)
            .await?;
        for row in found {
            radars.push(row.radar_id);
            let account_id = row.account_id;
            let finding = judged::finding(row)?;
            if let Some(state) = self.of(account_id) {
                state.to_judge.insert(finding.update_id, finding);
            }
        }
        Ok(radars)
    }

    /// Whoever watches the targets that are asked for; answers those that have ended and whose paid time is left.
    async fn targets(&mut self, target_keys: &BTreeSet<(Uuid, String)>) -> Result<Vec<Uuid>, StoreError> {
        let key = [radar::Column::AccountId, radar::Column::TargetKey];
        for row in self.by_pairs(key, target_keys, " and found.status = 'active'").await? {
            if let Some(state) = self.of(row.account_id) {
                state.taken.insert(row.target_key, RadarId(row.radar_id));
            }
        }
        let mut in_grace = Vec::new();
        let has_ended = " and found.status = 'inactive' and found.wake_at is not null";
        for row in self.by_pairs(key, target_keys, has_ended).await? {
            if let Some(state) = self.of(row.account_id) {
                state.in_grace.insert(row.target_key, RadarId(row.radar_id));
                in_grace.push(row.radar_id);
            }
        }
        Ok(in_grace)
    }

    async fn seen(&mut self, reported: &BTreeSet<(Uuid, Uuid)>) -> Result<(), StoreError> {
        let key = [finding_seen::Column::RadarId, finding_seen::Column::RecordId];
        for row in self.by_pairs(key, reported, "").await? {
            let radar_id = RadarId(row.radar_id);
            let outcome = rows::closed("finding_seen", &row.outcome, SeenOutcome::from_stored)?;
            if let Some(state) = self.loaded.values_mut().find(|state| state.radars.contains_key(&radar_id)) {
                state.seen.insert((radar_id, row.record_id), outcome);
            }
        }
        Ok(())
    }

    async fn readings(&mut self, radars: &BTreeSet<Uuid>) -> Result<(), StoreError> {
        if radars.is_empty() {
            return Ok(());
        }
        let found = radar_feed::Entity::find()
            .filter(radar_feed::Column::RadarId.is_in(in_few_lengths(radars.iter().copied())))
            .all(self.transaction)
            .await?;
        for row in found {
            if let Some(state) = self.of(row.account_id) {
                state.readings.insert((RadarId(row.radar_id), FeedId(row.feed_id)), row.read_seq);
            }
        }
        Ok(())
    }

    async fn movements(&mut self, op_keys: &BTreeSet<(Uuid, String)>) -> Result<(), StoreError> {
        let found = self.by_pairs([ledger_tx::Column::AccountId, ledger_tx::Column::OpKey], op_keys, "").await?;
        if found.is_empty() {
            return Ok(());
        }
        let places = found.iter().fold(Condition::any(), |any, row| {
            any.add(
                Condition::all()
                    .add(ledger_entry::Column::AccountId.eq(row.account_id))
                    .add(ledger_entry::Column::TxSeq.eq(row.tx_seq)),
            )
        });
        let legs = ledger_entry::Entity::find()
            .filter(places)
            .order_by_asc(ledger_entry::Column::Leg)
            .all(self.transaction)
            .await?;
        for row in found {
            let of_row = legs.iter().filter(|leg| (leg.account_id, leg.tx_seq) == (row.account_id, row.tx_seq));
            let legs = of_row.map(rows::leg).collect::<Result<Vec<_>, _>>()?;
            if let Some(state) = self.of(row.account_id) {
                state.movements.insert(row.op_key, legs);
            }
        }
        Ok(())
    }

    /// What accounts with a cap have spent in the month of `now`.
    async fn spent(&mut self, now: DateTime<Utc>) -> Result<(), StoreError> {
        let capped = self.loaded.iter().filter(|(_, state)| state.account.spend_cap.is_some());
        let capped: Vec<Uuid> = capped.map(|(&account_id, _)| account_id).collect();
        if capped.is_empty() {
            return Ok(());
        }
        let found = usage_month::Entity::find()
            .filter(usage_month::Column::AccountId.is_in(capped))
            .filter(usage_month::Column::Month.eq(Month::of(now).to_string()))
            .all(self.transaction)
            .await?;
        for row in found {
            if let Some(state) = self.of(row.account_id) {
                state.spent_this_month = MicroUsd::from_micros(row.used_micros);
            }
        }
        Ok(())
    }

    async fn answers(&mut self, key_hashes: &BTreeSet<(Uuid, String)>) -> Result<(), StoreError> {
        let key = [kept_answer::Column::AccountId, kept_answer::Column::KeyHash];
        for row in self.by_pairs(key, key_hashes, "").await? {
            let (account_id, key_hash, kept) = kept_answers::kept(row)?;
            if let Some(state) = self.of(account_id) {
                state.answers.insert(key_hash, kept);
            }
        }
        Ok(())
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
        let mut sql = Sql::new(self.transaction.get_database_backend());
        sql.push("with wanted (one, other) as (values ");
        for (index, (one, other)) in in_few_lengths(pairs.iter().cloned()).into_iter().enumerate() {
            sql.push(if index == 0 { "" } else { ", " }).bind_list([one.into(), other.into()]);
        }
        // SQLite keeps the order of a cross join.
        sql.push(") select found.* from wanted cross join ").push(table.table_name()).push(" found where found.");
        sql.push(first).push(" = wanted.one and found.").push(second).push(" = wanted.other").push(also);
        Ok(C::EntityName::find().from_raw_sql(sql.finish()).all(self.transaction).await?)
    }

    /// The lots with money left, and those that a refund may go back to.
    async fn lots(&mut self) -> Result<(), StoreError> {
        let refundable: Vec<i64> = self
            .loaded
            .values()
            .flat_map(|state| state.movements.values().flatten())
            .filter_map(|leg| leg.lot_no)
            .collect();
        // In these words an index of the lots that are left serves SQLite as well.
        let wanted = Condition::any()
            .add(Expr::cust("remaining_micros > 0"))
            .add_option((!refundable.is_empty()).then(|| lot::Column::LotNo.is_in(in_few_lengths(refundable))));
        let found = lot::Entity::find()
            .filter(lot::Column::AccountId.is_in(self.ids.to_vec()))
            .filter(wanted)
            .order_by_asc(lot::Column::LotNo)
            .all(self.transaction)
            .await?;
        for row in found {
            let lot = rows::lot(&row)?;
            if let Some(state) = self.of(row.account_id) {
                state.lots.push(lot);
            }
        }
        Ok(())
    }
}
