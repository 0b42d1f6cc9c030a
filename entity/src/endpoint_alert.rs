//! An alert about an endpoint.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "endpoint_alert")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub alert_id: Uuid,
    pub account_id: Uuid,
    pub endpoint_id: Uuid,
    pub alert_type: String,
    pub created_at: i64,
    pub body: String,
}

crate::without_relations!();
