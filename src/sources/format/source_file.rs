//! The format of a source file (decision 7.1): TOML, every key known, every rule checked at load.
//!
//! Duty: text to [`Source`], or an error that names file, line and key. Never here: where files are, or
//! what the file looks like and what the tables of a list say (`list_file`).

use std::collections::BTreeMap;

use chrono::TimeDelta;

pub use super::error::SourceFileError;
use super::error::{Broken, broken, line_of};
use super::list_file::{Also, Kind, SourceFile};
use super::request::Request;
use super::source::{PresenceText, Source, SourceKind, SourceTest, Terms};
use domain::content::ContentLayout;
use domain::{Category, Presence, RadarType, Showing};

/// The only version there is.
const FORMAT_VERSION: u32 = 1;
/// The value of an environment variable, if it is set.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads the text of `file`: a source for each content that the types in it carry. The first has the file's id, others
/// add their first type to it. The further sources of the file follow, each with its own.
///
/// # Errors
/// [`SourceFileError`] names the file, the line and the key.
pub fn read_sources(file: &str, text: &str, environment: Environment<'_>) -> Result<Vec<Source>, SourceFileError> {
    let syntax = |error: toml::de::Error| SourceFileError::syntax(file, text, &error);
    let mut raw: SourceFile = toml::from_str(text).map_err(syntax)?;
    raw.keys = toml::from_str::<toml::Table>(text).map_err(syntax)?.into_iter().map(|(key, _)| key).collect();
    raw.all(environment).map_err(|Broken { key, problem }| {
        let line = line_of(text, &key);
        SourceFileError::Rule { file: file.into(), line, key, problem }
    })
}

impl SourceFile {
    fn all(self, environment: Environment<'_>) -> Result<Vec<Source>, Broken> {
        let mut files = vec![self.clone()];
        for Also { id, name, url, kind, test } in self.also {
            let request = self.request.clone().ok_or_else(|| broken("also", "goes with `[request]`"))?;
            let mut file = files[0].clone();
            (file.id, file.name, file.request) = (id, Some(name), Some(Request { url, ..request }));
            file.kind = kind.unwrap_or(file.kind);
            file.test = if test.is_empty() { file.test } else { test };
            files.push(file);
        }
        let sources: Result<Vec<_>, _> = files.into_iter().map(|file| file.checked(environment)).collect();
        Ok(sources?.concat())
    }

    fn checked(self, environment: Environment<'_>) -> Result<Vec<Source>, Broken> {
        if self.format_version != FORMAT_VERSION {
            return Err(broken("format_version", format!("must be {FORMAT_VERSION}")));
        }
        if !is_source_id(&self.id) {
            return Err(broken("id", "must be 1 to 64 of a-z, 0-9, _ and -"));
        }
        let off = disabled_because(self.enabled, self.reason.clone(), self.terms.as_ref())?;
        let off = off.or_else(|| missing_credential(&self.credentials, environment));
        let radar_types = radar_types(&self.radar_types)?;
        let tests = tests(&self.test, &self.radar_types)?;
        self.politeness.check()?;
        let shows = shows(&self, &radar_types)?;
        let kinds = kinds(&self, &radar_types)?;
        let source = |(index, (radar_types, kind)): (usize, (Vec<RadarType>, SourceKind))| Source {
            id: match radar_types.first().filter(|_| index > 0) {
                Some(radar_type) => format!("{}-{radar_type}", self.id),
                None => self.id.clone(),
            },
            poll_intervals: self.politeness.poll_intervals(&kind),
            kind,
            shows,
            name: self.name.as_ref().unwrap_or(&self.id).clone(),
            tests: tests_of(&tests, index == 0, &radar_types),
            radar_types,
            fallback_of: self.fallback_of.clone(),
            disabled_because: off.clone(),
            terms: self.terms.clone(),
        };
        Ok(kinds.into_iter().enumerate().map(source).collect())
    }
}

/// What the list of the source holds. Where the file does not say, boards and pages show all that is there, and all else
/// the newest.
fn shows(file: &SourceFile, types: &[RadarType]) -> Result<Showing, Broken> {
    let is_of_jobs =
        |radar_type: &RadarType| matches!(radar_type, RadarType::CompanyJobOpenings | RadarType::IndustryJobOpenings);
    let is_page = matches!(file.kind, Kind::CareersPage | Kind::Sitemap | Kind::TeamPage | Kind::Push);
    let usual = if is_page || types.iter().all(is_of_jobs) { Presence::Snapshot } else { Presence::Window };
    let presence = file.presence.map_or(usual, |PresenceText(presence)| presence);
    match &file.lag {
        _ if file.kind == Kind::Push && (file.presence.is_some() || file.lag.is_some()) => {
            Err(broken("presence", "does not go with kind `push`"))
        }
        Some(_) if presence == Presence::Snapshot => Err(broken("lag", "says nothing of a snapshot")),
        lag => {
            let lag = lag.as_ref().and_then(|lag| TimeDelta::from_std(lag.0).ok()).unwrap_or_default();
            Ok(Showing { presence, lag })
        }
    }
}

/// The tests, each with its answer.
fn tests(tests: &[SourceTest], radar_types: &[String]) -> Result<Vec<SourceTest>, Broken> {
    let (mut tests, mut before) = (tests.to_vec(), None);
    for test in &mut tests {
        if test.radar_type.as_ref().is_some_and(|name| !radar_types.contains(name)) {
            return Err(broken("test.radar_type", "must be one of `radar_types`"));
        }
        let response = test.response.take().or(before);
        before = Some(response.ok_or_else(|| broken("test.response", "must be given in the first test"))?);
        test.response.clone_from(&before);
    }
    Ok(tests)
}

/// The tests that expect findings of one of `radar_types`.
fn tests_of(tests: &[SourceTest], is_first: bool, radar_types: &[RadarType]) -> Vec<SourceTest> {
    let names_one = |name: &String| radar_types.iter().any(|radar_type| radar_type.as_str() == name);
    tests.iter().filter(|test| test.radar_type.as_ref().map_or(is_first, names_one)).cloned().collect()
}

fn is_source_id(id: &str) -> bool {
    let is_letter = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    matches!(id.len(), 1..=64) && id.bytes().all(is_letter)
}

/// Why the file itself says that the source is not used: the operator's word, then what the terms come to.
fn disabled_because(is_enabled: bool, reason: Option<String>, terms: Option<&Terms>) -> Result<Option<String>, Broken> {
    let is_given = |reason: &Option<String>| reason.as_ref().is_some_and(|reason| !reason.trim().is_empty());
    if let Some(terms) = terms.filter(|terms| is_enabled && !terms.default_enabled) {
        return match is_given(&terms.reason) {
            true => Ok(terms.reason.clone()),
            false => Err(broken("terms.reason", "must say why the source is not enabled")),
        };
    }
    match (is_enabled, is_given(&reason)) {
        (true, false) if reason.is_none() => Ok(None),
        (true, _) => Err(broken("reason", "goes with `enabled = false`")),
        (false, true) => Ok(reason),
        (false, false) => Err(broken("reason", "must say why the source is not enabled")),
    }
}

fn missing_credential(credentials: &BTreeMap<String, String>, environment: Environment<'_>) -> Option<String> {
    let is_missing = |variable: &&String| environment(variable).is_none_or(|value| value.trim().is_empty());
    let missing = credentials.values().find(is_missing)?;
    Some(format!("the environment variable {missing} is not set"))
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

/// What the file describes, for each content.
fn kinds(file: &SourceFile, types: &[RadarType]) -> Result<Vec<(Vec<RadarType>, SourceKind)>, Broken> {
    let kind = match file.kind {
        Kind::CareersPage => SourceKind::CareersPage,
        Kind::Sitemap => SourceKind::Sitemap,
        Kind::TeamPage => SourceKind::TeamPage(RadarType::CompanyNewHires),
        Kind::Push => SourceKind::Push,
        _ => return file.lists(&by_content(types)),
    };
    file.check_no_list(kind.as_str())?;
    match (&kind, types) {
        (SourceKind::TeamPage(_), _) => team_pages(types),
        (SourceKind::Push, _) | (_, [RadarType::CompanyJobOpenings]) => Ok(vec![(types.to_vec(), kind)]),
        _ => Err(broken("radar_types", format!("kind `{}` serves company_job_openings only", kind.as_str()))),
    }
}

/// What a team page gives to each type.
fn team_pages(types: &[RadarType]) -> Result<Vec<(Vec<RadarType>, SourceKind)>, Broken> {
    let kind = |radar_type: &RadarType| match radar_type {
        RadarType::CompanyNewHires | RadarType::CompanyPromotions | RadarType::ContactJobChanges => {
            Ok((vec![*radar_type], SourceKind::TeamPage(*radar_type)))
        }
        other => Err(broken("radar_types", format!("kind `team_page` does not serve {other}"))),
    };
    types.iter().map(kind).collect()
}

/// The types, those whose findings carry the same keys together. Less is known of contacts than of companies, so their types
/// stand alone.
fn by_content(radar_types: &[RadarType]) -> Vec<Vec<RadarType>> {
    let names = |radar_type: &RadarType| {
        let keys = ContentLayout::of(*radar_type).keys().map(|key| key.name).collect::<Vec<&str>>();
        (radar_type.category() == Category::Contact, keys)
    };
    let mut groups: Vec<Vec<RadarType>> = Vec::new();
    for radar_type in radar_types {
        match groups.iter_mut().find(|group| group.first().map(names) == Some(names(radar_type))) {
            Some(group) => group.push(*radar_type),
            None => groups.push(vec![*radar_type]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::{Presence, Source, SourceFileError, SourceKind, read_sources};

    fn read_source(file: &str, text: &str) -> Result<Source, SourceFileError> {
        read_sources(file, text, &|_| None).map(|mut sources| sources.remove(0))
    }

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
        assert_eq!((source.id.as_str(), source.kind.as_str(), source.is_enabled()), ("provider", "push", true));
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
            assert_eq!(source.radar_types.iter().map(|one| one.as_str()).collect::<Vec<_>>(), [radar_type]);
        }
    }

    #[test]
    fn a_file_is_a_source_for_each_content() {
        let (before, _) = BOARD.split_once("[map]").unwrap();
        let posts = "[map]\npost_url = { paths = [\"$.url\"] }\n\"author.name\" = { paths = [\"$.by\"] }";
        let types = "\"company_social_posts\", \"contact_social_posts\", \"company_social_posts_cxo\"";
        let text = format!("{before}{posts}").replace("\"company_job_openings\"", types);
        let sources = read_sources("quarry.toml", &text, &|_| None).unwrap();
        let ids: Vec<_> = sources.iter().map(|source| (source.id.as_str(), source.radar_types.len())).collect();
        assert_eq!(ids, [("quarry", 2), ("quarry-contact_social_posts", 1)]);
    }

    #[test]
    fn a_test_without_an_answer_has_that_of_the_test_before() {
        let tests =
            ["response = \"1\"", "", "response = \"2\"", ""].map(|answer| format!("[[test]]\nexpect = []\n{answer}\n"));
        let source = read_source("quarry.toml", &format!("{BOARD}{}", tests.concat())).unwrap();
        assert_eq!(source.tests.iter().map(|test| test.body()).collect::<Vec<_>>(), [b"1", b"1", b"2", b"2"]);
    }

    #[test]
    fn a_file_may_have_further_sources_at_other_addresses() {
        let also = "[[also]]\nid = \"slate\"\nname = \"Slate\"\nurl = \"https://api.slate.example/{token}\"\n";
        let types = "\"company_social_posts\", \"company_social_posts_cxo\", \"contact_social_posts\"";
        let (before, _) = BOARD.split_once("[map]").unwrap();
        let text = format!("{before}[map]\npost_url = {{ paths = [\"$.url\"] }}\n{also}");
        let sources = read_sources("q.toml", &text.replace("\"company_job_openings\"", types), &|_| None).unwrap();
        let ids: Vec<_> = sources.iter().map(|source| (source.id.as_str(), source.name.as_str())).collect();
        let further = ("slate-contact_social_posts", "Slate");
        assert_eq!(ids, [("quarry", "quarry"), ("quarry-contact_social_posts", "quarry"), ("slate", "Slate"), further]);
        let SourceKind::List(list) = &sources[2].kind else { panic!("a list") };
        let token = [("token".to_owned(), "a".to_owned())].into();
        assert_eq!(list.request.address(&token).unwrap().as_str(), "https://api.slate.example/a");
    }

    #[test]
    fn a_source_without_its_key_is_off_and_says_so() {
        let text = BOARD.replace("{token}/jobs\"", "{token}/jobs?key={api_key}\"");
        let text = text.replace("[items]", "[credentials]\napi_key = \"QUARRY_KEY\"\n[items]");
        for (value, reason) in [(None, Some("the environment variable QUARRY_KEY is not set")), (Some("s3cret"), None)]
        {
            let sources = read_sources("quarry.toml", &text, &|_| value.map(str::to_owned)).unwrap();
            assert_eq!(sources[0].disabled_because.as_deref(), reason);
        }
    }

    #[test]
    fn terms_may_keep_a_source_off() {
        let terms = |more: &str| format!("[terms]\nlicence = \"private use\"\nchecked = \"2026-11-21\"\n{more}[items]");
        let off = |more: &str| read_source("quarry.toml", &BOARD.replace("[items]", &terms(more)));
        assert!(off("").unwrap().is_enabled());
        let source = off("default_enabled = false\nreason = \"private readers only\"\n").unwrap();
        assert_eq!(source.disabled_because.as_deref(), Some("private readers only"));
        assert!(off("default_enabled = false\n").unwrap_err().to_string().contains("`terms.reason`"));
    }

    #[test]
    fn decision_4_14_what_a_list_holds_follows_from_the_types_unless_the_file_says_it() {
        let posts = BOARD.split_once("[map]").unwrap().0.replace("company_job_openings", "company_social_posts")
            + "[map]\npost_url = { paths = [\"$.url\"] }";
        let head = "kind = \"json\"";
        for (text, keys, wanted) in [
            (BOARD, "", (Presence::Snapshot, 0)),
            (&posts, "", (Presence::Window, 0)),
            (&posts, "lag = \"36h\"", (Presence::Window, 36)),
            (BOARD, "presence = \"window\"\nlag = \"7d\"", (Presence::Window, 168)),
            (&posts, "presence = \"snapshot\"", (Presence::Snapshot, 0)),
        ] {
            let shows = read_source("quarry.toml", &text.replacen(head, &format!("{head}\n{keys}"), 1)).unwrap().shows;
            assert_eq!((shows.presence, shows.lag.num_hours()), wanted, "{keys}");
        }
    }

    #[test]
    fn errors_name_the_file_and_the_key() {
        for (from, to, key) in [
            ("format_version = 1", "format_version = 2", "`format_version`"),
            ("id = \"quarry\"", "id = \"Quarry!\"", "`id`"),
            ("id = \"quarry\"", "id = \"quarry\"\ncolour = 3", "`colour`"),
            ("id = \"quarry\"", "id = 7", "id = 7"),
            ("kind = \"json\"", "kind = \"magic\"", "kind = \"magic\""),
            ("kind = \"json\"", "kind = \"json\"\nfallback_of = \"lever\"", "`discovery`"),
            ("\"company_job_openings\"", "\"company_jobs\"", "`radar_types`"),
            ("\"company_job_openings\"", "\"company_job_openings\", \"company_reviews\"", "company_reviews"),
            ("{token}/jobs", "jobs", "`discovery`"),
            ("{token}/jobs", "{tokens}/jobs", "{tokens}"),
            ("https://api.quarry.example/{token}", "https://{token}.example/{token}", "`request.url`"),
            ("https://api.quarry.example/{token}", "api.quarry.example/{token}", "`request.url`"),
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
            ("patterns = [{ hosts = [\"jobs.quarry.example\"], path_segment = 0 }]", "", "{token}"),
            ("path_segment = 0", "path_segment = 0, query = \"for\"", "`discovery.patterns`"),
            ("kind = \"json\"", "kind = \"json\"\npresence = \"append\"", "presence"),
            ("kind = \"json\"", "kind = \"json\"\nlag = \"1d\"", "`lag`"),
            ("kind = \"json\"", "kind = \"json\"\npresence = \"window\"\nlag = \"late\"", "lag = \"late\""),
            ("id = \"$.id\"", "id = \"$.id\"\npage_size = 0", "`items.page_size`"),
            ("[map]", "page_size = 2\n[paging]\npage_size = 3\npages_max = 1\n[map]", "`items.page_size`"),
            ("id = \"$.id\"", "id = \"$.id\"\ndated = { paths = \"$.a\", date = \"soon\" }", "soon"),
            ("[map]", "[[origin]]\npaths = \"$.by\"\nis = [\"{domain}\"]\n[map]", "`origin.is`"),
            ("[map]", "[[origin]]\npaths = \"$.by\"\nis = []\n[map]", "`origin.is`"),
            ("[map]", "[politeness]\npoll_interval = \"soon\"\n[map]", "poll_interval"),
            ("[map]", "[politeness]\npoll_interval = \"1s\"\n[map]", "`politeness.poll_interval`"),
            ("[map]", "[politeness]\npoll_interval_min = \"2h\"\n[map]", "`politeness.poll_interval_min`"),
            ("[map]", "[politeness]\npoll_interval_max = \"30m\"\n[map]", "`politeness.poll_interval_max`"),
            ("[discovery]", "enabled = false\n[discovery]", "`reason`"),
            ("kind = \"json\"", "kind = \"push\"", "`discovery`"),
            ("[map]", "[[test]]\nexpect = []\n[map]", "`test.response`"),
        ] {
            assert!(BOARD.contains(from), "{from}");
            let error = read_source("quarry.toml", &BOARD.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains("quarry.toml") && error.contains(key), "{key}: {error}");
        }
    }
}
