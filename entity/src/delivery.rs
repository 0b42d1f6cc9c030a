//! The outbox row of one update.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "delivery")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub update_id: Uuid,
    pub account_id: Uuid,
    pub update_seq: i64,
    pub endpoint_id: Uuid,
    pub sequence: i64,
    pub state: String,
    pub attempts: i64,
    pub due_at: Option<i64>,
    pub lease_until: Option<i64>,
    pub lease_no: i64,
    pub claimed_by: Option<Uuid>,
    pub created_at: i64,
    pub finished_at: Option<i64>,
    pub format: Option<String>,
    pub body: Option<String>,
    pub trace: Option<String>,
}

crate::without_relations!();
