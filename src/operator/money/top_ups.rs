//! `POST /operator/v1/accounts/{id}/top-ups`: money comes in, once per payment reference (decision 4.3).

use serde::Serialize;

use crate::domain::account::{TopUp, ToppedUp};
use crate::domain::rejection::FieldError;
use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::web::call::Body;
use crate::wire::fields::Fields;
use crate::wire::money::Usd;
use crate::wire::operator::values::{RawFields, instant, label};
use crate::wire::time::Instant;

/// A payment that counts.
#[derive(Debug, Serialize)]
struct TopUpRecord {
    payment_ref: String,
    amount_usd: Usd,
    expires_at: Option<Instant>,
    balance_usd: Usd,
}

/// Counts a payment; the same one again answers the same and adds nothing.
pub(crate) async fn create(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let top_up = parse(&call.body().await?)?;
    let ToppedUp { balance, .. } = call.state.shared.ledger.ask(account_id, top_up.clone()).await??;
    let record = TopUpRecord {
        payment_ref: top_up.payment_ref,
        amount_usd: Usd(top_up.amount),
        expires_at: top_up.expires_at.map(Instant),
        balance_usd: Usd(balance),
    };
    call.data(201, "Top-up counted", record)
}

fn parse(body: &Body) -> Result<TopUp, Vec<FieldError>> {
    let mut fields = Fields::of(&body.value)?;
    fields.refuse_unknown(&["amount_usd", "payment_ref", "expires_at"]);
    let amount = RawFields::of(&body.text).amount(&mut fields, "amount_usd");
    if amount.is_some_and(|amount| amount.is_zero()) {
        fields.refuse("amount_usd", "must be more than 0");
    }
    let payment_ref = fields.required("payment_ref", label);
    let expires_at = fields.parsed("expires_at", instant);
    let top_up = amount.zip(payment_ref).map(|(amount, payment_ref)| TopUp { payment_ref, amount, expires_at });
    fields.finish(top_up)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::domain::money::MicroUsd;
    use crate::web::call::Body;

    fn body(text: &'static str) -> Body {
        Body { text: text.into(), value: serde_json::from_str(text).expect("JSON") }
    }

    #[test]
    fn reads_a_payment_and_lists_what_is_wrong() {
        let top_up = parse(&body(r#"{"amount_usd": 25, "payment_ref": "inv-1"}"#)).expect("a payment");
        assert_eq!((top_up.amount, top_up.payment_ref.as_str()), (MicroUsd::from_micros(25_000_000), "inv-1"));
        let errors = parse(&body(r#"{"amount_usd": "0", "expires_at": "soon", "x": 1}"#)).expect_err("a refusal");
        let offending: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(offending, ["x", "amount_usd", "payment_ref", "expires_at"]);
    }
}
