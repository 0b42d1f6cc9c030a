//! Work on everything that matches: deliveries that are sent again, or radars that are ended.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub job_id: Uuid,
    pub account_id: Option<Uuid>,
    pub since: i64,
    pub until: i64,
    pub radar_type: Option<String>,
    pub with_delivered: i64,
    pub search: Option<String>,
    pub created_at: i64,
    pub found: i64,
    pub done: i64,
    pub cursor_at: i64,
    pub cursor_id: Option<Uuid>,
    pub advanced_at: i64,
    pub finished_at: Option<i64>,
    pub resumes_at: Option<i64>,
    pub is_stopped: i64,
}

crate::without_relations!();
