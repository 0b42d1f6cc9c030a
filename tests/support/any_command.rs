//! Commands of all kinds as one type: how tests and benchmarks write down what they ask for, whatever it is. The service
//! itself knows at each place which command it has.

use derive_more::From;
use domain::account::{
    Account, AccountCommand, CommandRejection, CreateOnce, Created, CreatedOnce, Creation, Deactivate, Deactivated,
    DecideApproval, EndUnreachable, FinishSetUp, Overtakes, ReadSet, Release, Released, Report, ReportOutcome,
    SetStatus, SetUpFinished, SettleDue, Settled, StatusSet, TopUp, ToppedUp,
};

/// What is decided about a command of any kind.
pub type Decision<O = Outcome> = Result<O, CommandRejection>;

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
    /// An operator releases what a radar holds beyond the bound of its day.
    #[from]
    Release(Release),
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
#[allow(dead_code, reason = "no test looks at every outcome, and the benchmarks look at none")]
pub enum Outcome {
    ToppedUp(ToppedUp),
    Created(Created),
    CreatedOnce(CreatedOnce),
    SetUpFinished(SetUpFinished),
    Reported(ReportOutcome),
    Released(Released),
    Deactivated(Deactivated),
    UnreachableEnded(bool),
    StatusSet(StatusSet),
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
            Command::Release($command) => $body,
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
            | Outcome::Released(_)
            | Outcome::Deactivated(_)
            | Outcome::UnreachableEnded(_) => false,
        }
    }
}
