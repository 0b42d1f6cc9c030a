//! The `[map]` table of a source file: how each key of a finding's content is made.
//!
//! Which keys there are, and what they hold, is said by `domain::content` for each radar type.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json_path::JsonPath;

use super::error::{Broken, broken};
use super::json_source::{Field, Format, Lookup};
use crate::domain::content::{ContentLayout, Key, Shape};
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

/// Checks the table against the content of `radar_type`.
pub(super) fn check_map(
    map: BTreeMap<String, FieldText>,
    radar_type: RadarType,
) -> Result<BTreeMap<String, Field>, Broken> {
    let layout = ContentLayout::of(radar_type);
    for required in layout.required.iter().chain([&layout.address]) {
        if !map.contains_key(*required) {
            return Err(broken(format!("map.{required}"), "is required"));
        }
    }
    let fields = map.into_iter().map(|(path, text)| {
        let key = layout.key(&path);
        let key = key.ok_or_else(|| broken(format!("map.{path}"), format!("is no content key of {radar_type}")))?;
        match text.checked(key) {
            Ok(field) => Ok((path, field)),
            Err(problem) => Err(broken(format!("map.{path}"), problem)),
        }
    });
    fields.collect()
}

impl FieldText {
    fn checked(self, key: &Key) -> Result<Field, &'static str> {
        let ways = [self.r#const.is_some(), !self.paths.is_empty(), !self.join.is_empty()];
        if ways.into_iter().filter(|is_used| *is_used).count() != 1 {
            return Err("needs one of `const`, `paths` and `join`");
        }
        let has_format = self.text.is_some() || self.date.is_some() || self.country.is_some();
        let format = self.format(key.shape)?;
        if let Some(constant) = self.r#const {
            return if has_format { Err("`const` takes no format") } else { Ok(Field::Constant(constant)) };
        }
        if self.join.is_empty() {
            return Ok(Field::First(Lookup { paths: self.paths, format }));
        }
        if has_format {
            return Err("`join` takes the formats of its parts");
        }
        let parts = self.join.into_iter().map(|part| Lookup { paths: part.paths, format: part.text.into() });
        Ok(Field::Join(parts.collect()))
    }

    /// How values are read for a key of this shape.
    fn format(&self, shape: Shape) -> Result<Format, &'static str> {
        match (shape, self.text, self.date, self.country) {
            (Shape::Object(_) | Shape::Always(_), ..) => Err("is an object: map the keys in it, such as `author.name`"),
            (Shape::Date, None, date, None) => Ok(Format::Date(date.unwrap_or(DateFormat::Date))),
            (Shape::Instant, None, Some(DateFormat::Date), None) => Err("is an instant, which no day alone gives"),
            (Shape::Instant, None, date, None) => Ok(Format::Instant(date.unwrap_or(DateFormat::Rfc3339))),
            (_, None, None, None) => Ok(Format::Line),
            (_, Some(text), None, None) => Ok(text.into()),
            (_, None, None, Some(CountryFormat::Field)) => Ok(Format::CountryField),
            (_, None, None, Some(CountryFormat::Place)) => Ok(Format::CountryPlace),
            (_, None, Some(_), None) => Err("takes no `date`: it holds none"),
            _ => Err("takes only one of `text`, `date` and `country`"),
        }
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
