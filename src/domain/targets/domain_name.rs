//! Reads what a customer calls a company's domain (Spec 2.7, decision 2.1).

use std::net::Ipv4Addr;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::field_limits::{DOMAIN_MAX, DOMAIN_TEXT_MAX};
use crate::targets::DomainName;

/// Why a text names no company's domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DomainError {
    /// Nothing is left once scheme, path and the like are cut.
    #[error("must not be empty")]
    Empty,
    /// The text around the domain is longer than [`DOMAIN_TEXT_MAX`].
    #[error("must be at most 2048 characters, and its domain at most 253")]
    TooLong,
    /// An IP address in any of its forms.
    #[error("must be a domain name, not an IP address")]
    Address,
    /// Breaks the rules of host names, or is longer than 253 characters.
    #[error("must be a valid domain name of at most 253 characters")]
    Malformed,
    /// One label, an unknown ending, or nothing but a public suffix.
    #[error("must be a registrable domain name such as example.com")]
    NotRegistrable,
}

impl DomainName {
    /// Reads a bare domain or a URL, and normalises it to the bare domain in ASCII lower case without `www.`.
    pub fn parse(text: &str) -> Result<Self, DomainError> {
        let text = text.trim();
        if text.chars().count() > DOMAIN_TEXT_MAX {
            return Err(DomainError::TooLong);
        }
        let host = ascii_host(cut_to_host(text)?)?;
        let bare = host.strip_prefix("www.").filter(|rest| is_registrable(rest)).unwrap_or(&host);
        if is_registrable(bare) { Ok(Self::from_stored(bare.to_owned())) } else { Err(DomainError::NotRegistrable) }
    }
}

/// A host name in ASCII lower case without its trailing dot; not an address, at most 253 characters.
pub(super) fn ascii_host(host: &str) -> Result<String, DomainError> {
    if host.is_empty() {
        return Err(DomainError::Empty);
    }
    // What a domain becomes is checked below; this bounds the work of getting there. A dot at the end is none of it.
    if host.chars().count() > DOMAIN_MAX + 1 {
        return Err(DomainError::Malformed);
    }
    // Underscores and the like are no part of a standard domain; hyphens in places three and four are (CDN names).
    let ascii = Uts46::new()
        .to_ascii(host.as_bytes(), AsciiDenyList::STD3, Hyphens::CheckFirstLast, DnsLength::VerifyAllowRootDot)
        .map_err(|_| DomainError::Malformed)?;
    let ascii = ascii.strip_suffix('.').unwrap_or(&ascii);
    if ascii.is_empty() {
        return Err(DomainError::Empty);
    }
    if ascii.parse::<Ipv4Addr>().is_ok() { Err(DomainError::Address) } else { Ok(ascii.to_owned()) }
}

/// What is left of a URL without scheme, credentials, port, path, query and fragment.
fn cut_to_host(text: &str) -> Result<&str, DomainError> {
    let rest = text.split_once("://").map_or(text, |(scheme, rest)| if is_scheme(scheme) { rest } else { text });
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let host_and_port = authority.rsplit('@').next().unwrap_or_default();
    if host_and_port.starts_with('[') || host_and_port.matches(':').count() > 1 {
        return Err(DomainError::Address);
    }
    match host_and_port.split_once(':') {
        None => Ok(host_and_port),
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => Ok(host),
        Some(_) => Err(DomainError::Malformed),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Whether somebody can own `host`: a known public suffix with a label before it.
///
/// The list also holds suffixes that companies run for their customers; such a name is itself registered under a
/// registry's suffix, and so a company's domain.
fn is_registrable(host: &str) -> bool {
    psl::suffix(host.as_bytes()).is_some_and(|suffix| {
        suffix.is_known()
            && (suffix.as_bytes().len() < host.len() || suffix.typ() == Some(psl::Type::Private))
            && host.contains('.')
    })
}

#[cfg(test)]
mod tests {
    use super::{DomainError, DomainName};
    use proptest::prelude::*;

    #[test]
    fn spec_2_7_domain_is_normalised_to_the_bare_domain() {
        for (text, domain) in [
            ("example.com", "example.com"),
            ("  EXAMPLE.com.  ", "example.com"),
            ("https://www.example.com/careers?x=1#top", "example.com"),
            ("http://ada:secret@www.example.com:8080/", "example.com"),
            ("//www.example.com", "example.com"),
            ("ftp://example.com", "example.com"),
            ("example.com/path@x", "example.com"),
            ("example.com?next=https://other.org", "example.com"),
            ("www.careers.example.co.uk", "careers.example.co.uk"),
            ("www.www.example.com", "www.example.com"),
            ("www.com", "www.com"),
            ("www.co.uk.", "www.co.uk"),
            ("bücher.de", "xn--bcher-kva.de"),
            ("XN--BCHER-KVA.de", "xn--bcher-kva.de"),
            ("例え。jp", "xn--r8jz45g.jp"),
            ("straße.de", "xn--strae-oqa.de"),
            ("a--b.example.com", "a--b.example.com"),
            ("github.io", "github.io"),
            ("example.com:", "example.com"),
        ] {
            assert_eq!(DomainName::parse(text).as_ref().map(DomainName::as_str), Ok(domain), "{text}");
        }
    }

    #[test]
    fn decision_2_1_refuses_what_nobody_can_own() {
        let long = format!("{}com", "a.".repeat(126));
        let longer = format!("{}com", "a.".repeat(200));
        let endless = format!("example.com/{}", "a".repeat(2037));
        for (text, error) in [
            ("", DomainError::Empty),
            ("   ", DomainError::Empty),
            ("https://", DomainError::Empty),
            (".", DomainError::Malformed),
            ("192.0.2.1", DomainError::Address),
            ("http://192.0.2.1:80/", DomainError::Address),
            ("[2001:db8::1]", DomainError::Address),
            ("2001:db8::1", DomainError::Address),
            ("１２７.0.0.1", DomainError::Address),
            ("127.1", DomainError::NotRegistrable),
            ("localhost", DomainError::NotRegistrable),
            ("www.localhost", DomainError::NotRegistrable),
            ("com", DomainError::NotRegistrable),
            ("co.uk", DomainError::NotRegistrable),
            ("example.notasuffix", DomainError::NotRegistrable),
            ("exa mple.com", DomainError::Malformed),
            ("exa_mple.com", DomainError::Malformed),
            ("-example.com", DomainError::Malformed),
            ("example..com", DomainError::Malformed),
            ("example.com:http", DomainError::Malformed),
            (long.as_str(), DomainError::Malformed),
            (longer.as_str(), DomainError::Malformed),
            (endless.as_str(), DomainError::TooLong),
        ] {
            assert_eq!(DomainName::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn spec_8_2_a_domain_has_at_most_253_characters() {
        let domain = |length: usize| {
            let labels = format!("{}.", "a".repeat(62)).repeat(3);
            format!("{labels}{}.com", "b".repeat(length - labels.len() - 4))
        };
        assert_eq!((domain(253).len(), domain(254).len()), (253, 254));
        for dressed in [domain(253), format!("{}.", domain(253)), format!("https://{}:443/jobs", domain(253))] {
            assert_eq!(DomainName::parse(&dressed).map(|read| read.as_str().to_owned()), Ok(domain(253)), "{dressed}");
        }
        assert_eq!(DomainName::parse(&domain(254)), Err(DomainError::Malformed));
        let unicode = format!("{}.com", vec!["ü".repeat(40); 6].join("."));
        assert!(unicode.chars().count() < 253 && DomainName::parse(&unicode) == Err(DomainError::Malformed));
    }

    proptest! {
        #[test]
        fn never_panics_and_holds_the_limit(text in ".{0,300}|[a-z0-9.:/@?#\\[\\]xn\u{ad}é-]{0,80}") {
            if let Ok(domain) = DomainName::parse(&text) {
                prop_assert!(domain.as_str().len() <= 253 && domain.as_str().is_ascii());
            }
        }

        #[test]
        fn dress_makes_no_difference(
            name in "[a-z][a-z0-9]{0,10}",
            scheme in prop::sample::select(vec!["", "http://", "HTTPS://"]),
            credentials in prop::sample::select(vec!["", "a:b@"]),
            www in prop::sample::select(vec!["", "www.", "WWW."]),
            tail in prop::sample::select(vec!["", ".", ":443", "/a/b", "?q", "#f", ":80/x?y#z"]),
        ) {
            let dressed = format!("{scheme}{credentials}{www}{name}.com{tail}");
            let domain = DomainName::parse(&dressed).expect("a plain domain");
            prop_assert_eq!(domain.as_str(), format!("{name}.com"));
            prop_assert_eq!(DomainName::parse(domain.as_str()), Ok(domain));
        }

        /// But for a second `www.`: one is cut, and no more (decision 2.1).
        #[test]
        fn normalising_twice_changes_nothing(
            text in "(https?://)?(www\\.)?[a-zA-Zé0-9-]{1,8}(\\.[a-zA-Zß工-]{1,6}){0,2}\\.(com|co\\.uk|DE|рф|github\\.io)[./:]?",
        ) {
            if let Ok(once) = DomainName::parse(&text) {
                prop_assert_eq!(DomainName::parse(once.as_str()), Ok(once));
            }
        }
    }
}
