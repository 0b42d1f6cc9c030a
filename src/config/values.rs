//! What the text of a setting must be, where that is a matter of this service alone.
//!
//! Duty: text in, a value or what the value must be out.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use ipnet::IpNet;
use tracing_subscriber::filter::LevelFilter;
use url::Url;

use super::duration;
use domain::UnknownWord;

/// The shortest operator key that is accepted, in characters.
const OPERATOR_KEY_LENGTH_MIN: usize = 16;

/// A duration.
pub(super) fn any_duration(text: &str) -> Result<Duration, &'static str> {
    duration::parse(text).ok_or(r#"must be a duration such as "15s""#)
}

/// A duration that is longer than nothing.
pub(super) fn positive_duration(text: &str) -> Result<Duration, &'static str> {
    match any_duration(text)? {
        Duration::ZERO => Err("must be longer than nothing"),
        duration => Ok(duration),
    }
}

/// A duration in which something on a network can succeed.
pub(super) fn second_or_longer(text: &str) -> Result<Duration, &'static str> {
    at_least(text, Duration::from_secs(1), "must be 1s or longer")
}

/// A duration after which something may be forgotten.
pub(super) fn day_or_longer(text: &str) -> Result<Duration, &'static str> {
    at_least(text, Duration::from_secs(24 * 60 * 60), "must be 1d or longer")
}

fn at_least(text: &str, least: Duration, problem: &'static str) -> Result<Duration, &'static str> {
    any_duration(text).and_then(|duration| if duration < least { Err(problem) } else { Ok(duration) })
}

pub(super) fn instant(text: &str) -> Result<DateTime<Utc>, &'static str> {
    let parsed = DateTime::parse_from_rfc3339(text).map(|instant| instant.with_timezone(&Utc));
    parsed.map_err(|_| "must be an instant such as 2026-01-01T00:00:00Z")
}

/// One word of a closed list.
pub(super) fn word<T: FromStr<Err = UnknownWord>>(text: &str) -> Result<T, String> {
    let quoted = |words: &[&str]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" or ");
    text.parse().map_err(|UnknownWord(words)| format!("must be {}", quoted(words)))
}

pub(super) fn socket_address(text: &str) -> Result<std::net::SocketAddr, &'static str> {
    text.parse().map_err(|_| r#"must be an address with a port such as "127.0.0.1:8080""#)
}

pub(super) fn host_name(text: &str) -> Result<String, &'static str> {
    let is_name = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    if is_name { Ok(text.to_owned()) } else { Err(r#"must be names without a port such as "radar.internal""#) }
}

pub(super) fn operator_key(text: &str) -> Result<String, String> {
    let is_fit = text.bytes().all(|byte| byte.is_ascii_graphic()) && text.len() >= OPERATOR_KEY_LENGTH_MIN;
    let problem = || format!("must be {OPERATOR_KEY_LENGTH_MIN} or more printable characters without spaces");
    if is_fit { Ok(text.to_owned()) } else { Err(problem()) }
}

pub(super) fn path(text: &str) -> Result<PathBuf, &'static str> {
    if text.is_empty() { Err("must be a path") } else { Ok(PathBuf::from(text)) }
}

pub(super) fn database_url(text: &str) -> Result<String, &'static str> {
    let is_known = ["sqlite://", "postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    if is_known { Ok(text.to_owned()) } else { Err("must begin with sqlite:// or postgres://") }
}

pub(super) fn address_range(text: &str) -> Result<IpNet, &'static str> {
    text.parse().map_err(|_| r#"must be a list of address ranges such as "10.0.0.0/8""#)
}

/// What a browser sends as `Origin`, or `*`.
pub(super) fn origin(text: &str) -> Result<String, &'static str> {
    if text == "*" || is_origin(text) {
        Ok(text.to_owned())
    } else {
        Err(r#"must be a list of origins such as "https://app.example.com", or "*""#)
    }
}

/// The same of one origin, which is the service's own.
pub(super) fn one_origin(text: &str) -> Result<String, &'static str> {
    if is_origin(text) { Ok(text.to_owned()) } else { Err(r#"must be an origin such as "https://radar.example.com""#) }
}

fn is_origin(text: &str) -> bool {
    let is_it = |url: Url| matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == text;
    Url::parse(text).is_ok_and(is_it)
}

pub(super) fn port_range(text: &str) -> Result<RangeInclusive<u16>, &'static str> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok(first..=last),
        _ => Err(r#"must be a list of ports such as "443" or "1024-65535""#),
    }
}

pub(super) fn header_text(text: &str) -> Result<String, &'static str> {
    let is_fit = text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    if is_fit { Ok(text.to_owned()) } else { Err("must be plain printable characters") }
}

pub(super) fn http_prefix(text: &str) -> Result<String, &'static str> {
    let is_http = Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if is_http { Ok(text.to_owned()) } else { Err("must be the beginning of an http or https address") }
}

pub(super) fn log_filter(text: &str) -> Result<String, &'static str> {
    // A single word would be taken for the name of a part whose every line is wanted.
    let is_level = |directive: &str| directive.contains('=') || directive.trim().parse::<LevelFilter>().is_ok();
    let is_fit = text.split(',').all(is_level) && tracing_subscriber::EnvFilter::builder().parse(text).is_ok();
    if is_fit { Ok(text.to_owned()) } else { Err(r#"must be log directives such as "info,webhooks=debug""#) }
}
