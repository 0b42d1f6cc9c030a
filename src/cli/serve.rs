//! `radar serve`: runs the service until it is stopped.

use clap::Args;

use super::failure::Failure;
use crate::app::{self, App};
use config::Config;

/// The arguments of `radar serve`.
#[derive(Debug, Default, Args)]
pub struct Arguments {
    /// Go on with what there is of an SQLite database whose log is missing or damaged. What was committed to that log is
    /// lost; without this the service does not start
    #[arg(long)]
    accept_loss: bool,
}

/// Runs the service until SIGTERM or SIGINT.
pub fn run(config: Config, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.accept_loss
        && let Some(loss) = actix_rt::System::new().block_on(store::accept_loss(&config.database))?
    {
        tracing::warn!(%loss, "the service goes on without what is missing");
    }
    let settings = config.clone();
    let outcome = app::run(&settings, |clock| async {
        let app = App::start(config, clock).await?;
        tracing::info!(api = %app.api_address(), operator = %app.operator_address(), "listening");
        app.run_until_signalled().await;
        Ok(())
    });
    outcome.map_err(|error| Failure::of("runtime", error))?
}
