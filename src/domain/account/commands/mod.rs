//! All that can be asked of an account: the closed list of commands, with the outcome of each. One file per command.

mod approve;
mod create;
mod deactivate;
mod end_unreachable;
mod finish_set_up;
mod once;
mod release;
mod report;
mod set_status;
mod settle_due;
mod top_up;

pub use approve::DecideApproval;
pub use create::{Created, Creation};
pub use deactivate::{Deactivate, Deactivated};
pub use end_unreachable::EndUnreachable;
pub use finish_set_up::{FinishSetUp, SetUpFinished, SetUpOutcome};
pub use once::{CreateOnce, CreatedOnce, KeptAnswer, RenderAnswer, UsedKey, UsedKeys};
pub use release::{Release, Released};
pub use report::{CursorMove, Report, ReportOutcome};
pub use set_status::{SetStatus, StatusSet};
pub use settle_due::{SettleDue, Settled};
pub use top_up::{TopUp, ToppedUp};

use super::read_set::ReadSet;
use super::{Account, CommandRejection, DRAIN_MAX};
use crate::ids::{AccountId, RadarId};
use crate::radar::Radar;

/// What is decided about a command: its outcome, or why it is rejected.
pub type Decision<O = Outcome> = Result<O, CommandRejection>;

/// A command of one kind, whose outcome is of one kind too.
pub trait AccountCommand: Into<Command> {
    /// Its outcome unless it is rejected.
    type Outcome;

    /// Its own outcome; `None` for that of another kind of command.
    fn outcome(outcome: Outcome) -> Option<Self::Outcome>;
}

macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($stored:ty as $command:ty) => $done:ident($outcome:ty),)+) => {
        /// Something that changes money, visibility or a radar's life.
        #[derive(Clone, Debug)]
        pub enum Command { $($(#[$doc])* $name($stored),)+ }

        /// The outcome of a command that is not rejected.
        #[derive(Clone, Debug)]
        pub enum Outcome { $(#[doc = concat!("Of [`Command::", stringify!($name), "`].")] $done($outcome),)+ }

        impl Command {
            /// Adds to `read_set` what must be read of its account before it can be decided.
            pub fn read(&self, account_id: AccountId, read_set: &mut ReadSet) {
                match self { $(Self::$name(command) => command.read(account_id, read_set),)+ }
                *read_set.charges_max.entry(account_id).or_default() += self.charges_max() as u64;
            }

            /// Decides it. Everything that was due before it is settled already; a rejected one has no effect.
            pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision {
                match self { $(Self::$name(command) => command.decide(account).map(Outcome::$done),)+ }
            }
        }

        $(
            impl From<$command> for Command {
                fn from(command: $command) -> Self { Self::$name(command.into()) }
            }

            impl AccountCommand for $command {
                type Outcome = $outcome;

                fn outcome(outcome: Outcome) -> Option<$outcome> {
                    match outcome {
                        Outcome::$done(outcome) => Some(outcome),
                        _ => None,
                    }
                }
            }
        )+
    };
}

commands! {
    /// Money came in.
    TopUp(TopUp as TopUp) => ToppedUp(ToppedUp),
    /// A customer wants a radar.
    Create(Box<Creation> as Creation) => Created(Created),
    /// A customer wants radars, and may ask again for the same ones.
    CreateOnce(Box<CreateOnce> as CreateOnce) => CreatedOnce(CreatedOnce),
    /// The search for a radar's sources ended.
    FinishSetUp(FinishSetUp as FinishSetUp) => SetUpFinished(SetUpFinished),
    /// A source showed something that a radar wants.
    Report(Report as Report) => Reported(ReportOutcome),
    /// An operator approves or rejects a finding.
    DecideApproval(DecideApproval as DecideApproval) => ApprovalDecided(ReportOutcome),
    /// An operator releases what a radar holds beyond the bound of its day.
    Release(Release as Release) => Released(Released),
    /// A customer ends a radar.
    Deactivate(Deactivate as Deactivate) => Deactivated(Deactivated),
    /// No source of a radar answers any more.
    EndUnreachable(EndUnreachable as EndUnreachable) => UnreachableEnded(bool),
    /// An operator stops the account, or lets it go on.
    SetStatus(SetStatus as SetStatus) => StatusSet(StatusSet),
    /// Something may be due.
    SettleDue(SettleDue as SettleDue) => Settled(Settled),
}

/// Commands of several kinds, decided together.
impl AccountCommand for Command {
    type Outcome = Outcome;

    fn outcome(outcome: Outcome) -> Option<Outcome> {
        Some(outcome)
    }
}

impl Command {
    /// Its share of a transaction's capacity: one for each finding, creation or other command, more for long findings.
    pub fn weight(&self) -> usize {
        match self {
            Self::Report(report) => report.weight(),
            Self::CreateOnce(once) => once.creations.len().max(1),
            Self::Release(_) => DRAIN_MAX,
            _ => 1,
        }
    }

    /// The most charges that it can make, not counting what the account has due.
    fn charges_max(&self) -> usize {
        if matches!(self, Self::SettleDue(_)) { 0 } else { self.weight() }
    }

    /// Whether it may be decided before renewals that were due earlier.
    pub(in crate::account) fn overtakes(&self, account: &Account) -> Overtakes {
        let radar_id = match self {
            Self::SettleDue(_) => return Overtakes::Always,
            // What fell due before is decided under the status that held then.
            Self::SetStatus(_) => return Overtakes::Never,
            Self::Create(creation) if account.is_out_of_reach(&creation.wanted) => return Overtakes::OutOfReach,
            Self::TopUp(_) | Self::Create(_) | Self::CreateOnce(_) => None,
            Self::DecideApproval(decided) => {
                account.finding_for_approval(decided.update_id).map(|finding| finding.radar_id)
            }
            Self::FinishSetUp(FinishSetUp { radar_id, .. })
            | Self::Report(Report { radar_id, .. })
            | Self::Release(Release { radar_id })
            | Self::Deactivate(Deactivate { radar_id })
            | Self::EndUnreachable(EndUnreachable { radar_id, .. }) => Some(*radar_id),
        };
        Overtakes::WhenCovered(radar_id)
    }

    /// Whether it is decided even when the account is frozen.
    pub(in crate::account) fn is_for_frozen(&self) -> bool {
        matches!(self, Self::SetStatus(_))
    }
}

impl Outcome {
    /// Whether something is still due that another transaction must settle.
    pub fn has_more(&self) -> bool {
        match self {
            Self::ToppedUp(topped_up) => topped_up.has_more,
            Self::StatusSet(set) => set.has_more,
            Self::Settled(settled) => settled.has_more,
            _ => false,
        }
    }

    /// The radars that were created.
    pub fn created(&self) -> Vec<&Radar> {
        match self {
            Self::Created(created) => vec![&*created.radar],
            Self::CreatedOnce(CreatedOnce::New { decisions, .. }) => {
                decisions.iter().flatten().map(|created| &*created.radar).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Whether a command may be decided before older renewals that do not fit into its transaction (decision 4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtakes {
    /// Yes: it settles what is due.
    Always,
    /// No: it waits for them.
    Never,
    /// If no other command waits: it asks for more than the balance, and the renewals only reduce the balance.
    OutOfReach,
    /// If the balance covers all of them. The renewal of this radar is decided first.
    WhenCovered(Option<RadarId>),
}
