//! Reads query strings and identifiers in paths (decision 2.5).
//!
//! Unknown and empty parameters, and repeated ones that are no lists, are refused, ranges are never clamped: a misspelt filter must not widen a
//! result.

use chrono::{DateTime, Utc};
use url::form_urlencoded;
use uuid::Uuid;

use crate::time;
use domain::{FieldError, field_limits};

/// Refuses every parameter, for routes that take none.
pub fn none(raw: &str) -> Result<(), Vec<FieldError>> {
    Parameters::of(raw, &[]).finish(())
}

/// Reads any identifier in a path.
///
/// # Errors
/// A malformed one is an error of the field `id`.
pub fn path_id(text: &str) -> Result<Uuid, Vec<FieldError>> {
    uuid_text(text).map_err(|reason| vec![FieldError::new("id", reason)])
}

pub const NOT_A_CURSOR: &str = "must be the next_cursor of an earlier answer";

/// Reads a UUID in its hyphenated form, the only one that the service gives out.
pub fn uuid_text(text: &str) -> Result<Uuid, &'static str> {
    let hyphenated = Uuid::try_parse(text).ok().filter(|_| text.len() == uuid::fmt::Hyphenated::LENGTH);
    hyphenated.ok_or("must be a UUID")
}

/// Reads an instant.
pub fn instant(text: &str) -> Result<DateTime<Utc>, &'static str> {
    time::parse(text).ok_or("must be an ISO 8601 timestamp with a time zone such as 2026-01-31T12:00:00Z")
}

/// The parameters of a query, and the errors found so far.
pub struct Parameters {
    pairs: Vec<(String, String)>,
    errors: Vec<FieldError>,
}

impl Parameters {
    pub fn of(raw: &str, known: &[&str]) -> Self {
        if raw.len() > field_limits::QUERY_BYTES_MAX {
            let reason = format!("must be at most {} bytes", field_limits::QUERY_BYTES_MAX);
            return Self { pairs: Vec::new(), errors: vec![FieldError::new("query", reason)] };
        }
        // No valid value has a blank, but instants have a plus sign that many clients forget to encode.
        let raw = raw.replace('+', "%2B");
        let pairs: Vec<(String, String)> = form_urlencoded::parse(raw.as_bytes()).into_owned().collect();
        let mut errors = Vec::new();
        for (name, _) in &pairs {
            if !known.contains(&name.as_str()) {
                let allowed = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                errors.push(FieldError::new(name, format!("is not a known parameter; allowed are: {allowed}")));
            }
        }
        Self { pairs, errors }
    }

    pub fn refuse(&mut self, name: &str, reason: impl ToString) {
        self.errors.push(FieldError::new(name, reason));
    }

    /// Every value of the parameter, in order.
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs.iter().filter(move |(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub fn one<T, E: ToString>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, E>) -> Option<T> {
        if self.values(name).nth(1).is_some() {
            self.refuse(name, "must not be given twice");
            return None;
        }
        let value = self.values(name).next()?;
        parse(value).map_err(|reason| self.refuse(name, reason)).ok()
    }

    /// Whether the parameter is true; one that is not given is not.
    pub fn flag(&mut self, name: &str) -> bool {
        self.one(name, |text| text.parse().map_err(|_| "must be true or false")).unwrap_or(false)
    }

    /// A list, with commas between its elements, or given once for each, as clients that are generated do.
    pub fn list<T: PartialEq, E: ToString>(
        &mut self,
        name: &str,
        most: Option<usize>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Vec<T> {
        let mut parsed = Vec::new();
        if self.values(name).next().is_none() {
            return parsed;
        }
        let value = self.values(name).collect::<Vec<_>>().join(",");
        if let Some(most) = most.filter(|most| value.split(',').count() > *most) {
            self.refuse(name, format!("must have at most {most} entries"));
            return parsed;
        }
        for element in value.split(',') {
            let element = element.trim();
            if element.is_empty() {
                self.refuse(name, "must not have empty entries");
                return parsed;
            }
            match parse(element) {
                Ok(element) if !parsed.contains(&element) => parsed.push(element),
                Ok(_) => {}
                Err(reason) => {
                    self.refuse(name, reason);
                    return parsed;
                }
            }
        }
        parsed
    }

    pub fn limit(&mut self, default: u32, most: u32) -> u32 {
        let read = |text: &str| {
            let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
            let limit = text.parse().ok().filter(|limit| is_plain && (1..=most).contains(limit));
            limit.ok_or_else(|| format!("must be an integer from 1 to {most}"))
        };
        self.one("limit", read).unwrap_or(default)
    }

    pub fn finish<T>(self, query: T) -> Result<T, Vec<FieldError>> {
        if self.errors.is_empty() { Ok(query) } else { Err(self.errors) }
    }
}
