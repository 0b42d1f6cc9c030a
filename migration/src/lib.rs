//! The schema, the same on SQLite and PostgreSQL: one file of `migration/sql/` for each migration of a table family.
//!
//! Duty: tables, keys and CHECK constraints. The statements are written once, in the words that both databases share;
//! `{uuid}`, `{bytes}`, `{int}`, `{strict}` and `{clustered}` (kept in the order of its primary key) stand for what they
//! call differently. Instants are microseconds since 1970 (UTC), money is micro-USD.

use sea_orm::{ConnectionTrait, DbBackend};
pub use sea_orm_migration::prelude::MigratorTrait;
use sea_orm_migration::prelude::{DbErr, MigrationName, MigrationTrait, SchemaManager};

/// All migrations, in the order in which they run.
pub struct Migrator;

/// The statements of one file, and what they cannot say themselves.
#[derive(Clone, Copy)]
struct Migration {
    name: &'static str,
    sql: &'static str,
    /// Whether all of it happens or nothing, on SQLite too.
    is_one_transaction: bool,
    /// Tables whose rows can be added, and that is all.
    append_only: &'static [&'static str],
}

/// The migration in the file of that name.
macro_rules! file {
    ($name:literal) => {
        Migration {
            name: $name,
            sql: include_str!(concat!("../sql/", $name, ".sql")),
            is_one_transaction: false,
            append_only: &[],
        }
    };
}

const MIGRATIONS: &[Migration] = &[
    file!("m20261121_000001_settings"),
    file!("m20261121_000002_accounts"),
    Migration { append_only: &["ledger_tx", "ledger_entry"], ..file!("m20261121_000003_money") },
    file!("m20261121_000004_radars"),
    file!("m20261121_000005_feeds"),
    file!("m20261121_000006_updates"),
    file!("m20261121_000007_deliveries"),
    file!("m20261121_000008_kept_answers"),
    file!("m20261122_000001_refund_lots"),
    file!("m20261122_000002_stopped_accounts"),
    file!("m20261122_000003_radar_limits"),
    // Rows move from one table to another.
    Migration { is_one_transaction: true, ..file!("m20261122_000001_webhook_secrets") },
    file!("m20261122_000030_delivery_indexes"),
    file!("m20261122_000010_attempts"),
    file!("m20261122_000040_recoveries"),
    file!("m20261122_000050_open_breakers"),
    file!("m20261122_000060_endpoint_alerts"),
    file!("m20261122_000070_profiles"),
    file!("m20261122_000080_feed_health"),
    file!("m20261122_000090_poll_intervals"),
    file!("m20261122_000120_watched_targets"),
    file!("m20261122_000130_source_health"),
    file!("m20261122_000100_finding_events"),
    file!("m20261123_000100_preview_looks"),
    file!("m20261123_000010_fewer_due_indexes"),
    file!("m20261125_000010_daily_bounds"),
    file!("m20261125_000020_item_dates"),
    file!("m20261125_000030_redeliveries"),
    file!("m20261125_000040_preview_looks_each"),
    file!("m20261125_000050_recovery_left"),
];

/// What both databases have, each in its own words.
const WORDS: [&str; 5] = ["{uuid}", "{bytes}", "{int}", "{strict}", "{clustered}"];

/// What the triggers of PostgreSQL call.
const REFUSE_CHANGE: &str = "create function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception '% is append-only', tg_table_name; end $$";

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        MIGRATIONS.iter().map(|migration| Box::new(*migration) as Box<dyn MigrationTrait>).collect()
    }
}

impl MigrationName for Migration {
    fn name(&self) -> &str {
        self.name
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        self.is_one_transaction.then_some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, self.sql).await?;
        append_only(manager, self.append_only).await
    }
}

/// Runs statements that are separated by `;`, in the database's own words.
async fn run(manager: &SchemaManager<'_>, statements: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let native = match connection.get_database_backend() {
        DbBackend::Sqlite => ["blob", "blob", "integer", " strict", " strict, without rowid"],
        _ => ["uuid", "bytea", "bigint", "", ""],
    };
    let uncommented: Vec<&str> = statements.lines().filter(|line| !line.starts_with("--")).collect();
    for statement in uncommented.join("\n").split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        let words = WORDS.iter().zip(native);
        let statement = words.fold(statement.to_owned(), |text, (word, native)| text.replace(word, native));
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
