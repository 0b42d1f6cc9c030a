//! What an account can be asked to do, and what comes of it.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{AnswerText, CreateOnce, Refusal};
use crate::domain::account_status::AccountStatus;
use crate::domain::approval::{ApprovalState, Verdict};
use crate::domain::ids::{FeedId, RadarId, UpdateId};
use crate::domain::money::MicroUsd;
use crate::domain::radar::radar_type::RadarType;
use crate::domain::radar::{FailureReason, NewRadar, Radar};

/// So many bytes of findings weigh as much as another finding.
const WEIGHT_BYTES: usize = 16 * 1024;

/// Something that changes money, visibility or a radar's life.
#[derive(Clone, Debug)]
pub enum Command {
    /// Money came in.
    TopUp(TopUp),
    /// A customer wants a radar.
    Create(Box<Creation>),
    /// A customer wants radars, and may ask again for the same ones.
    CreateOnce(Box<CreateOnce>),
    /// The search for a radar's sources ended.
    FinishSetUp {
        /// The radar.
        radar_id: RadarId,
        /// The claim under which it was searched; without effect when somebody else has taken the set-up over.
        lease_no: i64,
        /// How it ended.
        outcome: SetUpOutcome,
    },
    /// A source showed something that a radar wants.
    Report {
        /// The radar.
        radar_id: RadarId,
        /// What was found, in order.
        findings: Vec<Finding>,
        /// How far the radar has read with this, when the findings come from a feed.
        reading: Option<Reading>,
    },
    /// An operator judges a finding that waits for approval.
    Judge {
        /// The finding, by the identifier that its update gets.
        update_id: UpdateId,
        /// What is said to it.
        verdict: Verdict,
    },
    /// A customer ends a radar.
    Deactivate {
        /// The radar.
        radar_id: RadarId,
    },
    /// An operator stops the account, or lets it go on.
    SetStatus {
        /// Which of the two.
        status: AccountStatus,
    },
    /// Something may be due: renewals, expiries, held findings.
    SettleDue {
        /// The radar whose record is wanted in answer.
        radar_id: Option<RadarId>,
    },
}

impl Command {
    /// How much room it takes in a transaction: a finding, a creation or another command each, and long findings more. It
    /// charges no more often.
    pub fn weight(&self) -> usize {
        match self {
            Self::Report { findings, .. } => {
                let bytes: usize = findings.iter().map(|finding| finding.content.len()).sum();
                (findings.len() + bytes / WEIGHT_BYTES).max(1)
            }
            Self::CreateOnce(once) => once.creations.len().max(1),
            Self::TopUp(_)
            | Self::Create(_)
            | Self::FinishSetUp { .. }
            | Self::Judge { .. }
            | Self::Deactivate { .. }
            | Self::SetStatus { .. }
            | Self::SettleDue { .. } => 1,
        }
    }
}

/// A payment.
#[derive(Clone, Debug)]
pub struct TopUp {
    /// What makes the payment count once.
    pub payment_ref: String,
    /// How much.
    pub amount: MicroUsd,
    /// From when on unused money of it is gone.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A radar to be created.
#[derive(Clone, Debug)]
pub struct Creation {
    /// The identifier that it shall have.
    pub radar_id: RadarId,
    /// What the customer asks for.
    pub wanted: NewRadar,
    /// Whether its sources have to be looked for: not where there are none but providers that push.
    pub needs_set_up: bool,
}

/// How the search for a radar's sources ended (decision 1.3).
#[derive(Clone, Debug)]
pub enum SetUpOutcome {
    /// These feeds serve the radar; each is read from the position at which it stood.
    Ready(Vec<(FeedId, i64)>),
    /// The target cannot be tracked.
    Failed {
        /// The closed reason.
        reason: FailureReason,
        /// The reason in a sentence.
        message: String,
    },
}

/// Something detected that a radar wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was detected; a radar reports it once.
    pub record_id: Uuid,
    /// The `content` object as JSON text.
    pub content: String,
    /// When it was detected; its price is the one in force then.
    pub detected_at: DateTime<Utc>,
}

/// A radar's position in a feed's log, moved in the transaction that publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The feed.
    pub feed_id: FeedId,
    /// Where the radar stood.
    pub from_seq: i64,
    /// Where it stands afterwards.
    pub to_seq: i64,
}

/// A finding that waits for money (decision 4.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldFinding {
    /// Counts the account's holds, and so orders them.
    pub hold_seq: i64,
    /// The radar.
    pub radar_id: RadarId,
    /// The radar's type, which is paused.
    pub radar_type: RadarType,
    /// The price in force at detection.
    pub rate: MicroUsd,
    /// What was found.
    pub finding: Finding,
}

/// A finding that an operator has to judge, or has judged (decision 4.10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingToJudge {
    /// The identifier that its update gets.
    pub update_id: UpdateId,
    /// The radar.
    pub radar_id: RadarId,
    /// The radar's type.
    pub radar_type: RadarType,
    /// What was found; its price is the one in force at its detection.
    pub finding: Finding,
    /// Where it stands.
    pub state: ApprovalState,
    /// When it was judged.
    pub judged_at: Option<DateTime<Utc>>,
}

/// What came of a command.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The payment counts.
    ToppedUp {
        /// The balance afterwards.
        balance: MicroUsd,
        /// `false` when the payment had been counted before.
        is_new: bool,
        /// Whether held findings are left that the balance may cover.
        has_more: bool,
    },
    /// The radar exists.
    Created {
        /// The radar.
        radar: Box<Radar>,
        /// Since when its type is paused: it may be so from its beginning (decision 1.2).
        paused_since: Option<DateTime<Utc>>,
    },
    /// Creations under a key that had not been used.
    CreatedOnce {
        /// What each came to.
        decisions: Vec<Decision>,
        /// The answer, now kept; `None` when nothing was created.
        answer: Option<AnswerText>,
    },
    /// The same request was answered before, with this; nothing has happened.
    AnsweredBefore(AnswerText),
    /// The set-up is settled, or was before, or by somebody else; the radar as it is now.
    SetUpFinished(Box<Radar>),
    /// The findings are settled.
    Reported(ReportOutcome),
    /// The finding is judged; the report counts what became of it, as a duplicate when it was judged so before.
    Judged(ReportOutcome),
    /// The radar is inactive.
    Deactivated(Box<Radar>),
    /// The account has the status that was asked for.
    StatusSet {
        /// Whether held findings are left that the balance may cover.
        has_more: bool,
    },
    /// What was due is done.
    Settled {
        /// The radar that was asked for.
        radar: Option<Box<Radar>>,
        /// Whether more is due.
        has_more: bool,
    },
}

/// What a command comes to.
pub type Decision = Result<Outcome, Refusal>;

/// What became of reported findings. The counts add up to what was reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportOutcome {
    /// Charged where that is the model, stored and visible.
    pub published: Vec<UpdateId>,
    /// Waiting for money.
    pub held: usize,
    /// Waiting for an operator.
    pub pending: usize,
    /// Seen before.
    pub duplicates: usize,
    /// Of no use: the radar is inactive, and no paid time is left, or its account is stopped.
    pub dropped: usize,
    /// Whether the radar had moved on in the feed meanwhile, so that nothing was done.
    pub is_stale: bool,
    /// Whether the radar wants findings at all.
    pub is_watching: bool,
}
