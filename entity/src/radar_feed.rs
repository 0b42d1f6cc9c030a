//! How far a radar has read a feed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "radar_feed")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub radar_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: Uuid,
    pub account_id: Uuid,
    pub read_seq: i64,
    pub filtered_items: i64,
    pub older_items: i64,
}

crate::without_relations!();
