//! One group commit: what is taken together is committed together, and each part is answered.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::LocalBoxFuture;

use super::{LedgerError, LedgerParts, Settled, Waiting};
use crate::domain::account::{Command, Decision, Outcome, Refusal};
use crate::domain::ids::AccountId;
use crate::store::{Committed, Intent, StoreError};

/// A part of a group: decided as a whole or not at all.
pub(super) enum Part {
    /// Commands of a caller.
    Commands(Waiting),
    /// The settlement of an account.
    SettleDue(AccountId),
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
    Done(Result<Settled, LedgerError>),
}

impl Part {
    fn intents(&self) -> Vec<Intent> {
        match self {
            Self::Commands(Waiting { submit, .. }) => {
                let account_id = submit.account_id;
                submit.commands.iter().map(|command| Intent { account_id, command: command.clone() }).collect()
            }
            Self::SettleDue(account_id) => {
                vec![Intent { account_id: *account_id, command: Command::SettleDue { radar_id: None } }]
            }
        }
    }
}

/// Commits a group and answers its commands.
///
/// When the database rejects a group of several parts, each half is tried by itself: one broken part must not fail the
/// others.
pub(super) fn commit(parts: &LedgerParts, mut group: Vec<Part>, renewals_max: usize) -> LocalBoxFuture<'_, Aftermath> {
    Box::pin(async move {
        let intents: Vec<Intent> = group.iter().flat_map(Part::intents).collect();
        let now = parts.clock.now();
        match commit_once(parts, &intents, now, renewals_max).await {
            Ok(committed) => {
                if committed.has_resumed {
                    (parts.on_resumed)();
                }
                let commands = group.iter().filter(|part| matches!(part, Part::Commands(_))).count();
                parts.figures.note_commit(commands, &committed.renewals, parts.clock.now());
                answer(group, committed.outcomes, now)
            }
            Err(error @ StoreError::Unavailable(_)) => {
                // The store logs the outage once for all callers.
                tracing::debug!(%error, submissions = group.len(), "a commit found the database unavailable");
                Aftermath { is_away: error.waited_in_vain(), ..refuse(group, &|| LedgerError::Unavailable) }
            }
            Err(error) if group.len() == 1 => {
                tracing::error!(%error, "a submission could not be committed");
                let error = Arc::new(error);
                refuse(group, &|| LedgerError::Broken(error.clone()))
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
    intents: &[Intent],
    now: DateTime<Utc>,
    renewals_max: usize,
) -> Result<Committed, StoreError> {
    parts.faults.pass_or_fail("ledger.before_commit", &intents.len())?;
    let committed = parts.store.commit_with(intents, now, renewals_max, &*parts.dispatch).await?;
    (parts.on_commit)(intents, now, &committed);
    parts.faults.pass_or_fail("ledger.before_answer", &intents.len())?;
    Ok(committed)
}

fn answer(group: Vec<Part>, outcomes: Vec<Decision>, now: DateTime<Utc>) -> Aftermath {
    let mut outcomes = outcomes.into_iter();
    let mut aftermath = Aftermath::default();
    for part in group {
        match part {
            Part::SettleDue(account_id) => {
                let settling = match outcomes.next() {
                    Some(Ok(Outcome::Settled { has_more: true, .. })) => Settlement::HasMore,
                    Some(Ok(_)) => Settlement::Done(Ok(Settled::Until(now))),
                    Some(Err(_)) | None => Settlement::Done(Ok(Settled::Never)),
                };
                aftermath.settling.push((account_id, settling));
            }
            Part::Commands(waiting) => {
                let decisions: Vec<Decision> = outcomes.by_ref().take(waiting.submit.commands.len()).collect();
                if decisions.iter().any(|decision| matches!(decision, Err(Refusal::Overdue))) {
                    aftermath.blocked.push(waiting);
                    continue;
                }
                let has_more = |decision: &Decision| {
                    matches!(
                        decision,
                        Ok(Outcome::Settled { has_more: true, .. }
                            | Outcome::ToppedUp { has_more: true, .. }
                            | Outcome::StatusSet { has_more: true })
                    )
                };
                if decisions.iter().any(has_more) {
                    aftermath.left.push(waiting.submit.account_id);
                }
                waiting.answer(Ok(decisions));
            }
        }
    }
    aftermath
}

fn refuse(group: Vec<Part>, error: &dyn Fn() -> LedgerError) -> Aftermath {
    let mut aftermath = Aftermath::default();
    for part in group {
        match part {
            Part::SettleDue(account_id) => aftermath.settling.push((account_id, Settlement::Done(Err(error())))),
            Part::Commands(waiting) => waiting.answer(Err(error())),
        }
    }
    aftermath
}
