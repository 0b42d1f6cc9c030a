//! All commands and their outcomes as one type each.

use derive_more::From;

use super::command::{AccountCommand, Overtakes};
use super::commands::approve::{ApprovalDecided, DecideApproval};
use super::commands::create::{Created, Creation};
use super::commands::deactivate::{Deactivate, Deactivated};
use super::commands::end_unreachable::{EndUnreachable, UnreachableEnded};
use super::commands::finish_set_up::{FinishSetUp, SetUpFinished};
use super::commands::once::{CreateOnce, CreatedOnce};
use super::commands::report::{Report, ReportOutcome};
use super::commands::set_status::{SetStatus, StatusSet};
use super::commands::settle_due::{SettleDue, Settled};
use super::commands::top_up::{TopUp, ToppedUp};
use super::read_set::ReadSet;
use super::{Account, Decision};

/// A command of one kind that can be handled like any other.
pub trait AnyCommand: AccountCommand<Outcome: Into<Outcome>> + Into<Command> {}

impl<C: AccountCommand<Outcome: Into<Outcome>> + Into<Command>> AnyCommand for C {}

/// Any command, where commands of all kinds are handled alike.
#[derive(Clone, Debug, From)]
pub enum Command {
    /// Money came in.
    #[from]
    TopUp(TopUp),
    /// A customer wants a radar.
    #[from(Creation)]
    Create(Box<Creation>),
    /// A customer wants radars, and may ask again for the same ones.
    #[from(CreateOnce)]
    CreateOnce(Box<CreateOnce>),
    /// The search for a radar's sources ended.
    #[from]
    FinishSetUp(FinishSetUp),
    /// A source showed something that a radar wants.
    #[from]
    Report(Report),
    /// An operator approves or rejects a finding.
    #[from]
    DecideApproval(DecideApproval),
    /// A customer ends a radar.
    #[from]
    Deactivate(Deactivate),
    /// No source of a radar answers any more.
    #[from]
    EndUnreachable(EndUnreachable),
    /// An operator stops the account, or lets it go on.
    #[from]
    SetStatus(SetStatus),
    /// Something may be due.
    #[from]
    SettleDue(SettleDue),
}

/// The outcome of any command.
#[derive(Clone, Debug, From)]
pub enum Outcome {
    /// Of [`TopUp`].
    ToppedUp(ToppedUp),
    /// Of [`Creation`].
    Created(Created),
    /// Of [`CreateOnce`].
    CreatedOnce(CreatedOnce),
    /// Of [`FinishSetUp`].
    SetUpFinished(SetUpFinished),
    /// Of [`Report`].
    Reported(ReportOutcome),
    /// Of [`DecideApproval`].
    ApprovalDecided(ApprovalDecided),
    /// Of [`Deactivate`].
    Deactivated(Deactivated),
    /// Of [`EndUnreachable`].
    UnreachableEnded(UnreachableEnded),
    /// Of [`SetStatus`].
    StatusSet(StatusSet),
    /// Of [`SettleDue`].
    Settled(Settled),
}

/// Does the same with a command of any kind.
macro_rules! each {
    ($any:expr, $command:ident => $body:expr) => {
        match $any {
            Command::TopUp($command) => $body,
            Command::Create($command) => $body,
            Command::CreateOnce($command) => $body,
            Command::FinishSetUp($command) => $body,
            Command::Report($command) => $body,
            Command::DecideApproval($command) => $body,
            Command::Deactivate($command) => $body,
            Command::EndUnreachable($command) => $body,
            Command::SetStatus($command) => $body,
            Command::SettleDue($command) => $body,
        }
    };
}

impl AccountCommand for Command {
    type Outcome = Outcome;

    fn read(&self, read_set: &mut ReadSet) {
        each!(self, command => command.read(read_set));
    }

    fn overtakes(&self, account: &Account) -> Overtakes {
        each!(self, command => command.overtakes(account))
    }

    fn decide(&self, account: &mut Account) -> Decision {
        each!(self, command => command.decide(account).map(Outcome::from))
    }

    fn weight(&self) -> usize {
        each!(self, command => command.weight())
    }

    fn charges_max(&self) -> usize {
        each!(self, command => command.charges_max())
    }

    fn is_for_frozen(&self) -> bool {
        each!(self, command => command.is_for_frozen())
    }

    fn has_more(outcome: &Outcome) -> bool {
        match outcome {
            Outcome::ToppedUp(outcome) => TopUp::has_more(outcome),
            Outcome::StatusSet(outcome) => SetStatus::has_more(outcome),
            Outcome::Settled(outcome) => SettleDue::has_more(outcome),
            Outcome::Created(_)
            | Outcome::CreatedOnce(_)
            | Outcome::SetUpFinished(_)
            | Outcome::Reported(_)
            | Outcome::ApprovalDecided(_)
            | Outcome::Deactivated(_)
            | Outcome::UnreachableEnded(_) => false,
        }
    }
}
