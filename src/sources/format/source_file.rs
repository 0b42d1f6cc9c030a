//! The format of a source file (decision 7.1): TOML, every key known, every rule checked at load.
//!
//! Duty: text to [`Source`], or an error that names file and key. Never here: where files are.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json_path::JsonPath;

use super::duration_text::DurationText;
pub use super::error::SourceFileError;
use super::error::{Broken, broken};
use super::json_source::{Items, JsonBoard, Paging, Request};
use super::source::{Source, SourceKind, SourceTest, Terms};
use super::source_map::{FieldText, check_map};
use super::token_patterns::Discovery;
use crate::domain::content::ContentLayout;
use crate::domain::radar::radar_type::RadarType;
use crate::outbound::fetch::is_header;

/// The only version there is.
const FORMAT_VERSION: u32 = 1;
/// How often a source is polled whose file does not say.
const POLL_INTERVAL_DEFAULT: Duration = Duration::from_secs(60 * 60);
/// No source is polled more often than this.
const POLL_INTERVAL_MIN: Duration = Duration::from_secs(60);

/// Reads the text of `file`.
///
/// # Errors
/// [`SourceFileError`] names the file and the key.
pub fn read_source(file: &str, text: &str) -> Result<Source, SourceFileError> {
    let raw: SourceFile = toml::from_str(text).map_err(|error| SourceFileError::syntax(file, text, &error))?;
    raw.checked().map_err(|Broken { key, problem }| SourceFileError::Rule { file: file.into(), key, problem })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceFile {
    format_version: u32,
    id: String,
    name: Option<String>,
    kind: Kind,
    radar_types: Vec<String>,
    #[serde(default = "yes")]
    enabled: bool,
    reason: Option<String>,
    terms: Option<Terms>,
    discovery: Option<Discovery>,
    request: Option<Request>,
    items: Option<Items>,
    paging: Option<Paging>,
    map: Option<BTreeMap<String, FieldText>>,
    #[serde(alias = "position")]
    role: Option<RoleText>,
    #[serde(default)]
    politeness: Politeness,
    #[serde(default)]
    test: Vec<SourceTest>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Json,
    CareersPage,
    Sitemap,
    Push,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Politeness {
    poll_interval: Option<DurationText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleText {
    department_paths: Vec<JsonPath>,
}

const fn yes() -> bool {
    true
}

impl SourceFile {
    fn checked(self) -> Result<Source, Broken> {
        if self.format_version != FORMAT_VERSION {
            return Err(broken("format_version", format!("must be {FORMAT_VERSION}")));
        }
        if !is_source_id(&self.id) {
            return Err(broken("id", "must be 1 to 64 of a-z, 0-9, _ and -"));
        }
        let disabled_because = disabled_because(self.enabled, self.reason)?;
        let radar_types = radar_types(&self.radar_types)?;
        let poll_interval = self.politeness.poll_interval.map_or(POLL_INTERVAL_DEFAULT, |interval| interval.0);
        if poll_interval < POLL_INTERVAL_MIN {
            return Err(broken("politeness.poll_interval", "must be at least 60s"));
        }
        let parts = BoardParts {
            discovery: self.discovery,
            request: self.request,
            items: self.items,
            paging: self.paging,
            map: self.map,
            role: self.role,
        };
        let name = self.name.unwrap_or_else(|| self.id.clone());
        Ok(Source {
            kind: parts.kind(self.kind, &radar_types)?,
            id: self.id,
            name,
            radar_types,
            disabled_because,
            terms: self.terms,
            poll_interval,
            tests: self.test,
        })
    }
}

fn is_source_id(id: &str) -> bool {
    let is_letter = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    matches!(id.len(), 1..=64) && id.bytes().all(is_letter)
}

fn disabled_because(is_enabled: bool, reason: Option<String>) -> Result<Option<String>, Broken> {
    match (is_enabled, reason) {
        (true, None) => Ok(None),
        (true, Some(_)) => Err(broken("reason", "goes with `enabled = false`")),
        (false, Some(reason)) if !reason.trim().is_empty() => Ok(Some(reason)),
        (false, _) => Err(broken("reason", "must say why the source is not enabled")),
    }
}

fn radar_types(names: &[String]) -> Result<Vec<RadarType>, Broken> {
    if names.is_empty() {
        return Err(broken("radar_types", "must name at least one radar type"));
    }
    let parsed = names
        .iter()
        .map(|name| name.parse().map_err(|_| broken("radar_types", format!("`{name}` is not a radar type"))));
    parsed.collect()
}

/// The tables that only boards have.
struct BoardParts {
    discovery: Option<Discovery>,
    request: Option<Request>,
    items: Option<Items>,
    paging: Option<Paging>,
    map: Option<BTreeMap<String, FieldText>>,
    role: Option<RoleText>,
}

impl BoardParts {
    fn kind(self, kind: Kind, radar_types: &[RadarType]) -> Result<SourceKind, Broken> {
        let reads_postings = |kind: SourceKind| match radar_types {
            [RadarType::CompanyJobOpenings] => Ok(kind),
            _ => Err(broken("radar_types", format!("kind `{}` serves company_job_openings only", kind.as_str()))),
        };
        match kind {
            Kind::Json => Ok(SourceKind::Json(Arc::new(self.board(radar_types)?))),
            Kind::CareersPage => self.none_for(SourceKind::CareersPage).and_then(reads_postings),
            Kind::Sitemap => self.none_for(SourceKind::Sitemap).and_then(reads_postings),
            Kind::Push => self.none_for(SourceKind::Push),
        }
    }

    fn none_for(self, kind: SourceKind) -> Result<SourceKind, Broken> {
        let present = [
            ("discovery", self.discovery.is_some()),
            ("request", self.request.is_some()),
            ("items", self.items.is_some()),
            ("paging", self.paging.is_some()),
            ("map", self.map.is_some()),
            ("role", self.role.is_some()),
        ];
        match present.into_iter().find(|(_, is_present)| *is_present) {
            Some((key, _)) => Err(broken(key, format!("does not go with kind `{}`", kind.as_str()))),
            None => Ok(kind),
        }
    }

    fn board(self, radar_types: &[RadarType]) -> Result<JsonBoard, Broken> {
        let missing = |key: &str| broken(key, "is required for kind `json`");
        let radar_type = one_content(radar_types)?;
        let discovery = self.discovery.ok_or_else(|| missing("discovery"))?;
        discovery.check().map_err(|(key, problem)| broken(format!("discovery.{key}"), problem))?;
        let request = self.request.ok_or_else(|| missing("request"))?;
        check_request(&request)?;
        if let Some(paging) = &self.paging
            && (paging.page_size == 0 || paging.pages_max == 0)
        {
            return Err(broken("paging", "needs a page_size and pages_max of at least 1"));
        }
        Ok(JsonBoard {
            radar_type,
            discovery,
            request,
            items: self.items.ok_or_else(|| missing("items"))?,
            paging: self.paging,
            map: check_map(self.map.ok_or_else(|| missing("map"))?, radar_type)?,
            department_paths: self.role.map(|role| role.department_paths).unwrap_or_default(),
        })
    }
}

/// The first of `radar_types`, if findings of all of them carry the same keys: a file has one `[map]`.
fn one_content(radar_types: &[RadarType]) -> Result<RadarType, Broken> {
    let names = |radar_type: &RadarType| ContentLayout::of(*radar_type).keys().map(|key| key.name);
    let (first, others) = radar_types.split_first().ok_or_else(|| broken("radar_types", "must name one"))?;
    match others.iter().find(|other| !names(other).eq(names(first))) {
        Some(other) => {
            Err(broken("radar_types", format!("{other} carries other content than {first}: give it a file of its own")))
        }
        None => Ok(*first),
    }
}

fn check_request(request: &Request) -> Result<(), Broken> {
    if !request.url.contains("{token}") {
        return Err(broken("request.url", "must contain {token}"));
    }
    let (one, other) = (request.url_of("a"), request.url_of("b"));
    let hosts = one.as_ref().zip(other.as_ref()).map(|(one, other)| (one.host_str(), other.host_str()));
    match hosts {
        Some((one, other)) if one == other => {}
        _ => {
            return Err(broken(
                "request.url",
                "must be an http or https address whose host does not depend on {token}",
            ));
        }
    }
    for (name, value) in &request.headers {
        if !is_header(name, value) {
            return Err(broken(format!("request.headers.{name}"), "is no HTTP header"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::read_source;

    const BOARD: &str = r#"
        format_version = 1
        id = "quarry"
        kind = "json"
        radar_types = ["company_job_openings"]
        [discovery]
        patterns = [{ hosts = ["jobs.quarry.example"], path_segment = 0 }]
        [request]
        url = "https://api.quarry.example/{token}/jobs"
        [items]
        list = "$.jobs"
        id = "$.id"
        [map]
        job_title = { paths = ["$.title"] }
        job_url = { paths = ["$.url"] }
        job_source = { const = "quarry" }
    "#;

    #[test]
    fn a_push_source_needs_four_keys() {
        let text = "format_version = 1\nid = \"provider\"\nkind = \"push\"\nradar_types = [\"company_new_hires\"]";
        let source = read_source("provider.toml", text).unwrap();
        assert_eq!((source.id(), source.kind().as_str(), source.is_enabled()), ("provider", "push", true));
    }

    #[test]
    fn a_board_is_read() {
        read_source("quarry.toml", BOARD).unwrap();
    }

    #[test]
    fn the_content_of_any_type_can_be_mapped() {
        for (radar_type, map) in [
            ("company_mentions", "mention_content = { paths = [\"$.text\"] }\nmention_url = { paths = [\"$.url\"] }"),
            ("contact_social_posts", "post_url = { paths = [\"$.url\"] }\npost_posted_at = { paths = [\"$.at\"] }"),
            ("industry_new_companies", "company_name = { paths = [\"$.n\"] }\nsource_url = { paths = [\"$.u\"] }"),
        ] {
            let (before, _) = BOARD.split_once("[map]").unwrap();
            let text = format!("{before}[map]\n{map}").replace("company_job_openings", radar_type);
            let source = read_source("quarry.toml", &text).unwrap();
            assert_eq!(source.radar_types().iter().map(|one| one.as_str()).collect::<Vec<_>>(), [radar_type]);
        }
    }

    #[test]
    fn a_file_serves_types_of_one_content() {
        let with = |other: &str| {
            let posts = "[map]\npost_url = { paths = [\"$.url\"] }";
            let (before, _) = BOARD.split_once("[map]").unwrap();
            let types = format!("\"company_social_posts\", \"{other}\"");
            read_source("quarry.toml", &format!("{before}{posts}").replace("\"company_job_openings\"", &types))
        };
        assert!(with("company_social_posts_cxo").is_ok());
        let error = with("contact_social_posts").unwrap_err().to_string();
        assert!(error.contains("`radar_types` contact_social_posts carries other content"), "{error}");
    }

    #[test]
    fn errors_name_the_file_and_the_key() {
        for (from, to, key) in [
            ("format_version = 1", "format_version = 2", "`format_version`"),
            ("id = \"quarry\"", "id = \"Quarry!\"", "`id`"),
            ("id = \"quarry\"", "id = \"quarry\"\ncolour = 3", "`colour`"),
            ("id = \"quarry\"", "id = 7", "id = 7"),
            ("kind = \"json\"", "kind = \"magic\"", "kind = \"magic\""),
            ("\"company_job_openings\"", "\"company_jobs\"", "`radar_types`"),
            ("\"company_job_openings\"", "\"company_job_openings\", \"company_reviews\"", "company_reviews"),
            ("{token}/jobs", "jobs", "`request.url`"),
            ("https://api.quarry.example/{token}", "https://{token}.quarry.example/{token}", "`request.url`"),
            ("[items]", "[request.headers]\n\"x y\" = \"1\"\n[items]", "`request.headers.x y`"),
            ("list = \"$.jobs\"", "list = \"jobs[\"", "list = \"jobs[\""),
            ("list = \"$.jobs\"", "lists = \"$.jobs\"", "`lists`"),
            ("job_title = { paths = [\"$.title\"] }", "", "`map.job_title`"),
            ("{ paths = [\"$.title\"] }", "{ paths = [\"$.title\"], colour = 1 }", "`colour`"),
            (
                "{ paths = [\"$.title\"] }",
                "{ paths = [\"$.title\"], text = \"html\", date = \"date\" }",
                "`map.job_title`",
            ),
            ("{ paths = [\"$.title\"] }", "{ const = \"a\", paths = [\"$.title\"] }", "`map.job_title`"),
            ("job_source =", "job_colour =", "`map.job_colour`"),
            ("{ paths = [\"$.title\"] }", "{ paths = [\"$.title\"], date = \"date\" }", "`map.job_title`"),
            ("id = \"$.id\"", "id = []", "id = []"),
            ("id = \"$.id\"", "id = [\"$.id\", \"id[\"]", "id[\"]"),
            ("patterns = [{ hosts = [\"jobs.quarry.example\"], path_segment = 0 }]", "", "`discovery.patterns`"),
            ("path_segment = 0", "path_segment = 0, query = \"for\"", "`discovery.patterns`"),
            ("[map]", "[politeness]\npoll_interval = \"soon\"\n[map]", "poll_interval"),
            ("[map]", "[politeness]\npoll_interval = \"1s\"\n[map]", "`politeness.poll_interval`"),
            ("[discovery]", "enabled = false\n[discovery]", "`reason`"),
            ("kind = \"json\"", "kind = \"push\"", "`discovery`"),
        ] {
            assert!(BOARD.contains(from), "{from}");
            let error = read_source("quarry.toml", &BOARD.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains("quarry.toml") && error.contains(key), "{key}: {error}");
        }
    }
}
