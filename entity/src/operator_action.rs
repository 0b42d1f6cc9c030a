//! What an operator did.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "operator_action")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub action_id: Uuid,
    pub begun_at: i64,
    pub key_id: String,
    pub client: Option<String>,
    pub request_id: Option<String>,
    pub method: String,
    pub path: String,
    pub about: Option<String>,
    pub detail: Option<String>,
    pub status: Option<i64>,
}

crate::without_relations!();
