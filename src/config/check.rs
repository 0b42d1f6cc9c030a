//! Everything that is wrong with the settings at once, and every value that is in force with its origin.
//!
//! Duty: what `radar config` says. A start ends at the first error; here each is noted and the built-in value takes the place of
//! the wrong one, so that reading goes on.

use std::path::Path;

use config_files::{Map, Value, ValueKind};

use super::layers::Layers;
use super::reader::{origin_of, printed, without_credentials};
use super::{ConfigError, Database, Result, sections};

/// Keys whose values are not shown.
const SECRET: [&str; 5] =
    ["operator.key", "operator.read_only_key", "secrets.key", "secrets.previous_keys", "smtp.url"];
/// The key whose value may hold a password.
const DATABASE_URL: &str = "database.url";
/// What stands in the place of a secret.
const HIDDEN: &str = "(hidden)";

/// A setting in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The key, with dots.
    pub key: String,
    /// Its value as TOML; a secret is hidden.
    pub value: String,
    /// The layer that it comes from.
    pub origin: String,
}

/// Every error of the settings; `file` is that of `--config`. None: the service would start with them.
pub fn problems(file: Option<&Path>) -> Vec<ConfigError> {
    of_layers(Layers::of_process(file))
}

/// Every setting in force, by key.
///
/// # Errors
/// [`ConfigError`] when a layer cannot be read.
pub fn in_force(file: Option<&Path>) -> Result<Vec<Shown>> {
    shown(&Layers::of_process(file))
}

pub(super) fn of_layers(mut layers: Layers<'_>) -> Vec<ConfigError> {
    let mut found = Vec::new();
    let mut tree = loop {
        match layers.merge() {
            Ok(tree) => break tree,
            Err(error) => {
                let goes_on = layers.leave_out(&error);
                found.push(error);
                if !goes_on {
                    return found;
                }
            }
        }
    };
    found.extend(layers.misspelt());
    let sound = Layers::built_in().merge().unwrap_or_default();
    while let Err(error) = sections::whole(tree.clone()) {
        let is_mended = error.key().is_some_and(|key| mend(&mut tree, key, Some(&sound)));
        let is_new = !found.contains(&error);
        if is_new {
            found.push(error);
        }
        if !is_mended || !is_new {
            break;
        }
    }
    found
}

pub(super) fn shown(layers: &Layers<'_>) -> Result<Vec<Shown>> {
    let mut leaves = Vec::new();
    for (name, value) in layers.merge()? {
        add_leaves(name, value, &mut leaves);
    }
    leaves.sort_by(|one, other| one.key.cmp(&other.key));
    Ok(leaves)
}

fn add_leaves(key: String, value: Value, leaves: &mut Vec<Shown>) {
    match value.kind {
        ValueKind::Table(inner) if !inner.is_empty() => {
            inner.into_iter().for_each(|(name, inner)| add_leaves(format!("{key}.{name}"), inner, leaves));
        }
        _ => leaves.push(Shown {
            value: shown_value(&key, &value.kind),
            origin: origin_of(&value),
            key: without_credentials(&key),
        }),
    }
}

fn shown_value(key: &str, kind: &ValueKind) -> String {
    let is_empty = match kind {
        ValueKind::String(text) => text.is_empty(),
        ValueKind::Array(values) => values.is_empty(),
        _ => false,
    };
    match kind {
        ValueKind::Table(_) => "{}".to_owned(),
        _ if SECRET.contains(&key) && !is_empty => HIDDEN.to_owned(),
        ValueKind::String(url) if key == DATABASE_URL => format!("{:?}", Database::address_in(url)),
        kind => printed(kind),
    }
}

/// Puts the value that `sound` has in the place of that of `key`, or takes it out. Keys may hold dots themselves.
fn mend(tree: &mut Map<String, Value>, key: &str, sound: Option<&Map<String, Value>>) -> bool {
    if tree.contains_key(key) {
        let _wrong = match sound.and_then(|sound| sound.get(key)) {
            Some(value) => tree.insert(key.to_owned(), value.clone()),
            None => tree.remove(key),
        };
        return true;
    }
    tree.iter_mut().any(|(name, value)| {
        let rest = key.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('.'));
        match (rest, &mut value.kind) {
            (Some(rest), ValueKind::Table(inner)) => mend(inner, rest, table_of(sound, name)),
            _ => false,
        }
    })
}

fn table_of<'a>(tree: Option<&'a Map<String, Value>>, name: &str) -> Option<&'a Map<String, Value>> {
    match &tree?.get(name)?.kind {
        ValueKind::Table(inner) => Some(inner),
        _ => None,
    }
}
