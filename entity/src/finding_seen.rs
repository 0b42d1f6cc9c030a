//! A finding that a radar has seen, so that it is never reported twice.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "finding_seen")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub radar_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub record_id: Uuid,
    pub outcome: String,
    pub update_id: Uuid,
    pub seen_at: i64,
    pub event_id: Option<Uuid>,
    pub event_part: Option<String>,
    pub feed_id: Option<Uuid>,
    pub item_seq: Option<i64>,
    pub source_id: Option<String>,
}

crate::without_relations!();
