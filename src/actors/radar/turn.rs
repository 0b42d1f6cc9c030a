//! What a radar does in one turn: load, let the domain decide, hand the intent to the ledger.
//!
//! A turn may be cut off anywhere: the next one finds in the database what is left to do.

use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

use super::parts::{RadarParts, SharedParts};
use super::renewal;
use crate::ledger::LedgerError;
use domain::account::{CommandRejection, CursorMove, Decision, Finding, Origin, Report, SettleDue, Settled};
use domain::content::event::FindingEvent;
use domain::ids::{AccountId, RadarId, record_id};
use domain::radar::Radar;
use domain::radar::presence::Showing;
use domain::radar_type::RadarType;
use store::faults::InjectedFault;
use store::{FeedCursor, LogItem, StoreError};

/// How many items of a feed one intent carries at most.
const ITEMS_MAX: u64 = 100;
/// How many bytes of content one intent carries at most, unless a single item has more.
const INTENT_BYTES_MAX: usize = 1024 * 1024;
/// How many items of a feed one turn reads at most; then other radars have a turn.
const TURN_ITEMS_MAX: usize = 1_000;
/// When a turn that could not finish is repeated.
const REPEAT_AFTER: Duration = Duration::from_secs(5);
/// When a turn in an account that is frozen is repeated; what is due there is not lost.
const REPEAT_FROZEN_AFTER: Duration = Duration::from_secs(10 * 60);

/// Answers the decision on a request to a radar.
pub type Answer<O> = oneshot::Sender<Result<Decision<O>, LedgerError>>;

/// Why a turn could not finish.
#[derive(Debug, thiserror::Error)]
pub(super) enum TurnError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Injected(#[from] InjectedFault),
    /// A feed is being polled elsewhere.
    #[error("it cannot be done now")]
    NotNow,
    /// The account is stopped.
    #[error("the account is frozen")]
    Frozen,
}

impl TurnError {
    /// Whether it tells something about the radar, and not only about a database that is away for all of them.
    const fn is_of_one_radar(&self) -> bool {
        !matches!(self, Self::Store(StoreError::Unavailable(_)) | Self::Ledger(LedgerError::Unavailable))
    }

    pub(super) const fn repeat_after(&self) -> Duration {
        if matches!(self, Self::Frozen) { REPEAT_FROZEN_AFTER } else { REPEAT_AFTER }
    }
}

/// Why the ledger refused what the radar needs.
impl From<CommandRejection> for TurnError {
    fn from(rejection: CommandRejection) -> Self {
        if matches!(rejection, CommandRejection::Frozen { .. }) { Self::Frozen } else { Self::NotNow }
    }
}

/// What a radar has to do after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    Nothing,
    /// Another turn, at that instant.
    Turn(DateTime<Utc>),
    /// A renewal, at that instant.
    Renewal(DateTime<Utc>),
}

impl Next {
    /// When it is due.
    pub(super) const fn at(self) -> Option<DateTime<Utc>> {
        match self {
            Self::Nothing => None,
            Self::Turn(at) | Self::Renewal(at) => Some(at),
        }
    }
}

/// How far a look at a radar came.
enum Looked {
    /// To its end.
    Done(Next),
    /// Its renewal was due at that instant and comes before everything else.
    Overdue(DateTime<Utc>),
}

/// Runs a turn to its end; answers what follows.
pub(super) async fn run(parts: SharedParts, account_id: AccountId, radar_id: RadarId) -> Next {
    loop {
        match look(&parts, account_id, radar_id).await {
            Ok(Looked::Done(next)) => return next,
            Ok(Looked::Overdue(due_at)) => renewal::settle(&parts, account_id, due_at).await,
            Err(error) => {
                if error.is_of_one_radar() {
                    tracing::warn!(%radar_id, %error, "a turn could not finish and is repeated");
                }
                return Next::Turn(parts.clock.now() + error.repeat_after());
            }
        }
    }
}

/// Does what is due, and answers what is next.
async fn look(parts: &RadarParts, account_id: AccountId, radar_id: RadarId) -> Result<Looked, TurnError> {
    parts.faults.pass_or_fail("radar.turn", &radar_id)?;
    // The semaphores are never closed.
    let _turn = parts.turns.acquire().await;
    let Some((mut radar, mut paused_since)) = parts.store.radar(account_id, radar_id).await? else {
        return Ok(Looked::Done(Next::Nothing));
    };
    let now = parts.clock.now();
    if let Some(due_at) = radar.next_charge_at.filter(|&due_at| due_at <= now) {
        return Ok(Looked::Overdue(due_at));
    }
    if radar.grace_ends_at().is_some_and(|ends_at| ends_at <= now) {
        radar = end_grace(parts, radar).await?;
    }
    if radar.daily.is_release_due(now) && paused_since.is_none() {
        parts.ledger.settle_due(account_id).await?;
        let Some(released) = parts.store.radar(account_id, radar_id).await? else {
            return Ok(Looked::Done(Next::Nothing));
        };
        (radar, paused_since) = released;
    }
    if radar.is_watching(parts.clock.now()) && paused_since.is_none() && radar.daily.full_since.is_none() {
        for cursor in parts.store.feed_cursors(account_id, radar_id).await? {
            if read_feed(parts, &mut radar, &cursor).await? {
                return Ok(Looked::Done(Next::Turn(parts.clock.now())));
            }
        }
    }
    // What could not be released now is found again in the database, once its account goes on or its type is not paused.
    let release_at = radar.daily.release_at.filter(|&release_at| release_at > parts.clock.now());
    Ok(Looked::Done(match (radar.next_charge_at, radar.grace_ends_at().or(release_at)) {
        (Some(due_at), _) => Next::Renewal(due_at),
        (None, Some(at)) => Next::Turn(at),
        (None, None) => Next::Nothing,
    }))
}

/// Ends the grace period that a DELETE has left.
async fn end_grace(parts: &RadarParts, radar: Radar) -> Result<Radar, TurnError> {
    let command = SettleDue { radar_id: Some(radar.radar_id) };
    let Settled { radar: ended, .. } = parts.ledger.ask(radar.account_id, command).await??;
    // Another turn at once would end the same way.
    ended.map(|ended| *ended).ok_or(TurnError::NotNow)
}

/// Reports the unread items that the radar wants and that are not older than itself; its cursor moves in the same
/// transaction. A radar that holds as many findings as a day allows reads no further. Answers whether more is left than one
/// turn reads.
async fn read_feed(parts: &RadarParts, radar: &mut Radar, cursor: &FeedCursor) -> Result<bool, TurnError> {
    let (mut read_seq, mut read) = (cursor.read_seq, 0);
    let source = parts.catalog.get(&cursor.source_id);
    let shows = source.map_or(Showing::SNAPSHOT, |source| source.shows);
    while read_seq < cursor.head_seq && radar.daily.full_since.is_none() {
        if read >= TURN_ITEMS_MAX {
            return Ok(true);
        }
        let mut items = parts.store.items_after(cursor.feed_id, read_seq, ITEMS_MAX).await?;
        items.truncate(within(items.iter().map(|item| item.content.len())));
        let Some(to_seq) = items.last().map(|item| item.seq) else { return Ok(false) };
        read += items.len();
        let all = items.len();
        let is_baseline = |item: &LogItem| shows.is_baseline(item.dated_at, radar.created_at);
        let older = items.extract_if(.., |item| is_baseline(item)).count();
        let wanted = items.into_iter().filter(|item| radar.wanted.wants(&item.role, &item.content));
        let findings: Vec<Finding> =
            wanted.map(|item| finding(&cursor.source_id, radar.wanted.radar_type, item)).collect();
        let filtered = u32::try_from(all - findings.len()).unwrap_or(u32::MAX);
        let cursor_move = CursorMove { feed_id: cursor.feed_id, from_seq: read_seq, to_seq, filtered };
        let command = Report { radar_id: radar.radar_id, findings, cursor: Some(cursor_move) };
        match parts.ledger.ask(radar.account_id, command).await? {
            Ok(outcome) if outcome.is_watching && !outcome.is_stale && !outcome.is_full => {
                radar.daily = outcome.daily;
                let figures = parts.scanner.figures();
                figures.note_findings(&cursor.source_id, outcome.published.len());
                figures.note_older(&cursor.source_id, older);
                read_seq = to_seq;
            }
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// How many items of these lengths one intent carries.
fn within(lengths: impl Iterator<Item = usize>) -> usize {
    let mut bytes = 0;
    let mut fits = |length: usize| {
        bytes += length;
        bytes <= INTENT_BYTES_MAX
    };
    lengths.take_while(|length| fits(*length)).count().max(1)
}

fn finding(source_id: &str, radar_type: RadarType, item: LogItem) -> Finding {
    Finding {
        record_id: record_id(source_id, &item.native_id),
        event: FindingEvent::of(radar_type, &item.content),
        content: item.content,
        detected_at: item.detected_at,
        origin: Origin::Web,
    }
}
