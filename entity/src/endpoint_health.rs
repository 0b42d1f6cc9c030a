//! How a receiver has answered lately.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "endpoint_health")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub endpoint_id: Uuid,
    pub account_id: Uuid,
    pub state: String,
    pub disabled_reason: Option<String>,
    pub disabled_at: Option<i64>,
    pub consecutive_failures: i64,
    pub attempts_since_success: i64,
    pub failing_since: Option<i64>,
    pub last_success_at: Option<i64>,
    pub breaker_open_until: Option<i64>,
    pub breaker_opens: i64,
    pub next_allowed_at: Option<i64>,
    pub alert_at: Option<i64>,
}

crate::without_relations!();
