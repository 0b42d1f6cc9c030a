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
use super::source::{Items, JsonBoard, Paging, Request, Source, SourceKind, SourceTest, Terms};
use super::source_map::{FieldText, check_map};
use super::token_patterns::Discovery;
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
    position: Option<PositionText>,
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
struct PositionText {
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
        let is_id =
            |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_' || letter == b'-';
        if self.id.is_empty() || self.id.len() > 64 || !self.id.bytes().all(is_id) {
            return Err(broken("id", "must be 1 to 64 of a-z, 0-9, _ and -"));
        }
        let disabled_because = match (self.enabled, self.reason) {
            (true, None) => None,
            (true, Some(_)) => return Err(broken("reason", "goes with `enabled = false`")),
            (false, Some(reason)) if !reason.trim().is_empty() => Some(reason),
            (false, _) => return Err(broken("reason", "must say why the source is not enabled")),
        };
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
            position: self.position,
        };
        let kind = match self.kind {
            Kind::Json => SourceKind::Json(Arc::new(parts.board(&radar_types)?)),
            Kind::CareersPage => parts.none_for(SourceKind::CareersPage)?,
            Kind::Sitemap => parts.none_for(SourceKind::Sitemap)?,
            Kind::Push => parts.none_for(SourceKind::Push)?,
        };
        let reads_postings = !matches!(kind, SourceKind::Push);
        if reads_postings && radar_types != [RadarType::CompanyJobOpenings] {
            return Err(broken("radar_types", format!("kind `{}` serves company_job_openings only", kind.as_str())));
        }
        let name = self.name.unwrap_or_else(|| self.id.clone());
        Ok(Source {
            id: self.id,
            name,
            kind,
            radar_types,
            disabled_because,
            terms: self.terms,
            poll_interval,
            tests: self.test,
        })
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
    position: Option<PositionText>,
}

impl BoardParts {
    fn none_for(self, kind: SourceKind) -> Result<SourceKind, Broken> {
        let present = [
            ("discovery", self.discovery.is_some()),
            ("request", self.request.is_some()),
            ("items", self.items.is_some()),
            ("paging", self.paging.is_some()),
            ("map", self.map.is_some()),
            ("position", self.position.is_some()),
        ];
        match present.into_iter().find(|(_, is_present)| *is_present) {
            Some((key, _)) => Err(broken(key, format!("does not go with kind `{}`", kind.as_str()))),
            None => Ok(kind),
        }
    }

    fn board(self, radar_types: &[RadarType]) -> Result<JsonBoard, Broken> {
        let missing = |key: &str| broken(key, "is required for kind `json`");
        let discovery = self.discovery.ok_or_else(|| missing("discovery"))?;
        discovery.check().map_err(|problem| broken("discovery.patterns", problem))?;
        let request = self.request.ok_or_else(|| missing("request"))?;
        check_request(&request)?;
        if let Some(paging) = &self.paging
            && (paging.page_size == 0 || paging.pages_max == 0)
        {
            return Err(broken("paging", "needs a page_size and pages_max of at least 1"));
        }
        Ok(JsonBoard {
            discovery,
            request,
            items: self.items.ok_or_else(|| missing("items"))?,
            paging: self.paging,
            map: check_map(self.map.ok_or_else(|| missing("map"))?, radar_types)?,
            department_paths: self.position.map(|position| position.department_paths).unwrap_or_default(),
        })
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
