//! What customers think of findings: one word of each, and the shares by source and type.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{Result, Store};
use domain::{AccountId, Feedback, FeedbackShare, UpdateId};

const SHARES: &str =
    "select source_id, radar_type, count(*), count(case when useful = 0 then 1 end) from update_feedback
    where source_id is not null group by source_id, radar_type order by source_id, radar_type";

const KEEP: &str =
    "insert into update_feedback (update_id, account_id, radar_type, source_id, useful, reason, given_at)
    select u.update_id, u.account_id, u.radar_type, coalesce(f.source_id, s.source_id), ?, ?, ? from radar_update u
    left join finding_seen s on s.radar_id = u.radar_id and s.record_id = ?
    left join feed f on f.feed_id = s.feed_id where u.account_id = ? and u.update_id = ?";

impl Store {
    /// Keeps what a customer thinks of the finding of an update and a record, in the place of what was thought before;
    /// `false` when its update is gone.
    pub async fn keep_feedback(
        &self,
        account_id: AccountId,
        (update_id, record_id): (UpdateId, Uuid),
        feedback: &Feedback,
        now: DateTime<Utc>,
    ) -> Result<bool> {
        let given = (feedback.useful, feedback.reason.clone(), now, record_id, account_id, update_id);
        let mut sql = self.sql_with(KEEP, given);
        sql.hold_key_of("u").push(
            " on conflict (update_id) do update set useful = excluded.useful, reason = excluded.reason,
            given_at = excluded.given_at",
        );
        Ok(self.deadline.io(sql.run(&self.write)).await? > 0)
    }

    /// What customers think of the findings that are kept, by source and type.
    pub async fn all_feedback_shares(&self) -> Result<BTreeMap<String, Vec<FeedbackShare>>> {
        let mut shares: BTreeMap<String, Vec<FeedbackShare>> = BTreeMap::new();
        for (source_id, radar_type, judged, useless) in self.all(SHARES, ()).await? {
            shares.entry(source_id).or_default().push(FeedbackShare { radar_type, judged, useless });
        }
        Ok(shares)
    }
}
