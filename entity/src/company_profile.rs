//! When a company was looked at for its profile, and when it is looked at again.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "company_profile")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub domain: String,
    pub looked_at: Option<i64>,
    pub refresh_at: i64,
    pub last_error: Option<String>,
}

crate::without_relations!();
