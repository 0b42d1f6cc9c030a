//! Reads typed values out of the merged tree, and tells what is wrong in one line that names the key.
//!
//! Duty: every key that is asked for is taken out of its table, so that what is left over is unknown. It knows no key
//! by name.

use std::collections::BTreeMap;
use std::fmt::Display;

use config_files::{Map, Value, ValueKind};

use super::{ConfigError, Result};

/// One table of the configuration on its way to becoming a typed section.
pub(super) struct Table {
    path: String,
    values: BTreeMap<String, Value>,
}

/// One value, with its full key and where it came from.
pub(super) struct Entry {
    key: String,
    value: Value,
    is_secret: bool,
}

/// Sections whose keys are their fields; behind `=` stands what reads the value.
macro_rules! sections {
    ($(
        $(#[$about:meta])+
        pub struct $name:ident {
            $($(#[$field_about:meta])+ pub $field:ident: $type:ty = $read:expr,)+
        }
    )+) => {$(
        $(#[$about])+
        pub struct $name {
            $($(#[$field_about])+ pub $field: $type,)+
        }

        impl $name {
            pub(super) fn read(table: &mut $crate::reader::Table) -> $crate::Result<Self> {
                Ok(Self { $($field: table.read(stringify!($field), $read)?,)+ })
            }
        }
    )+};
}
pub(super) use sections;

impl Table {
    /// The whole tree.
    pub(super) fn root(values: Map<String, Value>) -> Self {
        Self { path: String::new(), values: values.into_iter().collect() }
    }

    /// Reads the table under `name`, as [`Entry::table`] does.
    pub(super) fn section<T>(&mut self, name: &str, read: impl FnOnce(&mut Table) -> Result<T>) -> Result<T> {
        self.take(name)?.table(read)
    }

    /// Reads the value of `name`.
    pub(super) fn read<T>(&mut self, name: &str, read: impl FnOnce(Entry) -> Result<T>) -> Result<T> {
        read(self.take(name)?)
    }

    /// Takes the value of `name` out of the table.
    pub(super) fn take(&mut self, name: &str) -> Result<Entry> {
        let key = self.key(name);
        match self.values.remove(name) {
            Some(value) => Ok(Entry { key, value, is_secret: false }),
            None => Err(ConfigError::Missing { key }),
        }
    }

    /// Takes every value that is left, by name.
    pub(super) fn take_rest(&mut self) -> Vec<(String, Entry)> {
        let rest = std::mem::take(&mut self.values).into_iter();
        rest.map(|(name, value)| (name.clone(), Entry { key: self.key(&name), value, is_secret: false })).collect()
    }

    /// What nobody asked for is unknown.
    pub(super) fn finish(mut self) -> Result<()> {
        let Some((name, value)) = self.values.pop_first() else { return Ok(()) };
        Err(ConfigError::UnknownKey { key: self.key(&name), origin: origin_of(&innermost(value)) })
    }

    /// The full key of one of its values.
    fn key(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

impl Entry {
    /// The value must never be repeated in an error.
    pub(super) fn secret(mut self) -> Self {
        self.is_secret = true;
        self
    }

    /// The table, read with `read`, which must ask for every key that it may have.
    pub(super) fn table<T>(self, read: impl FnOnce(&mut Table) -> Result<T>) -> Result<T> {
        // What stands in the place of a table may be a value of any of its keys.
        let entry = self.secret();
        let ValueKind::Table(values) = entry.value.kind else {
            return Err(entry.wrong("must be a table"));
        };
        let mut table = Table { path: entry.key, values: values.into_iter().collect() };
        let section = read(&mut table)?;
        table.finish()?;
        Ok(section)
    }

    /// The text, read by `parse`; the error of `parse` says what the value must be.
    pub(super) fn parse<T, E: Display>(self, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<T> {
        let ValueKind::String(text) = &self.value.kind else { return Err(self.wrong("must be text in quotes")) };
        parse(text).map_err(|problem| self.wrong(problem))
    }

    /// As [`Entry::parse`]; empty text is nothing.
    pub(super) fn parse_or_none<T, E: Display>(self, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<Option<T>> {
        if matches!(&self.value.kind, ValueKind::String(text) if text.is_empty()) {
            return Ok(None);
        }
        self.parse(parse).map(Some)
    }

    /// `true` or `false`.
    pub(super) fn flag(self) -> Result<bool> {
        let flag = match &self.value.kind {
            ValueKind::Boolean(flag) => Some(*flag),
            ValueKind::String(text) => text.parse().ok(),
            _ => None,
        };
        flag.ok_or_else(|| self.wrong("must be true or false"))
    }

    /// A whole number from 1 to `most`.
    pub(super) fn integer(self, most: u32) -> Result<u32> {
        let number = match &self.value.kind {
            ValueKind::I64(number) => u32::try_from(*number).ok(),
            ValueKind::String(text) => text.parse().ok(),
            _ => None,
        };
        let in_range = number.filter(|number| (1..=most).contains(number));
        in_range.ok_or_else(|| self.wrong(format_args!("must be a whole number from 1 to {most}")))
    }

    /// As [`Entry::integer`], for what is counted in memory.
    pub(super) fn count(self, most: u32) -> Result<usize> {
        self.integer(most).map(|count| usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// A list of texts, each read by `parse`; from the environment with commas.
    pub(super) fn list<T, E: Display>(self, parse: impl Fn(&str) -> Result<T, E>) -> Result<Vec<T>> {
        let texts: Vec<String> = match &self.value.kind {
            ValueKind::String(text) if text.trim().is_empty() => Vec::new(),
            ValueKind::String(text) => text.split(',').map(|part| part.trim().to_owned()).collect(),
            ValueKind::Array(values) => {
                let texts = values.iter().map(|value| match &value.kind {
                    ValueKind::String(text) => Ok(text.clone()),
                    _ => Err(self.wrong("must be a list of texts in quotes")),
                });
                texts.collect::<Result<_, _>>()?
            }
            _ => return Err(self.wrong("must be a list of texts in quotes")),
        };
        texts.iter().map(|text| parse(text).map_err(|problem| self.wrong(problem))).collect()
    }

    /// The error that says what this value must be.
    pub(super) fn wrong(&self, problem: impl Display) -> ConfigError {
        ConfigError::Value {
            key: without_credentials(&self.key),
            problem: problem.to_string(),
            given: (!self.is_secret).then(|| printed(&self.value.kind)),
            origin: origin_of(&self.value),
        }
    }
}

pub(super) fn origin_of(value: &Value) -> String {
    value.origin().map_or_else(|| "built-in".to_owned(), |origin| format!("from {origin}"))
}

/// A table that was set through the environment has no origin of its own, its values have.
fn innermost(value: Value) -> Value {
    match value.kind {
        ValueKind::Table(table) if value.origin().is_none() => match table.into_values().next() {
            Some(inner) => innermost(inner),
            None => Value::new(None, ValueKind::Nil),
        },
        _ => value,
    }
}

/// The text, with whatever stands where a URL has its user and password left out.
pub(super) fn without_credentials(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    match rest.rsplit_once('@') {
        Some((_, rest)) => format!("{scheme}://…@{rest}"),
        None => text.to_owned(),
    }
}

pub(super) fn printed(kind: &ValueKind) -> String {
    match kind {
        ValueKind::String(text) => format!("{:?}", without_credentials(text)),
        ValueKind::Array(values) => {
            let parts: Vec<String> = values.iter().map(|value| printed(&value.kind)).collect();
            format!("[{}]", parts.join(", "))
        }
        ValueKind::Table(_) => "a table".to_owned(),
        other => other.to_string(),
    }
}
