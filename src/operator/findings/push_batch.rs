//! `POST /operator/v1/findings/batch`: up to a thousand findings at once, each answered as if it had been pushed by itself.
//!
//! The radars of all findings are read together. What their filters want goes to the shards of the accounts, one submission for
//! each account: the ledger decides under the lock of the account, and the order within the batch is the order of the findings.

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use uuid::Uuid;

use super::pushed::{FILTERED, Pushed, note, radar_outcome, reported};
use crate::operator::call::Call;
use crate::web::call::json;
use crate::web::{Answer, Failure};
use actors::feeds::SourceFigures;
use actors::ledger::LedgerError;
use actors::radar::Shards;
use domain::account::{Report, ReportOutcome};
use domain::field_limits::PUSH_BATCH_BYTES_MAX;
use domain::scheduling::push_waves::waves;
use domain::{AccountId, Decision, Rejection, Trace};
use sources::Catalog;
use store::Watchers;
use wire::operator::push::{self, Push, PushRecord, RadarOutcome};
use wire::operator::push_batch;

/// How many outcomes one answer has: findings whose radars are more than that are to be pushed again, in a smaller batch.
const OUTCOMES_MAX: usize = 100_000;

type Decisions = Result<Vec<Decision<ReportOutcome>>, LedgerError>;

/// A finding of the batch and the outcomes so far.
struct Entry<'a> {
    pushed: Pushed<'a>,
    /// One for each radar: filtered until the ledger says otherwise.
    outcomes: Vec<RadarOutcome>,
    failure: Option<Failure>,
}

/// A finding at one of its radars.
#[derive(Clone, Copy)]
struct Offer {
    finding: usize,
    radar: usize,
}

/// Takes a batch of findings and offers each to every radar that watches its target.
pub(crate) async fn push_batch(mut call: Call) -> Answer {
    let body = call.body_of(PUSH_BATCH_BYTES_MAX).await?.value;
    let read = |finding| push::parse(finding).map_err(Failure::from);
    let pushes: Vec<Result<Push<'_>, Failure>> = push_batch::parse(&body)?.iter().map(read).collect();
    let shared = call.shared();
    let watchers = shared.store.all_watchers(pushes.iter().flatten().map(|push| &push.target)).await?;
    let mut batch = Batch::of(pushes, &watchers, &shared.catalog, (call.now(), call.trace()));
    batch.report(&shared.shards).await;
    let results = batch.results(&call.state.sources);
    let error_id = Uuid::new_v4();
    if results.iter().any(Result::is_err) {
        Failure::log_causes(results.iter().filter_map(|result| result.as_ref().err()), error_id);
        call.note_error(error_id);
    }
    let results = results.into_iter().map(|result| result.map_err(Failure::into_rejection)).collect();
    json(207, &push_batch::answer(results, error_id, call.now()))
}

struct Batch<'a>(Vec<Result<Entry<'a>, Failure>>);

impl<'a> Batch<'a> {
    /// Checks each finding by itself.
    fn of(
        pushes: Vec<Result<Push<'_>, Failure>>,
        watchers: &'a Watchers,
        catalog: &Catalog,
        pushed_at: (DateTime<Utc>, Option<Trace>),
    ) -> Self {
        let mut total = 0;
        let mut entry = |push: Push<'_>| {
            let pushed = Pushed::of(&push, watchers, catalog, pushed_at)?;
            let count = pushed.radars.len();
            if total > 0 && total + count > OUTCOMES_MAX {
                return Err(Rejection::Overloaded.into());
            }
            total += count;
            let outcomes = pushed.radars.iter().map(|radar| radar_outcome(radar, FILTERED, None)).collect();
            Ok(Entry { pushed, outcomes, failure: None })
        };
        Self(pushes.into_iter().map(|push| push.and_then(&mut entry)).collect())
    }

    /// Has decided what the filters want.
    async fn report(&mut self, shards: &Shards) {
        for wave in waves(self.wanted()) {
            let asked = wave.iter().map(|(account_id, places)| self.ask(shards, *account_id, places));
            let decided: Vec<Decisions> = join_all(asked).await;
            for (places, decisions) in wave.values().zip(decided) {
                self.note(places, decisions);
            }
        }
    }

    /// The places at which a finding is wanted, with the account and the length of the content.
    fn wanted(&self) -> Vec<(AccountId, usize, Offer)> {
        let mut wanted = Vec::new();
        for (finding, entry) in self.0.iter().enumerate() {
            let Ok(Entry { pushed, .. }) = entry else { continue };
            for (radar, watching) in pushed.radars.iter().enumerate() {
                if pushed.is_wanted_by(watching) {
                    wanted.push((watching.account_id, pushed.finding.content.len(), Offer { finding, radar }));
                }
            }
        }
        wanted
    }

    async fn ask(&self, shards: &Shards, account_id: AccountId, places: &[Offer]) -> Decisions {
        let report = |place: &Offer| {
            let Pushed { finding, radars, .. } = &self.0.get(place.finding)?.as_ref().ok()?.pushed;
            let radar_id = radars.get(place.radar)?.radar_id;
            Some(Report { radar_id, findings: vec![finding.clone()], cursor: None })
        };
        shards.submit(account_id, places.iter().filter_map(report).collect()).await
    }

    /// Notes what was decided at `places`. A finding that fails at any radar fails: pushed again, it is a duplicate at the
    /// others.
    fn note(&mut self, places: &[Offer], decisions: Decisions) {
        let (mut decisions, error) = match decisions {
            Ok(decisions) => (decisions.into_iter(), LedgerError::Gone),
            Err(error) => (Vec::new().into_iter(), error),
        };
        for place in places {
            let Some(Ok(entry)) = self.0.get_mut(place.finding) else { continue };
            let decision = decisions.next();
            let failure = match (decision, entry.pushed.radars.get(place.radar), entry.outcomes.get_mut(place.radar)) {
                (Some(Ok(report)), Some(radar), Some(outcome)) => {
                    *outcome = reported(radar, &report);
                    continue;
                }
                (Some(Err(rejection)), ..) => Failure::from(rejection),
                _ => Failure::from(error.clone()),
            };
            entry.failure.get_or_insert(failure);
        }
    }

    /// The result of each finding, in their order; they are counted.
    fn results(self, figures: &SourceFigures) -> Vec<Result<PushRecord, Failure>> {
        let result = |entry: Result<Entry<'_>, Failure>| {
            let Entry { pushed, outcomes, failure } = entry?;
            note(figures, &pushed.source_id, &outcomes);
            failure.map_or(Ok(PushRecord { record_id: pushed.finding.record_id, data: outcomes }), Err)
        };
        self.0.into_iter().map(result).collect()
    }
}
