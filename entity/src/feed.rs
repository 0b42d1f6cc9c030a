//! A source applied to one target, polled once for all radars that read it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: Uuid,
    pub source_id: String,
    pub token: String,
    pub shard: i64,
    pub created_at: i64,
    pub head_seq: i64,
    pub fanned_seq: i64,
    pub next_poll_at: Option<i64>,
    pub polled_at: Option<i64>,
    pub succeeded_at: Option<i64>,
    pub failures: i64,
    pub last_error: Option<String>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub body_hash: Option<String>,
    pub lease_until: Option<i64>,
    pub lease_no: i64,
    pub claimed_by: Option<Uuid>,
    pub open_attempts: i64,
    pub silent_micros: i64,
    pub failure_message: Option<String>,
    pub poll_interval_micros: Option<i64>,
    pub failure_class: Option<String>,
}

crate::without_relations!();
