//! `…/accounts/{id}/spend-cap`: the most that an account may spend in a month before its findings are held.
//!
//! Everything that the account is charged counts; only findings are held. They are released like any held finding: when
//! the month turns, or when the cap is raised.

use crate::operator::call::Call;
use crate::web::Answer;
use domain::{AccountId, MicroUsd, Missing, Month};
use wire::operator::money::spend_cap;
use wire::{Usd, object};

/// Shows the cap.
pub(crate) async fn show(call: Call) -> Answer {
    let account_id = call.existing_account().await?.account_id;
    answer(&call, account_id, "Spend cap").await
}

/// Sets the cap.
pub(crate) async fn set(mut call: Call) -> Answer {
    let body = call.body().await?;
    let cap = spend_cap::parse(&body.value, &body.text)?;
    change(&call, Some(cap), "Spend cap set").await
}

/// Removes the cap.
pub(crate) async fn remove(call: Call) -> Answer {
    call.no_query()?;
    change(&call, None, "Spend cap removed").await
}

async fn change(call: &Call, cap: Option<MicroUsd>, message: &str) -> Answer {
    let account_id = call.account_id()?;
    if !call.store().set_spend_cap(account_id, cap).await? {
        return Err(Missing::Account.into());
    }
    // What was held may fit now.
    call.shared().ledger.wake(account_id);
    answer(call, account_id, message).await
}

async fn answer(call: &Call, account_id: AccountId, message: &str) -> Answer {
    let month = Month::of(call.now());
    let (cap, spent) = call.store().spend_cap(account_id, month).await?;
    let record = object! { amount_usd: cap.map(Usd), month: month.to_string(), spent_usd: Usd(spent) };
    call.data(200, message, record)
}
