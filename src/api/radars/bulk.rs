//! `POST /v1/radars/bulk` (Spec 4.5, decisions 2.9, 3.1, 3.2).
//!
//! The items are counted before tokens are taken, so a malformed envelope and a bulk larger than the budget come before
//! 429. All valid items are decided in one transaction, in order, and see each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::creation::{self, CreatedRadar, answer_text, created, replayed};
use crate::api::call::Call;
use crate::web::call::text;
use crate::web::{Answer, BudgetKind, Failure};
use domain::account::{Created, CreatedOnce, Creation, KeptAnswer, RenderAnswer};
use domain::{Decision, FieldError, KeyedRequest, NewRadar, Rejection};
use wire::public::bulk::{self, BulkRequest, ItemOutcome};
use wire::public::radar_record::RadarRecord;

/// The parts of the answer that are known before the valid items are decided.
struct Draft {
    custom_fields: BTreeMap<String, String>,
    items: Vec<Item>,
    /// Quoted when nothing was created.
    error_id: Uuid,
}

/// An item: valid, or with every offending field.
struct Item {
    checked: Result<(), Vec<FieldError>>,
    /// Quoted when the item fails.
    error_id: Uuid,
}

/// Creates what can be created.
pub(crate) async fn bulk(mut call: Call) -> Answer {
    let body = call.body().await?;
    let (request, BulkRequest { custom_fields, items }) = creation::read_all(&call, &body, bulk::parse)?;
    let tokens = u32::try_from(items.len()).unwrap_or(u32::MAX);
    if call.state.budgets.budget(&call.owner, BudgetKind::Write).can_never_grant(tokens) {
        return Err(Rejection::BulkExceedsRateLimit.into());
    }
    call.spend_items(tokens).await?;

    let mut creations = Vec::with_capacity(items.len());
    let check = |item: Result<NewRadar, _>| Item {
        checked: item.map(|wanted| creations.push(creation::creation(&call, wanted))),
        error_id: Uuid::new_v4(),
    };
    let items = items.into_iter().map(check).collect();
    let draft = Arc::new(Draft { custom_fields, items, error_id: Uuid::new_v4() });
    let decisions = match decide(&call, request, creations, &draft).await? {
        CreatedOnce::AnsweredBefore(KeptAnswer { status, body }) => return Ok(replayed(text(status, body)?, true)),
        CreatedOnce::New { answer: Some(KeptAnswer { status, body }), .. } => return text(status, body),
        CreatedOnce::New { decisions, .. } => decisions,
    };
    call.note_error(draft.error_id);
    let unwritable = || Failure::internal("the answer to a bulk could not be written");
    let KeptAnswer { status, body } = draft.answer(&decisions, call.now()).ok_or_else(unwritable)?;
    text(status, body)
}

/// Decides all valid items in one transaction.
async fn decide(
    call: &Call,
    request: Option<KeyedRequest>,
    creations: Vec<Creation>,
    draft: &Arc<Draft>,
) -> Result<CreatedOnce, Failure> {
    if creations.is_empty() {
        return Ok(CreatedOnce::New { answer: None, decisions: Vec::new() });
    }
    let written = draft.clone();
    let render = RenderAnswer::new(move |decisions, now| written.answer(decisions, now));
    let decided = creation::decide(call, request, creations, render).await?;
    if let CreatedOnce::New { decisions, .. } = &decided {
        draft.log(decisions);
    }
    Ok(decided)
}

impl Draft {
    /// The answer to the bulk.
    fn answer(&self, decisions: &[Decision<Created>], now: DateTime<Utc>) -> Option<KeptAnswer> {
        let outcomes = self.results(decisions).map(|(item, result)| outcome(item, result)).collect();
        let (status, body) = bulk::answer(&self.custom_fields, outcomes, self.error_id, now);
        answer_text(status, &body)
    }

    /// Logs the causes of internal errors among the decisions.
    fn log(&self, decisions: &[Decision<Created>]) {
        for (item, result) in self.results(decisions) {
            if let Err(failure) = result {
                failure.log(item.error_id);
            }
        }
    }

    /// The result of each item: the valid ones take the decisions in their order.
    fn results<'a>(
        &'a self,
        decisions: &'a [Decision<Created>],
    ) -> impl Iterator<Item = (&'a Item, Result<CreatedRadar<'a>, Failure>)> {
        let mut decisions = decisions.iter();
        self.items.iter().map(move |item| match &item.checked {
            Ok(()) => (item, created(decisions.next())),
            Err(errors) => (item, Err(errors.clone().into())),
        })
    }
}

fn outcome<'a>(item: &Item, result: Result<CreatedRadar<'a>, Failure>) -> ItemOutcome<'a> {
    match result {
        Ok((radar, paused_since)) => Ok(RadarRecord::of(radar, paused_since)),
        Err(failure) => Err((failure.into_rejection(), item.error_id)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::{Draft, Item};
    use crate::sample_radar::company;
    use domain::FieldError;
    use domain::account::{CommandRejection, Created, Decision};

    fn draft(items: &[bool]) -> Draft {
        let item = |(number, is_sound): (u128, &bool)| Item {
            checked: if *is_sound { Ok(()) } else { Err(vec![FieldError::new("domain", "is required")]) },
            error_id: Uuid::from_u128(number),
        };
        let items = (0..).zip(items).map(item).collect();
        Draft { custom_fields: BTreeMap::new(), items, error_id: Uuid::from_u128(99) }
    }

    fn created() -> Decision<Created> {
        Ok(Created { radar: Box::new(company()), paused_since: Some(DateTime::UNIX_EPOCH) })
    }

    fn answer(draft: &Draft, decisions: &[Decision<Created>]) -> (u16, Value) {
        let answer = draft.answer(decisions, DateTime::UNIX_EPOCH).expect("an answer");
        assert_eq!(draft.answer(decisions, DateTime::UNIX_EPOCH), Some(answer.clone()), "the same every time");
        (answer.status, serde_json::from_str(&answer.body).expect("JSON"))
    }

    #[test]
    fn spec_4_5_each_item_gets_its_own_outcome() {
        let draft = draft(&[false, true, true, false, true]);
        let (status, body) = answer(&draft, &[created(), Err(CommandRejection::InsufficientBalance), created()]);
        let codes: Vec<&Value> =
            body["results"].as_array().expect("results").iter().map(|item| &item["code"]).collect();
        assert_eq!((status, codes), (207, vec![&json!(400), &json!(201), &json!(402), &json!(400), &json!(201)]));
        assert_eq!(body["results"][2]["error_id"], "00000000-0000-0000-0000-000000000002");
        assert_eq!(body["results"][4]["data"]["paused_since"], "1970-01-01T00:00:00.000000Z");
    }

    #[test]
    fn decision_3_2_a_bulk_without_any_success_is_a_400() {
        let (status, body) = answer(&draft(&[false, true]), &[Err(CommandRejection::InsufficientBalance)]);
        assert_eq!((status, &body["error_id"]), (400, &json!("00000000-0000-0000-0000-000000000063")));
    }
}
