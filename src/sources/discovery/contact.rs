//! What of a person can be watched: on which network the profile is, and what that network shows to everybody.
//!
//! Duty: pure rules. A person is asked about nowhere but on the network of the profile, and no text that is made here
//! names the person or the profile.

use url::Url;

use crate::domain::radar_type::RadarType;
use crate::domain::targets::ProfileUrl;
use crate::sources::extraction::accounts::Account;

/// The network that a profile is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// linkedin.com
    Linkedin,
    /// x.com, and twitter.com before it.
    X,
    /// bsky.app
    Bluesky,
    /// A server that speaks Mastodon's language.
    Mastodon,
    /// youtube.com
    Youtube,
    /// Any other site.
    Other,
}

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

impl Network {
    /// The network of a profile.
    pub fn of(profile_url: &ProfileUrl) -> Self {
        let Ok(url) = Url::parse(profile_url.as_str()) else { return Self::Other };
        match Account::of(&url) {
            Some(Account::X(_)) => Self::X,
            Some(Account::Bluesky(_)) => Self::Bluesky,
            Some(Account::Mastodon { .. }) => Self::Mastodon,
            Some(Account::YoutubeChannel(_) | Account::YoutubePage(_)) => Self::Youtube,
            Some(Account::Linkedin(_)) => Self::Linkedin,
            None if url.host_str().is_some_and(|host| host.ends_with("linkedin.com")) => Self::Linkedin,
            None => Self::Other,
        }
    }

    /// Who may read there what radars of `radar_type` report of a person.
    pub const fn access(self, radar_type: RadarType) -> Access {
        match (radar_type, self) {
            (RadarType::ContactSocialPosts, Self::Bluesky | Self::Mastodon | Self::Youtube) => Access::Open,
            // What somebody likes on Bluesky stands in their own public repository; elsewhere it is private.
            (RadarType::ContactSocialEngagements, Self::Bluesky) => Access::Open,
            // Shared and answered posts are public, likes are not.
            (RadarType::ContactSocialEngagements, Self::Mastodon) => Access::Open,
            (RadarType::ContactSocialPosts | RadarType::ContactSocialEngagements, Self::X) => Access::WithKey,
            _ => Access::Closed,
        }
    }

    /// The name for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linkedin => "LinkedIn",
            Self::X => "X",
            Self::Bluesky => "Bluesky",
            Self::Mastodon => "Mastodon",
            Self::Youtube => "YouTube",
            Self::Other => "this site",
        }
    }
}

/// What source files call the account of a profile, with its value; `None` where no network is known by it.
pub fn account_value(profile_url: &ProfileUrl) -> Option<(&'static str, String)> {
    match Account::of(&Url::parse(profile_url.as_str()).ok()?)? {
        Account::X(handle) => Some(("x_handle", handle)),
        Account::Bluesky(handle) => Some(("bluesky_handle", handle)),
        Account::Mastodon { user, host } => Some(("mastodon_account", format!("{user}@{host}"))),
        Account::YoutubeChannel(id) => Some(("youtube_channel_id", id)),
        Account::YoutubePage(_) | Account::Linkedin(_) => None,
    }
}

/// Why no source here serves a radar of `radar_type` on a profile, as a sentence for the customer.
pub fn refusal(profile_url: &ProfileUrl, radar_type: RadarType) -> String {
    let network = Network::of(profile_url);
    let name = network.as_str();
    match network.access(radar_type) {
        Access::Open => format!("no enabled source of {radar_type} reads {name}"),
        Access::WithKey => {
            format!("{name} shows this only to holders of a key, and no source of {radar_type} with a key is enabled")
        }
        Access::Closed => format!(
            "{name} lets no program read what {radar_type} reports; a provider that pushes findings would be needed"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, Network, account_value, refusal};
    use crate::domain::radar_type::RadarType;
    use crate::domain::targets::ProfileUrl;

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
            let found = Network::of(&profile);
            assert_eq!((found, found.access(posts), found.access(engagements)), (network, of_posts, of_engagements));
            assert_eq!(account_value(&profile), value.map(|(name, value)| (name, value.to_owned())), "{url}");
            assert_eq!(found.access(RadarType::ContactJobChanges), Access::Closed, "no profile tells of a new job");
        }
    }

    #[test]
    fn invariant_9_a_refusal_names_the_network_and_never_the_person() {
        for url in ["https://www.linkedin.com/in/ada-byron", "https://x.com/adabyron", "https://ada.example/@adabyron"]
        {
            for radar_type in [RadarType::ContactSocialPosts, RadarType::ContactSocialEngagements] {
                let refusal = refusal(&profile(url), radar_type).to_lowercase();
                assert!(
                    !refusal.contains("byron") && !refusal.contains("ada.") && !refusal.contains("http"),
                    "{refusal}"
                );
            }
        }
    }
}
