//! `POST /operator/v1/findings`: private providers hand findings in (decision 7.1).
//!
//! A finding goes to every active radar that watches the target; the answer has one outcome per radar. The same
//! `native_id` of the same source again is a duplicate everywhere, so an interrupted push can simply be repeated.

use futures_util::{StreamExt, TryStreamExt, stream};

use super::pushed::{FILTERED, Pushed, note, radar_outcome, reported};
use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use actors::ledger::LedgerError;
use domain::Radar;
use domain::account::Report;
use wire::operator::push::{self, PushRecord, RadarOutcome, TAKEN};

/// How many radars get a finding at the same time: enough for the ledger to commit them together.
const REPORTS_AT_ONCE: usize = 64;

/// Takes a finding and offers it to every radar that watches its target.
pub(crate) async fn push(mut call: Call) -> Answer {
    let body = call.body().await?.value;
    let push = push::parse(&body)?;
    let watchers = call.store().watchers(&push.target).await?;
    let pushed = Pushed::of(&push, &watchers, &call.shared().catalog, (call.now(), call.trace()))?;
    let reports = pushed.radars.iter().map(|radar| report(&call, radar, &pushed));
    let data: Vec<RadarOutcome> = stream::iter(reports).buffered(REPORTS_AT_ONCE).try_collect().await?;
    note(&call.state.sources, &push.source, &data);
    call.fields(202, TAKEN, PushRecord { record_id: pushed.finding.record_id, data })
}

/// What is asked for never changes, so a radar's filter needs no look at the radar as it is now; the ledger takes that.
async fn report(call: &Call, radar: &Radar, pushed: &Pushed<'_>) -> Result<RadarOutcome, Failure> {
    if !pushed.is_wanted_by(radar) {
        return Ok(radar_outcome(radar, FILTERED, None));
    }
    let report = Report { radar_id: radar.radar_id, findings: vec![pushed.finding.clone()], cursor: None };
    let decisions = call.shared().shards.submit(radar.account_id, vec![report]).await?;
    let report = decisions.into_iter().next().ok_or(LedgerError::Gone)??;
    Ok(reported(radar, &report))
}
