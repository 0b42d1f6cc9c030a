//! Which feeds are due, and when the next one is: those that somebody reads.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, Statement};
use uuid::Uuid;

use super::watching::{NOT_ENDED, NOT_PAUSED, NOT_STOPPED};
use super::{Store, StoreError, rows};

/// Whether feed `f` has a reader that wants findings now. A frozen account's radars count: what they would miss is not
/// their customer's doing.
fn has_reader() -> String {
    format!(
        "exists (select 1 from radar_feed rf join radar r on r.radar_id = rf.radar_id
        where rf.feed_id = f.feed_id and {NOT_ENDED} and {NOT_STOPPED} and {NOT_PAUSED})"
    )
}

impl Store {
    /// When the next poll of a feed that somebody reads is due, or the next lease of one ends.
    ///
    /// # Errors
    /// The database did not answer.
    pub async fn sweep_next_poll_at(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let sql = format!(
            "select min(case when f.lease_until > f.next_poll_at then f.lease_until else f.next_poll_at end) as due_at
             from feed f where f.next_poll_at is not null and {}",
            has_reader()
        );
        let backend = self.read.get_database_backend();
        let row = self.clock.io(self.read.query_one_raw(Statement::from_string(backend, sql))).await?;
        let due_at: Option<i64> = row.map(|row| row.try_get("", "due_at")).transpose()?.flatten();
        rows::instant_option("feed", due_at)
    }
}

/// The feeds whose poll is due, that nobody has claimed and that somebody reads, those due longest first.
pub(super) async fn due_feeds(
    connection: &impl ConnectionTrait,
    now: DateTime<Utc>,
    limit: u64,
) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!(
        "select f.feed_id from feed f where f.next_poll_at <= $1
         and (f.lease_until is null or f.lease_until <= $1) and {}
         order by f.next_poll_at limit $2",
        has_reader()
    );
    let values = [now.timestamp_micros().into(), (limit.min(1 << 20) as i64).into()];
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), sql, values);
    let found = connection.query_all_raw(statement).await?;
    found.into_iter().map(|row| Ok(row.try_get("", "feed_id")?)).collect()
}
