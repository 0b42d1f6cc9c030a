//! The headers that go out with a fetch: an honest name, conditions, and what a source file adds.

use awc::http::header::{self, HeaderName, HeaderValue};

use super::fetched::{FetchError, Validators};
use super::robots::AGENT;
use super::transport::TransportError;

/// Whether `name` and `value` make a header; a fetch leaves out what does not.
pub fn is_header(name: &str, value: &str) -> bool {
    header_of(name, value).is_some()
}

/// The header that `name` and `value` make, if they do.
pub(super) fn header_of(name: &str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    Some((HeaderName::try_from(name).ok()?, HeaderValue::from_str(value).ok()?))
}

/// The value of a header that we set.
pub(super) fn header_value(text: &str) -> Result<HeaderValue, FetchError> {
    HeaderValue::from_str(text).map_err(|_| FetchError::Unreachable(TransportError::BadTarget))
}

/// `radar/<version> (+<contact>)`, without what a header cannot hold.
pub(super) fn user_agent(contact: &str) -> HeaderValue {
    let contact: String =
        contact.chars().filter(|letter| letter.is_ascii_graphic() && !"()".contains(*letter)).collect();
    let version = env!("CARGO_PKG_VERSION");
    let name =
        if contact.is_empty() { format!("{AGENT}/{version}") } else { format!("{AGENT}/{version} (+{contact})") };
    HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static(AGENT))
}

/// The headers of a conditional request.
pub(super) fn conditions(validators: &Validators) -> Vec<(HeaderName, HeaderValue)> {
    let headers = [(header::IF_NONE_MATCH, &validators.etag), (header::IF_MODIFIED_SINCE, &validators.last_modified)];
    headers.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?.parse().ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_header, user_agent};

    #[test]
    fn the_name_is_honest_and_always_a_header() {
        let version = env!("CARGO_PKG_VERSION");
        for (contact, name) in [
            ("", format!("radar/{version}")),
            ("ops@watcher.example", format!("radar/{version} (+ops@watcher.example)")),
            ("https://watcher.example/bot", format!("radar/{version} (+https://watcher.example/bot)")),
            ("a\r\nx-evil: 1)", format!("radar/{version} (+ax-evil:1)")),
        ] {
            assert_eq!(user_agent(contact).to_str().unwrap(), name);
        }
    }

    #[test]
    fn headers_are_told_from_others() {
        assert!(is_header("X-Client", "radar"));
        assert!(!is_header("x client", "radar") && !is_header("x-client", "a\r\nb"));
    }
}
