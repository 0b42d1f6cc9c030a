//! Which migrations a database has had, and whether this program knows them.

use std::collections::BTreeSet;

use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend};

use super::statement::Statements;
use crate::{Result, Store, StoreError};

const HAS_MIGRATIONS_SQLITE: &str =
    "select count(*) from sqlite_schema where type = 'table' and name = 'seaql_migrations'";
const HAS_MIGRATIONS_POSTGRES: &str = "select count(*) from pg_tables
    where schemaname = any(current_schemas(false)) and tablename = 'seaql_migrations'";

/// The migrations that a database has had, in the order of their names; none for an empty one.
pub(crate) async fn applied(connection: &impl ConnectionTrait) -> Result<Vec<String>> {
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

impl Store {
    /// The newest migration that the database has had.
    pub async fn schema(&self) -> Result<Option<String>> {
        Ok(self.deadline.io(applied(&self.read)).await?.pop())
    }
}

/// What is said of a database whose migrations came before the first of this program. None of those was ever released.
const TOO_OLD: &str = "the database was made by an earlier development version and cannot be upgraded";

/// Refuses a database whose schema another version of this program has made, unless it can be upgraded.
pub(crate) async fn refuse_foreign(connection: &DatabaseConnection) -> Result<()> {
    match foreign(&applied(connection).await?) {
        Some(foreign) => Err(StoreError::open(foreign)),
        None => Ok(()),
    }
}

/// A sentence on a database with these migrations, if this program does not know all of them.
pub(crate) fn foreign(applied: &[String]) -> Option<String> {
    let known: BTreeSet<String> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    let first = known.first()?;
    let last = known.last()?;
    let unknown = || applied.iter().filter(|name| !known.contains(*name));
    if unknown().any(|name| name < first) {
        return Some(TOO_OLD.to_owned());
    }
    let unknown = unknown().max()?;
    Some(format!("database is newer than this binary: {} > {last}", unknown.escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::{TOO_OLD, foreign};
    use migration::{Migrator, MigratorTrait};

    #[test]
    fn a_schema_with_a_migration_that_is_not_known_is_newer() {
        let known: Vec<String> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
        assert_eq!((foreign(&[]), foreign(&known)), (None, None));
        let newest = known.iter().max().expect("migrations").clone();
        let later = [known.clone(), vec!["m29990101_000001_later".to_owned()]].concat();
        let expected = format!("database is newer than this binary: m29990101_000001_later > {newest}");
        assert_eq!(foreign(&later), Some(expected));
    }

    #[test]
    fn a_schema_with_a_migration_from_before_the_first_one_is_too_old() {
        let earlier = ["m20261121_000001_settings", "m20261125_000050_recovery_left"].map(str::to_owned);
        assert_eq!(foreign(&earlier), Some(TOO_OLD.to_owned()));
        let later = [&earlier[..], &["m29990101_000001_later".to_owned()]].concat();
        assert_eq!(foreign(&later), Some(TOO_OLD.to_owned()));
    }
}
