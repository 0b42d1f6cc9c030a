//! Secrets that an older version kept in plain text: no byte of them stays in the database's files.
//!
//! A row that is written anew leaves its old bytes where they were, in pages that are free or half empty, in the log, in
//! rows that nobody sees any more. So the tables are written anew as a whole, once. Until that has succeeded a mark stays
//! in the database, and it is tried again at the next start.

use entity::setting;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityTrait, Statement};

use crate::StoreError;

/// The mark, which the migration sets that moves the secrets.
const MARK: &str = "secrets.plain_text_left";

/// Writes anew what held secrets in plain text, if that has not been done.
pub(super) async fn wipe(write: &DatabaseConnection) -> Result<(), StoreError> {
    if setting::Entity::find_by_id(MARK).one(write).await?.is_none() {
        return Ok(());
    }
    tracing::info!("the database is written anew once, so that no secret stays in it in plain text");
    let wiped = match write.get_database_backend() {
        DbBackend::Sqlite => wipe_sqlite(write).await,
        _ => wipe_postgres(write).await,
    };
    match wiped {
        Ok(true) => {
            setting::Entity::delete_by_id(MARK).exec(write).await?;
        }
        Ok(false) => tracing::warn!("somebody reads the database; its log is cleared at the next start"),
        Err(error) => tracing::warn!(%error, "the database cannot be written anew; it is tried at the next start"),
    }
    Ok(())
}

/// Whether the file was written anew and its log is empty.
async fn wipe_sqlite(write: &DatabaseConnection) -> Result<bool, DbErr> {
    // The writer keeps small things in memory; a copy of the database is none.
    write.execute_unprepared("pragma temp_store = file").await?;
    let copied = write.execute_unprepared("vacuum").await;
    write.execute_unprepared("pragma temp_store = memory").await?;
    copied?;
    let checkpoint = Statement::from_string(DbBackend::Sqlite, "pragma wal_checkpoint(truncate)");
    let answer = write.query_one_raw(checkpoint).await?;
    let is_busy = answer.map(|row| row.try_get_by_index::<i64>(0)).transpose()?;
    Ok(is_busy == Some(0))
}

async fn wipe_postgres(write: &DatabaseConnection) -> Result<bool, DbErr> {
    for table in ["account", "webhook_secret"] {
        write.execute_unprepared(&format!("vacuum (full) {table}")).await?;
    }
    Ok(true)
}
