//! A source file as it is written, and the tables of it that only lists have, checked together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json_path::JsonPath;

use super::answers::AnswerRules;
use super::error::{Broken, broken, unbroken};
use super::list_source::items::{Items, Origin};
use super::list_source::{Extract, ListSource, MatchBy, Matching, Needs};
use super::politeness::{DurationText, Politeness};
use super::request::details::Details;
use super::request::{Paging, Request, Resolve};
use super::source::{PresenceText, SourceKind, SourceTest, Terms, yes};
use super::source_map::{FieldText, check_map};
use super::template::Template;
use super::template::clock_value::is_clock_value;
use super::token_patterns::Discovery;
use super::wire_format::{CsvRows, HtmlRows, WireFormat};
use crate::extraction::selectors::Selector;
use crate::shared_answers::SharedAnswers;
use domain::RadarType;
use domain::radar::request::target_fields;
use outbound::fetch::is_header;

/// The value that patterns of addresses give.
const TOKEN: &str = "token";

/// Values that a target or the search for its sources may give.
const TARGET_VALUES: &[&str] = &[
    "domain", "keyword", "country", "profile_url", "email", "full_name", "name", "ticker", "feed_url",
    "newsroom_feed_url", "articles_url", "youtube_channel_id", "bluesky_handle", "mastodon_account", "mastodon_user",
    "mastodon_host",
];

/// Tables and keys that only lists have.
const LIST_TABLES: &[&str] = &[
    "credentials", "discovery", "resolve", "request", "answers", "html", "csv", "json_in_html", "items", "origin",
    "paging", "details", "extract", "matching", "map", "role", "position",
];

/// The word for how a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Json,
    JsonLines,
    Xml,
    Feed,
    Articles,
    Html,
    Csv,
    JsonInHtml,
    CareersPage,
    Sitemap,
    TeamPage,
    Push,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoleText {
    department_paths: Vec<JsonPath>,
}

/// A source file as it is written.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceFile {
    pub(super) format_version: u32,
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) kind: Kind,
    pub(super) radar_types: Vec<String>,
    pub(super) presence: Option<PresenceText>,
    pub(super) lag: Option<DurationText>,
    pub(super) fallback_of: Option<String>,
    #[serde(default = "yes")]
    pub(super) enabled: bool,
    pub(super) reason: Option<String>,
    pub(super) terms: Option<Terms>,
    #[serde(default)]
    pub(super) credentials: BTreeMap<String, String>,
    discovery: Option<Discovery>,
    #[serde(default)]
    resolve: Vec<Resolve>,
    pub(super) request: Option<Request>,
    answers: Option<AnswerRules>,
    html: Option<HtmlRows>,
    csv: Option<CsvRows>,
    json_in_html: Option<Selector>,
    items: Option<Items>,
    #[serde(default)]
    origin: Vec<Origin>,
    paging: Option<Paging>,
    details: Option<Details>,
    extract: Option<Extract>,
    matching: Option<Matching>,
    map: Option<BTreeMap<String, FieldText>>,
    #[serde(alias = "position")]
    role: Option<RoleText>,
    #[serde(default)]
    pub(super) politeness: Politeness,
    #[serde(default)]
    pub(super) test: Vec<SourceTest>,
    #[serde(default)]
    pub(super) also: Vec<Also>,
    /// Which of all these keys are in the file.
    #[serde(skip)]
    pub(super) keys: BTreeSet<String>,
}

/// A further source, which differs from that of the file in nothing else.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Also {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) url: Template,
    /// The kind, where that is another.
    pub(super) kind: Option<Kind>,
    /// Tests, where the answers differ.
    #[serde(default)]
    pub(super) test: Vec<SourceTest>,
}

impl SourceFile {
    /// Checks that a file of the kind with this name has none of the tables that only lists have.
    pub(super) fn check_no_list(&self, kind: &str) -> Result<(), Broken> {
        match LIST_TABLES.iter().find(|key| self.keys.contains(**key)) {
            Some(key) => Err(broken(*key, format!("does not go with kind `{kind}`"))),
            None => Ok(()),
        }
    }

    /// A list for each group of types.
    pub(super) fn lists(&self, groups: &[Vec<RadarType>]) -> Result<Vec<(Vec<RadarType>, SourceKind)>, Broken> {
        let contents: Vec<RadarType> = groups.iter().filter_map(|group| group.first().copied()).collect();
        let shared_answers = Arc::<SharedAnswers>::default();
        let lists = groups.iter().zip(&contents).map(|(group, radar_type)| {
            let list = self.clone().list(*radar_type, &contents, shared_answers.clone())?;
            Ok((group.clone(), SourceKind::List(Arc::new(list))))
        });
        lists.collect()
    }

    /// What is read from texts must be what findings of `radar_type` are made of, and only a move has an employer.
    fn check_extract(&self, radar_type: RadarType) -> Result<(), Broken> {
        let by_employer = self.matching.as_ref().is_some_and(|matching| matching.by == MatchBy::Employer);
        let problem = match &self.extract {
            Some(extract) => extract.problem(radar_type, self.details.is_some(), by_employer),
            None => by_employer.then_some("is what `matching.by = \"employer\"` goes by"),
        };
        unbroken("extract", problem)
    }

    fn list(
        mut self,
        radar_type: RadarType,
        contents: &[RadarType],
        shared_answers: Arc<SharedAnswers>,
    ) -> Result<ListSource, Broken> {
        let missing = |key: &str| broken(key, "is required");
        self.check_extract(radar_type)?;
        let format = self.wire_format()?;
        let request = self.request.ok_or_else(|| missing("request"))?;
        check_request(&request)?;
        unbroken("paging", self.paging.as_ref().and_then(Paging::problem))?;
        let items = match self.items {
            Some(items) if items.list.is_some() || format.list().is_some() => items,
            Some(_) => return Err(missing("items.list")),
            None => return Err(missing("items")),
        };
        unbroken("items.page_size", items.problem(self.paging.as_ref()))?;
        let mut list = ListSource {
            radar_type,
            format,
            discovery: self.discovery.unwrap_or_default(),
            needs: Needs::default(),
            credentials: self.credentials,
            resolve: self.resolve,
            request,
            answers: self.answers.unwrap_or_default(),
            items,
            origin: self.origin,
            paging: self.paging,
            details: self.details,
            extract: self.extract,
            matching: self.matching.map(|matching| Matching { by: matching.by.of(radar_type), ..matching }),
            map: check_map(self.map.ok_or_else(|| missing("map"))?, radar_type, contents)?,
            department_paths: self.role.map(|role| role.department_paths).unwrap_or_default(),
            pace: self.politeness.pace(&self.id),
            shared_for: self.politeness.shared_for(),
            shared_answers,
            overlap: Arc::default(),
        };
        list.needs = needs(&list, self.fallback_of.is_some())?;
        Ok(list)
    }

    /// The format, with the table that belongs to it and no other.
    fn wire_format(&mut self) -> Result<WireFormat, Broken> {
        let tables = [
            (Kind::Html, "html", self.html.take().map(WireFormat::Html)),
            (Kind::Csv, "csv", self.csv.take().map(WireFormat::Csv)),
            (Kind::JsonInHtml, "json_in_html", self.json_in_html.take().map(WireFormat::JsonInHtml)),
        ];
        let (own, others): (Vec<_>, Vec<_>) = tables.into_iter().partition(|(kind, ..)| *kind == self.kind);
        if let Some((_, key, _)) = others.iter().find(|(_, _, table)| table.is_some()) {
            return Err(broken(*key, "does not go with this `kind`"));
        }
        match (own.into_iter().next(), self.kind) {
            (Some((_, key, table)), _) => table.ok_or_else(|| broken(key, "is required for this `kind`")),
            (None, Kind::JsonLines) => Ok(WireFormat::JsonLines),
            (None, Kind::Xml) => Ok(WireFormat::Xml),
            (None, Kind::Feed) => Ok(WireFormat::Feed),
            (None, Kind::Articles) => Ok(WireFormat::Articles),
            (None, _) => Ok(WireFormat::Json),
        }
    }
}

/// The values of the target that `list` needs; every other value that it uses must come from somewhere.
fn needs(list: &ListSource, is_fallback: bool) -> Result<Needs, Broken> {
    if is_fallback && !list.discovery.is_empty() {
        return Err(broken("discovery", "does not go with `fallback_of`: the token is that of the other source"));
    }
    let mut from_patterns = list.discovery.value_names();
    from_patterns.extend(is_fallback.then(|| TOKEN.to_owned()));
    let paging = list.paging.as_ref().map(Paging::value_name);
    let mut resolved: Vec<&str> = Vec::new();
    let mut required: BTreeSet<String> = BTreeSet::new();
    let mut need = |name: &str, resolved: &[&str], key: &str| {
        if list.credentials.contains_key(name)
            || resolved.contains(&name)
            || paging == Some(name)
            || is_clock_value(name)
        {
            return Ok(());
        }
        if !from_patterns.contains(name) && !TARGET_VALUES.contains(&name) {
            let problem = format!("uses {{{name}}}, which is no value of a target, of `resolve` or of `credentials`");
            return Err(broken(key, problem));
        }
        required.insert(name.to_owned());
        Ok(())
    };
    for step in &list.resolve {
        step.url.names().try_for_each(|name| need(name, &resolved, "resolve.url"))?;
        if step.given().next().is_none() || !step.values.is_empty() && !step.captures.is_empty() {
            return Err(broken("resolve", "needs either `values` of a JSON answer or `captures` of a text"));
        }
        resolved.extend(step.given());
    }
    list.request.names().try_for_each(|name| need(name, &resolved, "request"))?;
    if let Some(details) = &list.details {
        let own = |name: &&str| !details.with.contains_key(*name);
        details.url.names().filter(own).try_for_each(|name| need(name, &resolved, "details.url"))?;
    }
    if let Some(matching) = &list.matching {
        matching.by.needs().iter().try_for_each(|name| need(name, &resolved, "matching"))?;
    }
    if !list.discovery.is_empty() && required.is_disjoint(&from_patterns) {
        return Err(broken("discovery", "gives values that no template uses"));
    }
    unbroken("discovery.patterns", list.discovery.problem())?;
    // A type whose radars name nothing watches all that there is.
    if required.is_empty() && !target_fields(list.radar_type).is_empty() {
        return Err(broken("request.url", "must hold a value of the target, or `matching` must"));
    }
    let is_known = |name: &str| required.contains(name) || resolved.contains(&name);
    unbroken("origin.is", list.origin.iter().find_map(|origin| origin.problem(is_known)))?;
    let optional = list.matching.as_ref().map_or(&[][..], |matching| matching.by.extras());
    Ok(Needs { required: required.into_iter().collect(), optional })
}

fn check_request(request: &Request) -> Result<(), Broken> {
    if !request.url.has_fixed_host_form() {
        let problem = "must be an http or https address whose host depends on values only as labels before a domain";
        return Err(broken("request.url", problem));
    }
    for (name, value) in &request.headers {
        if !is_header(name, &value.example("a")) {
            return Err(broken(format!("request.headers.{name}"), "is no HTTP header"));
        }
    }
    Ok(())
}
