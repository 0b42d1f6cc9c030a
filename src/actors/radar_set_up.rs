//! Set-up: finding what serves a radar, once, after its creation (Spec 3, decisions 1.3 and 7.5).

use super::engine::Engine;
use super::feed_scanner::PollFailure;
use super::radar_turn::TurnError;
use crate::domain::book::{Command, Outcome, SetUpOutcome};
use crate::domain::ids::FeedId;
use crate::domain::radar::{FailureReason, Radar};
use crate::sources::{self, SetUpFault};

/// Looks for sources until some serve the radar or it is certain that none can, and settles the set-up.
pub(super) async fn run(engine: &Engine, radar: Radar) -> Result<Radar, TurnError> {
    let outcome = search(engine, &radar).await?;
    let has_feeds = matches!(&outcome, SetUpOutcome::Ready(feeds) if !feeds.is_empty());
    let command = Command::FinishSetUp { radar_id: radar.radar_id, outcome };
    match engine.ledger.ask(radar.account_id, command).await? {
        Ok(Outcome::SetUpFinished(radar)) => {
            // Its feeds have a reader only now.
            if has_feeds {
                engine.scanner.look();
            }
            Ok(*radar)
        }
        other => Err(TurnError::of(&other)),
    }
}

/// Why this try of a set-up failed.
struct Fault {
    reason: FailureReason,
    message: String,
    is_worth_retrying: bool,
}

async fn search(engine: &Engine, radar: &Radar) -> Result<SetUpOutcome, TurnError> {
    let mut retries = engine.settings.setup_retries.iter();
    loop {
        let fault = match attempt(engine, radar).await? {
            Ok(feeds) => return Ok(SetUpOutcome::Ready(feeds)),
            Err(fault) => fault,
        };
        match retries.next().filter(|_| fault.is_worth_retrying) {
            Some(&wait) => engine.clock.sleep(wait).await,
            None => {
                let Fault { reason, message, .. } = fault;
                tracing::info!(radar.id = %radar.radar_id, reason = reason.as_str(), "a radar could not be set up");
                return Ok(SetUpOutcome::Failed { reason, message });
            }
        }
    }
}

/// One try: discovery, then a first look at each feed. What is there now is the silent baseline (decision 7.2).
async fn attempt(engine: &Engine, radar: &Radar) -> Result<Result<Vec<(FeedId, i64)>, Fault>, TurnError> {
    let radar_type = radar.wanted.radar_type;
    let is_pushed = engine.catalog.has_push_source(radar_type);
    let found = match radar.wanted.target.domain() {
        Some(domain) => sources::discover(&engine.web, &engine.catalog, radar_type, domain).await,
        None => Err(SetUpFault::NoSource("No enabled source serves this radar type.".to_owned())),
    };
    let keys = match found {
        Ok(keys) => keys,
        Err(_) if is_pushed => return Ok(Ok(Vec::new())),
        Err(fault) => return Ok(Err(Fault::from(fault))),
    };
    let mut feeds = Vec::new();
    let mut last_fault = None;
    for key in keys {
        let feed_id = engine.store.ensure_feed(&key.source_id, &key.token, engine.clock.now()).await?;
        match engine.scanner.poll_since(feed_id, radar.created_at).await {
            Ok(head_seq) => feeds.push((feed_id, head_seq)),
            Err(PollFailure::NotNow) => return Err(TurnError::NotNow),
            Err(PollFailure::Source { message, is_worth_retrying }) => {
                let reason = FailureReason::SourceInaccessible;
                last_fault = Some(Fault { reason, message, is_worth_retrying });
            }
        }
    }
    match last_fault {
        Some(fault) if feeds.is_empty() && !is_pushed => Ok(Err(fault)),
        _ => Ok(Ok(feeds)),
    }
}

impl From<SetUpFault> for Fault {
    fn from(fault: SetUpFault) -> Self {
        let (reason, is_worth_retrying) = (fault.failure_reason(), fault.is_worth_retrying());
        Self { reason, message: fault.to_string(), is_worth_retrying }
    }
}
