//! All sources: those built in and the operator's own (decision 7.1).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::error::line_of;
use super::source::{NO_CONTACT, Source, SourceKind};
use super::source_file::{Environment, SourceFileError, read_sources};
use domain::RadarType;

macro_rules! builtin {
    ($($folder:literal: $($file:literal),+;)+) => {
        &[$($((
            concat!($folder, "/", $file),
            include_str!(concat!("../builtin/", $folder, "/", $file, ".toml")),
        ),)+)+]
    };
}

/// Name and text of the files that are built in.
const BUILTIN: &[(&str, &str)] = builtin! {
    "aggregators": "adzuna", "arbeitnow", "hn_who_is_hiring", "remoteok", "remotive", "themuse";
    "announcements": "globenewswire_funding", "globenewswire_people", "newsroom_people", "prnewswire_funding",
        "prnewswire_people";
    "filings": "sec_8k_people", "sec_form_d";
    "jobs": "ashby", "bamboohr", "dvinci", "greenhouse", "join", "lever", "lever_eu", "oracle", "personio", "pinpoint",
        "recruitee", "rippling", "smartrecruiters", "softgarden", "softgarden_site", "successfactors", "successfactors_site", "teamtailor",
        "workable", "workday";
    "launches": "hn_launches", "hn_shows", "product_hunt", "yc";
    "mentions": "gdelt", "gdelt_gkg", "gdelt_keyword", "globenewswire", "globenewswire_keyword", "hacker_news",
        "hacker_news_keyword", "prnewswire", "prnewswire_keyword";
    "pages": "careers_page", "hrworks", "icims", "jobvite", "personio_page", "rexx", "sitemap";
    "people": "team_page";
    "registers": "bodacc", "brreg", "colorado", "companies_house", "connecticut", "oregon", "prh", "wikidata_companies";
    "reviews": "app_store_reviews", "g2", "glassdoor", "indeed_reviews", "kununu", "trustpilot";
    "social": "bluesky_engagements", "bluesky_likes", "bluesky_posts", "company_feed", "mastodon_engagements",
        "mastodon_posts", "youtube";
};

/// Every source by its id.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    by_id: BTreeMap<String, Source>,
}

impl Catalog {
    /// The built-in sources and those in the `*.toml` files of `sources_dir`, where a file with the id of a built-in
    /// source replaces it.
    pub fn load(sources_dir: Option<&Path>) -> Result<Self, SourceFileError> {
        Self::load_with(sources_dir, &|variable| std::env::var(variable).ok())
    }

    /// The same with credentials from `environment`.
    pub fn load_with(sources_dir: Option<&Path>, environment: Environment<'_>) -> Result<Self, SourceFileError> {
        let mut catalog = Self::default();
        for (file, text) in BUILTIN {
            catalog.add_all(file, read_builtin(file, text, environment)?, &mut BTreeMap::new())?;
        }
        catalog.add_folder(sources_dir, environment)?;
        Ok(catalog)
    }

    /// The sources of the folder alone, as [`Catalog::load`] reads them.
    pub fn without_builtin(sources_dir: Option<&Path>) -> Result<Self, SourceFileError> {
        let mut catalog = Self::default();
        catalog.add_folder(sources_dir, &|variable| std::env::var(variable).ok())?;
        Ok(catalog)
    }

    fn add_folder(&mut self, sources_dir: Option<&Path>, environment: Environment<'_>) -> Result<(), SourceFileError> {
        let mut file_of = BTreeMap::new();
        for (file, text) in sources_dir.map(read_folder).transpose()?.unwrap_or_default() {
            self.add_all(&file, read_sources(&file, &text, environment)?, &mut file_of)?;
        }
        Ok(())
    }

    /// Bounds how long an answer serves everybody: where feeds are polled more often than their sources say, nothing older
    /// is read.
    pub fn share_at_most(&mut self, most: Duration) {
        for source in self.by_id.values_mut() {
            if let SourceKind::List(list) = &mut source.kind
                && let Some(list) = Arc::get_mut(list)
            {
                list.shared_for = list.shared_for.min(most);
            }
        }
    }

    /// Has no source asked whose terms want a contact that nobody names; the names of those that were on (decision 7.6).
    pub fn without_contact(&mut self) -> Vec<&str> {
        let asks =
            |source: &&mut Source| source.is_enabled() && source.terms.as_ref().is_some_and(|terms| terms.contact);
        let off = |source: &'_ mut Source| source.disabled_because = Some(NO_CONTACT.to_owned());
        self.by_id.values_mut().filter(asks).for_each(off);
        let mut names: Vec<&str> =
            self.all().filter(|source| source.lacks_contact()).map(|source| &*source.name).collect();
        names.dedup();
        names
    }

    /// The sources that would serve `radar_type` if a contact were named.
    pub fn lacking_contact(&self, radar_type: RadarType) -> impl Iterator<Item = &Source> {
        self.all().filter(move |source| source.lacks_contact() && source.radar_types.contains(&radar_type))
    }

    /// The source with this id.
    pub fn get(&self, source_id: &str) -> Option<&Source> {
        self.by_id.get(source_id)
    }

    /// All of them, by id.
    pub fn all(&self) -> impl Iterator<Item = &Source> {
        self.by_id.values()
    }

    /// The enabled ones that serve `radar_type`, by id.
    pub fn serving(&self, radar_type: RadarType) -> impl Iterator<Item = &Source> {
        self.all().filter(move |source| source.serves(radar_type))
    }

    /// The enabled sources that serve `radar_type` where the board of `source_id` is not there.
    pub fn fallbacks_of(&self, source_id: &str, radar_type: RadarType) -> impl Iterator<Item = &Source> {
        self.serving(radar_type).filter(move |source| source.fallback_of.as_deref() == Some(source_id))
    }

    /// Whether a private provider hands in findings of `radar_type`.
    pub fn has_push_source(&self, radar_type: RadarType) -> bool {
        self.serving(radar_type).any(|source| matches!(source.kind, SourceKind::Push))
    }

    /// Whether private providers are all there is for `radar_type`: then a radar has nothing to find before it can begin.
    pub fn is_only_pushed(&self, radar_type: RadarType) -> bool {
        self.has_push_source(radar_type)
            && self.serving(radar_type).all(|source| matches!(source.kind, SourceKind::Push))
    }

    /// The enabled push source `id`, if it serves `radar_type`.
    pub fn push_source(&self, id: &str, radar_type: RadarType) -> Option<&Source> {
        self.get(id).filter(|source| source.serves(radar_type) && matches!(source.kind, SourceKind::Push))
    }

    /// Adds the sources of one file, in place of all that an earlier file of the same id gave.
    fn add_all(
        &mut self,
        file: &str,
        sources: Vec<Source>,
        file_of: &mut BTreeMap<String, String>,
    ) -> Result<(), SourceFileError> {
        let is_part = |rest: &str| {
            rest.is_empty() || rest.strip_prefix('-').is_some_and(|name| name.parse::<RadarType>().is_ok())
        };
        let is_replaced = |known: &str| sources.iter().any(|new| known.strip_prefix(&*new.id).is_some_and(is_part));
        self.by_id.retain(|known, _| !is_replaced(known));
        for source in sources {
            if let Some(other) = file_of.insert(source.id.clone(), file.to_owned()) {
                let problem = format!("`{}` is taken by {other}", source.id);
                return Err(SourceFileError::Rule { file: file.into(), line: 1, key: "id".into(), problem });
            }
            self.by_id.insert(source.id.clone(), source);
        }
        Ok(())
    }
}

/// The sources of a file that is built in. Plain HTTP is for operators to choose: anyone on the way can change such an
/// answer, and so make findings that are charged.
fn read_builtin(file: &str, text: &str, environment: Environment<'_>) -> Result<Vec<Source>, SourceFileError> {
    let sources = read_sources(file, text, environment)?;
    let is_on = |source: &&Source| source.terms.as_ref().is_none_or(|terms| terms.default_enabled);
    match sources.iter().filter(is_on).find_map(plain_http) {
        None => Ok(sources),
        Some(key) => Err(SourceFileError::Rule {
            file: file.into(),
            line: line_of(text, key),
            key: key.into(),
            problem: "is built in and asked over plain HTTP: that needs `default_enabled = false` in `[terms]`".into(),
        }),
    }
}

/// The key of the first address that the file itself asks over plain HTTP.
fn plain_http(source: &Source) -> Option<&'static str> {
    let SourceKind::List(list) = &source.kind else { return None };
    let resolved = list.resolve.iter().map(|step| ("resolve.url", &step.url));
    let detailed = list.details.iter().map(|details| ("details.url", &details.url));
    let mut addresses = resolved.chain([("request.url", &list.request.url)]).chain(detailed);
    addresses.find(|(_, url)| url.is_plain_http()).map(|(key, _)| key)
}

/// Path and text of the source files in `folder`, by path.
fn read_folder(folder: &Path) -> Result<BTreeMap<String, String>, SourceFileError> {
    let unreadable = |file: &Path, error| SourceFileError::Unreadable { file: file.display().to_string(), error };
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            files.insert(path.display().to_string(), text);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{BUILTIN, Catalog, read_builtin, read_sources};
    use domain::RadarType;

    const PUSH: &str = "format_version = 1\nid = \"provider\"\nkind = \"push\"\nradar_types = [\"company_reviews\"]\n";

    #[test]
    fn the_built_in_sources_load_and_serve_job_openings() {
        let catalog = Catalog::load(None).unwrap();
        let ids: Vec<&str> = catalog.serving(RadarType::CompanyJobOpenings).map(|source| source.id.as_str()).collect();
        for id in ["ashby", "careers_page", "greenhouse", "lever", "personio", "sitemap", "workday"] {
            assert!(ids.contains(&id), "{id}");
        }
        for (id, _) in BUILTIN {
            let id = id.rsplit('/').next().unwrap();
            assert!(catalog.get(id).is_some(), "{id}: a file has the name of its source");
        }
        assert!(RadarType::ALL.iter().all(|radar_type| !catalog.has_push_source(*radar_type)));
    }

    #[test]
    fn what_is_built_in_is_asked_over_plain_http_only_where_it_is_off() {
        let (file, gdelt) = BUILTIN.iter().find(|(file, _)| *file == "mentions/gdelt_gkg").unwrap();
        let (off, url) = ("default_enabled = false\nreason = ", "https://storage.googleapis.com/data.");
        assert!(gdelt.contains(off) && gdelt.matches(url).count() == 2);
        let on = gdelt.replace(off, "reason = ");
        for (at, key) in [(1, "`resolve.url`"), (2, "`request.url`")] {
            let pieces: Vec<&str> = on.splitn(at + 1, url).collect();
            let plain = pieces[..at].join(url) + "http://data." + pieces[at];
            let error = read_builtin(file, &plain, &|_| None).unwrap_err().to_string();
            assert!(error.contains(file) && error.contains(key), "{error}");
            assert!(read_sources(file, &plain, &|_| None).is_ok(), "an operator's own file may");
        }
        let plain_but_off = gdelt.replace(url, "http://data.");
        assert!(read_builtin(file, &plain_but_off, &|_| None).is_ok());
        let filings = BUILTIN.iter().find(|(file, _)| *file == "filings/sec_8k_people").unwrap().1;
        let plain = filings.replace("url = \"https://www.sec.gov/Archives/", "url = \"http://www.sec.gov/Archives/");
        assert!(read_builtin("a", &plain, &|_| None).unwrap_err().to_string().contains("`details.url`"));
    }

    #[test]
    fn the_schema_for_editors_knows_every_key() {
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../../config/sources/source.schema.json")).unwrap();
        let schema = jsonschema::validator_for(&schema).unwrap();
        for (file, text) in BUILTIN {
            let mut value: serde_json::Value = toml::from_str(text).unwrap();
            let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{file}: {errors:?}");
            value["colour"] = 3.into();
            assert!(!schema.is_valid(&value), "{file}: an unknown key");
        }
    }

    #[test]
    fn decision_4_14_every_built_in_source_that_is_read_says_what_its_list_holds() {
        for (file, text) in BUILTIN {
            let value: toml::Table = toml::from_str(text).unwrap();
            assert_eq!(value.contains_key("presence"), value["kind"].as_str() != Some("push"), "{file}");
        }
    }

    #[test]
    fn decision_7_6_a_source_that_asks_for_a_contact_is_off_where_none_is_named() {
        let mut catalog = Catalog::load_with(None, &|_| None).unwrap();
        let rounds = RadarType::IndustryFundingRounds;
        assert!(catalog.get("sec_form_d").unwrap().is_enabled() && catalog.lacking_contact(rounds).next().is_none());
        let names = ["SEC EDGAR: officers and directors in 8-K", "SEC EDGAR: Form D"];
        assert_eq!(catalog.without_contact(), names, "each once");
        assert!(!catalog.get("sec_form_d").unwrap().is_enabled() && catalog.get("prnewswire").unwrap().is_enabled());
        let lacking: Vec<&str> = catalog.lacking_contact(rounds).map(|source| source.id.as_str()).collect();
        assert_eq!(lacking, ["sec_form_d"]);
    }

    #[test]
    fn decision_7_1_the_operators_folder_adds_and_replaces() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("provider.toml"), PUSH).unwrap();
        fs::write(folder.path().join("notes.txt"), "no source").unwrap();
        let off = "format_version = 1\nid = \"sitemap\"\nkind = \"sitemap\"\nradar_types = [\"company_job_openings\"]\nenabled = false\nreason = \"too slow here\"\n";
        fs::write(folder.path().join("sitemap.toml"), off).unwrap();
        let catalog = Catalog::load(Some(folder.path())).unwrap();
        assert!(catalog.has_push_source(RadarType::CompanyReviews));
        assert!(catalog.is_only_pushed(RadarType::CompanyReviews));
        assert!(!catalog.is_only_pushed(RadarType::CompanyMentions), "nothing serves it");
        assert!(catalog.push_source("provider", RadarType::CompanyReviews).is_some());
        assert!(catalog.push_source("provider", RadarType::CompanyMentions).is_none());
        assert!(catalog.push_source("greenhouse", RadarType::CompanyJobOpenings).is_none());
        assert_eq!(catalog.get("sitemap").unwrap().disabled_because.as_deref(), Some("too slow here"));
        assert!(catalog.serving(RadarType::CompanyJobOpenings).all(|source| &source.id != "sitemap"));
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Catalog::load(Some(&folder.path().join("nowhere"))).unwrap_err().to_string();
        assert!(missing.contains("nowhere"), "{missing}");
        fs::write(folder.path().join("one.toml"), PUSH).unwrap();
        fs::write(folder.path().join("two.toml"), PUSH).unwrap();
        let twice = Catalog::load(Some(folder.path())).unwrap_err().to_string();
        assert!(twice.contains("two.toml") && twice.contains("one.toml") && twice.contains("`id`"), "{twice}");
    }
}
