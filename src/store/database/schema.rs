//! Which migrations a database has had, and whether this program knows them.

use std::collections::BTreeSet;

use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};

use super::statement::Statements;
use crate::StoreError;

const HAS_MIGRATIONS_SQLITE: &str =
    "select count(*) from sqlite_schema where type = 'table' and name = 'seaql_migrations'";
const HAS_MIGRATIONS_POSTGRES: &str = "select count(*) from pg_tables
    where schemaname = any(current_schemas(false)) and tablename = 'seaql_migrations'";

/// The migrations that a database has had, in the order of their names; none for an empty one.
pub(crate) async fn applied(connection: &impl ConnectionTrait) -> Result<Vec<String>, StoreError> {
    let has_migrations = match connection.get_database_backend() {
        DbBackend::Sqlite => HAS_MIGRATIONS_SQLITE,
        _ => HAS_MIGRATIONS_POSTGRES,
    };
    let tables: Vec<i64> = connection.sql(has_migrations).all(connection).await?;
    if tables != [1] {
        return Ok(Vec::new());
    }
    connection.sql("select version from seaql_migrations order by version").all(connection).await
}

/// Refuses a database whose schema a later version of this program has made.
pub(crate) async fn refuse_newer(connection: &DatabaseConnection) -> Result<(), StoreError> {
    match newer(&applied(connection).await?) {
        Some(newer) => Err(StoreError::open(newer)),
        None => Ok(()),
    }
}

/// A sentence on a database with these migrations, if this program does not know all of them.
pub(crate) fn newer(applied: &[String]) -> Option<String> {
    let known: BTreeSet<String> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    let unknown = applied.iter().filter(|name| !known.contains(*name)).max()?;
    let newest = known.last().map(String::as_str).unwrap_or_default();
    Some(format!("database is newer than this binary: {} > {newest}", unknown.escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::newer;
    use migration::{Migrator, MigratorTrait};

    #[test]
    fn a_schema_with_a_migration_that_is_not_known_is_newer() {
        let known: Vec<String> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
        assert_eq!((newer(&[]), newer(&known)), (None, None));
        let newest = known.iter().max().expect("migrations").clone();
        let later = [known, vec!["m29990101_000001_later".to_owned()]].concat();
        let expected = format!("database is newer than this binary: m29990101_000001_later > {newest}");
        assert_eq!(newer(&later), Some(expected));
    }
}
