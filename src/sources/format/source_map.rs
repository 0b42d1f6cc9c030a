//! The `[map]` table of a source file: how each key of a finding's content is made.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json_path::JsonPath;

use super::content_keys::content_keys;
use super::error::{Broken, broken};
use super::source::{Field, Format, Reading};
use crate::domain::radar::radar_type::RadarType;
use crate::sources::text::dates::DateFormat;

/// One key's entry, as it is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldText {
    r#const: Option<String>,
    #[serde(default)]
    paths: Vec<JsonPath>,
    text: Option<TextFormat>,
    date: Option<DateFormat>,
    country: Option<CountryFormat>,
    #[serde(default)]
    join: Vec<PartText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartText {
    paths: Vec<JsonPath>,
    text: TextFormat,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TextFormat {
    Line,
    Plain,
    Html,
    Entities,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CountryFormat {
    Field,
    Place,
}

/// Checks the table and gives it its meaning.
pub(super) fn check_map(
    map: BTreeMap<String, FieldText>,
    radar_types: &[RadarType],
) -> Result<BTreeMap<String, Field>, Broken> {
    for radar_type in radar_types {
        let keys = content_keys(*radar_type);
        if let Some(key) = map.keys().find(|key| !keys.contains(&key.as_str())) {
            return Err(broken(format!("map.{key}"), format!("is no content key of {radar_type}")));
        }
    }
    for required in ["job_title", "job_url"] {
        if !map.contains_key(required) {
            return Err(broken(format!("map.{required}"), "is required"));
        }
    }
    let fields = map.into_iter().map(|(key, text)| match text.checked() {
        Ok(field) => Ok((key, field)),
        Err(problem) => Err(broken(format!("map.{key}"), problem)),
    });
    fields.collect()
}

impl FieldText {
    fn checked(self) -> Result<Field, &'static str> {
        let ways = [self.r#const.is_some(), !self.paths.is_empty(), !self.join.is_empty()];
        if ways.into_iter().filter(|is_used| *is_used).count() != 1 {
            return Err("needs one of `const`, `paths` and `join`");
        }
        let format = match (self.text, self.date, self.country) {
            (None, None, None) => Format::Line,
            (Some(text), None, None) => text.into(),
            (None, Some(date), None) => Format::Date(date),
            (None, None, Some(CountryFormat::Field)) => Format::CountryField,
            (None, None, Some(CountryFormat::Place)) => Format::CountryPlace,
            _ => return Err("takes only one of `text`, `date` and `country`"),
        };
        if let Some(constant) = self.r#const {
            return if format == Format::Line { Ok(Field::Constant(constant)) } else { Err("`const` takes no format") };
        }
        if self.join.is_empty() {
            return Ok(Field::First(Reading { paths: self.paths, format }));
        }
        if format != Format::Line {
            return Err("`join` takes the formats of its parts");
        }
        let parts = self.join.into_iter().map(|part| Reading { paths: part.paths, format: part.text.into() });
        Ok(Field::Join(parts.collect()))
    }
}

impl From<TextFormat> for Format {
    fn from(format: TextFormat) -> Self {
        match format {
            TextFormat::Line => Self::Line,
            TextFormat::Plain => Self::Plain,
            TextFormat::Html => Self::Html,
            TextFormat::Entities => Self::Entities,
        }
    }
}
