//! SQLite's own look at every page, row and index of a file.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

/// The first thing that is wrong.
pub(crate) async fn damage(connection: &impl ConnectionTrait) -> Result<Option<String>, DbErr> {
    let asked = Statement::from_string(DbBackend::Sqlite, "pragma integrity_check(1)");
    let Some(row) = connection.query_one_raw(asked).await? else { return Ok(Some("it is empty".to_owned())) };
    let found: String = row.try_get_by_index(0)?;
    Ok((found != "ok").then_some(found))
}
