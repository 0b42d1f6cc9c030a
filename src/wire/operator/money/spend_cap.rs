//! The spend cap of an account.

use serde::Serialize;
use serde_json::Value;

use crate::domain::money::MicroUsd;
use crate::domain::rejection::FieldError;
use crate::wire::fields::Fields;
use crate::wire::money::Usd;
use crate::wire::operator::values::RawFields;

/// A cap, and how much of it is used.
#[derive(Debug, Serialize)]
pub(crate) struct SpendCapRecord {
    pub(crate) amount_usd: Option<Usd>,
    pub(crate) month: String,
    pub(crate) spent_usd: Usd,
}

/// Reads a cap.
pub(crate) fn parse(body: &Value, text: &[u8]) -> Result<MicroUsd, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["amount_usd"]);
    let cap = RawFields::of(text).amount(&mut fields, "amount_usd");
    fields.finish(cap)
}
