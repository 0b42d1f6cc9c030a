//! A secret that signs an account's webhooks, encrypted.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_secret")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub secret_no: i64,
    pub key_id: String,
    pub secret: Vec<u8>,
    pub signs_until: Option<i64>,
}

crate::without_relations!();
