//! `GET /operator/v1/activity`: what this process did in each minute of the last hour.

use crate::operator::activity::{Counts, Minute};
use crate::operator::call::Call;
use crate::web::Answer;
use wire::{Instant, object};

/// The minutes, the oldest first; the last one goes on.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let record = |(ends_at, counts): Minute| {
        let Counts { findings, charges, renewals, deliveries, polls } = counts;
        object! { ends_at: Instant(ends_at), findings, charges, renewals, deliveries, polls }
    };
    let minutes = call.state.activity.minutes(&call.state.sources, call.shared());
    call.data(200, "Activity", object! { minutes: minutes.into_iter().map(record).collect::<Vec<_>>() })
}
