//! One attempt of a set-up: finding what serves a radar (Spec 3, decisions 1.3 and 7.5). What a failed attempt means is
//! decided by `domain::radar::set_up`.

use std::time::Duration;

use super::outcome::{Next, TurnError};
use super::parts::RadarParts;
use super::profiles::Keep;
use crate::feeds::PollFailure;
use domain::account::{FinishSetUp, SetUpFinished, SetUpOutcome};
use domain::scheduling::attempts;
use domain::{FailureReason, FeedId, NextStep, Obstacle, Radar, SetUp, Target};
use outbound::fetch::ReadHolder;
use store::ClaimedSetUp;

/// How long one attempt may take. Sites that want ten seconds between two visits are read whole in this time.
const ATTEMPT_MAX: Duration = Duration::from_secs(5 * 60);

/// Why an attempt failed.
struct Failure {
    obstacle: Obstacle,
    message: String,
}

/// Makes the attempt that was claimed: finishes the set-up, or notes when the next attempt is due. Answers what the radar has
/// to do then.
pub(super) async fn attempt(parts: &RadarParts, claimed: &ClaimedSetUp) -> Result<Next, TurnError> {
    let radar = parts.store.radar(claimed.account_id, claimed.radar_id).await?.map(|(radar, _)| radar);
    let waits = |radar: &Radar| radar.set_up == SetUp::Pending && radar.is_watching(parts.clock.now());
    let Some(radar) = radar.filter(waits) else {
        parts.store.forget_set_up(claimed).await?;
        return Ok(Next::Nothing);
    };
    if attempts::is_to_blame(claimed.claim.open_attempts) {
        let attempts = claimed.claim.open_attempts;
        let message = format!("Reading the target ended the service {attempts} times.");
        tracing::warn!(radar_id = %radar.radar_id, attempts, "set-ups of a radar end the process");
        let reason = FailureReason::SourceInaccessible;
        return finish(parts, claimed, SetUpOutcome::Failed { reason, message }).await;
    }
    if let Some(domain) = radar.wanted.target.domain() {
        parts.faults.pass("set_up.attempt", &domain.as_str());
    }
    let found = tokio::select! {
        biased;
        found = search(parts, &radar) => found?,
        () = parts.clock.sleep(ATTEMPT_MAX) => Err(Failure {
            obstacle: Obstacle::Unreachable,
            message: "the site could not be read in time".to_owned(),
        }),
    };
    let Failure { obstacle, message } = match found {
        Ok(feeds) => return finish(parts, claimed, SetUpOutcome::Ready(feeds)).await,
        Err(failure) => failure,
    };
    let mut failed = claimed.failed;
    match failed.add(obstacle, parts.clock.now()) {
        NextStep::TryAgain(wait) => {
            parts.store.postpone_set_up(claimed, failed, &message, wait).await?;
            Ok(Next::Nothing)
        }
        NextStep::Fail(reason) => {
            tracing::info!(radar_id = %radar.radar_id, reason = reason.as_str(), "a radar could not be set up");
            finish(parts, claimed, SetUpOutcome::Failed { reason, message }).await
        }
    }
}

async fn finish(parts: &RadarParts, claimed: &ClaimedSetUp, outcome: SetUpOutcome) -> Result<Next, TurnError> {
    let has_feeds = matches!(&outcome, SetUpOutcome::Ready(feeds) if !feeds.is_empty());
    let &ClaimedSetUp { account_id, radar_id, claim, .. } = claimed;
    let finish = FinishSetUp { radar_id, lease_no: claim.lease_no, outcome };
    let SetUpFinished(radar) = parts.ledger.ask(account_id, finish).await??;
    // Its feeds have a reader only now.
    if has_feeds {
        parts.scanner.kick();
    }
    if radar.set_up == SetUp::Pending {
        // The account was stopped during the attempt, or the claim was lost; a lost claim needs no release.
        return Err(TurnError::NotNow);
    }
    Ok(Next::of(&radar))
}

/// Discovery, then a first look at each feed. What is there now is the silent baseline (decision 7.2).
async fn search(parts: &RadarParts, radar: &Radar) -> Result<Result<Vec<(FeedId, i64)>, Failure>, TurnError> {
    let radar_type = radar.wanted.radar_type;
    let is_pushed = parts.catalog.has_push_source(radar_type);
    let target = &radar.wanted.target;
    let web = parts.web.on_behalf_of(ReadHolder::Account(radar.account_id));
    let found = match parts.profiles.needed_by(&parts.catalog, &radar.wanted, Keep::Stored).await? {
        Ok(profile) => sources::discover(&web, &parts.catalog, radar_type, target, profile.as_ref()).await,
        Err(error) => Err(error),
    };
    let keys = match found {
        Ok(keys) => keys,
        // A provider serves the radar meanwhile.
        Err(_) if is_pushed => {
            // Public sources may serve it as well, once the site answers.
            if let Target::Company { domain } = target
                && !parts.catalog.is_only_pushed(radar_type)
            {
                parts.profiles.look_again(domain).await?;
            }
            return Ok(Ok(Vec::new()));
        }
        Err(error) => return Ok(Err(Failure { obstacle: error.obstacle(), message: error.to_string() })),
    };
    let (mut feeds, mut silent) = (Vec::new(), Vec::new());
    let mut last_failure = None;
    for key in keys {
        let host = sources::host_of(&parts.catalog, &key);
        let feed_id = parts.store.ensure_feed(&key.source_id, &key.token, &host, parts.clock.now()).await?;
        match parts.scanner.poll_since(feed_id, radar.created_at).await {
            Ok(head_seq) => feeds.push((feed_id, head_seq)),
            Err(PollFailure::NotNow) => return Err(TurnError::NotNow),
            Err(PollFailure::Source { message, obstacle }) => {
                silent.extend(Some(feed_id).filter(|_| obstacle == Obstacle::Unreachable));
                let asked =
                    parts.catalog.get(&key.source_id).map_or(key.source_id.as_str(), |source| source.name.as_str());
                last_failure = Some(Failure { obstacle, message: format!("{asked}: {message}") });
            }
        }
    }
    match last_failure {
        Some(failure) if feeds.is_empty() && !is_pushed => Ok(Err(failure)),
        _ => {
            // They are polled until they answer; what they show first is their baseline.
            for feed_id in silent {
                let head_seq = parts.store.feed(feed_id).await?.map_or(0, |feed| feed.head_seq);
                feeds.push((feed_id, head_seq));
            }
            Ok(Ok(feeds))
        }
    }
}
