//! One group commit: what was taken together, committed together, and what came of each part.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::LocalBoxFuture;

use super::{CaughtUp, LedgerError, LedgerParts, Waiting};
use crate::domain::book::{Command, Decision, Outcome, Refusal};
use crate::domain::ids::AccountId;
use crate::store::{Committed, Intent, StoreError};

/// A part of a group: decided as a whole or not at all.
pub(super) enum Part {
    /// What somebody asked for.
    Commands(Waiting),
    /// An account does what it has due.
    Touch(AccountId),
}

/// What came of a group.
#[derive(Default)]
pub(super) struct Aftermath {
    /// Commands that cannot be decided before their account has caught up.
    pub(super) behind: Vec<Waiting>,
    /// The accounts that were touched.
    pub(super) touched: Vec<(AccountId, Touched)>,
    /// Accounts in which a command has left something to do.
    pub(super) left: Vec<AccountId>,
    /// The database was waited for in vain.
    pub(super) is_away: bool,
}

/// What came of a touch.
pub(super) enum Touched {
    /// More is due.
    HasMore,
    /// Everything is decided, or cannot be.
    Done(Result<CaughtUp, LedgerError>),
}

impl Part {
    fn intents(&self) -> Vec<Intent> {
        match self {
            Self::Commands(Waiting { submit, .. }) => {
                let account_id = submit.account_id;
                submit.commands.iter().map(|command| Intent { account_id, command: command.clone() }).collect()
            }
            Self::Touch(account_id) => {
                vec![Intent { account_id: *account_id, command: Command::Touch { radar_id: None } }]
            }
        }
    }
}

/// Commits a group and answers its commands.
///
/// When the database refuses a group of several parts, each half is tried by itself: one that is broken must not fail
/// the others.
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
                // The store tells of the outage itself, once for all that meet it.
                tracing::debug!(%error, submissions = group.len(), "a commit found the database unavailable");
                Aftermath { is_away: error.waited_in_vain(), ..refuse(group, &|| LedgerError::Unavailable) }
            }
            Err(error) if group.len() == 1 => {
                tracing::error!(%error, "a submission could not be committed");
                let error = Arc::new(error);
                refuse(group, &|| LedgerError::Broken(error.clone()))
            }
            Err(error) => {
                tracing::warn!(%error, submissions = group.len(), "a batch was refused and is committed in halves");
                let second_half = group.split_off(group.len() / 2);
                let mut first = commit(parts, group, renewals_max).await;
                let second = commit(parts, second_half, renewals_max).await;
                first.behind.extend(second.behind);
                first.touched.extend(second.touched);
                first.left.extend(second.left);
                Aftermath { is_away: first.is_away || second.is_away, ..first }
            }
        }
    })
}

/// One try. After a fault past the commit the outcome is unknown to whoever asked, as after a broken connection.
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
            Part::Touch(account_id) => {
                let touched = match outcomes.next() {
                    Some(Ok(Outcome::Touched { has_more: true, .. })) => Touched::HasMore,
                    Some(Ok(_)) => Touched::Done(Ok(CaughtUp::Until(now))),
                    Some(Err(_)) | None => Touched::Done(Ok(CaughtUp::Never)),
                };
                aftermath.touched.push((account_id, touched));
            }
            Part::Commands(waiting) => {
                let decisions: Vec<Decision> = outcomes.by_ref().take(waiting.submit.commands.len()).collect();
                if decisions.iter().any(|decision| matches!(decision, Err(Refusal::Behind))) {
                    aftermath.behind.push(waiting);
                    continue;
                }
                let has_more = |decision: &Decision| {
                    matches!(
                        decision,
                        Ok(Outcome::Touched { has_more: true, .. }
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
            Part::Touch(account_id) => aftermath.touched.push((account_id, Touched::Done(Err(error())))),
            Part::Commands(waiting) => waiting.answer(Err(error())),
        }
    }
    aftermath
}
