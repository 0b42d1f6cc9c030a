//! The `[map]` table of a source file: how each key of a finding's content is made.
//!
//! Which keys there are, and what they hold, is said by `domain::content` for each radar type.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json_path::JsonPath;

use super::capture::Capture;
use super::error::{Broken, broken};
use super::fields::{CountryFormat, Format, Gives, Lookup, TextFormat, Way};
use super::template::Template;
use crate::text::dates::{DateFormat, DateWord};
use domain::RadarType;
use domain::content::{ContentLayout, Key, Shape};

/// One key's entry, as it is written: the ways to its value.
#[derive(Clone)]
pub(super) struct FieldText(Vec<WayText>);

impl<'de> Deserialize<'de> for FieldText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrSeveral;
        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = FieldText;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a table with `const`, `paths`, `join` or `template`, or a list of such tables")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FieldText, A::Error> {
                WayText::deserialize(MapAccessDeserializer::new(map)).map(|way| FieldText(vec![way]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, ways: A) -> Result<FieldText, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(ways)).map(FieldText)
            }
        }
        deserializer.deserialize_any(OneOrSeveral)
    }
}

/// One way to a value.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct WayText {
    r#const: Option<String>,
    paths: Vec<JsonPath>,
    capture: Option<Capture>,
    values: Option<BTreeMap<String, String>>,
    text: Option<TextFormat>,
    date: Option<DateWord>,
    date_format: Option<String>,
    country: Option<CountryFormat>,
    join: Vec<Lookup>,
    template: Option<Template>,
    with: BTreeMap<String, Lookup>,
    when: Option<JsonPath>,
    unless: Option<JsonPath>,
}

/// Checks the table against the content of `radar_type`; keys that only the other types of the file carry are left out.
pub(super) fn check_map(
    map: BTreeMap<String, FieldText>,
    radar_type: RadarType,
    others: &[RadarType],
) -> Result<BTreeMap<String, Vec<Way>>, Broken> {
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
    fn checked(self, key: &Key) -> Result<Vec<Way>, String> {
        match self.0.is_empty() {
            true => Err("needs at least one way".into()),
            false => self.0.into_iter().map(|way| way.checked(key)).collect(),
        }
    }
}

impl WayText {
    fn checked(self, key: &Key) -> Result<Way, String> {
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
        let gives = match (self.r#const, self.template) {
            (Some(constant), _) => Gives::Constant(constant),
            (_, Some(template)) => Gives::Template { template, with: self.with },
            _ if !self.join.is_empty() => Gives::Join(self.join),
            _ => Gives::First(Lookup { paths: self.paths, capture: self.capture, values: self.values, format }),
        };
        Ok(Way { when: self.when, unless: self.unless, gives })
    }

    /// How values are read for a key of this shape.
    fn format(&self, shape: Shape) -> Result<Format, String> {
        let date = DateFormat::given(self.date, self.date_format.as_deref())?;
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
