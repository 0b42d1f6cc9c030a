//! Reads the fields of a JSON object and collects everything that is wrong with them, so that one answer lists it all.
//!
//! A field that is null counts as absent.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::domain::custom_fields;
use crate::domain::rejection::FieldError;
use crate::domain::webhook_url::{self, IsForbidden};

/// Characters of an offending value that its error quotes.
const QUOTED_MAX: usize = 60;

/// The fields of one object, and the errors found so far.
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// # Errors
    /// Anything but an object is an error of the field `body`.
    pub(crate) fn of(body: &'a Value) -> Result<Self, Vec<FieldError>> {
        match body {
            Value::Object(object) => Ok(Self { object, errors: Vec::new() }),
            _ => Err(vec![FieldError::new("body", "must be a JSON object")]),
        }
    }

    /// The names of all fields, those that are null included.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.object.keys().map(String::as_str)
    }

    /// Refuses every field that is not among the `known` ones.
    pub(crate) fn refuse_unknown(&mut self, known: &[&str]) {
        for name in self.names() {
            if !known.contains(&name) {
                self.refuse(name, "is not a known field");
            }
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn refuse(&mut self, name: &str, reason: impl ToString) {
        self.errors.push(FieldError::new(name, reason));
    }

    pub(crate) fn text(&mut self, name: &str) -> Option<&'a str> {
        match self.get(name)? {
            Value::String(text) => Some(text),
            _ => {
                self.refuse(name, "must be a string");
                None
            }
        }
    }

    pub(crate) fn parsed<T, E: ToString>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, E>) -> Option<T> {
        match parse(self.text(name)?) {
            Ok(value) => Some(value),
            Err(error) => {
                self.refuse(name, error);
                None
            }
        }
    }

    /// Like [`Fields::parsed`], and an error when the field is absent.
    pub(crate) fn required<T, E: ToString>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, E>) -> Option<T> {
        if self.get(name).is_none() {
            self.refuse(name, "is required");
        }
        self.parsed(name, parse)
    }

    /// A list of at least one text, each of which `parse` takes.
    pub(crate) fn list<T, E: ToString>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, E>) -> Option<Vec<T>> {
        let Value::Array(values) = self.get(name)? else {
            self.refuse(name, "must be an array of strings");
            return None;
        };
        if values.is_empty() {
            self.refuse(name, "must not be empty");
            return None;
        }
        let mut parsed = Vec::with_capacity(values.len());
        let errors_before = self.errors.len();
        for value in values {
            match value.as_str().map(|text| (text, parse(text))) {
                Some((_, Ok(value))) => parsed.push(value),
                Some((text, Err(error))) => self.refuse(name, format!("'{}' {}", quoted(text), error.to_string())),
                None => self.refuse(name, "must be an array of strings"),
            }
        }
        (self.errors.len() == errors_before).then_some(parsed)
    }

    pub(crate) fn webhook_url(&mut self, is_forbidden: IsForbidden<'_>) -> Option<String> {
        self.parsed("webhook_url", |text| webhook_url::parse(text, is_forbidden))
    }

    pub(crate) fn custom_fields(&mut self) -> BTreeMap<String, String> {
        const NAME: &str = "custom_fields";
        let object = match self.get(NAME) {
            None => return BTreeMap::new(),
            Some(Value::Object(object)) => object,
            Some(_) => {
                self.refuse(NAME, "must be an object of strings");
                return BTreeMap::new();
            }
        };
        let mut fields = BTreeMap::new();
        for (key, value) in object {
            match value {
                Value::String(text) => {
                    fields.insert(key.clone(), text.clone());
                }
                _ => self.refuse(NAME, format!("value of '{}' must be a string", quoted(key))),
            }
        }
        for error in custom_fields::check(&fields) {
            self.refuse(NAME, error);
        }
        fields
    }

    /// `value`, unless something was refused.
    ///
    /// # Errors
    /// Everything that was refused, in the order in which it was read.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, Vec<FieldError>> {
        match value {
            Some(value) if self.errors.is_empty() => Ok(value),
            _ => Err(self.errors),
        }
    }
}

fn quoted(text: &str) -> String {
    text.chars().take(QUOTED_MAX).collect()
}
