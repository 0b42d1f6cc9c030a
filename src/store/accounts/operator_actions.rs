//! What operators did. An action is written before it is begun, so that none is missing, and ended with its status; one that
//! has none was cut off.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::database::columns::in_order;
use crate::{Result, Store};

/// Something that an operator did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorAction {
    /// Which: later ones are larger.
    pub action_id: Uuid,
    /// When it was begun.
    pub begun_at: DateTime<Utc>,
    /// With which key: the beginning of its hash.
    pub key_id: String,
    /// From where; `None`: from the console.
    pub client: Option<String>,
    /// The identifier of its request.
    pub request_id: Option<String>,
    /// The request's method.
    pub method: String,
    /// The request's path.
    pub path: String,
    /// What it is about: the first identifier in the path, or what it has made.
    pub about: Option<String>,
    /// What it asked for.
    pub detail: Option<String>,
    /// How it was answered.
    pub status: Option<u16>,
}

const COLUMNS: &str = "action_id, begun_at, key_id, client, request_id, method, path, about, detail, status";
in_order!(OperatorAction { action_id, begun_at, key_id, client, request_id, method, path, about, detail, status });

/// Which actions are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionFilter {
    /// About this alone.
    pub about: Option<String>,
    /// Begun from this instant on.
    pub since: Option<DateTime<Utc>>,
    /// The last one that was read before.
    pub before: Option<Uuid>,
}

impl Store {
    /// Notes an action that is begun.
    pub async fn begin_action(&self, action: OperatorAction) -> Result<()> {
        let OperatorAction { action_id, begun_at, key_id, client, request_id, method, path, about, detail, status } =
            action;
        let insert = format!("insert into operator_action ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        let action = (action_id, begun_at, key_id, client, request_id, method, path, about, detail, status);
        self.run(&insert, action).await.map(drop)
    }

    /// Notes how an action ended, and what came to be known of it.
    pub async fn end_action(
        &self,
        action_id: Uuid,
        status: u16,
        (about, detail): (Option<String>, Option<String>),
    ) -> Result<()> {
        let end = "update operator_action set status = ?, about = coalesce(about, ?), detail = ? where action_id = ?";
        self.run(end, (status, about, detail, action_id)).await.map(drop)
    }

    /// Actions, the newest first.
    pub async fn all_actions(&self, filter: &ActionFilter, limit: u64) -> Result<Vec<OperatorAction>> {
        let mut sql = self.sql(&format!("select {COLUMNS} from operator_action where begun_at >= "));
        sql.bind(filter.since.map_or(i64::MIN, |since| since.timestamp_micros()));
        sql.add_if_some(" and about = ?", filter.about.as_deref());
        sql.add_if_some(" and action_id < ?", filter.before);
        self.deadline.io(sql.add(" order by action_id desc limit ?", limit).all(&self.read)).await
    }

    /// Removes actions that were begun before `before`, and answers how many.
    pub async fn forget_actions(&self, before: DateTime<Utc>) -> Result<usize> {
        self.remove_before("operator_action", "begun_at", before).await
    }
}
