//! `/operator/v1/clock`: shows and moves a simulated clock. The system clock cannot be moved.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use wire::operator::system::parse_advance;
use wire::{Instant, object};

/// The name of the setting in the store where a simulated clock stands, in microseconds since 1970.
pub(crate) const SIMULATED_NOW: &str = "clock.simulated_now_micros";

/// `GET /operator/v1/clock`
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    refuse_system_clock(&call)?;
    call.data(200, "Clock", record(call.now()))
}

/// `POST /operator/v1/clock/advance`: answers when the system is quiet at the new instant.
pub(crate) async fn advance(mut call: Call) -> Answer {
    refuse_system_clock(&call)?;
    let by = parse_advance(&call.body().await?.value)?;
    let now = call.shared().clock.advance(by).await.ok_or_else(not_simulated)?;
    call.store().set_setting(SIMULATED_NOW, &now.timestamp_micros().to_string()).await?;
    call.data(200, "Clock moved", record(now))
}

fn record(now: DateTime<Utc>) -> impl Serialize {
    object! { mode: "simulated", now: Instant(now) }
}

fn refuse_system_clock(call: &Call) -> Result<(), Failure> {
    if call.shared().clock.is_simulated() { Ok(()) } else { Err(not_simulated()) }
}

fn not_simulated() -> Failure {
    Failure::conflict("clock", "is the machine's; clock.mode must be simulated")
}
