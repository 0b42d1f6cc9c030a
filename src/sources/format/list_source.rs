//! What a source that shows a list says beside what every source says: what is asked, where the items are, how they
//! become content.
//!
//! Duty: the checked form of these tables. Never here: the file's syntax, or any request.

pub mod items;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use serde_json_path::JsonPath;
use url::Url;

use self::items::{Items, Origin, one_or_more_paths};
use super::answers::AnswerRules;
use super::fields::Way;
use super::request::details::{Details, ItemValue};
use super::request::{Paging, Request, Resolve};
use super::template::{Template, Values};
use super::token_patterns::Discovery;
use super::wire_format::WireFormat;
use crate::bounds::ITEMS_MAX;
use crate::overlap::Overlap;
use crate::shared_answers::SharedAnswers;
use domain::RadarType;
use domain::scheduling::quota::Quota;
use outbound::fetch::Pace;

/// A source that shows a list of items.
#[derive(Debug)]
pub struct ListSource {
    /// The type whose content its items carry; all the types that it serves carry the same keys.
    pub(crate) radar_type: RadarType,
    pub(crate) format: WireFormat,
    pub(crate) discovery: Discovery,
    /// The values by which it knows a target.
    pub(crate) needs: Needs,
    /// The credentials, by the names that templates give them.
    pub(crate) credentials: BTreeMap<String, String>,
    pub(crate) resolve: Vec<Resolve>,
    pub(crate) request: Request,
    pub(crate) answers: AnswerRules,
    pub(crate) items: Items,
    pub(crate) origin: Vec<Origin>,
    pub(crate) paging: Option<Paging>,
    pub(crate) details: Option<Details>,
    pub(crate) extract: Option<Extract>,
    pub(crate) matching: Option<Matching>,
    pub(crate) map: BTreeMap<String, Vec<Way>>,
    pub(crate) department_paths: Vec<JsonPath>,
    /// How fast it may be asked.
    pub(crate) pace: SourcePace,
    /// How long an answer that is the same for everybody serves all.
    pub(crate) shared_for: Duration,
    /// Such answers, for all types that the file serves.
    pub(crate) shared_answers: Arc<SharedAnswers>,
    /// Whether these follow on each other.
    pub(crate) overlap: Arc<Overlap>,
}

/// How fast a source may be asked.
#[derive(Clone, Debug)]
pub struct SourcePace {
    /// The shortest time between two requests to its host.
    pub min_gap: Duration,
    /// The group of hosts that shares the quotas.
    pub host_group: String,
    /// The quotas.
    pub quotas: Vec<Quota>,
}

impl SourcePace {
    /// What a request must keep to.
    pub fn of_request(&self) -> Pace<'_> {
        let quotas = (self.host_group.as_str(), self.quotas.as_slice());
        Pace { gap: self.min_gap, quotas: Some(quotas).filter(|_| !self.quotas.is_empty()) }
    }
}

impl ListSource {
    /// The names of all values that the requests for its list need.
    pub fn asked_names(&self) -> impl Iterator<Item = &str> {
        self.request.names().chain(self.resolve.iter().flat_map(|step| step.url.names()))
    }

    /// Whether the same request serves every target: then one answer serves all who ask within a while.
    pub fn is_shared(&self) -> bool {
        !self.asked_names().any(|name| self.needs.required.iter().any(|need| need == name))
    }

    /// The address of an answer as anybody may see it: where there are credentials, without what may be one.
    pub fn shown_url(&self, url: &Url) -> Url {
        let mut shown = url.clone();
        if !self.credentials.is_empty() {
            shown.set_query(None);
        }
        let in_address = self.request.url.names().chain(self.request.path.iter().flat_map(Template::names));
        if in_address.into_iter().any(|name| self.credentials.contains_key(name)) {
            shown.set_path("");
        }
        shown
    }

    /// How many items of one answer are taken: as many as are asked for, where the file says how many these are.
    pub fn items_max(&self) -> usize {
        self.page_size().map_or(ITEMS_MAX, |asked| asked.min(ITEMS_MAX))
    }

    /// How many items are asked for, where the file says it.
    pub fn page_size(&self) -> Option<usize> {
        self.items.page_size.or_else(|| self.paging.as_ref()?.page_size)
    }

    /// Where in `answer` the list of its items is, as a JSON pointer.
    pub fn place_of_items(&self, answer: &Value) -> Option<String> {
        match &self.items.list {
            Some(path) => path.query_located(answer).first().map(|found| found.location().to_json_pointer()),
            None => self.format.list().map(str::to_owned),
        }
    }
}

/// Which announcements are read from the texts of items, as `$.extracted` of each; an item without one is no finding.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    /// What reads them.
    pub by: Extractor,
    /// Select the headline; the first that has text counts.
    #[serde(default, deserialize_with = "one_or_more_paths")]
    pub headline: Vec<JsonPath>,
    /// Select the text below it; the first that has text counts.
    #[serde(default, deserialize_with = "one_or_more_paths")]
    pub text: Vec<JsonPath>,
    /// In place of both: a document among the details of an item, whose company is the one that the item is about.
    #[serde(default)]
    pub document: Option<ItemValue>,
}

impl Extract {
    /// Why it reads nothing for `radar_type` in a file with or without details and matching by employer.
    pub fn problem(&self, radar_type: RadarType, has_details: bool, by_employer: bool) -> Option<&'static str> {
        let has_moves = self.by == Extractor::PersonMove;
        match &self.document {
            _ if !self.by.serves(radar_type) => Some("reads nothing that findings of the type are made of"),
            _ if by_employer && !has_moves => Some("reads no employers, which `matching` goes by"),
            other if self.headline.is_empty() == other.is_none() => Some("needs either a `headline` or a `document`"),
            Some(_) if !has_details || by_employer => Some("has its `document` in `details`, after all matching"),
            Some(_) if !has_moves => Some("reads moves of people alone in a `document`"),
            _ => None,
        }
    }
}

/// What reads announcements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extractor {
    /// Who takes or leaves which post.
    PersonMove,
    /// Who raised how much.
    Funding,
}

impl Extractor {
    /// Whether findings of `radar_type` are made of what it reads.
    pub const fn serves(self, radar_type: RadarType) -> bool {
        match self {
            Self::PersonMove => matches!(
                radar_type,
                RadarType::CompanyNewHires | RadarType::CompanyPromotions | RadarType::ContactJobChanges
            ),
            Self::Funding => matches!(radar_type, RadarType::IndustryFundingRounds),
        }
    }
}

/// How items of a source that shows everything to everybody are tied to a target.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    /// What of the target must be in an item.
    pub by: MatchBy,
    /// Select the texts that are looked at.
    #[serde(deserialize_with = "one_or_more_paths")]
    pub texts: Vec<JsonPath>,
    /// Select the addresses that are looked at.
    #[serde(default, deserialize_with = "one_or_more_paths")]
    pub addresses: Vec<JsonPath>,
    /// Select who published it: what a company publishes itself is no mention of it.
    #[serde(default, deserialize_with = "one_or_more_paths")]
    pub authors: Vec<JsonPath>,
}

/// What of a target must be in an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchBy {
    /// The keyword of an industry.
    Keyword,
    /// The company, by its name or its domain.
    Company,
    /// The company as the employer of an extracted move.
    Employer,
    /// A person of the company as the one who moves; what `employer` means for contacts.
    #[serde(skip)]
    Person,
}

impl MatchBy {
    /// The values that a target must have.
    pub const fn needs(self) -> &'static [&'static str] {
        match self {
            Self::Keyword => &["keyword"],
            Self::Company | Self::Employer => &["domain", "name"],
            Self::Person => &["domain", "full_name", "name"],
        }
    }

    /// What it means for radars of `radar_type`.
    pub const fn of(self, radar_type: RadarType) -> Self {
        match (self, radar_type) {
            (Self::Employer, RadarType::ContactJobChanges) => Self::Person,
            (other, _) => other,
        }
    }

    /// Values that help where the target has them.
    pub const fn extras(self) -> &'static [&'static str] {
        match self {
            Self::Keyword => &[],
            Self::Company | Self::Employer | Self::Person => &["own_places", "signs", "ticker"],
        }
    }
}

/// The values by which a source knows its targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Without these there is no feed.
    pub required: Vec<String>,
    /// These help where they are there.
    pub optional: &'static [&'static str],
}

impl Needs {
    /// The token of the feed with these values: the only value that can be needed stands for itself, several are written
    /// as in a form.
    pub fn token_of(&self, values: &Values) -> String {
        match self.is_single() {
            true => values.values().next().cloned().unwrap_or_default(),
            false => url::form_urlencoded::Serializer::new(String::new()).extend_pairs(values).finish(),
        }
    }

    /// The values in `token`; `None` if one is missing.
    pub fn values_of(&self, token: &str) -> Option<Values> {
        let values: Values = match self.required.as_slice() {
            [only] if self.is_single() => [(only.clone(), token.to_owned())].into(),
            _ => url::form_urlencoded::parse(token.as_bytes()).into_owned().collect(),
        };
        let is_there = |need: &String| values.get(need).is_some_and(|value| !value.is_empty());
        self.required.iter().all(is_there).then_some(values)
    }

    fn is_single(&self) -> bool {
        self.required.len() == 1 && self.optional.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Extract, RadarType};

    #[test]
    fn an_extractor_says_what_it_cannot_read() {
        let (headline, document) = ("headline = \"$.title\"", "document = \"$.detail\"");
        let (hires, rounds) = (RadarType::CompanyNewHires, RadarType::IndustryFundingRounds);
        for (by, keys, radar_type, has_details, by_employer, wanted) in [
            ("person_move", headline, hires, false, true, None),
            ("person_move", document, hires, true, false, None),
            ("funding", headline, rounds, false, false, None),
            ("funding", headline, hires, false, false, Some("findings of the type")),
            ("funding", headline, rounds, false, true, Some("no employers")),
            ("person_move", "", hires, true, false, Some("needs either")),
            ("person_move", "headline = \"$.a\"\ndocument = \"$.b\"", hires, true, false, Some("needs either")),
            ("person_move", document, hires, false, false, Some("in `details`")),
            ("person_move", document, hires, true, true, Some("after all matching")),
            ("funding", document, rounds, true, false, Some("moves of people alone")),
        ] {
            let extract: Extract = toml::from_str(&format!("by = \"{by}\"\n{keys}")).unwrap();
            let problem = extract.problem(radar_type, has_details, by_employer);
            assert_eq!(problem.is_some(), wanted.is_some(), "{by} {keys}: {problem:?}");
            assert!(problem.unwrap_or_default().contains(wanted.unwrap_or_default()), "{by} {keys}: {problem:?}");
        }
    }
}
