//! Payments.

use serde_json::Value;

use crate::operator::values::{RawFields, label};
use crate::parameters::instant;
use domain::account::TopUp;
use domain::{FieldError, Fields};

/// Reads a payment.
pub fn parse(body: &Value, text: &[u8]) -> Result<TopUp, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["amount_usd", "payment_ref", "expires_at"]);
    let amount = RawFields::of(text).amount(&mut fields, "amount_usd");
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
    use domain::account::TopUp;
    use domain::{FieldError, MicroUsd};

    fn read(text: &str) -> Result<TopUp, Vec<FieldError>> {
        parse(&serde_json::from_str(text).expect("JSON"), text.as_bytes())
    }

    #[test]
    fn reads_a_payment_and_lists_what_is_wrong() {
        let top_up = read(r#"{"amount_usd": 25, "payment_ref": "inv-1"}"#).expect("a payment");
        assert_eq!((top_up.amount, top_up.payment_ref.as_str()), (MicroUsd::from_micros(25_000_000), "inv-1"));
        let errors = read(r#"{"amount_usd": "0", "expires_at": "soon", "x": 1}"#).expect_err("a rejection");
        let offending: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(offending, ["x", "amount_usd", "payment_ref", "expires_at"]);
    }
}
