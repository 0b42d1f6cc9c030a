//! The spend cap of an account.

use serde_json::Value;

use crate::operator::values::RawFields;
use domain::{FieldError, Fields, MicroUsd};

/// Reads a cap.
pub fn parse(body: &Value, text: &[u8]) -> Result<MicroUsd, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["amount_usd"]);
    let cap = RawFields::of(text).amount(&mut fields, "amount_usd");
    fields.finish(cap)
}
