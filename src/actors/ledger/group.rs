//! One group commit: what is taken together is committed together, and each part is answered.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::LocalBoxFuture;
use tracing::Instrument;
use tracing::field::Empty;

use super::{LedgerError, LedgerParts, SettledUntil, Waiting};
use domain::account::{Outcome, SettleDue};
use domain::{AccountId, CommandRejection};
use store::{Committed, Decisions, StoreError, Submission};

/// A part of a group: decided as a whole or not at all.
pub(super) enum Part {
    /// Commands of a caller.
    Commands(Waiting),
    /// The settlement of an account.
    SettleDue(Submission),
}

/// The results of a group.
#[derive(Default)]
pub(super) struct Aftermath {
    /// Commands that cannot be decided before their account is settled.
    pub(super) blocked: Vec<Waiting>,
    /// The accounts that were settled.
    pub(super) settling: Vec<(AccountId, Settlement)>,
    /// Accounts in which a command has left something due.
    pub(super) left: Vec<AccountId>,
    /// The database did not answer within the time that a caller waits.
    pub(super) is_away: bool,
}

/// The result of a settlement.
pub(super) enum Settlement {
    /// More is due.
    HasMore,
    /// Everything is decided, or cannot be.
    Done(SettledUntil),
}

impl Aftermath {
    /// Takes out what is about these accounts.
    pub(super) fn take_of(&mut self, is_of: impl Fn(AccountId) -> bool) -> Self {
        Self {
            blocked: self.blocked.extract_if(.., |waiting| is_of(waiting.submission.account_id)).collect(),
            settling: self.settling.extract_if(.., |(account_id, _)| is_of(*account_id)).collect(),
            left: self.left.extract_if(.., |account_id| is_of(*account_id)).collect(),
            is_away: self.is_away,
        }
    }
}

impl Part {
    /// An account that does what it has due.
    pub(super) fn settle_due(account_id: AccountId) -> Self {
        Self::SettleDue(Submission::of(account_id, SettleDue::default()))
    }

    pub(super) fn submission(&self) -> &Submission {
        match self {
            Self::Commands(waiting) => &waiting.submission,
            Self::SettleDue(submission) => submission,
        }
    }
}

/// Commits a group and answers its commands.
///
/// When the database rejects a group of several parts, each half is tried by itself: one broken part must not fail the
/// others.
pub(super) fn commit(parts: &LedgerParts, mut group: Vec<Part>, renewals_max: usize) -> LocalBoxFuture<'_, Aftermath> {
    Box::pin(async move {
        let now = parts.clock.now();
        let submissions: Vec<&Submission> = group.iter().map(Part::submission).collect();
        let began_at = parts.clock.steady_now();
        let span = tracing::trace_span!(
            target: "otlp", "commit", submissions = submissions.len(), renewals = Empty, error = Empty
        );
        let committed = commit_once(parts, &submissions, now, renewals_max).instrument(span.clone()).await;
        span.record("renewals", committed.as_ref().ok().map(|committed| committed.renewals.len()));
        span.record("error", committed.is_err());
        parts.figures.note_duration(parts.clock.steady_now() - began_at);
        match committed {
            Ok(committed) => {
                if committed.has_resumed {
                    (parts.on_resumed)();
                }
                let commands = group.iter().filter(|part| matches!(part, Part::Commands(_))).count();
                parts.figures.note_commit(commands, &committed.renewals, parts.clock.now());
                parts.figures.note_posted(&committed.posted);
                parts.figures.note_beyond_bound(committed.held_beyond_bound);
                for (account_id, radar_id, release_at) in committed.exceeded {
                    tracing::warn!(%radar_id, "a radar has found more than the bound of its day; what is beyond is held");
                    (parts.on_exceeded)(account_id, release_at);
                }
                answer(group, committed.decisions, now)
            }
            Err(error @ StoreError::Unavailable(_)) => {
                // The store logs the outage once for all callers.
                tracing::debug!(%error, submissions = group.len(), "a commit found the database unavailable");
                Aftermath { is_away: error.waited_in_vain(), ..reject(group, &|| LedgerError::Unavailable) }
            }
            Err(error) if group.len() == 1 => {
                tracing::error!(%error, "a submission could not be committed");
                let error = Arc::new(error);
                reject(group, &|| LedgerError::Broken(error.clone()))
            }
            Err(error) => {
                tracing::warn!(%error, submissions = group.len(), "a group was rejected and is committed in halves");
                let second_half = group.split_off(group.len() / 2);
                let mut first = commit(parts, group, renewals_max).await;
                let second = commit(parts, second_half, renewals_max).await;
                first.blocked.extend(second.blocked);
                first.settling.extend(second.settling);
                first.left.extend(second.left);
                Aftermath { is_away: first.is_away || second.is_away, ..first }
            }
        }
    })
}

/// One try. After a failure past the commit the caller does not know the result, as after a broken connection.
async fn commit_once(
    parts: &LedgerParts,
    submissions: &[&Submission],
    now: DateTime<Utc>,
    renewals_max: usize,
) -> Result<Committed, StoreError> {
    parts.faults.pass_or_fail("ledger.before_commit", &submissions.len())?;
    let committed = parts.store.commit(submissions, now, renewals_max, &*parts.dispatch).await?;
    (parts.on_commit)(submissions, &committed.decisions, now);
    parts.faults.pass_or_fail("ledger.before_answer", &submissions.len())?;
    Ok(committed)
}

fn answer(group: Vec<Part>, decisions: Vec<Decisions>, now: DateTime<Utc>) -> Aftermath {
    let mut aftermath = Aftermath::default();
    for (part, decisions) in group.into_iter().zip(decisions) {
        let has_more = decisions.iter().flatten().any(Outcome::has_more);
        match part {
            Part::SettleDue(submission) => {
                let settlement = match &decisions[..] {
                    [Ok(_)] if has_more => Settlement::HasMore,
                    [Ok(_)] => Settlement::Done(Ok(Some(now))),
                    _ => Settlement::Done(Ok(None)),
                };
                aftermath.settling.push((submission.account_id, settlement));
            }
            Part::Commands(waiting) if decisions.iter().any(|one| matches!(one, Err(CommandRejection::Overdue))) => {
                aftermath.blocked.push(waiting);
            }
            Part::Commands(Waiting { submission, reply, .. }) => {
                if has_more {
                    aftermath.left.push(submission.account_id);
                }
                // The caller may have given up; what was decided stands.
                reply.send(Ok(decisions)).ok();
            }
        }
    }
    aftermath
}

fn reject(group: Vec<Part>, error: &dyn Fn() -> LedgerError) -> Aftermath {
    let mut aftermath = Aftermath::default();
    for part in group {
        match part {
            Part::SettleDue(submission) => {
                aftermath.settling.push((submission.account_id, Settlement::Done(Err(error()))));
            }
            Part::Commands(waiting) => drop(waiting.reply.send(Err(error()))),
        }
    }
    aftermath
}
