//! What was asked of the store, and what was decided, whatever the kind of the command.

use domain::account::{
    AccountCommand, CreateOnce, Creation, Deactivate, DecideApproval, EndUnreachable, FinishSetUp, Release, Report,
    SetStatus, SettleDue, TopUp,
};
use store::{AnswerText, Ask, Asked, AskedOnce};

use crate::any_command::{Command, Decision, Outcome};

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
        of_kind::<Release>,
        of_kind::<Deactivate>,
        of_kind::<EndUnreachable>,
        of_kind::<SetStatus>,
        of_kind::<SettleDue>,
        of_kind::<Command>,
        of_once,
    ];
    kinds.iter().find_map(|kind| kind(asked)).expect("a command of a known kind")
}
