//! Readers of updates: each follows its cursor or its `since`, with a filter of its own, while others write (C3).

use chrono::DateTime;
use domain::ids::{AccountId, RadarId};
use domain::radar::update::{UpdateFilter, UpdateType};
use domain::targets::DomainName;
use store::StoredUpdate;

use super::dice::Dice;
use super::plan::Plan;
use super::record::Record;

/// Somebody who reads an account's updates.
#[derive(Clone, Debug)]
pub struct Reader {
    pub account_id: AccountId,
    filter: UpdateFilter,
    /// Whether it goes by `since`, which has no position but the last instant that it saw.
    is_by_since: bool,
    /// The last update that it saw.
    last_seq: i64,
}

impl Reader {
    /// Draws a reader.
    pub fn draw(dice: &mut Dice, plan: &Plan, account_id: AccountId) -> Self {
        let mut filter = UpdateFilter::default();
        if dice.one_in(3) {
            filter.radar_types = plan.types.iter().copied().filter(|_| dice.one_in(2)).collect();
        }
        if dice.one_in(3) {
            filter.domains = (0..plan.domains)
                .filter(|_| dice.one_in(2))
                .map(|no| DomainName::from_stored(format!("company{no}.com")))
                .collect();
        }
        filter.update_types = match dice.below(3) {
            0 => vec![UpdateType::Finding],
            1 => vec![UpdateType::Finding, UpdateType::Failure],
            _ => Vec::new(),
        };
        Self { account_id, filter, is_by_since: dice.one_in(2), last_seq: 0 }
    }

    /// Narrows the reader down to some radars, now and then.
    pub fn narrow(&mut self, dice: &mut Dice, record: &Record) {
        let radars = record.accounts[&self.account_id.0].model.radars.keys();
        if self.last_seq == 0 && self.filter.radar_ids.is_empty() && dice.one_in(6) {
            self.filter.radar_ids = radars.filter(|_| dice.one_in(2)).map(|id| RadarId(*id)).collect();
        }
    }

    /// What it asks for next.
    pub fn question(&self, record: &Record) -> UpdateFilter {
        let mut filter = self.filter.clone();
        if self.is_by_since {
            let updates = &record.accounts[&self.account_id.0].chronicle.accounts.updates;
            let last = usize::try_from(self.last_seq - 1).ok().and_then(|index| updates.get(index));
            filter.since = last.and_then(|update| DateTime::from_timestamp_micros(update.discovered_at));
        } else {
            filter.after_seq = self.last_seq;
        }
        filter
    }

    /// Checks a page: exactly what follows, once each, in order; only what is past its retention may be missing.
    pub fn check(
        &mut self,
        record: &Record,
        now: DateTime<chrono::Utc>,
        limit: usize,
        page: &(Vec<StoredUpdate>, bool),
    ) -> Result<(), String> {
        let chronicle = &record.accounts[&self.account_id.0].chronicle;
        let is_wanted = |update: &&entity::radar_update::Model| {
            let among = |is_free: bool, is_in: bool| is_free || is_in;
            let filter = &self.filter;
            let domain = update.domain.as_deref().unwrap_or_default();
            update.update_seq > self.last_seq
                && among(filter.radar_ids.is_empty(), filter.radar_ids.iter().any(|id| id.0 == update.radar_id))
                && among(
                    filter.radar_types.is_empty(),
                    filter.radar_types.iter().any(|radar_type| radar_type.as_str() == update.radar_type),
                )
                && among(filter.domains.is_empty(), filter.domains.iter().any(|wanted| wanted.as_str() == domain))
                && among(
                    filter.update_types.is_empty(),
                    filter.update_types.iter().any(|wanted| wanted.as_str() == update.update_type),
                )
        };
        let (updates, has_more) = page;
        let mut expected = chronicle.accounts.updates.iter().filter(is_wanted).peekable();
        for update in updates {
            // What has been purged is not there to be seen.
            let is_gone = |expected: &&entity::radar_update::Model| {
                expected.update_seq < update.update_seq
                    && chronicle.may_be_purged(expected.update_seq, now.timestamp_micros())
            };
            while expected.next_if(is_gone).is_some() {}
            let next = expected.next().map(|expected| (expected.update_seq, &expected.body));
            if next != Some((update.update_seq, &update.body)) {
                return Err(format!("C3 {self:?} was shown update {}, next is {next:?}", update.update_seq));
            }
        }
        let left =
            expected.filter(|expected| !chronicle.may_be_purged(expected.update_seq, now.timestamp_micros())).count();
        if updates.len() > limit || (left > 0 && (updates.len() < limit || !has_more)) {
            return Err(format!("C3 {self:?} was shown {} of {limit}, {left} are left", updates.len()));
        }
        self.last_seq = updates.last().map_or(self.last_seq, |last| last.update_seq);
        Ok(())
    }
}
