//! The thread that the actors live on.

use actix_rt::System;

use clock::Clock;
use config::{ClockMode, Config};

/// Runs `body` on a runtime of its own, with the clock that `config` asks for.
pub fn run<F: Future>(config: &Config, body: impl FnOnce(Clock) -> F) -> std::io::Result<F::Output> {
    let clock = match config.clock.mode {
        ClockMode::System => Clock::system(),
        ClockMode::Simulated => Clock::simulated(config.clock.start.unwrap_or_else(|| Clock::system().now())),
    };
    run_on(&clock, body)
}

/// Runs `body` on a runtime whose idle moments step `clock`, if that is a simulated one.
pub fn run_on<F: Future>(clock: &Clock, body: impl FnOnce(Clock) -> F) -> std::io::Result<F::Output> {
    let runtime = clock.runtime()?;
    // Connections that are in use when the runtime ends are given back on it.
    let handle = runtime.handle().clone();
    let _entered = handle.enter();
    Ok(System::with_tokio_rt(|| runtime).block_on(async move {
        let driver = clock.clone();
        let driving = actix_rt::spawn(async move { driver.drive().await });
        let output = body(clock.clone()).await;
        driving.abort();
        output
    }))
}
