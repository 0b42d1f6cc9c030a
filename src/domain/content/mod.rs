//! What findings carry, by radar type (decisions, section 6): the one table of it, with a file per family.
//!
//! The reader of pushed findings, the schemas of payloads, the samples and the checks of source files all derive from
//! this table. In a finding every key is present, in the order of the table; what a source does not give is null.

mod companies;
pub mod company_name;
pub mod event;
mod funding;
mod jobs;
pub mod key;
mod mentions;
mod people;
mod reviews;
mod shared;
pub mod size;
mod social;

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::{Map, Value};

pub use key::{Key, Shape};

use crate::radar_type::RadarType;

/// What the content of a finding of one radar type looks like.
#[derive(Clone, Copy, Debug)]
pub struct ContentLayout {
    groups: &'static [&'static [Key]],
    /// The key of the finding's own address. Without a usable one an item of a source is no finding.
    pub address: &'static str,
    /// Further keys without which an item of a source is no finding. Pushed content may leave any key out.
    pub required: &'static [&'static str],
    /// The key that says when it happened: new items are reported oldest first, and what is older than its radar may be
    /// none (decision 4.14).
    pub dated_by: Option<&'static str>,
    /// The key of the title that filters look at (Spec 2.7), of a nested object with a dot between.
    role_title: Option<&'static str>,
}

impl ContentLayout {
    /// The layout of a type's content.
    pub const fn of(radar_type: RadarType) -> &'static Self {
        match radar_type {
            RadarType::CompanyJobOpenings => &jobs::COMPANY_JOB_OPENINGS,
            RadarType::IndustryJobOpenings => &jobs::INDUSTRY_JOB_OPENINGS,
            RadarType::CompanyNewHires => &people::COMPANY_NEW_HIRES,
            RadarType::CompanyPromotions => &people::COMPANY_PROMOTIONS,
            RadarType::ContactJobChanges => &people::CONTACT_JOB_CHANGES,
            RadarType::CompanyReviews => &reviews::COMPANY_REVIEWS,
            RadarType::CompanyMentions => &mentions::COMPANY_MENTIONS,
            RadarType::IndustryMentions => &mentions::INDUSTRY_MENTIONS,
            RadarType::CompanySocialPosts => &social::COMPANY_POSTS,
            RadarType::CompanySocialPostsCxo => &social::EXECUTIVE_POSTS,
            RadarType::ContactSocialPosts => &social::CONTACT_POSTS,
            RadarType::CompanySocialEngagements | RadarType::ContactSocialEngagements => &social::ENGAGEMENTS,
            RadarType::IndustryFundingRounds => &funding::FUNDING_ROUNDS,
            RadarType::IndustryNewCompanies => &companies::NEW_COMPANIES,
        }
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.groups.iter().copied().flatten()
    }

    /// The key at `path`: a name, or the names down to a key of a nested object with dots between.
    pub fn key(&self, path: &str) -> Option<&'static Key> {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        let key = self.keys().find(|key| key.name == name)?;
        match rest {
            None => Some(key),
            Some(rest) => key.nested().iter().find(|key| key.name == rest),
        }
    }

    /// A content with every key filled, for samples.
    pub fn example(&self) -> Map<String, Value> {
        key::examples(self.keys())
    }

    /// When a finding with this content happened, as far as that says it; of a day alone the end counts.
    pub fn date_of(&self, content: &Map<String, Value>) -> Option<DateTime<Utc>> {
        let text = content.get(self.dated_by?)?.as_str()?;
        text.parse().ok().or_else(|| end_of(text.parse().ok()?))
    }

    /// The title that filters look at, in the content of which `get` gives the values; `None` for types without one.
    pub fn role_title_of<'a>(&self, get: impl FnOnce(&str) -> Option<&'a Value>) -> Option<&'a str> {
        let path = self.role_title?;
        match path.split_once('.') {
            None => get(path)?.as_str(),
            Some((name, nested)) => get(name)?.get(nested)?.as_str(),
        }
    }
}

/// The last moment of `day`: until then counts what is dated with a day alone.
pub fn end_of(day: NaiveDate) -> Option<DateTime<Utc>> {
    day.and_hms_micro_opt(23, 59, 59, 999_999).map(|end| end.and_utc())
}

/// The country of a finding with this content, the JSON text of an object.
pub fn country_of(content: &str) -> Option<String> {
    let Ok(Value::Object(content)) = serde_json::from_str(content) else { return None };
    content.get("country")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{ContentLayout, Key, Shape};
    use crate::radar_type::RadarType;

    fn check(key: &Key, example: &Value, place: &str) {
        assert!(key.description.ends_with('.'), "{place} has no description");
        let fits = match key.shape {
            Shape::Text | Shape::Date | Shape::Instant => example.is_string(),
            Shape::Number => example.is_number(),
            Shape::Texts => example.as_array().is_some_and(|texts| texts.iter().all(Value::is_string)),
            Shape::Word(words) => example.as_str().is_some_and(|word| words.contains(&word)),
            Shape::Object(keys) | Shape::Always(keys) => {
                keys.iter()
                    .for_each(|nested| check(nested, &example[nested.name], &format!("{place}.{}", nested.name)));
                example.as_object().is_some_and(|object| object.len() == keys.len())
            }
        };
        assert!(fits, "{place}: {example}");
    }

    #[test]
    fn every_key_has_a_meaning_and_an_example_that_fits() {
        for radar_type in RadarType::ALL {
            let layout = ContentLayout::of(*radar_type);
            let examples = layout.example();
            assert_eq!(examples.len(), layout.keys().count(), "{radar_type} names a key twice");
            layout.keys().for_each(|key| check(key, &examples[key.name], &format!("{radar_type}.{}", key.name)));
        }
    }

    #[test]
    fn what_a_layout_refers_to_is_among_its_keys() {
        for radar_type in RadarType::ALL {
            let layout = ContentLayout::of(*radar_type);
            for name in layout.required.iter().chain([&layout.address]).chain(&layout.dated_by) {
                assert!(layout.key(name).is_some(), "{radar_type}: {name}");
            }
            let is_filterable = radar_type.is_filterable() || *radar_type == RadarType::IndustryJobOpenings;
            let example = layout.example();
            assert_eq!(layout.role_title_of(|name| example.get(name)).is_some(), is_filterable, "{radar_type}");
        }
    }

    #[test]
    fn evidence_stands_in_every_type_but_job_openings() {
        for radar_type in RadarType::ALL {
            let layout = ContentLayout::of(*radar_type);
            let has_evidence = ["source_url", "source_name"].iter().all(|name| layout.key(name).is_some());
            assert_eq!(has_evidence, !radar_type.as_str().ends_with("job_openings"), "{radar_type}");
        }
    }

    #[test]
    fn the_title_is_where_the_type_has_it() {
        let content = json!({"job_title": "a", "title": "b", "current_title": "c", "author": {"title": "d"}});
        for (radar_type, wanted) in [
            (RadarType::CompanyJobOpenings, Some("a")),
            (RadarType::CompanyNewHires, Some("b")),
            (RadarType::CompanyPromotions, Some("c")),
            (RadarType::CompanySocialPostsCxo, Some("d")),
            (RadarType::CompanyReviews, None),
        ] {
            let title = ContentLayout::of(radar_type).role_title_of(|name| content.get(name));
            assert_eq!(title, wanted, "{radar_type}");
        }
    }

    #[test]
    fn decision_4_14_every_type_has_one_date_and_a_day_counts_until_its_end() {
        let all = json!({
            "job_posted_at": "2026-11-01", "start_date": "2026-11-02", "promotion_date": "2026-11-03",
            "reviewed_at": "2026-11-04", "mention_posted_at": "2026-11-05T08:00:00.000000Z",
            "post_posted_at": "2026-11-06T08:00:00.000000Z", "engaged_at": "2026-11-07T08:00:00.000000Z",
            "announced_at": "2026-11-08", "registered_at": "2026-11-09",
        });
        let end = |day: u32| format!("2026-11-{day:02}T23:59:59.999999Z");
        for radar_type in RadarType::ALL {
            let wanted = match radar_type {
                RadarType::CompanyJobOpenings | RadarType::IndustryJobOpenings => end(1),
                RadarType::CompanyNewHires => end(2),
                RadarType::CompanyPromotions => end(3),
                RadarType::CompanyReviews => end(4),
                RadarType::CompanyMentions | RadarType::IndustryMentions => "2026-11-05T08:00:00Z".to_owned(),
                RadarType::CompanySocialPosts | RadarType::CompanySocialPostsCxo | RadarType::ContactSocialPosts => {
                    "2026-11-06T08:00:00Z".to_owned()
                }
                // Of the engagement, not of the post that it is with.
                RadarType::CompanySocialEngagements | RadarType::ContactSocialEngagements => {
                    "2026-11-07T08:00:00Z".to_owned()
                }
                RadarType::IndustryFundingRounds => end(8),
                RadarType::IndustryNewCompanies => end(9),
                RadarType::ContactJobChanges => String::new(),
            };
            let layout = ContentLayout::of(*radar_type);
            let date = layout.date_of(all.as_object().expect("an object"));
            assert_eq!(date, wanted.parse().ok(), "{radar_type}");
            assert_eq!(layout.date_of(&serde_json::Map::new()), None, "{radar_type}");
        }
    }

    #[test]
    fn keys_of_nested_objects_are_found_by_their_path() {
        let layout = ContentLayout::of(RadarType::CompanyMentions);
        let name = |path: &str| layout.key(path).map(|key| key.name);
        assert_eq!(name("mention_url"), Some("mention_url"));
        assert_eq!(name("author.title"), Some("title"));
        for path in ["title", "author.salary", "author.title.x", "mention_url.x", ""] {
            assert_eq!(name(path), None, "{path}");
        }
    }
}
