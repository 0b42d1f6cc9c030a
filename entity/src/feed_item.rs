//! What a feed has shown: an item of its log, or (without `seq`) something that is no item or was there first.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_item")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub native_id: String,
    pub seq: Option<i64>,
    pub content: Option<String>,
    pub role: Option<String>,
    pub detected_at: i64,
    pub dated_at: Option<i64>,
    pub page_url: Option<String>,
    pub body_hash: Option<String>,
    pub excerpt: Option<String>,
}

crate::without_relations!();
