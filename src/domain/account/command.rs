//! What every command to an account has in common.

use std::fmt::Debug;

use derive_more::From;

use super::commands::approve::{ApprovalDecided, DecideApproval};
use super::commands::create::{Created, Creation};
use super::commands::deactivate::{Deactivate, Deactivated};
use super::commands::finish_set_up::{FinishSetUp, SetUpFinished};
use super::commands::once::{CreateOnce, CreatedOnce};
use super::commands::report::{Report, ReportOutcome};
use super::commands::set_status::{SetStatus, StatusSet};
use super::commands::settle_due::{SettleDue, Settled};
use super::commands::top_up::{TopUp, ToppedUp};
use super::read_set::ReadSet;
use super::{Account, CommandRejection};
use crate::domain::ids::RadarId;

/// Something that changes money, visibility or a radar's life.
///
/// A command says itself what has to be read before it can be decided, and what it comes to.
pub trait AccountCommand: Clone + Debug + Into<Command> + Send + Sync + 'static {
    /// What it comes to unless it is refused.
    type Outcome: Clone + Debug + Into<Outcome> + Send + Sync + 'static;

    /// Adds what has to be read for it.
    fn read(&self, read_set: &mut ReadSet);

    /// Whether it may be decided before renewals that were due earlier.
    fn overtakes(&self, account: &Account) -> Overtakes;

    /// Decides it. What is late has happened already.
    ///
    /// # Errors
    /// A [`CommandRejection`] leaves it without any effect.
    fn decide(&self, account: &mut Account) -> Result<Self::Outcome, CommandRejection>;

    /// How much room it takes in a transaction: a finding, a creation or another command each, and long findings more.
    fn weight(&self) -> usize {
        1
    }

    /// How many charges it can ask for at most, what the account has due aside.
    fn charges_max(&self) -> usize {
        self.weight()
    }

    /// Whether it is decided even in a frozen account, in which nothing moves.
    fn is_for_frozen(&self) -> bool {
        false
    }

    /// Whether it has left something due that another transaction has to settle.
    fn has_more(_: &Self::Outcome) -> bool {
        false
    }
}

/// What a command does about renewals that were due before it and that its transaction does not decide (decision 4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtakes {
    /// It goes ahead: it settles what is due.
    Always,
    /// It waits for them.
    Never,
    /// It goes ahead if nothing waits yet: it asks for more than there is, and they leave no more than that.
    OutOfReach,
    /// It goes ahead if the balance covers all of them. The renewal of this radar comes first.
    WhenCovered(Option<RadarId>),
}

/// What comes of a command.
pub type Decision<O = Outcome> = Result<O, CommandRejection>;

/// Any command: what whoever watches all of them sees.
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
    /// An operator stops the account, or lets it go on.
    #[from]
    SetStatus(SetStatus),
    /// Something may be due.
    #[from]
    SettleDue(SettleDue),
}

/// What any command comes to.
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
    /// Of [`SetStatus`].
    StatusSet(StatusSet),
    /// Of [`SettleDue`].
    Settled(Settled),
}

/// Does the same with whatever command it is.
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
            | Outcome::Deactivated(_) => false,
        }
    }
}
