//! `…/accounts/{id}/spend-cap`: the most that an account may spend in a month before its findings are held.
//!
//! Everything that the account is charged counts; only findings are held. They are released like any held finding: when
//! the month turns, or when the cap is raised.

use serde::Serialize;

use super::accounts::found;
use super::call::{Body, Call};
use super::shapes::RawFields;
use crate::domain::ids::AccountId;
use crate::domain::money::MicroUsd;
use crate::domain::money::month::Month;
use crate::domain::rejection::{FieldError, Missing, Rejection};
use crate::http::call::Answer;
use crate::wire::fields::Fields;
use crate::wire::money::Usd;
use crate::wire::query::none;

/// A cap, and how much of it is used.
#[derive(Debug, Serialize)]
struct SpendCapRecord {
    amount_usd: Option<Usd>,
    month: String,
    spent_usd: Usd,
}

/// Shows the cap.
pub(super) async fn show(call: Call) -> Answer {
    none(call.query())?;
    let account_id = call.account_id()?;
    found(&call, account_id).await?;
    answer(&call, account_id, "Spend cap").await
}

/// Sets the cap.
pub(super) async fn set(mut call: Call) -> Answer {
    let cap = parse(&call.body().await?)?;
    change(&call, Some(cap), "Spend cap set").await
}

/// Removes the cap.
pub(super) async fn remove(call: Call) -> Answer {
    none(call.query())?;
    change(&call, None, "Spend cap removed").await
}

async fn change(call: &Call, cap: Option<MicroUsd>, message: &str) -> Answer {
    let account_id = call.account_id()?;
    if !call.state.store.set_spend_cap(account_id, cap).await? {
        return Err(Rejection::NotFound(Missing::Account).into());
    }
    // What was held may fit now.
    call.state.ledger.wake(account_id);
    answer(call, account_id, message).await
}

async fn answer(call: &Call, account_id: AccountId, message: &str) -> Answer {
    let month = Month::of(call.now());
    let (cap, spent) = call.state.store.spend_cap(account_id, month).await?;
    let record = SpendCapRecord { amount_usd: cap.map(Usd), month: month.to_string(), spent_usd: Usd(spent) };
    call.data(200, message, record)
}

fn parse(body: &Body) -> Result<MicroUsd, Vec<FieldError>> {
    let mut fields = Fields::of(&body.value)?;
    fields.refuse_unknown(&["amount_usd"]);
    let cap = RawFields::of(&body.text).amount(&mut fields, "amount_usd");
    fields.finish(cap)
}
