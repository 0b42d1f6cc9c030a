//! SQLite's own look at every page, row and index of a file.

use sea_orm::ConnectionTrait;

use crate::Result;
use crate::database::statement::Statements;

/// The first thing that is wrong.
pub(crate) async fn damage(connection: &impl ConnectionTrait) -> Result<Option<String>> {
    let found: Option<String> = connection.sql("pragma integrity_check(1)").first(connection).await?;
    Ok(Some(found.unwrap_or_else(|| "it is empty".to_owned())).filter(|found| found != "ok"))
}
