//! Reads the address of a person's profile (Spec 2.7, decision 2.8).

use url::{Host, Url};

use crate::field_limits::PROFILE_URL_MAX;
use crate::targets::ProfileUrl;

/// Why a text is no profile address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileUrlError {
    /// Nothing but white space.
    #[error("must not be empty")]
    Empty,
    /// Longer than [`PROFILE_URL_MAX`].
    #[error("must be at most 2048 characters")]
    TooLong,
    /// Not an absolute http or https address.
    #[error("must be an http or https address")]
    Malformed,
    /// Carries a user name or password.
    #[error("must not contain a user name or password")]
    Credentials,
    /// The social types know only three networks.
    #[error("must be a profile on linkedin.com/in/, x.com or twitter.com")]
    NotSocial,
}

impl ProfileUrl {
    /// Reads and normalises a profile address on any host, as `contact_job_changes` takes it.
    pub fn parse(text: &str) -> Result<Self, ProfileUrlError> {
        normalise(text).map(Self::from_stored)
    }

    /// Reads and normalises a profile address on one of the social networks, as the social types take it.
    pub fn parse_social(text: &str) -> Result<Self, ProfileUrlError> {
        let profile_url = normalise(text)?;
        if is_social(&profile_url) { Ok(Self::from_stored(profile_url)) } else { Err(ProfileUrlError::NotSocial) }
    }
}

/// The networks whose query strings are tracking, never part of a profile's address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Network {
    LinkedIn,
    X,
    Other,
}

impl Network {
    fn of(host: &str) -> Self {
        if host == "linkedin.com" || host.ends_with(".linkedin.com") {
            return Self::LinkedIn;
        }
        match ["www.", "mobile."].iter().find_map(|prefix| host.strip_prefix(prefix)).unwrap_or(host) {
            "x.com" | "twitter.com" => Self::X,
            _ => Self::Other,
        }
    }
}

fn normalise(text: &str) -> Result<String, ProfileUrlError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ProfileUrlError::Empty);
    }
    if text.chars().count() > PROFILE_URL_MAX {
        return Err(ProfileUrlError::TooLong);
    }
    // The URL standard would silently drop them.
    if text.contains(char::is_whitespace) || text.contains(char::is_control) {
        return Err(ProfileUrlError::Malformed);
    }
    let absolute =
        if text.contains("://") && !text.starts_with("://") { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(&absolute).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or(ProfileUrlError::Malformed)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ProfileUrlError::Credentials);
    }
    let host = host(&url)?;
    let query = if Network::of(&host) == Network::Other { url.query() } else { None };
    let host = if Network::of(&host) == Network::LinkedIn { "www.linkedin.com" } else { &host };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    let profile_url = format!("{}://{host}{port}{path}{query}", url.scheme());
    if profile_url.len() > PROFILE_URL_MAX { Err(ProfileUrlError::TooLong) } else { Ok(profile_url) }
}

fn host(url: &Url) -> Result<String, ProfileUrlError> {
    match url.host() {
        Some(Host::Domain(domain)) => {
            let domain = domain.strip_suffix('.').unwrap_or(domain);
            if domain.split('.').any(str::is_empty) { Err(ProfileUrlError::Malformed) } else { Ok(domain.to_owned()) }
        }
        Some(address) => Ok(address.to_string()),
        None => Err(ProfileUrlError::Malformed),
    }
}

fn is_social(normalised: &str) -> bool {
    Url::parse(normalised).is_ok_and(|url| match Network::of(url.host_str().unwrap_or_default()) {
        Network::LinkedIn => url.path().strip_prefix("/in/").is_some_and(|name| !name.is_empty()),
        Network::X => url.path().len() > 1,
        Network::Other => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{ProfileUrl, ProfileUrlError};
    use proptest::prelude::*;

    #[test]
    fn spec_2_7_profile_url_is_normalised() {
        for (text, normalised) in [
            ("linkedin.com/in/ada", "https://www.linkedin.com/in/ada"),
            ("http://LinkedIn.com/in/ada/", "http://www.linkedin.com/in/ada"),
            ("https://www.linkedin.com/in/ada/?utm_source=x#about", "https://www.linkedin.com/in/ada"),
            ("uk.linkedin.com/in/ada", "https://www.linkedin.com/in/ada"),
            ("https://DE.LinkedIn.com./in/ada/?trk=a#b", "https://www.linkedin.com/in/ada"),
            ("notlinkedin.com/in/ada", "https://notlinkedin.com/in/ada"),
            ("mobile.twitter.com/ada?s=20", "https://mobile.twitter.com/ada"),
            ("www.x.com/ada/", "https://www.x.com/ada"),
            ("X.com/Ada?s=20", "https://x.com/Ada"),
            ("https://twitter.com./ada", "https://twitter.com/ada"),
            ("people.example.org/?id=7", "https://people.example.org?id=7"),
            ("people.example.org/ada/?id=7#x", "https://people.example.org/ada?id=7"),
            ("people.example.org:8443/ada", "https://people.example.org:8443/ada"),
            ("https://example.org/go?to=https://x.com/ada", "https://example.org/go?to=https://x.com/ada"),
        ] {
            assert_eq!(ProfileUrl::parse(text).as_ref().map(ProfileUrl::as_str), Ok(normalised), "{text}");
        }
    }

    #[test]
    fn decision_2_8_refuses_what_is_no_address() {
        for (text, error) in [
            ("", ProfileUrlError::Empty),
            ("ftp://example.org/ada", ProfileUrlError::Malformed),
            ("mailto:ada@example.org", ProfileUrlError::Credentials),
            ("javascript:alert(1)", ProfileUrlError::Malformed),
            ("https://", ProfileUrlError::Malformed),
            ("...", ProfileUrlError::Malformed),
            ("a..example/ada", ProfileUrlError::Malformed),
            ("https://example.org/a b", ProfileUrlError::Malformed),
            ("https://ada:secret@example.org/", ProfileUrlError::Credentials),
            ("https://ada@example.org/", ProfileUrlError::Credentials),
        ] {
            assert_eq!(ProfileUrl::parse(text), Err(error), "{text}");
        }
        let long = |length: usize| format!("https://x.com/{}", "a".repeat(length - 14));
        assert_eq!(ProfileUrl::parse(&long(2048)).map(|read| read.as_str().len()), Ok(2048));
        assert_eq!(ProfileUrl::parse(&long(2049)), Err(ProfileUrlError::TooLong));
        assert_eq!(ProfileUrl::parse(&format!("x.com/{}", "é".repeat(400))), Err(ProfileUrlError::TooLong));
    }

    #[test]
    fn decision_2_8_the_social_types_look_at_the_parsed_address() {
        for (text, is_social) in [
            ("linkedin.com/in/ada", true),
            ("www.linkedin.com/in/ada/details", true),
            ("x.com/ada", true),
            ("www.twitter.com/ada", true),
            ("mobile.twitter.com/ada", true),
            ("mobile.x.com/ada", true),
            ("uk.linkedin.com/in/ada", true),
            ("a.b.linkedin.com/in/ada", true),
            ("uk.linkedin.com/company/acme", false),
            ("notlinkedin.com/in/ada", false),
            ("linkedin.com.evil.example/in/ada", false),
            ("https://evil.example/linkedin.com/in/ada", false),
            ("m.x.com/ada", false),
            ("www.mobile.x.com/ada", false),
            ("linkedin.com/in/", false),
            ("linkedin.com/company/acme", false),
            ("x.com", false),
            ("notx.com/ada", false),
            ("x.com.evil.example/ada", false),
            ("evil.example/?u=linkedin.com/in/ada", false),
            ("https://x.com/#ada", false),
        ] {
            assert_eq!(ProfileUrl::parse_social(text).is_ok(), is_social, "{text}");
        }
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(text in "(https?://)?[a-zA-Z./?#:@%é-]{0,40}") {
            if let Ok(once) = ProfileUrl::parse(&text) {
                prop_assert_eq!(ProfileUrl::parse(once.as_str()), Ok(once));
            }
        }

        #[test]
        fn never_panics(text in ".{0,60}|(https?://)?[a-z0-9./?#:@%\\[\\]\u{0}\u{ad}é-]{0,60}") {
            let social = ProfileUrl::parse_social(&text);
            prop_assert!(social.is_err() || social == ProfileUrl::parse(&text));
        }
    }
}
