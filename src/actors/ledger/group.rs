//! One group commit: what is taken together is committed together, and each part is answered.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::LocalBoxFuture;

use super::{LedgerError, LedgerParts, SettledUntil, Waiting};
use domain::account::SettleDue;
use domain::ids::AccountId;
use store::{Ask, Asked, Committed, StoreError};

/// A part of a group: decided as a whole or not at all.
pub(super) enum Part {
    /// Commands of a caller.
    Commands(Waiting),
    /// The settlement of an account.
    SettleDue(Asked<SettleDue>),
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

impl Part {
    /// An account that does what it has due.
    pub(super) fn settle_due(account_id: AccountId) -> Self {
        Self::SettleDue(Asked::new(account_id, SettleDue::default()))
    }

    fn asked(&mut self) -> Vec<&mut dyn Ask> {
        match self {
            Self::Commands(waiting) => waiting.submission.asked(),
            Self::SettleDue(asked) => vec![asked],
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
        let mut asked: Vec<&mut dyn Ask> = group.iter_mut().flat_map(Part::asked).collect();
        let committed = commit_once(parts, &mut asked, now, renewals_max).await;
        drop(asked);
        match committed {
            Ok(committed) => {
                if committed.has_resumed {
                    (parts.on_resumed)();
                }
                let commands = group.iter().filter(|part| matches!(part, Part::Commands(_))).count();
                parts.figures.note_commit(commands, &committed.renewals, parts.clock.now());
                parts.figures.note_beyond_bound(committed.held_beyond_bound);
                for (account_id, radar_id, release_at) in committed.exceeded {
                    tracing::warn!(%radar_id, "a radar has found more than the bound of its day; what is beyond is held");
                    (parts.on_exceeded)(account_id, release_at);
                }
                answer(group, now)
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
    asked: &mut [&mut dyn Ask],
    now: DateTime<Utc>,
    renewals_max: usize,
) -> Result<Committed, StoreError> {
    parts.faults.pass_or_fail("ledger.before_commit", &asked.len())?;
    let committed = parts.store.commit_with(asked, now, renewals_max, &*parts.dispatch).await?;
    (parts.on_commit)(asked, now);
    parts.faults.pass_or_fail("ledger.before_answer", &asked.len())?;
    Ok(committed)
}

fn answer(group: Vec<Part>, now: DateTime<Utc>) -> Aftermath {
    let mut aftermath = Aftermath::default();
    for part in group {
        match part {
            Part::SettleDue(asked) => {
                let settlement = match asked.decision() {
                    Some(Ok(settled)) if settled.has_more => Settlement::HasMore,
                    Some(Ok(_)) => Settlement::Done(Ok(Some(now))),
                    Some(Err(_)) | None => Settlement::Done(Ok(None)),
                };
                aftermath.settling.push((asked.account_id(), settlement));
            }
            Part::Commands(waiting) if waiting.submission.is_overdue() => aftermath.blocked.push(waiting),
            Part::Commands(Waiting { account_id, submission, .. }) => {
                if submission.has_more() {
                    aftermath.left.push(account_id);
                }
                submission.answer();
            }
        }
    }
    aftermath
}

fn reject(group: Vec<Part>, error: &dyn Fn() -> LedgerError) -> Aftermath {
    let mut aftermath = Aftermath::default();
    for part in group {
        match part {
            Part::SettleDue(asked) => {
                aftermath.settling.push((asked.account_id(), Settlement::Done(Err(error()))));
            }
            Part::Commands(waiting) => waiting.submission.reject(error()),
        }
    }
    aftermath
}
