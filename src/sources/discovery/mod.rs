//! The search for the sources that serve a target (decisions 1.3, 7.5).
//!
//! Duty: what the target names by itself; for a company then its site: home page, careers pages, boards that these lead
//! to, postings on the pages, the sitemap. Never here: a token guessed from a domain, which would attach another
//! company's board.

mod contact;
mod error;
mod evidence;
mod home;
mod person;
pub(super) mod profile;
mod profile_values;
mod proof;
mod search;
mod team;
mod visits;
mod words;

use std::sync::Arc;

pub use contact::{is_served, off_without_contact, served_if};
pub use error::DiscoveryError;
pub(super) use evidence::{Evidence, Wanted, board_of};
use person::Sought;
pub use profile::{accounts_of_person, profile_of};
pub use profile_values::{needs_profile, values_of};
use search::Search;

use super::feed::FeedKey;
use super::format::catalog::Catalog;
use super::format::source::{Source, SourceKind};
use super::target_values::{TargetValues, feeds_from};
use domain::{CompanyProfile, Obstacle, RadarType, Target};
use outbound::fetch::{ReadHolder, Web};

/// Looks for the feeds of `target` that serve `radar_type`; never an empty list. `profile` is what is known of the company,
/// or of the accounts of the person, where a source asks for it ([`needs_profile`]).
pub async fn discover(
    web: &Web,
    catalog: &Arc<Catalog>,
    radar_type: RadarType,
    target: &Target,
    profile: Option<&CompanyProfile>,
) -> Result<Vec<FeedKey>, DiscoveryError> {
    let host = target.domain().map(|domain| ReadHolder::Host(domain.as_str().to_owned()));
    let web = &host.map_or_else(|| web.clone(), |host| web.on_behalf_of(host));
    let values = values_of(radar_type, target, profile);
    let mut feeds = feeds_named_by(catalog, radar_type, target, &values);
    let found = match target {
        Target::Company { domain } if catalog.serving(radar_type).any(is_found_on_sites) => {
            Search::new(web, catalog, radar_type, domain).run().await
        }
        Target::Contact { domain: Some(domain), full_name, profile_url, .. }
            if catalog.serving(radar_type).any(is_found_on_sites) && (full_name.is_some() || profile_url.is_some()) =>
        {
            let person = Sought::new(full_name.as_deref(), profile_url.as_ref());
            Search::new(web, catalog, radar_type, domain).run_for_person(&person).await
        }
        _ => {
            Err(DiscoveryError::new(Obstacle::NoSource, nothing_serves(catalog, radar_type, target, &values, profile)))
        }
    };
    match found {
        Ok(found) => feeds.extend(found.into_iter().filter(|feed| !feeds.contains(feed)).collect::<Vec<_>>()),
        Err(error) if feeds.is_empty() => return Err(error),
        Err(error) => tracing::info!(%error, "a site has no source, but others serve its target"),
    }
    Ok(feeds)
}

/// The feeds of `target` that it names by itself, or that follow from its profile; nothing is asked.
pub fn named_feeds(
    catalog: &Catalog,
    radar_type: RadarType,
    target: &Target,
    profile: Option<&CompanyProfile>,
) -> Vec<FeedKey> {
    feeds_named_by(catalog, radar_type, target, &values_of(radar_type, target, profile))
}

fn feeds_named_by(catalog: &Catalog, radar_type: RadarType, target: &Target, values: &TargetValues) -> Vec<FeedKey> {
    let feed = |source: &Source| {
        let token = source.discovery()?.token_of_target(target)?;
        Some(FeedKey { source_id: source.id.clone(), token })
    };
    let mut feeds: Vec<FeedKey> = catalog.serving(radar_type).filter_map(feed).collect();
    feeds.extend(feeds_from(catalog, radar_type, values));
    feeds
}

/// Whether a company's pages lead to feeds of `source`.
fn is_found_on_sites(source: &Source) -> bool {
    match &source.kind {
        SourceKind::List(list) => !list.discovery.patterns.is_empty(),
        SourceKind::CareersPage | SourceKind::Sitemap | SourceKind::TeamPage(_) => true,
        SourceKind::Push => false,
    }
}

fn nothing_serves(
    catalog: &Catalog,
    radar_type: RadarType,
    target: &Target,
    values: &TargetValues,
    profile: Option<&CompanyProfile>,
) -> String {
    if let (RadarType::ContactJobChanges, Target::Contact { full_name: None, .. }) = (radar_type, target) {
        return "announcements name people by their full_name, which is not given; a provider that pushes findings would be needed".to_owned();
    }
    if let Target::Contact { profile_url: Some(profile_url), .. } = target {
        return contact::refusal(profile_url, radar_type, profile.is_some());
    }
    match target.domain() {
        _ if radar_type == RadarType::CompanyJobOpenings => "no source of job openings is enabled".to_owned(),
        Some(domain) => {
            let missing = profile_values::missing(catalog, radar_type, values);
            let sought = words::sought(radar_type);
            match missing.is_empty() {
                true => format!("no enabled source shows {sought}; a provider that pushes findings would be needed"),
                false => format!(
                    "no source of {sought} was found at {}: its pages name {}{}",
                    domain.as_str(),
                    missing.join(", "),
                    profile.map(profile_values::looked_at).unwrap_or_default()
                ),
            }
        }
        None => "No enabled source serves this radar type.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{named_feeds, nothing_serves, values_of};
    use crate::feed::FeedKey;
    use crate::format::catalog::Catalog;
    use domain::{ProfileUrl, RadarType, Target};

    const PEOPLE: &str = r#"
        format_version = 1
        id = "quarry"
        kind = "json"
        radar_types = ["contact_social_posts"]
        [discovery]
        patterns = [{ hosts = ["x.com"], path_segment = 0 }]
        [request]
        url = "https://api.quarry.example/{token}/posts"
        [items]
        list = "$"
        id = "$.id"
        [map]
        post_url = { paths = ["$.url"] }
    "#;

    #[test]
    fn a_profile_and_a_keyword_name_their_feeds() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("people.toml"), PEOPLE).unwrap();
        let themes = PEOPLE
            .replace("\"quarry\"", "\"themes\"")
            .replace("contact_social_posts", "industry_new_companies")
            .replace("patterns = [{ hosts = [\"x.com\"], path_segment = 0 }]", "target = \"keyword\"")
            .replace("post_url", "company_name = { paths = [\"$.name\"] }\nsource_url");
        std::fs::write(folder.path().join("themes.toml"), themes).unwrap();
        let catalog = Catalog::load(Some(folder.path())).unwrap();
        let feed = |source: &str, token: &str| vec![FeedKey { source_id: source.into(), token: token.into() }];
        let profile_url = Some(ProfileUrl::from_stored("https://x.com/ada".into()));
        let person = Target::Contact { domain: None, profile_url, email: None, full_name: None };
        let named = |radar_type: RadarType, target: &Target| {
            let feeds = named_feeds(&catalog, radar_type, target, None);
            feeds.into_iter().filter(|feed| ["quarry", "themes"].contains(&feed.source_id.as_str())).collect::<Vec<_>>()
        };
        assert_eq!(named(RadarType::ContactSocialPosts, &person), feed("quarry", "ada"));
        assert_eq!(named(RadarType::ContactSocialEngagements, &person), []);
        let theme = Target::Industry { keyword: Some("green steel".into()), countries: Vec::new() };
        assert_eq!(named(RadarType::IndustryNewCompanies, &theme), feed("themes", "green steel"));
        let values = values_of(RadarType::IndustryMentions, &theme, None);
        let refusal = nothing_serves(&catalog, RadarType::IndustryMentions, &theme, &values, None);
        assert_eq!(refusal, "No enabled source serves this radar type.");
    }
}
