//! The `[details]` table: a request for each new item, and which items its answer leaves out.
//!
//! Duty: the checked form of the table. Never here: sending anything.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use serde_json_path::JsonPath;

use crate::extraction::json::scalar;
use crate::format::capture::Capture;
use crate::format::template::Template;
use crate::format::wire_format::WireFormat;
use outbound::fetch::RobotsPolicy;

/// A request for one new item, whose answer is put into the item under `detail`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Details {
    /// The address.
    pub url: Template,
    /// The values of the item that go into it, by name, beside those of the target.
    pub with: BTreeMap<String, ItemValue>,
    /// In which form it answers.
    #[serde(default)]
    pub format: DetailsFormat,
    /// Whether robots.txt is asked first.
    #[serde(default)]
    pub robots: RobotsPolicy,
    /// An item with its details in which one of these selects something is none that counts.
    #[serde(default)]
    pub drop_if: Vec<JsonPath>,
}

/// In which form details are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetailsFormat {
    /// JSON.
    #[default]
    Json,
    /// XML.
    Xml,
    /// A text, as it stands.
    Text,
}

impl DetailsFormat {
    /// The same as the form of an answer; a text has none.
    pub const fn wire(self) -> Option<WireFormat> {
        match self {
            Self::Json => Some(WireFormat::Json),
            Self::Xml => Some(WireFormat::Xml),
            Self::Text => None,
        }
    }
}

/// Where a value of an item is, and which part of it counts.
#[derive(Clone, Debug)]
pub struct ItemValue {
    /// Selects it.
    pub path: JsonPath,
    /// The part that counts; all of it when absent.
    pub capture: Option<Capture>,
}

impl ItemValue {
    /// The value in `item`.
    pub fn of(&self, item: &Value) -> Option<String> {
        let text = scalar(self.path.query(item).first()?)?;
        match &self.capture {
            Some(capture) => capture.of(&text).map(str::to_owned),
            None => Some(text),
        }
    }
}

impl<'de> Deserialize<'de> for ItemValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a path, or a table with `path` and `capture`")]
        enum PathOrPart {
            Path(String),
            Part(PartText),
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct PartText {
            path: String,
            capture: Capture,
        }
        let (path, capture) = match PathOrPart::deserialize(deserializer)? {
            PathOrPart::Path(path) => (path, None),
            PathOrPart::Part(PartText { path, capture }) => (path, Some(capture)),
        };
        let path = JsonPath::parse(&path).map_err(de::Error::custom)?;
        Ok(Self { path, capture })
    }
}
