//! `GET /operator/v1/activity`: what this process did in each minute of the last hour.

use crate::operator::activity::{Counts, Ended};
use crate::operator::call::Call;
use crate::web::call::Answer;
use wire::object;
use wire::time::Instant;

/// The minutes, the oldest first.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let record = |(ends_at, counts): Ended| {
        let Counts { findings, charges, renewals, deliveries, polls } = counts;
        object! { ends_at: Instant(ends_at), findings, charges, renewals, deliveries, polls }
    };
    let minutes = call.state.activity.minutes();
    call.data(200, "Activity", object! { minutes: minutes.into_iter().map(record).collect::<Vec<_>>() })
}
