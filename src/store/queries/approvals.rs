//! Findings that wait for an operator, and those that one has decided about (decision 4.10).

use chrono::{DateTime, Utc};
use entity::approval;
use sea_orm::EntityTrait;

use crate::tables::findings;
use crate::{Store, StoreError};
use domain::account::FindingForApproval;
use domain::approval::ApprovalState;
use domain::ids::{AccountId, UpdateId};

/// Which findings are asked for.
#[derive(Clone, Copy, Debug)]
pub struct ApprovalFilter {
    /// Where they stand.
    pub state: ApprovalState,
    /// Whose they are; everybody's when absent.
    pub account_id: Option<AccountId>,
    /// Only those detected from this instant on: older ones are gone, swept or not.
    pub from: DateTime<Utc>,
    /// The last finding that was read before: when it was detected, and which it is.
    pub after: Option<(DateTime<Utc>, UpdateId)>,
}

impl Store {
    /// Findings in a state, the oldest first, with their accounts; and whether there are more.
    pub async fn all_approvals(
        &self,
        filter: &ApprovalFilter,
        limit: usize,
    ) -> Result<(Vec<(AccountId, FindingForApproval)>, bool), StoreError> {
        let mut sql = self.sql("select * from approval where state = ");
        sql.bind(filter.state.as_str()).push(" and detected_at >= ").bind(filter.from.timestamp_micros());
        if let Some(account_id) = filter.account_id {
            sql.push(" and account_id = ").bind(account_id.0);
        }
        if let Some((detected_at, update_id)) = filter.after {
            let detected_at = detected_at.timestamp_micros();
            sql.push(" and (detected_at > ").bind(detected_at).push(" or detected_at = ").bind(detected_at);
            sql.push(" and update_id > ").bind(update_id.0).push(")");
        }
        sql.push(" order by detected_at, update_id limit ").count(limit as u64 + 1);
        let mut found = self.deadline.io(sql.models(&self.read)).await?;
        let has_more = found.len() > limit;
        found.truncate(limit);
        Ok((found.into_iter().map(findings::approval).collect::<Result<_, _>>()?, has_more))
    }

    /// Whose a finding is.
    pub async fn any_approval_owner(&self, update_id: UpdateId) -> Result<Option<AccountId>, StoreError> {
        let row = self.deadline.io(approval::Entity::find_by_id(update_id.0).one(&self.read)).await?;
        Ok(row.map(|row| AccountId(row.account_id)))
    }

    /// Removes findings detected before `before`, decided or not, and answers how many.
    pub async fn purge_approvals(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        self.remove_before("approval", "detected_at", before).await
    }
}
