//! Requests to the web, and reports of how they went.

use std::time::Duration;

use awc::http::header::{HeaderName, HeaderValue};
use bytes::Bytes;
use serde::Deserialize;
use url::Url;

use super::fetched::{FetchError, Validators};

/// What to fetch, and how.
#[derive(Clone, Copy)]
pub struct Fetch<'a> {
    /// The address, in original terms.
    pub url: &'a Url,
    /// The `Accept` header.
    pub accept: &'a str,
    /// Further headers; see [`super::fetch::is_header`].
    pub headers: &'a [(String, String)],
    /// The validators of the last visit, for a conditional request.
    pub validators: Option<&'a Validators>,
    /// Whose rules apply.
    pub robots: RobotsPolicy,
    /// What to do with a redirect.
    pub redirects: Redirects,
    /// The longest body that is read; the general cap when `None`.
    pub body_bytes_max: Option<usize>,
}

/// Whose rules apply to a fetch; source files name them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RobotsPolicy {
    /// robots.txt decides.
    #[default]
    Obey,
    /// A documented public interface, which robots.txt does not speak of.
    DocumentedApi,
}

/// What to do with a redirect; source files name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Redirects {
    /// Hand it back: see [`super::fetch::Page::redirects_to`]. To a source it says that there is no such target.
    #[default]
    #[serde(rename = "dead")]
    None,
    /// Follow up to [`super::fetch::REDIRECTS_MAX`] of them, each guarded and asked of robots.txt.
    Follow,
}

/// Gets a report of every exchange.
pub(super) type Observer = Box<dyn Fn(&Observed<'_>)>;

/// An exchange that is over.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// What was asked, in original terms.
    pub url: &'a Url,
    /// Status and length of the answer.
    pub outcome: Result<(u16, usize), FetchError>,
    /// How long it took.
    pub took: Duration,
}

/// One exchange with a host.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) body: Bytes,
    pub(super) bytes_max: usize,
    pub(super) crawl_delay: Option<Duration>,
    pub(super) policy: RobotsPolicy,
}
