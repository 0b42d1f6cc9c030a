//! A radar whose sources are being looked for; gone once they are found, or given up.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "set_up")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub radar_id: Uuid,
    pub account_id: Uuid,
    pub due_at: i64,
    pub lease_until: Option<i64>,
    pub lease_no: i64,
    pub claimed_by: Option<Uuid>,
    pub open_attempts: i64,
    pub failures: i64,
    pub failing_since: Option<i64>,
    pub unknown_names: i64,
    pub unknown_since: Option<i64>,
    pub last_error: Option<String>,
}

crate::without_relations!();
