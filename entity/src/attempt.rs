//! One attempt of a delivery.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attempt")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub update_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub attempt_no: i64,
    pub account_id: Uuid,
    pub endpoint_id: Uuid,
    pub started_at: i64,
    pub duration_ms: i64,
    pub outcome: String,
    pub status: Option<i64>,
    pub remote: Option<String>,
    pub response: Option<String>,
    pub response_truncated: i64,
}

crate::without_relations!();
