//! A radar.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "radar")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub radar_id: Uuid,
    pub account_id: Uuid,
    pub shard: i64,
    pub radar_type: String,
    pub target_key: String,
    pub domain: Option<String>,
    pub profile_url: Option<String>,
    pub email: Option<String>,
    pub full_name: Option<String>,
    pub keyword: Option<String>,
    pub countries: Option<String>,
    pub departments: Option<String>,
    pub seniorities: Option<String>,
    pub job_titles: Option<String>,
    pub webhook_url: Option<String>,
    pub webhook_format: Option<String>,
    pub custom_fields: String,
    pub status: String,
    pub status_reason: Option<String>,
    pub set_up: String,
    pub model: String,
    pub grace_period: String,
    pub created_at: i64,
    pub deactivated_at: Option<i64>,
    pub period_no: i64,
    pub next_charge_at: Option<i64>,
    pub wake_at: Option<i64>,
    pub crashes: i64,
    pub last_error: Option<String>,
    pub day_began_at: Option<i64>,
    pub day_charged: i64,
    pub held_beyond_bound: i64,
    pub full_since: Option<i64>,
    pub release_at: Option<i64>,
}

crate::without_relations!();
