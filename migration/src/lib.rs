//! The schema, one migration per table family, the same on SQLite and PostgreSQL.
//!
//! Duty: tables, keys and CHECK constraints. The statements are written once, in the words that both databases share;
//! `{uuid}`, `{bytes}`, `{int}`, `{strict}` and `{clustered}` (kept in the order of its primary key) stand for what they
//! call differently. Instants are microseconds since 1970 (UTC), money is micro-USD.

use sea_orm::{ConnectionTrait, DbBackend};
pub use sea_orm_migration::prelude::MigratorTrait;
use sea_orm_migration::prelude::{DbErr, MigrationTrait, SchemaManager};

mod accounts;
mod attempts;
mod deliveries;
mod delivery_indexes;
mod endpoint_alerts;
mod feed_health;
mod feeds;
mod fewer_due_indexes;
mod finding_events;
mod kept_answers;
mod money;
mod open_breakers;
mod poll_intervals;
mod preview_looks;
mod profiles;
mod radar_limits;
mod radars;
mod recoveries;
mod refund_lots;
mod settings;
mod source_health;
mod stopped_accounts;
mod updates;
mod watched_targets;
mod webhook_secrets;

/// All migrations, in the order in which they run.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(settings::Migration),
            Box::new(accounts::Migration),
            Box::new(money::Migration),
            Box::new(radars::Migration),
            Box::new(feeds::Migration),
            Box::new(updates::Migration),
            Box::new(deliveries::Migration),
            Box::new(kept_answers::Migration),
            Box::new(refund_lots::Migration),
            Box::new(stopped_accounts::Migration),
            Box::new(radar_limits::Migration),
            Box::new(webhook_secrets::Migration),
            Box::new(delivery_indexes::Migration),
            Box::new(attempts::Migration),
            Box::new(recoveries::Migration),
            Box::new(open_breakers::Migration),
            Box::new(endpoint_alerts::Migration),
            Box::new(profiles::Migration),
            Box::new(feed_health::Migration),
            Box::new(poll_intervals::Migration),
            Box::new(watched_targets::Migration),
            Box::new(source_health::Migration),
            Box::new(finding_events::Migration),
            Box::new(preview_looks::Migration),
            Box::new(fewer_due_indexes::Migration),
        ]
    }
}

/// Runs statements that are separated by `;`, in the database's own words.
async fn run(manager: &SchemaManager<'_>, statements: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let words = match connection.get_database_backend() {
        DbBackend::Sqlite => [
            ("{uuid}", "blob"),
            ("{bytes}", "blob"),
            ("{int}", "integer"),
            ("{strict}", " strict"),
            ("{clustered}", " strict, without rowid"),
        ],
        _ => [("{uuid}", "uuid"), ("{bytes}", "bytea"), ("{int}", "bigint"), ("{strict}", ""), ("{clustered}", "")],
    };
    for statement in statements.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        let statement = words.iter().fold(statement.to_owned(), |text, (word, native)| text.replace(word, native));
        connection.execute_unprepared(&statement).await?;
    }
    Ok(())
}

/// Makes the database refuse to change or remove rows of `tables`, whoever asks.
async fn append_only(manager: &SchemaManager<'_>, tables: &[&str]) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let is_sqlite = connection.get_database_backend() == DbBackend::Sqlite;
    if !is_sqlite && !tables.is_empty() {
        connection.execute_unprepared(REFUSE_CHANGE).await?;
    }
    for table in tables {
        let statements = match is_sqlite {
            true => ["update", "delete"].map(|change| {
                format!(
                    "create trigger {table}_no_{change} before {change} on {table}
                    begin select raise(abort, '{table} is append-only'); end"
                )
            }),
            false => [("row", "update or delete"), ("statement", "truncate")].map(|(each, change)| {
                format!(
                    "create trigger {table}_append_only_{each} before {change} on {table}
                    for each {each} execute function refuse_change()"
                )
            }),
        };
        for statement in statements {
            connection.execute_unprepared(&statement).await?;
        }
    }
    Ok(())
}

/// What the triggers of PostgreSQL call.
const REFUSE_CHANGE: &str = "create function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception '% is append-only', tg_table_name; end $$";

/// Declares a migration of one table family; rows of its append-only tables can be added, and that is all.
macro_rules! family {
    ($name:literal, $up:literal) => {
        super::family!($name, $up, append_only: []);
    };
    ($name:literal, $up:literal, append_only: [$($append_only:literal),*]) => {
        use sea_orm_migration::prelude::*;

        /// Creates the tables of this family.
        pub struct Migration;

        impl MigrationName for Migration {
            fn name(&self) -> &str {
                $name
            }
        }

        #[async_trait::async_trait]
        impl MigrationTrait for Migration {
            async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
                super::run(manager, $up).await?;
                super::append_only(manager, &[$($append_only),*]).await
            }
        }
    };
}
use family;
