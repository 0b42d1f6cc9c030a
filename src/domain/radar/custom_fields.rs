//! The customer's own labels of a radar, echoed back in every finding (Spec 2.2, 8.2).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::field_limits::{CUSTOM_FIELD_KEY_MAX, CUSTOM_FIELD_VALUE_MAX, CUSTOM_FIELDS_MAX};
use crate::fields::{Fields, quoted};

/// Why labels are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CustomFieldError {
    /// More than [`CUSTOM_FIELDS_MAX`] keys.
    #[error("must have at most 20 keys")]
    TooMany,
    /// A key without a character.
    #[error("must not have an empty key")]
    EmptyKey,
    /// A key of more than [`CUSTOM_FIELD_KEY_MAX`] characters.
    #[error("key '{0}' must be at most 50 characters")]
    KeyTooLong(String),
    /// A value of more than [`CUSTOM_FIELD_VALUE_MAX`] characters.
    #[error("value of '{0}' must be at most 500 characters")]
    ValueTooLong(String),
    /// No database keeps U+0000 in a text.
    #[error("'{0}' must not contain the character U+0000")]
    Nul(String),
}

/// Everything that is wrong with `fields`; nothing when they may be stored.
pub fn check(fields: &BTreeMap<String, String>) -> Vec<CustomFieldError> {
    let mut errors = Vec::from_iter((fields.len() > CUSTOM_FIELDS_MAX).then_some(CustomFieldError::TooMany));
    for (key, value) in fields {
        // A key is quoted in its error; an endless one would be echoed endlessly.
        let name = || key.chars().take(CUSTOM_FIELD_KEY_MAX).filter(|character| *character != '\0').collect();
        let is_key_long = key.chars().count() > CUSTOM_FIELD_KEY_MAX;
        let is_value_long = value.chars().count() > CUSTOM_FIELD_VALUE_MAX;
        errors.extend(key.is_empty().then_some(CustomFieldError::EmptyKey));
        errors.extend(is_key_long.then(|| CustomFieldError::KeyTooLong(name())));
        errors.extend(is_value_long.then(|| CustomFieldError::ValueTooLong(name())));
        errors.extend((key.contains('\0') || value.contains('\0')).then(|| CustomFieldError::Nul(name())));
    }
    errors
}

/// Reads the labels of a request; none where what is given is no labels, which is noted.
pub fn read(request: &mut Fields<'_>) -> BTreeMap<String, String> {
    const NAME: &str = "custom_fields";
    let object = match request.get(NAME) {
        None => return BTreeMap::new(),
        Some(Value::Object(object)) => object,
        Some(_) => {
            request.refuse(NAME, "must be an object of strings");
            return BTreeMap::new();
        }
    };
    let mut fields = BTreeMap::new();
    for (key, value) in object {
        match value {
            Value::String(text) => {
                fields.insert(key.clone(), text.clone());
            }
            _ => request.refuse(NAME, format!("value of '{}' must be a string", quoted(key))),
        }
    }
    for error in check(&fields) {
        request.refuse(NAME, error);
    }
    fields
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{CustomFieldError, check};

    fn one(key: &str, value: &str) -> BTreeMap<String, String> {
        BTreeMap::from([(key.to_owned(), value.to_owned())])
    }

    #[test]
    fn spec_8_2_the_limits_hold_to_the_character() {
        let many = |count: usize| (0..count).map(|index| (format!("k{index}"), String::new())).collect();
        assert_eq!(check(&many(20)), []);
        assert_eq!(check(&many(21)), [CustomFieldError::TooMany]);
        assert_eq!(check(&one(&"é".repeat(50), &"é".repeat(500))), []);
        assert_eq!(check(&one(&"é".repeat(51), "")), [CustomFieldError::KeyTooLong("é".repeat(50))]);
        assert_eq!(check(&one("k", &"é".repeat(501))), [CustomFieldError::ValueTooLong("k".into())]);
        assert_eq!(check(&one("", "v")), [CustomFieldError::EmptyKey]);
        assert_eq!(check(&one("k", "\0")), [CustomFieldError::Nul("k".into())]);
    }
}
