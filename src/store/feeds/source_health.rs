//! Health of the sources: what their feeds have last seen, and those that are broken for everybody.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use entity::source_breakage;
use sea_orm::EntityTrait;

use crate::database::{IfPresent, bulk};
use crate::tables::stored::{Stored, stored};
use crate::{Result, Store};
use domain::source_health::assess;
use domain::{Breakage, FailureClass, HealthChange, SourceFeeds};

/// Of each source and each way of failing: the feeds that are polled, what they hold, and the last good answer.
const FEEDS: &str = "select source_id, failure_class, count(*) as feeds, cast(sum(head_seq) as bigint) as items,
    max(succeeded_at) as succeeded_at from feed where next_poll_at is not null group by source_id, failure_class";

stored! {
    source_breakage (source_id, failure_class, since, flagged_at)
    (String, Breakage) = (source_id, Breakage { class: failure_class, since, flagged_at })
}

/// A row of [`FEEDS`].
type Row = (String, Option<FailureClass>, u64, u64, Option<DateTime<Utc>>);

/// What the database knows of a source.
#[derive(Clone, Debug, Default)]
pub struct SourceState {
    /// Its feeds that are polled.
    pub feeds: SourceFeeds,
    /// How many items their logs hold or held.
    pub items: u64,
    /// When any of them last answered well.
    pub succeeded_at: Option<DateTime<Utc>>,
    /// Set while most of them fail in the same way.
    pub breakage: Option<Breakage>,
}

/// The sources by their ids, and what has changed.
pub type Assessment = (BTreeMap<String, SourceState>, Vec<(String, HealthChange)>);

impl Store {
    /// Every source that has feeds or is known to fail, by its id.
    pub async fn all_source_states(&self) -> Result<BTreeMap<String, SourceState>> {
        let feeds: Vec<Row> = self.all(FEEDS, ()).await?;
        let broken = self.deadline.io(source_breakage::Entity::find().all(&self.read)).await?;
        let mut states: BTreeMap<String, SourceState> = BTreeMap::new();
        for (source_id, failure_class, count, items, succeeded_at) in feeds {
            let state = states.entry(source_id).or_default();
            state.feeds.watched += count;
            state.feeds.failing.extend(failure_class.map(|class| (class, count)));
            state.items += items;
            state.succeeded_at = state.succeeded_at.max(succeeded_at);
        }
        for row in broken {
            let (source_id, breakage) = source_breakage::Entity::value(row)?;
            states.entry(source_id).or_default().breakage = Some(breakage);
        }
        Ok(states)
    }

    /// Assesses every source and keeps the result; answers all of them, and what has changed. Of several processes one
    /// hears of a change.
    pub async fn assess_sources(&self, now: DateTime<Utc>) -> Result<Assessment> {
        let (mut states, mut changes) = (self.all_source_states().await?, Vec::new());
        for (source_id, state) in &mut states {
            let known = state.breakage;
            let (breakage, change) = assess(known, &state.feeds, now);
            state.breakage = breakage;
            if breakage != known && self.keep_breakage(source_id, known, breakage).await? {
                changes.extend(change.map(|change| (source_id.clone(), change)));
            }
        }
        Ok((states, changes))
    }

    /// Replaces what was known; `false` when another process has done so.
    async fn keep_breakage(&self, source_id: &str, known: Option<Breakage>, next: Option<Breakage>) -> Result<bool> {
        self.in_transaction(async |transaction| {
            if let Some(known) = known {
                let forget = "delete from source_breakage where source_id = ? and failure_class = ? and flagged_at is ";
                let mut sql = self.sql_with(forget, (source_id, known.class));
                sql.push(if known.flagged_at.is_some() { "not null" } else { "null" });
                if sql.run(transaction).await? == 0 {
                    return Ok(false);
                }
            }
            let Some(next) = next else { return Ok(true) };
            let row = source_breakage::Entity::row((source_id.to_owned(), next));
            Ok(bulk::insert_one(transaction, row, IfPresent::leave()).await? > 0)
        })
        .await
    }
}
