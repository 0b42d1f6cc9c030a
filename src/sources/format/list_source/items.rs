//! Where the items of an answer are, and what is known of each of them: the tables `[items]` and `[[origin]]`.
//!
//! Duty: the checked form of these tables. Never here: reading items.

use serde::{Deserialize, Deserializer, de};
use serde_json_path::JsonPath;

use crate::format::capture::Capture;
use crate::format::request::Paging;
use crate::format::template::Template;
use crate::text::dates::{DateFormat, DateWord};

/// Where the items of an answer are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    /// Selects the one list that holds them; an answer without it is not what the source describes. An object in its
    /// place is a list of one.
    pub list: Option<JsonPath>,
    /// Selects something in every answer that may lack the list: such an answer is an empty list.
    pub empty_if: Option<JsonPath>,
    /// Selects the items that count; all of the list when absent.
    pub path: Option<JsonPath>,
    /// As many items as the request asks for: no more are taken of one answer, whatever it lists. A general bound when
    /// absent here and in `[paging]`.
    pub page_size: Option<usize>,
    /// Names of fields whose texts are JSON, which stands in their place before paths are followed.
    #[serde(default)]
    pub json_texts: Vec<String>,
    /// Select an item's own id, within the item: the first that is there counts.
    #[serde(deserialize_with = "one_or_more_paths")]
    pub id: Vec<JsonPath>,
    /// Select what makes an item new again when it changes; edits make no item new when absent.
    #[serde(default, deserialize_with = "one_or_more_paths")]
    pub edition: Vec<JsonPath>,
    /// Whether the id is an address: then tracking parameters and the like make no difference.
    #[serde(default)]
    pub id_is_address: bool,
    /// An item's own date, where that is not the one of its content: of an announcement, not of what it announces.
    pub dated: Option<Dated>,
    /// When a board that a page links to is really there.
    #[serde(default)]
    pub alive: Alive,
}

impl Items {
    /// Why its `page_size` does not go with `paging`.
    pub fn problem(&self, paging: Option<&Paging>) -> Option<&'static str> {
        let stands_twice = self.page_size.is_some() && paging.is_some_and(|paging| paging.page_size.is_some());
        (stands_twice || self.page_size == Some(0)).then_some("must be at least 1, and stands here or in `paging`")
    }
}

/// One path, or a list of them.
pub fn one_or_more_paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<JsonPath>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a path or a list of paths")]
    enum Paths {
        One(String),
        More(Vec<String>),
    }
    let paths = match Paths::deserialize(deserializer)? {
        Paths::One(path) => vec![path],
        Paths::More(paths) => paths,
    };
    if paths.is_empty() {
        return Err(de::Error::custom("at least one path is needed"));
    }
    paths.iter().map(|path| JsonPath::parse(path).map_err(de::Error::custom)).collect()
}

/// When a board is really there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alive {
    /// It answers with a list, which may be empty.
    #[default]
    Array,
    /// It lists something: some hosts answer with an empty list for any name.
    NonEmpty,
}

/// Where an item's own date is, and how it is written.
#[derive(Clone, Debug)]
pub struct Dated {
    /// Select it; the first that gives a date counts.
    pub paths: Vec<JsonPath>,
    /// How it is written.
    pub format: DateFormat,
}

impl<'de> Deserialize<'de> for Dated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct DatedText {
            #[serde(deserialize_with = "one_or_more_paths")]
            paths: Vec<JsonPath>,
            date: Option<DateWord>,
            date_format: Option<String>,
        }
        let DatedText { paths, date, date_format } = DatedText::deserialize(deserializer)?;
        let format = DateFormat::given(date, date_format.as_deref()).map_err(de::Error::custom)?;
        Ok(Self { paths, format: format.unwrap_or(DateFormat::Word(DateWord::Rfc3339)) })
    }
}

/// What an item must say of where it comes from, so that nobody else's passes for the target's.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Select what the item says; the first that gives something counts, and one of what it gives must be right.
    #[serde(deserialize_with = "one_or_more_paths")]
    pub paths: Vec<JsonPath>,
    /// The part of it that counts; all of it when absent.
    pub capture: Option<Capture>,
    /// One of these it must be, with values of the target in them; capitals make no difference.
    pub is: Vec<Template>,
    /// Whether an item that says nothing counts, too.
    #[serde(default)]
    pub if_given: bool,
}

impl Origin {
    /// What is wrong with what it compares with. A value that nothing else in the file `is_known` to use would be another
    /// token of the same feed.
    pub fn problem(&self, is_known: impl Fn(&str) -> bool) -> Option<String> {
        let unknown = self.is.iter().flat_map(Template::names).find(|name| !is_known(name));
        match unknown {
            Some(name) => Some(format!("uses {{{name}}}, which nothing else in the file does")),
            None => self.is.is_empty().then(|| "must name at least one text".to_owned()),
        }
    }
}
