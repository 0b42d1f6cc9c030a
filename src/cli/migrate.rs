//! `radar migrate`: brings the schema of the database up to date, and nothing else.

use super::failure::Failure;
use super::output;
use crate::config::Config;
use crate::store::{self, DatabaseSettings};

/// Runs what is left to run of the migrations.
///
/// # Errors
/// [`Failure`] when the database cannot be opened or refuses.
pub fn run(config: &Config) -> Result<(), Failure> {
    let settings =
        DatabaseSettings { url: config.database.url.clone(), max_connections: config.database.max_connections };
    actix_rt::System::new().block_on(store::migrate(&settings))?;
    output::print("the schema is up to date")
}
