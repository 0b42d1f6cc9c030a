//! One thing that is known of a company, with its evidence.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "profile_entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub domain: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_key: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub ordinal: i64,
    pub entry_value: String,
    pub evidence: String,
    pub evidence_url: String,
}

crate::without_relations!();
