//! `POST /v1/radars/bulk` (Spec 4.5, decisions 3.1, 3.2).
//!
//! The items are counted before anything is spent, so a broken envelope and a bulk that no budget ever grants come
//! before 429. All sound items are decided in one transaction, in which they see each other in order.

use uuid::Uuid;

use super::budgets::BudgetKind;
use super::call::{Answer, Call, json};
use super::creation;
use super::errors::Failure;
use crate::domain::book::{Command, Decision, Outcome, Refusal};
use crate::domain::radar::Radar;
use crate::domain::rejection::{FieldError, Rejection};
use crate::store::RadarAndPause;
use crate::wire::bulk::{self, BulkRequest, ItemOutcome};
use crate::wire::radar_record::RadarRecord;

/// Creates what can be created.
pub(super) async fn bulk(mut call: Call) -> Answer {
    let body = call.body().await?;
    let BulkRequest { custom_fields, items } = bulk::parse(&body, &|address| !call.state.guard.permits(address))?;
    let tokens = u32::try_from(items.len()).unwrap_or(u32::MAX);
    if call.state.budgets.can_never_grant(&call.owner, BudgetKind::Write, tokens, call.now()) {
        return Err(Rejection::BulkExceedsRateLimit.into());
    }
    call.spend(BudgetKind::Write, tokens)?;

    let mut commands = Vec::with_capacity(items.len());
    let checked: Vec<Result<(), Vec<FieldError>>> = items
        .into_iter()
        .map(|item| item.map(|wanted| commands.push(creation::command(&call.state, wanted))))
        .collect();
    let decisions = decide(&call, commands).await?;
    let (refusals, radars) = sort(checked, decisions);
    let created = creation::started(&call.state, call.account_id(), radars).await;

    let error_id = Uuid::new_v4();
    let (code, body) = bulk::answer(&custom_fields, outcomes(refusals, &created), error_id, call.now());
    if code == 400 {
        call.note_error(error_id);
    }
    json(code, &body)
}

/// Decides all sound items in one transaction.
async fn decide(call: &Call, commands: Vec<Command>) -> Result<Vec<Decision>, Failure> {
    if commands.is_empty() {
        return Ok(Vec::new());
    }
    let decisions = call.state.ledger.ask_all(call.account_id(), commands).await?;
    // Whatever stops the account stops every item: then the bulk as a whole is refused.
    match decisions.first() {
        Some(Err(refusal @ (Refusal::Frozen { .. } | Refusal::UnknownAccount))) => Err(refusal.clone().into()),
        _ => Ok(decisions),
    }
}

/// One entry per item, `None` where a radar was created, and the created radars in the same order.
fn sort(checked: Vec<Result<(), Vec<FieldError>>>, decisions: Vec<Decision>) -> (Vec<Option<Failure>>, Vec<Radar>) {
    let (mut decisions, mut radars) = (decisions.into_iter(), Vec::new());
    let refusals = checked.into_iter().map(|item| match item.map(|()| decisions.next()) {
        Err(errors) => Some(errors.into()),
        Ok(Some(Ok(Outcome::Created(radar)))) => {
            radars.push(*radar);
            None
        }
        Ok(Some(Err(refusal))) => Some(refusal.into()),
        Ok(_) => Some(Failure::internal("the ledger answered a creation with something else")),
    });
    (refusals.collect(), radars)
}

fn outcomes(refusals: Vec<Option<Failure>>, created: &[RadarAndPause]) -> Vec<ItemOutcome<'_>> {
    let mut created = created.iter();
    let outcome = |refusal: Option<Failure>| match refusal {
        Some(failure) => {
            let (rejection, error_id) = failure.told();
            Some(ItemOutcome::Refused { rejection, error_id })
        }
        None => {
            let (radar, paused_since) = created.next()?;
            Some(ItemOutcome::Created(Box::new(RadarRecord::of(radar, *paused_since))))
        }
    };
    refusals.into_iter().filter_map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::{outcomes, sort};
    use crate::domain::book::{Outcome, Refusal};
    use crate::domain::rejection::FieldError;
    use crate::wire::bulk::ItemOutcome;
    use crate::wire::radar_record::tests::company;

    #[test]
    fn each_item_gets_its_own_outcome() {
        let broken = || Err(vec![FieldError::new("domain", "is required")]);
        let created = || Ok(Outcome::Created(Box::new(company())));
        let checked = vec![broken(), Ok(()), Ok(()), broken(), Ok(())];
        let (refusals, radars) = sort(checked, vec![created(), Err(Refusal::InsufficientBalance), created()]);
        let with_pause: Vec<_> = radars.into_iter().map(|radar| (radar, None)).collect();
        let is_created: Vec<bool> =
            outcomes(refusals, &with_pause).iter().map(|outcome| matches!(outcome, ItemOutcome::Created(_))).collect();
        assert_eq!(is_created, [false, true, false, false, true]);
    }
}
