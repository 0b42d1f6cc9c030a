//! `radar serve`: runs the service until it is stopped.

use clap::Args;
use sd_notify::NotifyState;

use super::failure::{Failure, Result};
use crate::app::{self, App, StopSignals};
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
pub fn run(config: Config, arguments: &Arguments) -> Result<()> {
    if arguments.accept_loss
        && let Some(loss) = actix_rt::System::new().block_on(store::accept_loss(&config.database))?
    {
        tracing::warn!(%loss, "the service goes on without what is missing");
    }
    let settings = config.clone();
    let outcome = app::run(&settings, |clock| async {
        let mut signals = StopSignals::catch().map_err(|error| Failure::of("signals", error))?;
        let app = tokio::select! {
            app = App::start(config, clock) => app?,
            signal = signals.received() => {
                tracing::info!(signal, "stopped before the service had started");
                return Ok(());
            }
        };
        tracing::info!(api = %app.api_address(), operator = %app.operator_address(), "listening");
        tell_systemd(NotifyState::Ready);
        app.run_until_signalled(signals, || tell_systemd(NotifyState::Stopping)).await;
        Ok(())
    });
    outcome.map_err(|error| Failure::of("runtime", error))?
}

/// Says how far the service is, where it was started as a unit of `Type=notify`.
fn tell_systemd(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "systemd cannot be told");
    }
}
