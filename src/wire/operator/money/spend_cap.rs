//! The spend cap of an account.

use serde::Serialize;
use serde_json::Value;

use crate::fields::Fields;
use crate::money::Usd;
use crate::operator::values::RawFields;
use domain::money::MicroUsd;
use domain::rejection::FieldError;

/// A cap, and how much of it is used.
#[derive(Debug, Serialize)]
pub struct SpendCapRecord {
    pub amount_usd: Option<Usd>,
    pub month: String,
    pub spent_usd: Usd,
}

/// Reads a cap.
pub fn parse(body: &Value, text: &[u8]) -> Result<MicroUsd, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["amount_usd"]);
    let cap = RawFields::of(text).amount(&mut fields, "amount_usd");
    fields.finish(cap)
}
