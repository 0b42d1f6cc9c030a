//! The layers of the configuration, laid over one another.
//!
//! Duty: built-in settings, `config/default.toml`, the file of `--config` and the environment become one tree in
//! which every value still knows where it came from. What a value means is none of its business.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use config_files::{Config as Tree, File, FileFormat, Map, Source, Value, ValueKind};

use super::{ConfigError, Result};

/// The built-in settings: the page that is also shipped as `config/default.toml`.
pub(super) const BUILT_IN: &str = include_str!("../../config/default.toml");

/// Where a second layer is looked for, from the working folder.
const BESIDE_US: &str = "config/default.toml";

/// What the variables of the environment begin with.
const PREFIX: &str = "RADAR_";

/// Where the values come from.
pub(super) struct Layers<'a> {
    /// A file that may be missing.
    pub(super) beside_us: Option<&'a Path>,
    /// A file that must be there.
    pub(super) chosen: Option<&'a Path>,
    /// The environment, by name.
    pub(super) environment: BTreeMap<String, String>,
}

impl<'a> Layers<'a> {
    /// The layers of this process.
    pub(super) fn of_process(chosen: Option<&'a Path>) -> Self {
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Self { beside_us: Some(Path::new(BESIDE_US)), chosen, environment }
    }

    /// The built-in settings alone.
    pub(super) fn built_in() -> Self {
        Self { beside_us: None, chosen: None, environment: BTreeMap::new() }
    }

    /// Leaves out the layer that an error is about; `false` if it is about none of them.
    pub(super) fn leave_out(&mut self, error: &ConfigError) -> bool {
        match error {
            ConfigError::Unreadable { what, .. } => {
                let is_it = |path: &&Path| path.display().to_string() == *what;
                let taken = self.chosen.take_if(|path| is_it(&&**path));
                taken.or_else(|| self.beside_us.take_if(|path| is_it(&&**path))).is_some()
            }
            ConfigError::Value { origin, .. } => {
                let name = origin.strip_prefix("from ");
                name.is_some_and(|name| self.environment.remove(name).is_some())
            }
            _ => false,
        }
    }

    /// Lays the layers over one another, later ones on top.
    pub(super) fn merge(&self) -> Result<Map<String, Value>> {
        let mut builder = Tree::builder().add_source(File::from_str(BUILT_IN, FileFormat::Toml));
        for path in self.beside_us.filter(|path| path.exists()).into_iter().chain(self.chosen) {
            builder = builder.add_source(Layer::of_file(path)?);
        }
        for (name, text) in &self.environment {
            if let Some(key) = key_of(name) {
                let value = environment_value(name, &key, text)?;
                builder = builder.add_source(Layer(Map::from_iter([(key, value)])));
            }
        }
        let tree = builder.build().and_then(|tree| tree.collect());
        tree.map_err(|_| ConfigError::Unreadable {
            what: "the environment".to_owned(),
            problem: "a variable that begins with RADAR_ has a name that is no setting".to_owned(),
        })
    }

    /// Variables that look like ours but are written with one underscore where two belong.
    ///
    /// Others that begin with `RADAR_` are let pass: an orchestrator names variables after its services.
    pub(super) fn misspelt(&self) -> impl Iterator<Item = ConfigError> {
        let known = keys_of(&BUILT_IN.parse().unwrap_or_default(), "");
        self.environment.keys().filter_map(move |name| {
            let rest = name.strip_prefix(PREFIX).filter(|rest| !rest.contains("__"))?;
            let flat = rest.to_ascii_lowercase();
            let key = known.iter().find(|key| key.replace('.', "_") == flat)?;
            Some(ConfigError::UnknownVariable { name: name.clone(), meant: variable_of(key) })
        })
    }
}

/// Every key of the table, those of its tables among them.
fn keys_of(table: &toml::Table, path: &str) -> Vec<String> {
    let keys = table.iter().flat_map(|(name, value)| {
        let key = format!("{path}{name}");
        let inner = value.as_table().map(|table| keys_of(table, &format!("{key}."))).unwrap_or_default();
        std::iter::once(key).chain(inner)
    });
    keys.collect()
}

/// The variable that sets `key`.
fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "__").to_ascii_uppercase())
}

/// The key that a variable sets; `None` for variables that are not ours.
fn key_of(name: &str) -> Option<String> {
    let rest = name.strip_prefix(PREFIX)?;
    rest.contains("__").then(|| rest.replace("__", ".").to_ascii_lowercase())
}

/// One layer, read and with its origin in every value.
#[derive(Clone, Debug)]
struct Layer(Map<String, Value>);

impl Layer {
    fn of_file(path: &Path) -> Result<Self> {
        let what = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Unreadable { what: what.clone(), problem: error.to_string() })?;
        let unreadable = |problem| ConfigError::Unreadable { what: what.clone(), problem };
        if let Err(error) = toml::from_str::<toml::Table>(&text) {
            return Err(unreadable(not_toml(&text, error.span(), error.message())));
        }
        let values = File::from_str(&text, FileFormat::Toml);
        let values = values.collect().map_err(|_| unreadable("is not TOML".to_owned()))?;
        Ok(Self(values.into_iter().map(|(key, value)| (key, with_origin(value, &what))).collect()))
    }
}

impl Source for Layer {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, config_files::ConfigError> {
        Ok(self.0.clone())
    }
}

/// The text of a variable: an array or an inline table is read as TOML, anything else is text.
fn environment_value(name: &str, key: &str, text: &str) -> Result<Value> {
    let origin = name.to_owned();
    if !text.starts_with(['[', '{']) {
        return Ok(Value::new(Some(&origin), text));
    }
    let wrong = || ConfigError::Value {
        key: key.to_owned(),
        problem: "must be a TOML array or inline table when it begins with a bracket".to_owned(),
        given: None,
        origin: format!("from {name}"),
    };
    let mut parsed = File::from_str(&format!("value = {text}"), FileFormat::Toml).collect().map_err(|_| wrong())?;
    let value = parsed.remove("value").filter(|_| parsed.is_empty()).ok_or_else(wrong)?;
    Ok(with_origin(value, &origin))
}

fn with_origin(value: Value, origin: &String) -> Value {
    let kind = match value.kind {
        ValueKind::Table(table) => {
            ValueKind::Table(table.into_iter().map(|(key, inner)| (key, with_origin(inner, origin))).collect())
        }
        ValueKind::Array(array) => {
            ValueKind::Array(array.into_iter().map(|inner| with_origin(inner, origin)).collect())
        }
        kind => kind,
    };
    Value::new(Some(origin), kind)
}

/// Where a text stops being TOML and what was expected there, and no word of what stands there: it may be a key or a password,
/// which `problem` never repeats.
fn not_toml(text: &str, span: Option<Range<usize>>, problem: &str) -> String {
    match span.and_then(|span| text.get(..span.start)) {
        Some(before) => {
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|character| *character != '\n').count() + 1;
            format!("line {line}, column {column}: is not TOML: {problem}")
        }
        None => format!("is not TOML: {problem}"),
    }
}
