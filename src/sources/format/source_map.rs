//! The `[map]` table of a source file: how each key of a finding's content is made.
//!
//! Which keys there are, and what they hold, is said by `domain::content` for each radar type.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json_path::JsonPath;

use super::error::{Broken, broken};
use super::fields::{CountryFormat, Field, Format, Lookup, TextFormat};
use super::template::Template;
use super::token_patterns::regex_of;
use crate::text::dates::{DateFormat, DateWord};
use domain::content::{ContentLayout, Key, Shape};
use domain::radar_type::RadarType;

/// One key's entry, as it is written: one way, or several of which the first that gives a value counts.
#[derive(Clone)]
pub(super) enum FieldText {
    One(Box<WayText>),
    Several(Vec<WayText>),
}

impl<'de> Deserialize<'de> for FieldText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrSeveral;
        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = FieldText;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a table with `const`, `paths`, `join` or `template`, or a list of such tables")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FieldText, A::Error> {
                WayText::deserialize(MapAccessDeserializer::new(map)).map(Box::new).map(FieldText::One)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, ways: A) -> Result<FieldText, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(ways)).map(FieldText::Several)
            }
        }
        deserializer.deserialize_any(OneOrSeveral)
    }
}

/// One way to a value.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WayText {
    r#const: Option<String>,
    #[serde(default)]
    paths: Vec<JsonPath>,
    capture: Option<String>,
    values: Option<BTreeMap<String, String>>,
    text: Option<TextFormat>,
    date: Option<DateWord>,
    date_format: Option<String>,
    country: Option<CountryFormat>,
    #[serde(default)]
    join: Vec<PartText>,
    template: Option<String>,
    #[serde(default)]
    with: BTreeMap<String, PartText>,
    when: Option<JsonPath>,
    unless: Option<JsonPath>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartText {
    paths: Vec<JsonPath>,
    capture: Option<String>,
    text: Option<TextFormat>,
}

/// Checks the table against the content of `radar_type`; keys that only the other types of the file carry are left out.
pub(super) fn check_map(
    map: BTreeMap<String, FieldText>,
    radar_type: RadarType,
    others: &[RadarType],
) -> Result<BTreeMap<String, Field>, Broken> {
    let layout = ContentLayout::of(radar_type);
    for required in layout.required.iter().chain([&layout.address]) {
        if !map.contains_key(*required) {
            return Err(broken(format!("map.{required}"), format!("is required for {radar_type}")));
        }
    }
    let mut fields = BTreeMap::new();
    for (path, text) in map {
        match layout.key(&path) {
            Some(key) => {
                let field = text.checked(key).map_err(|problem| broken(format!("map.{path}"), problem))?;
                fields.insert(path, field);
            }
            None if others.iter().any(|other| ContentLayout::of(*other).key(&path).is_some()) => {}
            None => return Err(broken(format!("map.{path}"), format!("is no content key of {radar_type}"))),
        }
    }
    Ok(fields)
}

impl FieldText {
    fn checked(self, key: &Key) -> Result<Field, String> {
        match self {
            Self::One(way) => way.checked(key),
            Self::Several(ways) if ways.is_empty() => Err("needs at least one way".into()),
            Self::Several(ways) => {
                ways.into_iter().map(|way| way.checked(key)).collect::<Result<_, _>>().map(Field::Either)
            }
        }
    }
}

impl WayText {
    fn checked(mut self, key: &Key) -> Result<Field, String> {
        let (when, unless) = (self.when.take(), self.unless.take());
        let field = self.unguarded(key)?;
        if when.is_none() && unless.is_none() {
            return Ok(field);
        }
        Ok(Field::Guarded { when, unless, field: Box::new(field) })
    }

    fn unguarded(self, key: &Key) -> Result<Field, String> {
        let ways = [self.r#const.is_some(), !self.paths.is_empty(), !self.join.is_empty(), self.template.is_some()];
        if ways.into_iter().filter(|is_used| *is_used).count() != 1 {
            return Err("needs one of `const`, `paths`, `join` and `template`".into());
        }
        let format = self.format(key.shape)?;
        let has_format =
            self.text.is_some() || self.date.is_some() || self.date_format.is_some() || self.country.is_some();
        let has_rules = has_format || self.capture.is_some() || self.values.is_some();
        if has_rules && self.paths.is_empty() {
            return Err("takes formats, `capture` and `values` only with `paths`".into());
        }
        if let Some(constant) = self.r#const {
            return Ok(Field::Constant(constant));
        }
        if let Some(template) = self.template {
            let template = Template::parse(&template);
            let with = self.with.into_iter().map(|(name, part)| Ok((name, part.checked()?)));
            return Ok(Field::Template { template, with: with.collect::<Result<_, String>>()? });
        }
        if !self.join.is_empty() {
            return self.join.into_iter().map(PartText::checked).collect::<Result<_, _>>().map(Field::Join);
        }
        let capture = self.capture.as_deref().map(regex_of).transpose().map_err(|error| error.to_string())?;
        Ok(Field::First(Lookup { paths: self.paths, capture, values: self.values.map(Arc::new), format }))
    }

    /// How values are read for a key of this shape.
    fn format(&self, shape: Shape) -> Result<Format, String> {
        let date = match (&self.date, &self.date_format) {
            (Some(_), Some(_)) => return Err("takes only one of `date` and `date_format`".into()),
            (Some(word), None) => Some(DateFormat::Word(*word)),
            (None, pattern) => pattern.as_deref().map(DateFormat::pattern).transpose()?,
        };
        match (shape, self.text, date, self.country) {
            (Shape::Object(_) | Shape::Always(_), ..) => {
                Err("is an object: map the keys in it, such as `author.name`".into())
            }
            (Shape::Date, None, date, None) => Ok(Format::Date(date.unwrap_or(DateFormat::Word(DateWord::Date)))),
            (Shape::Instant, None, Some(DateFormat::Word(DateWord::Date)), None) => {
                Err("is an instant, which no day alone gives".into())
            }
            (Shape::Instant, None, date, None) => {
                Ok(Format::Instant(date.unwrap_or(DateFormat::Word(DateWord::Rfc3339))))
            }
            (_, text, None, None) => Ok(Format::Text(text.unwrap_or(TextFormat::Line))),
            (_, None, None, Some(country)) => Ok(Format::Country(country)),
            (_, None, Some(_), None) => Err("takes no `date`: it holds none".into()),
            _ => Err("takes only one of `text`, `date` and `country`".into()),
        }
    }
}

impl PartText {
    fn checked(self) -> Result<Lookup, String> {
        let capture = self.capture.as_deref().map(regex_of).transpose().map_err(|error| error.to_string())?;
        let format = Format::Text(self.text.unwrap_or(TextFormat::Line));
        Ok(Lookup { paths: self.paths, capture, values: None, format })
    }
}
