//! An API key of an account; only its hash is known.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_key")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub key_id: Uuid,
    pub account_id: Uuid,
    pub key_hash: String,
    pub key_hint: String,
    pub kind: String,
    pub created_at: i64,
    pub scopes: String,
    pub expires_at: Option<i64>,
    pub revoked_at: Option<i64>,
}

crate::without_relations!();
