//! What the requests and answers of several endpoints have in common: names and amounts.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::money;
use domain::{FieldError, Fields, MicroUsd};

/// Characters of a name or a reference.
const LABEL_MAX: usize = 200;

/// Records on a page when no `limit` is given, and the most that can be asked for.
pub const LIMIT_DEFAULT: u32 = 100;
pub const LIMIT_MAX: u32 = 1000;

/// The very text of the fields of a request, for amounts, which must not pass through floating point.
pub struct RawFields(BTreeMap<String, Box<RawValue>>);

impl RawFields {
    /// The fields of `body`; none when it is no object, which [`Fields`] refuses.
    pub fn of(body: &[u8]) -> Self {
        Self(serde_json::from_slice(body).unwrap_or_default())
    }

    /// The text of a field.
    pub fn raw(&self, name: &str) -> Option<&RawValue> {
        self.0.get(name).map(|raw| &**raw)
    }

    /// The first field that is JSON and still cannot be read, such as a number beyond all bounds.
    pub fn unreadable(&self) -> Option<FieldError> {
        self.0.iter().find_map(|(name, raw)| {
            let error = serde_json::from_str::<Value>(raw.get()).err()?;
            Some(FieldError::new(name, format!("cannot be read: {error}")))
        })
    }

    /// A required amount in USD.
    pub fn amount(&self, fields: &mut Fields<'_>, name: &str) -> Option<MicroUsd> {
        let read = match self.0.get(name).filter(|_| fields.get(name).is_some()) {
            Some(raw) => money::read(raw).map_err(|error| error.to_string()),
            None => Err("is required".to_owned()),
        };
        read.map_err(|reason| fields.refuse(name, reason)).ok()
    }
}

/// Reads a short text for people: a name, a reference.
pub fn label(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("must not be empty".to_owned()),
        length if length > LABEL_MAX => Err(format!("must be at most {LABEL_MAX} characters")),
        _ if text.contains(char::is_control) => Err("must not contain control characters".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{RawFields, label};
    use domain::{Fields, MicroUsd, PricingModel};

    fn amount(body: &str) -> Result<MicroUsd, String> {
        let value = serde_json::from_str(body).expect("JSON");
        let mut fields = Fields::of(&value).expect("an object");
        let amount = RawFields::of(body.as_bytes()).amount(&mut fields, "amount_usd");
        fields.finish(amount).map_err(|errors| errors[0].reason.clone())
    }

    #[test]
    fn amounts_are_read_from_the_very_text() {
        for (body, micros) in [
            (r#"{"amount_usd": 12.50}"#, 12_500_000),
            (r#"{"amount_usd": "0.000001"}"#, 1),
            (r#"{"amount_usd": 999999999.999999}"#, 999_999_999_999_999),
        ] {
            assert_eq!(amount(body), Ok(MicroUsd::from_micros(micros)), "{body}");
        }
        for (body, reason) in [
            ("{}", "is required"),
            (r#"{"amount_usd": null}"#, "is required"),
            (r#"{"amount_usd": true}"#, "must be a decimal number such as 12.50"),
            (r#"{"amount_usd": 0.0000001}"#, "must have at most 6 decimals"),
            (r#"{"amount_usd": -1}"#, "must not be negative"),
        ] {
            assert_eq!(amount(body), Err(reason.to_owned()), "{body}");
        }
    }

    #[test]
    fn labels_and_words_are_bounded() {
        assert_eq!(label(" Acme "), Ok("Acme".to_owned()));
        for refused in ["", "  ", "a\nb", &"x".repeat(201)] {
            assert!(label(refused).is_err(), "{refused}");
        }
        assert_eq!("subscription".parse(), Ok(PricingModel::Subscription));
        let refused = "free".parse::<PricingModel>().map_err(|error| error.to_string());
        assert_eq!(refused, Err("must be one of subscription, update_based".to_owned()));
    }
}
