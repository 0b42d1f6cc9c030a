//! The fifteen radars of the tour, and where each finds something.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::moment::{DOMAIN, KEYWORD, PERSON};
use super::world::SERVED;
use crate::cli::demo::stage;
use crate::cli::failure::Result;
use domain::{Category, ContentLayout, RadarType};
use sources::Catalog;

/// The id of the provider that hands in what the sample web does not show.
pub const PROVIDER: &str = "sample_provider";

/// A radar of the tour.
pub struct Act {
    /// Its type.
    pub radar_type: RadarType,
    /// The body that creates it.
    pub request: Value,
    /// Why a provider hands its findings in; `None` where the sample web shows them to built-in sources.
    pub why_handed_in: Option<&'static str>,
}

/// A radar of each type.
pub fn all(catalog: &Catalog) -> Vec<Act> {
    let act = |radar_type: &RadarType| Act {
        radar_type: *radar_type,
        request: request(*radar_type),
        why_handed_in: why_handed_in(*radar_type, catalog),
    };
    RadarType::ALL.iter().map(act).collect()
}

/// Declares the provider in a folder of source files within `folder`; answers that folder.
pub fn declare_provider(acts: &[Act], folder: &Path) -> Result<PathBuf> {
    let handed_in = acts.iter().filter(|act| act.why_handed_in.is_some());
    let types: Vec<&str> = handed_in.map(|act| act.radar_type.as_str()).collect();
    let text =
        format!("format_version = 1\nid = \"{PROVIDER}\"\nkind = \"push\"\nradar_types = {}\n", Value::from(types));
    stage::declare_sources(folder, &[("provider.toml", &text)])
}

fn why_handed_in(radar_type: RadarType, catalog: &Catalog) -> Option<&'static str> {
    let is_social = matches!(radar_type, RadarType::ContactSocialPosts | RadarType::ContactSocialEngagements);
    let is_shown = |id: &str| SERVED.iter().any(|served| id.starts_with(served));
    if is_social {
        return Some("no public source shows profiles of LinkedIn or X");
    }
    let is_served = catalog.serving(radar_type).any(|source| is_shown(&source.id));
    (!is_served).then_some("its sources need a key, or are not part of the sample web")
}

fn request(radar_type: RadarType) -> Value {
    let named = radar_type.as_str();
    match (radar_type.category(), radar_type) {
        (Category::Company, _) => json!({"radar_type": named, "domain": DOMAIN}),
        (_, RadarType::ContactJobChanges) => json!({"radar_type": named, "domain": DOMAIN, "full_name": PERSON}),
        (Category::Contact, _) => {
            json!({"radar_type": named, "profile_url": "https://www.linkedin.com/in/erik-sundberg"})
        }
        (_, RadarType::IndustryMentions | RadarType::IndustryJobOpenings) => {
            json!({"radar_type": named, "keyword": KEYWORD})
        }
        (Category::Industry, _) => json!({"radar_type": named}),
    }
}

impl Act {
    /// Where its radar is created.
    pub const fn path(&self) -> &'static str {
        match self.radar_type.category() {
            Category::Company => "/v1/radars/companies",
            Category::Contact => "/v1/radars/contacts",
            Category::Industry => "/v1/radars/industry",
        }
    }

    /// What the provider hands in.
    pub fn sample(&self) -> Value {
        Value::Object(ContentLayout::of(self.radar_type).example())
    }

    /// A finding in one line: what it is about, and where it comes from.
    pub fn described(&self, content: &Value) -> String {
        let layout = ContentLayout::of(self.radar_type);
        let words = |name: &str| content.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let about = layout.keys().find_map(|key| words(key.name)).unwrap_or("something");
        let shown_by = || words("source_name").or_else(|| words("job_source")).unwrap_or("the sample web");
        let from = if self.why_handed_in.is_some() { "handed in" } else { shown_by() };
        format!("{}: {about} ({from})", self.radar_type)
    }
}

#[cfg(test)]
mod tests {
    use super::all;
    use domain::RadarType;
    use sources::Catalog;
    use wire::public::new_radar;

    #[test]
    fn every_type_has_a_radar_that_can_be_created() {
        let acts = all(&Catalog::load_with(None, &|_| None).expect("the built-in sources"));
        assert_eq!(acts.len(), RadarType::ALL.len());
        for act in acts {
            let read = new_radar::read(&act.request, Some(act.radar_type.category()), &|_| false);
            assert!(read.is_ok(), "{}: {read:?}", act.radar_type);
            let is_social = act.radar_type.as_str().starts_with("contact_social");
            assert!(!is_social || act.why_handed_in.is_some(), "{}", act.radar_type);
        }
    }
}
