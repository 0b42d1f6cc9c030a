//! Reading radars.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use entity::{radar, set_up};
use sea_orm::{EntityTrait, FromQueryResult, QueryResult};

use crate::accounts::lock_account;
use crate::database::Run;
use crate::database::rows::{self, columns};
use crate::tables::stored::Stored;
use crate::{Result, Store};
use domain::{AccountId, FeedHealth, FeedId, Radar, RadarId, RadarType};

/// The feeds that a radar reads, and how far.
const CURSORS: &str = "select f.*, rf.read_seq, rf.filtered_items, rf.older_items
    from radar_feed rf join feed f on f.feed_id = rf.feed_id where rf.radar_id = ? and rf.account_id = ?
    order by f.feed_id";

/// A radar, and since when its type is paused.
pub type RadarAndPause = (Radar, Option<DateTime<Utc>>);

/// A radar as operators see it.
#[derive(Clone, Debug)]
pub struct RadarDetail {
    /// The radar.
    pub radar: Radar,
    /// Since when its type is paused.
    pub paused_since: Option<DateTime<Utc>>,
    /// How often its actor crashed in a row.
    pub crashes: i64,
    /// The last thing that went wrong.
    pub last_error: Option<String>,
    /// What went wrong at the last attempt of its set-up, while that goes on.
    pub set_up_error: Option<String>,
    /// When its set-up is attempted next, or given up by the process that attempts it now.
    pub set_up_due_at: Option<DateTime<Utc>>,
    /// When its actor next has something to do.
    pub wake_at: Option<DateTime<Utc>>,
    /// Its feeds, and how far it has read each.
    pub feeds: Vec<FeedCursor>,
}

/// How far a radar has read a feed.
#[derive(Clone, Debug)]
pub struct FeedCursor {
    /// The feed.
    pub feed_id: FeedId,
    /// The source that gives it.
    pub source_id: String,
    /// The source's word for the target.
    pub token: String,
    /// The last item of the feed.
    pub head_seq: i64,
    /// The last item that the radar has read.
    pub read_seq: i64,
    /// When the feed was last polled.
    pub polled_at: Option<DateTime<Utc>>,
    /// When a poll last succeeded.
    pub succeeded_at: Option<DateTime<Utc>>,
    /// When the feed is polled next.
    pub next_poll_at: Option<DateTime<Utc>>,
    /// What went wrong at the last poll, for operators.
    pub last_error: Option<String>,
    /// The same for customers.
    pub failure_message: Option<String>,
    /// How long it has been polled without success.
    pub silent_for: Duration,
    /// How many of its items the radar has kept out.
    pub filtered_items: i64,
    /// How many of these were older than the radar.
    pub older_items: i64,
}

impl FeedCursor {
    /// How the feed does.
    pub fn health(&self) -> FeedHealth {
        let is_failing = self.failure_message.is_some();
        FeedHealth { silent_for: self.silent_for, polled_at: self.polled_at, is_failing }
    }
}

impl Store {
    /// Since when which types of an account are paused (decision 1.2).
    pub async fn pauses(&self, account_id: AccountId) -> Result<BTreeMap<RadarType, DateTime<Utc>>> {
        let pauses = self.all("select radar_type, since from type_pause where account_id = ?", account_id).await?;
        Ok(pauses.into_iter().collect())
    }

    /// Notes that a radar's actor crashed (or, with `crashes` 0, that it is well again).
    pub async fn note_crash(
        &self,
        account_id: AccountId,
        radar_id: RadarId,
        crashes: i64,
        error: Option<&str>,
    ) -> Result<()> {
        let note = "update radar set crashes = ?, last_error = ? where radar_id = ? and account_id = ?";
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            transaction.run(note, (crashes, error, radar_id, account_id)).await.map(drop)
        })
        .await
    }

    /// Everything that is known of a radar, whosever it is.
    pub async fn any_radar_detail(&self, radar_id: RadarId) -> Result<Option<RadarDetail>> {
        let Some(row) = self.deadline.io(radar::Entity::find_by_id(radar_id.0).one(&self.read)).await? else {
            return Ok(None);
        };
        let (crashes, last_error, wake_at) = (row.crashes, row.last_error.clone(), row.wake_at);
        let radar = radar::Entity::value(row)?;
        let pauses = self.pauses(radar.account_id).await?;
        let paused_since = pauses.get(&radar.wanted.radar_type).copied().filter(|_| radar.can_be_paused());
        let feeds = self.feed_cursors(radar.account_id, radar_id).await?;
        let set_up = self.deadline.io(set_up::Entity::find_by_id(radar_id.0).one(&self.read)).await?;
        let set_up_due_at = rows::instant_option("set_up", set_up.as_ref().map(|set_up| set_up.due_at))?;
        let set_up_error = set_up.and_then(|set_up| set_up.last_error);
        let last_error = last_error.or_else(|| set_up_error.clone());
        let wake_at = rows::instant_option("radar", wake_at)?;
        Ok(Some(RadarDetail { radar, paused_since, crashes, last_error, set_up_error, set_up_due_at, wake_at, feeds }))
    }

    /// Everything that is known of a radar of an account.
    pub async fn radar_detail(&self, account_id: AccountId, radar_id: RadarId) -> Result<Option<RadarDetail>> {
        let detail = self.any_radar_detail(radar_id).await?;
        Ok(detail.filter(|detail| detail.radar.account_id == account_id))
    }

    /// How far a radar has read its feeds.
    pub async fn feed_cursors(&self, account_id: AccountId, radar_id: RadarId) -> Result<Vec<FeedCursor>> {
        let mut sql = self.sql_with(CURSORS, (radar_id, account_id));
        let found = self.deadline.io(sql.rows(&self.read)).await?;
        found.iter().map(feed_cursor).collect()
    }
}

fn feed_cursor(row: &QueryResult) -> Result<FeedCursor> {
    let instant = |column| rows::instant_option("feed", row.try_get("", column)?);
    Ok(columns!(row => FeedCursor {
        source_id, token, head_seq, read_seq, last_error, failure_message, filtered_items, older_items;
        feed_id: FeedId(row.try_get("", "feed_id")?),
        silent_for: Duration::microseconds(row.try_get("", "silent_micros")?),
        polled_at: instant("polled_at")?,
        succeeded_at: instant("succeeded_at")?,
        next_poll_at: instant("next_poll_at")?,
    }))
}

/// A radar from its row, in which `paused_since` tells of its type.
pub(super) fn radar_and_pause(row: &QueryResult) -> Result<RadarAndPause> {
    let paused_since: Option<i64> = row.try_get("", "paused_since")?;
    let paused_since = rows::instant_option("type_pause", paused_since)?;
    let radar = radar::Entity::value(radar::Model::from_query_result(row, "")?)?;
    let paused_since = paused_since.filter(|_| radar.can_be_paused());
    Ok((radar, paused_since))
}
