//! Reads the fields of a JSON object and collects everything that is wrong with them, so that one answer lists it all.
//!
//! A field that is null counts as absent.

use std::fmt::Display;

use serde_json::{Map, Value};

use crate::delivery::webhook_url::{self, IsForbidden};
use crate::field_limits::FIELD_ERRORS_MAX;
use crate::rejection::FieldError;

/// Characters of an offending value or name that its error quotes.
const QUOTED_MAX: usize = 60;
/// Offending values of a list that its error quotes.
const QUOTED_VALUES_MAX: usize = 5;

/// The fields of one object, and the errors found so far.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// The fields of `body`.
    ///
    /// # Errors
    /// Anything but an object is an error of the field `body`.
    pub fn of(body: &'a Value) -> Result<Self, Vec<FieldError>> {
        match body {
            Value::Object(object) => Ok(Self { object, errors: Vec::new() }),
            _ => Err(vec![FieldError::new("body", "must be a JSON object")]),
        }
    }

    /// Refuses every field that is not among the `known` ones.
    pub fn refuse_unknown(&mut self, known: &[&str]) {
        for name in self.names() {
            if !known.contains(&name) {
                self.refuse_name(name, "is not a known field", known);
            }
        }
    }

    /// Refuses a field that may not be there, and says which are `allowed`.
    pub fn refuse_name(&mut self, name: &str, reason: &str, allowed: &[&str]) {
        let allowed = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
        self.refuse(name, format_args!("{reason}; allowed are: {allowed}"));
    }

    /// The names of all fields, those without a value included.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.object.keys().map(String::as_str)
    }

    /// Whether the field has a value.
    pub fn is_given(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// Notes what is wrong with a field.
    pub fn refuse(&mut self, name: &str, reason: impl ToString) {
        if self.errors.len() < FIELD_ERRORS_MAX {
            self.errors.push(FieldError::new(quoted(name), reason));
        }
    }

    /// The value of a text field; `None` where it is absent or none.
    pub fn text(&mut self, name: &str) -> Option<&'a str> {
        match self.get(name)? {
            Value::String(text) => Some(text),
            _ => {
                self.refuse(name, "must be a string");
                None
            }
        }
    }

    /// The value of a text field, read by `parse`; `None` when it is absent or wrong.
    pub fn parsed<T, E: Display>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, E>) -> Option<T> {
        match parse(self.text(name)?) {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(name, error);
                None
            }
        }
    }

    /// A list of 1 to `most` texts, each read by `parse`; `None` when it is absent or wrong.
    pub fn list<T, E: Display>(
        &mut self,
        name: &str,
        most: usize,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Option<Vec<T>> {
        let Value::Array(values) = self.get(name)? else {
            self.refuse(name, "must be an array of strings");
            return None;
        };
        if values.is_empty() {
            self.refuse(name, "must not be empty");
            return None;
        }
        if values.len() > most {
            self.refuse(name, format_args!("must have at most {most} entries"));
            return None;
        }
        let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        if texts.len() < values.len() {
            self.refuse(name, "must be an array of strings");
        }
        let mut parsed = Vec::with_capacity(texts.len());
        let mut offending = Vec::new();
        let mut reason = None;
        for text in &texts {
            match parse(text) {
                Ok(value) => parsed.push(value),
                Err(error) => {
                    offending.push(format!("'{}'", quoted(text)));
                    reason = Some(error);
                }
            }
        }
        if let Some(reason) = reason {
            offending.truncate(QUOTED_VALUES_MAX);
            self.refuse(name, format_args!("each value {reason}, not {}", offending.join(", ")));
        }
        (parsed.len() == values.len()).then_some(parsed)
    }

    /// Like [`Fields::parsed`]; that the field is absent is noted as well.
    pub fn required<T, E: Display>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, E>) -> Option<T> {
        if !self.is_given(name) {
            self.refuse(name, "is required");
        }
        self.parsed(name, parse)
    }

    /// A value that is true or false; `None` where it is absent or neither.
    pub fn flag(&mut self, name: &str) -> Option<bool> {
        let value = self.get(name)?;
        if !value.is_boolean() {
            self.refuse(name, "must be true or false");
        }
        value.as_bool()
    }

    /// A whole number from 1 to `most`; `None` where it is absent or none.
    pub fn count(&mut self, name: &str, most: u32) -> Option<u32> {
        let value = self.get(name)?;
        let count =
            value.as_u64().and_then(|count| u32::try_from(count).ok()).filter(|count| (1..=most).contains(count));
        if count.is_none() {
            self.refuse(name, format_args!("must be a whole number from 1 to {most}"));
        }
        count
    }

    /// An array that is required and has 1 to `most` items of any kind.
    pub fn items(&mut self, name: &str, most: usize) -> Option<&'a [Value]> {
        match self.get(name) {
            None => self.refuse(name, "is required"),
            Some(Value::Array(items)) if (1..=most).contains(&items.len()) => return Some(items),
            Some(Value::Array(_)) => self.refuse(name, format_args!("must have 1 to {most} items")),
            Some(_) => self.refuse(name, "must be an array"),
        }
        None
    }

    /// An address for updates, as it was given.
    pub fn webhook_url(&mut self, is_forbidden: IsForbidden<'_>) -> Option<String> {
        // It is kept as it was given: the specification speaks of no normalisation, and clients compare.
        self.parsed("webhook_url", |text| webhook_url::parse(text, is_forbidden).map(|_| text.trim().to_owned()))
    }

    /// `value`, unless something was refused.
    ///
    /// # Errors
    /// Everything that was refused, in the order in which it was read.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Vec<FieldError>> {
        match value {
            Some(value) if self.errors.is_empty() => Ok(value),
            _ => Err(self.errors),
        }
    }
}

/// As much of an offending value or name as its error quotes.
pub fn quoted(text: &str) -> String {
    text.chars().take(QUOTED_MAX).collect()
}
