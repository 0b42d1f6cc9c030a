//! Commands of all kinds as one type: how tests and benchmarks write down what they ask for, whatever it is, and how they
//! see what was asked. The service itself knows at each place which command it has.

use std::future::Future;

use ::radar::domain::account::{
    Account, AccountCommand, ApprovalDecided, CommandRejection, CreateOnce, Created, CreatedOnce, Creation, Deactivate,
    Deactivated, DecideApproval, EndUnreachable, FinishSetUp, Overtakes, RENEWALS_MAX, ReadSet, Report, ReportOutcome,
    SetStatus, SetUpFinished, SettleDue, Settled, StatusSet, TopUp, ToppedUp, UnreachableEnded,
};
use ::radar::domain::delivery::endpoint_health::EndpointHealth;
use ::radar::domain::ids::{AccountId, EndpointId};
use ::radar::store::{AnswerText, Ask, Asked, AskedOnce, Dispatch, HandOver, Store, StoreError, Submittable};
use chrono::{DateTime, TimeDelta, Utc};
use derive_more::From;

/// What is decided about a command of any kind.
pub type Decision<O = Outcome> = Result<O, CommandRejection>;

/// Any command to one account.
#[derive(Clone, Debug)]
pub struct Intent {
    pub account_id: AccountId,
    pub command: Command,
}

/// Takes nothing over: every delivery is left to the next look into the table.
#[derive(Clone, Copy, Debug)]
pub struct NoDispatch;

/// Commits commands of any kind.
pub trait CommitAny {
    /// Decides and writes all of `intents` in one transaction; they see each other in order. Answers a decision each.
    fn commit(&self, intents: &[Intent], now: DateTime<Utc>)
    -> impl Future<Output = Result<Vec<Decision>, StoreError>>;
}

impl CommitAny for Store {
    async fn commit(&self, intents: &[Intent], now: DateTime<Utc>) -> Result<Vec<Decision>, StoreError> {
        let mut asked: Vec<Asked<Command>> =
            intents.iter().map(|intent| Asked::new(intent.account_id, intent.command.clone())).collect();
        let mut any: Vec<&mut dyn Ask> = asked.iter_mut().map(|asked| asked as &mut dyn Ask).collect();
        self.commit_with(&mut any, now, RENEWALS_MAX, &NoDispatch).await?;
        Ok(asked.into_iter().filter_map(Submittable::into_answer).collect())
    }
}

impl Dispatch for NoDispatch {
    fn lease(&self) -> TimeDelta {
        TimeDelta::zero()
    }

    fn reserve(&self, _: AccountId, _: EndpointId, _: &EndpointHealth) -> bool {
        false
    }

    fn release(&self, _: EndpointId) {}

    fn hand_over(&self, _: HandOver) {}
}

/// The command and its decision, if `asked` is of this kind.
fn of_kind<C>(asked: &dyn Ask) -> Option<(Command, Option<Decision>)>
where
    C: AccountCommand<Outcome: Into<Outcome>> + Into<Command>,
{
    let asked: &Asked<C> = asked.as_any().downcast_ref()?;
    Some((asked.command().clone().into(), asked.decision().cloned().map(|decision| decision.map(Into::into))))
}

/// The kept answer, for a command that has one.
pub fn kept_answer(asked: &dyn Ask) -> Option<&AnswerText> {
    asked.as_any().downcast_ref::<AskedOnce>()?.answer()
}

/// A command and its decision, whatever its kind.
pub fn observed(asked: &dyn Ask) -> (Command, Option<Decision>) {
    let of_once = |asked: &dyn Ask| of_kind::<CreateOnce>(asked.as_any().downcast_ref::<AskedOnce>()?.asked());
    let kinds = [
        of_kind::<TopUp>,
        of_kind::<Creation>,
        of_kind::<FinishSetUp>,
        of_kind::<Report>,
        of_kind::<DecideApproval>,
        of_kind::<Deactivate>,
        of_kind::<EndUnreachable>,
        of_kind::<SetStatus>,
        of_kind::<SettleDue>,
        of_kind::<Command>,
        of_once,
    ];
    kinds.iter().find_map(|kind| kind(asked)).expect("a command of a known kind")
}

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
    ToppedUp(ToppedUp),
    Created(Created),
    CreatedOnce(CreatedOnce),
    SetUpFinished(SetUpFinished),
    Reported(ReportOutcome),
    ApprovalDecided(ApprovalDecided),
    Deactivated(Deactivated),
    UnreachableEnded(UnreachableEnded),
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
