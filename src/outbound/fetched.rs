//! The result of a fetch: a page, or why there is none.
//!
//! Duty: what an answer's status, headers and body mean for a watched target. Never here: requests or waiting.

use std::sync::Arc;
use std::time::Duration;

use awc::http::header::{self, HeaderMap, HeaderName};
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use url::Url;

use super::transport::{Answer, Room, TransportError};
use super::workers::ReadError;
pub use domain::scheduling::polling::Validators;

/// A `Retry-After` beyond this is taken for this.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// Longer validators are not kept: they are stored and sent back.
const VALIDATOR_BYTES_MAX: usize = 1_024;

/// What was fetched.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where it was found after redirects, in original terms.
    pub final_url: Url,
    /// The status: 2xx or 304, and 3xx where redirects are not followed.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; empty after 304.
    pub body: Vec<u8>,
    /// Whether this is what the validators were taken from: a 304, or the same bytes again.
    pub not_modified: bool,
    /// For the next visit.
    pub validators: Validators,
    /// Where a redirect that was not followed leads, in original terms.
    pub redirects_to: Option<Url>,
    /// What the body takes of the room that all bodies share.
    _room: Arc<Room>,
}

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// No answer.
    #[error("the host cannot be reached: {0}")]
    Unreachable(TransportError),
    /// 401, 403 or 451.
    #[error("the host refuses access with status {status}")]
    Forbidden {
        /// Which of them.
        status: u16,
    },
    /// robots.txt forbids it.
    #[error("robots.txt forbids the visit")]
    RobotsDisallow,
    /// robots.txt exists but cannot be had just now, which forbids visits for now (RFC 9309, 2.3.1.4).
    #[error("robots.txt answers with status {status}, which forbids visits for now")]
    RobotsUnavailable {
        /// The status in its place.
        status: u16,
    },
    /// 429 or 503, or the host asked for silence before.
    #[error("the host asks for fewer requests")]
    Throttled {
        /// How long it wants to be left alone, at most a day.
        retry_after: Option<Duration>,
    },
    /// 404 or 410.
    #[error("the host does not know the page")]
    NotFound,
    /// Any other status that is no success.
    #[error("the host answers with status {0}")]
    Status(u16),
    /// The body is longer than what is read.
    #[error("the page is too large")]
    TooLarge,
    /// The answer came, but was not read.
    #[error("the page was not read: {0}")]
    Unread(ReadError),
    /// A redirect without a usable address, or too many of them.
    #[error("the host redirects without end or to no address")]
    BadRedirect,
}

impl FetchError {
    /// Whether the same fetch may well succeed later.
    pub const fn is_transient(&self) -> bool {
        match self {
            // A forbidden address is tried again like a name that does not exist, so that timing does not tell them apart.
            Self::Unreachable(error) => !matches!(error, TransportError::BadTarget),
            Self::RobotsUnavailable { .. } | Self::Throttled { .. } | Self::Unread(_) => true,
            Self::Status(status) => matches!(status, 408 | 425 | 500..),
            Self::Forbidden { .. } | Self::RobotsDisallow | Self::NotFound | Self::TooLarge | Self::BadRedirect => {
                false
            }
        }
    }

    /// The status of the answer, where it was that.
    pub const fn status(&self) -> Option<u16> {
        match self {
            Self::Forbidden { status } | Self::Status(status) => Some(*status),
            Self::NotFound => Some(404),
            Self::Throttled { .. } => Some(429),
            _ => None,
        }
    }

    /// What happened, for operators: the text for customers, and the class of what went wrong on the way.
    pub fn reason(&self) -> String {
        match self {
            Self::Unreachable(error) => format!("{self} ({})", error.outcome().as_str()),
            other => other.to_string(),
        }
    }

    /// How long the host wants to be left alone, where it says so.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Throttled { retry_after } => *retry_after,
            _ => None,
        }
    }
}

impl Page {
    /// The page that `answer` is, found at `final_url`; `known` is what the last visit left.
    pub(super) fn of_answer(
        (answer, body_hash): (Answer, String),
        final_url: Url,
        redirects_to: Option<Url>,
        known: Option<&Validators>,
    ) -> Self {
        let text = |name: HeaderName| {
            let value = answer.headers.get(name)?.to_str().ok()?;
            (value.len() <= VALIDATOR_BYTES_MAX).then(|| value.to_owned())
        };
        let mut validators =
            Validators { etag: text(header::ETAG), last_modified: text(header::LAST_MODIFIED), body_hash: None };
        let is_304 = answer.status == 304;
        if let (true, Some(known)) = (is_304, known) {
            validators.etag = validators.etag.or_else(|| known.etag.clone());
            validators.last_modified = validators.last_modified.or_else(|| known.last_modified.clone());
            validators.body_hash.clone_from(&known.body_hash);
        } else {
            validators.body_hash = Some(body_hash);
        }
        let is_same_body =
            known.is_some_and(|known| known.body_hash.is_some() && known.body_hash == validators.body_hash);
        Self {
            final_url,
            status: answer.status,
            headers: answer.headers,
            body: answer.body,
            not_modified: is_304 || is_same_body,
            validators,
            redirects_to,
            _room: answer.room,
        }
    }

    /// The value of the header `name`, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The `Content-Type` header.
    pub fn content_type(&self) -> Option<&str> {
        self.header("content-type")
    }
}

/// SHA-256 of `body`, in hex.
pub(super) fn body_hash(body: &[u8]) -> String {
    hex::encode(Sha256::digest(body))
}

/// `Retry-After` in seconds or as a date, which is measured from the host's own clock where it tells it.
pub(super) fn retry_after(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let wanted = text(header::RETRY_AFTER)?;
    if let Ok(seconds) = wanted.parse::<u64>() {
        return Some(Duration::from_secs(seconds).min(RETRY_AFTER_MAX));
    }
    let until = httpdate::parse_http_date(wanted).ok()?;
    let from = text(header::DATE).and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or(now.into());
    Some(until.duration_since(from).unwrap_or_default().min(RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use awc::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::retry_after;

    #[test]
    fn the_wish_to_be_left_alone_is_read_and_capped() {
        for (wish, date, seconds) in [
            (Some("120"), None, Some(120)),
            (Some(" 7 "), None, Some(7)),
            (Some("99999999"), None, Some(86_400)),
            (Some("Sat, 21 Nov 2026 08:01:00 GMT"), None, Some(60)),
            (Some("Sat, 21 Nov 2026 08:01:00 GMT"), Some("Sat, 21 Nov 2026 08:00:30 GMT"), Some(30)),
            (Some("Sat, 21 Nov 2026 07:00:00 GMT"), None, Some(0)),
            (Some("soon"), None, None),
            (None, None, None),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [("retry-after", wish), ("date", date)] {
                if let Some(value) = value {
                    headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
                }
            }
            let now = "2026-11-21T08:00:00Z".parse().unwrap();
            assert_eq!(retry_after(&headers, now), seconds.map(Duration::from_secs), "{wish:?} {date:?}");
        }
    }
}
