//! Reads the address that updates are pushed to (Spec 8.2, decision 2.7).

use std::net::{IpAddr, Ipv4Addr};

use url::{Host, Url};

use crate::field_limits::WEBHOOK_URL_MAX;

/// Says whether a host must never be called (decision 5.9); the rules themselves are the outbound client's.
pub type IsForbidden<'a> = &'a dyn Fn(WebhookHost) -> bool;

/// What an address for updates says about its host without a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookHost {
    /// Its address; `None` for a name.
    pub address: Option<IpAddr>,
    /// Its port, the scheme's own where none is written.
    pub port: u16,
}

/// Why a text is not an address for updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookUrlError {
    /// Longer than [`WEBHOOK_URL_MAX`].
    #[error("must be at most 2048 characters")]
    TooLong,
    /// Longer than that once every character that no address may hold is percent-encoded.
    #[error("must be at most 2048 characters once it is percent-encoded")]
    TooLongEncoded,
    /// Not an absolute http or https address.
    #[error("must be an absolute http or https address")]
    Malformed,
    /// Carries a user name or password.
    #[error("must not contain a user name or password")]
    Credentials,
    /// Carries a fragment, which no server ever sees.
    #[error("must not contain a fragment")]
    Fragment,
    /// The address or the port is one that this service must not call.
    #[error("must not point to a private or reserved address, or to a port that is not for webhooks")]
    Forbidden,
}

/// Reads an address for updates and normalises it.
pub fn parse(text: &str, is_forbidden: IsForbidden<'_>) -> Result<String, WebhookUrlError> {
    let text = text.trim();
    if text.chars().count() > WEBHOOK_URL_MAX {
        return Err(WebhookUrlError::TooLong);
    }
    let has_scheme = ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    // The URL standard would silently drop white space and control characters.
    if !has_scheme || text.contains(char::is_whitespace) || text.contains(char::is_control) {
        return Err(WebhookUrlError::Malformed);
    }
    let url = Url::parse(text).map_err(|_| WebhookUrlError::Malformed)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(WebhookUrlError::Credentials);
    }
    if url.fragment().is_some() {
        return Err(WebhookUrlError::Fragment);
    }
    let address = match url.host() {
        Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        // RFC 6761, 6.3: these names are loopback wherever they are resolved.
        Some(Host::Domain(name)) if is_localhost(name) => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        Some(Host::Domain(_)) => None,
        None => return Err(WebhookUrlError::Malformed),
    };
    let port = url.port_or_known_default().ok_or(WebhookUrlError::Malformed)?;
    if is_forbidden(WebhookHost { address, port }) {
        return Err(WebhookUrlError::Forbidden);
    }
    let normalised = String::from(url);
    if normalised.len() > WEBHOOK_URL_MAX { Err(WebhookUrlError::TooLongEncoded) } else { Ok(normalised) }
}

/// The form in which addresses that were accepted are compared: two that are written differently can be one endpoint
/// (decision 5.5).
pub fn normalised(accepted: &str) -> String {
    Url::parse(accepted).map_or_else(|_| accepted.to_owned(), String::from)
}

fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::{WebhookHost, WebhookUrlError, normalised, parse};
    use proptest::prelude::*;

    fn is_loopback(host: WebhookHost) -> bool {
        host.address.is_some_and(|address| address.is_loopback())
    }

    #[test]
    fn the_port_is_checked_with_and_without_a_name() {
        let is_forbidden = |host: WebhookHost| host.port == 25;
        for (text, expected) in [
            ("https://example.com:25/", Err(WebhookUrlError::Forbidden)),
            ("https://192.0.2.7:25/", Err(WebhookUrlError::Forbidden)),
            ("https://example.com/", Ok("https://example.com/")),
        ] {
            assert_eq!(parse(text, &is_forbidden).as_deref(), expected.as_ref().copied(), "{text}");
        }
        let seen = std::cell::Cell::new(None);
        let look = |host: WebhookHost| seen.replace(Some(host.port)).is_some();
        parse("http://example.com/", &look).expect("accepted");
        assert_eq!(seen.get(), Some(80));
    }

    #[test]
    fn decision_5_5_normalises() {
        for (text, normalised) in [
            ("https://hooks.example.com", "https://hooks.example.com/"),
            (" HTTPS://Hooks.Example.COM:443/In?a=1 ", "https://hooks.example.com/In?a=1"),
            ("http://bücher.de/x", "http://xn--bcher-kva.de/x"),
            ("http://192.0.2.7:8080/a/../b", "http://192.0.2.7:8080/b"),
        ] {
            assert_eq!(parse(text, &is_loopback).as_deref(), Ok(normalised), "{text}");
        }
    }

    #[test]
    fn decision_2_7_refuses() {
        let long = format!("https://example.com/{}", "a".repeat(2029));
        let long_when_encoded = format!("https://example.com/{}", "é".repeat(1000));
        for (text, error) in [
            ("", WebhookUrlError::Malformed),
            ("example.com/hook", WebhookUrlError::Malformed),
            ("//example.com/hook", WebhookUrlError::Malformed),
            ("ftp://example.com", WebhookUrlError::Malformed),
            ("https:example.com", WebhookUrlError::Malformed),
            ("https://", WebhookUrlError::Malformed),
            ("https://exa mple.com", WebhookUrlError::Malformed),
            ("https://example.com/\u{0}", WebhookUrlError::Malformed),
            ("https://ada@example.com/", WebhookUrlError::Credentials),
            ("https://:secret@example.com/", WebhookUrlError::Credentials),
            ("https://example.com/#top", WebhookUrlError::Fragment),
            ("https://example.com/#", WebhookUrlError::Fragment),
            ("http://127.0.0.1/", WebhookUrlError::Forbidden),
            ("http://0x7f.1/", WebhookUrlError::Forbidden),
            ("http://2130706433/", WebhookUrlError::Forbidden),
            ("http://[::1]/", WebhookUrlError::Forbidden),
            ("http://localhost:3000/", WebhookUrlError::Forbidden),
            ("http://api.LOCALHOST./", WebhookUrlError::Forbidden),
            (&long, WebhookUrlError::TooLong),
            (&long_when_encoded, WebhookUrlError::TooLongEncoded),
        ] {
            assert_eq!(parse(text, &is_loopback), Err(error), "{text}");
        }
        assert_eq!(parse(&long[..2048], &is_loopback).as_deref(), Ok(&long[..2048]));
        let longest_encoded = format!("https://example.com/{}", "é".repeat(338));
        assert_eq!(parse(&longest_encoded, &is_loopback).map(|url| url.len()), Ok(2048));
        assert!(parse("http://localhost:3000/", &|_| false).is_ok());
    }

    #[test]
    fn decision_5_5_one_endpoint_is_written_in_many_ways() {
        for text in ["https://hooks.example.com", "HTTPS://Hooks.example.com:443/", "https://hooks.example.com/a/.."] {
            assert_eq!(normalised(text), "https://hooks.example.com/", "{text}");
        }
        assert_eq!(normalised("no address"), "no address");
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,60}", rest in "[a-zA-Z0-9.:/?#@%\\[\\]é\u{0}\u{202e}-]{0,60}") {
            for text in [text, format!("https://{rest}")] {
                if let Ok(once) = parse(&text, &is_loopback) {
                    prop_assert_eq!(normalised(text.trim()), once);
                }
            }
        }

        #[test]
        fn normalising_twice_changes_nothing(text in "https?://[a-zA-Z0-9.:/?%é@-]{0,40}") {
            if let Ok(once) = parse(&text, &is_loopback) {
                prop_assert_eq!(parse(&once, &is_loopback), Ok(once));
            }
        }
    }
}
