//! Findings that wait for an operator, and those that one has decided about (decision 4.10).

use chrono::{DateTime, Utc};
use entity::approval;

use super::paging::cut;
use crate::tables::stored::Stored;
use crate::{Result, Store};
use domain::{AccountId, ApprovalState, FindingForApproval, UpdateId};

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
    ) -> Result<(Vec<(AccountId, FindingForApproval)>, bool)> {
        let of_state = "select * from approval where state = ? and detected_at >= ?";
        let mut sql = self.sql_with(of_state, (filter.state, filter.from));
        sql.add_if_some(" and account_id = ?", filter.account_id);
        let after = filter.after.map(|(at, update_id)| (at, at, update_id));
        sql.add_if_some(" and (detected_at > ? or detected_at = ? and update_id > ?)", after);
        sql.add(" order by detected_at, update_id limit ?", limit as u64 + 1);
        let (found, has_more) = cut(self.deadline.io(sql.models(&self.read)).await?, limit);
        Ok((found.into_iter().map(approval::Entity::value).collect::<Result<_, _>>()?, has_more))
    }

    /// Whose a finding is.
    pub async fn any_approval_owner(&self, update_id: UpdateId) -> Result<Option<AccountId>> {
        self.first("select account_id from approval where update_id = ?", update_id).await
    }

    /// Removes findings detected before `before`, decided or not, and answers how many.
    pub async fn purge_approvals(&self, before: DateTime<Utc>) -> Result<usize> {
        self.remove_before("approval", "detected_at", before).await
    }
}
