//! `POST /operator/v1/accounts/{id}/top-ups`: money comes in, once per payment reference (decision 4.3).

use crate::operator::call::Call;
use crate::web::Answer;
use domain::account::ToppedUp;
use wire::operator::money::top_ups;
use wire::{Instant, Usd, object};

/// Counts a payment; the same one again answers the same and adds nothing.
pub(crate) async fn create(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let body = call.body().await?;
    let top_up = top_ups::parse(&body.value, &body.text)?;
    let ToppedUp { balance, .. } = call.shared().ledger.ask(account_id, top_up.clone()).await??;
    let record = object! {
        payment_ref: top_up.payment_ref,
        amount_usd: Usd(top_up.amount),
        expires_at: top_up.expires_at.map(Instant),
        balance_usd: Usd(balance),
    };
    call.data(201, "Top-up counted", record)
}
