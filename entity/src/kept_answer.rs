//! The answer to a request that created something under an `Idempotency-Key`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "kept_answer")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub key_hash: String,
    pub request_hash: String,
    pub status: i64,
    pub body: String,
    pub used_at: i64,
}

crate::without_relations!();
