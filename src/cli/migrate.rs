//! `radar migrate`: brings the schema of the database up to date, and nothing else.

use super::failure::Result;
use super::output;
use config::Config;

/// Runs what is left to run of the migrations.
pub fn run(config: &Config) -> Result<()> {
    actix_rt::System::new().block_on(store::migrate(&config.database))?;
    output::print("the schema is up to date")
}
