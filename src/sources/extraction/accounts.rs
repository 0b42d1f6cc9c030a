//! Addresses of accounts on networks: which account an address is the front page of.
//!
//! Duty: pure rules about addresses; links that share, search, log in or show one post are no account's. Never here:
//! whose account it is.

use url::Url;

use domain::{ProfileKey, closed};

/// An account on a network.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Account {
    /// A page on LinkedIn, by its name there.
    Linkedin(String),
    /// A handle on X, without `@`.
    X(String),
    /// A channel on YouTube by its identifier.
    YoutubeChannel(String),
    /// The page of a channel on YouTube whose identifier it names: `@handle`, `c/name`, `user/name` or `name`.
    YoutubePage(String),
    /// A handle on Bluesky, or the identifier of an account there.
    Bluesky(String),
    /// A user of a server that speaks Mastodon's language.
    Mastodon {
        /// The name there.
        user: String,
        /// The server.
        host: String,
    },
}

closed! {
    /// A network, with its name for people.
    Network {
        /// linkedin.com
        Linkedin = "LinkedIn",
        /// x.com, and twitter.com before it.
        X = "X",
        /// bsky.app
        Bluesky = "Bluesky",
        /// A server that speaks Mastodon's language.
        Mastodon = "Mastodon",
        /// youtube.com
        Youtube = "YouTube",
        /// Any other site.
        Other = "this site",
    }
}

/// Names on X that are no handles.
const X_PAGES: &[&str] = &[
    "about", "compose", "download", "explore", "hashtag", "home", "i", "intent", "jobs", "login", "messages",
    "notifications", "oauth", "privacy", "search", "settings", "share", "signup", "tos", "widgets",
];
/// Names on YouTube that are no channels.
const YOUTUBE_PAGES: &[&str] = &[
    "about", "account", "attribution_link", "c", "channel", "creators", "embed", "feed", "gaming", "hashtag",
    "howyoutubeworks", "kids", "live", "music", "playlist", "playlists", "podcasts", "premium", "redirect", "results",
    "shorts", "signin", "t", "trends", "upload", "user", "v", "watch",
];
/// Tabs of a channel on YouTube.
const CHANNEL_TABS: &[&str] =
    &["about", "community", "featured", "live", "playlists", "podcasts", "posts", "shorts", "streams", "videos"];
/// Longer names are no host's (RFC 1035).
const HOST_BYTES_MAX: usize = 253;
/// Sites on which `/@name` is no account that Mastodon's language reaches.
const NO_FEDIVERSE: &str = include_str!("no_fediverse.txt");

impl Account {
    /// The account whose front page `url` is.
    pub fn of(url: &Url) -> Option<Self> {
        let host = url.host_str()?;
        let host = ["www.", "mobile.", "m."].iter().find_map(|prefix| host.strip_prefix(prefix)).unwrap_or(host);
        let path: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
        match host {
            "x.com" | "twitter.com" => x(&path),
            "youtube.com" => youtube(&path),
            "bsky.app" => bluesky(&path),
            "linkedin.com" => linkedin(&path),
            host if host.ends_with(".linkedin.com") => linkedin(&path),
            host => mastodon(host, &path),
        }
    }

    /// The network that it is on.
    pub const fn network(&self) -> Network {
        match self {
            Self::Linkedin(_) => Network::Linkedin,
            Self::X(_) => Network::X,
            Self::YoutubeChannel(_) | Self::YoutubePage(_) => Network::Youtube,
            Self::Bluesky(_) => Network::Bluesky,
            Self::Mastodon { .. } => Network::Mastodon,
        }
    }

    /// What it is in a profile, with its value there; `None` where its network must be asked for that.
    pub fn entry(&self) -> Option<(ProfileKey, String)> {
        match self {
            Self::Linkedin(name) => Some((ProfileKey::LinkedinUrl, format!("https://www.linkedin.com/company/{name}"))),
            Self::X(handle) => Some((ProfileKey::XHandle, handle.clone())),
            Self::YoutubeChannel(id) => Some((ProfileKey::YoutubeChannelId, id.clone())),
            Self::YoutubePage(_) => None,
            Self::Bluesky(handle) => Some((ProfileKey::BlueskyHandle, handle.clone())),
            Self::Mastodon { user, host } => Some((ProfileKey::MastodonAccount, format!("{user}@{host}"))),
        }
    }

    /// The part of its name that people choose; `None` where it is only an identifier.
    pub fn chosen_name(&self) -> Option<&str> {
        match self {
            Self::Linkedin(name) | Self::X(name) => Some(name),
            Self::YoutubePage(path) => path.rsplit('/').next().map(|name| name.trim_start_matches('@')),
            Self::Bluesky(handle) if handle.starts_with("did:") => None,
            Self::Bluesky(handle) => Some(handle.strip_suffix(".bsky.social").unwrap_or(handle)),
            Self::Mastodon { user, .. } => Some(user),
            Self::YoutubeChannel(_) => None,
        }
    }
}

fn x(path: &[&str]) -> Option<Account> {
    let [name] = path else { return None };
    let name = name.trim_start_matches('@');
    let is_handle = (1..=15).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !X_PAGES.iter().any(|page| page.eq_ignore_ascii_case(name));
    is_handle.then(|| Account::X(name.to_owned()))
}

fn linkedin(path: &[&str]) -> Option<Account> {
    let (["company" | "school", name] | ["company" | "school", name, ..]) = path else { return None };
    let name = percent_encoding::percent_decode_str(name).decode_utf8().ok()?.to_lowercase();
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || "-_&.'’".contains(letter));
    (is_name && !["setup", "unavailable"].contains(&name.as_str())).then_some(Account::Linkedin(name))
}

fn youtube(path: &[&str]) -> Option<Account> {
    let is_tab = |rest: &[&str]| rest.is_empty() || rest.len() == 1 && CHANNEL_TABS.contains(&rest[0]);
    match path {
        ["channel", id, rest @ ..] if is_channel_id(id) && is_tab(rest) => {
            Some(Account::YoutubeChannel((*id).to_owned()))
        }
        [kind @ ("c" | "user"), name, rest @ ..] if is_name(name) && is_tab(rest) => {
            Some(Account::YoutubePage(format!("{kind}/{name}")))
        }
        [handle, rest @ ..] if handle.starts_with('@') && is_name(&handle[1..]) && is_tab(rest) => {
            Some(Account::YoutubePage((*handle).to_owned()))
        }
        // Channels were given such addresses before handles.
        [name] if is_name(name) && !YOUTUBE_PAGES.contains(&name.to_ascii_lowercase().as_str()) => {
            Some(Account::YoutubePage((*name).to_owned()))
        }
        _ => None,
    }
}

/// An account that is written as `user@host`, as strangers do, in lower case; `None` where it is none.
pub fn mastodon_account(text: &str) -> Option<String> {
    let (user, host) = text.trim().trim_start_matches('@').split_once('@')?;
    user_of_server(user, host)?.entry().map(|(_, account)| account)
}

/// Whether `text` is the identifier of a channel on YouTube.
pub fn is_channel_id(text: &str) -> bool {
    text.len() == 24
        && text.starts_with("UC")
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn bluesky(path: &[&str]) -> Option<Account> {
    let ["profile", handle] = path else { return None };
    let is_handle = handle.contains('.')
        && handle.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
        || handle.starts_with("did:plc:")
        || handle.starts_with("did:web:");
    (is_handle && handle.len() <= 253).then(|| Account::Bluesky(handle.to_lowercase()))
}

fn mastodon(host: &str, path: &[&str]) -> Option<Account> {
    let user = match path {
        [name] => name.strip_prefix('@')?,
        ["users", name] => name,
        _ => return None,
    };
    // An account as another server shows it.
    let (user, host) = user.split_once('@').unwrap_or((user, host));
    user_of_server(user, host)
}

fn user_of_server(user: &str, host: &str) -> Option<Account> {
    let is_below = |site: &str| host == site || host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'));
    let is_host = host.contains('.')
        && host.len() <= HOST_BYTES_MAX
        && url::Host::parse(host).is_ok_and(|host| matches!(host, url::Host::Domain(_)));
    let is_account = is_host && is_name(user) && !NO_FEDIVERSE.lines().any(is_below);
    is_account.then(|| Account::Mastodon { user: user.to_lowercase(), host: host.to_lowercase() })
}

fn is_name(name: &str) -> bool {
    (1..=100).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-%".contains(&byte))
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{Account, mastodon_account};

    #[test]
    fn an_account_that_a_stranger_writes_is_a_user_of_a_host_and_nothing_else() {
        for (text, account) in [
            ("@Acme@Social.example", Some("acme@social.example")),
            ("acme@social.example", Some("acme@social.example")),
            ("acme", None),
            ("@social.example", None),
            ("acme@localhost", None),
            ("acme@127.0.0.1", None),
            ("acme@social.example/a", None),
            ("acme@social.example?limit=5000", None),
            ("acme@social.example:8080", None),
            ("acme&limit=5000@social.example", None),
            ("../admin@social.example", None),
            ("acme@social.example@other.example", None),
            (&format!("{}@social.example", "a".repeat(101)), None),
            (&format!("acme@{}.example", "a".repeat(300)), None),
        ] {
            assert_eq!(mastodon_account(text).as_deref(), account, "{text}");
        }
    }

    fn account(url: &str) -> Option<Account> {
        Account::of(&Url::parse(url).unwrap())
    }

    #[test]
    fn front_pages_of_accounts_are_read() {
        let channel = "UCabcdefghijklmnopqrstuv";
        let mastodon = |user: &str, host: &str| Account::Mastodon { user: user.into(), host: host.into() };
        for (url, wanted) in [
            ("https://x.com/acme", Account::X("acme".into())),
            ("https://www.twitter.com/@Acme_1/?lang=en", Account::X("Acme_1".into())),
            ("https://mobile.twitter.com/acme#x", Account::X("acme".into())),
            ("https://www.linkedin.com/company/Acme-Tools/about/?trk=x", Account::Linkedin("acme-tools".into())),
            ("https://de.linkedin.com/school/acme/", Account::Linkedin("acme".into())),
            (
                "https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv/videos",
                Account::YoutubeChannel(channel.into()),
            ),
            ("https://youtube.com/@AcmeTools", Account::YoutubePage("@AcmeTools".into())),
            ("https://www.youtube.com/c/acme/featured", Account::YoutubePage("c/acme".into())),
            ("https://www.youtube.com/user/acme", Account::YoutubePage("user/acme".into())),
            ("https://www.youtube.com/AcmeTools/", Account::YoutubePage("AcmeTools".into())),
            ("https://bsky.app/profile/Acme.example", Account::Bluesky("acme.example".into())),
            ("https://bsky.app/profile/did:plc:abc", Account::Bluesky("did:plc:abc".into())),
            ("https://social.example/@Acme", mastodon("acme", "social.example")),
            ("https://social.example/users/acme", mastodon("acme", "social.example")),
            ("https://social.example/@acme@other.example", mastodon("acme", "other.example")),
        ] {
            assert_eq!(account(url), Some(wanted), "{url}");
        }
    }

    #[test]
    fn links_that_share_search_or_show_a_post_are_no_accounts() {
        for url in [
            "https://twitter.com/intent/tweet?text=x",
            "https://x.com/intent/follow?screen_name=acme",
            "https://x.com/share?url=x",
            "https://twitter.com/acme/status/1",
            "https://twitter.com/hashtag/acme",
            "https://x.com/search?q=acme",
            "https://x.com/i/flow/login",
            "https://x.com/",
            "https://x.com/home",
            "https://x.com/a-name-that-is-far-too-long",
            "https://www.linkedin.com/shareArticle?mini=true&url=x",
            "https://www.linkedin.com/sharing/share-offsite/?url=x",
            "https://www.linkedin.com/in/ada",
            "https://www.linkedin.com/company/",
            "https://www.linkedin.com/feed/update/urn:li:activity:1",
            "https://www.youtube.com/watch?v=abc",
            "https://www.youtube.com/embed/abc",
            "https://www.youtube.com/channel/short",
            "https://www.youtube.com/@acme/search",
            "https://youtu.be/abc",
            "https://bsky.app/profile/acme.example/post/3k",
            "https://bsky.app/intent/compose?text=x",
            "https://medium.com/@acme",
            "https://www.tiktok.com/@acme",
            "https://www.threads.net/@acme",
            "https://acme.medium.com/@ada",
            "https://social.example/@acme/115500",
            "https://social.example/acme",
            "https://127.0.0.1/@acme",
            "https://facebook.com/acme",
            "https://www.youtube.com/watch?v=x",
            "https://www.youtube.com/",
        ] {
            assert_eq!(account(url), None, "{url}");
        }
    }

    #[test]
    fn the_chosen_part_of_a_name_is_what_people_read() {
        for (url, name) in [
            ("https://bsky.app/profile/acme.bsky.social", Some("acme")),
            ("https://bsky.app/profile/acme.example", Some("acme.example")),
            ("https://bsky.app/profile/did:plc:abc", None),
            ("https://youtube.com/@acme", Some("acme")),
            ("https://youtube.com/c/acme", Some("acme")),
            ("https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv", None),
        ] {
            assert_eq!(account(url).unwrap().chosen_name(), name, "{url}");
        }
    }
}
