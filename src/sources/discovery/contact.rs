//! What of a person can be watched: on which network the profile is, what that network shows to everybody, and which of
//! the sources lead to a person at all.
//!
//! Duty: pure rules. No text that is made here names the person or the profile.

use url::Url;

use super::words::sought;
use crate::extraction::accounts::{Account, Network};
use crate::format::catalog::Catalog;
use crate::format::source::{Source, SourceKind};
use domain::{ProfileKey, ProfileUrl, RadarType};

/// Who may read something on a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Open,
    /// Holders of a key.
    WithKey,
    /// Nobody by a program.
    Closed,
}

/// The network that a profile is on.
fn network_of(profile_url: &ProfileUrl) -> Network {
    let Ok(url) = Url::parse(profile_url.as_str()) else { return Network::Other };
    match Account::of(&url) {
        Some(account) => account.network(),
        None if url.host_str().is_some_and(|host| host.ends_with("linkedin.com")) => Network::Linkedin,
        None => Network::Other,
    }
}

/// Who may read on a network what radars of `radar_type` report of a person.
const fn access(network: Network, radar_type: RadarType) -> Access {
    match (radar_type, network) {
        (RadarType::ContactSocialPosts, Network::Bluesky | Network::Mastodon | Network::Youtube) => Access::Open,
        // What somebody likes on Bluesky stands in their own public repository; elsewhere it is private.
        (RadarType::ContactSocialEngagements, Network::Bluesky) => Access::Open,
        // Shared and answered posts are public, likes are not.
        (RadarType::ContactSocialEngagements, Network::Mastodon) => Access::Open,
        (RadarType::ContactSocialPosts | RadarType::ContactSocialEngagements, Network::X) => Access::WithKey,
        _ => Access::Closed,
    }
}

/// What source files call the account of a profile, with its value; `None` where no network is known by it.
pub fn account_value(profile_url: &ProfileUrl) -> Option<(&'static str, String)> {
    let (key, value) = Account::of(&Url::parse(profile_url.as_str()).ok()?)?.entry()?;
    (key != ProfileKey::LinkedinUrl).then(|| (key.as_str(), value))
}

/// Values that the request for a radar on a person may give by itself.
const GIVEN: &[&str] = &["domain", "profile_url", "email", "full_name", "x_handle"];
/// When a radar on the posts or engagements of a person is served that no other source serves.
const IF_KNOWN: &str =
    "People are served whose Wikidata item names the profile and an account on Bluesky, Mastodon or YouTube.";

/// Whether radars of `radar_type` can be set up with `source`; `may_ask` says whether directories are asked about people.
pub fn is_served(source: &Source, radar_type: RadarType, may_ask: bool) -> bool {
    may_ask || !is_social(radar_type) || is_led_to_by_request(source)
}

/// The condition under which radars of `radar_type` are served, where that does not hold for every target.
pub fn served_if(catalog: &Catalog, radar_type: RadarType) -> Option<String> {
    let mut serving = catalog.serving(radar_type).peekable();
    let is_conditional = is_social(radar_type) && serving.peek().is_some();
    let if_known = (is_conditional && !serving.any(is_led_to_by_request)).then(|| IF_KNOWN.to_owned());
    let conditions: Vec<String> = if_known.into_iter().chain(off_without_contact(catalog, radar_type)).collect();
    (!conditions.is_empty()).then(|| conditions.join(" "))
}

/// Which sources of `radar_type` are off because they ask for a contact, as a sentence (decision 7.6).
pub fn off_without_contact(catalog: &Catalog, radar_type: RadarType) -> Option<String> {
    let names: Vec<&str> = catalog.lacking_contact(radar_type).map(|source| source.name.as_str()).collect();
    let names = names.join(" and ");
    (!names.is_empty()).then(|| format!("{names} can be read once the operator names a contact."))
}

/// Whether radars of `radar_type` follow what a person does on networks.
const fn is_social(radar_type: RadarType) -> bool {
    matches!(radar_type, RadarType::ContactSocialPosts | RadarType::ContactSocialEngagements)
}

/// Whether the request for a radar on a person leads to its feed of `source`.
fn is_led_to_by_request(source: &Source) -> bool {
    match &source.kind {
        SourceKind::Push => true,
        SourceKind::List(list) => {
            !list.discovery.is_empty() || list.needs.required.iter().all(|name| GIVEN.contains(&name.as_str()))
        }
        SourceKind::CareersPage | SourceKind::Sitemap | SourceKind::TeamPage(_) => false,
    }
}

/// Why no source here serves a radar of `radar_type` on a profile, as a sentence for the customer. `is_asked` says whether
/// a directory was asked for other accounts.
pub fn refusal(profile_url: &ProfileUrl, radar_type: RadarType, is_asked: bool) -> String {
    let network = network_of(profile_url);
    let (name, sought) = (network.as_str(), sought(radar_type));
    let elsewhere = match network {
        Network::Linkedin | Network::X if is_asked => {
            "; Wikidata names no account of this profile's owner on another network"
        }
        _ => "",
    };
    match access(network, radar_type) {
        Access::Open => format!("no enabled source of {sought} reads {name}"),
        Access::WithKey => format!(
            "{name} shows this only to holders of a key, and no source of {sought} with a key is enabled{elsewhere}"
        ),
        Access::Closed => {
            format!("{name} lets no program read {sought}; a provider that pushes findings would be needed{elsewhere}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, Network, access, account_value, is_served, network_of, refusal, served_if};
    use crate::format::catalog::Catalog;
    use domain::{ProfileUrl, RadarType};

    fn profile(url: &str) -> ProfileUrl {
        ProfileUrl::from_stored(url.into())
    }

    #[test]
    fn a_profile_leads_to_what_its_network_shows() {
        let (posts, engagements) = (RadarType::ContactSocialPosts, RadarType::ContactSocialEngagements);
        for (url, network, of_posts, of_engagements, value) in [
            ("https://www.linkedin.com/in/ada", Network::Linkedin, Access::Closed, Access::Closed, None),
            ("https://x.com/ada", Network::X, Access::WithKey, Access::WithKey, Some(("x_handle", "ada"))),
            ("https://mobile.twitter.com/ada", Network::X, Access::WithKey, Access::WithKey, Some(("x_handle", "ada"))),
            (
                "https://bsky.app/profile/ada.example",
                Network::Bluesky,
                Access::Open,
                Access::Open,
                Some(("bluesky_handle", "ada.example")),
            ),
            (
                "https://social.example/@ada",
                Network::Mastodon,
                Access::Open,
                Access::Open,
                Some(("mastodon_account", "ada@social.example")),
            ),
            ("https://people.example.org/ada", Network::Other, Access::Closed, Access::Closed, None),
        ] {
            let profile = profile(url);
            let found = network_of(&profile);
            assert_eq!((found, access(found, posts), access(found, engagements)), (network, of_posts, of_engagements));
            assert_eq!(account_value(&profile), value.map(|(name, value)| (name, value.to_owned())), "{url}");
            assert_eq!(access(found, RadarType::ContactJobChanges), Access::Closed, "no profile tells of a new job");
        }
    }

    #[test]
    fn invariant_9_a_refusal_names_the_network_and_never_the_person() {
        for url in ["https://www.linkedin.com/in/ada-byron", "https://x.com/adabyron", "https://ada.example/@adabyron"]
        {
            for radar_type in [RadarType::ContactSocialPosts, RadarType::ContactSocialEngagements] {
                let refusal = refusal(&profile(url), radar_type, true).to_lowercase();
                assert!(
                    !refusal.contains("byron") && !refusal.contains("ada.") && !refusal.contains("http"),
                    "{refusal}"
                );
            }
        }
    }

    #[test]
    fn types_about_people_are_served_where_their_accounts_can_be_found() {
        let folder = tempfile::tempdir().unwrap();
        let by_key = "format_version = 1\nid = \"keyed\"\nkind = \"json\"\nradar_types = [\"contact_social_posts\"]\n\
            [discovery]\npatterns = [{ hosts = [\"x.com\"], path_segment = 0 }]\n\
            [request]\nurl = \"https://api.x.com/{token}\"\n[items]\nlist = \"$\"\nid = \"$.id\"\n\
            [map]\npost_url = { paths = [\"$.url\"] }\n";
        std::fs::write(folder.path().join("keyed.toml"), by_key).unwrap();
        let [own, with_key] = [None, Some(folder.path())].map(|folder| Catalog::load_with(folder, &|_| None).unwrap());
        let (posts, company) = (RadarType::ContactSocialPosts, RadarType::CompanySocialPosts);
        let count = |catalog: &Catalog, radar_type: RadarType, may_ask: bool| {
            catalog.serving(radar_type).filter(|source| is_served(source, radar_type, may_ask)).count()
        };
        assert!(count(&own, posts, true) > 0 && count(&own, company, false) > 0);
        assert_eq!((count(&own, posts, false), count(&with_key, posts, false)), (0, 1));
        assert!(served_if(&own, posts).is_some_and(|condition| condition.contains("Wikidata")));
        assert_eq!((served_if(&with_key, posts), served_if(&own, company)), (None, None));
    }
}
