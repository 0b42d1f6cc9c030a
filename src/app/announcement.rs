//! What the service says of itself at its start, one line for each: its version, its database, its sources.

use config::Config;
use sources::{Catalog, Source};
use store::{Store, StoreError};

/// Which program this is.
pub(super) fn version() {
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "starting");
}

/// Which database is open, and its newest migration.
pub(super) async fn database(config: &Config, store: &Store) -> Result<(), StoreError> {
    let schema = store.schema().await?;
    tracing::info!(database = config.database.address(), schema, "the database is open");
    Ok(())
}

/// Which sources are on, and which are off.
pub(super) fn sources(catalog: &Catalog) {
    let (on, off): (Vec<&Source>, Vec<&Source>) = catalog.all().partition(|source| source.is_enabled());
    tracing::info!(count = on.len(), sources = ids(&on), "sources are on");
    tracing::info!(count = off.len(), sources = ids(&off), "sources are off");
}

fn ids(sources: &[&Source]) -> String {
    sources.iter().map(|source| source.id.as_str()).collect::<Vec<_>>().join(" ")
}
