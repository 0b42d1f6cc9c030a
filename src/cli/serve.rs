//! `radar serve`: runs the service until it is stopped.

use super::failure::Failure;
use crate::app::{self, App};
use crate::config::Config;

/// Runs the service until SIGTERM or SIGINT.
pub fn run(config: Config) -> Result<(), Failure> {
    let settings = config.clone();
    let outcome = app::run(&settings, |clock| async {
        let app = App::start(config, clock).await?;
        tracing::info!(api = %app.api_address(), operator = %app.operator_address(), "listening");
        app.run_until_signalled().await;
        Ok(())
    });
    outcome.map_err(|error| Failure::of("runtime", error))?
}
